"""`kill -9` of the web process under load: what was acknowledged is stored, and what is stored is whole.

Moves go over sockets, as they do from open pages; whoever resigns posts a form.
"""

from __future__ import annotations

import http.client
import os
import random
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from games.history import replay
from games.play import commands
from games.play.models import Action, Match
from games.play.reducer import positions
from games.ratings import services as ratings_services
from games.ratings.models import Rating, RatingChange
from tests.people import act, client_of, person, running_match
from tests.serving import Site, dialled
from tests.site.config.lines import Line, Unanswered
from tests.site.config.processes import Running, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("TESSERA_CRASH_ROUNDS", "1"))
"""How often the process is killed; the nightly run asks for 100."""

LOADS = 3
MATCHES = 15
ACTIONS = 3
"""Actions of each match before somebody resigns, so that ratings are at stake too."""

# Without transactions, and so slow between two statements that a kill falls there on the busiest machine.
SABOTAGE = """
import time
from contextlib import nullcontext
import config.wsgi
from games.play import commands, sql
insert = sql.insert
sql.insert = lambda row: (time.sleep(0.5), insert(row))
commands.writing = nullcontext
from config.serve import main
main()
"""


@dataclass
class Load:
    """A pair of players who act as soon as they are answered, the actions that were acknowledged, and the last form."""

    site: Running
    players: Sequence[Client]
    matches: Sequence[Match]
    acknowledged: set[str] = field(default_factory=set)
    unanswered: Form | None = None

    def run(self) -> None:
        """Play until the site is gone, or all matches are over."""
        try:
            for match in self.matches:
                with ExitStack() as opened:
                    lines = [opened.enter_context(line(self.site, match, player)) for player in self.players]
                    for number in range(ACTIONS):
                        self._act(match, lines, "end" if number < 2 else "")  # rated once both have acted
                    self._resign(match)
        except (OSError, http.client.HTTPException, Unanswered):
            return
        finally:
            connections.close_all()

    def _act(self, match: Match, lines: Sequence[Line], text: str) -> None:
        match.refresh_from_db()
        seat = match.seats.get(to_move=True).number
        text = text or secrets.choice(positions.legal_texts(match, seat))
        fields = {"action": text, "version": str(match.version), "client_id": secrets.token_hex(10)}
        self.unanswered = Form(match, self.players[seat], fields)
        assert lines[seat].ask("act", fields)["status"] == "done"
        self.unanswered = None
        self.acknowledged.add(fields["client_id"])

    def _resign(self, match: Match) -> None:
        client_id = secrets.token_hex(10)
        form = urlencode({"client_id": client_id})
        status, _body = self.site.ask("POST", f"{match.get_absolute_url()}resign/", self.players[0], form)
        assert status == 200
        self.acknowledged.add(client_id)


@dataclass(frozen=True)
class Form:
    """A player's form of a board, as it was sent."""

    match: Match
    player: Client
    fields: Mapping[str, str]


def line(site: Running, match: Match, player: Client) -> Line:
    return Line(partial(dialled, Site(site.origin), f"match/{match.slug}/", player))


@dataclass
class Aftermath:
    """What is known of players whose site was killed: what was acknowledged, and the forms that were not answered."""

    acknowledged: set[str]
    unanswered: list[Form]


def killed_under_load(folder: Path, code: str = "", within: float = 0.4) -> Aftermath:
    """Let players play, and kill the process in the middle of it, at most so many seconds after a match of each."""
    pairs = [[person(), person()] for _ in range(LOADS)]
    tables = [[running_match(pair, rated=True) for _ in range(MATCHES)] for pair in pairs]
    with serving(folder, code, SINGLE_PROCESS="1") as site:
        site.wait()
        loads = [
            Load(site, [client_of(user) for user in pair], matches) for pair, matches in zip(pairs, tables, strict=True)
        ]
        threads = [threading.Thread(target=load.run) for load in loads]
        for thread in threads:
            thread.start()
        wait_until(lambda: all(len(load.acknowledged) > ACTIONS for load in loads), 60)  # a match of each is over
        time.sleep(random.uniform(0, within))
        site.process.kill()
        for thread in threads:
            thread.join(60)
    acknowledged = {client_id for load in loads for client_id in load.acknowledged}
    return Aftermath(acknowledged, [load.unanswered for load in loads if load.unanswered])


def sent_again(folder: Path, forms: Sequence[Form]) -> set[str]:
    """Send forms again to a new process, each over a new socket and twice, and return what it has acknowledged."""
    with serving(folder, SINGLE_PROCESS="1") as site:
        site.wait()
        for form in forms:
            with line(site, form.match, form.player) as again:
                assert [again.ask("act", form.fields)["status"] for _ in range(2)] == ["done", "done"]
    return {form.fields["client_id"] for form in forms}


def damages(acknowledged: set[str]) -> list[str]:
    """Return everything that is lost, half or wrong.

    Everything is read as of one moment: PostgreSQL may still be storing what a killed process asked for.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return _damages(acknowledged)


def _damages(acknowledged: set[str]) -> list[str]:
    stored = set(Action.objects.values_list("client_id", flat=True))
    found = [f"{client_id} is lost" for client_id in acknowledged - stored]
    replayed = ((match, replay.first_difference(match)) for match in Match.objects.order_by("pk"))
    found += [f"{match}: {difference}" for match, difference in replayed if difference]
    if difference := ratings_services.first_difference():
        found.append(difference)
    return found


def prove(folder: Path, rounds: int) -> None:
    acknowledged: set[str] = set()
    unanswered: list[Form] = []
    for number in range(1, rounds + 1):
        aftermath = killed_under_load(folder)
        acknowledged |= aftermath.acknowledged
        unanswered += aftermath.unanswered
        assert damages(acknowledged) == []
        unheard = Action.objects.exclude(client_id__in=acknowledged).count()
        assert unheard <= number * LOADS  # at most the one each was waiting for
    assert RatingChange.objects.exists()
    acknowledged |= sent_again(folder, unanswered)
    assert damages(acknowledged) == []
    names = Action.objects.filter(client_id__in=[form.fields["client_id"] for form in unanswered])
    assert names.count() == len(unanswered)


def test_a_killed_process_loses_nothing_and_leaves_nothing_half(tmp_path: Path) -> None:
    prove(tmp_path, ROUNDS)


@pytest.mark.services
def test_a_killed_process_loses_nothing_and_leaves_nothing_half_on_postgresql(tmp_path: Path) -> None:
    prove(tmp_path, ROUNDS)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL refuses the row lock outside a transaction")
def test_writing_without_a_transaction_is_noticed(tmp_path: Path) -> None:
    """The sabotaged variant; a match of it takes two seconds, and all pairs are between two matches at once."""
    assert any(damages(killed_under_load(tmp_path, SABOTAGE, within=2).acknowledged) for _ in range(4))


def _lose_an_action(match: Match) -> None:
    Action.objects.filter(match=match, number=1).delete()


def _go_back(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(state="{}")


def _halve_the_ratings(match: Match) -> None:
    RatingChange.objects.filter(match=match, seat=1).delete()


def _forget_the_rating(match: Match) -> None:
    Rating.objects.update(rating=1_500_000)


@pytest.mark.parametrize("damage", [_lose_an_action, _go_back, _halve_the_ratings, _forget_the_rating])
def test_damage_is_noticed(damage: Callable[[Match], None]) -> None:
    match = running_match([person(), person()], rated=True)
    act(match, "end", client_id="acknowledged")
    act(match, "end", seat=1)  # rated once everybody has acted
    commands.resign(match.pk, 0, "resignation")
    assert damages({"acknowledged", "resignation"}) == []
    damage(match)
    assert damages({"acknowledged", "resignation"})


WRITERS = 32


def test_thirty_two_writers_at_once_all_get_their_turn() -> None:
    """On SQLite deferred transactions would answer "database is locked"; each writer has a connection of its own."""
    matches = [running_match([person(), person()]) for _ in range(WRITERS)]
    barrier = threading.Barrier(WRITERS)

    def play(match: Match) -> int:
        barrier.wait()
        try:
            for _ in range(ACTIONS):
                match.refresh_from_db()
                seat = match.seats.get(to_move=True).number
                text = secrets.choice(positions.legal_texts(match, seat))
                commands.submit(match.pk, seat, text, match.version, secrets.token_hex(10))
            return ACTIONS
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WRITERS) as pool:
        done = sum(pool.map(play, matches))
    assert done == Action.objects.count() == WRITERS * ACTIONS
    assert damages(set()) == []
