"""Who still has a page open: the heartbeat of the sockets tells, whatever page it is, visible or not."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from games.pairing.models import Wait
from games.play.matches.transactions import writing
from games.play.models import Speed
from games.play.signals import pages_open

FRESH = timedelta(seconds=6)
"""A wait that was heard of this recently need not be written down again."""


def hear(people: Collection[int], **_: Any) -> None:
    """Note that these people have a page open (`games.play.signals.pages_open`)."""
    now = timezone.now()
    fresh = Q(seen_at__gte=now - FRESH, seen_at__lte=now + FRESH)  # not one of a clock that has been put back since
    stale = Wait.objects.current().filter(~fresh, user__in=people, speed=Speed.LIVE)
    if not stale.exists():
        return
    with writing():  # whoever is being paired at this moment is left out, so that nobody waits for anybody
        keys = list(stale.select_for_update(skip_locked=True).values_list("pk", flat=True))
        Wait.objects.filter(pk__in=keys).update(seen_at=now)


pages_open.connect(hear, dispatch_uid="pairing")
