"""How many messages somebody has not read, as every page shows it (`games.play.live.news`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Sum

from games.chat.models import Unread
from games.play.live import news
from games.play.prepared import Prepared


def counts(people: Collection[int]) -> Mapping[int, int]:
    """Return how many messages each of these people has not read; those who have read all are left out."""
    return dict(_UNREAD.of(people))


_UNREAD = Prepared(lambda people: Unread.objects.filter(user__in=people).values_list("user").annotate(Sum("count")))


news.count("messages", counts)
