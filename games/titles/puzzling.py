"""Find what titles bring for puzzles: their optional modules `puzzles` (see `games.engine.puzzles`) and their data.

A title keeps its data in `puzzles.jsonl` in its folder, one puzzle a line.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from games.engine import runner
from games.engine.insight import Plan, choose
from games.engine.protocol import AnyGame, Seat
from games.engine.puzzles import Puzzle, PuzzleMaker, Solved
from games.titles import games, package_of
from games.titles.insights import policy_of

FILE: Final = "puzzles.jsonl"
_SEATS: Final = 2
_KEPT: Final = 256
_EARLIEST: Final = 20
_LATEST: Final = 40
"""The search begins after up to so many actions, and ends after so many: the way there is stored with a puzzle."""
_LEAST: Final = 3
"""Puzzles that bring less are not worth the trouble."""


@cache
def maker_of(slug: str) -> PuzzleMaker | None:
    """Return how a game makes puzzles, None if it does not.

    Raises:
        KeyError: there is no such game.
    """
    name = f"{package_of(slug)}.puzzles"
    return cast("PuzzleMaker", importlib.import_module(name)) if find_spec(name) else None


def file_of(slug: str) -> Path:
    """Return where the puzzles of a game are kept."""
    return Path(cast("str", importlib.import_module(package_of(slug)).__file__)).parent / FILE


@cache
def puzzles_of(slug: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game that can be asked, in the order of the file: those of its present rules."""
    path = file_of(slug)
    if maker_of(slug) is None or not path.exists():
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (msgspec.json.decode(line, type=Puzzle) for line in lines)
    return tuple(puzzle for puzzle in found if puzzle.version == games()[slug].version)


@lru_cache(maxsize=1)
def with_puzzles() -> tuple[str, ...]:
    """Return the games that have puzzles, by name."""
    found = [game for slug, game in games().items() if puzzles_of(slug)]
    return tuple(game.slug for game in sorted(found, key=lambda game: game.name))


def written(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of the file."""
    return msgspec.json.encode(puzzle).decode()


@lru_cache(maxsize=_KEPT)
def position_of(slug: str, number: int) -> Any:
    """Return the state in which a puzzle is asked."""
    return position(games()[slug], puzzles_of(slug)[number])


def position(game: AnyGame, puzzle: Puzzle) -> Any:
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


# --- finding ----------------------------------------------------------------------------------------------------------


def found_in(game: AnyGame, maker: PuzzleMaker, number: int) -> Puzzle | None:
    """Return a puzzle from a match between bots, None if it has none; the same number gives the same one.

    The matches are searched from different moments on, so that puzzles come from all parts of a match.
    """
    seed = sha256(b"puzzle %d" % number).digest()
    for play, actions in _match(game, seed):
        if play.number > _LATEST:
            break
        seats = sorted(play.to_move) if play.number >= number % _EARLIEST else ()
        found = (_puzzle(game, maker, play, seat, seed, actions) for seat in seats)
        if puzzle := next(filter(None, found), None):
            return puzzle
    return None


def _match(game: AnyGame, seed: bytes) -> Iterator[tuple[runner.Play[Any], Sequence[tuple[int, str]]]]:
    """Play a match between bots; yield each position with the actions that led to it."""
    policy, actions = policy_of(game.slug), list[tuple[int, str]]()
    reached: runner.Play[Any] = runner.begin(game, _SEATS, {}, seed)
    while reached.to_move:
        yield reached, actions
        seat = min(reached.to_move)
        own = sha256(b"%d %d" % (seat, reached.number) + seed).digest()
        reached = runner.act(game, reached.position, seat, choose(game, policy, reached.state, seat, own), seed)
        actions.append((seat, reached.text))


def _puzzle(  # noqa: PLR0917  # a position, and where it comes from
    game: AnyGame,
    maker: PuzzleMaker,
    play: runner.Play[Any],
    seat: Seat,
    seed: bytes,
    actions: Sequence[tuple[int, str]],
) -> Puzzle | None:
    """Return the puzzle of a position: one with a single best answer, which somebody greedy does not find."""
    view = game.view_for(play.state, seat)
    if not maker.suits(view):
        return None
    solved = maker.solve(view)
    if not is_hard(maker, view, solved):
        return None
    solution = tuple(game.notate(action) for action in solved.line)
    return Puzzle(
        _SEATS,
        {},
        seed.hex(),
        game.version,
        tuple(actions),
        seat,
        solution,
        solved.best,
        solved.second,
        solved.examined,
    )


def is_hard(maker: PuzzleMaker, view: Any, solved: Solved) -> bool:
    """Say whether a position makes a puzzle."""
    if not solved.unique or solved.best < _LEAST:
        return False
    return (maker.worth(view, maker.greedy(view)) or 0) < solved.best
