"""Lessons: positions of a game with something to read, to do or to answer in each, and how they are played.

Lessons are data; docs/lessons.md describes the format of their files. A `Course` plays one: the rules decide whether an
action is legal, the lesson whether it is the one that is asked for. Where a learner is follows from the number of a
step and the actions played in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, Literal, TypeAlias

import msgspec

from games.engine import codec, runner
from games.engine.protocol import AnyGame, Event, OptionValue, Seat

Text: TypeAlias = dict[str, str]
"""A sentence or a few, by language."""

Played: TypeAlias = tuple[tuple[int, str], ...]
"""Actions with the seats that take them."""

LESSON: Final = "lesson"
EXERCISE: Final = "exercise"
_WILD: Final = frozenset("*?[")


class LessonError(ValueError):
    """A lesson that cannot be read or played; the text says where and why."""


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a lesson: a field that the format does not know is a mistake in the file."""


class Start(_Part, frozen=True):
    """A position: actions from the beginning of a match, then fields of the state that are replaced.

    Args:
        actions: seats and texts.
        state: fields of the game's state by name, in the codec's JSON; they replace what the actions led to, and the
            title may make the rest fit (`Arrange`).
    """

    actions: Played = ()
    state: dict[str, Any] = {}


class Choice(_Part, frozen=True):
    """An answer to a question.

    Args:
        text: the answer.
        right: it is the right one.
        says: what is said when somebody chooses it.
    """

    text: Text
    right: bool = False
    says: Text = {}


class LessonStep(_Part, frozen=True):
    """A step: something to read, to do (`accept` or `goal`), or to answer (`choices`).

    Args:
        text: what the learner reads, with what is asked.
        start: the position of this step; without it the step goes on where the solution of the one before ends.
        accept: actions that are asked for, each in notation or as a pattern with `*`, `?` and `[..]`.
        goal: instead, the name of a goal of the title: the learner plays on until it is reached.
        choices: instead, answers to choose from.
        tries: typical wrong tries, notation or pattern, and what is said to each; the first that fits counts.
        missed: what is said to an action after which the goal cannot be reached any more.
        hint: what helps without telling everything.
        solution: the actions that "Show me" plays; those after which the next step begins.
        why: why this is right; said when the step is done.
        replies: scripted actions that follow, usually of the other seats.
        glow: what glows on the board, a field of its form and a value: "cell -1,0".
    """

    text: Text
    start: Start | None = None
    accept: tuple[str, ...] = ()
    goal: str = ""
    choices: tuple[Choice, ...] = ()
    tries: dict[str, Text] = {}
    missed: Text = {}
    hint: Text = {}
    solution: tuple[str, ...] = ()
    why: Text = {}
    replies: Played = ()
    glow: str = ""

    @property
    def asks_for_action(self) -> bool:
        return bool(self.accept or self.goal)

    @property
    def asks(self) -> bool:
        """Whether anything is to be done but to read."""
        return self.asks_for_action or bool(self.choices)


class Lesson(_Part, frozen=True):
    """A lesson, or an exercise, of a game.

    Args:
        kind: "lesson" or "exercise".
        title, summary: its name, and a sentence on what it is about.
        grade: 1 for what everybody needs to 3 for what few need.
        order: its place among those of the same kind and grade.
        rules: the rules that it covers, names from the title's list.
        seats, options, seed: with which the match begins (the seed in hexadecimal, any length).
        seat: the learner's.
        names: of the players by seat; without them the learner is "You".
        start: where its first step begins.
        steps: what is read, done and answered.
        end: how the match at the end is played: "bot" against a bot, "solo" alone, "" offers none.
    """

    kind: Literal["lesson", "exercise"]
    title: Text
    summary: Text
    rules: tuple[str, ...]
    seats: int
    steps: tuple[LessonStep, ...]
    grade: Literal[1, 2, 3] = 1
    order: int = 0
    options: dict[str, OptionValue] = {}
    seed: str = "00"
    seat: int = 0
    names: tuple[str, ...] = ()
    start: Start = Start()
    end: Literal["bot", "solo", ""] = "bot"


class Rule(_Part, frozen=True):
    """A rule that lessons and exercises cover.

    Args:
        name: in a few words, by language.
        section: the anchor of the section of the rules that states it.
    """

    name: Text
    section: str


def is_pattern(text: str) -> bool:
    """Return whether a text stands for many actions and not for one.

    >>> is_pattern("shift * a1 b1"), is_pattern("end")
    (True, False)
    """
    return bool(_WILD & set(text))


def read_lesson(data: bytes | str) -> Lesson:
    """Return the lesson of a file.

    Raises:
        LessonError: it is not a lesson.

    >>> read_lesson('{"kind": "poem"}')
    Traceback (most recent call last):
    games.engine.lessons.LessonError: Invalid enum value 'poem' - at `$.kind`
    """
    try:
        return codec.decoder(Lesson).decode(data)
    except msgspec.MsgspecError as error:
        raise LessonError(str(error)) from error


def read_rules(data: bytes | str) -> dict[str, Rule]:
    """Return the rules of a title's list by name.

    Raises:
        LessonError: it is not such a list.
    """
    try:
        return codec.decoder(dict[str, Rule]).decode(data)
    except msgspec.MsgspecError as error:
        raise LessonError(str(error)) from error


# --- playing ----------------------------------------------------------------------------------------------------------

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
        if not tried.done:
            return tried
        plays = list(tried.plays)
        for seat, text in self.lesson.steps[number].replies:
            plays.append(runner.follow(self.game, plays[-1], Seat(seat), text, self._seed))
        return Tried(tried.begins, tuple(plays), done=True)

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
        """Return whether an action is one of those that a step asks for."""
        return any(self.fits(pattern, action) for pattern in self.lesson.steps[number].accept)

    def fits(self, pattern: str, action: Any) -> bool:
        """Return whether a notation, or a pattern of one, stands for an action."""
        if is_pattern(pattern):
            return fnmatchcase(self.game.notate(action), pattern)
        return bool(self.game.parse(pattern) == action)

    def _further(self, number: int, tried: Tried, text: str) -> Tried:
        step, action = self.lesson.steps[number], self.game.parse(text)
        if tried.done or not step.asks_for_action:
            raise NotAsked({})
        accepted = self.accepts(number, action)
        if not accepted:
            for pattern, says in step.tries.items():
                if self.fits(pattern, action):
                    raise NotAsked(says)
        play = runner.act(self.game, tried.last.position, self.seat, action, self._seed)
        after = Tried(tried.begins, (*tried.plays, play), done=True)
        if step.goal:
            return self._judged(step, after)
        if not accepted:
            raise NotAsked({})
        return after

    def _judged(self, step: LessonStep, tried: Tried) -> Tried:
        """Return a try with whether it has reached the goal of its step."""
        actions = tuple(self.game.parse(play.text) for play in tried.plays)
        events = tuple(event for play in tried.plays for event in play.events)
        attempt = Attempt(self.seat, tried.begins.state, tried.last.state, actions, events)
        verdict = self.goals[step.goal](attempt)
        if verdict == MISSED or (verdict == OPEN and self.seat not in tried.last.to_move):
            raise NotAsked(step.missed)
        return Tried(tried.begins, tried.plays, done=verdict == REACHED)

    def _position(self, start: Start) -> runner.Play[Any]:
        lesson = self.lesson
        reached: runner.Play[Any] = runner.begin(self.game, lesson.seats, lesson.options, self._seed)
        for seat, text in start.actions:
            reached = runner.follow(self.game, reached, Seat(seat), text, self._seed)
        return self._changed(reached, start.state) if start.state else reached

    def _changed(self, play: runner.Play[Any], fields: Mapping[str, Any]) -> runner.Play[Any]:
        """Return a position with some fields of the state replaced."""
        codec.decoder(self.game.state_type)  # so that msgspec knows the type before several threads ask for it
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
