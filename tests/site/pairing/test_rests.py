"""Offers that are not taken up: who does so rests, and meets the same people no more that day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.matchmaking.limits import pair_of
from games.pairing import search, services
from games.pairing.jobs import Absences, OldWaits
from games.pairing.models import Lapse, Wait
from games.pairing.services import decline, go, withdraw
from games.play.models import Match
from games.play.signals import pages_open
from tests.people import client_of, person, play_out
from tests.site.pairing.waits import GAME, all_go, waiting, work

pytestmark = pytest.mark.django_db

FORM = {"game": GAME, "seats": ["2"], "speed": "live"}
SECOND = timedelta(seconds=1)

Clock = Callable[[int], None]


@pytest.fixture
def later() -> Iterator[Clock]:
    """Let so many seconds pass, in which every page of those who wait stays open."""
    with time_machine.travel(timezone.now(), tick=False) as traveller:

        def shift(seconds: int) -> None:
            traveller.shift(seconds)
            pages_open.send(Match, people=set(Wait.objects.current().values_list("user", flat=True)))

        yield shift


def ask(client: Client, address: str = "192.0.2.1") -> str:
    """Look for players as a page does; return the page that follows."""
    return client.post("/pairing/", FORM, follow=True, REMOTE_ADDR=address).content.decode()


def wait_of(user: User) -> Wait:
    return Wait.objects.filter(user=user).latest("pk")


def offers_in_three_minutes(honest: User, somebody: Callable[[], Any], later: Clock) -> int:
    """Return how many offers somebody who always answers got, while another lets all of them pass and asks anew."""
    slugs: set[str] = set()
    for _moment in range(30):
        somebody()
        work()
        wait = Wait.objects.select_related("offer").filter(user=honest).latest("pk")
        if wait.offer is not None and wait.offer.slug not in slugs:
            slugs.add(wait.offer.slug)
            go(honest, wait.pk, wait.offer.pk)
        later(6)
    return len(slugs)


@pytest.mark.parametrize("kind", ["account", "guest", "a new guest each time", "leaves at once", "declines"])
def test_an_honest_person_is_asked_in_vain_once(kind: str, later: Clock) -> None:
    honest, mallory = person(), client_of(person()) if kind != "guest" else Client()
    waiting(honest)

    def somebody() -> None:
        asked = Wait.objects.current().exclude(user=honest).exclude(offer=None).first()
        if kind == "a new guest each time":
            if not Wait.objects.current().exclude(user=honest).filter(offer=None).exists():
                ask(Client(), "192.0.2.66")
            return
        if asked and kind == "leaves at once":
            mallory.post(f"/pairing/{asked.pk}/stop/")
        if asked and kind == "declines":
            mallory.post(f"/pairing/{asked.pk}/decline/", {"offer": asked.offer_id})
        if not Wait.objects.current().exclude(user=honest).exists():
            ask(mallory)

    allowed = 2 if kind in {"leaves at once", "declines"} else 1
    assert offers_in_three_minutes(honest, somebody, later) == allowed


def test_without_rests_the_same_person_is_asked_in_vain_again_and_again(
    monkeypatch: pytest.MonkeyPatch, later: Clock
) -> None:
    """The check above fails as soon as nothing is noted: six offers in three minutes, as it was."""
    monkeypatch.setattr(services, "record_lapse", lambda *_args, **_fields: None)
    honest, mallory = person(), client_of(person())
    waiting(honest)

    def somebody() -> None:
        if not Wait.objects.current().exclude(user=honest).exists():
            ask(mallory)

    assert offers_in_three_minutes(honest, somebody, later) >= 5


def let_pass(wait: Wait, later: Clock) -> None:
    """Let somebody who has just come, with somebody new, not answer an offer."""
    other = waiting(person())
    assert work() == 1
    go(other.user, other.pk, Wait.objects.get(pk=other.pk).offer_id or 0)
    later(31)
    assert work() >= 1
    withdraw(other.user, other.pk)
    wait.refresh_from_db()
    assert (wait.state, wait.why) == (Wait.State.WITHDRAWN, Wait.Why.LATE)


def check_rest(ann: User, seconds: int, later: Clock) -> None:
    """Check after how many seconds somebody who looks for players again is asked, with somebody new who waits."""
    other, mine = waiting(person()), waiting(ann)
    for _beat in range(seconds // 10 - 1):
        later(10)
    later(4)
    assert work() == 0
    later(10)
    assert work() == 1
    withdraw(other.user, other.pk)
    Lapse.objects.filter(user=other.user).delete()
    withdraw(ann, mine.pk)
    Lapse.objects.filter(user=ann, passed=False).delete()


def test_rests_grow_and_are_told_in_words(later: Clock) -> None:
    ann = person()
    client = client_of(ann)
    for seconds, words in (
        (30, "in 30 seconds"),
        (120, "in 2 minutes"),
        (600, "in 10 minutes"),
        (600, "in 10 minutes"),
    ):
        let_pass(waiting(ann), later)
        assert f"the next offer comes {words} at the earliest" in client.get("/pairing/").content.decode()
        assert f"The next offer comes {words} at the earliest" in ask(client)
        withdraw(ann, wait_of(ann).pk)
        check_rest(ann, seconds, later)


@pytest.mark.parametrize("how", ["a while", "a match"])
def test_a_while_or_a_match_that_was_played_ends_the_series(how: str, later: Clock) -> None:
    ann = person()
    for _time in range(2):
        let_pass(waiting(ann), later)
        later(130)
    if how == "a while":
        later(int(search.LAPSES_COUNT_FOR.total_seconds()))
    else:
        waits = waiting(ann), waiting(person())
        work()
        all_go(*waits)
        later(1)
        match = Match.objects.latest("pk")
        assert search.cooldown_of(ann) is None
        assert len(search.lapses_of(ann)) == 2  # begun, but not played yet
        play_out(match)
    assert search.lapses_of(ann) == []
    let_pass(waiting(ann), later)
    rest = search.cooldown_of(ann)
    assert rest is not None
    assert rest.until - timezone.now() <= 30 * SECOND


def test_a_phone_that_slept_once_costs_half_a_minute_and_one_opponent(later: Clock) -> None:
    honest, other = person(), person()
    waiting(honest)
    theirs = waiting(other)
    work()
    go(other, theirs.pk, Wait.objects.get(pk=theirs.pk).offer_id or 0)
    later(31)
    work()
    waiting(honest)
    later(30)
    assert work() == 0  # not the same two
    third = waiting(person())
    assert work() == 1
    third.refresh_from_db()
    assert third.is_asked
    later(86_400)
    assert not Lapse.objects.exclude(at__lt=timezone.now() - search.APART_FOR).exists()


def test_declining_is_milder_than_not_answering(later: Clock) -> None:
    """Whoever declines at once may be asked with the same person again, once; a late answer is none."""
    ann, bob = waiting(person()), waiting(person())
    work()
    later(1)
    decline(ann.user, ann.pk, Wait.objects.get(pk=ann.pk).offer_id or 0)
    later(59)
    assert work() == 0
    later(1)
    assert work() == 1
    later(1)
    decline(ann.user, ann.pk, Wait.objects.get(pk=ann.pk).offer_id or 0)  # twice is enough for these two
    assert wait_of(ann.user).why == Wait.Why.DECLINED
    waiting(ann.user)
    later(61)
    assert work() == 0
    cid = waiting(person())
    assert work() == 1
    later(int(search.DECLINED_SOON.total_seconds()) + 1)
    cid.refresh_from_db()
    decline(cid.user, cid.pk, cid.offer_id or 0)
    assert Lapse.objects.get(user=cid.user).passed
    assert not Lapse.objects.filter(user=ann.user, passed=True).exists()
    assert not Lapse.objects.filter(user=bob.user).exists()


@pytest.mark.parametrize(
    ("way", "passed"),
    [("stops", False), ("stops late", True), ("looks for another game", False), ("closes every page", True)],
)
def test_whoever_goes_away_from_an_offer_has_not_taken_it_up(way: str, passed: bool, later: Clock) -> None:
    ann, bob = waiting(person()), waiting(person())
    Wait.objects.filter(pk=ann.pk).update(seen_at=timezone.now() - 29 * SECOND)
    work()
    if way == "stops late":
        later(20)
    if way == "looks for another game":
        waiting(ann.user, game="card-chess")
    elif way == "closes every page":
        Wait.objects.filter(pk=ann.pk).update(seen_at=timezone.now() - 31 * SECOND)
        Absences().run_due(timezone.now())
    else:
        withdraw(ann.user, ann.pk)
    lapse = Lapse.objects.get()
    assert (lapse.user, lapse.other, lapse.passed) == (ann.user, bob.user, passed)
    assert search.cooldown_of(ann.user) is not None
    assert search.cooldown_of(bob.user) is None


def test_whoever_has_answered_and_goes_away_with_others_still_silent_has_let_nobody_down(later: Clock) -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    ann.refresh_from_db()
    go(ann.user, ann.pk, ann.offer_id or 0)
    Wait.objects.filter(pk=ann.pk).update(seen_at=timezone.now() - 31 * SECOND)
    Absences().run_due(timezone.now())
    assert not Lapse.objects.exists()
    assert wait_of(bob.user).state == Wait.State.WAITING


def test_guests_of_one_address_rest_together_and_members_and_other_addresses_do_not(later: Clock) -> None:
    household, elsewhere = "2001:db8:1:2::5", "2001:db8:1:3::5"
    for _guest in range(2):
        ask(Client(), household)
    honest = [waiting(person()) for _ in range(2)]
    assert work() == 2
    for mine in honest:
        go(mine.user, mine.pk, Wait.objects.get(pk=mine.pk).offer_id or 0)
    later(31)
    assert work() == 3  # both are over, and those two are asked together
    for mine in honest:
        withdraw(mine.user, mine.pk)
    assert "next offer comes in 2 minutes at the earliest" in ask(Client(), "2001:db8:1:2:3::9")
    fresh, member = Wait.objects.current().get(user__guest=True), person()
    waiting(person())
    ask(client_of(member), household)
    assert work() == 1
    assert wait_of(member).is_asked
    ask(Client(), elsewhere)
    ask(Client(), elsewhere)
    assert work() == 1
    later(121)
    assert search.cooldown_of(fresh.user, fresh.address) is None
    for mine in honest:
        waiting(mine.user)
    Wait.objects.exclude(user__in=[fresh.user, *(mine.user for mine in honest)]).delete()
    Lapse.objects.filter(user__in=[mine.user for mine in honest]).delete()
    assert search.apart_after_lapses(list(Wait.objects.current().select_related("user"))) == {
        pair_of(fresh.user_id, mine.user_id) for mine in honest
    }


def test_old_lapses_are_forgotten_with_their_addresses(later: Clock) -> None:
    let_pass(waiting(person()), later)
    assert Lapse.objects.exists()
    assert not Wait.objects.exclude(address="").filter(ended_at__isnull=False).exists()
    later(int(search.APART_FOR.total_seconds()) + 1)
    OldWaits().run_due(timezone.now())
    assert not Lapse.objects.exists()
