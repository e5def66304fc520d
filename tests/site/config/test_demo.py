"""`manage.py demo` makes a site that has been played on for a while, by people who keep to its limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from accounts.models import User
from config.management.commands.demo import EARLY, PEOPLE, UNREAD
from games.clubs.models import Club
from games.engine.contract.playouts import Chooser, option_combinations
from games.engine.insight import choose
from games.engine.protocol import AnyGame, Options
from games.engine.runner import act, begin
from games.events.models import Event
from games.history import replay
from games.matchmaking.limits import no_show_wait_in_words
from games.matchmaking.tables import TableSetup, open_table
from games.notifications.channels.mail import UNREACHABLE
from games.notifications.models import Notice
from games.play import timekeeping
from games.play.models import Match, Seat
from games.play.records import standing_actions
from games.ratings import services
from games.ratings.models import Rating, RatingChange, SoloBest
from games.titles import games, titles
from tests.people import person
from tests.site.notifications.letters import delivered

NAMES = [somebody.name for somebody in PEOPLE]


def fill() -> str:
    """Make a demo of a few days; return the password of its people."""
    said = StringIO()
    call_command("demo", days=4, stdout=said)
    assert all(name in said.getvalue() for name in NAMES)
    return said.getvalue().split()[-1]


@pytest.mark.django_db
def test_a_site_with_some_history(client: Client, tmp_path: Path, django_assert_max_num_queries: Any) -> None:
    password = fill()
    _check_kinds()
    _check_times()
    _check_truth(client, tmp_path)
    _check_club(client)
    _check_events(client)
    _check_limits()
    _check_notices()
    _check_pages(client, password)
    _check_queries(Client(), VISITED, django_assert_max_num_queries)
    _check_queries(client, OF_MEMBERS, django_assert_max_num_queries)


def two_players() -> Iterator[tuple[AnyGame, Options]]:
    """Return every game for two, with each of the options that the demo chooses from."""
    for game in games().values():
        yield from ((game, options) for options in (option_combinations(game, 2) if 2 in game.seats else ()))


@pytest.mark.parametrize("number", range(10))
def test_no_match_is_over_before_it_is_to_end_early(number: int) -> None:
    seed = bytes([*bytes(31), number])
    for game, options in two_players():
        chooser, play = Chooser(seed), begin(game, 2, options, seed)
        while play.number < max(EARLY):
            assert play.outcome is None, options
            seat = chooser.pick(sorted(play.to_move))
            action = choose(game, titles()[game.slug].insight.policy, play.state, seat, seed)
            play = act(game, play.position, seat, action, seed)
        assert play.outcome is None, options


def _check_kinds() -> None:
    kinds = Counter(Match.objects.values_list("game", "status"))
    for slug, title in titles().items():
        assert kinds[slug, "open"] >= 2
        assert kinds[slug, "running"] >= 12 // len(titles())
        assert kinds[slug, "over"] >= 1
        assert (1 in title.game.seats) == SoloBest.objects.filter(game=slug).exists()
    assert Match.objects.filter(status="open", visibility="private", invitations__user__username=NAMES[0]).exists()
    reasons = set(Match.objects.values_list("reason", flat=True))
    assert {"resign", "timeout", "agreed", "no-show"} <= reasons
    assert not Match.objects.filter(rated=True, clock="").exists()
    assert not Match.objects.filter(status="running").exclude(speed="days").exists()
    for name in NAMES[:4]:
        assert Match.objects.waiting_for(User.objects.get(username=name)).count() >= len(titles()), name


def _check_times() -> None:
    now = timezone.now()
    for match in Match.objects.exclude(started_at=None):
        acted = list(standing_actions(match).values_list("at", flat=True))
        times = [match.created_at, match.started_at, *acted, match.moved_at, match.ended_at or now, now]
        assert all(before <= after for before, after in pairwise(times)), match
    days = set(Match.objects.filter(status="over").values_list("ended_at__date", flat=True))
    assert len(days) >= 3
    assert User.objects.filter(date_joined__gt=now - timedelta(days=40)).count() == 0
    assert not Seat.objects.filter(deadline__lt=now + timedelta(hours=8)).exists()


def _check_truth(client: Client, folder: Path) -> None:
    for match in Match.objects.exclude(status="open"):
        assert replay.first_difference(match) is None, match
    assert services.first_difference() is None
    ends = list(RatingChange.objects.order_by("pk").values_list("match__ended_at", "at"))
    assert ends == sorted(ends)
    assert all(end == at for end, at in ends)
    for slug in titles():
        for match in Match.objects.filter(game=slug, status="over")[:3]:
            file = folder / f"{match.slug}.json"
            file.write_bytes(client.get(f"/match/{match.slug}/record.json").content)
            call_command("verify_record", file, stdout=StringIO())


def _check_club(client: Client) -> None:
    club = Club.objects.get()
    assert Counter(club.members.values_list("role", flat=True)) == {"owner": 1, "helper": 1, "member": 3}
    assert club.requests.filter(declined_at=None).count() == 1
    assert club.room.messages.count() == 3
    assert club.name in client.get("/clubs/").content.decode()
    assert NAMES[0] in client.get(club.get_absolute_url()).content.decode()


def _check_events(client: Client) -> None:
    ladders = Event.objects.filter(format="ladder", state="running")
    assert set(ladders.values_list("game", flat=True)) == set(titles())
    leagues = Event.objects.filter(format="league", state="open")
    assert {event.game for event in leagues if event.entries.count() >= 4} == set(titles())
    for event in ladders:
        people = set(event.entries.values_list("user__username", flat=True))
        assert event.heats.count() >= 2
        assert 'id="standings"' in (page := client.get(event.get_absolute_url()).content.decode())
        assert len(people) == 4
        assert all(name in page for name in people)
    over, runs = Club.objects.get().events.order_by("starts_at")
    assert (over.format, over.state, runs.format, runs.state) == ("swiss", "over", "swiss", "running")
    assert 'id="podium"' in client.get(over.get_absolute_url()).content.decode()
    assert runs.heats.filter(over_at=None).exists()
    assert client.get(f"{over.get_absolute_url()}picture.png").status_code == 200
    assert 'id="standings"' in client.get(runs.get_absolute_url()).content.decode()
    listed = client.get("/events/").content.decode()
    assert all(event.get_absolute_url() in listed for event in (*ladders, *leagues))


def _check_limits() -> None:
    for user in User.objects.all():
        assert no_show_wait_in_words(user) == ""
        assert Match.objects.filter(status="open", host=user).count() <= 3
        open_table(user, TableSetup("shifting-stones", 2))


def _check_notices() -> None:
    for user in User.objects.all():
        assert Notice.objects.filter(user=user, seen_at=None, created_at__lte=timezone.now()).count() <= UNREAD
    assert {address.rpartition(".")[2] for address in User.objects.values_list("email", flat=True)} == {UNREACHABLE}
    assert delivered() == []


def _check_pages(client: Client, password: str) -> None:
    for address in ("/lobby/", "/archive/", f"/@{NAMES[0]}/"):
        assert NAMES[0] in client.get(address).content.decode(), address
    for row in Rating.objects.filter(opponents__gte=settings.LEADERBOARD_OPPONENTS).select_related("user"):
        assert row.user.username in client.get(f"/leaderboard/{row.game}/{row.speed}/").content.decode(), row
    client.post("/account/login/", {"login": "bruno", "password": password})
    assert b"Bruno" in client.get("/settings/profile/").content
    for address in ("/matches/", "/notices/", "/lobby/"):
        assert b"Small Islands" in client.get(address).content, address


VISITED = {"/": 0, "/lobby/": 7, "/archive/": 1, "/leaderboard/": 2, "/@Ann/": 7}
OF_MEMBERS = {"/": 11, "/lobby/": 18, "/matches/": 6, "/people/": 6, "/archive/": 4, "/leaderboard/": 6}
OF_MEMBERS |= {"/@Ann/": 11, "/notices/": 12, "/lobby/?joinable=yes": 23}
"""How many queries a page may take: of members three are about themselves, on every page.

Three fewer are enough for a lobby whose running matches were loaded a moment ago, and one fewer for leaderboards if
the reader is among the best of every pool.
"""


def _check_queries(client: Client, most: Mapping[str, int], at_most: Any) -> None:
    """Count what a page takes when others have just looked at it, too."""
    for address, number in most.items():
        client.get(address)
        with at_most(number, info=address):
            client.get(address)


@pytest.mark.django_db
def test_a_site_that_runs_is_left_alone() -> None:
    timekeeping.Watching().run_due(timezone.now())
    with pytest.raises(CommandError, match=r"The site is running\. Stop it"):
        fill()
    assert not User.objects.exists()


@pytest.mark.django_db
def test_it_does_not_run_twice() -> None:
    person(NAMES[3])
    with pytest.raises(CommandError, match="there already"):
        call_command("demo")
    assert User.objects.count() == 1
