"""What programs are told of a match is as published JSON Schemas say: every state of whole matches, for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec
import pytest
from django.contrib.auth.models import AnonymousUser
from jsonschema_rs import Draft202012Validator, ValidationError

from games.api.streams.stream import line_of
from games.api.v1 import states
from games.api.v1.api import document
from games.api.v1.states import events_since, full_of
from games.engine.contract.playouts import option_combinations
from games.engine.protocol import Options, Seat as SeatNumber
from games.play import commands
from games.play.access import ViewedMatch
from games.play.models import Match
from games.titles import games
from tests.people import as_stored, person, play_on, running_match
from tests.site.api.programs import Program

pytestmark = pytest.mark.django_db

COMPONENTS = msgspec.json.decode(document())["components"]
SETTINGS = [
    (slug, seats, options)
    for slug, game in games().items()
    for seats in sorted({game.seats[0], game.seats[-1]})
    for options in option_combinations(game, seats)[-1:]
]


@dataclass(frozen=True)
class Published:
    """The schemas of a game's view and events, and of a match, as programs get them."""

    match: Draft202012Validator
    view: Draft202012Validator
    events: dict[str, Draft202012Validator]

    @classmethod
    def of(cls, slug: str) -> Published:
        game = Program().get(f"games/{slug}")
        match = {"$ref": "#/components/schemas/Seen", "components": COMPONENTS}
        return cls(
            Draft202012Validator(match, validate_formats=True),
            Draft202012Validator(game["view"]),
            {kind: Draft202012Validator(schema) for kind, schema in game["events"].items()},
        )

    def check(self, viewed: ViewedMatch, known: int) -> None:
        """Check what one viewer is told of a match, and of what has happened in it after so many actions."""
        line = line_of("full", **full_of(viewed, AnonymousUser()), events=events_since(viewed, known))
        told = msgspec.json.decode(line)
        self.match.validate(told)
        self.view.validate(told["state"]["view"])
        for event in (event for happened in told["events"] for event in happened["events"]):
            self.events[event["kind"]].validate(event)


def course(match: Match) -> Iterator[ViewedMatch]:
    """Yield a match after each of its actions; where it goes on with fewer players, one leaves it soon."""
    yield as_stored(match)
    while match.is_running:
        play_on(match, 1)
        if match.length == 7 and match.seat_count > 2:
            commands.resign(match.pk, match.seat_count - 1, "resignation")
        yield as_stored(match)


@pytest.mark.parametrize(("slug", "seats", "options"), SETTINGS)
def test_every_state_of_a_whole_match_is_as_published(slug: str, seats: int, options: Options) -> None:
    match = running_match([person() for _seat in range(seats)], game=slug, options=options)
    published, known = Published.of(slug), 0
    for seen in course(match):
        for viewer in (None, *map(SeatNumber, range(seats))):
            published.check(replace(seen, viewer=viewer), known)
        known = seen.match.length


def test_a_view_that_is_not_as_published_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "view_of", lambda _viewed: {})
    match = running_match([person(), person()])
    with pytest.raises(ValidationError, match="required"):
        Published.of(match.game).check(as_stored(match), 0)
