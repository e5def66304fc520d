"""What learners are offered, and how far they have come.

These are lessons and exercises, a match against Novice that goes on from a lesson, and coach marks in a first match.
Progress is kept in the account, or for visitors in the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import chain, count, takewhile
from secrets import token_bytes
from typing import Any, Final

from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext as _, gettext_lazy

from accounts.logins import keep_visit
from games.bots import thinking
from games.bots.thinking import Begun, question_about
from games.engine import runner
from games.engine.lessons import EXERCISE, LESSON, Course, Lesson
from games.engine.protocol import RuleViolation, Seat as SeatNumber
from games.learn.models import Progress
from games.play.access import ViewedMatch
from games.play.boards.standalone import StandaloneBoard
from games.play.models import Level, Seat
from games.titles import Fact, Scene, Title, titles
from games.titles.board import CoachMark

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


# --- a lesson goes on as a match against Novice -----------------------------------------------------------------------

_SALT: Final = "games.learn.services"
_SECONDS: Final = 1.0
"""Seconds of a processor that a bot may think about an action; Novice needs a few hundredths."""

_MOST: Final = 400
"""Actions of a match: as many as an address carries."""


@dataclass(frozen=True)
class PlayedOn:
    """A lesson played on, from the board on which it ends or, if that match is over, began.

    Nothing is stored: an address carries what was played, signed, because it tells what the bots hold.

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
        game, found, turns = self.course.game, self, dict[SeatNumber, Begun]()
        while found.last.to_move and self.course.seat not in found.last.to_move and len(found.plays) < _MOST:
            state, seat = found.last.state, min(found.last.to_move)
            turn = turns.get(seat) or Begun(state, (), token_bytes(32))
            question = question_about(game, state, seat, Level.NOVICE, _SECONDS, f"a lesson of {game.slug}", turn)
            found = found.with_action(seat, thinking.answer(question))
            turns = {seat: replace(turn, done=(*turn.done, game.parse(found.last.text)))}
        return found

    def with_action(self, seat: SeatNumber, text: str) -> PlayedOn:
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
            begun = begun.with_action(SeatNumber(seat), text)
    except (signing.BadSignature, RuleViolation, ValueError, TypeError):
        refusal = _("Your moves could not be read, so the match starts again.")
        return replace(PlayedOn(title, course).answered(), refusal=refusal)
    return begun if line else begun.answered()


def may_be_played_on(course: Course) -> bool:
    """Return whether a lesson leads to a match against bots."""
    lesson = course.lesson
    return lesson.kind == LESSON and lesson.end == "bot" and lesson.seats > 1


# --- coach marks: what a title tells a newcomer on its board ----------------------------------------------------------


def marks_for(viewed: ViewedMatch, reader: Any) -> Sequence[CoachMark]:
    """Return the marks that a match shows its reader; () unless it is their first one of the game, against bots alone.

    Args:
        viewed: the match as the reader sees it.
        reader: who has an account, perhaps a guest's; anybody without one is shown none.
    """
    if not viewed.may_practise or not viewed.match.title.coach:
        return ()
    read = set(reader.coached.split())
    left = [mark for mark in viewed.match.title.coach if word_for(viewed, mark) not in read]
    return left if left and _is_first(viewed, reader) else ()


def word_for(viewed: ViewedMatch, mark: CoachMark) -> str:
    """Return how an account keeps that it has read a mark, as "shifting-stones:aim"."""
    return f"{viewed.match.game}:{mark.key}"


def _is_first(viewed: ViewedMatch, reader: Any) -> bool:
    begun = Seat.objects.filter(user=reader, match__game=viewed.match.game, match__started_at__isnull=False)
    return not begun.exclude(match=viewed.match.pk).exists()
