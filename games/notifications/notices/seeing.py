"""Looking at a match marks all notices about it as seen."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.notifications.models import Notice
from games.play.live.presence import Heard
from games.play.models import Presence


def on_people_seen(heard: Heard, **_: Any) -> None:
    """Note who was looking at which match (`games.play.signals.people_seen`); one statement for everybody."""
    looked = Presence.objects.filter(
        user=OuterRef("user"), match=OuterRef("match"), at__gte=OuterRef("created_at")
    ).filter(at__gte=min(heard.values()))
    people = {user for user, _match in heard}
    Notice.objects.filter(Exists(looked), user__in=people, seen_at=None).update(seen_at=timezone.now())
