"""The rules of 3D cardChess (Sergio Fersini) for 2 to 4 players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

from games.engine.protocol import Chance, Event, Options, Outcome, RuleViolation, Seat, Step, Viewer
from games.titles.card_chess import notation, turns
from games.titles.card_chess import view as views
from games.titles.card_chess.deck import least_pawns
from games.titles.card_chess.events import EVENT_TYPES, PawnRemoved
from games.titles.card_chess.notation import Play
from games.titles.card_chess.options import OPTIONS, rulings
from games.titles.card_chess.state import Revealed, State
from games.titles.card_chess.view import View

_REFUSALS = {
    "match-over": "The match is over.",
    "not-your-turn": "You have confirmed already; wait for the others.",
    "wrong-number": "Play exactly one card against each card on the table.",
    "card-not-in-hand": "You do not hold all of these cards.",
}

_SEATS_WITHOUT_A_PAWN = 4


class CardChess:
    """The game, as `games.engine.protocol.Game` asks for it. Every turn is sealed until all have confirmed."""

    slug = "card-chess"
    name = "3D cardChess"
    version = 2
    seats = range(2, 5)
    options = OPTIONS
    state_type = State
    view_type = View
    event_types = EVENT_TYPES

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """Deal the first challenge; with four players a pawn is taken out before."""
        state = State(
            rulings=rulings(options),
            seats=seats,
            removed=_removed(seats, chance),
            challenges=(),
            phase=1,
            turn=0,
            table=(),
            piles=(),
            revealed=Revealed(0, (), ()),
            ended=None,
            hands=((),) * seats,
            sealed=((),) * seats,
            deck=(),
            kept=(),
        )
        removed: list[Event] = [] if state.removed_card is None else [PawnRemoved(None, state.removed_card)]
        state, events = turns.begin_challenge(state, chance)
        return Step(state, (*removed, *events), reveals=True)

    def to_move(self, state: State) -> frozenset[Seat]:
        """Return the seats that have not confirmed."""
        if state.ended is not None:
            return frozenset()
        return frozenset(Seat(seat) for seat, cards in enumerate(state.sealed) if not cards)

    def is_sealed(self, state: State) -> bool:
        """Return True as long as the match runs."""
        return state.ended is None

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Play]:
        """Return every way to play one card at each table card; ways that differ only in equal cards count as one."""
        if seat not in self.to_move(state):
            return ()
        return map(Play, dict.fromkeys(permutations(state.hands[seat], len(state.table))))

    def apply(self, state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
        """Seal a play; the last one reveals the turn and deals the next.

        Raises:
            RuleViolation: with one of the codes given in the README.
        """
        code = self._refusal(state, seat, action)
        if code is not None:
            raise RuleViolation(code, _REFUSALS[code])
        last = len(self.to_move(state)) == 1
        after, events = turns.confirm(state, seat, action.cards, chance)
        return Step(after, tuple(events), reveals=last, opens=last)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, with one of the reasons given in `standings.ending`."""
        return state.outcome

    def standing(self, state: State) -> tuple[int, ...]:
        """Return the gold cards each seat has won."""
        return state.gold

    def view_for(self, state: State, viewer: Viewer) -> View:
        """Return what this viewer may know: no hand or sealed play but its own, nothing of the draw pile's order."""
        return views.view_for(state, viewer)

    def imagine(self, view: View, chance: Chance) -> State:
        """Return a full state which the viewer cannot tell from the true one."""
        return views.imagine(view, chance)

    def parse(self, text: str) -> Play:
        """Read an action, see `notation`."""
        return notation.parse(text)

    def notate(self, action: Play) -> str:
        """Write an action, see `notation`."""
        return notation.notate(action)

    def _refusal(self, state: State, seat: Seat, action: Play) -> str | None:
        """Return the code of the first rule the action breaks, None if it is legal."""
        if state.ended is not None:
            return "match-over"
        if seat not in self.to_move(state):
            return "not-your-turn"
        if len(action.cards) != len(state.table):
            return "wrong-number"
        return None if Counter(action.cards) <= Counter(state.hands[seat]) else "card-not-in-hand"


def _removed(seats: int, chance: Chance) -> int | None:
    return chance.below("pawn", len(least_pawns(seats))) if seats == _SEATS_WITHOUT_A_PAWN else None
