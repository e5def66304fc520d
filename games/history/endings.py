"""How a match ended: its result for each seat, in one sentence, and as the page of the match shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.runner import LEAVING
from games.play.access import ViewedMatch
from games.play.boards.endings import ending_in_words, leaving_in_words, reason_in_words, unrated_in_words
from games.play.boards.fragments import scene_of
from games.play.models import AWARDED, Match, Seat
from games.play.records import current_position
from games.ratings.charts import Spark, spark_of
from games.ratings.models import RatingChange, points
from games.titles import Number, Scene


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


def result_in_words(match: Match, seats: Sequence[Seat]) -> str:
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


_DUEL = 2
_JOINER = "\u2060"
"""Between characters that no line may part."""
_NARROW = 10
"""A defeat by at most one point in so many is called close."""
_STRONGER = 100
"""From so many rating points on, the winner is called the stronger player."""

_PLACES = {2: gettext_lazy("You came second"), 3: gettext_lazy("You came third"), 4: gettext_lazy("You came fourth")}
_LAST = gettext_lazy("You came last")
_CONSOLING = (
    gettext_lazy("A good match needs everybody at the table. Thank you for yours."),
    gettext_lazy("Next time it may be you. The replay shows where it turned."),
    gettext_lazy("Every table is a new start. How about another one?"),
)
"""The last one speaks of nobody else."""


class Tone(StrEnum):
    """How the end of a match looks to its reader."""

    WON = "won"
    EVEN = "even"
    LOST = "lost"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Line:
    """What one player achieved: a value of each number, and what it did to their rating."""

    seat: Seat
    mine: bool
    values: tuple[str, ...]
    change: RatingChange | None


@dataclass(frozen=True)
class Ending:
    """A match that has ended, as one person sees it."""

    viewed: ViewedMatch

    @property
    def match(self) -> Match:
        return self.viewed.match

    @property
    def is_alone(self) -> bool:
        return self.match.seat_count == 1

    @property
    def may_be_shared(self) -> bool:
        """Return whether others can see the match."""
        return not self.match.is_secluded

    @cached_property
    def scene(self) -> Scene:
        return scene_of(self.viewed, current_position(self.match), self.viewed.viewer, active=False)

    @cached_property
    def _result(self) -> Result | None:
        return None if self.viewed.mine is None else result_of(self.viewed.mine, self.viewed.seats)

    @property
    def tone(self) -> Tone:
        if self._result is None:
            return Tone.PLAIN
        return {Result.WON: Tone.WON, Result.SHARED: Tone.EVEN, Result.LOST: Tone.LOST}[self._result]

    # --- in words ---------------------------------------------------------------------------------------------------

    @property
    def headline(self) -> str:
        """Return how it went in a few words, addressed to the reader."""
        if self.match.status == Match.Status.ABORTED:
            return _("The match was aborted")
        if self.is_alone:
            return self._alone()
        if self._result is None:
            return self._for_spectators()
        return self._for_players(self._result)

    def _alone(self) -> str:
        (seat,) = self.viewed.seats
        won = seat.place == 1
        if self.viewed.mine is not None:
            return _("You did it") if won else _("Not this time")
        text = _("%(name)s did it") if won else _("%(name)s did not make it")
        return text % {"name": seat.name}

    def _for_spectators(self) -> str:
        winners = [seat.name for seat in self.viewed.seats if seat.place == 1]
        words = {"names": get_text_list(winners, _("and")), "score": self._score}
        if len(winners) > 1:
            return _("%(names)s share first place") % words
        return (_("%(names)s won %(score)s") if self._score else _("%(names)s won")) % words

    def _for_players(self, result: Result) -> str:
        words = {"score": self._score}
        if result == Result.WON:
            return (_("You won %(score)s") if self._score else _("You won")) % words
        if result == Result.SHARED:
            return _("A draw") if self.match.seat_count == _DUEL else _("You share first place")
        if self.match.seat_count == _DUEL:
            return (_("You lost %(score)s") if self._score else _("You lost")) % words
        place = self.viewed.mine.place if self.viewed.mine else 0
        return str(_LAST if place == self.match.seat_count else _PLACES.get(place or 0, _LAST))

    @property
    def _score(self) -> str:
        """Return "14–8" in one word, the reader's own first; empty unless the score of two tells who has won."""
        if self.match.seat_count != _DUEL or self._is_left:
            return ""
        first, second = sorted(self.viewed.seats, key=lambda seat: (seat.number != self.viewed.viewer, seat.place or 0))
        if ((first.score or 0) > (second.score or 0)) != ((first.place or 0) < (second.place or 0)):
            return ""
        return "" if first.score == second.score else f"{first.score}–{_JOINER}{second.score}"

    @property
    def _is_left(self) -> bool:
        """Return whether the match ended because players left it."""
        return self.match.reason in LEAVING

    @property
    def details(self) -> str:
        """Return why it ended, where that is not said by the numbers, and why it does not count."""
        if self.match.status == Match.Status.ABORTED or self.match.reason == AWARDED:
            return f"{ending_in_words(self.match, self.viewed.seats)} {reason_in_words(self.match)}".strip()
        said = leaving_in_words(self.viewed.seats) if self._is_left or not self._told else self._told
        parts = (said, unrated_in_words(self.match, self.viewed.seats), self._reinstated)
        return " ".join(filter(None, parts))

    @property
    def _reinstated(self) -> str:
        """Return that moderators have taken back what they had decided, and why."""
        why = reason_in_words(self.match)
        return f"{_('Moderators have let the result stand as it was played.')} {why}" if why else ""

    @property
    def _told(self) -> str:
        """Return what the game says of its end where neither the headline nor the order of players tells it."""
        board = self.match.title.board
        if self.is_alone:
            result = board.solo_result(self.scene)
            return result.text if result else ""
        return "" if self._score or self.match.seat_count > _DUEL else board.status(self.scene)

    @property
    def kindness(self) -> str:
        """Return a kind sentence for somebody who has lost; empty for everybody else."""
        mine = self.viewed.mine
        if mine is None or self.tone != Tone.LOST:
            return ""
        if mine.timed_out:
            return _("Time is the hardest opponent. A slower clock may suit you better.")
        if mine.has_left:
            return _("Thank you for playing. Every new match is a fresh start.")
        return self._close(mine) or self._overpowered(mine) or self._consoling

    @property
    def _consoling(self) -> str:
        fitting = _CONSOLING[-1:] if self.is_alone else _CONSOLING
        return str(fitting[self.match.pk % len(fitting)])

    def _close(self, mine: Seat) -> str:
        best = max((seat.score or 0 for seat in self.viewed.seats if seat.place == 1), default=0)
        behind = best - (mine.score or 0)
        if self._is_left or not 0 < behind * _NARROW <= best:
            return ""
        text = ngettext("So close: %(count)s point behind.", "So close: %(count)s points behind.", behind)
        return text % {"count": behind}

    def _overpowered(self, mine: Seat) -> str:
        own = self._changes.get(mine.number)
        best = next((self._changes.get(seat.number) for seat in self.viewed.seats if seat.place == 1), None)
        if own is None or best is None or best.before - own.before < _STRONGER * 1000:
            return ""
        words = {"name": self.viewed.names[best.seat], "count": points(best.before) - points(own.before)}
        return _("%(name)s was rated %(count)s points above you: well fought.") % words

    # --- in numbers -------------------------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> Sequence[Number]:
        return self.match.title.board.decisive(self.scene)

    @property
    def lines(self) -> list[Line]:
        """Return what each player achieved, the best first."""
        order = sorted(self.viewed.seats, key=lambda seat: (seat.place or 0, seat.number))
        return [self._line(seat) for seat in order]

    def _line(self, seat: Seat) -> Line:
        values = tuple(number.values[seat.number] for number in self.numbers)
        return Line(seat, seat.number == self.viewed.viewer, values, self._changes.get(seat.number))

    @cached_property
    def _changes(self) -> dict[int, RatingChange]:
        return {change.seat: change for change in RatingChange.objects.filter(match=self.match)}

    @property
    def is_rated(self) -> bool:
        return bool(self._changes)

    @property
    def spark(self) -> Spark | None:
        """Return the drawing of what the match did to the reader's own rating."""
        own = None if self.viewed.viewer is None else self._changes.get(self.viewed.viewer)
        return None if own is None else spark_of(own)
