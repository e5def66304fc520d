"""How Small Islands is taught: what its lessons need, and what a newcomer is told on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Final, TypeVar

from django.utils.translation import gettext_lazy as _

from games.engine.lessons import MISSED, OPEN, REACHED, Attempt, Goal, Verdict
from games.titles.board import CoachMark
from games.titles.small_islands.rules.components import decks, objective_of
from games.titles.small_islands.rules.events import TilePlaced
from games.titles.small_islands.rules.islands import joints
from games.titles.small_islands.rules.reward import Prospect, prospects
from games.titles.small_islands.rules.rounds import EXPLORE_CARDS, LAND_CARD
from games.titles.small_islands.rules.scoring import CARDS
from games.titles.small_islands.rules.state import HAND, Dealt, State

T = TypeVar("T")

_CARDS: Final = 3
"""So many cards of each deck everybody chooses from."""


# --- goals ------------------------------------------------------------------------------------------------------------


def _placed_tile(attempt: Attempt) -> bool:
    return any(isinstance(event, TilePlaced) and event.seat == attempt.seat for event in attempt.events)


def _enlarge_an_island(attempt: Attempt) -> Verdict:
    """The tile that the learner has placed joins land that was there."""
    if not _placed_tile(attempt):
        return OPEN
    board, tiles = attempt.after.table.board, len(attempt.before.table.board)
    return REACHED if any(joints(board[:tiles], board[tiles])) else MISSED


def _prospects(attempt: Attempt, state: State) -> list[Prospect]:
    """Return what the learner's objective would bring on each island that may be settled."""
    objective = objective_of(attempt.after.kept[attempt.seat])
    return [each for each in prospects(state.table, attempt.seat, objective) if each.refusal is None]


def _one_more_island_fits(attempt: Attempt) -> Verdict:
    """One island more than before may be settled."""
    if not attempt.actions:
        return OPEN
    return REACHED if len(_prospects(attempt, attempt.after)) > len(_prospects(attempt, attempt.before)) else MISSED


def _an_island_brings_5(attempt: Attempt) -> Verdict:
    """The learner's objective would bring at least 5 points on one island."""
    if not attempt.actions:
        return OPEN
    most = max((each.points for each in _prospects(attempt, attempt.after)), default=0)
    return REACHED if most >= 5 else MISSED  # noqa: PLR2004  as the goal is called


GOALS: Final[Mapping[str, Goal]] = {
    "place-any-tile": lambda attempt: REACHED if _placed_tile(attempt) else OPEN,
    "enlarge-an-island": _enlarge_an_island,
    "one-more-island-fits": _one_more_island_fits,
    "an-island-brings-5": _an_island_brings_5,
}


# --- positions --------------------------------------------------------------------------------------------------------


def arrange(before: State, after: State) -> State:
    """Return a position in which every tile and every card lies in one place, and everybody has what they must have.

    A lesson gives tiles in play, the face-up row, hands, the first tiles of the stacks, cards that are dealt, kept or
    put aside, and the first expedition cards; of the players' things those of the first seats are enough. The rest is
    dealt from what is left.
    """
    table = after.table
    choosing = table.phase in {"start", "choose"}
    hands, deck = _tiles(before, after)
    dealt = _dealt(before, after)
    nothing = ((),) * table.seats
    shown = tuple(tuple(tile for tile in _of(table.shown, seat) if tile in hand) for seat, hand in enumerate(hands))
    return replace(
        after,
        table=replace(table, shown=shown, chosen=(not choosing,) * table.seats),
        deck=deck,
        hands=hands,
        dealt=dealt,
        kept=nothing if choosing else tuple(tuple(three[0] for three in own) for own in dealt),
        aside=nothing if choosing else tuple(tuple(three[1] for three in own) for own in dealt),
        expedition=_expedition(after) if table.solo else (),
    )


def _of(values: Sequence[tuple[T, ...]], seat: int) -> tuple[T, ...]:
    """Return what a seat has, nothing if the lesson does not say."""
    return values[seat] if seat < len(values) else ()


def _tiles(before: State, after: State) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the hands and the stacks; missing tiles of hands come from the end of the stacks."""
    table = after.table
    taken = {*(int(tile.face) for tile in table.board if tile.face.isdigit()), *table.row}
    wanted = list[tuple[int, ...]]()
    for seat in range(table.seats):
        wanted.append(tuple(tile for tile in _of(after.hands, seat) if tile not in taken))
        taken |= set(wanted[-1])
    pool = chain(after.deck, before.deck, filter(None, before.table.row), *before.hands)
    rest = [tile for tile in dict.fromkeys(pool) if tile not in taken]
    hands = tuple((*hand, *(rest.pop() for _ in range(HAND - len(hand)))) for hand in wanted)
    return hands, tuple(rest)


def _dealt(before: State, after: State) -> tuple[Dealt, ...]:
    """Return three cards of each deck for each seat: those kept, put aside and given first, others from the deck."""
    seats, columns = range(after.table.seats), []
    given = after.dealt if after.dealt != before.dealt else ()
    for index, deck in enumerate(decks(after.table.advanced).values()):
        here = slice(index, index + 1)
        wanted = [
            [*_of(after.kept, seat)[here], *_of(after.aside, seat)[here], *chain.from_iterable(_of(given, seat)[here])]
            for seat in seats
        ]
        taken = {*chain(*wanted)}
        rest = (card for card in deck if card not in taken)
        own = [tuple(dict.fromkeys(cards))[:_CARDS] for cards in wanted]
        columns.append([(*cards, *islice(rest, _CARDS - len(cards))) for cards in own])
    return tuple(zip(*columns, strict=True))


def _expedition(after: State) -> tuple[int, ...]:
    """Return the expedition stack: the cards that are given first, and others as Alexis's card says."""
    card, seen = CARDS[str(after.table.alexis)], [*after.table.expedition_discards, *after.expedition]
    others = [number for number in EXPLORE_CARDS if number not in seen]
    more = card["explore"] - sum(number != LAND_CARD for number in seen)
    lands = card["land"] - seen.count(LAND_CARD)
    return (*after.expedition, *others[: max(0, more)], *(LAND_CARD,) * max(0, lands))


# --- what a newcomer is told on the board -----------------------------------------------------------------------------

COACH: Final = (
    CoachMark(
        "aim",
        ".deck, #objective",
        _("Your secret objective: if an island meets the top line, your House there scores the bottom line."),
    ),
    CoachMark(
        "tile",
        '[data-phase="explore"] #row',
        _(
            "Each turn, take a tile, then place it or one from your hand. "
            "Land must meet land and sea meet sea, at corners too."
        ),
    ),
    CoachMark(
        "win",
        '[data-phase="explore"] #stands',
        _(
            "A ship ends each round; then your Houses score: one per island, in the whole match. "
            "After four ships, whoever has the most points wins."
        ),
    ),
)
"""The aim, what a tile does, and how one wins."""
