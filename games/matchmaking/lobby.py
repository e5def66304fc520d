"""What the lobby shows: one loading for everybody who looks at the same time, one rendering per language.

Nothing in the shared part depends on the reader, and no private table is in it; what is the reader's own comes as a
separate small piece made from the same loading.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch
from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.matchmaking import stale
from games.matchmaking.models import Invitation
from games.play.models import Match, MatchQuerySet, Seat

MOST_TABLES = 100
MOST_RUNNING = 20

_lock = threading.Lock()
_latest: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The lobby at one moment.

    Args:
        taken: monotonic time before loading began.
        tables: every open table, whoever may see it, the oldest first, with seats and invitations.
        running: public matches of several players to watch, the latest begun first.
    """

    taken: float
    tables: tuple[Match, ...]
    running: tuple[Match, ...]
    _rendered: dict[tuple[str | None, bool], str] = field(default_factory=dict)

    def shared(self, signed_in: bool) -> str:
        """Return the list everybody sees, in the active language; `signed_in` gives it buttons to sit down."""
        key = (get_language(), signed_in)
        if key not in self._rendered:
            context = {"tables": self.public(), "running": self.running, "signed_in": signed_in}
            self._rendered[key] = render_to_string("matchmaking/lists.jinja", context, using="boards")
        return self._rendered[key]

    def public(self) -> list[Match]:
        """Return the tables at which anybody may sit down, the oldest first."""
        found = (
            match for match in self.tables if match.visibility == Match.Visibility.PUBLIC and not match.previous_id
        )
        return list(found)[:MOST_TABLES]

    def own(self, user: Any) -> str:
        """Return the list of open tables at which this person sits or is expected; empty when there are none."""
        seated = [match for match in self.tables if user.pk in _seated(match)]
        invited = [match for match in self.tables if user.pk in _invited(match) - _seated(match)]
        if not seated and not invited:
            return ""
        return render_to_string("matchmaking/own.jinja", {"seated": seated, "invited": invited}, using="boards")


def _seated(match: Match) -> set[int | None]:
    return {seat.user_id for seat in match.seats.all()}


def _invited(match: Match) -> set[int | None]:
    return {invitation.user_id for invitation in match.invitations.all()}


def snapshot(not_before: float) -> Snapshot:
    """Return the lobby as it stood at this monotonic time or later; those who ask together share one loading."""
    global _latest  # noqa: PLW0603  # one lobby per process
    with _lock:
        if _latest is None or _latest.taken < not_before:
            taken = time.monotonic()
            _latest = Snapshot(taken, tuple(open_tables()), tuple(_running()))
        return _latest


def open_tables() -> MatchQuerySet:
    """Return every table one may still sit down at, the oldest first, with everything lists show."""
    invitations = Prefetch("invitations", Invitation.objects.all())
    return with_people(stale.fresh_tables()).prefetch_related(invitations).order_by("created_at", "pk")


def _running() -> MatchQuerySet:
    running = Match.objects.filter(status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC, seat_count__gt=1)
    return with_people(running).order_by("-started_at", "-pk")[:MOST_RUNNING]


def with_people(matches: MatchQuerySet) -> MatchQuerySet:
    """Load seats and who sits there along with matches."""
    return matches.select_related("host").prefetch_related(Prefetch("seats", Seat.objects.select_related("user")))
