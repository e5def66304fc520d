"""The rules of Small Islands (Alexis Allard, MushrooM Games 2018) for 1 to 4 players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from games.engine.protocol import Chance, Option, Options, Outcome, RuleViolation, Seat, Step
from games.titles.small_islands.rules import alexis, exploration, notation, reward, rounds, scoring
from games.titles.small_islands.rules.events import EVENT_TYPES, reveals
from games.titles.small_islands.rules.notation import Action, Choose, Discard, Explore, Land, Settle, Start
from games.titles.small_islands.rules.rounds import LARGE, SMALL
from games.titles.small_islands.rules.state import State, Went
from games.titles.small_islands.rules.view import View, imagine, view_for

_PHASE_OF = {
    Start: "start",
    Choose: "choose",
    Explore: "explore",
    Discard: "explore",
    Land: "explore",
    Settle: "reward",
}

REFUSALS: Mapping[str, str] = {
    "match-over": "The match is over.",
    "not-your-turn": "It is not your turn.",
    "not-now": "You cannot do that in this part of the round.",
    "wrong-mode": "Objectives are chosen as cards in normal mode, as missions and rewards in advanced mode.",
    "card-not-dealt": "You can keep and put aside only cards that you hold.",
    "same-card": "The card you put aside must not be the one you keep.",
    "start-tile-placed": "This start tile is already on the table.",
    "cell-taken": "There is already a tile there.",
    "beyond-the-edge": "No tile may cross the edge of the table.",
    "first-elsewhere": "The first start tile goes on 0, 0.",
    "not-beside": "A tile must share a side with one in play.",
    "coast-broken": "The landscape must continue on all sides and corners.",
    "slot-empty": "There is no face-up tile in this slot.",
    "tile-not-at-hand": "You can place only a tile from your hand or the one you take.",
    "a-tile-fits": "You can put a tile back only when none of your three can be placed.",
    "token-used": "You have already used this bonus token.",
    "no-tile-there": "There is no tile there.",
    "token-on-ship": "A token cannot go on a ship.",
    "no-such-region": "There is no such land. Name the part on channel tiles, and only on those.",
    "same-resource": "A bonus token covers a resource other than the one it shows.",
    "resource-not-there": "That resource is not there to be covered.",
    "no-coast-slot": "A Port needs a coast slot on the tile.",
    "port-there-already": "There is already a Port there.",
    "two-ports-already": "This tile already has two Ports.",
    "navigation-not-empty": "You can land only when the Navigation stack is empty.",
    "no-such-ship": "You have no such ship left.",
    "too-few-houses": "You do not have that many Houses in hand.",
    "no-house-symbol": "There is no house symbol there.",
    "house-symbol-taken": "There is already a House on this symbol.",
    "island-too-small": "A House can be placed only on an island of at least two tiles.",
    "mission-not-fulfilled": "This island does not fulfill your mission.",
    "house-there-already": "You already have a House on this island.",
    "same-island": "Place only one House on each island.",
}
"""Every code but "notation" with its sentence."""

_OPTIONS: tuple[Option, ...] = (
    Option(
        name="mode",
        label="Objectives",
        choices=(("normal", "Mission and reward on one card"), ("advanced", "Missions and rewards on separate cards")),
        help="With separate cards, you combine a mission and a reward of your own choice each round.",
    ),
    Option(
        name="start",
        label="Start tiles",
        choices=(("automatic", "In a square"), ("by_hand", "Placed by the first player")),
    ),
    Option(
        name="table",
        label="Table",
        choices=((LARGE, "Large"), (SMALL, "Small")),
        help="The world is flat: no tile crosses the edge of the table. On a small one the edge matters.",
    ),
    Option(
        name="alexis",
        label="Alexis",
        choices=(("morning", "Morning (easy)"), ("afternoon", "Afternoon (medium)"), ("night", "Night (hard)")),
        help="Alone you play against Alexis, who follows a card.",
        seats=frozenset({1}),
        required=True,
    ),
)


class SmallIslands:
    """The game, as `games.engine.protocol.Game` asks for it."""

    slug = "small-islands"
    name = "Small Islands"
    version = 2
    seats = range(1, 5)
    options = _OPTIONS
    state_type = State
    view_type = View
    event_types = EVENT_TYPES

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """Shuffle and deal; draws with the labels given in the README."""
        state, events = rounds.set_up(seats, options, chance)
        return Step(state, tuple(events), reveals=True)

    def to_move(self, state: State) -> frozenset[Seat]:
        """Return whose turn it is; while objectives are chosen, who has not chosen yet."""
        return frozenset(map(Seat, state.table.to_move))

    def is_sealed(self, state: State) -> bool:
        """Return whether objectives are being chosen."""
        return state.table.phase == "choose"

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return what the seat may do now, lazily: with bonus tokens there are tens of thousands of ways to explore."""
        if seat not in state.table.to_move:
            return ()
        match state.table.phase:
            case "start":
                return rounds.start_options(state.table)
            case "choose":
                return rounds.choose_options(state, seat)
            case "explore":
                return exploration.options(state)
            case "reward":
                return reward.options(state)
            case "over":
                return ()
            case _:
                assert_never(state.table.phase)

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        """Carry an action out; alone, Alexis acts as well until it is the player's turn again.

        Raises:
            RuleViolation: with one of the codes given in the README.
        """
        code = _refusal(state, seat, action)
        if code is not None:
            raise RuleViolation(code, REFUSALS[code])
        after, events = _go(state, seat, action, chance)
        while alexis.is_his_turn(after.table):
            after, more = alexis.act(after, chance)
            events = [*events, *more]
        # With several seats no choice of an objective can be taken back once all have chosen.
        all_chose = state.table.seats > 1 and state.table.phase == "choose" != after.table.phase
        return Step(after, tuple(events), reveals=all_chose or any(map(reveals, events)))

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended: reason `reserve`, `stranded` or `ships`, alone `alexis` and his score."""
        return scoring.outcome(state.table, state.values) if state.table.phase == "over" else None

    def standing(self, state: State) -> tuple[int, ...]:
        """Return each seat's score as it stands, without discovery tokens until the match is over."""
        over = state.table.phase == "over"
        return scoring.scores(state.table, state.values if over else (None,) * len(state.values))

    view_for = staticmethod(view_for)
    imagine = staticmethod(imagine)
    parse = staticmethod(notation.parse)
    notate = staticmethod(notation.notate)


class EndlessSmallIslands(SmallIslands):
    """Version 1 of the rules, for matches that began with it: the table had no edge."""

    version = 1
    options = tuple(option for option in _OPTIONS if option.name != "table")


def _refusal(state: State, seat: Seat, action: Action) -> str | None:
    """Return the code of the first rule the action breaks, None if it is legal."""
    table = state.table
    if seat not in table.to_move:
        return "match-over" if table.phase == "over" else "not-your-turn"
    if table.phase != _PHASE_OF[type(action)]:
        return "not-now"
    match action:
        case Start():
            return rounds.start_refusal(table, action)
        case Choose():
            return rounds.choose_refusal(state, seat, action)
        case Settle():
            return reward.refusal(state, action)
        case _:
            return exploration.refusal(state, action)


def _go(state: State, seat: Seat, action: Action, chance: Chance) -> Went:
    match action:
        case Start():
            return rounds.place_start(state, action)
        case Choose():
            return rounds.choose(state, seat, action)
        case Explore():
            return exploration.explore(state, action)
        case Discard():
            return exploration.discard(state, action)
        case Land():
            return exploration.land(state, action)
        case Settle():
            return reward.settle(state, action, chance)
        case _:
            assert_never(action)
