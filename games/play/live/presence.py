"""Presence: who is looking at which match. A visible tab that was touched within two minutes reports every few seconds
(match.js), and reports expire.

Reports wait in memory for the process's next heartbeat, which stores them all at once.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, TypeAlias

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import presence_shown_to
from games.play import jobs
from games.play.access import ViewedMatch
from games.play.models import Match, Presence
from games.play.reliability import reliability_of
from games.play.signals import people_seen
from games.play.store import writing

Reports: TypeAlias = dict[tuple[int, int], datetime]
"""By (person, match): when a visible tab last reported."""

LOOKING = timedelta(seconds=20)
"""How recent a report must be to count as looking: pages report every 12 s, and the next heartbeat stores it."""

KEPT = timedelta(days=1)

_reports: Reports = {}


def report(user_id: int, match_id: int) -> None:
    """Keep, for the next heartbeat, that somebody is looking at a match now."""
    _reports[user_id, match_id] = timezone.now()


def take_reports() -> Reports:
    """Return the reports since the last call; for the loop on which the sockets live."""
    reports = dict(_reports)
    _reports.clear()
    return reports


def is_waiting() -> bool:
    """Return whether there are reports to store: the last socket may have closed after sending one."""
    return bool(_reports)


def store_reports(reports: Reports) -> None:
    """Store reports and let others react to them, in one transaction; do nothing without reports."""
    try:
        _store(reports)
    except IntegrityError:  # a person or a match has been deleted meanwhile: that must not affect anybody else
        users = User.objects.filter(pk__in={user for user, _ in reports})
        people = set(users.values_list("pk", flat=True))
        matches = set(Match.objects.filter(pk__in={match for _, match in reports}).values_list("pk", flat=True))
        _store({key: at for key, at in reports.items() if key[0] in people and key[1] in matches})


def _store(reports: Reports) -> None:
    if not reports:
        return
    rows = [Presence(user_id=user, match_id=match, at=at) for (user, match), at in sorted(reports.items())]
    with writing():
        Presence.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user", "match"], update_fields=["at"])
        people_seen.send(Presence, heard=reports)


class Pruning(jobs.Periodic):
    """The job that forgets who looked at matches that have ended."""

    name = "presences"
    every = timedelta(hours=1)

    def look(self, now: datetime) -> int:
        running = (Match.Status.PLANNED, Match.Status.OPEN, Match.Status.RUNNING)
        gone, _ = Presence.objects.filter(at__lt=now - KEPT).exclude(match__status__in=running).delete()
        return gone


jobs.register(Pruning())


RELIABILITY_KEPT = 600
"""Seconds for which a percentage is cached: it changes only when a match ends."""


def company(viewed: ViewedMatch, reader: Any) -> dict[str, dict[str, str | bool]]:
    """Return what a reader may know of the others who play a running match, by seat.

    `said` is in words, `turns` a percentage. Who hides that they are here is away, for everybody.
    """
    if not viewed.match.is_running:
        return {}
    now = timezone.now()
    recent = Presence.objects.filter(match=viewed.match, at__range=(now - LOOKING, now + LOOKING))
    here = presence_shown_to(reader, recent.values_list("user_id", flat=True))
    others = [seat for seat in viewed.seats if seat.user_id and not seat.has_left and seat.number != viewed.viewer]
    return {str(seat.number): _company_of(seat.user_id or 0, seat.user_id in here) for seat in others}


def _company_of(user: int, here: bool) -> dict[str, str | bool]:
    share = _in_time(user, int(timezone.now().timestamp()) // RELIABILITY_KEPT)
    said = _("is here") if here else _("is away")
    if share is None:
        return {"here": here, "turns": "", "said": said}
    told = _("%(share)s %% of turns on time") % {"share": share}
    return {"here": here, "turns": f"{share}\N{NARROW NO-BREAK SPACE}%", "said": f"{said}, {told}"}


@lru_cache(maxsize=5_000)
def _in_time(user: int, _period: int) -> int | None:
    return reliability_of(User(pk=user)).in_time
