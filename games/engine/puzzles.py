"""What a puzzle is: a position from a match, a question, and the one answer that is proved to be best.

A title that has puzzles says in a module `puzzles` how to find and solve them (`PuzzleMaker`). It looks at nothing but
the view of the seat that is asked, so an answer never depends on what a player could not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Protocol

import msgspec

from games.engine import runner
from games.engine.insight import Plan, Policy, choose
from games.engine.protocol import AnyGame, Options, Seat, Step

_SEATS: Final = 2
_EARLIEST: Final = 20
_LATEST: Final = 40
"""The number of actions before which the search begins, and after which it ends; they are stored with a puzzle."""
_LEAST: Final = 3
"""What the answer to a puzzle must bring."""


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
        """Return whether the viewer, who is to move, could be asked here; quick, as it is asked of every position."""

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


def puzzle_position(game: AnyGame, puzzle: Puzzle) -> Any:
    """Return the state in which a puzzle is asked, by playing its match again.

    Raises:
        RuleViolation: an action of the match is refused.
    """
    seed = bytes.fromhex(puzzle.seed)
    reached: runner.Play[Any] = runner.begin(game, puzzle.seats, puzzle.options, seed)
    for seat, text in puzzle.actions:
        reached = runner.play(game, reached.position, Seat(seat), text, seed)
    return reached.state


def solution_of(game: AnyGame, puzzle: Puzzle) -> Plan:
    """Return the actions of the solution."""
    return tuple(game.parse(text) for text in puzzle.solution)


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of a title's file of puzzles."""
    return msgspec.json.encode(puzzle).decode()


# --- finding ----------------------------------------------------------------------------------------------------------


def found_in(game: AnyGame, policy: Policy, maker: PuzzleMaker, number: int) -> Puzzle | None:
    """Return a puzzle from a match between bots, None if it has none; the same number gives the same one.

    The number decides where the search begins, so that puzzles come from all parts of a match.

    Args:
        policy: by which the bots play.
    """
    seed, actions = sha256(b"puzzle %d" % number).digest(), list[tuple[int, str]]()
    reached: runner.Play[Any] = runner.begin(game, _SEATS, {}, seed)
    while reached.to_move and reached.number <= _LATEST:
        if reached.number >= number % _EARLIEST:
            for asked in sorted(reached.to_move):
                solved = hard_answer(maker, game.view_for(reached.state, asked))
                if solved is not None:
                    line = tuple(game.notate(action) for action in solved.line)
                    found = (solved.best, solved.second, solved.examined)
                    return Puzzle(_SEATS, {}, seed.hex(), game.version, tuple(actions), asked, line, *found)
        seat = min(reached.to_move)
        own = sha256(b"%d %d" % (seat, reached.number) + seed).digest()
        reached = runner.act(game, reached.position, seat, choose(game, policy, reached.state, seat, own), seed)
        actions.append((seat, reached.text))
    return None


def hard_answer(maker: PuzzleMaker, view: Any) -> Solved | None:
    """Return the answer to a position that makes a puzzle: a single best one, which somebody greedy does not find."""
    if not maker.suits(view):
        return None
    solved = maker.solve(view)
    if not solved.unique or solved.best < _LEAST:
        return None
    return solved if (maker.worth(view, maker.greedy(view)) or 0) < solved.best else None
