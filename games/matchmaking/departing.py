"""Letting somebody out of everything that goes on, as if they had asked for it: others are told as ever.

Each step commits by itself and does nothing when it is done already.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any, Final

from games.engine.protocol import RuleViolation
from games.matchmaking import invitations, planning, series, services
from games.matchmaking.models import Invitation, Promise, SeriesPlayer
from games.play.course.requests import Stale
from games.play.matches.locking import lock
from games.play.matches.services import resign
from games.play.matches.transactions import writing
from games.play.models import Match, Seat

_TRIES: Final = 3
"""A request that finds somebody's time up only does what that means; the next one does what it asks."""


def depart(user: Any) -> None:
    """Give back seats, leave tables and series, decline invitations, and resign from matches that run."""
    _take_notes_back(user)
    leave_tables(user)
    _decline(user)
    _leave_series(user)
    for seat in Seat.objects.filter(user=user, match__status=Match.Status.RUNNING, left=None):
        _resign(seat)


def _take_notes_back(user: Any) -> None:
    """Remove what somebody has written at tables that another host will have."""
    waiting = Match.objects.filter(host=user, status__in=[Match.Status.OPEN, Match.Status.PLANNED]).exclude(note="")
    for match_id in waiting.values_list("pk", flat=True):
        with writing():
            match = lock(match_id).match
            if match.host_id == user.pk:
                match.note = ""
                match.save(update_fields=["note"])


def leave_tables(user: Any) -> None:
    """Get up from tables that have not begun, and give back seats that are kept."""
    for match_id in Seat.objects.filter(user=user, match__status=Match.Status.OPEN).values_list("match", flat=True):
        with suppress(RuleViolation):  # it has begun, or was closed, meanwhile
            services.leave(match_id, user)
    _leave_planned(user)


def _leave_planned(user: Any) -> None:
    """Give back seats that are kept; a host who has taken back their own closes the table, and people are told."""
    for promise in Promise.objects.filter(user=user, match__status=Match.Status.PLANNED):
        with suppress(RuleViolation):
            planning.take_back(promise.match_id, user)
    for match in Match.objects.filter(host=user, status=Match.Status.PLANNED):
        with suppress(RuleViolation):
            services.close_table(match.pk, user)


def _decline(user: Any) -> None:
    for match_id in Invitation.objects.answerable().filter(user=user).values_list("match", flat=True):
        with suppress(RuleViolation):
            invitations.decline(match_id, user)


def _leave_series(user: Any) -> None:
    for player in SeriesPlayer.objects.filter(user=user, series__ended_at=None):
        with suppress(RuleViolation):
            series.leave(player.series_id, user)


def _resign(seat: Seat) -> None:
    for _try in range(_TRIES):
        with suppress(Stale):
            with suppress(RuleViolation):  # the match is over for them already
                resign(seat.match_id, seat.number, secrets.token_hex(16))  # a name that no request of theirs can have
            return
