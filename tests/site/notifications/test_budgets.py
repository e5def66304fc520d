"""Failing or slow receivers delay nobody else: budgets of channels, people and hosts, and hosts given a rest."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.http import http_date
from time_machine import Traveller

from accounts.models import User
from games.notifications import delivery, planning
from games.notifications.channels import Transport, http
from games.notifications.channels.webhooks import Webhooks
from games.notifications.jobs import Deliveries
from games.notifications.models import Channel, Delivery, Host, Kind, Notice, Webhook
from tests.clocked import MONDAY
from tests.people import person
from tests.site.notifications.listening import Listener
from tests.site.notifications.telling import Toy, begun, seconds
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def turn(clock: Traveller) -> Notice:
    """A notice of ann's turn."""
    return turn_of(person("ann"))


def turn_of(user: User) -> Notice:
    match = begun((user, person()))
    return Notice.objects.get(match=match, user=user, kind=Kind.TURN)


def waiting(notice: Notice, count: int = 1, channel: str = Channel.WEBHOOK, **fields: Any) -> list[Delivery]:
    """Let this many deliveries wait, all about one notice."""
    first, now = Delivery.objects.count(), timezone.now()
    made = [
        Delivery(user=notice.user, notice=notice, channel=channel, key=str(first + n), due_at=now, **fields)
        for n in range(count)
    ]
    return Delivery.objects.bulk_create(made)


def claimed(channel: str = Channel.WEBHOOK, *, cautious: bool = False) -> int:
    """Claim as many deliveries as the budgets allow; return how many."""
    count = 0
    while delivery.claim(channel, timezone.now(), cautious=cautious):
        count += 1
    return count


# --- budgets ----------------------------------------------------------------------------------------------------------


@contextmanager
def silent_server() -> Iterator[str]:
    """Give the address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


@pytest.mark.django_db(transaction=True)
def test_ten_silent_webhooks_delay_neither_push_nor_mail_nor_the_webhooks_of_others(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "ANSWER_WITHIN", 60.0)
    push, mail = Toy(), Toy()
    ways: dict[str, Transport] = {Channel.WEBHOOK: Webhooks(), Channel.PUSH: push, Channel.MAIL: mail}
    monkeypatch.setattr(planning, "TRANSPORTS", ways)
    ann, bob = turn_of(person("ann")), turn_of(person("bob"))
    Notice.objects.update(step=2)  # all that is left is to send
    job = Deliveries()
    with silent_server() as silent:
        for n in range(10):
            silent_one = Webhook.objects.create(user=ann.user, style="json", address=f"{silent}{n}")
            waiting(ann, webhook=silent_one, host="127.0.0.1")
        waiting(ann, channel=Channel.PUSH)
        waiting(ann, channel=Channel.MAIL)
        of_bob = Webhook.objects.create(user=bob.user, style="json", address=f"{listener.url}/bob")
        waiting(bob, webhook=of_bob, host="127.0.0.1")
        job.run_due(timezone.now())
        wait_until(lambda: bool(push.told and mail.told and listener.heard), 20)
        silent_ones = Delivery.objects.filter(user=ann.user, channel=Channel.WEBHOOK)
        assert set(silent_ones.values_list("state", flat=True)) == {"waiting"}
    job.finish(30)


def test_one_person_has_a_share_of_the_workers(turn: Notice) -> None:
    waiting(turn, 9)
    assert claimed() == delivery.BUDGETS[Channel.WEBHOOK].per_person
    waiting(turn_of(person("bob")))
    assert claimed() == 1


def test_one_host_has_a_share_of_the_workers(turn: Notice) -> None:
    for _ in range(5):
        waiting(turn_of(person()), host="hooks.example")
    assert claimed() == delivery.BUDGETS[Channel.WEBHOOK].per_host
    waiting(turn_of(person()), host="other.example")
    assert claimed() == 1


def test_each_channel_has_workers_of_its_own(turn: Notice) -> None:
    waiting(turn, 9)
    waiting(turn, 1, Channel.MAIL)
    claimed()
    assert claimed(Channel.MAIL) == 1


def test_half_of_the_workers_are_for_hosts_that_work(turn: Notice, clock: Traveller) -> None:
    delivery.host_failed("hooks.example")
    clock.shift(1)
    waiting(turn, host="hooks.example")
    assert claimed(cautious=True) == 0
    assert claimed() == 1


def test_a_share_is_free_again_when_a_delivery_is_done(turn: Notice) -> None:
    waiting(turn, 9)
    claimed()
    Delivery.objects.filter(lease_until__isnull=False).update(lease_until=None, state=Delivery.State.SENT)
    assert claimed() == delivery.BUDGETS[Channel.WEBHOOK].per_person


# --- hosts that rest --------------------------------------------------------------------------------------------------


def rests_for(name: str) -> timedelta:
    not_before = Host.objects.get(name=name).not_before
    assert not_before is not None
    return not_before - timezone.now()


def test_a_host_that_fails_again_and_again_rests_longer_and_longer(clock: Traveller) -> None:
    found = []
    for _ in range(12):
        delivery.host_failed("hooks.example")
        found.append(rests_for("hooks.example"))
    assert found[: delivery.PATIENT_FOR] == [timedelta()] * delivery.PATIENT_FOR
    assert found[delivery.PATIENT_FOR : 5] == [seconds(10), seconds(20), seconds(40)]
    assert found[-1] == delivery.LONGEST_REST


def test_nothing_is_sent_to_a_host_that_rests(turn: Notice, clock: Traveller) -> None:
    for _ in range(delivery.PATIENT_FOR + 1):
        delivery.host_failed("hooks.example")
    waiting(turn, host="hooks.example")
    assert claimed() == 0
    clock.shift(10)
    assert claimed() == 1


def test_a_host_that_works_again_is_forgiven() -> None:
    delivery.host_failed("hooks.example")
    delivery.host_worked("hooks.example")
    assert not Host.objects.exists()


def told(notice: Notice, listener: Listener) -> Delivery:
    """Send one message to a new webhook at the listener; return the outcome."""
    address = f"{listener.url}/{Webhook.objects.count()}"
    webhook = Webhook.objects.create(user=notice.user, style="json", address=address)
    (delivery,) = waiting(notice, webhook=webhook, host="127.0.0.1")
    Deliveries(threaded=False).run_due(timezone.now())
    delivery.refresh_from_db()
    return delivery


@pytest.mark.parametrize("written", ["120", http_date((MONDAY + timedelta(seconds=120)).timestamp())])
def test_a_host_is_left_alone_for_as_long_as_it_asks(written: str, turn: Notice, listener: Listener) -> None:
    listener.status, listener.headers = 503, {"Retry-After": written}
    assert told(turn, listener).due_at == MONDAY + seconds(120)
    assert rests_for("127.0.0.1") == seconds(120)


def test_no_host_rests_longer_for_everybody_than_the_longest_rest(turn: Notice, listener: Listener) -> None:
    listener.status, listener.headers = 503, {"Retry-After": "86400"}
    assert told(turn, listener).due_at == MONDAY + timedelta(days=1)
    assert rests_for("127.0.0.1") == delivery.LONGEST_REST


def test_a_webhook_that_asks_for_less_is_left_alone_but_its_host_is_not(
    turn: Notice, listener: Listener, clock: Traveller
) -> None:
    listener.status, listener.headers = 429, {"Retry-After": "120"}
    first = told(turn, listener)
    assert (first.due_at, Host.objects.exists()) == (MONDAY + seconds(120), False)
    waiting(turn, webhook=first.webhook)
    assert claimed() == 0
    listener.status, listener.headers = 200, {}
    assert told(turn, listener).state == "sent"
    clock.shift(120)
    assert claimed() == 2


@pytest.mark.parametrize("written", ["soon", "-1", "", "١٢٠"])
def test_a_wait_that_says_nothing_is_ignored(written: str) -> None:
    assert http._wait_in(written) is None
