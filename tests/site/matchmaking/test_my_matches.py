"""My matches: those waiting for me first; the button to the next one."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.play.live import heartbeat
from games.play.models import Match, Seat
from games.play.reducer import positions
from games.ratings.models import Rating
from tests.people import Kinds, act, client_of, person, running_match
from tests.serving import Site, dialled

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db


def slugs(user: User, section: str) -> list[str]:
    lists = client_of(user).get("/matches/").context["lists"]
    return [match.slug for match in getattr(lists, section)]


def test_those_that_wait_for_me_come_first_the_longest_waiting_at_the_top() -> None:
    me, other = person(), person()
    late, early = running_match([me, other]), running_match([me, other])
    theirs = running_match([other, me])
    Match.objects.filter(pk=early.pk).update(moved_at=timezone.now() - timedelta(days=9))
    assert slugs(me, "waiting") == [early.slug, late.slug]
    assert slugs(me, "running") == [theirs.slug]


def test_open_tables_invitations_and_ended_matches_have_their_lists(opened: Opened) -> None:
    me, other = person(), person()
    mine, asked = opened(me), opened(other, visibility="private", invited=(me,))
    over = running_match([me, other])
    Match.objects.filter(pk=over.pk).update(status="over", ended_at=over.started_at)
    Seat.objects.filter(match=over).update(to_move=False)
    assert slugs(me, "seated") == [mine.slug]
    assert slugs(me, "invited") == [asked.slug]
    assert slugs(me, "recent") == [over.slug]
    assert slugs(person(), "invited") == []


def test_at_most_ten_ended_matches_are_listed() -> None:
    me = person()
    for _ in range(11):
        match = running_match([me])
        Match.objects.filter(pk=match.pk).update(status="over", ended_at=match.started_at)
    assert len(slugs(me, "recent")) == 10


def test_the_number_that_waits_stands_in_the_title(kinds: Kinds) -> None:
    assert "<title>(1) My matches" in client_of(kinds.seated).get("/matches/").content.decode()
    assert "<title>My matches" in client_of(kinds.mate).get("/matches/").content.decode()


def test_my_matches_load_with_few_queries(django_assert_max_num_queries: Any) -> None:
    me, other = person(), person()
    for _ in range(6):
        running_match([me, other])
    client = client_of(me)
    with django_assert_max_num_queries(7):
        client.get("/matches/")


def test_next_goes_to_the_longest_waiting_but_not_to_the_one_left() -> None:
    me, other = person(), person()
    late, early = running_match([me, other]), running_match([me, other])
    Match.objects.filter(pk=early.pk).update(moved_at=timezone.now() - timedelta(days=9))
    client = client_of(me)
    assert client.get("/matches/next/")["Location"] == f"/match/{early.slug}/"
    assert client.get(f"/matches/next/?after={early.slug}")["Location"] == f"/match/{late.slug}/"


def test_next_goes_to_the_list_when_nothing_waits(kinds: Kinds) -> None:
    assert client_of(kinds.mate).get("/matches/next/")["Location"] == "/matches/"
    only = client_of(kinds.seated).get(f"/matches/next/?after={kinds.match.slug}")
    assert only["Location"] == "/matches/"


def test_the_header_of_a_match_says_how_many_others_wait_and_leads_to_them() -> None:
    me, other = person(), person()
    shown = running_match([me, other])
    theirs = running_match([other, me])
    mine, spectator = client_of(me), client_of(person())
    for client, match, number in ((mine, shown, 0), (mine, theirs, 1), (spectator, shown, 0)):
        _says_that_others_wait(client.get(match.get_absolute_url()).content.decode(), match, number)
    running_match([me, other])
    page = mine.get(shown.get_absolute_url()).content.decode()
    _says_that_others_wait(page, shown, 1)
    assert "<title>(2) " in page


def _says_that_others_wait(page: str, match: Match, number: int) -> None:
    link = page.split('id="waiting"')[1].split("</a>", maxsplit=1)[0]
    assert f'href="/matches/next/?after={match.slug}"' in link
    assert ("hidden>" in link) is (number == 0)
    assert f'<span class="waiting-count">{number}</span>' in link


# --- how they look ----------------------------------------------------------------------------------------------------


def test_a_row_shows_the_position_the_players_the_rating_and_the_time_left() -> None:
    me, other = person(), person("opponent")
    match = running_match([me, other], speed="days", clock="259200+86400/259200")
    Rating.objects.create(user=other, game=match.game, speed="days", rating=1_612_000, games=30)
    page = client_of(me).get("/matches/").content.decode()
    row = page.split(f'id="my-waiting-{match.slug}"')[1].split("</li>\n")[0]
    assert '<svg class="thumbnail"' in row
    assert "1612</span>" in page
    assert 'data-moment="until"' in page
    assert ">Continue</a>" in page


def test_others_hands_are_in_no_picture() -> None:
    me, other = person(), person()
    match = running_match([me, other])
    row = client_of(me).get("/matches/").context["listings"]["waiting"].entries[0].html
    watched = client_of(person()).get("/lobby/").content.decode()
    picture = row.split("<svg", 1)[1].split("</svg>")[0]
    assert picture in watched  # a spectator's view, for the players too
    assert match.slug in row


@pytest.fixture
def socket(live_site: Site) -> Callable[[User], ClientConnection]:
    return lambda user: dialled(live_site, "matches/?language=en", client_of(user))


def news(connection: ClientConnection) -> dict[str, Any]:
    """Return what the next message says of the lists."""
    while "content" not in (message := json.loads(connection.recv(timeout=60))):
        pass
    content: dict[str, Any] = message["content"]
    return content


def test_a_match_goes_to_the_other_list_when_the_turn_changes(socket: Callable[[User], ClientConnection]) -> None:
    me, other = person(), person()
    match = running_match([me, other], seed=bytes(32))
    with socket(me) as connection:
        assert news(connection)["waiting-list"]["order"] == [f"my-waiting-{match.slug}"]
        act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")), 0)
        act(match, "end", 0)
        told = news(connection)
        while "running-list" not in told:
            told = news(connection)
        assert told["waiting-list"]["order"] == []
        assert list(told["running-list"]["fresh"]) == [f"my-running-{match.slug}"]


def test_pictures_follow_the_moves_of_others(
    socket: Callable[[User], ClientConnection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 0.2)
    other, me = person(), person()
    match, _still = running_match([other, me], seed=bytes(32)), running_match([other, me])
    with socket(me) as connection:
        before = news(connection)["running-list"]["fresh"]
        act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")), 0)
        told = news(connection)
        name = f"my-running-{match.slug}"
        assert list(told) == ["running-list"]
        assert list(told["running-list"]["fresh"]) == [name]
        assert told["running-list"]["fresh"][name] != before[name]
