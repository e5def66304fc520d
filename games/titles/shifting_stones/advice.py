"""Why an action in Shifting Stones is good, and what a better turn brings, in words."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.engine.insight import Plan
from games.titles.phrases import listing, points_text
from games.titles.shifting_stones.board.wording import cards_text, pattern_text
from games.titles.shifting_stones.insight.planning import Effect, effect_of, moves_to, two_moves
from games.titles.shifting_stones.rules.notation import SKIP, Action, End, Flip, Score, Shift, Skip
from games.titles.shifting_stones.rules.patterns import CARDS, POINTS, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import BONUS, HAND, bonus_seats
from games.titles.shifting_stones.rules.view import View

_CLEARLY = 2
"""How many patterns fewer for others are worth a sentence."""
_PAYING = 2
"""How many cards two moves cost."""


def explain(view: View, action: Action) -> str:
    """Return what a legal action brings its viewer: points now, points next, or other cards; empty for a spectator."""
    if view.viewer is None:
        return ""
    match action:
        case Score(card):
            return gettext("Scores %(points)s at once (%(pattern)s).") % _card(card)
        case Flip() | Shift():
            return _moved(view, action)
        case Skip():
            return gettext("No card is worth spending now, and you draw two more.")
        case End() if len(view.hand) < HAND:
            text = gettext("Nothing more is worth a card in this turn; you draw up to %(cards)s.")
            return text % {"cards": cards_text(HAND - len(view.hand))}
        case End():
            return gettext("Nothing more is worth a card in this turn: keep your hand.")


def _card(card: int) -> dict[str, str]:
    return {"points": points_text(POINTS[card]), "pattern": pattern_text(card)}


def _moved(view: View, action: Flip | Shift) -> str:
    cells = (action.cell,) if isinstance(action, Flip) else (action.first, action.second)
    before = grid_bits(view.grid)
    after, kept = bits_after(before, cells), [card for card in view.hand if card != action.card]
    kept.sort(key=lambda card: -POINTS[card])
    lying = [card for card in kept if lies_on(card, after)]
    if fresh := [card for card in lying if not lies_on(card, before)]:
        return gettext("This lets you score %(points)s (%(pattern)s).") % _card(fresh[0])
    if near := [card for card in kept if moves_to(card, after) == 1 < moves_to(card, before)]:
        return gettext("One more move then makes %(points)s (%(pattern)s).") % _card(near[0])
    if far := [
        card
        for card in kept
        if len(kept) > _PAYING
        and _lies_after_two(card, after)
        and moves_to(card, before) > 1
        and not _lies_after_two(card, before)
    ]:
        return gettext("Then two more moves make %(points)s: %(pattern)s.") % _card(far[0])
    if lying:
        return gettext(
            "A card that you need less makes way for a new one, and you can still score %(points)s."
        ) % _card(lying[0])
    return gettext("A card that you need less makes way for a new one at the end of your turn.")


def compare(view: View, played: Plan, better: Plan) -> str:
    """Return what the better turn brings its viewer: the end, points, cards, less for others, or a pattern nearby."""
    if view.viewer is None or view.solo:
        return ""
    was, now = (effect_of(view.hand, view.grid, plan) for plan in (played, better))
    return (
        _end_compared(view, was, now)
        or _points_compared(was, now)
        or _bonus_compared(view, was, now)
        or _offers_compared(view, was, now)
        or _hands_compared(was, now)
        or (gettext("Skipping draws two more cards.") if SKIP in better and SKIP not in played else "")
    )


def _end_compared(view: View, was: Effect, now: Effect) -> str:
    count = len(view.scored[view.viewer or 0])
    ended, ends = (not view.last_round and count + len(effect.scored) >= view.goal for effect in (was, now))
    if ended == ends:
        return ""
    return gettext("It brings on the end.") if ends else gettext("It does not bring on the end yet.")


def _points_compared(was: Effect, now: Effect) -> str:
    more = sum(POINTS[card] for card in now.scored) - sum(POINTS[card] for card in was.scored)
    fresh = sorted({*now.scored} - {*was.scored})
    if fresh and more > 0:
        text = ngettext("Card %(ids)s for %(points)s more.", "Cards %(ids)s for %(points)s more.", len(fresh))
        return text % {"ids": listing(map(str, fresh)), "points": points_text(more)}
    if more == 0 and len(was.paid) > len(now.paid):
        spared = cards_text(len(was.paid) - len(now.paid))
        return gettext("The same points, and %(cards)s more in your hand.") % {"cards": spared}
    return ""


def _bonus_compared(view: View, was: Effect, now: Effect) -> str:
    had, has = (view.viewer in bonus_seats(_scored_after(view, effect)) for effect in (was, now))
    if had or not has:
        return ""
    return gettext("Then nobody has more 1-point cards than you, for %(points)s.") % {"points": points_text(BONUS)}


def _scored_after(view: View, effect: Effect) -> list[tuple[int, ...]]:
    return [(*cards, *effect.scored) if seat == view.viewer else cards for seat, cards in enumerate(view.scored)]


def _offers_compared(view: View, was: Effect, now: Effect) -> str:
    """Return a sentence if others find clearly less on the stones: patterns of cards that they may hold."""
    seen = {*view.hand, *view.discards, *(card for cards in view.scored for card in cards)}
    before, after = (sum(lies_on(card, effect.bits) for card in CARDS if card not in seen) for effect in (was, now))
    if before - after < _CLEARLY:
        return ""
    text = gettext(
        "It leaves the others less: of the patterns that they may hold the stones show %(fewer)s, not %(count)s."
    )
    return text % {"fewer": after, "count": before}


def _hands_compared(was: Effect, now: Effect) -> str:
    before = {card: moves_to(card, was.bits) for card in was.kept}
    near = [card for card in now.kept if moves_to(card, now.bits) <= 1 < before.get(card, _PAYING)]
    near.sort(key=lambda card: -POINTS[card])
    return (
        gettext("Card %(id)s, for %(points)s, is then at most one move away.")
        % {"id": near[0], "points": points_text(POINTS[near[0]])}
        if near
        else ""
    )


def _lies_after_two(card: int, bits: int) -> bool:
    return any(lies_on(card, way[-1][1]) for way in two_moves(bits))
