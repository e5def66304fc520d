"""How a match ended: its result for each seat, in one sentence, and as the page of the match shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol, TypeAlias

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from games.engine.protocol import RuleViolation
from games.engine.runner import LEAVING
from games.play.access import ViewedMatch
from games.play.boards.endings import (
    ending_in_words,
    leaving_in_words,
    own_place_in_words,
    reason_in_words,
    unrated_in_words,
)
from games.play.boards.fragments import scene_of
from games.play.boards.log import LogLine, log_lines
from games.play.models import AWARDED, Match, Seat
from games.play.records import current_position, plays
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


class Placed(Protocol):
    """A seat of a match that has ended."""

    @property
    def place(self) -> int | None:
        """Return the place of its player, None for none."""


def result_of(seat: Placed, seats: Sequence[Placed]) -> Result | None:
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
        text = _("%(name)s has won.") if seats[0].place == 1 else _("%(name)s has lost.")
        return text % {"name": seats[0].name}
    winners = [seat.name for seat in seats if seat.place == 1]
    text = ngettext("%(names)s has won.", "%(names)s share first place.", len(winners))
    won = text % {"names": get_text_list(winners, _("and"))}
    return " ".join(filter(None, (won, leaving_in_words(seats), unrated_in_words(match, seats))))


# --- on the page of the match -----------------------------------------------------------------------------------------

_DUEL = 2
_WORD_JOINER = "\u2060"
_NARROW = 10
"""A defeat by at most a tenth of the winner's score is called close."""
_STRONGER = 100
"""Rating points from which on the winner is called the stronger player."""
_TELLING = 3
"""Lines of the log at most that tell of one move at the end."""
_SCORED = 4
"""Of what brought points in it, where it did."""


class Stage(Enum):
    """A late part of a match, by the share of it that is over when it begins; the latest first."""

    NEARLY_OVER = 0.9
    LAST_QUARTER = 0.75
    SECOND_HALF = 0.5


_AHEAD = {
    Stage.NEARLY_OVER: gettext_lazy("You were still ahead shortly before the end."),
    Stage.LAST_QUARTER: gettext_lazy("You were still ahead more than three quarters of the way through."),
    Stage.SECOND_HALF: gettext_lazy("You were still ahead more than halfway through."),
}


class DecisiveTurn(NamedTuple):
    """The turn that decided a match: the numbers of its actions, and what it did in words."""

    actions: range
    words: str


class Turning(NamedTuple):
    """A turn that the page of the end tells of, and its lines in the log; none if they are told already."""

    turn: DecisiveTurn
    lines: Sequence[LogLine]


class Judgement(NamedTuple):
    """What a review knows of a match for the page of its end.

    Args:
        ahead: when its reader last had the better chances, in a sentence; empty if they never had, or do not play.
        best: what raised the reader's chances most, in a sentence; empty likewise.
        decisive: None unless one player ended first.
    """

    ahead: str
    best: str
    decisive: DecisiveTurn | None


Judging: TypeAlias = Callable[[ViewedMatch], Judgement | None]
"""Returns what a review of a match that is over has found; None until there is a finished one."""

_judging: Judging | None = None


def register_judging(judging: Judging) -> None:
    """Register what knows reviews; the level that makes them does this when it is ready."""
    global _judging  # noqa: PLW0603  # there is one
    _judging = judging


class ScoreHistory(NamedTuple):
    """How the score of a match went.

    Args:
        moves: for each seat the points of every action that brought it some, by the number of the action.
        turns: for each seat the points of every turn that brought it some.
        last_ahead: for each seat the number of the last action after which it alone had most; 0 if it never had.
    """

    moves: tuple[Mapping[int, int], ...]
    turns: tuple[Sequence[int], ...]
    last_ahead: tuple[int, ...]

    def best_move(self, seat: int) -> int | None:
        """Return the number of the action that brought a seat more than any other did, None if none stands out."""
        (number, most), (_, second) = (*Counter(self.moves[seat]).most_common(2), (0, 0), (0, 0))[:2]
        return number if most > max(second, 1) else None


@lru_cache(maxsize=500)
def _score_history(slug: str, version: int) -> ScoreHistory:
    """Return how the score of a finished match went, by playing it again; kept by the version of the match."""
    match = Match.objects.get(slug=slug)
    seats = list(match.seats.order_by("number"))
    moves, turns = ([Counter[int]() for _ in seats] for _ in range(2))
    ahead, turn, mover, before = [0] * len(seats), 0, None, None
    try:
        for number, play in enumerate(plays(match, seats)):
            turn += match.title.has_secret_turns or play.seat != mover
            mover = play.seat
            board = match.title.board
            bonus = () if before is None else board.bonus(before, play.events)
            before = play.position.state
            for seat, points_of_it in (*filter(None, map(board.brought, play.events)), *bonus):
                moves[seat][number] += points_of_it
                turns[seat][turn] += points_of_it
            scores = match.rules.standing(play.position.state)
            for seat, score in enumerate(scores):
                if score == max(scores) and scores.count(score) == 1:
                    ahead[seat] = number
    except RuleViolation:  # of rules that are no longer kept
        return ScoreHistory(({},) * len(seats), ((),) * len(seats), (0,) * len(seats))
    return ScoreHistory(tuple(moves), tuple(tuple(each.values()) for each in turns), tuple(ahead))


def stage_of(number: int, length: int) -> Stage | None:
    """Return how late in a match of `length` actions the action `number` was; None for its first half."""
    return next((stage for stage in Stage if number and number >= stage.value * length), None)


class Tone(StrEnum):
    """The mood in which the page shows the end to its reader."""

    WON = "won"
    EVEN = "even"
    LOST = "lost"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Line:
    """The row of one player: the value of each of the game's numbers, and the change of their rating."""

    seat: Seat
    mine: bool
    values: tuple[str, ...]
    change: RatingChange | None


@dataclass(frozen=True)
class Ending:
    """The end of a match as one person sees it."""

    viewed: ViewedMatch

    @property
    def match(self) -> Match:
        return self.viewed.match

    @property
    def is_solo(self) -> bool:
        return self.match.seat_count == 1

    @property
    def is_guests(self) -> bool:
        """Return whether the reader played as a guest."""
        return self.viewed.mine is not None and self.viewed.mine.is_guest

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
        if self.is_solo:
            return self._solo()
        if self._result is None:
            return self._for_spectators()
        return self._for_players(self._result)

    def _solo(self) -> str:
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
        place = self.viewed.mine.place if self.viewed.mine else None
        return own_place_in_words(place or self.match.seat_count, self.match.seat_count)

    @property
    def _score(self) -> str:
        """Return "14–8" unbreakable, the reader's own score first; empty unless the scores of two tell who has won."""
        if self.match.seat_count != _DUEL or self._is_left:
            return ""
        first, second = sorted(self.viewed.seats, key=lambda seat: (seat.number != self.viewed.viewer, seat.place or 0))
        if ((first.score or 0) > (second.score or 0)) != ((first.place or 0) < (second.place or 0)):
            return ""
        if first.score == second.score:
            return ""
        return _("%(own)s–%(other)s") % {"own": first.score, "other": f"{_WORD_JOINER}{second.score}"}

    @property
    def _is_left(self) -> bool:
        """Return whether the match ended because players left it."""
        return self.match.reason in LEAVING

    @property
    def details(self) -> str:
        """Return why it ended, unless the numbers say that, and why it does not count."""
        if self.match.status == Match.Status.ABORTED or self.match.reason == AWARDED:
            ended = ending_in_words(self.match, self.viewed.seats, self.viewed.viewer)
            return f"{ended} {reason_in_words(self.match)}".strip()
        by_game = "" if self._is_left else self._status
        why = reason_in_words(self.match)
        reinstated = f"{_('Moderators have let the result stand as it was played.')} {why}" if why else ""
        text = by_game or leaving_in_words(self.viewed.seats, self.viewed.viewer)
        return " ".join(filter(None, (text, unrated_in_words(self.match, self.viewed.seats), reinstated)))

    @property
    def _status(self) -> str:
        """Return what the game says of its end, unless the headline or the order of players says it."""
        board = self.match.title.board
        if self.is_solo:
            result = board.solo_result(self.scene)
            return result.text if result else ""
        return "" if self._score or self.match.seat_count > _DUEL else board.status(self.scene)

    @property
    def consolation(self) -> str:
        """Return what was good or close, in one true sentence, for somebody who has lost; empty for everybody else.

        It comes from the course of the score alone, so that it stays when there is a review.
        """
        mine = self.viewed.mine
        if mine is None or not self._is_lost:
            return ""
        tell = (self._close, self._ahead, self._overpowered, self._best)
        return next(filter(None, (told(mine) for told in tell)), "")

    @property
    def chance(self) -> str:
        """Return how good their chances were, in a sentence, for somebody who has lost; empty before a review."""
        return (self._judgement.ahead or self._judgement.best) if self._judgement and self._is_lost else ""

    @property
    def _is_lost(self) -> bool:
        return self.tone == Tone.LOST and not self.is_solo

    @cached_property
    def _judgement(self) -> Judgement | None:
        return _judging(self.viewed) if _judging and self.match.is_over else None

    def _ahead(self, mine: Seat) -> str:
        stage = stage_of(self._history.last_ahead[mine.number], self.match.length)
        return str(_AHEAD[stage]) if stage else ""

    def _best(self, mine: Seat) -> str:
        gain = max(self._history.turns[mine.number], default=0)
        text = ngettext("Your best turn scored %(count)s point.", "Your best turn scored %(count)s points.", gain)
        return text % {"count": gain} if gain > 0 else ""

    @cached_property
    def _history(self) -> ScoreHistory:
        return _score_history(self.match.slug, self.match.version)

    @property
    def turning(self) -> Sequence[Turning]:
        """Return the move that brought the winner most and, as soon as a review knows it, the turn that decided it.

        There is none unless the rules ended the match for one winner; the first only if that move stands out. What a
        review adds comes last, and tells no move again.
        """
        winners = [seat.number for seat in self.viewed.seats if seat.place == 1]
        if not self.match.is_over or self.is_solo or self._is_left or len(winners) != 1:
            return ()
        found, best = list[Turning](), self._history.best_move(winners[0])
        if best is not None:
            is_own = winners[0] == self.viewed.viewer
            text = (
                _("Your highest-scoring move: +%(count)s")
                if is_own
                else _("%(name)s’s highest-scoring move: +%(count)s")
            )
            words = {"name": self.viewed.names[winners[0]], "count": self._history.moves[winners[0]][best]}
            found.append(self._told(DecisiveTurn(range(best, best + 1), text % words)))
        if self._judgement and self._judgement.decisive:
            decisive = self._judgement.decisive
            found.append(Turning(decisive, ()) if best in decisive.actions else self._told(decisive))
        return found

    def _told(self, turn: DecisiveTurn) -> Turning:
        """Return a turn as the log tells it: what brought points, or else its last picture."""
        latest_first = log_lines(self.viewed, self.viewed.viewer, before=turn.actions.stop, limit=len(turn.actions))
        told = sorted(latest_first, key=lambda line: line.number)
        if scoring := [line for line in told if line.scores]:
            return Turning(turn, scoring[-_SCORED:])
        last = max((at for at, line in enumerate(told) if line.picture), default=0)
        return Turning(turn, told[max(0, last - 1) :][:_TELLING])

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
        """Return a row for each player, the best first."""
        return [
            Line(
                seat,
                mine=seat.number == self.viewed.viewer,
                values=tuple(number.values[seat.number] for number in self.numbers),
                change=self._changes.get(seat.number),
            )
            for seat in sorted(self.viewed.seats, key=lambda seat: (seat.place or 0, seat.number))
        ]

    @cached_property
    def _changes(self) -> dict[int, RatingChange]:
        return {change.seat: change for change in RatingChange.objects.filter(match=self.match)}

    @property
    def is_rated(self) -> bool:
        return bool(self._changes)

    @property
    def spark(self) -> Spark | None:
        """Return the drawing of the change of the reader's rating, None without one."""
        own = None if self.viewed.viewer is None else self._changes.get(self.viewed.viewer)
        return None if own is None else spark_of(own)
