"""Shared by tests of quick pairing: short ways to wait."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.pairing import services
from games.pairing.jobs import Absences, Answers, Pairing
from games.pairing.models import Wait
from games.pairing.search import Search

GAME = "shifting-stones"


def waiting(user: User, seconds: int = 0, **search: Any) -> Wait:
    """Let somebody wait, since so many seconds."""
    wait = services.wait(user, Search(**{"game": GAME, "seats": (2,), "rated": False, **search}))
    Wait.objects.filter(pk=wait.pk).update(since=timezone.now() - timedelta(seconds=seconds))
    wait.refresh_from_db()
    return wait


def work() -> int:
    """Do what the worker does about pairing; return how many pieces there were."""
    now = timezone.now()
    return sum(it.run_due(now) for it in (Absences(), Answers(), Pairing()))


def all_go(*waits: Wait) -> None:
    """Let everybody say that they are there."""
    for wait in waits:
        wait.refresh_from_db()
        assert wait.offer_id is not None
        services.go(wait.user, wait.pk, wait.offer_id)
    for wait in waits:
        wait.refresh_from_db()
