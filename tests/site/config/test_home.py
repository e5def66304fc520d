"""The start page: the games and honest counts for visitors, what waits for them for members."""

from __future__ import annotations

import re
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
from games.pairing.models import Wait
from games.play.models import Match, Seat, Speed
from games.ratings.models import RatingChange
from games.titles import games
from tests.people import client_of, open_table, person, play_out, running_match
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


TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def without_tokens(text: str) -> str:
    """Return a page without the tokens of its forms, which differ each time."""
    return TOKEN.sub("", text)


# --- the page that visitors share -----------------------------------------------------------------------------------


def test_what_visitors_see_alike_is_made_once(people: list[User], django_assert_num_queries: Any) -> None:
    open_table([people[0]], seats=2, visibility=PUBLIC)
    first = page()
    with django_assert_num_queries(0):
        second = page()
    assert without_tokens(second) == without_tokens(first)


def test_it_is_not_kept_for_long(people: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "KEPT", 0)
    assert "match to watch" not in page()
    running_match(people, visibility=PUBLIC)
    assert "match to watch" in page()


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
    first_words = {"en": "Sit down", "de": "Setz dich", "it": "Siediti"}
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


# --- language and theme, without an account -------------------------------------------------------------------------


def test_a_visitor_chooses_language_and_theme_and_sees_the_same_page_in_them(people: list[User]) -> None:
    visitor, lobby = Client(), reverse("lobby") + "?game=small-islands"
    for chosen in ({"language": "de"}, {"theme": "dark"}):
        answer = visitor.post(reverse("settings_display"), chosen, headers={"Referer": f"http://testserver{lobby}"})
        assert answer["Location"] == f"http://testserver{lobby}"
    for address in ("/", lobby):
        assert '<html lang="de" data-theme="dark"' in page(visitor, address)
        assert '<html lang="en" data-theme="system"' in page(address=address), "nobody else sees it so"


def test_members_keep_in_their_account_what_they_choose(people: list[User]) -> None:
    client_of(people[0]).post(reverse("settings_display"), {"language": "it", "theme": "light"})
    assert '<html lang="it" data-theme="light"' in page(client_of(people[0])), "in another browser"


def test_an_account_that_leaves_the_theme_open_is_shown_the_one_of_its_browser(people: list[User]) -> None:
    member = client_of(people[0])
    member.cookies.load({"tessera_theme": "dark"})
    assert 'data-theme="dark"' in page(member)
    member.post(reverse("settings_profile"), {"time_zone": "UTC", "language": "", "theme": "system"})
    assert 'data-theme="system"' in page(member), "what the settings say counts"


@pytest.mark.parametrize("chosen", [{}, {"theme": "pink"}, {"language": "xx"}, {"guest": "1", "is_staff": "1"}])
def test_what_cannot_be_chosen_changes_nothing(people: list[User], chosen: dict[str, str]) -> None:
    member = client_of(people[0])
    before = User.objects.filter(pk=people[0].pk).values().get()
    answer = member.post(reverse("settings_display"), chosen, headers={"Referer": "https://evil.example/"})
    assert answer["Location"] == "/"
    assert not {"tessera_theme", "tessera_language"} & set(answer.cookies)
    assert User.objects.filter(pk=people[0].pk).values().get() == before


# --- what visitors see of a match, a puzzle, a profile --------------------------------------------------------------


def test_a_visitor_with_a_link_is_told_what_it_leads_to_and_offered_to_play(people: list[User]) -> None:
    running, over = running_match(people), play_out(running_match(people))
    of_matches = [running.get_absolute_url(), over.get_absolute_url(), reverse("replay", args=[over.slug])]
    for address in (*of_matches, "/puzzles/"):
        text = page(address=address)
        if address == "/puzzles/":
            text = page(address=re.search(r'href="(/puzzles/shifting-stones/[^"]+)"', text)[1])  # type: ignore[index]
        welcome = text[text.index('id="welcome"') : text.index("</aside>", text.index('id="welcome"'))]
        assert "Shift and flip nine stones" in welcome
        assert f'action="{reverse("play_now")}"' in welcome
        assert 'id="welcome"' not in page(client_of(people[0]), address)
    assert "Ann plays board games on Tessera" in page(address="/@Ann/").replace("\u2068", "").replace("\u2069", "")


def test_a_table_speaks_for_itself(people: list[User]) -> None:
    table = open_table([people[0]], seats=2)
    assert 'id="welcome"' not in page(address=table.get_absolute_url())


# --- counts and games -----------------------------------------------------------------------------------------------


def test_the_counts_are_those_of_the_lobby_and_nothing_is_counted_that_is_not_there(people: list[User]) -> None:
    assert 'id="now"' not in page()
    forget_lobby()
    open_table([people[0]], seats=2, visibility=PUBLIC)
    open_table([people[0]], seats=2, visibility=Match.Visibility.PRIVATE)
    assert "to watch" not in page()
    forget_lobby()
    running_match(people, visibility=PUBLIC)
    running_match(people, visibility=Match.Visibility.PRIVATE)
    text = page()
    assert "<strong>1</strong> open table<" in text
    assert "<strong>1</strong> match to watch<" in text


def test_all_tables_of_the_lobby_are_counted_not_those_of_its_first_page() -> None:
    for _ in range(PAGE + 2):
        open_table([person()], seats=2, visibility=PUBLIC)
    assert f"<strong>{PAGE + 2}</strong> open tables<" in page()


def test_of_one_host_as_many_tables_are_counted_as_the_lobby_lists(people: list[User]) -> None:
    for _ in range(HOST_SHARE + 1):
        open_table([people[0]], seats=2, visibility=PUBLIC)
    open_table([people[1]], seats=2, visibility=PUBLIC)
    assert f"<strong>{HOST_SHARE + 1}</strong> open tables<" in page()


def test_every_game_can_be_played_and_learned() -> None:
    text = page()
    for slug in games():
        card = text[text.index(f'id="game-{slug}"') :]
        card = card[: card.index("</li>")]
        assert card.count(f'<input type="hidden" name="game" value="{slug}">') == 2
        for way in (reverse("play_now"), reverse("pairing"), reverse("learn_game", args=[slug])):
            assert f'="{way}"' in card
        assert card.count("button primary") == 1
        assert "game-art art-card" in card


def test_someone_to_play_is_looked_for_at_one_press_of_a_visitor() -> None:
    visitor = Client()
    card = page(visitor).partition('id="game-small-islands"')[2].partition("</li>")[0]
    form = card[card.index(f'action="{reverse("pairing")}"') :]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    answer = visitor.post(reverse("pairing"), fields)
    assert answer["Location"] == reverse("pairing")
    assert Wait.objects.get().user.guest


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


def test_a_guest_sees_the_match_that_waits_then_the_games_then_how_to_keep_them(people: list[User]) -> None:
    client = Client()
    client.post(reverse("guest"))
    match = running_match([User.objects.get(guest=True), people[0]])
    shown = page(client)
    places = [shown.index(part) for part in (match.get_absolute_url(), 'aria-label="Games"', 'id="as-guest"')]
    assert places == sorted(places)


def test_a_member_without_matches_is_led_to_the_first(people: list[User]) -> None:
    open_table([people[1]], seats=2, visibility=PUBLIC)
    text = page(client_of(people[0]))
    assert "Your first match is one click away" in text
    assert 'id="game-shifting-stones"' in text
    assert "1 of 2 seats taken" in text


def test_a_member_whose_matches_are_over_is_greeted(people: list[User]) -> None:
    resigned(people)
    assert "Good to see you, Ann" in page(client_of(people[0])).replace("\u2068", "").replace("\u2069", "")


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
