"""What a puzzle is: a position from a match, a question, and the one answer that is proved to be best.

A title that has puzzles says in a module `puzzles` how to find and solve them (`PuzzleMaker`). It looks at nothing but
the view of the seat that is asked, so an answer never depends on what a player could not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine.insight import Plan
from games.engine.protocol import Options, Seat, Step


@dataclass(frozen=True, slots=True)
class Solved:
    """What a solver found.

    Args:
        line: the actions of the best answer.
        best: what it brings.
        second: the most that any other answer brings.
        examined: how many answers were compared: all there are.
    """

    line: Plan
    best: int
    second: int
    examined: int

    @property
    def unique(self) -> bool:
        return self.best > self.second


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position of a match between bots with its solution and the proof.

    Args:
        seats, options, seed: with which the match was begun (the seed in hexadecimal).
        version: of the rules.
        actions: what led to the position: seats and texts.
        seat: who is asked.
        solution: the best answer in the game's notation.
        best, second, examined: as in `Solved`.
    """

    seats: int
    options: Options
    seed: str
    version: int
    actions: tuple[tuple[int, str], ...]
    seat: int
    solution: tuple[str, ...]
    best: int
    second: int
    examined: int


class PuzzleMaker(Protocol):
    """What the optional module `puzzles` of a title offers. All of it is pure; texts are in the reader's language."""

    def suits(self, view: Any) -> bool:
        """Say at a glance whether the viewer, who is to move, could be asked here."""

    def solve(self, view: Any) -> Solved:
        """Compare every answer; answers that differ in nothing that matters count as one."""

    def greedy(self, view: Any) -> Plan:
        """Return the answer of somebody who looks no further than the next step."""

    def worth(self, view: Any, line: Plan) -> int | None:
        """Return what an answer brings, None while it is not complete.

        Raises:
            RuleViolation: an action is legal, but not part of what is asked.
        """

    def shown(self, state: Any, seat: Seat, line: Plan) -> Sequence[Step[Any]]:
        """Return what each action of an answer leads to; an action after which nothing can be seen is left out.

        Raises:
            RuleViolation: an action is not legal.
        """

    def task(self, view: Any) -> str:
        """Return in one or two sentences what is asked."""

    def gain(self, worth: int) -> str:
        """Return what an answer brings in a few words, for instance "7 points"."""
