"""What quick pairing keeps about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.pairing.models import Lapse, Wait
from games.pairing.services import withdraw


def _lapses(user: User) -> Iterable[Row]:
    """Return the offers that somebody did not take up, without who else was asked: they never learned that."""
    rows = Lapse.objects.filter(user=user).order_by("offer", "pk")
    told = {row.offer: {"address": row.address, "passed": row.passed, "at": row.at} for row in rows}
    return list(told.values())


_WANTED = {"game": "game", "speed": "speed", "rated": "rated", "seats": "seats", "options": "accepts"}

PARTS = (
    Part.of_columns(
        "waits",
        _("Quick pairing"),
        "pairing.Wait.user",
        **_WANTED,
        at="since",
        ended="ended_at",
        state="state",
        match="match__slug",
    ),
    Part.of_columns("searches", _("What you last looked for"), "pairing.Habit.user", "game", **_WANTED),
    Part("offers", _("Offers you did not take up"), _lapses, ("pairing.Lapse.user",)),
)

NOT_EXPORTED = {"pairing.Lapse.other": "says who let an offer pass, whom its members never learn"}

KEPT = {"pairing.Lapse.user": "a network address counts for a day, also when its guests have gone"}


def leave(user: User) -> None:
    """Stop waiting for players."""
    for key in Wait.objects.current().filter(user=user).values_list("pk", flat=True):
        withdraw(user, key)
