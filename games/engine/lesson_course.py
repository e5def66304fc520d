"""A lesson as it is played: what a try comes to, and when a step is done. All of it is pure.

Rules decide whether an action is legal, the lesson whether it is the one that is asked for. A learner is at a step and
has played a few actions in it, and everything else follows from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, Literal, TypeAlias

import msgspec

from games.engine import codec, runner
from games.engine.lessons import Choice, Lesson, LessonError, LessonStep, Start, is_pattern
from games.engine.protocol import AnyGame, Event, Seat

REACHED: Final = "reached"
OPEN: Final = "open"
MISSED: Final = "missed"
Verdict: TypeAlias = Literal["reached", "open", "missed"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a learner has done in a step, for its goal to judge.

    Args:
        seat: the learner's.
        before, after: the states when the step began and after the last action.
        actions: what the learner did.
        events: what happened, hidden things included.
    """

    seat: Seat
    before: Any
    after: Any
    actions: tuple[Any, ...]
    events: tuple[Event, ...]


Goal: TypeAlias = Callable[[Attempt], Verdict]

Arrange: TypeAlias = Callable[[Any, Any], Any]
"""Given a state and the same with some fields replaced, return the latter with the rest made to fit."""


def as_it_is(before: Any, after: Any) -> Any:
    """Return a state as a lesson gives it."""
    return after


class NotAsked(Exception):
    """A try that is not what the step asks for.

    Args:
        says: what the lesson says to it, by language; empty if it has no words for this try.
    """

    def __init__(self, says: Mapping[str, str]) -> None:
        super().__init__(says.get("en", "not asked"))
        self.says = says


@dataclass(frozen=True, slots=True)
class Tried:
    """A step as far as a learner has come.

    Args:
        begins: the position in which the step begins.
        plays: what happened since: the learner's actions and, when it is done, the replies.
        done: nothing more is asked.
    """

    begins: runner.Play[Any]
    plays: tuple[runner.Play[Any], ...]
    done: bool

    @property
    def last(self) -> runner.Play[Any]:
        return self.plays[-1] if self.plays else self.begins


@dataclass(frozen=True, slots=True)
class Course:
    """A lesson of a game, ready to be played. Steps are counted from 0.

    Args:
        game: its rules.
        lesson: the lesson.
        goals: the goals of the title by name.
        arrange: what makes the rest of a position fit the fields that the lesson gives.
    """

    game: AnyGame
    lesson: Lesson
    goals: Mapping[str, Goal]
    arrange: Arrange = as_it_is

    @property
    def seat(self) -> Seat:
        return Seat(self.lesson.seat)

    @property
    def _seed(self) -> bytes:
        return bytes.fromhex(self.lesson.seed)

    def begins(self, number: int) -> runner.Play[Any]:
        """Return the position in which a step begins.

        Raises:
            LessonError: the lesson has no such position.
            RuleViolation: a scripted action is not legal.
        """
        step = self.lesson.steps[number]
        if step.start is not None:
            return self._position(step.start)
        if number == 0:
            return self._position(self.lesson.start)
        return self.solved(number - 1).last

    def solved(self, number: int) -> Tried:
        """Return a step with its solution and the replies; otherwise as `begins`."""
        reached, plays = self.begins(number), list[runner.Play[Any]]()
        begins, step = reached, self.lesson.steps[number]
        for seat, text in (*((self.lesson.seat, text) for text in step.solution), *step.replies):
            reached = runner.follow(self.game, reached, Seat(seat), text, self._seed)
            plays.append(reached)
        return Tried(begins, tuple(plays), done=True)

    def tried(self, number: int, texts: tuple[str, ...]) -> Tried:
        """Return a step after some actions of the learner; once nothing more is asked, the replies are played too.

        Raises:
            RuleViolation: the rules refuse one of the actions.
            NotAsked: one is legal, but not what is asked for.
            LessonError: the lesson has no such position.
        """
        tried = Tried(self.begins(number), (), done=False)
        for text in texts:
            tried = self._further(number, tried, text)
        return self._replied(number, tried) if tried.done else tried

    def answered(self, number: int, choice: int) -> Choice:
        """Return the right answer to the question of a step.

        Raises:
            NotAsked: the answer is wrong, or there is no such answer.
        """
        choices = self.lesson.steps[number].choices
        chosen = choices[choice] if 0 <= choice < len(choices) else None
        if chosen is None or not chosen.right:
            raise NotAsked(chosen.says if chosen else {})
        return chosen

    def accepts(self, number: int, action: Any) -> bool:
        """Say whether an action is one of those that a step asks for."""
        return any(self.fits(pattern, action) for pattern in self.lesson.steps[number].accept)

    def fits(self, pattern: str, action: Any) -> bool:
        """Say whether a notation, or a pattern of one, stands for an action."""
        if is_pattern(pattern):
            return fnmatchcase(self.game.notate(action), pattern)
        return bool(self.game.parse(pattern) == action)

    def _further(self, number: int, tried: Tried, text: str) -> Tried:
        step, action = self.lesson.steps[number], self.game.parse(text)
        if tried.done or not step.asks_for_action:
            raise NotAsked({})
        if not self.accepts(number, action):
            self._react(step, action)
        play = runner.act(self.game, tried.last.position, self.seat, action, self._seed)
        after = Tried(tried.begins, (*tried.plays, play), done=True)
        if step.goal:
            return self._judged(step, after)
        if not self.accepts(number, action):
            raise NotAsked({})
        return after

    def _react(self, step: LessonStep, action: Any) -> None:
        """Say what the lesson has to say to a typical wrong try."""
        for pattern, says in step.tries.items():
            if self.fits(pattern, action):
                raise NotAsked(says)

    def _judged(self, step: LessonStep, tried: Tried) -> Tried:
        verdict = self.goals[step.goal](self._attempt(tried))
        if verdict == MISSED or (verdict == OPEN and self.seat not in tried.last.to_move):
            raise NotAsked(step.missed)
        return Tried(tried.begins, tried.plays, done=verdict == REACHED)

    def _attempt(self, tried: Tried) -> Attempt:
        actions = tuple(self.game.parse(play.text) for play in tried.plays)
        events = tuple(event for play in tried.plays for event in play.events)
        return Attempt(self.seat, tried.begins.state, tried.last.state, actions, events)

    def _replied(self, number: int, tried: Tried) -> Tried:
        plays = list(tried.plays)
        for seat, text in self.lesson.steps[number].replies:
            plays.append(runner.follow(self.game, plays[-1], Seat(seat), text, self._seed))
        return Tried(tried.begins, tuple(plays), done=True)

    def _position(self, start: Start) -> runner.Play[Any]:
        lesson = self.lesson
        reached: runner.Play[Any] = runner.begin(self.game, lesson.seats, lesson.options, self._seed)
        for seat, text in start.actions:
            reached = runner.follow(self.game, reached, Seat(seat), text, self._seed)
        return self._changed(reached, start.state) if start.state else reached

    def _changed(self, play: runner.Play[Any], fields: Mapping[str, Any]) -> runner.Play[Any]:
        """Return a position with some fields of the state replaced."""
        whole = self._replaced(play.state, msgspec.json.decode(codec.encode(play.state)), fields)
        try:
            state = self.arrange(play.state, msgspec.convert(whole, self.game.state_type))
        except (msgspec.MsgspecError, TypeError, ValueError) as error:
            raise LessonError(f"This is not a state of {self.game.slug}: {error}") from error
        position = runner.Position(play.number, state)
        to_move, outcome = self.game.to_move(state), self.game.outcome(state)
        return runner.Play(position, None, "", (), reveals=True, to_move=to_move, outcome=outcome)

    def _replaced(self, part: Any, whole: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON of a state with some fields replaced, and within a dataclass only those that are given."""
        if unknown := fields.keys() - whole.keys():
            raise LessonError(f"The state of {self.game.slug} has no {', '.join(sorted(unknown))}.")
        replaced = {**whole, **fields}
        for name, value in fields.items():
            if isinstance(value, dict) and is_dataclass(getattr(part, name)):
                replaced[name] = self._replaced(getattr(part, name), whole[name], value)
        return replaced
