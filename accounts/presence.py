"""Presence: who has a page open, and who looks for a game.

Everything that shows presence asks here on behalf of its reader. The sockets of open pages report it through the
heartbeat of each process (`games.play.live.heartbeat`), so that it holds for several processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone

from accounts import relations
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


def shown_to(reader: Any, keys: Iterable[int]) -> set[int]:
    """Return who of these people may be seen to be here by a reader, whether or not they are: the one rule for it.

    Nobody sees it of those who hide it, or of those who are kept apart from them (`accounts.relations`).
    """
    among = set(keys) - relations.blocked_with(reader)
    return set(User.objects.filter(pk__in=among, shows_presence=True).values_list("pk", flat=True))


def here_for(reader: Any, keys: Iterable[int]) -> set[int]:
    """Return who of these people are here, as far as a reader may see it."""
    shown = shown_to(reader, keys)
    return set(Sighting.objects.filter(user__in=shown, at__range=_lately()).values_list("user", flat=True))


def _lately() -> tuple[datetime, datetime]:
    """Return from when to when somebody was seen who is here. The future is seen by a clock that has been put back."""
    now = timezone.now()
    return now - HERE, now + HERE


def counted() -> QuerySet[Sighting]:
    """Return the people who are here and show it, guests included: for numbers, which tell nobody's name."""
    return Sighting.objects.filter(at__range=_lately(), user__shows_presence=True)


def show(user: User, shows: bool) -> None:
    """Let others see when somebody is online, or not; who hides it does not look for a game any more either."""
    User.objects.filter(pk=user.pk).update(shows_presence=shows, **({} if shows else {"looking_until": None}))


def look_for_a_game(user: User) -> None:
    """Show friends that somebody looks for a game, for the next `LOOKING`."""
    User.objects.filter(pk=user.pk).update(looking_until=timezone.now() + LOOKING)


def stop_looking(user: User) -> None:
    """Stop showing it."""
    User.objects.filter(pk=user.pk).update(looking_until=None)


def is_looking(user: User) -> bool:
    """Return whether somebody has said lately that they look for a game."""
    left = None if user.looking_until is None else user.looking_until - timezone.now()
    return left is not None and timedelta() < left <= LOOKING
