"""Leaderboards: ranked players in order, on pages, with the best solo results beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.play.models import Seat, Speed
from games.ratings import services
from games.ratings.leaderboards import PER_PAGE, Season, best_alone, pool_of, season_at, solo_titles
from games.ratings.models import Rating, RatingChange
from games.titles import games
from tests.people import client_of, open_table, person, play_out, running_match
from tests.site.ratings.finishing import finished, resigned

pytestmark = pytest.mark.django_db

POOL = "/leaderboard/shifting-stones/live/"


def _rate(user: User, points: int, games: int = 10, speed: str = Speed.LIVE) -> User:
    Rating.objects.create(
        user=user, game="shifting-stones", speed=speed, rating=1000 * points, games=games, opponents=3
    )
    return user


def _people(number: int) -> list[User]:
    users = [User(username=f"p{index}", name_key=f"p{index}", skeleton=f"p{index}") for index in range(number)]
    return User.objects.bulk_create(users)


def _names(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a class="who" href="/@([^/]+)/">', page)


def _page(client: Client, query: str = "") -> str:
    response = client.get(POOL + query)
    assert response.status_code == 200
    return response.content.decode()


def test_the_best_stand_first_and_equals_in_the_order_of_registration(client: Client) -> None:
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    for user, points in ((cid, 1500), (bob, 1500), (ann, 1700)):
        _rate(user, points)
    assert _names(_page(client)) == ["ann", "bob", "cid"]


def test_who_is_still_being_placed_stands_apart_with_a_question_mark(client: Client) -> None:
    _rate(person("new"), 1900, games=9)
    _rate(person("placed"), 1400)
    page = _page(client)
    assert _names(page) == ["placed", "new"]
    assert "1900?" in page.split("Without a place yet")[1]


def test_pools_do_not_mix(client: Client) -> None:
    _rate(person("slow"), 1900, speed=Speed.DAYS)
    assert _names(_page(client)) == []
    assert _names(client.get("/leaderboard/shifting-stones/days/").content.decode()) == ["slow"]


def test_who_was_deactivated_is_not_listed(client: Client) -> None:
    _rate(person("gone", is_active=False), 1900)
    assert _names(_page(client)) == []


def test_pages_hold_everybody_once_and_bad_numbers_lead_to_the_nearest_page(client: Client) -> None:
    users = _people(PER_PAGE + 10)
    Rating.objects.bulk_create(
        Rating(user=user, game="shifting-stones", speed="live", rating=1_500_000, games=10, opponents=3)
        for user in users
    )
    first, second = _names(_page(client)), _names(_page(client, "?page=2"))
    assert first + second == [user.username for user in users]
    assert _names(_page(client, "?page=99")) == second
    for query in ("?page=0", "?page=-3", "?page=none", "?page=1.5"):
        assert _names(_page(client, query)) in (first, second)


def test_ones_own_row_is_marked_and_can_be_found_from_every_page() -> None:
    users = _people(PER_PAGE + 3)
    Rating.objects.bulk_create(
        Rating(user=user, game="shifting-stones", speed="live", rating=1_500_000, games=10, opponents=3)
        for user in users
    )
    me = client_of(users[-1])
    assert f"You are number {PER_PAGE + 3} with 1500 points." in _page(me)
    assert 'href="?page=2#me"' in _page(me)
    assert _page(me, "?page=2").count('class="own" id="me"') == 1


def test_the_overview_has_every_pool_and_the_table_of_matches_alone(client: Client) -> None:
    _rate(person("ann"), 1700)
    page = client.get("/leaderboard/").content.decode()
    assert "Shifting Stones · Live" in page
    assert "Shifting Stones: best solo results" in page
    empty = page[page.index("In these leaderboards nobody has a place yet:") :].partition("</ul>")[0]
    rows = [re.sub(r"<[^>]+>", "", row).strip() for row in empty.split("<li>")[1:]]
    assert "Shifting Stones: Shifting Stones, Over days" in rows
    assert len(rows) == len(games()), "each game is a row, with the speeds that are empty"


@pytest.mark.parametrize("path", ["nosuchgame/live", "shifting-stones/fast", "shifting-stones/LIVE"])
def test_a_pool_that_does_not_exist_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/leaderboard/{path}/").status_code == 404


def test_the_table_alone_shows_each_persons_best_in_the_words_of_the_game(client: Client) -> None:
    ann, bob = person("ann"), person("bob")
    for user, seeds in ((ann, (0, 1, 2)), (bob, (3,))):
        for seed in seeds:
            play_out(running_match([user], seed=bytes([seed] * 32)))
    title = next(title for title in solo_titles() if title.slug == "shifting-stones")
    assert best_alone(title)[title.slug] == [], "a defeat is no best result"
    Seat.objects.filter(match__seat_count=1).update(place=1)
    lines = best_alone(title)[title.slug]
    assert {line.best.user for line in lines} == {ann, bob}
    assert lines == sorted(lines, key=lambda line: -line.best.rank)
    assert all(line.text for line in lines)
    page = client.get("/leaderboard/").content.decode()
    assert all(line.text in page for line in lines)


def test_the_standing_counts_those_who_are_better() -> None:
    users = _people(5)
    for user, points in zip(users, (1500, 1600, 1500, 1400, 1500), strict=True):
        _rate(user, points)
    pool = pool_of("shifting-stones", "live")
    assert pool is not None
    assert [getattr(pool.placing_of(user), "place", None) for user in users] == [2, 1, 3, 5, 4]
    assert pool.placing_of(person()) is None


# --- this season ------------------------------------------------------------------------------------------------------

SEASON = f"{POOL}season/"
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def autumn() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def _change(user: User, points: int, at: datetime = NOW, speed: str = Speed.LIVE) -> None:
    """Store that a match changed somebody's rating."""
    match = open_table([user], speed=speed)
    change = {"seat": 0, "games_before": 12, "place": 1, "game": match.game, "speed": speed, "at": at}
    RatingChange.objects.create(match=match, user=user, before=1_500_000, after=1_500_000 + 1000 * points, **change)


def _season(client: Client) -> list[tuple[str, str, str]]:
    page = client.get(SEASON).content.decode()
    return re.findall(
        r'<a class="who" href="/@([^/]+)/">.*?gain">([^<]+)</td>.*?<td class="number">(\d+)</td>\s*</tr>',
        page,
        re.DOTALL,
    )


@pytest.mark.usefixtures("autumn")
def test_a_season_lists_people_by_what_they_won_in_it(client: Client) -> None:
    ann, bob, cid = (_rate(person(name), points) for name, points in (("ann", 1400), ("bob", 1900), ("cid", 1600)))
    for user, points in ((ann, 30), (ann, 12), (bob, 20), (bob, -25), (cid, 8)):
        _change(user, points)
    assert _season(client) == [("ann", "+42", "2"), ("cid", "+8", "1"), ("bob", "−5", "2")]


@pytest.mark.usefixtures("autumn")
def test_a_season_counts_its_own_quarter_and_pool_only(client: Client) -> None:
    ann = _rate(person("ann"), 1600)
    begin = datetime(2026, 10, 1, tzinfo=UTC)
    _change(ann, 5, at=begin)
    _change(ann, 100, at=begin - timedelta(microseconds=1))
    _change(ann, 300, speed=Speed.DAYS)
    _rate(person("idle"), 1800)
    assert _season(client) == [("ann", "+5", "1")]


@pytest.mark.usefixtures("autumn")
@pytest.mark.parametrize("unlisted", [{"opponents": 2}, {"games": 9}, {"updated": NOW - timedelta(days=91)}])
def test_a_season_lists_only_whom_the_leaderboard_lists(client: Client, unlisted: dict[str, Any]) -> None:
    _change(_rate(person("ann"), 1600), 5)
    assert len(_season(client)) == 1
    Rating.objects.update(**unlisted)
    assert _season(client) == []
    assert "has played a rated match this season yet" in client.get(SEASON).content.decode()


@pytest.mark.usefixtures("autumn")
def test_a_season_says_what_it_is_and_where_the_reader_stands() -> None:
    users = [_rate(user, 1500) for user in _people(3)]
    for user, points in zip(users, (10, 20, 10), strict=True):
        _change(user, points)
    page = client_of(users[2]).get(SEASON).content.decode()
    assert "You are number 3. Points won: +10." in page
    assert 'class="own" id="me"' in page
    about = re.sub(r"<[^>]+>", "", page[page.index('id="season"') :])
    assert "three months, this one from 1 Oct 2026 to 31 Dec 2026" in about


@pytest.mark.parametrize(
    ("moment", "year", "quarter"),
    [
        (datetime(2026, 1, 1, tzinfo=UTC), 2026, 1),
        (datetime(2026, 3, 31, 23, 59, 59, tzinfo=UTC), 2026, 1),
        (datetime(2026, 4, 1, 1, tzinfo=timezone.get_fixed_timezone(120)), 2026, 1),
        (datetime(2028, 2, 29, tzinfo=UTC), 2028, 1),
        (datetime(2026, 12, 31, 23, tzinfo=timezone.get_fixed_timezone(-120)), 2027, 1),
    ],
)
def test_every_moment_is_in_one_season(moment: datetime, year: int, quarter: int) -> None:
    season = season_at(moment)
    assert season == Season(year, quarter)
    assert season.begin <= moment < season.end


def test_seasons_follow_one_another_without_a_gap() -> None:
    season = Season(2026, 1)
    for _ in range(8):
        assert season.end == season.following.begin
        season = season.following
    assert season == Season(2028, 1)


def test_the_overview_shows_ones_own_place_below_the_best() -> None:
    users = _people(7)
    for number, user in enumerate(users):
        _rate(user, 1700 - number)
    page = client_of(users[6]).get("/leaderboard/").content.decode()
    assert _names(page) == ["p0", "p1", "p2", "p3", "p4", "p6"]
    assert re.search(r'class="own further">\s*<td class="number">7</td>', page)
    assert "own further" not in client_of(users[4]).get("/leaderboard/").content.decode()


def test_a_question_mark_is_explained_where_it_is_shown(client: Client) -> None:
    _rate(person("new"), 1900, games=9)
    page = _page(client)
    assert re.search(r'popovertarget="provisional">1900\?', page)
    assert page.count('id="provisional"') == 1


# --- who is listed ----------------------------------------------------------------------------------------------------


def _left_out(user: User) -> bool:
    return 'id="left-out"' in client_of(user).get(POOL).content.decode()


@pytest.mark.parametrize("games", [9, 10])
def test_whoever_has_met_fewer_than_three_opponents_is_not_listed_and_is_told(client: Client, games: int) -> None:
    farmer = _rate(person("farmer"), 1900, games=games)
    Rating.objects.update(opponents=2)
    assert _names(_page(client)) == []
    assert _left_out(farmer)
    assert not _left_out(person())


def test_the_number_of_opponents_is_a_setting(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LEADERBOARD_OPPONENTS", 4)
    _rate(person("ann"), 1900)
    assert _names(_page(client)) == []


def test_whoever_has_not_played_for_90_days_is_not_listed_until_they_do(client: Client) -> None:
    ann = _rate(person("ann"), 1900)
    Rating.objects.update(updated=timezone.now() - timedelta(days=90, seconds=1))
    assert _names(_page(client)) == []
    assert _left_out(ann)
    Rating.objects.update(updated=timezone.now() - timedelta(days=89))
    assert _names(_page(client)) == ["ann"]


def test_opponents_count_who_have_met_others_too_as_soon_as_they_have() -> None:
    """Accounts that play with one person alone list nobody, however many there are."""
    ann, bob, cid, dan, eve = (person() for _ in range(5))

    def counted() -> tuple[int, int]:
        rating = Rating.objects.get(user=ann)
        return rating.met, rating.opponents

    found = []
    for people in ([ann, bob], [ann, bob], [ann, cid], [cid, dan], [ann, eve], [bob, eve], [ann, dan]):
        finished(people)
        found.append(counted())
    assert found == [(1, 0), (1, 0), (2, 0), (2, 1), (3, 1), (3, 3), (3, 3)]
    services.recompute()
    assert counted() == (4, 4)


def test_twenty_accounts_that_play_with_nobody_else_list_nobody(client: Client) -> None:
    """Each of them loses five rated matches: first on the leaderboard, as it was."""
    star, others = person("star"), [person() for _ in range(4)]
    for _round in range(3):
        for other in others:
            resigned([star, other])
    assert Rating.objects.get(user=star).games == 12
    assert _names(_page(client)) == []
    assert _left_out(star)
    for other in others[:3]:
        finished([other, person()])
    assert _names(_page(client))[0] == "star"


def test_recomputing_counts_opponents_and_days_too() -> None:
    ann, bob, cid = person(), person(), person()
    finished([ann, bob])
    finished([bob, cid])
    last = finished([ann, cid])
    Rating.objects.update(opponents=0, updated=timezone.now() - timedelta(days=400))
    services.recompute()
    assert Rating.objects.get(user=ann).opponents == 2
    assert Rating.objects.get(user=ann).updated == last.ended_at
