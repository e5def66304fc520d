"""How many tables one person may open."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.matchmaking import stale
from games.play.models import Match

OPEN_TABLES = 10
"""Open tables one person may host at the same time."""

TABLES_PER_HOUR = 20
"""Tables one person may open within an hour; rematches do not count, they follow a match that was played."""


def check_limits(host: Any) -> None:
    """Refuse another table to who has too many; within the transaction that opens it.

    Raises:
        RuleViolation: "too-many-tables" within an hour, or "too-many-open".
    """
    get_user_model().objects.select_for_update().get(pk=host.pk)  # two requests of one person, one after the other
    since = timezone.now() - timedelta(hours=1)
    if Match.objects.filter(host=host, previous=None, created_at__gt=since).count() >= TABLES_PER_HOUR:
        text = _("You have opened %(count)d tables within an hour. Please wait a while before you open another.")
        raise RuleViolation("too-many-tables", text % {"count": TABLES_PER_HOUR})
    if stale.fresh_tables().filter(host=host, previous=None).count() >= OPEN_TABLES:
        text = _("You already have %(count)d open tables. Close one of them first.")
        raise RuleViolation("too-many-open", text % {"count": OPEN_TABLES})
