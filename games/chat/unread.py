"""How many messages somebody has not read, as every page shows it (`games.play.live.news`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Sum

from games.chat.models import Unread
from games.play.live import news


def counts(people: Collection[int]) -> Mapping[int, int]:
    """Return how many messages each of these people has not read; those who have read all are left out."""
    rows = Unread.objects.filter(user__in=people).values_list("user")
    return dict(rows.annotate(Sum("count")))


news.count("messages", counts)
