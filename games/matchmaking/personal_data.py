"""What tables, invitations and series keep about a person (`accounts.personal_data`), and how they leave them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.invitations import decline_invitation
from games.matchmaking.models import Invitation, LobbyFilter, Promise, SeriesPlayer
from games.matchmaking.series import leave_series
from games.play.commands import resign
from games.play.models import Match, Seat
from games.play.personal_data import terms_of
from games.play.reducer.actions import Stale
from games.play.store import lock, writing


def _tables(user: User) -> Iterable[Row]:
    """Return the tables that somebody opened, planned, sits at or wants to come to, which have not become a match."""
    theirs = Q(host=user) | Q(seats__user=user) | Q(promises__user=user)
    tables = Match.objects.filter(theirs, started_at=None).distinct().order_by("-pk")
    for match in tables.prefetch_related("promises"):
        yield {
            "match": match.slug,
            "game": match.game,
            "seats": match.seat_count,
            **terms_of(match, user),
            "text": match.note if match.host_id == user.pk else "",
            "state": match.status,
            "coming": any(promise.user_id == user.pk for promise in match.promises.all()),
            "at": match.created_at,
            "opens": match.opens_at,
        }


def _received(user: User) -> Iterable[Row]:
    """Return the invitations that somebody could see: one between people who are kept apart reaches nobody."""
    rows = Invitation.objects.filter(user=user, withheld=False).select_related("match", "by").order_by("pk")
    return [
        {
            "match": row.match.slug,
            "game": row.match.game,
            "from": row.by.username if row.by else "",
            "at": row.created_at,
            "until": row.expires_at,
            "declined": row.declined_at,
        }
        for row in rows
    ]


def _series(user: User) -> Iterable[Row]:
    rows = SeriesPlayer.objects.filter(user=user).select_related("series").order_by("pk")
    for row in rows.prefetch_related("series__players__user", "series__matches__match"):
        yield {
            "with": [other.name for other in row.series.players.all() if other.pk != row.pk],
            "matches": [each.match.slug for each in row.series.matches.all()],
            "goal": row.series.goal,
            "wins": row.wins,
            "ended": row.series.ended_at,
            "left": row.series.left_by_id == user.pk,
        }


def _lobby(user: User) -> Iterable[Row]:
    rows = LobbyFilter.objects.filter(user=user)
    return [{"setting": "lobby_filter", "value": row.query} for row in rows]


PARTS = (
    Part("tables", _("Tables"), _tables, ("play.Match.host", "matchmaking.Promise.user")),
    Part("invitations", _("Invitations to you"), _received, ("matchmaking.Invitation.user",)),
    Part.of_columns(
        "invitations_sent",
        _("Invitations from you"),
        "matchmaking.Invitation.by",
        match="match__slug",
        game="match__game",
        to="user__username",
        at="created_at",
    ),
    Part("series", _("Series"), _series, ("matchmaking.SeriesPlayer.user", "matchmaking.Series.left_by")),
    Part.of_columns(
        "removals",
        _("Tables from which you were removed"),
        "matchmaking.Removal.user",
        match="match__slug",
        game="match__game",
    ),
    Part.of_columns("limits", _("Usage counters"), "matchmaking.Use.user", kind="what", address="address", at="at"),
    Part("lobby", _("Lobby"), _lobby, ("matchmaking.LobbyFilter.user",)),
)

KEPT = {
    "matchmaking.Invitation.by": "whoever was invited can still come to a table at which others sit",
    "matchmaking.SeriesPlayer.user": "opponents keep the series; the place names nobody",
    "matchmaking.Series.left_by": "as the players of a series",
}


_TRIES: Final = 3
"""A request that finds somebody's time up only removes them for that; the next one is carried out."""


def leave(user: User) -> None:
    """Leave tables, series and matches as if the person had asked for it, so that others are told as usual.

    Each step commits by itself and does nothing when it is done already.
    """
    _take_notes_back(user)
    leave_tables(user)
    for match_id in Invitation.objects.answerable().filter(user=user).values_list("match", flat=True):
        with suppress(RuleViolation):
            decline_invitation(match_id, user)
    for player in SeriesPlayer.objects.filter(user=user, series__ended_at=None):
        with suppress(RuleViolation):
            leave_series(player.series_id, user)
    for seat in Seat.objects.filter(user=user, match__status=Match.Status.RUNNING, left=None):
        for _try in range(_TRIES):
            with suppress(Stale):
                with suppress(RuleViolation):  # the match is over for them already
                    resign(seat.match_id, seat.number, secrets.token_hex(16))  # an id that no request of theirs has
                break


def forget(user: User) -> None:
    """Delete promises at tables that have already opened."""
    Promise.objects.filter(user=user).delete()


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
    """Get up from tables that have not begun, and give back promised seats.

    A planned table whose host has no seat there is closed, and people are told.
    """
    for match_id in Seat.objects.filter(user=user, match__status=Match.Status.OPEN).values_list("match", flat=True):
        with suppress(RuleViolation):  # it has begun, or was closed, meanwhile
            tables.leave(match_id, user)
    for promise in Promise.objects.filter(user=user, match__status=Match.Status.PLANNED):
        with suppress(RuleViolation):
            planned.take_back(promise.match_id, user)
    for match in Match.objects.filter(host=user, status=Match.Status.PLANNED):
        with suppress(RuleViolation):
            tables.close_table(match.pk, user)
