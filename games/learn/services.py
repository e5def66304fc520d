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
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

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
    lessons = titles()[slug].lessons if slug in titles() else {}
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


_KEY: Final = "lessons"
_KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class Come:
    """How far somebody has come: how many steps are done, and the day on which the last one was."""

    reached: int = 0
    done_on: date | None = None

    @property
    def is_done(self) -> bool:
        return self.done_on is not None

    def further(self, reached: int, done: bool) -> Come:
        """Return this with some steps done; nothing is ever taken back."""
        today = timezone.localdate() if done else None
        return Come(max(self.reached, reached), self.done_on or today)


def progress_of(request: HttpRequest) -> Mapping[tuple[str, str], Come]:
    """Return how far the reader has come in everything begun, by game and lesson."""
    if request.user.is_authenticated:
        rows = Progress.objects.filter(user=request.user.pk)
        return {(row.game, row.lesson): Come(row.reached, row.done_on) for row in rows}
    return dict(_of_session(request.session.get(_KEY, {})))


def add_progress(request: HttpRequest, game: str, lesson: str, reached: int, done: bool) -> None:
    """Note that the reader has done some steps, perhaps the last one."""
    if request.user.is_authenticated:
        _add_to_account(request.user.pk, game, lesson, reached, done)
        return
    kept = dict(request.session.get(_KEY, {}))
    before = dict(_of_session(kept)).get((game, lesson), Come())
    kept.pop(key := f"{game}/{lesson}", None)
    kept[key] = _written(before.further(reached, done))
    request.session[_KEY] = dict(list(kept.items())[-_KEPT:])
    keep_visit(request)


def _add_to_account(user_id: Any, game: str, lesson: str, reached: int, done: bool) -> None:
    with transaction.atomic():
        row, _ = Progress.objects.select_for_update().get_or_create(user_id=user_id, game=game, lesson=lesson)
        after = Come(row.reached, row.done_on).further(reached, done)
        row.reached, row.done_on = after.reached, after.done_on
        row.save(update_fields=["reached", "done_on"])


def take_over_progress(request: HttpRequest | None, user: Any, **_: Any) -> None:
    """Give what a visitor has done to the account they log in to (`user_logged_in`); what it has already stays."""
    found = getattr(request, "session", {}).pop(_KEY, {})
    for (game, lesson), come in _of_session(found):
        if game in titles() and lesson in titles()[game].lessons:
            _add_to_account(user.pk, game, lesson, come.reached, come.is_done)


def merge_progress(guest: Any, user: Any, **_: Any) -> None:
    """Let the account be as far in each lesson as the guest or itself, whoever came further (`guest_claimed`)."""
    own = {(row.game, row.lesson): row for row in Progress.objects.filter(user=user)}
    for row in Progress.objects.filter(user=guest):
        if (known := own.get((row.game, row.lesson))) is not None:
            known.reached, known.done_on = max(known.reached, row.reached), known.done_on or row.done_on
            known.save(update_fields=["reached", "done_on"])


# --- as it is stored --------------------------------------------------------------------------------------------------


def _written(come: Come) -> list[Any]:
    return [come.reached, come.done_on.isoformat() if come.done_on else ""]


def _of_session(kept: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Come]]:
    for key, (reached, done_on) in kept.items():
        game, _, lesson = key.partition("/")
        yield (game, lesson), Come(reached, date.fromisoformat(done_on) if done_on else None)
