"""What happens to the matches of a guest who logs in to an account: from now on they are that account's."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.signals import guest_claimed, guest_is_claimed
from games.play.matches import announce
from games.play.models import Match, MatchQuerySet, Seat


def _matches_of(guest: User) -> MatchQuerySet:
    return Match.objects.filter(pk__in=Seat.objects.filter(user=guest).values("match")).order_by("pk")


def _matches(guest: User, *, locking: bool, **_: Any) -> list[int]:
    """Return a guest's matches, locked in their order."""
    matches = _matches_of(guest)
    return list((matches.select_for_update() if locking else matches).values_list("pk", flat=True))


def _raise_versions(guest: User, **_: Any) -> None:
    """Raise the versions of a guest's matches, which are locked, as everything does that changes a match."""
    for slug, version in _matches_of(guest).values_list("slug", "version"):
        Match.objects.filter(slug=slug).update(version=F("version") + 1)
        announce.match_changed(slug, version + 1)


guest_is_claimed.connect(_matches)
guest_claimed.connect(_raise_versions)
