"""`examples/bot.py`, as people run it: it plays whole matches against a served site that is ended and begun again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db.models import Max, Q

from accounts.models import User
from games.play.models import Action, Match, Seat
from games.titles import titles
from tests.people import person, play_on
from tests.site.api.programs import Program, token_of
from tests.site.config.processes import Running, no_outage, output_of, serving
from tests.unit.config.environment import ROOT
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

TERMS = {"rated": False, "speed": "days", "clock": None}


@contextmanager
def example(folder: Path, user: User, site: Running) -> Iterator[subprocess.Popen[bytes]]:
    """Run the example for an account until the end of the block; it must not have ended by itself."""
    environment = {"TESSERA_TOKEN": token_of(user), "PATH": os.environ["PATH"]}
    command = [sys.executable, "examples/bot.py", site.origin]
    with (folder / f"output-{user.username}").open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            yield process
            assert process.poll() is None
        finally:
            process.kill()
            process.wait(60)


def idle(_match: Match, texts: Sequence[str]) -> str:
    """Bring a match of Shifting Stones near its last round, the hundredth: at random that takes 700 actions."""
    return "end" if "end" in texts else next(text for text in texts if not text.startswith("score"))


def acted() -> set[tuple[str, str]]:
    """Return who has acted in which game."""
    seats = {(seat.match_id, seat.number): seat for seat in Seat.objects.select_related("user", "match")}
    found = [seats[key] for key in Action.objects.values_list("match", "seat").distinct()]
    return {(seat.match.game, seat.user.username) for seat in found if seat.user}


def test_the_example_plays_every_game_through_a_restart_of_the_server(tmp_path: Path) -> None:
    no_outage()
    ann, bob = person("ann"), person("bob")
    everybody = {(game, bot.username) for game in titles() for bot in (ann, bob)}
    statuses = Match.objects.values_list("status", flat=True)
    with serving(tmp_path) as site:
        site.wait(path="/healthz?live")
        with example(tmp_path, ann, site), example(tmp_path, bob, site):
            wait_until(lambda: User.objects.filter(bot_since__isnull=False).count() == 2)
            asking = Program.of(ann)
            asked = [asking.post("people/bob/challenge", {"game": game, **TERMS}) for game in titles()]
            assert [answer.status_code for answer in asked] == [200] * len(titles())
            wait_until(lambda: acted() == everybody)
            site.process.send_signal(signal.SIGTERM)
            assert site.process.wait(60) == 0
            told = output_of(tmp_path)
            assert set(statuses.all()) == {Match.Status.RUNNING}
            play_on(Match.objects.get(game="shifting-stones"), 170, idle)
            before = Action.objects.aggregate(latest=Max("pk"))["latest"]
            no_outage()
            with serving(tmp_path, PORT=str(site.port)):
                wait_until(lambda: set(statuses.all()) == {Match.Status.OVER})
                told += output_of(tmp_path)
    assert {action.match.game for action in Action.objects.filter(pk__gt=before)} == set(titles())
    assert not Seat.objects.filter(Q(place=None) | Q(left__isnull=False)).exists()
    assert "Traceback" not in told, told
