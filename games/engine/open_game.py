"""A base for games in which one seat moves at a time and nothing is hidden."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from games.engine.protocol import (
    Chance,
    Event,
    NotationError,
    Option,
    Options,
    Outcome,
    RuleViolation,
    Seat,
    Step,
    Viewer,
    ranks,
)

S = TypeVar("S")
A = TypeVar("A")


class OpenGame(ABC, Generic[S, A]):
    """Everything of a `games.engine.protocol.Game` that such games have in common.

    Derive from it, set `slug`, `name`, `seats`, `state_type` and `actions`, and write `begin`, `moves`, `after` and
    `standing`. The state is a frozen dataclass with a field `turn`, the seat that moves next. A match is over as soon
    as there are no moves; the highest score wins. Whatever is different in your game can be overridden: `outcome`, for
    example, or `parse` and `notate`.

    Attributes:
        actions: all actions of the game, in any position. `str` of each is its notation.
        reason: why matches end, as `Outcome.reason` says it.
    """

    actions: Sequence[A]
    state_type: type[S]
    view_type: type[S]
    version = 1
    options: tuple[Option, ...] = ()
    event_types: tuple[type[Event], ...] = ()
    reason = "points"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "state_type"):
            cls.view_type = cls.state_type

    @abstractmethod
    def begin(self, seats: int, options: Options) -> S:
        """Return the position at the start."""

    @abstractmethod
    def moves(self, state: S) -> Iterable[A]:
        """Return what the seat whose turn it is can do; nothing once the match is over."""

    @abstractmethod
    def after(self, state: S, action: A) -> S:
        """Return the position after one of the `moves`."""

    @abstractmethod
    def standing(self, state: S) -> tuple[int, ...]:
        """Return each seat's current score."""

    def turn(self, state: S) -> int:
        """Return the seat that moves next."""
        seat: int = state.turn  # type: ignore[attr-defined]  # a state without this field overrides the function
        return seat

    def start(self, seats: int, options: Options, chance: Chance) -> Step[S]:
        return Step(self.begin(seats, options), (), reveals=False)

    def to_move(self, state: S) -> frozenset[Seat]:
        return frozenset({Seat(self.turn(state))} if any(True for _ in self.moves(state)) else ())

    def is_sealed(self, state: S) -> bool:
        return False

    def legal_actions(self, state: S, seat: Seat) -> Iterable[A]:
        return self.moves(state) if seat in self.to_move(state) else ()

    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> Step[S]:
        """Apply one of the legal actions.

        Raises:
            RuleViolation: "not-your-turn" or "not-possible".
        """
        if seat not in self.to_move(state):
            raise RuleViolation("not-your-turn", "It is not your turn.")
        if action not in self.moves(state):
            raise RuleViolation("not-possible", "This is not possible now.")
        return Step(self.after(state, action), (), reveals=False)

    def outcome(self, state: S) -> Outcome | None:
        if self.to_move(state):
            return None
        scores = self.standing(state)
        return Outcome(ranks(-score for score in scores), scores, self.reason)

    def view_for(self, state: S, viewer: Viewer) -> S:
        return state

    def imagine(self, view: S, chance: Chance) -> S:
        return view

    def parse(self, text: str) -> A:
        if text not in self._by_text:
            raise NotationError("There is no such move in this game.")
        return self._by_text[text]

    def notate(self, action: A) -> str:
        return str(action)

    @cached_property
    def _by_text(self) -> dict[str, A]:
        return {self.notate(action): action for action in self.actions}
