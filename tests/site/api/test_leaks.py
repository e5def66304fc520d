"""No answer tells a program what its caller may not know: compared with a match whose hidden parts are imagined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

from accounts.models import User
from games.api.authentication import Caller
from games.api.models import Scope
from games.api.streams.matches import MatchStream
from games.api.v1 import states
from games.play import access
from games.play.access import access_match
from games.play.live import pubsub
from games.play.models import Action, Match
from games.titles import titles
from tests.people import person, play_on, running_match
from tests.site.api.programs import Program
from tests.site.play.test_leaks import Place, _sealed, tells, with_imagined_parts
from tests.traits import is_open

pytestmark = pytest.mark.django_db

OF_A_MATCH = ("", "?after=0", "/record", "/chat")


@pytest.fixture(params=titles())
def place(request: pytest.FixtureRequest, db: None) -> Place:
    people = tuple(person() for _seat in range(max(2, titles()[request.param].game.seats[0])))
    match = running_match(people, game=request.param, seed=bytes(32))
    return Place(play_on(match, 9), people, person())


def answers(user: User | None, program: Program, match: Match) -> dict[str, bytes]:
    access._cache.clear()
    paths = [f"matches/{match.slug}{part}" for part in OF_A_MATCH] + ["me/matches", "me/invitations"]
    lines = {} if user is None else {"lines": lines_of(user, match)}
    return {**lines, **{path: program.ask("GET", path).content for path in paths}}


def lines_of(user: User, match: Match) -> bytes:
    """Return what a stream tells of a match: the whole of it, and then its state with everything that has happened."""
    stream = MatchStream(Caller(user, frozenset(Scope), "personal/1"), access_match(user, match.slug))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pubsub, "deliver", lambda writes: [write() for write in writes])
        stream._tell_all()
        stream.told, stream.length = (match.pk, -1), 0
        stream._tell_state(match.version)
    lines = list(stream._lines)
    assert [msgspec.json.decode(line)["type"] for line in lines] == ["full", "state"]
    return b"".join(lines)


def leaks(place: Place) -> Iterator[str]:
    state, seed = place.match.state, bytes(place.match.server_seed)
    sealed = _sealed(place.match)
    for user, viewer in place.viewers():
        program = Program.of(user)
        before = answers(user, program, place.match)
        with_imagined_parts(place.match, viewer)
        after = answers(user, program, place.match)
        Match.objects.filter(pk=place.match.pk).update(state=state, server_seed=seed)
        Action.objects.bulk_update(sealed, ["text", "salt"])
        yield from (f"{viewer} {path}" for path in before if before[path] != after[path])
        yield from (f"seed {viewer} {path}" for path in before if tells(before[path], seed))


def test_no_answer_depends_on_what_its_caller_may_not_know_or_tells_the_seed(place: Place) -> None:
    assert list(leaks(place)) == []


def test_a_view_of_another_seat_is_caught(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = states.view_of
    monkeypatch.setattr(states, "view_of", lambda viewed: honest(replace(viewed, viewer=0)))
    assert any(leak.startswith("None") for leak in leaks(place)) != is_open(place.match.game)
