"""Full states that one viewer cannot tell from the true one.

It draws with the labels given in the README, which never belong to a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from games.engine.protocol import Chance
from games.titles.small_islands.objectives import DISCOVERY_TOKENS, decks
from games.titles.small_islands.scoring import CARDS
from games.titles.small_islands.setup import EXPLORE_CARDS, LAND_CARD
from games.titles.small_islands.state import HAND, Cards, Dealt, State, Table
from games.titles.small_islands.tiles import LANDSCAPE
from games.titles.small_islands.view import View


def imagine(view: View, chance: Chance) -> State:
    """Return a full state with this view."""
    hands, deck = _tiles(view, chance)
    dealt = _dealt(view, chance)
    kept, aside = _choices(view, dealt, chance)
    return State(
        table=view.table,
        deck=deck,
        returned=len(view.returned),
        hands=hands,
        dealt=dealt,
        kept=kept,
        aside=aside,
        values=_values(view, chance),
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
    for index, (name, deck) in enumerate(decks(table.advanced).items()):
        shown = [_revealed(table, seat)[index : index + 1] for seat in range(table.seats)]
        own = view.dealt[index] if view.dealt else ()
        known = {*own, *(card for cards in shown for card in cards)}
        unseen = iter(chance.shuffle(f"imagine-{name}", [card for card in deck if card not in known]))
        for seat, cards in enumerate(shown):
            is_own = seat == view.viewer and view.dealt
            hands[seat].append(own if is_own else (*cards, *islice(unseen, 3 - len(cards))))
    return tuple(map(tuple, hands))


def _choices(view: View, dealt: Sequence[Dealt], chance: Chance) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """Let everybody but the viewer who has chosen keep what was revealed, else anything, and put another card aside."""
    pairs = [_choice(view, seat, dealt[seat], chance) for seat in range(view.table.seats)]
    kept, aside = zip(*pairs, strict=True)
    return kept, aside


def _choice(view: View, seat: int, dealt: Dealt, chance: Chance) -> tuple[Cards, Cards]:
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


def _values(view: View, chance: Chance) -> tuple[int, ...]:
    known = Counter(value for value in view.values if value is not None)
    left = list((Counter(DISCOVERY_TOKENS) - known).elements())
    unknown = iter(chance.shuffle("imagine-discovery", left))
    return tuple(next(unknown) if value is None else value for value in view.values)


def _expedition(view: View, chance: Chance) -> tuple[int, ...]:
    """Shuffle what the expedition stack holds, or may hold as long as not all its cards have been seen."""
    table = view.table
    drawn = Counter(table.expedition_discards)
    cards = Counter(table.expedition_cards) or _some_expedition(table, chance)
    return chance.shuffle("imagine-expedition", list((cards - drawn).elements()))


def _some_expedition(table: Table, chance: Chance) -> Counter[int]:
    """Return cards that a new expedition stack may have been made of, those drawn so far among them."""
    card, drawn = CARDS[str(table.alexis)], [card for card in table.expedition_discards if card != LAND_CARD]
    unseen = [number for number in EXPLORE_CARDS if number not in drawn]
    others = chance.shuffle("imagine-explore", unseen)[: card["explore"] - len(drawn)]
    return Counter((*drawn, *others, *(LAND_CARD,) * card["land"]))
