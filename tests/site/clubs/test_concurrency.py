"""Whoever does the same in a club at the same moment, and two workers at its evening, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import time, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.chat.models import Message
from games.chat.rooms import place_of_club
from games.chat.services import say
from games.clubs import evenings, services
from games.clubs.evenings import Evenings, Plan
from games.clubs.models import Club, Evening, EveningDay
from games.clubs.notices import What
from games.events import rounds
from games.events.models import Event
from games.events.organising import make_event
from games.events.services import enter
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.notifications.jobs import Deliveries
from games.notifications.models import Delivery, Notice, Webhook
from games.play.models import Match
from tests.meeting import endings, together
from tests.people import person
from tests.site.clubs.clubs import Role, club_of, put_in, role_of
from tests.site.notifications.listening import Listener

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

ROUNDS = 4
THURSDAY = Plan(3, time(20), "Europe/Berlin", "shifting-stones", 2, "300+10/600")
SWISS = replace(THURSDAY, what="swiss", rounds=3, round_length=timedelta(minutes=45))


@pytest.fixture(autouse=True)
def _postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")


def clubs(count: int) -> Iterable[tuple[User, Club]]:
    for number in range(count):
        owner = person()
        yield owner, club_of(owner, f"Chess at school {number}")


@pytest.mark.parametrize("plan", [THURSDAY, SWISS], ids=["table", "swiss"])
def test_two_workers_make_an_evening_once_and_tell_everybody_once(ann: User, club: Club, plan: Plan) -> None:
    bob = put_in(club)
    evening = evenings.add(ann, club, plan)
    for _worker in range(2):  # the second time there is nothing to do
        now = timezone.now()
        together(partial(Evenings().run_due, now) for _worker in range(4))
    assert EveningDay.objects.filter(evening=evening, refusal="").count() == 1
    assert Match.objects.filter(of_club__club=club).count() + club.events.count() == 1
    told = Notice.objects.filter(user=bob, details__what=What.EVENING)
    assert told.count() == 1


def test_an_evening_that_is_paused_or_removed_at_its_moment_is_made_or_not(ann: User, club: Club) -> None:
    for do in (evenings.pause, evenings.remove):
        evening = evenings.add(ann, club, THURSDAY)
        before = EveningDay.objects.count()
        endings([partial(evenings.make, evening.pk), partial(do, ann, evening), partial(evenings.make, evening.pk)])
        assert EveningDay.objects.count() - before in {0, 1}
        assert not Evening.objects.filter(pk=evening.pk, paused=False).exists()


def test_a_club_that_closes_while_its_evening_is_made_leaves_nothing() -> None:
    for number, (ann, club) in enumerate(clubs(ROUNDS)):
        put_in(club)
        evening = evenings.add(ann, club, THURSDAY if number % 2 else SWISS)
        endings([partial(evenings.make, evening.pk), partial(services.close, ann, club.slug)])
        assert not Club.objects.filter(pk=club.pk).exists()
        assert not Match.objects.filter(status=Match.Status.PLANNED).exists()
        assert not Notice.objects.exists()


def test_a_table_that_opens_while_its_club_closes_is_refused_or_closed() -> None:
    for ann, club in clubs(ROUNDS):
        bob = put_in(club)
        wish = TableSetup("shifting-stones", 2, visibility=Match.Visibility.CLUB, club=club, rated=False)
        ends = endings([partial(tables.open_table, bob, wish), partial(services.close, ann, club.slug)])
        assert ends["done"] in {1, 2}
        assert not Match.objects.filter(status=Match.Status.OPEN).exists()
        assert not Club.objects.filter(pk=club.pk).exists()


def test_what_is_written_while_a_club_closes_is_refused_or_goes_with_it() -> None:
    for ann, club in clubs(ROUNDS):
        bob = put_in(club)
        write = partial(say, bob, place_of_club(club, bob), text="Who plays?", client_id="asks")
        ends = endings([write, partial(services.close, ann, club.slug)])
        assert ends in ({"done": 2}, {"done": 1, "club-gone": 1})
        assert not Message.objects.exists()


def test_a_round_that_is_drawn_while_its_club_closes_is_drawn_or_not() -> None:
    for ann, club in clubs(ROUNDS):
        now = timezone.now()
        swiss: dict[str, Any] = {
            "game": "shifting-stones",
            "format": "swiss",
            "rounds": 2,
            "length": timedelta(hours=1),
        }
        event = make_event(club, ann, clock="300+10/600", starts_at=now + timedelta(hours=1), **swiss)
        for _member in range(2):
            enter(put_in(club), event.slug)
        Event.objects.update(starts_at=now, next_at=now)
        endings([partial(rounds.go_on, event.pk), partial(services.close, ann, club.slug)])
        assert not Event.objects.exists()
        assert Match.objects.exclude(of_club=None).count() == 0


def test_of_two_owners_who_leave_or_step_down_together_one_stays() -> None:
    for ann, club in clubs(ROUNDS):
        bob = put_in(club, Role.OWNER)
        assert endings(
            [
                partial(services.leave, ann, club.slug),
                partial(services.give_role, bob, club.slug, bob.username, "member"),
            ]
        ) == {"done": 1, "last-owner": 1}
        assert club.members.filter(role=Role.OWNER).count() == 1
        put_in(club, Role.OWNER)
        owners = [User.objects.get(pk=key) for key in services.leaders_of(club)]
        assert endings(partial(services.leave, owner, club.slug) for owner in owners) == {
            "done": 1,
            "last-owner": 1,
        }
        assert club.members.filter(role=Role.OWNER).count() == 1


def test_a_request_accepted_by_two_helpers_at_once_makes_one_member() -> None:
    for _ann, club in clubs(ROUNDS):
        helpers, eve = [put_in(club, Role.HELPER), put_in(club, Role.HELPER)], person()
        services.ask(eve, club.slug)
        accepted = [partial(services.accept, helper, club.slug, eve.username) for helper in helpers]
        assert endings(accepted) == {"done": 1, "not-asking": 1}
        assert role_of(club, eve) == Role.MEMBER
        assert Notice.objects.filter(user=eve, details__what=What.ACCEPTED).count() == 1


def test_a_request_accepted_and_declined_at_once_has_one_answer() -> None:
    for ann, club in clubs(ROUNDS):
        helper, eve = put_in(club, Role.HELPER), person()
        services.ask(eve, club.slug)
        answers = endings(
            [
                partial(services.accept, ann, club.slug, eve.username),
                partial(services.decline, helper, club.slug, eve.username),
            ]
        )
        assert answers == {"done": 1, "not-asking": 1}
        assert club.requests.count() + club.members.filter(user=eve).count() == 1


def test_the_last_place_in_a_club_and_the_last_club_of_a_person_are_one(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = club_of(ann, joining="open")
    monkeypatch.setattr(services, "MEMBERS", 3)
    ends = endings(partial(services.join, person(), club.slug) for _ in range(6))
    assert (ends, club.members.count()) == ({"done": 2, "club-full": 4}, 3)
    monkeypatch.setattr(services, "JOINED", 2)
    several = [club_of(person(), f"Open to all {number}", joining="open") for number in range(4)]
    eve = person()
    ends = endings(partial(services.join, eve, it.slug) for it in several)
    assert (ends, eve.memberships.count()) == ({"done": 2, "too-many-joined": 2}, 2)


def test_the_webhook_is_sent_once_however_many_workers(ann: User, club: Club, listener: Listener) -> None:
    Webhook.objects.create(club=club, style="discord", address=f"{listener.url}/hook", language="en")
    for count in range(1, 4):
        tables.open_table(
            ann, TableSetup("shifting-stones", 2, visibility=Match.Visibility.CLUB, club=club, rated=False)
        )
        now = timezone.now()
        together(partial(Deliveries(threaded=False).run_due, now) for _worker in range(4))
        assert len(listener.heard) == count
    assert not Delivery.objects.exists()
