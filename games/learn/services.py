"""Lessons and exercises on offer, and how far a reader has come: in the account, or for visitors in the session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext as _, gettext_lazy

from accounts.logins import keep_visit
from games.engine.lessons import EXERCISE, LESSON, Course, Lesson
from games.learn.models import Progress
from games.titles import Title, titles

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
        reached: how far the reader has come.
    """

    slug: str
    name: str
    lesson: Lesson
    reached: Reached

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
        """The address of the step at which the reader continues."""
        address = reverse("lesson", args=[self.slug, self.name])
        begun = 0 < self.reached.steps < len(self.lesson.steps) and not self.reached.is_done
        return f"{address}?step={self.reached.steps + 1}" if begun else address

    @property
    def state(self) -> str:
        """How far the reader has come, in words; empty before the first step."""
        if self.reached.is_done:
            return _("solved") if self.is_exercise else _("done")
        if not self.reached.steps:
            return ""
        words = {"done": self.reached.steps, "all": len(self.lesson.steps)}
        return _("%(done)s of %(all)s steps") % words


@dataclass(frozen=True, slots=True)
class Offer:
    """The lessons and exercises of a game."""

    title: Title
    lessons: Sequence[Offered]
    exercises: Sequence[Offered]

    @property
    def next_lesson(self) -> Offered | None:
        """The first lesson that is not done, the first one when all are."""
        return next((each for each in self.lessons if not each.reached.is_done), next(iter(self.lessons), None))

    @property
    def grades(self) -> Sequence[tuple[str, Sequence[Offered]]]:
        """The exercises by grade, with its name."""
        found = [
            (name, [each for each in self.exercises if each.lesson.grade == grade]) for grade, name in GRADES.items()
        ]
        return [(str(name), exercises) for name, exercises in found if exercises]

    @property
    def solved(self) -> int:
        return sum(each.reached.is_done for each in self.exercises)


def offer_of(slug: str, reached: Mapping[tuple[str, str], Reached]) -> Offer | None:
    """Return the lessons and exercises of a game, None if it has none."""
    lessons = titles()[slug].lessons if slug in titles() else {}
    found = [Offered(slug, name, lesson, reached.get((slug, name), Reached())) for name, lesson in lessons.items()]
    by_kind = ([each for each in found if each.lesson.kind == kind] for kind in (LESSON, EXERCISE))
    return Offer(titles()[slug], *by_kind) if found else None


def offers(reached: Mapping[tuple[str, str], Reached]) -> Sequence[Offer]:
    """Return the lessons and exercises of every game that has some."""
    found = (offer_of(slug, reached) for slug in titles())
    return [offer for offer in found if offer]


def names_of(course: Course) -> tuple[str, ...]:
    """Return the names of the players of a lesson."""
    others: Any = iter(("Ann", "Bob", "Cleo", "Dan", "Eve"))
    given = course.lesson.names or ("",) * course.lesson.seats
    return tuple(_("You") if seat == course.lesson.seat else name or next(others) for seat, name in enumerate(given))


# --- progress ---------------------------------------------------------------------------------------------------------

_KEY: Final = "lessons"
_KEPT: Final = 200
"""Lessons whose progress a visitor's session holds, the latest ones."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far somebody has come in a lesson: how many steps are done, and the day on which the last one was."""

    steps: int = 0
    done_on: date | None = None

    @property
    def is_done(self) -> bool:
        return self.done_on is not None

    def further(self, steps: int, done: bool) -> Reached:
        """Return this with `steps` steps done, `done` if the last one is among them. Earlier progress is never lost."""
        today = timezone.localdate() if done else None
        return Reached(max(self.steps, steps), self.done_on or today)


def progress_of(request: HttpRequest) -> Mapping[tuple[str, str], Reached]:
    """Return how far the reader has come in everything begun, by game and lesson."""
    if request.user.is_authenticated:
        rows = Progress.objects.filter(user=request.user.pk)
        return {(row.game, row.lesson): Reached(row.reached, row.done_on) for row in rows}
    return dict(_of_session(request.session.get(_KEY, {})))


def add_progress(request: HttpRequest, game: str, lesson: str, steps: int, done: bool) -> None:
    """Store that the reader has done `steps` steps, and whether the last one is among them."""
    if request.user.is_authenticated:
        _add_to_account(request.user.pk, game, lesson, steps, done)
        return
    kept = dict(request.session.get(_KEY, {}))
    after = dict(_of_session(kept)).get((game, lesson), Reached()).further(steps, done)
    kept.pop(key := f"{game}/{lesson}", None)
    kept[key] = [after.steps, after.done_on.isoformat() if after.done_on else ""]
    request.session[_KEY] = dict(list(kept.items())[-_KEPT:])
    keep_visit(request)


def _add_to_account(user_id: Any, game: str, lesson: str, steps: int, done: bool) -> None:
    with transaction.atomic():
        row, _ = Progress.objects.select_for_update().get_or_create(user_id=user_id, game=game, lesson=lesson)
        after = Reached(row.reached, row.done_on).further(steps, done)
        row.reached, row.done_on = after.steps, after.done_on
        row.save(update_fields=["reached", "done_on"])


def take_over_progress(request: HttpRequest | None, user: Any, **_: Any) -> None:
    """Add the progress of a visitor to that of the account they log in to (`user_logged_in`)."""
    found = getattr(request, "session", {}).pop(_KEY, {})
    for (game, lesson), reached in _of_session(found):
        if game in titles() and lesson in titles()[game].lessons:
            _add_to_account(user.pk, game, lesson, reached.steps, reached.is_done)


def merge_progress(guest: Any, user: Any, **_: Any) -> None:
    """Let the account that claims a guest keep, in each lesson, what either had reached (`guest_claimed`)."""
    own = {(row.game, row.lesson): row for row in Progress.objects.filter(user=user)}
    for row in Progress.objects.filter(user=guest):
        if (known := own.get((row.game, row.lesson))) is not None:
            known.reached, known.done_on = max(known.reached, row.reached), known.done_on or row.done_on
            known.save(update_fields=["reached", "done_on"])


def _of_session(kept: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Reached]]:
    """Yield the progress that a session holds, by game and lesson."""
    for key, (steps, done_on) in kept.items():
        game, _, lesson = key.partition("/")
        yield (game, lesson), Reached(steps, date.fromisoformat(done_on) if done_on else None)
