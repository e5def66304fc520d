"""What the lobby shows: loaded once for all who look at the same time, rendered once per language.

Nothing in a page depends on the reader, and no private table is loaded for it; readers' own tables and invitations are
loaded separately, for them alone.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch, Q
from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.matchmaking import stale
from games.matchmaking.models import Invitation, Removal
from games.play.models import Match, MatchQuerySet, Seat

PAGE = 36
"""Open tables on one page."""

HOST_SHARE = 3
"""How many tables of one host are listed, the newest ones: ten accounts cannot fill the first page."""

MOST_PAGES = 999
MOST_RUNNING = 20
MOST_KEPT = 20
"""Pages kept in memory for others who ask for the same one."""

_lock = threading.Lock()
_latest: dict[int, Page] = {}


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the lobby at one moment.

    Args:
        taken: monotonic time before loading began.
        number: from 1.
        tables: public open tables, the newest first, with seats.
        more: whether there are older ones on the next page.
        running: public matches of several players to watch, the latest begun first.
    """

    taken: float
    number: int
    tables: tuple[Match, ...]
    more: bool
    running: tuple[Match, ...]
    _rendered: dict[tuple[str | None, bool], str] = field(default_factory=dict)

    def shared(self, signed_in: bool) -> str:
        """Return the lists that everyone sees, in the active language; `signed_in` adds buttons to sit down."""
        key = (get_language(), signed_in)
        if key not in self._rendered:
            context = {"page": self, "signed_in": signed_in, "share": HOST_SHARE, "most_running": MOST_RUNNING}
            self._rendered[key] = render_to_string("matchmaking/lists.jinja", context, using="boards")
        return self._rendered[key]


def page_number(text: str) -> int:
    """Return the page number in an address, 1 if it is invalid."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MOST_PAGES)) else 1
    return max(number, 1)


def lobby_page(number: int, not_before: float) -> Page:
    """Return a page as of this monotonic time or later; readers who ask together share one query."""
    with _lock:
        page = _latest.get(number)
        if page is None or page.taken < not_before:
            if len(_latest) >= MOST_KEPT:
                _latest.clear()
            page = _latest[number] = _load(number)
        return page


def _load(number: int) -> Page:
    taken = time.monotonic()
    listed = _listed(number * PAGE + 1)
    keys = listed[(number - 1) * PAGE : number * PAGE]
    tables = with_people(Match.objects.filter(pk__in=keys)).order_by("-created_at", "-pk")
    return Page(taken, number, tuple(tables), len(listed) > number * PAGE, tuple(_running()))


def _listed(most: int) -> list[int]:
    """Return the keys of the newest public tables, at most the share of each host."""
    found: list[int] = []
    shown: Counter[int | None] = Counter()
    for key, host in _public().values_list("pk", "host").iterator():
        shown[host] += 1
        if shown[host] <= HOST_SHARE:
            found.append(key)
        if len(found) == most:
            break
    return found


def _public() -> MatchQuerySet:
    # A table for one has its player, and waits for nobody else.
    tables = stale.fresh_tables().filter(visibility=Match.Visibility.PUBLIC, previous=None, seat_count__gt=1)
    return tables.order_by("-created_at", "-pk")


def own_tables(user: Any) -> str:
    """Return the list of open tables where this user sits or is invited; empty if there are none."""
    seated, invited = seated_and_invited(user)
    if not seated and not invited:
        return ""
    return render_to_string("matchmaking/own.jinja", {"seated": seated, "invited": invited}, using="boards")


def seated_and_invited(user: Any) -> tuple[list[Match], list[Match]]:
    """Return the open tables where a user sits, and those they are invited to, the oldest first."""
    waiting = Q(match__status=Match.Status.OPEN)
    seated = set(Seat.objects.filter(waiting, user=user, ended_at=None).order_by().values_list("match", flat=True))
    invited = set(Invitation.objects.filter(waiting, user=user).values_list("match", flat=True))
    if not seated and not invited:
        return [], []
    invited -= set(Removal.objects.filter(user=user, match__in=invited).values_list("match", flat=True))
    tables = with_people(stale.fresh_tables().filter(pk__in=seated | invited)).order_by("created_at", "pk")
    loaded = list(tables)
    return [it for it in loaded if it.pk in seated], [it for it in loaded if it.pk not in seated]


def _running() -> MatchQuerySet:
    running = Match.objects.filter(status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC, seat_count__gt=1)
    return with_people(running).order_by("-started_at", "-pk")[:MOST_RUNNING]


def with_people(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with their seats and players."""
    return matches.select_related("host").prefetch_related(Prefetch("seats", Seat.objects.select_related("user")))
