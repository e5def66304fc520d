"""How a program plays 3D cardChess: it plays what promises the most points, counting what others may hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.card_chess import GAME, worth
from games.titles.card_chess.board.wording import card_name
from games.titles.card_chess.chances import chances  # noqa: F401  # part of an insight
from games.titles.card_chess.endgame import last_turn  # noqa: F401  # part of what this module knows
from games.titles.card_chess.grandmaster import ponder  # noqa: F401  # as above
from games.titles.card_chess.rules.capture import refusal, strength
from games.titles.card_chess.rules.deck import CARDS, DECK, Play, without
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View
from games.titles.phrases import listing, points_text

EFFORT = Effort(iterations=80, horizon=0, plans=4, first=1, overlooks=2, pondered=900)
"""The second and third best of so many plays cost too little to tell levels apart."""
_SURE_POINTS = 7.0
"""The lead in points that wins a challenge three times in four if held at its start; near its end less is enough."""
_DECK = 40
"""The size of the draw pile at which a challenge counts as just begun."""
_PER_GOLD = 1.1
"""The weight of a lead of one gold card, or of a challenge that is nearly won."""


def candidates(state: State, seat: Seat, chance: Chance) -> Sequence[Plan]:
    """Return every play, what promises most first; but those last that lay more kings in vain than is necessary."""
    plays = [each.play for each in promising(state.hands[seat], state.table, state.rulings, state.seats)]
    return [(play,) for play in sorted(plays, key=lambda play: _kings_in_vain(play, state))]


def _kings_in_vain(play: Play, state: State) -> int:
    """Return how many kings, the most valuable cards, a play lays where they cannot capture."""
    pairs = zip(play.cards, state.table, strict=True)
    return sum(
        CARDS[card].piece == "king" and refusal(card, target, state.rulings) is not None for card, target in pairs
    )


def suppose(view: View, chance: Chance) -> State:
    """Return a state in which the others have confirmed what promises them most."""
    state = GAME.imagine(view, chance)
    hands, sealed = list(state.hands), list(state.sealed)
    for seat, cards in enumerate(state.sealed):
        if cards and seat != view.viewer:
            all_cards = (*cards, *state.hands[seat])
            play = promising(all_cards, state.table, state.rulings, state.seats)[0].play
            hands[seat], sealed[seat] = without(all_cards, play.cards), play.cards
    return replace(state, hands=tuple(hands), sealed=tuple(sealed))


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its gold cards, and by its points and hand in the present challenge."""
    sharpness = 1 + 2 * (1 - min(1.0, len(state.deck) / _DECK))
    points = [won + held(hand, state.rulings) for won, hand in zip(state.points, state.hands, strict=True)]
    challenge = _lead(points, seat) * sharpness / _SURE_POINTS
    gold = _lead(state.gold, seat) + 2 * odds(challenge) - 1
    return odds(gold * _PER_GOLD)


def _lead(values: Sequence[float], seat: int) -> float:
    return values[seat] - max(value for other, value in enumerate(values) if other != seat)


def policy(state: State, seat: Seat, chance: Chance) -> Play:
    """Return what promises most; of what promises the same, any."""
    ranked = promising(state.hands[seat], state.table, state.rulings, state.seats)
    equal = sum(each.worth == ranked[0].worth for each in ranked)
    return ranked[chance.below("play", equal)].play


def strongest(view: View) -> list[Play]:
    """Return the plays that could capture at the most places, and of these the strongest."""
    power = {play: strengths(view, play) for play in plays(view)}
    most = max(power.values())
    return [play for play, value in power.items() if value == most]


def plays(view: View) -> list[Play]:
    """Return every way to lay cards from the viewer's hand on the table."""
    return [Play(cards) for cards in permutations(view.hand, len(view.table))]


def strengths(view: View, play: Play) -> tuple[int, float]:
    """Return how many cards of a play could capture what lies below them, and how strong these are together."""
    able = [
        strength(card, view.rulings)
        for card, target in zip(play.cards, view.table, strict=True)
        if refusal(card, target, view.rulings) is None
    ]
    return len(able), sum(able)


# --- what a play promises before anybody knows those of the others: points won, points lost, and what is kept ---------

_CHOICE = 2.5
"""How many cards a player can choose from for a place, on average; the others are needed elsewhere."""
_OTHERS_CARD = 1.4
"""The average worth of a card that another player lays."""
_REALM_PART = {"king": 2.0, "queen": 1.5, "castle": 0.7}
"""What a card is worth besides its points, as part of a realm."""
_KEPT = 1.6
"""What it is worth to keep a card that could capture everything."""


class Promise(NamedTuple):
    """A play, and the points it promises: those its player is likely to win less those the others are."""

    play: Play
    worth: float


@lru_cache(maxsize=65_536)
def promising(hand: tuple[str, ...], table: tuple[str, ...], rulings: Rulings, seats: int) -> tuple[Promise, ...]:
    """Return every different play of a hand, the one that promises most first."""
    kept, found = held(hand, rulings), []
    for cards in dict.fromkeys(permutations(hand, len(table))):
        won = sum(at_place(card, target, rulings, seats) for card, target in zip(cards, table, strict=True))
        found.append(Promise(Play(cards), won + kept - held(cards, rulings)))
    found.sort(key=lambda each: (-each.worth, each.play.cards))
    return tuple(found)


@lru_cache(maxsize=4096)
def at_place(card: str, target: str, rulings: Rulings, seats: int) -> float:
    """Return the points a card promises at a place: positive if its player is likely to take the pile."""
    stake = value(card) + value(target)
    rivals = seats - 1
    if refusal(card, target, rulings) is not None:
        return -stake * (1 - _nobody(target, 0, rulings, rivals)) / rivals
    least = strength(card, rulings)
    taken = _nobody(target, least, rulings, rivals)
    lost = 1 - _nobody(target, least + 0.1, rulings, rivals)
    return (stake + rivals * _OTHERS_CARD) * taken - stake * lost / rivals


@lru_cache(maxsize=8192)
def _nobody(target: str, least: float, rulings: Rulings, rivals: int) -> float:
    """Return how likely it is that no rival captures the target with a card of at least this strength."""
    able = sum(refusal(card, target, rulings) is None and strength(card, rulings) >= least for card in DECK)
    return float((1 - able / len(DECK)) ** (_CHOICE * rivals))


def value(card: str) -> float:
    """Return what a card is worth in a won pile, its part in a realm counted."""
    return CARDS[card].points + _REALM_PART.get(CARDS[card].piece, 0.0)


def held(cards: Sequence[str], rulings: Rulings) -> float:
    """Return what it is worth to have cards in hand."""
    return sum(_kept(card, rulings) for card in cards)


@lru_cache(maxsize=256)
def _kept(card: str, rulings: Rulings) -> float:
    """Return what it is worth to keep a card for the next turn: it captures many cards, and is not given away."""
    return _KEPT * sum(refusal(card, target, rulings) is None for target in DECK) / len(DECK)


# --- why a play is good, in words -----------------------------------------------------------------------------------


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
