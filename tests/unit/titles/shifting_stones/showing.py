"""Rendering boards for tests."""

from __future__ import annotations

from games.engine.protocol import Event, Seat, Viewer
from games.titles import Scene, titles
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.rules.state import State

NAMES = ("ann", "bob", "cleo", "dan", "eve")


def scene(state: State, viewer: int | None, events: tuple[Event, ...] = ()) -> Scene:
    """Return what this viewer looks at; they may act when it is their turn."""
    seat: Viewer = None if viewer is None else Seat(viewer)
    seen = tuple(event for event in events if event.is_seen_by(seat))
    return Scene(GAME.view_for(state, seat), seat, NAMES[: len(state.hands)], seen, seat in GAME.to_move(state))


def html(shown: Scene) -> str:
    """Return the board as it is pushed."""
    return titles()["shifting-stones"].page_of(shown).html
