"""What matches keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.play.models import Match, Seat


def terms_of(match: Match, user: User) -> Row:
    """Return what was agreed about a match or table, and whether this person hosts it."""
    return {
        "speed": match.speed,
        "clock": match.clock,
        "no_vacations": match.excludes_vacations,
        "rated": match.rated,
        "visibility": match.visibility,
        "host": match.host_id == user.pk,
    }


def _matches(user: User) -> Iterable[Row]:
    """Yield every match in which somebody sits; of one that runs nothing that its rules keep secret."""
    seats = Seat.objects.filter(user=user, match__started_at__isnull=False).select_related("match")
    for seat in seats.prefetch_related("match__seats__user").order_by("-match__started_at", "-pk"):
        match = seat.match
        yield {
            "match": match.slug,
            "game": match.game,
            "with": [other.name for other in match.seats.all() if other.pk != seat.pk],
            "seat": seat.number,
            **terms_of(match, user),
            "state": match.status,
            "began": match.started_at,
            "ended": match.ended_at,
            "place": seat.place,
            "score": seat.score,
            "turns": seat.turns,
            "timed_out": seat.timed_out,
            "left": seat.has_left,
            "counts": seat.counts if match.has_ended else {},
        }


PARTS = (
    Part("matches", _("Matches"), _matches, ("play.Seat.user",)),
    Part.of_columns("vacations", _("Vacations"), "play.Vacation.user", at="begin", until="end", year="year"),
    Part.of_columns(
        "absences", _("Planned tables you did not come to"), "play.Absence.user", match="match__slug", at="at"
    ),
    Part.of_columns(
        "visits", _("When you last looked at a match"), "play.Presence.user", match="match__slug", last_seen="at"
    ),
)

KEPT = {
    "play.Seat.user": "opponents keep their matches; the seat names nobody",
    "play.Match.host": "as the seats; a table in which nobody else sits is closed before",
}


def forget(user: User) -> None:
    """Remove what somebody has written at their tables."""
    Match.objects.filter(host=user).exclude(note="").update(note="")
