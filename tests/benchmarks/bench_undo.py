"""What an undo costs relative to the move it takes back: `python -m tests.benchmarks undo`.

They take turns, in one process without a server, in matches with few actions and with many.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.benchmarks import wire
from tests.benchmarks.bench_stock import looping, opened
from tests.benchmarks.load import GAME, Begun, begin
from tests.benchmarks.site import prepare

if TYPE_CHECKING:  # it can be imported once `prepare` has pointed Django at a database
    from games.play.models import Match

LENGTHS = (20, 700)
"""Actions of a match before the first undo."""
ROUNDS, PAIRS = 5, 40
"""In each round each match has so many moves, each taken back."""


def lengthened(length: int) -> Begun:
    """Return a match with so many actions or a few more, at the beginning of a turn; nobody has scored."""
    from games.play import commands
    from games.play.access import ViewedMatch
    from games.play.models import Match

    begun = begin(f"undo{length}", GAME.slug, {}, 2, length.to_bytes(32, "big"))
    match = Match.objects.get(slug=begun.slug)
    seen = ViewedMatch(match, tuple(match.seats.order_by("number").select_related("user")), None)
    while seen.match.length < length:
        for turn_goes_on in (True, True, True, False):  # the longer the turns, the later a match ends without a score
            mover = next(seat.number for seat in seen.seats if seat.to_move)
            text, version = flips(seen.match, mover)[0] if turn_goes_on else "end", seen.match.version
            seen = commands.submit(match.pk, mover, text, version, f"long-{version:08}", seen).viewed
    return Begun(begun.slug, seen.match.version, begun.players, begun.seed)


def flips(match: Match, seat: int) -> list[str]:
    """Return the actions that turn a stone over, which nothing keeps from being taken back."""
    from games.play.reducer import positions

    return [text for text in positions.legal_texts(match, seat) if text.startswith("flip")]


class Table:
    """A match whose pages are open, in which one person moves and takes it back, again and again."""

    def __init__(self, begun: Begun, loop: asyncio.AbstractEventLoop) -> None:
        from games.play.access import current_match

        self.begun, self.loop, self.pages = begun, loop, opened(begun, loop)
        seats = current_match(self.pages[0].user, begun.slug).seats
        self.mover = next(seat.number for seat in seats if seat.to_move)
        self.version = begun.version

    def move(self) -> float:
        """Flip a stone; return the processor time of the worker."""
        from games.play.access import current_match

        choices = flips(current_match(self.pages[0].user, self.begun.slug).match, self.mover)
        return self._ask("act", action=choices[self.version % len(choices)])

    def undo(self) -> float:
        """Take it back; return the processor time of the worker."""
        return self._ask("undo")

    def _ask(self, kind: str, **fields: str) -> float:
        from django.http import QueryDict

        from games.play.live import workers
        from games.play.live.consumers import SocketRequest, answer_request

        page, name = self.pages[self.mover], f"undo-{self.version:08}"
        form = QueryDict(urlencode({**fields, "version": self.version, "client_id": name}))
        asked = SocketRequest(kind, form, page, self.begun.players[self.mover].session)
        spent = workers.result_of(self.begun.slug, partial(_measured, partial(answer_request, asked)))
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.loop).result()  # what was to be sent is written
        if page.heard != wire.Heard(request=name, status=wire.DONE):
            raise SystemExit(f"{kind} was answered with {page.heard}")
        self.version += 1
        return spent


def _measured(task: partial[None]) -> float:
    started = time.thread_time()
    task()
    return time.thread_time() - started


def main() -> None:
    prepare()
    print(
        f"Shifting Stones, medians of {ROUNDS} rounds of {PAIRS} moves, each taken back: processor time of the worker"
    )
    with looping() as loop:
        tables = {length: Table(lengthened(length), loop) for length in LENGTHS}
        moves: dict[int, list[float]] = {length: [] for length in LENGTHS}
        undos: dict[int, list[float]] = {length: [] for length in LENGTHS}
        for _ in range(ROUNDS):
            for length, table in tables.items():
                pairs = [(table.move(), table.undo()) for _ in range(PAIRS)]
                moves[length].append(median(move for move, _ in pairs))
                undos[length].append(median(undo for _, undo in pairs))
    for length in LENGTHS:
        move, undo = 1000 * median(moves[length]), 1000 * median(undos[length])
        ratios = [one / other for one, other in zip(undos[length], moves[length], strict=True)]
        print(
            f"after {length} actions: move {move:.2f} ms, undo {undo:.2f} ms: {undo / move:.2f} times "
            f"(round by round {min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
