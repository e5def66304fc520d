"""Waiting goes on while any page is open, as its socket tells, and ends when every page has been closed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.pairing.models import Wait
from games.pairing.services import AWAY_AFTER
from games.play.live import heartbeat
from tests.people import client_of, person
from tests.serving import Site, dialled
from tests.site.pairing.waits import waiting, work
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def seen_long_ago(user: User) -> None:
    """Make the last time that a page of somebody was open older than they may be away."""
    Wait.objects.filter(user=user).update(seen_at=timezone.now() - AWAY_AFTER - timedelta(seconds=1))


def is_here(user: User) -> bool:
    return Wait.objects.filter(user=user, seen_at__gt=timezone.now() - AWAY_AFTER).exists()


def has_left(user: User) -> bool:
    """Let the worker look after somebody has been away for too long; return whether it has withdrawn them."""
    seen_long_ago(user)
    work()
    return Wait.objects.filter(user=user, state=Wait.State.WITHDRAWN, why=Wait.Why.AWAY).exists()


def test_any_open_page_keeps_one_waiting_and_without_one_the_wait_ends(
    live_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 0.2)
    ann = person()
    client = client_of(ann)
    wait = waiting(ann)
    for page in ("me/", "lobby/"):
        with dialled(live_site, page, client) as socket:
            socket.recv(timeout=60)
            seen_long_ago(ann)
            wait_until(lambda: is_here(ann))
            work()
            wait.refresh_from_db()
            assert wait.state == Wait.State.WAITING, page
    wait_until(lambda: not heartbeat._sockets)
    wait_until(lambda: has_left(ann))  # more than once when a heartbeat was under way
