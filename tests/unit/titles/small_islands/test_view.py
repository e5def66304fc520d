"""What a viewer may know, and what cannot be told from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from games.engine.codec import decode, decode_events, encode, encode_events
from games.engine.contract.playouts import Match
from games.engine.contract.testing import ContractError, check_hidden
from games.engine.protocol import Seat, Viewer
from games.titles.small_islands import GAME
from games.titles.small_islands.rules import SmallIslands
from games.titles.small_islands.rules.events import CardsKept, CardsReceived, DiscoveryKept, TilesReceived
from games.titles.small_islands.rules.state import State, Table
from games.titles.small_islands.rules.view import View
from tests.unit.titles.small_islands.choosers import NAME, SETTINGS, random_plays
from tests.unit.titles.small_islands.positions import act, begin, choose_all, position, viewers

PRIVATE = (TilesReceived, CardsReceived, CardsKept, DiscoveryKept)


def others(state: State, viewer: Viewer) -> list[int]:
    return [seat for seat in range(state.table.seats) if seat != viewer]


# --- what is hidden -------------------------------------------------------------------------------------------------


def hidden_hands(state: State, viewer: Viewer) -> object:
    """Hands, but for tiles that everybody saw being taken."""
    hands = [set(state.hands[seat]) - set(state.table.shown[seat]) for seat in others(state, viewer)]
    return hands if any(hands) else None


def own_hand_before_start(state: State, viewer: Viewer) -> object:
    """Even one's own while start tiles are placed."""
    return state.hands if state.table.phase == "start" else None


def hidden_objectives(state: State, viewer: Viewer) -> object:
    """Objectives until revealed."""
    table = state.table
    shown = table.revealed if table.phase in {"reward", "over"} else ((),) * table.seats
    hidden = [state.kept[seat] for seat in others(state, viewer) if table.chosen[seat] and not shown[seat]]
    return hidden or None


def hidden_cards_put_aside(state: State, viewer: Viewer) -> object:
    return [state.aside[seat] for seat in others(state, viewer) if state.table.chosen[seat]] or None


def hidden_cards_to_choose_from(state: State, viewer: Viewer) -> object:
    return [state.dealt[seat] for seat in others(state, viewer)] or None


def hidden_stacks(state: State, viewer: Viewer) -> object:
    """The order of the Navigation stack and the Reserve."""
    return state.deck[: len(state.deck) - state.returned] or None


def hidden_expedition(state: State, viewer: Viewer) -> object:
    return state.expedition if len(set(state.expedition)) > 1 else None


def hidden_values(state: State, viewer: Viewer) -> object:
    """The values of discovery tokens, but for one's own and when the match is over."""
    owners = [state.table.houses[found.house].seat for found in state.table.discoveries]
    found = [value for value, owner in zip(state.values, owners, strict=True) if owner != viewer]
    return found if found and state.table.phase != "over" else None


HIDDEN = [
    hidden_hands,
    own_hand_before_start,
    hidden_objectives,
    hidden_cards_put_aside,
    hidden_cards_to_choose_from,
    hidden_stacks,
    hidden_expedition,
    hidden_values,
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_is_hidden_is_not_known(match: Match, hidden: Callable[[State, Viewer], object]) -> None:
    assert check_hidden(GAME, match, hidden) is None  # type: ignore[func-returns-value]  # returns None or raises


@pytest.mark.parametrize("hidden", HIDDEN)
def test_each_hidden_thing_occurs_in_a_match(hidden: Callable[[State, Viewer], object]) -> None:
    """Otherwise the test above would prove nothing."""
    played = [play for seats, options in SETTINGS for play in random_plays(seats, NAME, **options)]
    assert any(hidden(play.state, None) is not None for play in played)


def test_a_view_that_shows_hands_is_caught(match: Match) -> None:
    """The sabotaged variant: all tiles in hand are on the table."""

    class Leaky(SmallIslands):
        def view_for(self, state: State, viewer: Viewer) -> View:
            return GAME.view_for(replace(state, table=replace(state.table, shown=state.hands)), viewer)

    with pytest.raises(ContractError):
        check_hidden(
            Leaky(), match, lambda state, viewer: [state.hands[seat] for seat in others(state, viewer)] or None
        )


def test_a_view_holds_the_table_and_what_its_viewer_may_know_besides() -> None:
    """A new field must be thought about here."""
    assert [field.name for field in fields(View)] == [
        "viewer",
        "table",
        "reserve",
        "returned",
        "hand",
        "dealt",
        "kept",
        "aside",
        "values",
        "expedition",
    ]
    assert {field.name for field in fields(State)} - {"table"} == {
        "deck",
        "returned",
        "hands",
        "dealt",
        "kept",
        "aside",
        "values",
        "expedition",
    }


def test_public_is_everything_on_the_table(match: Match) -> None:
    for play in match.plays:
        assert {GAME.view_for(play.state, viewer).table for viewer in viewers(play.state)} == {play.state.table}


def test_nothing_hidden_lies_on_the_table() -> None:
    """A new field must be thought about here."""
    assert {field.name for field in fields(Table)} == {
        *("seats", "advanced", "alexis", "phase", "round", "turn", "starter", "end", "reach"),
        *("board", "tokens", "houses", "discoveries", "row", "navigation", "shown"),
        *("chosen", "revealed", "expedition_discards", "expedition_cards"),
    }


def test_the_owner_sees_hand_and_cards() -> None:
    state = begin(2)
    view = GAME.view_for(state, Seat(1))
    assert (view.hand, view.dealt, view.choices) == (state.hands[1], state.dealt[1], state.dealt[1])
    assert (view.kept, view.objective) == ((), None)
    chosen = GAME.view_for(choose_all(state).state, Seat(1))
    assert chosen.kept == state.dealt[1][0][:1]
    assert chosen.aside == state.dealt[1][0][1:2]
    assert chosen.dealt == state.dealt[1]
    assert chosen.choices == ()


def test_a_spectator_sees_no_hand_and_no_cards(match: Match) -> None:
    for play in match.plays:
        view = GAME.view_for(play.state, None)
        assert (view.hand, view.dealt, view.kept, view.aside) == ((), (), (), ())
        assert view.objective is None


def test_revealed_objectives_stay_in_view_until_the_next_reward_phase() -> None:
    state = position(phase="reward", objective=(7, 9), deck=tuple(range(20, 40)))
    first = act(state, "settle").state
    assert GAME.view_for(first, None).table.revealed == ((7, 9), ())
    prepared = act(first, "settle").state
    assert prepared.table.phase == "choose"
    assert GAME.view_for(prepared, None).table.revealed == ((7, 9), (7, 9))


def test_stacks_are_seen_as_numbers() -> None:
    view = GAME.view_for(begin(2), None)
    assert (view.table.navigation, view.reserve) == (6, 43)


# --- events and codec -----------------------------------------------------------------------------------------------


def test_hands_cards_choices_and_discovery_values_are_told_to_their_seats_alone(match: Match) -> None:
    for play in match.plays:
        for event in play.events:
            if isinstance(event, PRIVATE):
                assert event.seen_by == frozenset({Seat(event.seat)})
            else:
                assert event.seen_by is None


def test_state_view_and_events_survive_the_codec(match: Match) -> None:
    for play in match.plays:
        assert decode(encode(play.state), State) == play.state
        assert decode_events(encode_events(play.events), GAME.event_types) == play.events
        for viewer in viewers(play.state):
            view = GAME.view_for(play.state, viewer)
            assert decode(encode(view), View) == view
