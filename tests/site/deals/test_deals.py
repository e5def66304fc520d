"""Deals of the day: the same for everybody, one try each, secret before it, and their places afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.relations import accept_request, request_friendship
from games.deals import services
from games.deals.jobs import Deals
from games.deals.kinds import kinds
from games.deals.models import Deal, Try
from games.engine.record import checks_of, read, verify
from games.history.replay import first_difference
from games.moderation.people import suspend
from games.play import commands
from games.play.models import Match, Seat
from games.play.reducer.positions import decode_state
from games.titles import titles
from tests.people import client_of, person, play_out
from tests.site.api.programs import token_of

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 23)
GAMES = ("card-chess", "shifting-stones", "small-islands")
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    with time_machine.travel(NOON, tick=False) as moved:
        yield moved


def address(game: str, day: date = TODAY) -> str:
    return reverse("deal", args=[game, day.isoformat()])


def played(user: User, game: str = "shifting-stones") -> Match:
    """Return somebody's finished try."""
    match = play_out(services.begin(user, game))
    match.refresh_from_db()
    return match


def shown(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def test_everybody_gets_the_same_deal_each_day_another() -> None:
    ann, bob = person("ann"), person("bob")
    for game in GAMES:
        one, other = services.begin(ann, game), services.begin(bob, game)
        assert one.pk != other.pk
        assert decode_state(one) == decode_state(other), game
        assert one.commit == other.commit == Deal.objects.get(game=game).commit
        assert not one.rated
        assert one.visibility == Match.Visibility.PRIVATE
        assert [seat.user_id for seat in one.seats.all()].index(ann.pk) == [
            seat.user_id for seat in other.seats.all()
        ].index(bob.pk)
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        assert decode_state(services.begin(ann, "shifting-stones")) != decode_state(
            Match.objects.get(deal_try__user=ann, game="shifting-stones", deal_try__deal__day=TODAY)
        )


def test_the_first_try_counts() -> None:
    ann = person("ann")
    first = played(ann)
    assert services.begin(ann, "shifting-stones") == first
    assert client_of(ann).post(address("shifting-stones")).headers["Location"] == first.get_absolute_url()
    assert Try.objects.filter(user=ann).count() == 1


def test_a_visitor_sees_the_deal_within_one_tap() -> None:
    for page in ("/", "/deals/"):
        visitor = Client()
        text = shown(visitor, page)
        assert f'action="{address("shifting-stones")}"' in text
        begun = visitor.post(address("shifting-stones"), follow=True)
        assert begun.status_code == 200
        match = Match.objects.get(slug=begun.redirect_chain[-1][0].strip("/").split("/")[-1])
        assert match.is_running
        assert Seat.objects.get(match=match).is_guest


def of_a_match(match: Match) -> list[str]:
    """Return the addresses that tell of a match."""
    names = ("match", "replay", "record", "draws", "match_log")
    return [reverse(name, args=[match.slug]) for name in names]


def test_nothing_tells_a_deal_before_ones_own_try() -> None:
    ann, bob, cleo = person("ann"), person("bob"), person("cleo")
    running, over = services.begin(bob, "shifting-stones"), played(cleo)
    seed = bytes(over.server_seed).hex()
    assert seed in client_of(cleo).get(reverse("record", args=[over.slug])).content.decode()
    assert {path: client_of(cleo).get(path).status_code for path in of_a_match(over)} == dict.fromkeys(
        of_a_match(over), 200
    )
    for reader in (client_of(ann), Client()):
        for match in (running, over):
            paths = [*of_a_match(match), reverse("match_picture", args=[match.slug])]
            assert {path: reader.get(path).status_code for path in paths} == dict.fromkeys(paths, 404)
            for asker, status in ((ann, 404), (match.host, 200)):
                headers = {"Authorization": f"Bearer {token_of(asker)}"}  # type: ignore[arg-type]  # nobody has left
                assert reader.get(f"/api/v1/matches/{match.slug}", headers=headers).status_code == status
        pages = [reverse(name) for name in ("home", "deals", "archive", "lobby", "leaderboard")]
        pages += [reverse("profile", args=[name]) for name in ("bob", "cleo")]
        for page in [*pages, address("shifting-stones")]:
            text = shown(reader, page)
            for secret in (seed, running.slug, over.slug):
                assert secret not in text, page
    own = shown(client_of(bob), address("shifting-stones"))  # who is playing knows no more
    assert seed not in own
    assert over.slug not in own
    assert client_of(bob).get(reverse("replay", args=[over.slug])).status_code == 404


def test_who_has_finished_sees_their_place_and_the_replay_of_the_best() -> None:
    ann, bob, cleo = person("ann"), person("bob"), person("cleo")
    for one, other in ((ann, bob),):
        request_friendship(one, other)
        accept_request(other, one)
    matches = {each.username: played(each) for each in (ann, bob, cleo)}
    deal = Deal.objects.get(game="shifting-stones")
    for name, points in (("ann", 5), ("bob", 9), ("cleo", 5)):
        Try.objects.filter(user__username=name).update(points=points)
    found = services.results(deal, ann)
    assert [(line.place, line.tried.user.username) for line in found.best] == [(1, "bob"), (2, "ann"), (2, "cleo")]
    assert [line.tried.user.username for line in found.friends] == ["bob", "ann"]
    assert found.mine is not None
    assert (found.mine.place, found.placed, found.tried) == (2, 3, 3)
    reader = client_of(ann)
    text = shown(reader, address("shifting-stones"))
    assert "Your place: 2 of 3." in text
    assert bytes(deal.seed).hex() in text
    shown(reader, f"{matches['bob'].get_absolute_url()}replay/")
    share = services.text_to_share(deal, found, "https://example.org/deals/")
    assert share.splitlines() == [
        "Tessera deal of the day, 23 Nov 2026",
        "Shifting Stones: place 2 of 3",
        "https://example.org/deals/",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_try_can_be_verified_like_every_match(game: str) -> None:
    ann = person("ann")
    match = played(ann, game)
    assert first_difference(match) is None
    tried = Try.objects.get(user=ann)
    assert tried.points is not None
    reader = client_of(ann)
    record = read(reader.get(reverse("record", args=[match.slug])).content)
    verify(record, titles()[game].game)
    assert checks_of(record)
    assert record.commit == tried.deal.commit
    line = services.results(tried.deal, ann).mine
    assert line is not None
    assert line.result
    page = shown(reader, match.get_absolute_url())
    assert f'href="{address(game)}"' in page
    assert "no browser added a random number" in page


def test_help_leaving_and_lateness_cost_the_place(clock: Any) -> None:
    helped, left, late = person(), person(), person()
    match = services.begin(helped, "card-chess")
    Match.objects.filter(pk=match.pk).update(hints=True)
    play_out(match)
    match = services.begin(left, "shifting-stones")
    commands.resign(match.pk, 0, "leaves-now")
    match = services.begin(late, "shifting-stones")
    clock.move_to(datetime(2026, 11, 24, 1, tzinfo=UTC))
    play_out(match)
    for user in (helped, left, late):
        assert Try.objects.get(user=user).points is None
    assert "You have no place" in shown(client_of(left), address("shifting-stones"))


def test_the_job_makes_deals_a_day_ahead_and_opens_those_that_are_over(clock: Any) -> None:
    Deals().run_due(NOON)
    assert set(Deal.objects.values_list("game", "day")) == {
        (game, day) for game in kinds() for day in (TODAY, TODAY + timedelta(days=1))
    }
    match = played(person())
    assert match.commit == Deal.objects.get(game="shifting-stones", day=TODAY).commit
    tomorrow = Deal.objects.get(game="card-chess", day=TODAY + timedelta(days=1))
    text = shown(Client(), reverse("deals"))
    assert tomorrow.commit in text
    assert bytes(tomorrow.seed).hex() not in text
    assert Client().get(address("card-chess", tomorrow.day)).status_code == 404
    clock.move_to(datetime(2026, 11, 24, 0, 59, tzinfo=UTC))
    Deals().run_due(datetime.now(UTC))
    assert Client().get(match.get_absolute_url()).status_code == 404
    clock.move_to(datetime(2026, 11, 24, 1, tzinfo=UTC))
    Deals().run_due(datetime.now(UTC))
    assert Client().get(f"{match.get_absolute_url()}replay/").status_code == 200
    text = shown(Client(), address("shifting-stones"))
    assert bytes(match.server_seed).hex() in text
    assert match.slug in text


def test_earlier_deals_cannot_be_begun(clock: Any) -> None:
    played(person())
    clock.move_to(NOON + timedelta(days=1))
    answer = client_of(person()).post(address("shifting-stones"))
    assert answer.status_code == 422
    assert "The day of this deal is over." in answer.content.decode()
    assert client_of(person()).post(address("small-islands")).status_code == 404
    for wrong in ("/deals/chess/2026-11-24/", "/deals/card-chess/today/", "/deals/card-chess/1999-01-01/"):
        assert Client().get(wrong).status_code == 404


def test_bots_and_suspended_people_do_not_play_deals() -> None:
    suspended = person()
    suspend(None, suspended, None, "Because")
    for user, status in ((person(bot_since=NOON), 422), (suspended, 403)):
        assert client_of(user).post(address("shifting-stones")).status_code == status
        assert not Try.objects.filter(user=user).exists()
