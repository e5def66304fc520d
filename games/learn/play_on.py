"""A lesson goes on as a match against Novice, from the board on which it ends or, if that match is over, began.

Nothing is stored: an address carries what was played, signed, because it tells what the bots hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, takewhile
from secrets import token_bytes
from typing import Any, Final

from django.core import signing
from django.utils.translation import gettext as _

from games.bots import thinking
from games.bots.thinking import Begun, question_about
from games.engine import runner
from games.engine.lessons import LESSON, Course
from games.engine.protocol import RuleViolation, Seat
from games.play.boards.standalone import StandaloneBoard
from games.play.models import Level
from games.titles import Fact, Scene, Title

_SALT: Final = "games.learn.play_on"
_SECONDS: Final = 1.0
"""Seconds of a processor that a bot may think about an action; Novice needs a few hundredths."""

_MOST: Final = 400
"""Actions of a match: as many as an address carries."""


@dataclass(frozen=True)
class PlayedOn:
    """A lesson played on.

    Args:
        title: its game.
        course: the lesson.
        plays: what was played since its end, by the learner and by bots.
        refusal: why something was not done; otherwise empty.
    """

    title: Title
    course: Course
    plays: tuple[runner.Play[Any], ...] = ()
    refusal: str = ""

    @cached_property
    def start(self) -> runner.Play[Any]:
        """The position in which the lesson ends; its first one if nothing follows that."""
        ends = self.course.solved(len(self.course.lesson.steps) - 1).last
        return ends if ends.outcome is None else self.course.begins(0)

    @property
    def last(self) -> runner.Play[Any]:
        return self.plays[-1] if self.plays else self.start

    @property
    def is_over(self) -> bool:
        return self.last.outcome is not None

    @property
    def line(self) -> str:
        """What was played, as the form and addresses carry it; empty for nothing."""
        played = [(play.seat, play.text) for play in self.plays]
        return signing.dumps(played, salt=_SALT, compress=True) if played else ""

    # --- playing --------------------------------------------------------------------------------------------------

    def after(self, text: str) -> PlayedOn:
        """Return this after an action of the learner, and what the bots do then.

        Raises:
            RuleViolation: the action is not legal, or there are too many.
        """
        if len(self.plays) >= _MOST:
            raise RuleViolation("steps", _("This match has become too long. Start again."))
        return self.with_action(self.course.seat, text).answered()

    def answered(self) -> PlayedOn:
        """Return this after what the bots do until the learner is to move, or all is over."""
        game, found, turns = self.course.game, self, dict[Seat, Begun]()
        while found.last.to_move and self.course.seat not in found.last.to_move and len(found.plays) < _MOST:
            state, seat = found.last.state, min(found.last.to_move)
            turn = turns.get(seat) or Begun(state, (), token_bytes(32))
            question = question_about(game, state, seat, Level.NOVICE, _SECONDS, f"a lesson of {game.slug}", turn)
            found = found.with_action(seat, thinking.answer(question))
            turns = {seat: replace(turn, done=(*turn.done, game.parse(found.last.text)))}
        return found

    def with_action(self, seat: Seat, text: str) -> PlayedOn:
        """Return this after an action of any seat."""
        play = runner.follow(self.course.game, self.last, seat, text, bytes.fromhex(self.course.lesson.seed))
        return replace(self, plays=(*self.plays, play))

    # --- showing --------------------------------------------------------------------------------------------------

    @cached_property
    def scene(self) -> Scene:
        recent = self.plays[-1].events if self.plays else ()
        others = list(takewhile(lambda play: play.seat != self.course.seat, reversed(self.plays)))
        since = tuple(chain.from_iterable(play.events for play in reversed(others)))
        return self._apart.scene(self.last.state, recent, since, active=not self.is_over, ended=self.is_over)

    @property
    def board(self) -> str:
        return self._apart.html(self.scene)

    @property
    def status(self) -> str:
        """What is to be done, or how it ended."""
        return self.title.board.status(self.scene)

    @property
    def told(self) -> Sequence[str]:
        """What has happened since the learner began to act last, a line for each event."""
        own = [number for number, play in enumerate(self.plays) if play.seat == self.course.seat]
        latest = self.plays[own[-1] :] if own else self.plays
        return [text for play in latest for text in self._apart.lines(play.events)]

    @property
    def facts(self) -> Sequence[tuple[int, str, Sequence[Fact]]]:
        return self._apart.facts(self.scene)

    @property
    def _apart(self) -> StandaloneBoard:
        return StandaloneBoard(self.title, self.course.seat, self._names)

    @property
    def _names(self) -> tuple[str, ...]:
        """The players' names: the bots are called what they are."""
        bots, name = count(1), str(Level.NOVICE.label)
        numbers = {seat: next(bots) for seat in range(self.course.lesson.seats) if seat != self.course.seat}
        return tuple(
            _("You") if seat == self.course.seat else f"{name} {numbers[seat]}" if numbers[seat] > 1 else name
            for seat in range(self.course.lesson.seats)
        )


def played_on(title: Title, course: Course, line: str) -> PlayedOn:
    """Return a lesson played on as far as an address says; from its end, with the reason, if that cannot be read."""
    begun = PlayedOn(title, course)
    try:
        actions = signing.loads(line, salt=_SALT) if line else []
        for seat, text in actions:
            begun = begun.with_action(Seat(seat), text)
    except (signing.BadSignature, RuleViolation, ValueError, TypeError):
        refusal = _("Your moves could not be read, so the match starts again.")
        return replace(PlayedOn(title, course).answered(), refusal=refusal)
    return begun if line else begun.answered()


def may_be_played_on(course: Course) -> bool:
    """Return whether a lesson leads to a match against bots."""
    lesson = course.lesson
    return lesson.kind == LESSON and lesson.end == "bot" and lesson.seats > 1
