"""The lessons and exercises that can be taken, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games.engine.lessons import EXERCISE, LESSON, Course, Lesson
from games.learn.progress import Come
from games.titles import Title, titles
from games.titles.registry import lessons_of

GRADES = {1: gettext_lazy("Easy"), 2: gettext_lazy("Medium"), 3: gettext_lazy("Hard")}


def said(text: Mapping[str, str]) -> str:
    """Return a text of a lesson in the reader's language; empty if there is none."""
    return text.get(get_language() or "") or text.get("en", "")


@dataclass(frozen=True, slots=True)
class Offered:
    """A lesson or exercise of a game, and how far its reader has come.

    Args:
        slug: of the game.
        name: of the lesson.
        lesson: what it consists of.
        come: how far the reader has come.
    """

    slug: str
    name: str
    lesson: Lesson
    come: Come

    @property
    def title(self) -> str:
        return said(self.lesson.title)

    @property
    def summary(self) -> str:
        return said(self.lesson.summary)

    @property
    def is_exercise(self) -> bool:
        return self.lesson.kind == EXERCISE

    @property
    def url(self) -> str:
        """The address at which the reader goes on."""
        address = reverse("lesson", args=[self.slug, self.name])
        begun = 0 < self.come.reached < len(self.lesson.steps) and not self.come.is_done
        return f"{address}?step={self.come.reached + 1}" if begun else address

    @property
    def state(self) -> str:
        """How far the reader has come, in words; empty before the first step."""
        if self.come.is_done:
            return _("solved") if self.is_exercise else _("done")
        if not self.come.reached:
            return ""
        words = {"done": self.come.reached, "all": len(self.lesson.steps)}
        return _("%(done)s of %(all)s steps") % words


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be learned of a game."""

    title: Title
    lessons: Sequence[Offered]
    exercises: Sequence[Offered]

    @property
    def next_lesson(self) -> Offered | None:
        """The first lesson that is not done, the first one when all are."""
        return next((each for each in self.lessons if not each.come.is_done), next(iter(self.lessons), None))

    @property
    def grades(self) -> Sequence[tuple[str, Sequence[Offered]]]:
        """The exercises by grade, with its name."""
        found = [
            (name, [each for each in self.exercises if each.lesson.grade == grade]) for grade, name in GRADES.items()
        ]
        return [(str(name), exercises) for name, exercises in found if exercises]

    @property
    def solved(self) -> int:
        return sum(each.come.is_done for each in self.exercises)


def offer_of(slug: str, come: Mapping[tuple[str, str], Come]) -> Offer | None:
    """Return what can be learned of a game, None if nothing can."""
    lessons = lessons_of(slug) if slug in titles() else {}
    all_ = [Offered(slug, name, lesson, come.get((slug, name), Come())) for name, lesson in lessons.items()]
    by_kind = ([each for each in all_ if each.lesson.kind == kind] for kind in (LESSON, EXERCISE))
    return Offer(titles()[slug], *by_kind) if all_ else None


def offers(come: Mapping[tuple[str, str], Come]) -> Sequence[Offer]:
    """Return what can be learned of every game that teaches anything."""
    found = (offer_of(slug, come) for slug in titles())
    return [offer for offer in found if offer]


def after(offer: Offer, name: str) -> Offered | None:
    """Return what comes after a lesson or exercise, None after the last one."""
    every = [*offer.lessons, *offer.exercises]
    names = [each.name for each in every]
    following = every[names.index(name) + 1 :]
    return following[0] if following else None


def names_of(course: Course) -> tuple[str, ...]:
    """Return what the players of a lesson are called."""
    others: Any = iter(("Ann", "Bob", "Cleo", "Dan", "Eve"))
    given = course.lesson.names or ("",) * course.lesson.seats
    return tuple(_("You") if seat == course.lesson.seat else name or next(others) for seat, name in enumerate(given))
