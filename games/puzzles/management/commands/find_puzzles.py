"""`manage.py find_puzzles GAME`: find puzzles in matches of bots for days without one; prove, grade or try them."""

from __future__ import annotations

from argparse import ArgumentParser
from calendar import day_name
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import count, islice
from statistics import correlation, fmean
from typing import Any, Final

import msgspec
from django.core.management.base import BaseCommand, CommandError

from accounts.moments import today
from games.engine.bots import COMPANION, NOVICE
from games.engine.protocol import Seat
from games.engine.puzzles import Puzzle, Question, found_in, is_proved, puzzle_line, puzzle_position
from games.titles import Title, titles

_YEARS = 2
_TRIES: Final = 24
"""How often a Novice and a Companion each try a puzzle."""
_PARTS: Final = 3
"""Into how many parts puzzles are divided by their grades, to tell the easiest from the hardest."""


class Command(BaseCommand):
    help = (
        "Find puzzles for a game in matches between bots, one for each day from tomorrow on that has none: the days "
        "after the schedule ends, and those whose puzzle is gone (another version of the rules, or taken out of the "
        "file). What is stored stays as it is: puzzles, with their proof, are appended to `daily/<year>.jsonl` of the "
        "game, and days to `daily/schedule.txt`. Puzzles that have no day yet come first. Each is graded by how often "
        "a Novice and a Companion would answer right; Mondays get the easiest, Sundays the hardest."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game, for instance shifting-stones")
        parser.add_argument(
            "--until",
            type=date.fromisoformat,
            default=date(today().year + _YEARS, 12, 31),
            metavar="DAY",
            help="the last day that is to have a puzzle, for instance 2028-12-31; the end of the year after next if "
            "you leave it out",
        )
        others = parser.add_mutually_exclusive_group()
        others.add_argument(
            "--prove", action="store_true", help="find none, but prove the solutions of all that are stored"
        )
        others.add_argument(
            "--grade",
            action="store_true",
            help="find none, but grade all that are stored anew, and from next Monday on share those of days to come "
            "among these days again",
        )
        others.add_argument(
            "--ask",
            type=int,
            metavar="NUMBER",
            help="find none, but let a Novice and a Companion try so many, spread over all, as they would play on in "
            "a match, and tell how well that agrees with the grades",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        title = titles().get(options["game"])
        if title is None or not title.puzzle_kinds:
            raise CommandError(f"{options['game']} has no module `puzzles` with `KINDS`.")
        if options["prove"]:
            self._prove(title)
            return
        if options["grade"]:
            self._grade(title)
            return
        if options["ask"]:
            self._ask(title, options["ask"])
            return
        days = _without_puzzle(title, options["until"])
        waiting = [puzzle for number, puzzle in title.puzzles.items() if number not in title.puzzle_days.values()]
        found = self._found(title, len(days) - len(waiting))
        _store(title, _by_weekday([*waiting, *found], days), found)
        self.stdout.write(f"{len(found)} puzzles found, {len(days)} days have one now.")

    def _prove(self, title: Title) -> None:
        wrong = [
            str(puzzle.id)
            for puzzle in title.puzzles.values()
            if not is_proved(title.game, title.puzzle_kinds[puzzle.kind], puzzle)
        ]
        if wrong:
            raise CommandError(f"The solution is not the single best answer: {', '.join(wrong)}.")
        self.stdout.write(f"The solutions of {len(title.puzzles)} puzzles are proved.")

    def _grade(self, title: Title) -> None:
        """Grade all puzzles and share those of days to come; say how many answers are right on each weekday then."""
        graded = {puzzle.id: _graded(title, puzzle) for puzzle in title.puzzles.values()}
        days = [day for day, number in title.puzzle_days.items() if day >= _next_monday() and number in graded]
        shared = _by_weekday([graded[title.puzzle_days[day]] for day in days], days)
        _rewrite(title, graded, shared)
        for weekday in range(7):
            eases = [puzzle.ease for day, puzzle in shared.items() if day.weekday() == weekday]
            if eases:
                self.stdout.write(f"{day_name[weekday]}: {fmean(eases):.1f} of 100 answers are right.")

    def _ask(self, title: Title, number: int) -> None:
        """Let bots try puzzles; say how many of 100 tries are right, and how that and the grades go together."""
        spread = list(title.puzzles.values())
        asked = sorted(spread[:: max(1, len(spread) // number)][:number], key=_hardness)
        right = [_right(title, puzzle) for puzzle in asked]
        for part in range(_PARTS):
            some = slice(part * len(asked) // _PARTS, (part + 1) * len(asked) // _PARTS)
            grade = fmean(puzzle.ease for puzzle in asked[some])
            self.stdout.write(f"Grade {grade:.1f}: {fmean(right[some]):.1f} of 100 tries are right.")
        agreement = correlation(_ranked([puzzle.ease for puzzle in asked]), _ranked(right))
        self.stdout.write(f"Rank correlation in {len(asked)} puzzles: {agreement:+.2f}")

    def _found(self, title: Title, wanted: int) -> Sequence[Puzzle]:
        """Return new puzzles, from matches in which none was found before; their ids were never given before."""
        ids = count(max([0, *title.puzzles, *title.puzzle_days.values()]) + 1)
        matches = count(max((puzzle.match for puzzle in title.puzzles.values()), default=-1) + 1)
        finding = (found_in(title.game, title.insight, title.puzzle_kinds, match) for match in matches)
        found = list[Puzzle]()
        for puzzle in islice(filter(None, finding), max(0, wanted)):
            found.append(msgspec.structs.replace(puzzle, id=next(ids)))
            self.stderr.write(f"\r{len(found)} of {wanted}", ending="")
        self.stderr.write("")
        return found


def _without_puzzle(title: Title, until: date) -> Sequence[date]:
    tomorrow = today() + timedelta(days=1)
    days = (tomorrow + timedelta(days=number) for number in range((until - tomorrow).days + 1))
    return [day for day in days if title.puzzle_days.get(day) not in title.puzzles]


def _by_weekday(puzzles: Iterable[Puzzle], days: Sequence[date]) -> dict[date, Puzzle]:
    """Return for each day a puzzle, the easiest for Mondays and the hardest for Sundays, while there are any.

    Between puzzles of the same ease the shorter solution is the easier one, then the one with fewer other answers. The
    kinds that a weekday has take turns.
    """
    ranked, found = iter(sorted(puzzles, key=_hardness)), dict[date, Puzzle]()
    for weekday in range(7):
        own = [day for day in days if day.weekday() == weekday]
        found |= zip(own, _mixed(list(islice(ranked, len(own)))), strict=False)
    return dict(sorted(found.items()))


def _hardness(puzzle: Puzzle) -> tuple[int, int, int, int]:
    return -puzzle.ease, len(puzzle.solution), puzzle.examined, puzzle.id


def _mixed(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return puzzles so that each kind is spread evenly over all."""
    of_kind, before = Counter(puzzle.kind for puzzle in puzzles), Counter[str]()
    places = []
    for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.id):
        before[puzzle.kind] += 1
        places.append(((before[puzzle.kind] - 0.5) / of_kind[puzzle.kind], puzzle.id, puzzle))
    return [puzzle for _, _, puzzle in sorted(places)]


def _question(title: Title, puzzle: Puzzle) -> Question:
    state = puzzle_position(title.game, puzzle)
    return Question(title.game, title.insight, title.puzzle_kinds[puzzle.kind], state, Seat(puzzle.seat))


def _graded(title: Title, puzzle: Puzzle) -> Puzzle:
    return msgspec.structs.replace(puzzle, ease=_question(title, puzzle).ease(puzzle.best))


def _right(title: Title, puzzle: Puzzle) -> float:
    """Return how many of 100 tries by a Novice and a Companion solve a puzzle."""
    question, first = _question(title, puzzle), puzzle.id * _TRIES
    numbers = range(first, first + _TRIES)
    return fmean(
        100 * (question.played(level, number) == puzzle.best) for level in (NOVICE, COMPANION) for number in numbers
    )


def _ranked(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal ones share the mean of theirs."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def _next_monday() -> date:
    return today() + timedelta(days=7 - today().weekday())


def _rewrite(title: Title, graded: Mapping[int, Puzzle], shared: Mapping[date, Puzzle]) -> None:
    """Write puzzles where they are, and days that get another one; what else the files hold stays as it is."""
    for path in title.puzzle_folder.glob("*.jsonl"):
        stored = [(msgspec.json.decode(line)[0], line) for line in path.read_text(encoding="utf-8").splitlines()]
        lines = [puzzle_line(graded[number]) if number in graded else line for number, line in stored]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    days = [line for line in title.puzzle_schedule.read_text().splitlines() if not _is_of(line, shared)]
    days += [f"{day} {puzzle.id}" for day, puzzle in shared.items()]
    title.puzzle_schedule.write_text("".join(f"{line}\n" for line in days))


def _is_of(line: str, days: Container[date]) -> bool:
    return date.fromisoformat(line.split(maxsplit=1)[0]) in days


def _store(title: Title, scheduled: Mapping[date, Puzzle], found: Sequence[Puzzle]) -> None:
    """Append puzzles to the files of the years in which they are asked, and the days to the schedule."""
    title.puzzle_folder.mkdir(exist_ok=True)
    for day, puzzle in scheduled.items():
        if puzzle in found:
            _append(title.puzzle_folder / f"{day.year}.jsonl", puzzle_line(puzzle))
        _append(title.puzzle_schedule, f"{day} {puzzle.id}")


def _append(path: Any, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
