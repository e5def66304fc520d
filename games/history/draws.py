"""Everything chance decided in a finished match, in a form which any program can draw again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.engine.fair import FairChance
from games.engine.runner import LEAVING
from games.play.access import Table
from games.play.positions import seed_of, standing_actions


@dataclass(frozen=True, slots=True)
class Draw:
    """One question to chance and its answer.

    Args:
        label: "<action number>:<purpose>", which names the stream.
        kind: "shuffle" of `n` things, or "below": numbers from 0 to `n` - 1.
        n: see `kind`.
        result: the order of the things by their index before, or the numbers drawn.
        values: the same for people: the things in their new order, or the numbers.
    """

    label: str
    kind: str
    n: int
    result: tuple[int, ...]
    values: tuple[str, ...]


@dataclass(slots=True)
class Witness:
    """The chance of one action (`games.engine.protocol.Chance`) that writes down what it was asked."""

    chance: FairChance
    number: int
    draws: list[Draw] = field(default_factory=list)

    def below(self, purpose: str, n: int) -> int:
        """Return one number from 0 to n - 1."""
        drawn = self.chance.below(purpose, n)
        self._note(purpose, "below", n, (drawn,), (drawn,))
        return drawn

    def many_below(self, purpose: str, n: int, count: int) -> tuple[int, ...]:
        """Return `count` numbers from 0 to n - 1."""
        drawn = self.chance.many_below(purpose, n, count)
        self._note(purpose, "below", n, drawn, drawn)
        return drawn

    def shuffle(self, purpose: str, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items in a random order; which order does not depend on what they are."""
        order = self.chance.shuffle(purpose, range(len(items)))
        shuffled = tuple(items[index] for index in order)
        self._note(purpose, "shuffle", len(items), order, shuffled)
        return shuffled

    def _note(self, purpose: str, kind: str, n: int, result: Sequence[int], values: Sequence[Any]) -> None:
        label = f"{self.number}:{purpose}"
        self.draws.append(Draw(label, kind, n, tuple(result), tuple(str(value) for value in values)))


def draws_of(table: Table) -> Iterator[Draw]:
    """Yield every draw of a match in order, by playing it again. Only for matches that have ended.

    Raises:
        RuleViolation: a stored action is refused (`manage.py verify_matches` tells which).
    """
    match, rules = table.match, table.match.rules
    seed = seed_of(match, table.seats)
    witness = Witness(FairChance(seed, 0), 0)
    state = rules.start(match.seat_count, match.options, witness).state
    yield from witness.draws
    for number, seat, text in standing_actions(match).values_list("number", "seat", "text"):
        if text in LEAVING:  # concerns the match, not the rules
            continue
        witness = Witness(FairChance(seed, number), number)
        state = rules.apply(state, seat, rules.parse(text), witness).state
        yield from witness.draws
