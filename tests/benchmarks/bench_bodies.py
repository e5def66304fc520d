"""What the largest forms that are let in cost each address: `python -m tests.benchmarks.bench_bodies [NAME...]`.

Each kind of content is sent in one field after the other, and in all of them. For each address the request is printed
that cost most processor time, and the largest answer; tests/site/config/test_bodies.py does the same with fewer.
Passwords are hashed as on a real site, which takes long by intention; how often is limited (`accounts/limits.py`).
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tests.benchmarks.site import prepare

if TYPE_CHECKING:
    from tests.site.config.bodies import Answer, Doors, Form

PROMISED: Final = 0.1
"""Seconds of processor time that no request costs more than."""


def timed(doors: Doors, role: str, path: str, form: Form) -> tuple[float, Answer]:
    """Return what a form costs at best, in seconds, and its answer: what costs too much is tried three times."""
    spent = []
    for _ in range(3):
        begun = time.thread_time()
        answer = doors.sent(role, path, form)
        spent.append(time.thread_time() - begun)
        if spent[-1] <= PROMISED:
            break
    return min(spent), answer


def main(wanted: Sequence[str]) -> None:
    prepare()
    logging.disable(logging.ERROR)
    from django.test.utils import setup_test_environment

    setup_test_environment()
    from tests.site.config.bodies import TEXTS, Doors, bodies, posted_to, roles_of
    from tests.site.config.world import build, undone

    with undone():
        doors = Doors(build())
        for role in ("nobody", "seat", "moderator"):
            doors.visit(role)
        print(f"{'address':36}{'by':10}{'fields':>6}{'ms':>7}{'status':>7}{'bytes':>9}  at most by", flush=True)
        for name in posted_to():
            for role in roles_of(name) if not wanted or name in wanted else ():
                path, form = doors.form(role, name)
                found = [(*timed(doors, role, path, body), what) for what, body in bodies(name, form, list(TEXTS))]
                seconds, dear, what = max(found, key=lambda row: row[0])
                large = max(answer.size for _seconds, answer, _what in found)
                mark = " !" if seconds > PROMISED else ""
                row = f"{name:36}{role:10}{len(form):6}{seconds * 1000:7.0f}{dear.status:7}{large:9}  {what}{mark}"
                print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
