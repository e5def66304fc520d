"""Who is here: whose pages have been open within the last minute, and who looks for a game.

The sockets of open pages report it through the heartbeat of each process (`games.play.live.pulse`), so that it holds
for several processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db import IntegrityError
from django.db.models import Q
from django.utils import timezone

from accounts.models import Sighting, User

HERE: Final = timedelta(seconds=60)
"""How recent a report must be to count as being here."""

REPORTED_EVERY: Final = timedelta(seconds=25)
"""How often a process writes down who is here: a late report does not make anybody disappear."""

LOOKING: Final = timedelta(hours=2)
"""How long somebody looks for a game who does not say that they stopped."""


def see(keys: Iterable[int]) -> None:
    """Write down that these people are here now, in one statement."""
    among = sorted(set(keys))
    try:
        _store(among)
    except IntegrityError:  # somebody has been deleted meanwhile
        _store(User.objects.filter(pk__in=among).order_by("pk").values_list("pk", flat=True))


def _store(keys: Iterable[int]) -> None:
    now = timezone.now()
    rows = [Sighting(user_id=key, at=now) for key in keys]
    if rows:
        Sighting.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user"], update_fields=["at"])


def here() -> Q:
    """Return the condition on people who are here, whether they show it or not: for counts."""
    return Q(sighting__at__gt=timezone.now() - HERE)


def count() -> int:
    """Return how many people are here, guests included."""
    return Sighting.objects.filter(at__gt=timezone.now() - HERE).count()


def shown_among(keys: Iterable[int]) -> set[int]:
    """Return the keys of those of these people who are here and show it."""
    return set(User.objects.filter(here(), pk__in=keys, shows_presence=True).values_list("pk", flat=True))


def show(user: User, shows: bool) -> None:
    """Let others see when somebody is online, or not."""
    User.objects.filter(pk=user.pk).update(shows_presence=shows)


def look_for_a_game(user: User) -> None:
    """Show friends that somebody looks for a game, for the next `LOOKING`."""
    User.objects.filter(pk=user.pk).update(looking_until=timezone.now() + LOOKING)


def stop_looking(user: User) -> None:
    """Stop showing it."""
    User.objects.filter(pk=user.pk).update(looking_until=None)


def is_looking(user: User) -> bool:
    """Return whether somebody has said lately that they look for a game."""
    return user.looking_until is not None and user.looking_until > timezone.now()
