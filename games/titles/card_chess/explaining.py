"""Who took a pile and why, and what it earned: the sentences under the piles of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils.translation import gettext

from games.engine.protocol import Viewer
from games.titles.card_chess.capture import blockers, equals, refusal, settle
from games.titles.card_chess.deck import CARDS
from games.titles.card_chess.options import Rulings
from games.titles.card_chess.scoring import REALM_POINTS, realm_makers, realms
from games.titles.card_chess.state import Pile
from games.titles.card_chess.wording import card_name, coloured_piece, settlement
from games.titles.phrases import listing


def verdict(pile: Pile, names: Sequence[str], reader: Viewer, rulings: Rulings) -> str:
    """Return who took a pile, or why nobody did, with the cards that made the difference."""
    if pile.result == "equal":
        return _equal(pile, rulings)
    if pile.result == "blocked":
        return _blocked(pile, rulings)
    told = settlement(pile, names, reader)
    if _stepped_aside(pile, rulings):
        return " ".join((told, gettext("The stronger cards were equal and stepped aside.")))
    return told


def _equal(pile: Pile, rulings: Rulings) -> str:
    cards = _named(pile, equals(pile.target, pile.cards, rulings))
    if len(cards) == 1:
        return gettext("Nobody captures: the strongest cards are both a %(card)s.") % {"card": cards[0]}
    return gettext("Nobody captures: %(cards)s are equally strong.") % {"cards": listing(cards)}


def _blocked(pile: Pile, rulings: Rulings) -> str:
    cards = _named(pile, blocking_seats(pile, rulings))
    return gettext("Blocked: %(cards)s, the strongest here, cannot capture.") % {"cards": listing(cards)}


def _named(pile: Pile, seats: Sequence[int]) -> list[str]:
    return list(dict.fromkeys(card_name(pile.cards[seat]) for seat in seats))


def fate(pile: Pile, seat: int, rulings: Rulings) -> str | None:
    """Return why a seat's card did not take the pile, None if it did.

    That is the reason of `capture.refusal`, or of a card that could have captured: "blocked", "equal" to another as
    strong, or "beaten" by a stronger one.
    """
    reason = refusal(pile.cards[seat], pile.target, rulings)
    if reason is not None or seat == pile.captor:
        return reason
    if pile.result == "blocked":
        return "blocked"
    all_equal = pile.result == "equal" and rulings.next_strongest
    return "equal" if all_equal or seat in equals(pile.target, pile.cards, rulings) else "beaten"


def blocking_seats(pile: Pile, rulings: Rulings) -> tuple[int, ...]:
    """Return the seats whose cards blocked the pile; () when it was not blocked."""
    return blockers(pile.target, pile.cards, rulings) if pile.result == "blocked" else ()


def _stepped_aside(pile: Pile, rulings: Rulings) -> bool:
    """Return whether somebody took the pile because equal, stronger cards had stepped aside."""
    if pile.captor is None or not rulings.next_strongest:
        return False
    aside = equals(pile.target, pile.cards, rulings)
    return bool(aside) and pile.captor not in aside


def rook_note(pile: Pile, rulings: Rulings) -> str:
    """Return a reminder that green rooks count as 6 if that changed something at this pile, else an empty text."""
    if not rulings.symmetric_rooks or not _rooks_matter(pile, rulings):
        return ""
    return gettext("Green rooks count as 6 here.")


def _rooks_matter(pile: Pile, rulings: Rulings) -> bool:
    printed = replace(rulings, symmetric_rooks=False)
    if settle(pile.target, pile.cards, printed) != (pile.captor, pile.result):
        return True
    return any(refusal(card, pile.target, printed) != refusal(card, pile.target, rulings) for card in pile.cards)


def earned(pile: Pile, before: Iterable[str]) -> str:
    """Return what a pile was worth to its captor: "+4", or "+9; green king: realm +10"; empty when nobody took it.

    Args:
        pile: the pile.
        before: what the captor had won in the challenge before.
    """
    if pile.captor is None:
        return ""
    old = tuple(before)
    told = f"+{sum(CARDS[card].points for card in pile.whole)}"
    gained = realms((*old, *pile.whole)) - realms(old)
    if not gained:
        return told
    makers = dict.fromkeys(map(coloured_piece, realm_makers(pile.whole, old)))
    shown = {"points": told, "pieces": listing(makers), "more": REALM_POINTS * gained}
    return gettext("%(points)s; %(pieces)s: realm +%(more)s") % shown
