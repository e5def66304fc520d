"""What a lesson is: positions of a game with something to read, to do or to answer in each, written as data.

The format is described in docs/lessons.md; `lesson_course` plays lessons.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec

from games.engine.protocol import OptionValue

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
    """A position: actions from the beginning of a match, then fields of the state that are otherwise.

    Args:
        actions: seats and texts.
        state: fields of the game's state by name, in the codec's JSON; they replace what the actions led to, and the
            title may make the rest fit (`lesson_course.Arrange`).
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
        replies: what the others, or chance, bring then: scripted actions.
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
        grade: 1 to 3, from what everybody needs to what only few need.
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
    """Say whether a text stands for many actions and not for one.

    >>> is_pattern("shift * a1 b1"), is_pattern("end")
    (True, False)
    """
    return bool(_WILD & set(text))


def read(data: bytes | str) -> Lesson:
    """Return the lesson of a file.

    Raises:
        LessonError: it is not a lesson.

    >>> read('{"kind": "poem"}')
    Traceback (most recent call last):
    games.engine.lessons.LessonError: Invalid enum value 'poem' - at `$.kind`
    """
    try:
        return msgspec.json.decode(data, type=Lesson)
    except msgspec.MsgspecError as error:
        raise LessonError(str(error)) from error


def read_rules(data: bytes | str) -> dict[str, Rule]:
    """Return the rules of a title's list by name.

    Raises:
        LessonError: it is not such a list.
    """
    try:
        return msgspec.json.decode(data, type=dict[str, Rule])
    except msgspec.MsgspecError as error:
        raise LessonError(str(error)) from error
