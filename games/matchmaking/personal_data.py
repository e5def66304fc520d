"""What tables, invitations and series keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.matchmaking.departing import depart
from games.matchmaking.models import Invitation, LobbyFilter, Promise, Removal, SeriesPlayer, Use
from games.play.models import Match


def _tables(user: User) -> Iterable[Row]:
    """Return the tables that somebody opened, planned, sits at or wants to come to, which have not become a match."""
    theirs = Q(host=user) | Q(seats__user=user) | Q(promises__user=user)
    tables = Match.objects.filter(theirs, started_at=None).distinct().order_by("-pk")
    for match in tables.prefetch_related("promises"):
        yield {
            "match": match.slug,
            "game": match.game,
            "seats": match.seat_count,
            "speed": match.speed,
            "clock": match.clock,
            "no_vacations": match.excludes_vacations,
            "rated": match.rated,
            "visibility": match.visibility,
            "host": match.host_id == user.pk,
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


def _sent(user: User) -> Iterable[Row]:
    rows = Invitation.objects.filter(by=user).select_related("match", "user").order_by("pk")
    return [
        {"match": row.match.slug, "game": row.match.game, "to": row.user.username, "at": row.created_at} for row in rows
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


def _removals(user: User) -> Iterable[Row]:
    rows = Removal.objects.filter(user=user).select_related("match").order_by("pk")
    return [{"match": row.match.slug, "game": row.match.game} for row in rows]


def _uses(user: User) -> Iterable[Row]:
    rows = Use.objects.filter(user=user).order_by("pk")
    return [{"kind": row.what, "address": row.address, "at": row.at} for row in rows]


def _lobby(user: User) -> Iterable[Row]:
    rows = LobbyFilter.objects.filter(user=user)
    return [{"setting": "lobby_filter", "value": row.query} for row in rows]


PARTS = (
    Part("tables", _("Tables"), _tables, ("play.Match.host", "matchmaking.Promise.user")),
    Part("invitations", _("Invitations to you"), _received, ("matchmaking.Invitation.user",)),
    Part("invitations_sent", _("Invitations from you"), _sent, ("matchmaking.Invitation.by",)),
    Part("series", _("Series"), _series, ("matchmaking.SeriesPlayer.user", "matchmaking.Series.left_by")),
    Part("removals", _("Tables from which you were removed"), _removals, ("matchmaking.Removal.user",)),
    Part("limits", _("What was counted for limits"), _uses, ("matchmaking.Use.user",)),
    Part("lobby", _("Lobby"), _lobby, ("matchmaking.LobbyFilter.user",)),
)

KEPT = {
    "matchmaking.Invitation.by": "whoever was invited can still come to a table at which others sit",
    "matchmaking.SeriesPlayer.user": "opponents keep the series; the place names nobody",
    "matchmaking.Series.left_by": "as the players of a series",
}


def leave(user: User) -> None:
    depart(user)


def forget(user: User) -> None:
    """Remove what waits only for them: promises of a table that has opened meanwhile."""
    Promise.objects.filter(user=user).delete()
