"""Why an action is good, in one sentence for the seat that could take it."""

from __future__ import annotations

from django.utils.translation import gettext

from games.titles.phrases import points_text
from games.titles.shifting_stones.notation import Action, End, Flip, Score, Shift, Skip
from games.titles.shifting_stones.patterns import POINTS, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.planning import moves_to, two_moves
from games.titles.shifting_stones.state import HAND
from games.titles.shifting_stones.view import View
from games.titles.shifting_stones.wording import cards_text, pattern_text

_TWO = 2


def explain(view: View, action: Action) -> str:
    """Return what a legal action brings its viewer: points now, points next, or other cards; empty for a spectator."""
    if view.viewer is None:
        return ""
    match action:
        case Score(card):
            return gettext("Scores %(points)s at once: %(pattern)s.") % _card(card)
        case Flip() | Shift():
            return _moved(view, action)
        case Skip():
            return gettext("No card is worth spending now, and you draw two more.")
        case End():
            return _ended(view)


def _card(card: int) -> dict[str, str]:
    return {"points": points_text(POINTS[card]), "pattern": pattern_text(card)}


def _moved(view: View, action: Flip | Shift) -> str:
    cells = (action.cell,) if isinstance(action, Flip) else (action.first, action.second)
    before = grid_bits(view.grid)
    after, kept = bits_after(before, cells), [card for card in view.hand if card != action.card]
    kept.sort(key=lambda card: -POINTS[card])
    lying = [card for card in kept if lies_on(card, after)]
    if fresh := [card for card in lying if not lies_on(card, before)]:
        return gettext("Then you can score %(points)s: %(pattern)s.") % _card(fresh[0])
    if near := [card for card in kept if moves_to(card, after) == 1 < moves_to(card, before)]:
        return gettext("Then one more move makes %(points)s: %(pattern)s.") % _card(near[0])
    if far := [card for card in kept if len(kept) > _TWO and _makes_in_two(card, after, before)]:
        return gettext("Then two more moves make %(points)s: %(pattern)s.") % _card(far[0])
    if lying:
        return gettext(
            "A card that you need less makes way for a new one, and you can still score %(points)s."
        ) % _card(lying[0])
    return gettext("A card that you need less makes way for a new one at the end of your turn.")


def _makes_in_two(card: int, after: int, before: int) -> bool:
    """Return whether two moves make a card's pattern lie after a move, and not already before it."""
    return _lies_after_two(card, after) and moves_to(card, before) > 1 and not _lies_after_two(card, before)


def _lies_after_two(card: int, bits: int) -> bool:
    return any(lies_on(card, way[-1][1]) for way in two_moves(bits))


def _ended(view: View) -> str:
    missing = HAND - len(view.hand)
    if missing > 0:
        return gettext("Nothing more is worth a card in this turn; you draw up to %(cards)s.") % {
            "cards": cards_text(missing)
        }
    return gettext("Nothing more is worth a card in this turn: keep your hand.")
