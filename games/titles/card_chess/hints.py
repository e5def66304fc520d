"""Why a play is good, card by card, to the seat that could make it."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.titles.card_chess.capture import refusal, strength
from games.titles.card_chess.deck import CARDS
from games.titles.card_chess.notation import Play
from games.titles.card_chess.promise import at_place
from games.titles.card_chess.view import View
from games.titles.card_chess.wording import card_name
from games.titles.phrases import listing, points_text


def explain(view: View, action: Play) -> str:
    """Return what each card of a play can capture and what could prevent it; empty for a spectator."""
    if view.viewer is None:
        return ""
    pairs = list(zip(action.cards, view.table, strict=True))
    able = [pair for pair in pairs if refusal(*pair, view.rulings) is None]
    unable = tuple(card for card, target in pairs if (card, target) not in able)
    if not able:
        return gettext("No card of this play can capture, and all of them together are worth only %(points)s.") % {
            "points": points_text(_points(unable))
        }
    best_first = sorted(able, key=lambda pair: -at_place(*pair, view.rulings, view.seats))
    told = [_capture(card, target, view) for card, target in best_first]
    return " ".join([*told, _given_away(unable)] if unable else told)


def _capture(card: str, target: str, view: View) -> str:
    words = {"card": card_name(card), "target": card_name(target), "points": points_text(_points((card, target)))}
    rivals = sum(_prevents(other, card, target, view) for other in view.unseen)
    if not rivals:
        return gettext("Nothing can keep your %(card)s from the %(target)s: at least %(points)s.") % words
    return ngettext(
        "Your %(card)s can take the %(target)s, at least %(points)s; %(count)s unseen card could prevent it.",
        "Your %(card)s can take the %(target)s, at least %(points)s; %(count)s unseen cards could prevent it.",
        rivals,
    ) % {**words, "count": rivals}


def _given_away(cards: tuple[str, ...]) -> str:
    return ngettext(
        "Your %(cards)s can capture nothing there and gives away %(points)s at most.",
        "Your %(cards)s can capture nothing there and give away %(points)s at most.",
        len(cards),
    ) % {"cards": listing(map(card_name, cards)), "points": points_text(_points(cards))}


def _points(cards: tuple[str, ...]) -> int:
    return sum(CARDS[card].points for card in cards)


def _prevents(other: str, card: str, target: str, view: View) -> bool:
    """Return whether a card that another seat plays would keep this one from taking the target."""
    competes = view.rulings.blocking or refusal(other, target, view.rulings) is None
    return competes and strength(other, view.rulings) >= strength(card, view.rulings)
