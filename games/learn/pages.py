"""The page of a lesson: one step, as far as its reader has come in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from games.engine.lessons import Course, LessonStep, NotAsked, Tried
from games.engine.protocol import RuleViolation
from games.learn.services import Offered, names_of, said
from games.matchmaking.fields import setup_query
from games.matchmaking.forms import PlayNowForm
from games.play.boards.standalone import SEPARATOR, StandaloneBoard
from games.play.http import whole_number
from games.play.models import Level
from games.titles import Fact, Scene, Title, titles

_MOST_ACTIONS, _LONGEST_ACTION = 60, 120
_LONG_LOG: Final = 3
_FOLDED: Final = 90
"""Characters from which the text before a task is folded on a small screen."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a lesson: the step, and what the learner has done in it.

    Args:
        number: of the step, from 0.
        texts: the actions done.
        answer: the answer chosen, None if none was.
        shown: whether the site has shown the solution.
    """

    number: int
    texts: tuple[str, ...] = ()
    answer: int | None = None
    shown: bool = False

    @property
    def query(self) -> str:
        """The part of the address for this spot."""
        fields: dict[str, Any] = {"step": self.number + 1}
        if self.texts:
            fields["line"] = SEPARATOR.join(self.texts)
        if self.answer is not None:
            fields["answer"] = self.answer + 1
        if self.shown:
            fields["shown"] = 1
        return f"?{urlencode(fields)}"


def number_of(text: str) -> int | None:
    """Return the index (from 0) that a number in an address (from 1) means; None if it is not a number."""
    number = whole_number(text)
    return number - 1 if number else None


@dataclass(frozen=True)
class Page:
    """A step of a lesson as its reader sees it.

    Args:
        offered: the lesson.
        course: the same, ready to be played.
        spot: where the reader is.
        tried: the step as far as it was played.
        refusal: why something was not done; otherwise empty.
        following: the lesson or exercise after this one, if there is one.
    """

    offered: Offered
    course: Course
    spot: Spot
    tried: Tried
    refusal: str
    following: Offered | None

    @property
    def title(self) -> Title:
        return titles()[self.offered.slug]

    @property
    def step(self) -> LessonStep:
        return self.course.lesson.steps[self.spot.number]

    @property
    def number(self) -> int:
        """The number of the step, from 1."""
        return self.spot.number + 1

    @property
    def count(self) -> int:
        return len(self.course.lesson.steps)

    @property
    def is_last(self) -> bool:
        return self.number == self.count

    @property
    def is_done(self) -> bool:
        """Whether nothing more is asked in this step."""
        return not self.step.asks or self.tried.done

    @property
    def is_over(self) -> bool:
        """Whether the lesson ends here."""
        return self.is_last and self.is_done

    @property
    def is_exercise(self) -> bool:
        return self.offered.is_exercise

    @property
    def address(self) -> str:
        return reverse("lesson", args=[self.offered.slug, self.offered.name])

    @property
    def line(self) -> str:
        """What was done so far, as the form and addresses carry it."""
        return SEPARATOR.join(self.spot.texts)

    @property
    def next(self) -> str:
        return f"{self.address}{Spot(self.spot.number + 1).query}"

    @property
    def back(self) -> str:
        """The address of the step before, or of the beginning of this one when something was done in it."""
        return f"{self.address}{Spot(self.spot.number - 1).query}"

    @property
    def again(self) -> str:
        """The address of this step before anything was done in it."""
        return f"{self.address}{Spot(self.spot.number).query}"

    @property
    def take_back(self) -> str:
        """The address of this step without the last action."""
        return f"{self.address}{Spot(self.spot.number, self.spot.texts[:-1]).query}"

    # --- words ----------------------------------------------------------------------------------------------------

    @property
    def before(self) -> Sequence[str]:
        """The paragraphs that lead to the task; all of them where nothing is asked."""
        return self._paragraphs[:-1] if self.step.asks else self._paragraphs

    @property
    def task(self) -> str:
        """The last paragraph of a step that asks for something."""
        return self._paragraphs[-1] if self.step.asks else ""

    @property
    def folds(self) -> bool:
        """Whether a small screen shows only the beginning of what comes before the task."""
        return self.step.asks and not self.is_done and sum(map(len, self.before)) > _FOLDED

    @property
    def _paragraphs(self) -> Sequence[str]:
        return [line.strip() for line in said(self.step.text).splitlines() if line.strip()]

    @property
    def hint(self) -> str:
        return said(self.step.hint)

    @property
    def why(self) -> str:
        return said(self.step.why)

    @property
    def praise(self) -> str:
        """What is said when a step is done."""
        if self.spot.shown:
            return _("This is how it goes.")
        return _("Solved.") if self.is_exercise and self.is_last else _("Right.")

    @property
    def choices(self) -> Sequence[tuple[int, str, bool]]:
        """The answers: number, text, and whether it is the right one and was chosen."""
        answered = self.tried.done
        return [
            (number, said(choice.text), answered and choice.right)
            for number, choice in enumerate(self.step.choices, start=1)
        ]

    @property
    def log(self) -> Sequence[str]:
        """What has happened in this step, a line for each event."""
        return [text for play in self.tried.plays for text in self._apart.lines(play.events)]

    @property
    def is_long_log(self) -> bool:
        """Whether so much has happened that it is folded."""
        return len(self.log) > _LONG_LOG

    @property
    def rules(self) -> Sequence[tuple[str, str]]:
        """The rules that the lesson covers: their names, and the addresses of their texts."""
        known, address = titles()[self.offered.slug].rules_taught, reverse("rules", args=[self.offered.slug])
        rules = (known[name] for name in self.course.lesson.rules if name in known)
        return [(said(rule.name), f"{address}#about-{rule.section}") for rule in rules]

    # --- board ----------------------------------------------------------------------------------------------------

    @cached_property
    def scene(self) -> Scene:
        last, seat = self.tried.last, self.course.seat
        active = self.step.asks_for_action and not self.tried.done and seat in last.to_move
        recent = self._plays[-1].events if self._plays else ()
        others = list(takewhile(lambda play: play.seat != seat, reversed(self._plays)))
        since = tuple(chain.from_iterable(play.events for play in reversed(others)))
        return self._apart.scene(last.state, recent, since, active=active, ended=last.outcome is not None)

    @property
    def board(self) -> str:
        return self._apart.html(self.scene)

    @property
    def facts(self) -> Sequence[tuple[int, str, Sequence[Fact]]]:
        return self._apart.facts(self.scene)

    @property
    def _apart(self) -> StandaloneBoard:
        return StandaloneBoard(self.title, self.course.seat, names_of(self.course), hints=not self.is_exercise)

    @cached_property
    def _plays(self) -> Sequence[Any]:
        """The plays that led to the position: in this step or, at its beginning, in the one before."""
        goes_on = not self.tried.plays and self.spot.number and self.step.start is None
        return self.course.solved(self.spot.number - 1).plays if goes_on else self.tried.plays

    # --- the end --------------------------------------------------------------------------------------------------

    @property
    def play_now(self) -> PlayNowForm:
        """The form for a match against the level Novice."""
        return PlayNowForm(initial={"game": self.offered.slug, "level": Level.NOVICE})

    @property
    def alone(self) -> str:
        """The address of a new table for one, with the options of the lesson."""
        asked = setup_query(self.title, 1, self.course.lesson.options)
        return f"{reverse('table_new')}?{urlencode({'game': self.offered.slug, **asked})}"


def page_of(offered: Offered, course: Course, spot: Spot, refusal: str = "", following: Offered | None = None) -> Page:
    """Return the page of a spot, or of its step's beginning with the reason if the spot is not legal or asked for."""
    try:
        tried = tried_at(course, spot)
    except (RuleViolation, NotAsked) as refused:
        spot, refusal = Spot(spot.number), refusal or in_words(refused)
        tried = tried_at(course, spot)
    return Page(offered, course, spot, tried, refusal, following)


def tried_at(course: Course, spot: Spot) -> Tried:
    """Return a step as far as it was played or answered.

    Raises:
        RuleViolation: the rules refuse an action, or there are too many.
        NotAsked: an action or an answer is not what is asked for.
    """
    if len(spot.texts) > _MOST_ACTIONS or any(len(text) > _LONGEST_ACTION for text in spot.texts):
        raise RuleViolation("notation", _("That is more than one step of a lesson."))
    if spot.answer is None or not course.lesson.steps[spot.number].choices:
        return course.tried(spot.number, spot.texts)
    course.answered(spot.number, spot.answer)
    return course.solved(spot.number)


def in_words(refused: RuleViolation | NotAsked) -> str:
    """Return why a try was refused."""
    if isinstance(refused, RuleViolation):
        return _(refused.text)
    return said(refused.says) or _("That is allowed, but it is not what is asked for here. Nothing is lost: try again.")


def solved_spot(course: Course, number: int) -> Spot:
    """Return the spot at which a step is solved."""
    step = course.lesson.steps[number]
    right = next((index for index, choice in enumerate(step.choices) if choice.right), None)
    return Spot(number, step.solution, right, shown=True)
