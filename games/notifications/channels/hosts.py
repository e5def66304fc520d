"""Hosts that failed are given a rest, longer each time, so that other messages do not wait for them."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from games.notifications.models import Host
from games.play.matches.transactions import writing

MAIL_SERVER = "mail server"
"""The name that stands for our own mail server; no host name can contain a space."""

PATIENT_FOR = 2
"""Failures in a row that are forgiven: one endpoint that fails must not silence a host which many share."""

_FIRST_REST = timedelta(seconds=10)
LONGEST_REST = timedelta(minutes=10)


def failed(name: str, retry_after: timedelta | None = None) -> None:
    """Record that a host failed, and leave it alone for a while.

    Args:
        name: of the host; an empty name is ignored.
        retry_after: how long the host asked us to wait, granted up to `LONGEST_REST`.
    """
    if not name:
        return
    now = timezone.now()
    with writing():
        host, _made = Host.objects.select_for_update().get_or_create(name=name)
        host.failures += 1
        host.failed_at = now
        host.not_before = now + max(_rest_after(host.failures), min(retry_after or timedelta(), LONGEST_REST))
        host.save()


def _rest_after(failures: int) -> timedelta:
    """Return how long a host is left alone after this many failures in a row."""
    extra = failures - PATIENT_FOR
    return min(LONGEST_REST, _FIRST_REST * 2 ** min(extra - 1, 10)) if extra > 0 else timedelta()


def worked(name: str) -> None:
    """Forget the failures of a host that took a message."""
    if name:
        Host.objects.filter(name=name).delete()


def failing() -> QuerySet[Host]:
    """Return the hosts whose last message failed."""
    return Host.objects.filter(failures__gt=0)
