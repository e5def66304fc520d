"""Rendering boards for tests."""

from __future__ import annotations

from typing import Any

from games.engine.protocol import Event, Seat, Viewer
from games.titles import Scene, titles
from games.titles.regions import Page
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.state import State

NAMES = ("ann", "bob", "cleo", "dan")


def scene(state: State, viewer: int | None, events: tuple[Event, ...] = (), **changes: Any) -> Scene:
    """Return what this viewer looks at; they may act when it is their turn."""
    seat: Viewer = None if viewer is None else Seat(viewer)
    seen = tuple(event for event in events if event.is_seen_by(seat))
    fields = {"recent": seen, "active": seat in GAME.to_move(state), **changes}
    return Scene(GAME.view_for(state, seat), seat, NAMES[: state.table.seats], **fields)


def page(shown: Scene) -> Page:
    """Return the board apart from the page of a match."""
    return titles()["small-islands"].page_of(shown)


def html(shown: Scene) -> str:
    """Return the board as it is pushed."""
    return page(shown).html
