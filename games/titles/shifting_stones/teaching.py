"""How Shifting Stones is taught: what its lessons need, and what a newcomer is told on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.engine.lessons import MISSED, OPEN, REACHED, Attempt, Goal, Verdict
from games.titles.board import CoachMark
from games.titles.shifting_stones.puzzles import moments
from games.titles.shifting_stones.rules.patterns import POINTS, TILE_SET, TILES
from games.titles.shifting_stones.rules.state import (
    GOALS as ENOUGH,
    HAND,
    SOLO_DECK,
    CardScored,
    State,
    TurnEnded,
    TurnSkipped,
    card_points,
    result,
)
from games.titles.shifting_stones.rules.view import view_for

_KINDS: Final = {face: kind for kind, faces in TILES.items() for face in faces}


# --- goals ------------------------------------------------------------------------------------------------------------


def _score(cards: int = 0, points: int = 0) -> Goal:
    """Return the goal to score at least this many cards and points in this turn."""

    def goal(attempt: Attempt) -> Verdict:
        got = [event.points for event in attempt.events if isinstance(event, CardScored) and event.seat == attempt.seat]
        if len(got) >= cards and sum(got) >= points:
            return REACHED
        if any(isinstance(event, TurnEnded | TurnSkipped) for event in attempt.events):
            return MISSED
        hand = attempt.after.hands[attempt.seat]
        reachable: Iterable[Collection[int]] = [hand]  # of a long hand only its number and points are counted
        if len(hand) <= HAND:
            reachable = {scored for _, scored in moments(view_for(attempt.after, attempt.seat))}
        in_reach = any(
            len(more) + len(got) >= cards and card_points(tuple(more)) + sum(got) >= points for more in reachable
        )
        return OPEN if in_reach else MISSED

    return goal


def _win(attempt: Attempt) -> Verdict:
    """Judge whether the match is won, with the place shared by nobody."""
    state: State = attempt.after
    if state.ended is None:
        return OPEN
    places = result(state.scored, state.ended).places
    return REACHED if places[attempt.seat] == 1 and places.count(1) == 1 else MISSED


GOALS: Final[Mapping[str, Goal]] = {
    "score-one-card": _score(cards=1),
    "score-two-cards": _score(cards=2),
    "score-three-cards": _score(cards=3),
    "score-four-points": _score(points=4),
    "score-five-points": _score(points=5),
    "score-seven-points": _score(points=7),
    "win": _win,
}


# --- positions --------------------------------------------------------------------------------------------------------


def arrange(before: State, after: State) -> State:
    """Return a position in which every card lies in one place.

    A lesson gives hands, scored cards and discards; of the draw pile at most the first cards. The rest of the draw pile
    follows in the order it had, then what was dealt and is in nobody's hand; alone, as far as it makes up the
    sixteen cards.

    Raises:
        ValueError: the stones of the grid are not the nine of the game.
    """
    if sorted(_KINDS.get(face, 0) for face in after.grid) != sorted(TILE_SET):
        raise ValueError(f"these are not the nine stones: {', '.join(after.grid)}")
    taken = (*chain(*after.hands, *after.scored), *after.discards)
    dealt = chain(before.deck, *before.hands, *before.scored, before.discards)
    rest = dict.fromkeys(card for card in chain(after.deck, dealt) if card not in taken)
    if not after.solo:
        return replace(after, deck=tuple(rest))
    room, deck = Counter(SOLO_DECK), []
    room.subtract(POINTS[card] for card in taken)
    for card in rest:
        if room[POINTS[card]] > 0:
            room[POINTS[card]] -= 1
            deck.append(card)
    return replace(after, deck=tuple(deck))


# --- what a newcomer is told on the board -----------------------------------------------------------------------------

COACH: Final = (
    CoachMark(
        "aim",
        "#hand",
        _("Each card shows a pattern. Make the stones show it, and you score the card."),
    ),
    CoachMark(
        "cost",
        "#verbs",
        _("Discard any card to swap two neighboring stones (Shift) or flip one. Scoring is free."),
    ),
    CoachMark(
        "win",
        "#players",
        _(
            "When someone has scored %(goal)s cards, the match ends after that round."
            " Whoever scored the most 1-point cards gets 3 extra points."
        ),
        lambda seats: {"goal": ENOUGH[seats]},
    ),
)
"""The aim, what a card costs, and how one wins."""
