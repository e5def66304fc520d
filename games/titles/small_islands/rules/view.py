"""What one viewer may know of a match.

The table is open to everybody. Hidden are hands, but for tiles which everybody saw being taken; objectives until they
are revealed, and cards put aside always; the order of the stacks, but for tiles which everybody saw being put under
the Reserve; the values of discovery tokens until the match is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from games.engine.protocol import Chance, Outcome, Viewer
from games.titles.small_islands.rules import components, scoring
from games.titles.small_islands.rules.components import DISCOVERY_TOKENS, LANDSCAPE, Cell, Objective, objective_of
from games.titles.small_islands.rules.exploration import Spots, spots
from games.titles.small_islands.rules.reward import Prospect, prospects
from games.titles.small_islands.rules.rounds import EXPLORE_CARDS, LAND_CARD, start_faces
from games.titles.small_islands.rules.scoring import CARDS, Tally
from games.titles.small_islands.rules.state import HAND, Cards, Dealt, State, Table, berths, ships_left


@dataclass(frozen=True, slots=True)
class View:
    """What `viewer` may know.

    Args:
        viewer: the seat that looks, None for a spectator.
        table: what everybody sees.
        reserve: how many tiles the Reserve holds.
        returned: the last tiles of the stacks as far as everybody saw them being put there, the next first.
        hand: the viewer's own tiles; empty while start tiles are placed by hand, and for a spectator.
        dealt: the viewer's own cards of this round, as in `State`; empty in the same cases.
        kept: the viewer's own objective cards of this round; empty before it has chosen, and for a spectator.
        aside: what the viewer put aside; empty in the same cases.
        values: those of the discovery tokens in the order of `table.discoveries`, None for what is not known.
        expedition: solo: how many cards the expedition stack holds.
    """

    viewer: int | None
    table: Table
    reserve: int
    returned: tuple[int, ...]
    hand: tuple[int, ...]
    dealt: Dealt
    kept: Cards
    aside: Cards
    values: tuple[int | None, ...]
    expedition: int

    # Who is to act, and the score.

    @property
    def to_move(self) -> tuple[int, ...]:
        return self.table.to_move

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Where the points come from by seat, as far as the viewer knows; in a solo match Alexis's are last."""
        return scoring.tallies(self.table, self.values)

    @property
    def outcome(self) -> Outcome | None:
        return scoring.outcome(self.table, self.values) if self.table.phase == "over" else None

    # What the viewer may do.

    @property
    def choices(self) -> Dealt:
        """The cards to choose from, deck by deck: empty when the viewer has nothing to choose."""
        return self.dealt if self.table.phase == "choose" and self.viewer in self.to_move else ()

    @property
    def start_spots(self) -> Mapping[str, list[tuple[Cell, int]]]:
        """The start faces that are not placed yet to their legal places."""
        found = self.table.placement
        return {face: found.spots(face) for face in start_faces(self.table)}

    @property
    def spots(self) -> Spots:
        """The viewer's own tiles and the face-up ones to their legal places, each a cell and a turn."""
        return spots(self.table, (*self.hand, *(tile for tile in self.table.row if tile is not None)))

    @property
    def berths(self) -> list[Cell]:
        """The cells where a ship could be placed."""
        return berths(self.table)

    @property
    def ships(self) -> tuple[str, ...]:
        """The ships the viewer could land with, "own" and "grey"; empty while the Navigation stack is not."""
        if self.viewer is None or self.table.navigation:
            return ()
        return ships_left(self.table, self.viewer)

    # What the viewer's objective would bring.

    @property
    def objective(self) -> Objective | None:
        """The viewer's objective of this round."""
        return objective_of(self.kept) if self.kept else None

    @property
    def prospects(self) -> tuple[Prospect, ...]:
        """For each island what the viewer's objective would bring now; empty without one."""
        return self.prospects_of(self.objective)

    def prospects_of(self, objective: Objective | None) -> tuple[Prospect, ...]:
        """Return for each island what an objective would bring the viewer now."""
        if self.viewer is None or objective is None:
            return ()
        return prospects(self.table, self.viewer, objective)


def view_for(state: State, viewer: Viewer) -> View:
    """Return what this viewer may know of the state."""
    table, over = state.table, state.table.phase == "over"
    owners = (table.houses[found.house].seat for found in table.discoveries)
    return View(
        viewer=viewer,
        table=table,
        reserve=state.reserve,
        returned=state.deck[len(state.deck) - state.returned :],
        hand=() if viewer is None or table.phase == "start" else state.hands[viewer],
        dealt=() if viewer is None or table.phase == "start" else state.dealt[viewer],
        kept=() if viewer is None else state.kept[viewer],
        aside=() if viewer is None else state.aside[viewer],
        values=tuple(
            value if over or owner == viewer else None for value, owner in zip(state.values, owners, strict=True)
        ),
        expedition=len(state.expedition),
    )


def imagine(view: View, chance: Chance) -> State:
    """Return a full state with this view."""
    hands, deck = _tiles(view, chance)
    dealt = _dealt(view, chance)
    kept, aside = zip(*(_choice(view, seat, own, chance) for seat, own in enumerate(dealt)), strict=True)
    known = Counter(value for value in view.values if value is not None)
    unknown = iter(chance.shuffle("imagine-discovery", list((Counter(DISCOVERY_TOKENS) - known).elements())))
    return State(
        table=view.table,
        deck=deck,
        returned=len(view.returned),
        hands=hands,
        dealt=dealt,
        kept=kept,
        aside=aside,
        values=tuple(next(unknown) if value is None else value for value in view.values),
        expedition=_expedition(view, chance) if view.table.solo else (),
    )


def _tiles(view: View, chance: Chance) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Deal the tiles nobody has shown to the places where they may be: the hands and the deck."""
    table = view.table
    placed = (int(tile.face) for tile in table.board if tile.face.isdigit())
    seen = {*placed, *table.row, *view.returned, *view.hand, *(tile for tiles in table.shown for tile in tiles)}
    unseen = iter(chance.shuffle("imagine-tiles", [tile for tile in LANDSCAPE if tile not in seen]))
    hands = tuple(
        view.hand if seat == view.viewer and view.hand else (*shown, *islice(unseen, HAND - len(shown)))
        for seat, shown in enumerate(table.shown)
    )
    return hands, (*unseen, *view.returned)


def _dealt(view: View, chance: Chance) -> tuple[Dealt, ...]:
    """Deal three cards of each deck to everybody but the viewer, those that were revealed to who revealed them."""
    table = view.table
    hands: list[list[tuple[int, ...]]] = [[] for _ in range(table.seats)]
    for index, (name, deck) in enumerate(components.decks(table.advanced).items()):
        shown = [_revealed(table, seat)[index : index + 1] for seat in range(table.seats)]
        own = view.dealt[index] if view.dealt else ()
        known = {*own, *(card for cards in shown for card in cards)}
        unseen = iter(chance.shuffle(f"imagine-{name}", [card for card in deck if card not in known]))
        for seat, cards in enumerate(shown):
            is_own = seat == view.viewer and view.dealt
            hands[seat].append(own if is_own else (*cards, *islice(unseen, 3 - len(cards))))
    return tuple(map(tuple, hands))


def _choice(view: View, seat: int, dealt: Dealt, chance: Chance) -> tuple[Cards, Cards]:
    """Let a seat that has chosen keep what was revealed, else anything, and put another card aside."""
    table = view.table
    if seat == view.viewer:
        return view.kept, view.aside
    if not table.chosen[seat]:
        return (), ()
    kept, aside = list[int](), list[int]()
    for index, three in enumerate(dealt):
        order = chance.shuffle(f"imagine-choice-{seat}-{index}", three)
        revealed = _revealed(table, seat)[index : index + 1]
        first, second = [*revealed, *(card for card in order if card not in revealed)][:2]
        kept.append(first)
        aside.append(second)
    return tuple(kept), tuple(aside)


def _revealed(table: Table, seat: int) -> Cards:
    """Return the cards of its objective for this round that a seat has revealed."""
    return table.revealed[seat] if table.phase in {"reward", "over"} else ()


def _expedition(view: View, chance: Chance) -> tuple[int, ...]:
    """Shuffle what the expedition stack holds, or may hold as long as not all its cards have been seen."""
    drawn, cards = view.table.expedition_discards, view.table.expedition_cards
    if not cards:
        card, explores = CARDS[str(view.table.alexis)], [number for number in drawn if number != LAND_CARD]
        unseen = [number for number in EXPLORE_CARDS if number not in explores]
        others = chance.shuffle("imagine-explore", unseen)[: card["explore"] - len(explores)]
        cards = (*explores, *others, *(LAND_CARD,) * card["land"])
    return chance.shuffle("imagine-expedition", list((Counter(cards) - Counter(drawn)).elements()))
