"""What happens to the matches of a guest who logs in to an account: from now on they are that account's."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.signals import guest_claimed
from games.play.matches import announce, statements
from games.play.models import Match, Seat


def _raise_versions(guest: User, **_: Any) -> None:
    """Lock a guest's matches and raise their versions, as everything does that changes a match."""
    seats = Seat.objects.filter(user=guest)
    for match_id, slug in seats.order_by("match").values_list("match", "match__slug"):
        version = statements.locked_version(match_id) + 1
        Match.objects.filter(pk=match_id).update(version=F("version") + 1)
        announce.match_changed(slug, version)


guest_claimed.connect(_raise_versions)
