"""What quick pairing keeps about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.pairing.models import Habit, Lapse, Wait
from games.pairing.services import withdraw


def _waits(user: User) -> Iterable[Row]:
    rows = Wait.objects.filter(user=user).select_related("match")
    return [
        {
            **_wanted(row),
            "at": row.since,
            "ended": row.ended_at,
            "state": row.state,
            "match": row.match.slug if row.match else "",
        }
        for row in rows
    ]


def _habits(user: User) -> Iterable[Row]:
    return [_wanted(row) for row in Habit.objects.filter(user=user).order_by("game")]


def _wanted(row: Wait | Habit) -> Row:
    return {"game": row.game, "speed": row.speed, "rated": row.rated, "seats": row.seats, "options": row.accepts}


def _lapses(user: User) -> Iterable[Row]:
    """Return the offers that somebody did not take up; who else was asked they never learned."""
    rows = Lapse.objects.filter(user=user).order_by("offer", "pk")
    told = {row.offer: {"address": row.address, "passed": row.passed, "at": row.at} for row in rows}
    return list(told.values())


PARTS = (
    Part("waits", _("Quick pairing"), _waits, ("pairing.Wait.user",)),
    Part("searches", _("What you last looked for"), _habits, ("pairing.Habit.user",)),
    Part("offers", _("Offers you did not take up"), _lapses, ("pairing.Lapse.user",)),
)

NOT_EXPORTED = {"pairing.Lapse.other": "says who let an offer pass, whom its members never learn"}

KEPT = {"pairing.Lapse.user": "a network address counts for a day, also when its guests have gone"}


def leave(user: User) -> None:
    """Stop waiting for players."""
    for key in Wait.objects.current().filter(user=user).values_list("pk", flat=True):
        withdraw(user, key)
