"""What people do, counted for them and for the network address from which they do it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import Limit, asking_network, from_network_in_words
from accounts.limits import in_words as wait_in_words
from games.engine.protocol import RuleViolation
from games.matchmaking.limits import ADDRESS, GUEST, PERSON
from games.matchmaking.models import Use


def count(what: Use.What, user: Any, times: int = 1) -> None:
    """Count what a person does, for them and for their network address, or refuse it as `check`."""
    check(what, user, times)
    Use.objects.bulk_create([Use(what=what, user=user, address=asking_network()) for _time in range(times)])


def check(what: Use.What, user: Any, times: int = 1) -> None:
    """Refuse what a person, or all at their network address, have done too often: "too-many-" and what."""
    for limit, uses in _scopes(what, user):
        if (until := _full_until(uses, limit, times)) is not None:
            raise _too_many(what, limit, until)


def _scopes(what: Use.What, user: Any) -> Iterator[tuple[Limit, QuerySet[Use]]]:
    yield (GUEST if user.guest else PERSON)[what], Use.objects.filter(what=what, user=user)
    if network := asking_network():
        yield ADDRESS[what], Use.objects.filter(what=what, address=network)


def _full_until(uses: QuerySet[Use], limit: Limit, times: int) -> datetime | None:
    """Return when this many more will be possible, None if they are now."""
    since = timezone.now() - limit.within
    latest = list(uses.filter(at__gt=since).order_by("-at").values_list("at", flat=True)[: limit.most])
    too_many = len(latest) + times - limit.most
    return None if too_many <= 0 else latest[-min(too_many, len(latest))] + limit.within


def _too_many(what: Use.What, limit: Limit, until: datetime) -> RuleViolation:
    texts = {
        Use.What.TABLE: _("You have opened %(count)d tables in the last hour. You can open another in %(wait)s."),
        Use.What.SEAT: _("You have sat down %(count)d times in the last hour. You can sit down again in %(wait)s."),
        Use.What.INVITATION: _("You can send %(count)d invitations an hour. You can send more in %(wait)s."),
    }
    text = texts[what]
    if limit == ADDRESS[what]:
        return RuleViolation(f"too-many-{what}s", from_network_in_words(until - timezone.now()))
    return RuleViolation(f"too-many-{what}s", text % {"count": limit.most, "wait": in_words(until)})


def in_words(until: datetime) -> str:
    """Return how long it is until then, in words, rounded up to minutes."""
    return wait_in_words(until - timezone.now())
