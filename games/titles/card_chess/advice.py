"""Why a play of 3D cardChess is good, and what a better one does otherwise, in words."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.engine.insight import Plan
from games.titles.card_chess.board.wording import card_name
from games.titles.card_chess.insight import at_place, worth
from games.titles.card_chess.rules.capture import refusal, strength
from games.titles.card_chess.rules.deck import CARDS, Play, without
from games.titles.card_chess.rules.view import View
from games.titles.phrases import listing, points_text


def explain(view: View, action: Play) -> str:
    """Return what each card of a play can capture and what could prevent it; empty for a spectator."""
    if view.viewer is None:
        return ""
    pairs = list(zip(action.cards, view.table, strict=True))
    able = [pair for pair in pairs if refusal(*pair, view.rulings) is None]
    useless = tuple(card for card, target in pairs if (card, target) not in able)
    given = {"cards": listing(map(card_name, useless)) if useless else "", "points": points_text(_points(useless))}
    if not able:
        return gettext("No card of this play can capture, and all of them together are worth only %(points)s.") % given
    sentences = [
        _capture(card, target, view)
        for card, target in sorted(able, key=lambda pair: -at_place(*pair, view.rulings, view.seats))
    ]
    if useless:
        sentence = ngettext(
            "Your %(cards)s can capture nothing there and gives away %(points)s at most.",
            "Your %(cards)s can capture nothing there and give away %(points)s at most.",
            len(useless),
        )
        sentences.append(sentence % given)
    return " ".join(sentences)


def _capture(card: str, target: str, view: View) -> str:
    """Return what a card can take, and how many unseen cards, played by others, could keep it from that."""
    words = {"card": card_name(card), "target": card_name(target), "points": points_text(_points((card, target)))}
    rivals = _preventing(card, target, view)
    if not rivals:
        return gettext("Nothing can keep your %(card)s from the %(target)s: at least %(points)s.") % words
    return ngettext(
        "Your %(card)s can take the %(target)s, at least %(points)s; %(count)s unseen card could prevent it.",
        "Your %(card)s can take the %(target)s, at least %(points)s; %(count)s unseen cards could prevent it.",
        rivals,
    ) % {**words, "count": rivals}


def compare(view: View, played: Plan, better: Plan) -> str:
    """Return what the better play does otherwise, where it matters most: at a place, or with the card that is kept."""
    if view.viewer is None:
        return ""
    (old,), (new,) = played, better
    found = [
        (at_place(card, target, view.rulings, view.seats) - at_place(other, target, view.rulings, view.seats), told)
        for card, other, target in zip(new.cards, old.cards, view.table, strict=True)
        if card != other and (told := _instead(card, other, target, view))
    ]
    keeps = zip(without(view.hand, new.cards), without(view.hand, old.cards), strict=True)
    for card, other in keeps if not view.is_last_turn else ():
        if card != other:
            gain = worth.kept(card, view.unseen, view.rulings) - worth.kept(other, view.unseen, view.rulings)
            found.append((gain, _kept_instead(card, other, view)))
    return max(found)[1] if found else ""


def _instead(card: str, other: str, target: str, view: View) -> str:
    """Return why a card is better at a place than another; empty if it is not clear by itself."""
    words = {"card": card_name(card), "other": card_name(other), "target": card_name(target)}
    able, other_able = (refusal(each, target, view.rulings) is None for each in (card, other))
    if able and not other_able:
        return gettext("Your %(card)s can take the %(target)s, where your %(other)s captures nothing.") % words
    few, many = (_preventing(each, target, view) for each in (card, other))
    if able and few < many:
        counts = {"all": len(view.unseen), "few": few, "many": many}
        return gettext(
            "Your %(card)s takes the %(target)s more surely than your %(other)s:"
            " of %(all)s unseen cards, %(few)s instead of %(many)s could prevent it."
        ) % {**words, **counts}
    points, more = _points((card,)), _points((other,))
    if not able and points < more:
        given = {"points": points_text(points), "more": points_text(more)}
        return gettext("At the %(target)s your %(card)s gives away %(points)s at most, your %(other)s %(more)s.") % {
            **words,
            **given,
        }
    return ""


def _kept_instead(card: str, other: str, view: View) -> str:
    """Return that a card is kept, and not another, and what for."""
    words = {"card": card_name(card), "other": card_name(other)}
    many, few = (sum(refusal(each, target, view.rulings) is None for target in view.unseen) for each in (card, other))
    if not view.deck or many <= few:
        return gettext("You keep your %(card)s for the next turn, not your %(other)s.") % words
    return gettext(
        "You keep your %(card)s, not your %(other)s:"
        " of the cards you have not seen, it can capture %(many)s instead of %(few)s."
    ) % {**words, "many": many, "few": few}


def _preventing(card: str, target: str, view: View) -> int:
    """Return how many unseen cards could keep a card from a target that it can capture."""
    return sum(
        (view.rulings.blocking or refusal(other, target, view.rulings) is None)
        and strength(other, view.rulings) >= strength(card, view.rulings)
        for other in view.unseen
    )


def _points(cards: tuple[str, ...]) -> int:
    return sum(CARDS[card].points for card in cards)
