"""Rendering boards for tests, and positions to render."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from games.engine import runner
from games.engine.contract.playouts import Chooser, random_match
from games.engine.fair import FairChance
from games.engine.protocol import Event, Options, Seat, Step, Viewer
from games.titles import Scene, titles
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import Revealed, State
from games.titles.regions import Page

NAMES = ("ann", "bob", "cleo", "dan")
SEED = bytes(range(32))


def scene(state: State, viewer: int | None, events: tuple[Event, ...] = ()) -> Scene:
    """Return what this viewer looks at; they may act when it is their turn."""
    seat: Viewer = None if viewer is None else Seat(viewer)
    seen = tuple(event for event in events if event.is_seen_by(seat))
    return Scene(GAME.view_for(state, seat), seat, NAMES[: state.seats], seen, seat in GAME.to_move(state))


def page(shown: Scene) -> Page:
    """Return the board as it is shown apart from the page of a match."""
    return titles()["card-chess"].page_of(shown)


def html(shown: Scene) -> str:
    return page(shown).html


def text_of(state: State, viewer: int | None) -> str:
    """Return the board of this viewer."""
    return html(scene(state, viewer))


def viewers(state: State) -> list[int | None]:
    return [None, *range(state.seats)]


def laid_out(hands: Sequence[str], table: str, **changes: Any) -> State:
    """Return a first turn with these hands and table cards, the cards of each as one text, and an empty draw pile."""
    state = State(
        rulings=Rulings(),
        seats=len(hands),
        removed=None,
        challenges=(),
        phase=1,
        turn=1,
        table=tuple(table.split()),
        piles=(),
        revealed=Revealed(0, (), ()),
        ended=None,
        hands=tuple(tuple(hand.split()) for hand in hands),
        sealed=((),) * len(hands),
        deck=(),
        kept=(),
    )
    return replace(state, **changes)


def play(state: State, seat: int, cards: str) -> Step[State]:
    """Let a seat confirm these cards."""
    return GAME.apply(state, Seat(seat), GAME.parse(f"play {cards}"), FairChance(SEED, 1))


@cache
def whole_match(seats: int, options: tuple[tuple[str, str | bool], ...] = ()) -> tuple[runner.Play[State], ...]:
    """Return every position of a random match."""
    chosen: Options = dict(options)
    return random_match(GAME, seats, chosen, SEED, Chooser(SEED)).plays
