"""What a puzzle is: a position from a match, a question, and the one answer that is proved to be best.

A title that has puzzles says in the `KINDS` of a module `puzzles` what can be asked, and how that is solved
(`PuzzleMaker`). A maker looks at nothing but the view of the seat that is asked, so an answer never depends on what a
player could not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from math import exp, inf
from statistics import fmean
from typing import Any, Final, Protocol

import msgspec

from games.engine import bots, runner
from games.engine.dice import Dice
from games.engine.insight import Insight, Plan, choose
from games.engine.protocol import AnyGame, Options, RuleViolation, Seat, Step

SEATS: Final = 2
_OPTIONS: Final[Options] = {}
_EARLIEST: Final = 20
_LATEST: Final = 40
"""The number of actions before which the search begins, and after which it ends; they are stored with a puzzle."""
_BETWEEN: Final = ";"


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


class Puzzle(msgspec.Struct, frozen=True, array_like=True):
    """A position of a match between bots with its solution and the proof, as it is stored: a line for each.

    Args:
        id: by which it is known, never given to another one of its game.
        kind: the name of its maker.
        version: of the rules.
        match: the number of the match, which decides its seed.
        moves: the actions that led to the position.
        seat: who is asked.
        solution: the best answer in the game's notation.
        best, second, examined: as in `Solved`.
        ease: from 0 to 100, see `Question`.
    """

    id: int
    kind: str
    version: int
    match: int
    moves: str
    seat: int
    solution: tuple[str, ...]
    best: int
    second: int
    examined: int
    ease: int


class PuzzleMaker(Protocol):
    """A kind of puzzle. All of it is pure; the words for it are apart (`games.titles.tasks`)."""

    @property
    def least(self) -> int:
        """What the best answer must bring to make a puzzle."""

    def suits(self, view: Any) -> bool:
        """Return whether the viewer, who is to move, could be asked here; quick, as it is asked of every position."""

    def solve(self, view: Any) -> Solved:
        """Compare every answer; those with the same `essence` count as one."""

    def greedy(self, view: Any) -> Plan:
        """Return the answer of somebody who looks no further than the next step."""

    def worth(self, view: Any, line: Plan) -> int | None:
        """Return what an answer brings, None while it is not complete.

        Raises:
            RuleViolation: an action is legal, but not part of what is asked.
        """

    def essence(self, view: Any, line: Plan) -> str:
        """Return what matters of a complete answer: those that differ in nothing else are the same answer."""

    def shown(self, state: Any, seat: Seat, line: Plan) -> Sequence[Step[Any]]:
        """Return what each action of an answer leads to; an action after which nothing can be seen is left out.

        Raises:
            RuleViolation: an action is not legal.
        """


def puzzle_position(game: AnyGame, puzzle: Puzzle) -> Any:
    """Return the state in which a puzzle is asked, by playing its match again.

    Raises:
        RuleViolation: an action of the match is refused.
    """
    seed = _seed(puzzle.match)
    reached: runner.Play[Any] = runner.begin(game, SEATS, _OPTIONS, seed)
    for text in filter(None, puzzle.moves.split(_BETWEEN)):
        reached = runner.play(game, reached.position, min(reached.to_move), text, seed)
    return reached.state


def _seed(match: int) -> bytes:
    return sha256(b"puzzle %d" % match).digest()


def solution_of(game: AnyGame, puzzle: Puzzle) -> Plan:
    """Return the actions of the solution."""
    return tuple(game.parse(text) for text in puzzle.solution)


def is_proved(game: AnyGame, maker: PuzzleMaker, puzzle: Puzzle) -> bool:
    """Return whether the solution of a puzzle is the single best answer, as stored, when all are compared again."""
    view = game.view_for(puzzle_position(game, puzzle), Seat(puzzle.seat))
    solved = maker.solve(view)
    found = (tuple(map(game.notate, solved.line)), solved.best, solved.second, solved.examined)
    stored = (puzzle.solution, puzzle.best, puzzle.second, puzzle.examined)
    return found == stored and solved.unique and maker.worth(view, solution_of(game, puzzle)) == puzzle.best


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of a title's file of puzzles."""
    return msgspec.json.encode(puzzle).decode()


# --- finding ----------------------------------------------------------------------------------------------------------


def found_in(game: AnyGame, insight: Insight, kinds: Mapping[str, PuzzleMaker], match: int) -> Puzzle | None:
    """Return a puzzle from a match between bots, with the number of the match as its id; None if it has none.

    The number decides which kind is tried first and where the search begins, so that puzzles come from all parts of a
    match. The same number gives the same puzzle as long as the bots play the same.

    Args:
        insight: by which the bots play.
    """
    seed, moves, first = _seed(match), list[str](), match % len(kinds)
    in_turn = [*sorted(kinds)[first:], *sorted(kinds)[:first]]
    reached: runner.Play[Any] = runner.begin(game, SEATS, _OPTIONS, seed)
    while reached.to_move and reached.number <= _LATEST:
        if reached.number >= match // len(kinds) % _EARLIEST:
            for asked, kind in product(sorted(reached.to_move), in_turn):
                solved = hard_answer(kinds[kind], game.view_for(reached.state, asked))
                if solved is not None:
                    line = tuple(game.notate(action) for action in solved.line)
                    ease = Question(game, insight, kinds[kind], reached.state, asked).ease(solved.best)
                    found = (_BETWEEN.join(moves), asked, line, solved.best, solved.second, solved.examined, ease)
                    return Puzzle(match, kind, game.version, match, *found)
        seat = min(reached.to_move)
        own = sha256(b"%d %d" % (seat, reached.number) + seed).digest()
        action = choose(game, insight.policy, reached.state, seat, own)
        reached = runner.act(game, reached.position, seat, action, seed)
        moves.append(reached.text)
    return None


def hard_answer(maker: PuzzleMaker, view: Any) -> Solved | None:
    """Return the answer to a position that makes a puzzle: a single best one, which somebody greedy does not find."""
    if not maker.suits(view):
        return None
    solved = maker.solve(view)
    if not solved.unique or solved.best < maker.least:
        return None
    greedy = maker.worth(view, maker.greedy(view))
    return solved if greedy is None or greedy < solved.best else None


# --- grading ----------------------------------------------------------------------------------------------------------

_MISJUDGED: Final = (3.0, 1.0)
"""By how much a Novice and a Companion misjudge what an answer brings: they choose one that brings so much more 2.7
times as often. Their slips in matches would not do for grades: a Novice's leave out the best plan in nearly every turn,
however easy it is to see."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked in a state."""

    game: AnyGame
    insight: Insight
    maker: PuzzleMaker
    state: Any
    seat: Seat

    def ease(self, best: int) -> int:
        """Return how many of 100 answers by a Novice and a Companion are right.

        They choose from what bots consider in this position, as far as it answers the question, by what each answer
        brings and how they misjudge it (a multinomial logit). What bots do not consider, they overlook.
        """
        values = self._considered()
        if best not in values:
            return 0
        return round(fmean(100 / sum(exp((value - best) / error) for value in values) for error in _MISJUDGED))

    def played(self, level: bots.Level, number: int) -> int | None:
        """Return what a bot of a level answers that does what it would do in a match; None for anything else.

        Args:
            level: how well it plays.
            number: of the try; the same one gives the same answer.
        """
        begun, state, done = self.game.view_for(self.state, self.seat), self.state, tuple[Any, ...]()
        seed = sha256(f"{level.name} {number}".encode()).digest()
        while self.seat in self.game.to_move(state):
            dice = Dice(int.from_bytes(sha256(b"%d" % len(done) + seed).digest(), "big"))
            search = bots.Search(self.game, self.insight, self.game.view_for(state, self.seat), self.seat, dice)
            action = bots.choose(level, search, bots.SoFar(begun, done, seed), inf)
            done = (*done, action)
            try:
                value = self.maker.worth(begun, done)
            except RuleViolation:
                return None
            if value is not None:
                return value
            state = self.game.apply(state, self.seat, action, dice).state
        return None

    def _considered(self) -> Sequence[int]:
        """Return what each answer that a bot considers would bring."""
        view, chance = self.game.view_for(self.state, self.seat), Dice(0)
        found = dict[str, int]()
        for plan in self.insight.candidates(self.insight.suppose(view, chance), self.seat, chance):
            with suppress(RuleViolation):  # a plan that does something else
                if (value := self.maker.worth(view, plan)) is not None:
                    found[self.maker.essence(view, plan)] = value
        return tuple(found.values())
