"""How a match ended, in words, and how it went for one person."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.play.boards.endings import ending_in_words, leaving_in_words, unrated_in_words
from games.play.models import Match, Seat


class Result(models.TextChoices):
    """How a finished match went for one seat. A solo match can only be won or lost."""

    WON = "won", gettext_lazy("Won")
    SHARED = "shared", gettext_lazy("Shared first place")
    LOST = "lost", gettext_lazy("Lost")


TIED = Exists(Seat.objects.filter(match=OuterRef("match"), place=1).exclude(pk=OuterRef("pk")))
"""Condition on a seat: somebody else in its match is in first place."""


def with_result(result: Result) -> Q:
    """Return the condition on seats for a result."""
    if result == Result.LOST:
        return Q(place__gt=1)
    return Q(place=1) & (Q(TIED) if result == Result.SHARED else ~Q(TIED))


def result_of(seat: Seat, seats: Sequence[Seat]) -> Result | None:
    """Return the result of one of a match's seats, None until there is one."""
    if seat.place is None:
        return None
    if seat.place > 1:
        return Result.LOST
    return Result.SHARED if sum(other.place == 1 for other in seats) > 1 else Result.WON


def in_words(match: Match, seats: Sequence[Seat]) -> str:
    """Return one sentence on how a match ended; empty while it runs."""
    if early := ending_in_words(match, seats):
        return f"{early} {unrated_in_words(match, seats)}".strip()
    if not match.is_over:
        return ""
    if len(seats) == 1:
        return _alone(seats[0])
    return " ".join(filter(None, (_winners(seats), leaving_in_words(seats), unrated_in_words(match, seats))))


def _alone(seat: Seat) -> str:
    text = _("%(name)s has won.") if seat.place == 1 else _("%(name)s has lost.")
    return text % {"name": seat.name}


def _winners(seats: Sequence[Seat]) -> str:
    winners = [seat.name for seat in seats if seat.place == 1]
    text = ngettext("%(names)s has won.", "%(names)s share first place.", len(winners))
    return text % {"names": get_text_list(winners, _("and"))}
