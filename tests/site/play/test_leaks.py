"""No browser is sent anything its owner may not know.

Whatever is sent about a match is made twice: from the true state, and from one whose hidden parts were imagined anew
for this viewer. Every page, fragment, log and export must be the same byte for byte (CSRF tokens and the names of
requests aside).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.engine.codec import encode
from games.engine.fair import FairChance
from games.engine.protocol import Seat as SeatNumber, Viewer
from games.play import access, records
from games.play.access import ViewedMatch
from games.play.boards import fragments
from games.play.boards.log import log_lines
from games.play.boards.pictures import _drawn
from games.play.models import Action, Match
from games.play.records import standing_actions
from games.play.reducer import positions
from games.titles import Scene, games
from games.titles.regions import Page
from tests.people import act, client_of, eager, person, play_on, running_match
from tests.site.config.world import undone
from tests.traits import is_open

pytestmark = pytest.mark.django_db

CHANGING = re.compile(rb'name="(csrfmiddlewaretoken|client_id|page)" value="[^"]*"|page=[0-9a-f]{16}|"now": [0-9]+')


@dataclass(frozen=True)
class Place:
    """A running match in some position, and everybody who may look at it."""

    match: Match
    people: tuple[User, ...]
    stranger: User

    def viewers(self) -> Iterator[tuple[User | None, Viewer]]:
        for number, user in enumerate(self.people):
            yield user, SeatNumber(number)
        yield self.stranger, None
        yield None, None


PLACES = [(slug, seats) for slug, game in games().items() for seats in (game.seats[0], game.seats[-1])]


@pytest.fixture(scope="module", params=PLACES, ids=lambda setting: f"{setting[0]}-{setting[1]}")
def played(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Place]:
    """A match of every title, alone and full, some actions old; what a test changes is rolled back."""
    slug, seats = request.param
    with django_db_blocker.unblock(), undone():
        people = tuple(person() for _ in range(seats))
        match = running_match(people, game=slug, seed=bytes([seats]) * 32)
        yield Place(play_on(match, 9), people, person())


@pytest.fixture
def place(db: None, played: Place) -> Place:
    return replace(played, match=Match.objects.get(pk=played.match.pk))


OF_A_MATCH = ("", "news/", "log/", "replay/", "record.json", "draws.json", "seals/")
LISTS = ("/lobby/", "/archive/", "/embed/match/{slug}/")
"""And what shows the match to everybody alike."""


def pages(match: Match, user: User | None, parts: tuple[str, ...] = OF_A_MATCH, lists: bool = True) -> dict[str, bytes]:
    """Return everything this person can fetch about a running match, by address; or only some of its pages."""
    client = client_of(user) if user else Client()
    fragments._page.cache_clear()
    fragments._shared.cache_clear()
    _drawn.clear()
    access._cache.clear()
    addresses = [
        *(f"/match/{match.slug}/{part}" for part in parts),
        *(it.format(slug=match.slug) for it in LISTS if lists),
    ]
    answers = {address: client.get(address) for address in addresses}
    return {address: CHANGING.sub(b"", bytes(answer.content)) for address, answer in answers.items()}


def rendered(place: Place, user: User | None) -> Page:
    fragments._page.cache_clear()
    fragments._shared.cache_clear()
    return fragments.match_page(_table(place, user))


def test_no_push_depends_on_what_its_reader_may_not_know(place: Place) -> None:
    """What a push carries is made of two boards: of the one before an action, and of the one after it."""
    boards = {viewer: rendered(place, user) for user, viewer in place.viewers()}
    seat = place.match.seats.filter(to_move=True).order_by("number")[0].number
    act(place.match, eager(place.match, positions.legal_texts(place.match, seat)), seat)
    place.match.refresh_from_db()
    state = place.match.state
    for user, viewer in place.viewers():
        pushed = rendered(place, user).since(boards[viewer])
        shown = rendered(place, user)
        with_imagined_parts(place.match, viewer)
        imagined = rendered(place, user)
        assert imagined.since(boards[viewer]) == pushed
        assert [name for name, region in imagined.regions.items() if region != shown.regions.get(name)] == []
        assert pushed
        Match.objects.filter(pk=place.match.pk).update(state=state)


def with_imagined_parts(match: Match, viewer: Viewer) -> None:
    """Replace in the database what this viewer may not know by something else that looks the same to them.

    Of a game that hides nothing only the seed can be exchanged.
    """
    state = positions.decode_state(match)
    imagined = match.rules.imagine(match.rules.view_for(state, viewer), FairChance(b"imagined" * 4, 0))
    assert imagined != state or is_open(match.game), "nothing is hidden: the test would prove nothing"
    Match.objects.filter(pk=match.pk).update(state=encode(imagined), server_seed=b"another seed, the same to you...")
    for action in _sealed(match):
        if action.seat != viewer:
            Action.objects.filter(pk=action.pk).update(text="what it may be", salt=b"another salt too")


def _sealed(match: Match) -> list[Action]:
    """Return the actions that others may not read yet."""
    return list(Action.objects.filter(match=match, number__gt=match.opened).exclude(seal=""))


def leaks(place: Place, *only: str) -> list[str]:
    """Return which pages of which viewer tell the seed, or depend on what they may not know; of all pages, or some."""
    found = []
    truth = place.match.state, bytes(place.match.server_seed)
    sealed = _sealed(place.match)
    for user, viewer in place.viewers():
        looked_at = (only or OF_A_MATCH, not only and viewer in {None, 0})  # lists are the same for every seat
        before = pages(place.match, user, *looked_at)
        with_imagined_parts(place.match, viewer)
        after = pages(place.match, user, *looked_at)
        Match.objects.filter(pk=place.match.pk).update(state=truth[0], server_seed=truth[1])
        Action.objects.bulk_update(sealed, ["text", "salt"])
        found += [f"{viewer} {address}" for address in before if before[address] != after[address]]
        found += [f"seed {viewer} {address}" for address, content in before.items() if tells(content, truth[1])]
    return found


def tells(content: bytes, seed: bytes) -> bool:
    return seed in content or seed.hex().encode() in content.lower()


def test_no_page_depends_on_what_its_reader_may_not_know_or_tells_the_seed(place: Place) -> None:
    assert leaks(place) == []


def test_a_board_made_from_another_seats_view_is_caught(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: everybody is shown the view of seat 0."""
    honest = fragments.scene_of

    def sabotaged(table: ViewedMatch, reached: positions.Reached, viewer: Viewer, active: bool) -> Scene:
        return honest(table, reached, SeatNumber(0), active)

    monkeypatch.setattr(fragments, "scene_of", sabotaged)
    assert any(leak.startswith("None") for leak in leaks(place, "")) != is_open(place.match.game)


def test_a_frame_made_from_a_seats_view_is_caught(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant, on other people's pages."""
    honest, address = fragments.scene_of, f"/embed/match/{place.match.slug}/"
    monkeypatch.setattr(
        fragments, "scene_of", lambda viewed, reached, _, active: honest(viewed, reached, SeatNumber(0), active)
    )
    shown = pages(place.match, None, ())[address]
    with_imagined_parts(place.match, None)
    assert (pages(place.match, None, ())[address] != shown) != is_open(place.match.game)


def test_a_seed_in_the_page_is_caught(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: the seed in place of the commitment."""
    Match.objects.filter(pk=place.match.pk).update(commit=bytes(place.match.server_seed).hex())
    place.match.refresh_from_db()
    page = pages(place.match, None, ("",), lists=False)[f"/match/{place.match.slug}/"]
    assert tells(page, bytes(place.match.server_seed))


def test_the_log_tells_events_only_to_those_who_may_know(place: Place) -> None:
    rules = place.match.rules
    for user, viewer in place.viewers():
        table = _table(place, user)
        told = [line.text for line in log_lines(table, viewer, limit=100)]
        secret = _secret_lines(place, viewer)
        assert not secret & set(told), f"{rules.slug} tells {viewer} {secret & set(told)}"


def _table(place: Place, user: User | None) -> ViewedMatch:
    from django.contrib.auth.models import AnonymousUser

    from games.play.access import viewed_by

    table = viewed_by(user or AnonymousUser(), Match.objects.get(pk=place.match.pk))
    assert table is not None
    return table


def _secret_lines(place: Place, viewer: Viewer) -> set[str]:
    """Return the lines of events this viewer may not know, unless a public event reads the same."""
    table = _table(place, None)
    line = place.match.title.board.line
    events = [
        event for action in standing_actions(place.match) for event in positions.events_of(place.match, action.events)
    ]
    hidden = {line(event, table.names, viewer) for event in events if not event.is_seen_by(viewer)}
    return hidden - {line(event, table.names, viewer) for event in events if event.is_seen_by(viewer)} - {""}


def test_a_record_that_tells_sealed_actions_is_caught(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: everybody may read everything."""
    monkeypatch.setattr(records, "may_be_read", lambda *_: True)
    told = set(leaks(place, "record.json"))
    secret_from = {f"{viewer} /match/{place.match.slug}/record.json" for viewer in _seated_others(place)}
    assert told == secret_from


def _seated_others(place: Place) -> set[int]:
    """Return the seats from which some sealed action is secret."""
    return {seat for seat in range(len(place.people)) if any(action.seat != seat for action in _sealed(place.match))}


@pytest.mark.parametrize("text", ["score 1", "score 72", "flip 1 a1", "shift 72 a1 a2"])
def test_a_refusal_does_not_depend_on_hidden_cards(text: str) -> None:
    """Naming a card gives the same answer whether it is in somebody else's hand or in the pile."""
    match = running_match([person(), person()], seed=bytes(32))
    seat = match.seats.get(number=0)
    assert seat.user is not None
    answers = []
    for round_number in range(2):
        if round_number:
            with_imagined_parts(match, SeatNumber(0))
        answers.append(_refusal(match, seat.user, text))
    assert answers[0] == answers[1]


def _refusal(match: Match, user: User, text: str) -> tuple[int, bytes]:
    fragments._page.cache_clear()
    fragments._shared.cache_clear()
    fields = {"action": text, "version": match.version, "client_id": "a-refused-one"}
    answer = client_of(user).post(f"/match/{match.slug}/act/", fields, headers={"HX-Request": "true"})
    return answer.status_code, answer.content
