"""Matches played at random, for tests and for `manage.py simulate`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, Final, TypeVar

from games.engine import runner
from games.engine.fair import Stream
from games.engine.protocol import AnyGame, Options, OptionValue, Seat, Viewer
from games.engine.runner import BrokenRulesError, Play

T = TypeVar("T")

LONGEST_MATCH: Final = 10_000
"""A random match with more actions than this counts as endless."""

_COMBINATIONS, _POSITIONS, _OF_A_KIND = 8, 12, 4


class Chooser:
    """A source of free choices that repeats itself for the same seed.

    >>> chooser = Chooser(bytes(32))
    >>> [chooser.pick("abc") for _ in range(5)]
    ['c', 'b', 'c', 'a', 'c']
    """

    def __init__(self, seed: bytes) -> None:
        self._stream = Stream(seed, "chooser")

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, every one equally likely."""
        return items[self._stream.below(len(items))]

    def some(self, items: Sequence[T], count: int) -> Sequence[T]:
        """Return `count` of the items in a random order, all when there are fewer."""
        left = list(items)
        return [left.pop(self._stream.below(len(left))) for _ in range(min(count, len(left)))]


@dataclass(frozen=True, slots=True)
class Match:
    """A whole match: how it was set up and every position of it, the start first.

    Args:
        imagined: what was imagined of it so far, by the game, the number of the position and the viewer.
    """

    seats: int
    options: Options
    seed: bytes
    plays: tuple[Play[Any], ...]
    imagined: dict[tuple[AnyGame, int, Viewer], list[Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def sample(self) -> list[Play[Any]]:
        """Return some positions spread over the match, the first and the last among them."""
        last = len(self.plays) - 1
        return [self.plays[i] for i in sorted({round(last * k / _POSITIONS) for k in range(_POSITIONS + 1)})]

    def steps(self) -> list[tuple[Play[Any], Play[Any]]]:
        """Return some actions, each with the position before it: spread over the match, and some of each kind."""
        chosen = {play.number for play in self.sample()}
        kinds: Counter[tuple[bool, tuple[str, ...]]] = Counter()
        for play in self.plays:
            kind = (play.reveals, tuple(event.kind for event in play.events))
            kinds[kind] += 1
            if kinds[kind] <= _OF_A_KIND:
                chosen.add(play.number)
        return [(before, after) for before, after in pairwise(self.plays) if after.number in chosen]


def random_plays(game: AnyGame, seats: int, options: Options, seed: bytes, chooser: Chooser) -> Iterator[Play[Any]]:
    """Yield the positions of a match played at random to its end, the start first.

    Every type of action (its class) is equally likely, then every action of that type: so that rare ones, which often
    move a match on, are not lost among the many.

    Raises:
        BrokenRulesError: somebody is to move and can do nothing, or the match is longer than `LONGEST_MATCH`.
        OptionError: as for `runner.begin`.
    """
    play = runner.begin(game, seats, options, seed)
    yield play
    while play.outcome is None:
        if play.number >= LONGEST_MATCH:
            raise BrokenRulesError(f"{game.slug} still runs after {LONGEST_MATCH} actions.")
        seat = chooser.pick(sorted(play.to_move))
        actions = tuple(game.legal_actions(play.state, seat))
        if not actions:
            raise BrokenRulesError(f"{game.slug}: seat {seat} is to move after {play.number} and cannot act.")
        by_type: defaultdict[type[Any], list[Any]] = defaultdict(list)
        for action in actions:
            by_type[type(action)].append(action)
        action = chooser.pick(by_type[chooser.pick(list(by_type))])
        play = runner.act(game, play.position, seat, action, seed)
        yield play


def random_match(game: AnyGame, seats: int, options: Options, seed: bytes, chooser: Chooser) -> Match:
    """Return a match played at random to its end; errors as for `random_plays`."""
    return Match(seats, options, seed, tuple(random_plays(game, seats, options, seed, chooser)))


def option_combinations(game: AnyGame, seats: int) -> list[dict[str, OptionValue]]:
    """Return choices of options worth a match: all of them when they are few, else the defaults, each other value
    once, and everything at its last value.
    """
    offered = {
        option.name: [value for value, _ in option.choices] for option in game.options if option.exists_for(seats)
    }
    everything = [dict(zip(offered, values, strict=True)) for values in product(*offered.values())]
    if len(everything) <= _COMBINATIONS:
        return everything
    default = {name: values[0] for name, values in offered.items()}
    others = [default | {name: value} for name, values in offered.items() for value in values[1:]]
    return [default, *others, {name: values[-1] for name, values in offered.items()}]


def viewers(match: Match) -> tuple[Viewer, ...]:
    """Return everybody who can look at a match: the spectator, then the seats."""
    return None, *(Seat(seat) for seat in range(match.seats))
