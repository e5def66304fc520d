"""A base for games in which nothing is hidden and nobody chooses in secret."""

from __future__ import annotations

from typing import Generic, TypeVar

from games.engine.protocol import Chance, Event, Option, Viewer

S = TypeVar("S")


class OpenGame(Generic[S]):
    """The half of `games.engine.protocol.Game` that is the same for every open game: everybody sees the whole state.

    Derive from it and add `slug`, `name`, `version`, `seats`, `state_type`, `start`, `to_move`, `legal_actions`,
    `apply`, `outcome`, `standing`, `parse` and `notate`.
    """

    state_type: type[S]
    view_type: type[S]
    options: tuple[Option, ...] = ()
    event_types: tuple[type[Event], ...] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "state_type"):
            cls.view_type = cls.state_type

    def is_sealed(self, state: S) -> bool:
        return False

    def view_for(self, state: S, viewer: Viewer) -> S:
        return state

    def imagine(self, view: S, chance: Chance) -> S:
        return view
