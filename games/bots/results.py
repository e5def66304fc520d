"""How bots did against people, game by game, from their latest finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q

from games.play.models import Level, Match, Seat
from games.titles import Title, titles

LATEST = 1_000
"""Seats of a level that count: the latest, so that the page costs no more after years."""


@dataclass(frozen=True, slots=True)
class Against:
    """How a level did against people in one game: each person who played counts once.

    Args:
        title: the game.
        ahead: people that the bot left behind.
        level: people with whom it shared a place.
        behind: people who left it behind.
    """

    title: Title
    ahead: int
    level: int
    behind: int

    @property
    def people(self) -> int:
        return self.ahead + self.level + self.behind

    @property
    def rate(self) -> int:
        """Return how many of a hundred people it left behind; a shared place counts half."""
        return round((100 * self.ahead + 50 * self.level) / self.people) if self.people else 0


def against_people(level: Level) -> Sequence[Against]:
    """Return how a level did, in the order of games; matches in which somebody practised or had hints do not count."""
    counted = Match.objects.filter(status=Match.Status.OVER, practice=False, hints=False)
    seats = Seat.objects.filter(bot=level, ended_at__isnull=False).order_by("-ended_at")
    keys = list(seats.values_list("pk", flat=True)[:LATEST])
    pairs = Seat.objects.filter(pk__in=keys, match__in=counted, match__seats__bot=None).order_by()
    theirs = pairs.annotate(theirs=F("match__seats__place")).values("match__game")
    rows = theirs.annotate(
        ahead=Count("pk", filter=Q(place__lt=F("theirs"))),
        same=Count("pk", filter=Q(place=F("theirs"))),
        behind=Count("pk", filter=Q(place__gt=F("theirs"))),
    )
    found = {row["match__game"]: row for row in rows}
    return [
        Against(title, found[slug]["ahead"], found[slug]["same"], found[slug]["behind"])
        for slug, title in titles().items()
        if slug in found
    ]
