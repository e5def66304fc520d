"""The start page: a public match in motion and honest counts for visitors, what waits for them for members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from config import views
from games.matchmaking.filters import HOST_SHARE
from games.matchmaking.lobby import PAGE, forget_lobby
from games.play.models import Match, Seat, Speed
from games.ratings.models import RatingChange
from games.titles import games
from tests.people import act, client_of, eager, open_table, person, play_out, running_match
from tests.site.ratings.finishing import finished, resigned

pytestmark = pytest.mark.django_db

PUBLIC = Match.Visibility.PUBLIC


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """Forget what the lobby has loaded for other tests."""
    forget_lobby()


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("Bob")]


def page(client: Client | None = None, address: str = "/") -> str:
    response = (client or Client()).get(address)
    assert response.status_code == 200
    return response.content.decode()


def played(people: Sequence[User], **fields: object) -> Match:
    return play_out(running_match(people, **{"visibility": PUBLIC, **fields}))


TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def without_tokens(text: str) -> str:
    """Return a page without the tokens of its forms, which differ each time."""
    return TOKEN.sub("", text)


def position(text: str) -> tuple[int, int]:
    found = re.search(r'id="showcase" data-number="(\d+)" data-length="(\d+)"', text)
    assert found is not None
    return int(found[1]), int(found[2])


# --- the page that visitors share -----------------------------------------------------------------------------------


def test_what_visitors_see_alike_is_made_once(people: list[User], django_assert_num_queries: Any) -> None:
    played(people)
    first = page()
    with django_assert_num_queries(0):
        second = page()
    assert without_tokens(second) == without_tokens(first)


def test_it_is_not_kept_for_long(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "KEPT", 0)
    assert 'id="showcase"' not in page()
    played(people)
    assert 'id="showcase"' in page()


def test_each_visitor_has_a_token_of_their_own_that_is_accepted() -> None:
    visitors = [Client(enforce_csrf_checks=True) for _ in range(3)]
    texts = [page(visitor) for visitor in visitors]
    tokens = [set(TOKEN.findall(text)) for text in texts]
    assert [len(each) for each in tokens] == [1, 1, 1]
    assert len({visitor.cookies["csrftoken"].value for visitor in visitors}) == 3
    post = {"next": "/lobby/", "csrfmiddlewaretoken": tokens[0].pop()}
    assert visitors[1].post(reverse("guest"), post).status_code == 403
    assert visitors[0].post(reverse("guest"), post).status_code == 302
    again = page(visitors[2])
    assert tokens[2].isdisjoint(TOKEN.findall(again)), "each page masks the token anew"
    assert views._TOKEN not in "".join(texts)


def test_everybody_reads_their_own_language() -> None:
    first_words = {"en": "A quiet table", "de": "Ein ruhiger Tisch", "it": "Un tavolo"}
    for _round in range(2):
        for language, words in first_words.items():
            response = Client().get("/", headers={"Accept-Language": language})
            text = response.content.decode()
            assert response.headers["Content-Language"] == language
            assert f'<html lang="{language}"' in text
            assert f"<h1>{words}" in text


def test_nothing_of_a_member_or_guest_is_in_it_nor_it_in_theirs(people: list[User]) -> None:
    owner, mate = people
    stranger = person("Cleo", theme="dark", language="de", time_zone="Asia/Tokyo", single_keys=False)
    match = running_match([owner, mate], visibility=Match.Visibility.PRIVATE)
    guest = Client()
    guest.post(reverse("guest"))
    own = [client_of(user) for user in (owner, mate, stranger)]
    seen = [page(client) for client in (*own, guest)]
    visitor = page()
    for name in ("Ann", "Bob", "Cleo", match.slug, "data-zone", "data-single-keys", 'id="toasts"', "Tokyo"):
        assert name not in visitor
    assert '<html lang="en" data-theme="system">' in visitor
    again = [page(client) for client in (*own, guest)]
    assert [without_tokens(text) for text in again] == [without_tokens(text) for text in seen]
    assert [f"/match/{match.slug}/" in text for text in again] == [True, True, False, False]


def test_it_comes_with_the_same_headers_and_no_cookie_but_the_visitors_own(people: list[User]) -> None:
    member = client_of(people[0])
    page(member)
    first, kept = (Client().get("/") for _ in range(2))
    for response in (first, kept):
        assert list(response.cookies) == ["csrftoken"]
        assert response.headers["Cache-Control"] == "no-store"
    varying = {"X-Request-ID", "Content-Length"}
    assert {*first.headers.items()} - {*kept.headers.items()} <= {(name, first.headers.get(name)) for name in varying}


def test_only_the_one_who_has_logged_out_is_told_so(people: list[User]) -> None:
    page()
    leaving = client_of(people[0])
    leaving.post(reverse("account_logout"))
    told = page(leaving)
    assert "You have logged out." in told
    assert "You have logged out." not in page()
    assert "You have logged out." not in page(leaving)


# --- the match in motion --------------------------------------------------------------------------------------------


def test_without_a_match_to_show_there_is_a_drawn_table() -> None:
    assert 'id="showcase"' not in page()
    assert 'class="table"' in page()


def test_a_finished_match_plays_itself_from_a_third_to_its_end_and_again(people: list[User]) -> None:
    match = played(people)
    text = page()
    assert position(text) == (match.length // 3, match.length)
    assert f"/showcase/{match.slug}/?at={match.length // 3 + 1}" in text
    last = page(address=f"/showcase/{match.slug}/?at={match.length}")
    assert "data-last" in last
    assert f'hx-get="/showcase/{match.slug}/?at={match.length // 3}"' in last


def test_a_match_that_is_being_played_is_followed(people: list[User]) -> None:
    played(people)
    match = running_match(people, visibility=PUBLIC, speed=Speed.LIVE)
    act(match, eager(match, ["skip"]))
    text = page()
    assert position(text) == (match.length, match.length)
    assert "data-following" in text
    assert f'hx-get="/showcase/{match.slug}/?at="' in text


def test_a_match_over_days_or_at_rest_is_not_followed(people: list[User]) -> None:
    running_match(people, visibility=PUBLIC, speed=Speed.DAYS)
    resting = running_match(people, visibility=PUBLIC, speed=Speed.LIVE)
    Match.objects.filter(pk=resting.pk).update(moved_at=timezone.now() - timedelta(minutes=10))
    assert 'id="showcase"' not in page()


def test_only_what_a_spectator_sees_is_shown_even_to_its_players(people: list[User]) -> None:
    match = running_match(people, visibility=PUBLIC, speed=Speed.LIVE)
    act(match, "skip")
    address = f"/showcase/{match.slug}/"
    assert page(client_of(people[0]), address) == page(address=address)
    assert 'id="hand"' not in page(address=address)
    assert page(client_of(people[0]), f"{address}?at=0") == page(address=address)  # no other position while it runs


@pytest.mark.parametrize("visibility", [Match.Visibility.LINK, Match.Visibility.PRIVATE])
def test_what_is_not_public_is_never_shown(people: list[User], visibility: str) -> None:
    over = played(people, visibility=visibility)
    running = running_match(people, visibility=visibility, speed=Speed.LIVE)
    assert 'id="showcase"' not in page()
    for match in (over, running):
        for client in (Client(), client_of(people[0])):
            assert client.get(f"/showcase/{match.slug}/").status_code == 404


def test_a_match_somebody_left_is_not_shown_on_its_own(people: list[User]) -> None:
    resigned(people, visibility=PUBLIC)
    assert 'id="showcase"' not in page()


def test_a_position_that_does_not_exist_is_answered_with_the_last_one(people: list[User]) -> None:
    match = played(people)
    response = Client().get(f"/showcase/{match.slug}/?at=99999")
    assert response.status_code == 404
    assert position(response.content.decode()) == (match.length, match.length)


# --- counts and games -----------------------------------------------------------------------------------------------


def test_the_counts_are_those_of_the_lobby(people: list[User]) -> None:
    open_table([people[0]], seats=2, visibility=PUBLIC)
    open_table([people[0]], seats=2, visibility=Match.Visibility.PRIVATE)
    running_match(people, visibility=PUBLIC)
    running_match(people, visibility=Match.Visibility.PRIVATE)
    text = page()
    assert "<strong>1</strong> open table<" in text
    assert "<strong>1</strong> match to watch<" in text
    assert "<strong>0</strong> finished this week<" in text


def test_all_tables_of_the_lobby_are_counted_not_those_of_its_first_page() -> None:
    for _ in range(PAGE + 2):
        open_table([person()], seats=2, visibility=PUBLIC)
    assert f"<strong>{PAGE + 2}</strong> open tables<" in page()


def test_of_one_host_as_many_tables_are_counted_as_the_lobby_lists(people: list[User]) -> None:
    for _ in range(HOST_SHARE + 1):
        open_table([people[0]], seats=2, visibility=PUBLIC)
    open_table([people[1]], seats=2, visibility=PUBLIC)
    assert f"<strong>{HOST_SHARE + 1}</strong> open tables<" in page()


def test_of_finished_matches_those_are_counted_that_the_archive_shows_to_everyone(people: list[User]) -> None:
    match = played(people)
    for visibility in (Match.Visibility.LINK, Match.Visibility.PRIVATE):
        played(people, visibility=visibility)
    assert "<strong>1</strong> finished this week<" in page()
    Match.objects.filter(pk=match.pk).update(ended_at=timezone.now() - timedelta(days=8))
    forget_lobby()
    assert "<strong>0</strong> finished this week<" in page()


def test_every_game_can_be_played_and_read_about() -> None:
    text = page()
    new_table = reverse("table_new")
    for slug in games():
        assert f'href="{new_table}?game={slug}"' in text
        assert f'href="/rules/{slug}/"' in text
    assert text.count("game-art art-card") == len(games())


def test_a_shared_link_has_a_picture(people: list[User]) -> None:
    assert re.search(r'<meta property="og:image" content="http[^"]+/static/site/art/social[^"]*\.jpg">', page())
    rules = page(address="/rules/shifting-stones/")
    assert re.search(r'property="og:image" content="http[^"]+/shifting_stones/art/social', rules)
    match = running_match(people, visibility=PUBLIC)
    shown = page(address=f"/match/{match.slug}/")
    assert f'property="og:image" content="http://testserver/match/{match.slug}/picture.png"' in shown
    assert '<meta property="og:title" content="Shifting Stones: Ann, Bob">' in shown
    hidden = running_match(people, visibility=Match.Visibility.PRIVATE)
    assert "og:title" not in page(client_of(people[0]), f"/match/{hidden.slug}/")


@pytest.mark.parametrize(
    ("address", "heading"),
    [
        ("/lobby/", "Lobby"),
        ("/archive/", "Archive"),
        ("/leaderboard/", "Leaderboards"),
        ("/leaderboard/shifting-stones/live/", "Leaderboard: Shifting Stones, Live"),
        ("/@Ann/", "Ann"),
        ("/puzzles/", "Today’s puzzles"),
    ],
)
def test_public_pages_have_a_picture_where_they_are_shared(people: list[User], address: str, heading: str) -> None:
    shared = page(address=address)
    assert f'<meta property="og:title" content="{heading}">' in shared
    assert len(re.findall(r'property="og:image" content="http[^"]+/art/social[^"]*\.jpg"', shared)) == 1


# --- home -----------------------------------------------------------------------------------------------------------


def test_a_member_sees_the_most_urgent_match_first(people: list[User]) -> None:
    later, sooner = (running_match(people, speed=Speed.DAYS) for _ in range(2))
    now = timezone.now()
    for match, hours in ((later, 40), (sooner, 2)):
        Seat.objects.filter(match=match, number=0).update(to_move=True, deadline=now + timedelta(hours=hours))
    text = page(client_of(people[0]))
    assert "2 matches are waiting for you" in text
    assert f'id="continue" href="{reverse("next_match")}"' in text
    assert text.index(sooner.slug) < text.index(later.slug)


def test_a_member_without_matches_is_led_to_a_table(people: list[User]) -> None:
    open_table([people[1]], seats=2, visibility=PUBLIC)
    text = page(client_of(people[0]))
    assert "Good to see you, Ann" in text
    assert "Open a table, or sit down at one." in text
    assert "1 of 2 seats taken" in text
    assert 'id="showcase"' not in text


def test_ratings_of_this_week_are_shown_by_pool(people: list[User]) -> None:
    finished(people, speed=Speed.LIVE)
    finished(people, speed=Speed.LIVE)
    finished(people, speed=Speed.DAYS)
    RatingChange.objects.filter(speed=Speed.DAYS).update(at=timezone.now() - timedelta(days=8))
    text = page(client_of(people[0]))
    week = text[text.index("Your ratings this week") :]
    assert week.count("week-rating") == 1
    assert "2 matches" in week
    latest = RatingChange.objects.filter(user=people[0], speed=Speed.LIVE).latest("pk")
    first = RatingChange.objects.filter(user=people[0], speed=Speed.LIVE).earliest("pk")
    assert f"<strong>{latest.shown}</strong>" in week
    assert f"+{round(latest.after / 1000) - round(first.before / 1000)}<" in week
