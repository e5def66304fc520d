"""The puzzle of a day for each game, and the board that an answer to it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.moments import element_of_day, today
from games.engine.insight import Plan
from games.engine.protocol import AnyGame, RuleViolation, Seat
from games.engine.puzzles import SEATS, Puzzle, PuzzleMaker, puzzle_position
from games.play.boards.standalone import StandaloneBoard
from games.titles import Title, titles
from games.titles.tasks import Task

KEPT: Final = 365
"""How many days the archive goes back."""


@dataclass(frozen=True, slots=True)
class Daily:
    """A puzzle of a game, known by its id, and the day on which it is asked."""

    slug: str
    day: date
    id: int

    @property
    def title(self) -> Title:
        return titles()[self.slug]

    @property
    def game(self) -> AnyGame:
        return self.title.game

    @property
    def is_there(self) -> bool:
        """Whether it can still be asked: a puzzle goes with the rules or the kind it was made for."""
        return self.id in self.title.puzzles

    @property
    def puzzle(self) -> Puzzle:
        """Itself; a `KeyError` if it is not there."""
        return self.title.puzzles[self.id]

    @property
    def seat(self) -> Seat:
        return Seat(self.puzzle.seat)

    @property
    def maker(self) -> PuzzleMaker:
        return self.title.puzzle_kinds[self.puzzle.kind]

    @property
    def task(self) -> Task:
        """The words for what is asked."""
        return self.title.puzzle_tasks[self.puzzle.kind]

    @property
    def state(self) -> Any:
        """The position in which it is asked."""
        return _position(self.slug, self.id)

    @property
    def view(self) -> Any:
        """What the seat that is asked may know."""
        return self.game.view_for(self.state, self.seat)

    @property
    def thumbnail(self) -> SafeString:
        """Its position as everybody may know it: the inside of a small picture, see `Board.thumbnail`."""
        return _thumbnail(self.slug, self.id)

    @property
    def date(self) -> str:
        """The day in words."""
        return date_format(self.day, "DATE_FORMAT")

    @property
    def day_shown(self) -> SafeString:
        """The day as every page shows it."""
        return element_of_day(self.day)

    @property
    def url(self) -> str:
        return reverse("puzzle", args=[self.slug, self.day.isoformat()])


@lru_cache(maxsize=256)
def _position(slug: str, puzzle: int) -> Any:
    title = titles()[slug]
    return puzzle_position(title.game, title.puzzles[puzzle])


@lru_cache(maxsize=256)
def _thumbnail(slug: str, puzzle: int) -> SafeString:
    return _drawn(titles()[slug], _position(slug, puzzle))


def _drawn(title: Title, state: Any) -> SafeString:
    return mark_safe(title.board.thumbnail(title.game.view_for(state, None)))  # noqa: S308  # of a title


def until_next_day() -> str:
    """Return in words how long it is until the next puzzles come."""
    tomorrow = today() + timedelta(days=1)
    left = datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=UTC) - timezone.now()
    hours, minutes = divmod(max(1, -(-left // timedelta(minutes=1))), 60)
    words = {"hours": hours, "minutes": minutes}
    return (_("%(hours)s h %(minutes)s min") if hours else _("%(minutes)s min")) % words


def puzzle_of(slug: str, day: date) -> Daily | None:
    """Return the puzzle of a game and a day, None if it has none or the day is not in the archive."""
    found = titles()[slug].puzzle_days.get(day) if slug in titles() else None
    return Daily(slug, day, found) if found and 0 <= (today() - day).days < KEPT else None


def of_day(day: date) -> Sequence[Daily]:
    """Return the puzzles of a day, one for each game that has some, those that are gone as well."""
    found = (puzzle_of(slug, day) for slug in titles())
    return [each for each in found if each is not None]


def first_day() -> date:
    """Return the first day of the archive."""
    found = (min(title.puzzle_days) for title in titles().values() if title.puzzle_days)
    return max(today() - timedelta(days=KEPT - 1), min(found, default=today()))


_MOST_ACTIONS, _LONGEST_ACTION = 12, 80


@dataclass(frozen=True, slots=True)
class Shown:
    """A position of a puzzle: its board, and a sentence for each action that led to it."""

    html: str
    sentences: Sequence[str]


def parsed(puzzle: Daily, texts: Sequence[str]) -> Plan:
    """Return the actions that texts stand for.

    Raises:
        RuleViolation: one is not an action, or there are too many.
    """
    if len(texts) > _MOST_ACTIONS or any(len(text) > _LONGEST_ACTION for text in texts):
        raise RuleViolation("notation", _("That is more than one turn."))
    return tuple(puzzle.game.parse(text) for text in texts)


def worth(puzzle: Daily, line: Plan) -> int | None:
    """Return the worth of an answer, None while it is not complete.

    Raises:
        RuleViolation: it is not legal, or not what is asked.
    """
    found = puzzle.maker.worth(puzzle.view, line)
    puzzle.maker.shown(puzzle.state, puzzle.seat, line)
    return found


def board(puzzle: Daily, line: Plan, active: bool) -> Shown:
    """Return the position after some actions; `active` if the reader is to continue.

    Raises:
        RuleViolation: the actions are not legal.
    """
    steps = puzzle.maker.shown(puzzle.state, puzzle.seat, line)
    apart, last = _apart(puzzle), steps[-1] if steps else None
    scene = apart.scene(
        last.state if last else puzzle.state,
        last.events if last else (),
        active=active,
        ended=last is not None and not active,
    )
    return Shown(apart.html(scene), [apart.told(step.events) for step in steps])


@dataclass(frozen=True, slots=True)
class Drawn:
    """An answer as a small board.

    Args:
        thumbnail: the position it leads to, as everybody sees it; empty if the one picture shows that.
        pictures: what was done, in small pictures.
        words: the same in sentences.
    """

    thumbnail: SafeString
    pictures: Sequence[SafeString]
    words: str


def drawn(puzzle: Daily, texts: Sequence[str], *, anybodys: bool = False) -> Drawn:
    """Return an answer as a small board; the words say what its reader did, or what anybody may have done."""
    line, title = parsed(puzzle, texts), puzzle.title
    steps = puzzle.maker.shown(puzzle.state, puzzle.seat, line)
    pictures = [title.board.pictured(text, puzzle.view) for text in texts]
    return Drawn(
        _drawn(title, steps[-1].state if steps else puzzle.state) if len(line) > 1 else SafeString(),
        [mark_safe(picture) for picture in pictures if picture],  # noqa: S308  # of a title
        puzzle.task.in_short(puzzle.view, line)
        if anybodys
        else " ".join(_apart(puzzle).told(step.events) for step in steps),
    )


def _apart(puzzle: Daily) -> StandaloneBoard:
    names = tuple(_("You") if seat == puzzle.seat else _("Opponent") for seat in range(SEATS))
    return StandaloneBoard(puzzle.title, puzzle.seat, names)
