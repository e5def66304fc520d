"""Tries on puzzles, statistics of them, and the notice of the day's puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, ngettext

from accounts.limits import spend
from accounts.logins import keep_visit
from accounts.mail import in_words_of
from accounts.models import User
from accounts.moments import today
from accounts.services import member_of
from games.notifications import planning, validity
from games.notifications.messages import Message, absolute
from games.notifications.models import Kind
from games.puzzles import daily
from games.puzzles.daily import Daily, of_day, puzzle_of
from games.puzzles.models import Attempt, FirstAnswer
from games.titles import Title, titles

MOST: Final = 3
_SIGNS: Final = {"missed": "✗", "solved": "★", "open": "·"}
_KEY: Final = "puzzles"
_KEPT: Final = 60
"""How many puzzles a visitor's session keeps, the latest ones."""
_FIRST_DAY, _IN_A_ROUND, _KIND = date(2026, 1, 1), 366, "points"
"""How release 1.0.0 asked: these many puzzles of one kind, with ids in that order from 1, again and again."""


@dataclass(frozen=True, slots=True)
class Try:
    """One answer: its actions, and what they would bring."""

    line: tuple[str, ...]
    worth: int


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody has tried on a puzzle.

    Args:
        tries: their answers.
        solved_on: None until one of the tries was the solution.
        puzzle, kind: the id of the puzzle, and its kind.
    """

    tries: tuple[Try, ...] = ()
    solved_on: date | None = None
    puzzle: int = 0
    kind: str = _KIND

    @property
    def solved(self) -> bool:
        return self.solved_on is not None

    @property
    def is_over(self) -> bool:
        return self.solved or len(self.tries) >= MOST

    @property
    def left(self) -> int:
        return 0 if self.is_over else MOST - len(self.tries)

    @property
    def left_in_words(self) -> str:
        return ngettext("%(count)s try left", "%(count)s tries left", self.left) % {"count": self.left}

    @property
    def marks(self) -> Sequence[str]:
        """For each try "solved" or "missed", for those that are left "open"."""
        found = ["missed"] * len(self.tries)
        if self.solved:
            found[-1] = "solved"
        return [*found, *["open"] * self.left]

    @property
    def signs(self) -> Sequence[tuple[str, str]]:
        """The marks, each with the sign that shows it."""
        return [(mark, _SIGNS[mark]) for mark in self.marks]

    @property
    def rows(self) -> list[list[Any]]:
        """The tries as JSON, in the database and in sessions."""
        return [[list(each.line), each.worth] for each in self.tries]

    @classmethod
    def read(cls, rows: Sequence[Any], solved_on: date | None, puzzle: int, kind: str) -> Tried:
        return cls(tuple(Try(tuple(line), worth) for line, worth in rows), solved_on, puzzle, kind)


def tried(request: HttpRequest, scheduled: Daily) -> tuple[Daily, Tried]:
    """Return the puzzle of a day as its reader knows it, and what they have tried on it.

    It is the one they began, even if the schedule names another by now; unless it went before they were done with it.
    """
    if request.user.is_authenticated:
        attempt = Attempt.objects.filter(user=request.user.pk, game=scheduled.slug, day=scheduled.day).first()
        found = _of_row(attempt) if attempt else Tried()
    else:
        found = _of_session(request.session.get(_KEY, {})).get((scheduled.slug, scheduled.day), Tried())
    begun = replace(scheduled, id=found.puzzle)
    return (begun, found) if found.tries and (begun.is_there or found.is_over) else (scheduled, Tried())


def answer(request: HttpRequest, puzzle: Daily, texts: Sequence[str]) -> Tried | None:
    """Take an answer of the reader, in the notation; return what they have tried then, None while it is not complete.

    Raises:
        TooMany: they answer too often.
        RuleViolation: it is not legal, or not what is asked.
    """
    spend("puzzle", member_of(request))
    worth = daily.worth(puzzle, daily.parsed(puzzle, texts))
    if worth is None:
        return None
    return add(request, puzzle, Try(_notated(puzzle, texts), worth))


def has_tried(tried: Tried, puzzle: Daily, texts: Sequence[str]) -> bool:
    """Return whether an answer is one of the tries: without a try left, none is added."""
    line = _notated(puzzle, texts)
    return any(each.line == line for each in tried.tries)


def _notated(puzzle: Daily, texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(puzzle.game.notate(action) for action in daily.parsed(puzzle, texts))


def add(request: HttpRequest, puzzle: Daily, answer: Try) -> Tried:
    """Add an answer to what the reader has tried, if they have a try left, and return the result."""
    if request.user.is_authenticated:
        with transaction.atomic():
            attempts = Attempt.objects.select_for_update()
            attempt, _ = attempts.get_or_create(user_id=request.user.pk, game=puzzle.slug, day=puzzle.day)
            after = _with(_of_row(attempt), puzzle, answer)
            attempt.tries, attempt.solved_on = after.rows, after.solved_on
            attempt.puzzle, attempt.kind = after.puzzle, after.kind
            attempt.save(update_fields=["tries", "solved_on", "puzzle", "kind"])
        return after
    after = _with(tried(request, puzzle)[1], puzzle, answer)
    kept = dict(request.session.get(_KEY, {}))
    kept.pop(key := f"{puzzle.slug}/{puzzle.day.isoformat()}", None)
    kept[key] = [after.rows, after.solved_on.isoformat() if after.solved_on else "", after.puzzle, after.kind]
    request.session[_KEY] = dict(list(kept.items())[-_KEPT:])
    keep_visit(request)
    return after


def _with(before: Tried, puzzle: Daily, answer: Try) -> Tried:
    """Return what has been tried with one answer more; the same answer again costs no try."""
    tries = before.tries if before.puzzle == puzzle.id else ()
    if before.is_over or answer in tries:
        return before
    if not tries:
        _count(puzzle, answer)
    solved_on = today() if answer.worth == puzzle.puzzle.best else None
    return Tried((*tries, answer), solved_on, puzzle.id, puzzle.puzzle.kind)


def of_reader(request: HttpRequest) -> Mapping[tuple[str, date], Tried]:
    """Return everything the reader has tried, by game and day."""
    if request.user.is_authenticated:
        return of_account(request.user)
    return _of_session(request.session.get(_KEY, {}))


def _of_session(kept: Mapping[str, Any]) -> dict[tuple[str, date], Tried]:
    found = {}
    for key, (rows, solved_on, *puzzle) in kept.items():
        slug, _, day = key.partition("/")
        asked = puzzle or ((date.fromisoformat(day) - _FIRST_DAY).days % _IN_A_ROUND + 1, _KIND)
        solved = date.fromisoformat(solved_on) if solved_on else None
        found[slug, date.fromisoformat(day)] = Tried.read(rows, solved, *asked)
    return found


def _of_row(row: Attempt) -> Tried:
    return Tried.read(row.tries, row.solved_on, row.puzzle, row.kind)


def of_account(user: Any) -> Mapping[tuple[str, date], Tried]:
    """Return everything that has been tried with an account, by game and day."""
    return {(row.game, row.day): _of_row(row) for row in Attempt.objects.filter(user=user.pk)}


def merge(guest: Any, user: Any, **_: Any) -> None:
    """Let the account that claims a guest keep whichever tries solved a puzzle, else its own (`guest_claimed`)."""
    _give_way(user, Attempt.objects.filter(user=guest).exclude(solved_on=None))


def take_over(request: HttpRequest | None, user: Any, **_: Any) -> None:
    """Add the tries of a visitor to the account they log in to (`user_logged_in`), by the rule of `merge`."""
    found = getattr(request, "session", {}).pop(_KEY, {})
    made = [
        Attempt(
            user=user,
            game=game,
            day=day,
            tries=each.rows,
            solved_on=each.solved_on,
            puzzle=each.puzzle,
            kind=each.kind,
        )
        for (game, day), each in _of_session(found).items()
        if puzzle_of(game, day)
    ]
    with transaction.atomic():
        _give_way(user, [row for row in made if row.solved_on])
        Attempt.objects.bulk_create(made, ignore_conflicts=True)


def _give_way(user: Any, solved: Iterable[Attempt]) -> None:
    """Delete the failed tries of an account on puzzles that somebody else's tries solved."""
    for row in solved:
        Attempt.objects.filter(user=user, game=row.game, day=row.day, solved_on=None).delete()


@dataclass(frozen=True, slots=True)
class Row:
    """A puzzle in a list, and how its reader does."""

    puzzle: Daily
    tried: Tried

    @property
    def short(self) -> str:
        """The result in one sign: how many tries it took, that it was missed or begun; empty before the first try."""
        if self.tried.solved:
            return f"{len(self.tried.tries)}"
        if self.tried.is_over:
            return _SIGNS["missed"]
        return _SIGNS["open"] if self.tried.tries else ""

    @property
    def state(self) -> str:
        if self.tried.solved:
            return _("solved")
        if self.tried.is_over:
            return _("not solved")
        if not self.puzzle.is_there:
            return _("withdrawn")
        return self.tried.left_in_words


def rows(puzzles: Sequence[Daily], tried: Mapping[tuple[str, date], Tried]) -> list[Row]:
    """Return puzzles with what has been tried on them."""
    return [Row(puzzle, tried.get((puzzle.slug, puzzle.day), Tried())) for puzzle in puzzles]


@dataclass(frozen=True, slots=True)
class Week:
    """The results of seven days, today's last: for each game its title and, day by day, the puzzle there was."""

    days: Sequence[date]
    games: Sequence[tuple[Title, Sequence[Row | None]]]


def week(tried: Mapping[tuple[str, date], Tried], today: date) -> Week:
    """Return the results of the last seven days."""
    days = [today - timedelta(days=back) for back in range(6, -1, -1)]
    by_game: dict[str, list[Row | None]] = {}
    for place, day in enumerate(days):
        for row in rows(of_day(day), tried):
            by_game.setdefault(row.puzzle.slug, [None] * len(days))[place] = row
    return Week(days, [(titles()[slug], found) for slug, found in by_game.items()])


def text_to_share(found: Sequence[Row], address: str) -> str:
    """Return how the puzzles of a day went, with nothing about their solutions; empty until one is over.

    Args:
        found: the puzzles of that day.
        address: where others can try them.
    """
    over = [row for row in found if row.tried.is_over]
    if not over:
        return ""
    lines = [f"{row.puzzle.title.game.name} {''.join(sign for _mark, sign in row.tried.signs)}" for row in over]
    return "\n".join([_("Tessera puzzles, %(date)s") % {"date": over[0].puzzle.date}, *lines, address])


# --- what others answered ---------------------------------------------------------------------------------------------

_FEW: Final = 5
"""The least number of people who answered the same before it is told."""
_MOST_TOLD: Final = 4


@dataclass(frozen=True, slots=True)
class Share:
    """How many of 100 people gave an answer at their first try. The last of several may stand for all others."""

    percent: int
    answer: Try | None


def _count(puzzle: Daily, answer: Try) -> None:
    """Count somebody's first answer."""
    essence = puzzle.maker.essence(puzzle.view, daily.parsed(puzzle, answer.line))
    row, _ = FirstAnswer.objects.get_or_create(
        game=puzzle.slug,
        puzzle=puzzle.id,
        essence=essence,
        defaults={"line": answer.line, "worth": answer.worth},
    )
    FirstAnswer.objects.filter(pk=row.pk).update(count=F("count") + 1)


def shares(puzzle: Daily) -> tuple[int, Sequence[Share]]:
    """Return how many people have tried a puzzle, and what they answered first, the most frequent answers first.

    Nothing is told that fewer than `_FEW` people answered, neither an answer nor how many gave other ones.
    """
    rows = list(FirstAnswer.objects.filter(game=puzzle.slug, puzzle=puzzle.id))
    total, told = sum(row.count for row in rows), [row for row in rows if row.count >= _FEW][:_MOST_TOLD]
    found = [Share(round(100 * row.count / total), Try(tuple(row.line), row.worth)) for row in told]
    others = total - sum(row.count for row in told)
    if told and others >= _FEW:
        found.append(Share(round(100 * others / total), None))
    return total, found


# --- statistics -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Statistics:
    """How somebody does at the puzzles.

    Args:
        played: puzzles that were solved, or on which all tries were used.
        by_tries: how many were solved with one, two and three tries.
        streak: days in a row, up to today or yesterday, on which a puzzle of the day was solved.
        longest: the most days in a row.
    """

    played: int
    by_tries: Sequence[int]
    streak: int
    longest: int

    @property
    def solved(self) -> int:
        return sum(self.by_tries)

    @property
    def share(self) -> int:
        """How many of 100 were solved."""
        return round(100 * self.solved / self.played) if self.played else 0


def statistics(tried: Mapping[tuple[str, date], Tried], today: date) -> Statistics:
    """Return how somebody does, from everything they have tried."""
    over = [each for each in tried.values() if each.is_over]
    solved = [len(each.tries) for each in over if each.solved]
    days = {day for (_, day), each in tried.items() if each.solved_on == day}
    runs = list(_runs(days))
    present = next((length for end, length in runs if (today - end).days <= 1), 0)
    by_tries = tuple(solved.count(number) for number in range(1, MOST + 1))
    return Statistics(len(over), by_tries, present, max((length for _, length in runs), default=0))


def _runs(days: set[date]) -> Iterable[tuple[date, int]]:
    """Yield the last day of each run of days without a gap, and its length, the latest first."""
    for end in sorted(days, reverse=True):
        if end + timedelta(days=1) not in days:
            length = 1
            while end - timedelta(days=length) in days:
                length += 1
            yield end, length


# --- the notice -------------------------------------------------------------------------------------------------------


def is_notice_due(user: User) -> bool:
    """Return whether somebody has solved none of today's puzzles and can still try one."""
    tried = of_account(user)
    found = [tried.get((puzzle.slug, puzzle.day), Tried()) for puzzle in of_day(today()) if puzzle.is_there]
    return any(not each.is_over for each in found) and not any(each.solved for each in found)


def notice(user: User) -> Message:
    """Return the notice of today's puzzles for somebody, in their language."""
    with in_words_of(user):
        names = [puzzle.title.game.name for puzzle in of_day(today()) if puzzle.is_there]
        text = _("New today: %(games)s.") % {"games": get_text_list(names, _("and"))}
        days = statistics(of_account(user), today()).streak
        streak = _("You solved one yesterday.") if days else ""
        if days > 1:
            streak = _("You have solved a puzzle %(count)s days in a row.") % {"count": days}
        return Message(
            kind=Kind.PUZZLE,
            title=_("Today’s puzzles"),
            text=" ".join(filter(None, (text, streak))),
            url=absolute(reverse("puzzles")),
            topic="puzzles",
            waiting=validity.waiting(user).count(),
        )


planning.register_daily(
    planning.Daily(Kind.PUZZLE, at=lambda preferences: preferences.puzzle_at, is_due=is_notice_due, message=notice)
)
