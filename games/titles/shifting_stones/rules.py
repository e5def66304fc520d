"""The rules of Shifting Stones (Evan Raitt, Gamewright 2020) for 1 to 5 players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from games.engine.protocol import Chance, Event, Option, Options, Outcome, RuleViolation, Seat, Step, Viewer
from games.titles.shifting_stones import notation, turns
from games.titles.shifting_stones import view as views
from games.titles.shifting_stones.events import EVENT_TYPES, CardsReceived, Dealt, Finished, PileReshuffled
from games.titles.shifting_stones.notation import DISCARDS, END, SCORES, SKIP, Action, End, Flip, Score, Shift, Skip
from games.titles.shifting_stones.patterns import ADJACENT, CARDS, POINTS, TILE_SET, TILES, Grid, grid_bits, lies_on
from games.titles.shifting_stones.state import HAND, SOLO_DECK, State, result, scores, skip_refused
from games.titles.shifting_stones.view import View

_REVEALING = (CardsReceived, PileReshuffled, Finished)

_REFUSALS = {
    "match-over": "The match is over.",
    "not-your-turn": "It is not your turn.",
    "card-not-in-hand": "You do not hold this card.",
    "same-cell": "A shift needs two different cells.",
    "not-adjacent": "Only two stones side by side or one above the other can be swapped.",
    "pattern-not-on-grid": "The stones do not show this card’s pattern.",
    "skip-after-acting": "You have already acted in this turn; skipping replaces the whole turn.",
    "skip-twice": "You skipped your last turn; you cannot skip twice in a row.",
    "skip-hand-too-full": "You can skip only with four or fewer cards in hand.",
}


def _refuse(code: str) -> RuleViolation:
    return RuleViolation(code, _REFUSALS[code])


class ShiftingStones:
    """The game, as `games.engine.protocol.Game` asks for it. It has no options."""

    slug = "shifting-stones"
    name = "Shifting Stones"
    version = 1
    seats = range(1, 6)
    options: tuple[Option, ...] = ()
    state_type = State
    view_type = View
    event_types = EVENT_TYPES

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """Lay out the stones and deal the cards; the README lists the labels of the draws."""
        deck = _deck(seats, chance)
        hands = tuple(deck[seat * HAND : (seat + 1) * HAND] for seat in range(seats))
        state = State(
            grid=_grid(chance),
            hands=hands,
            deck=deck[seats * HAND :],
            discards=(),
            scored=((),) * seats,
            mover=0,
            acted=False,
            has_scored=False,
            skipped=(False,) * seats,
            round=1,
            triggered_by=None,
            strikes=0,
            pile=0,
            piles=(0,) * len(CARDS),
            ended=None,
        )
        received = (CardsReceived(frozenset({Seat(seat)}), seat, hand) for seat, hand in enumerate(hands))
        return Step(state, (Dealt(None, HAND), *received), reveals=True)

    def to_move(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""
        return frozenset({Seat(state.mover)}) if state.ended is None else frozenset()

    def is_sealed(self, state: State) -> bool:
        """Return False: every action is public at once."""
        return False

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return the seat's legal actions, every shift once, with its cells in the order of the grid."""
        if state.ended is not None or seat != state.mover:
            return ()
        hand, bits = state.hands[seat], grid_bits(state.grid)
        actions: list[Action] = [SCORES[card] for card in hand if lies_on(card, bits)]
        for card in hand:
            actions += DISCARDS[card]
        actions.append(END)
        if skip_refused(state.acted, state.skipped[seat], len(hand)) is None:
            actions.append(SKIP)
        return actions

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        """Apply an action; a hand that becomes empty ends the turn.

        Raises:
            RuleViolation: with one of the codes given in the README.
        """
        code = _refusal(state, seat, action)
        if code is not None:
            raise _refuse(code)
        after, events = _go(state, action, chance)
        if after.acted and after.ended is None and not after.hands[seat]:
            after, more = turns.end(after, chance, by_itself=True)
            events = [*events, *more]
        return Step(after, tuple(events), reveals=_reveals(events))

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended: reason `goal` or `idle`, alone `won` or `lost`."""
        return None if state.ended is None else result(state.scored, state.ended)

    def standing(self, state: State) -> tuple[int, ...]:
        """Return each seat's score as if the match ended now, the bonus included."""
        return scores(state.scored)

    def view_for(self, state: State, viewer: Viewer) -> View:
        """Return what this viewer may know: no hand but their own, and nothing about the order of the draw pile."""
        return views.view_for(state, viewer)

    def imagine(self, view: View, chance: Chance) -> State:
        """Return a full state that the viewer cannot distinguish from the true one."""
        return views.imagine(view, chance)

    def parse(self, text: str) -> Action:
        """Read an action, see `notation`."""
        return notation.parse(text)

    def notate(self, action: Action) -> str:
        """Write an action, see `notation`."""
        return notation.notate(action)


def _grid(chance: Chance) -> Grid:
    kinds = chance.shuffle("tiles", TILE_SET)
    sides = chance.many_below("sides", 2, len(kinds))
    return tuple(TILES[kind][side] for kind, side in zip(kinds, sides, strict=True))


def _deck(seats: int, chance: Chance) -> tuple[int, ...]:
    return chance.shuffle("deck", _solo_cards(chance) if seats == 1 else tuple(CARDS))


def _solo_cards(chance: Chance) -> tuple[int, ...]:
    """Draw the 16 cards of a solo match, ascending."""
    chosen: list[int] = []
    for points, count in SOLO_DECK.items():
        cards = [card for card in CARDS if POINTS[card] == points]
        chosen += chance.shuffle(f"solo{points}", cards)[:count]
    return tuple(sorted(chosen))


def _refusal(state: State, seat: Seat, action: Action) -> str | None:
    """Return the code of the first rule the action breaks, None if it is legal."""
    if state.ended is not None:
        return "match-over"
    if seat != state.mover:
        return "not-your-turn"
    match action:
        case End():
            return None
        case Skip():
            return skip_refused(state.acted, state.skipped[seat], len(state.hands[seat]))
        case Shift() | Flip() | Score():
            return _card_refusal(state, action)
        case _:
            assert_never(action)


def _card_refusal(state: State, action: Shift | Flip | Score) -> str | None:
    if action.card not in state.hands[state.mover]:
        return "card-not-in-hand"
    if isinstance(action, Shift):
        return _shift_refusal(action)
    if isinstance(action, Score) and not lies_on(action.card, grid_bits(state.grid)):
        return "pattern-not-on-grid"
    return None


def _shift_refusal(action: Shift) -> str | None:
    if action.first == action.second:
        return "same-cell"
    if tuple(sorted((action.first, action.second))) not in ADJACENT:
        return "not-adjacent"
    return None


def _go(state: State, action: Action, chance: Chance) -> turns.Went:
    match action:
        case Shift():
            return turns.shift(state, action)
        case Flip():
            return turns.flip(state, action)
        case Score():
            return turns.score(state, action)
        case End():
            return turns.end(state, chance, by_itself=False)
        case Skip():
            return turns.skip(state, chance)
        case _:
            assert_never(action)


def _reveals(events: list[Event]) -> bool:
    return any(isinstance(event, _REVEALING) for event in events)
