"""How a program plays 3D cardChess: it plays what promises the most points, counting what others may hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from math import sqrt
from typing import Final, NamedTuple, TypeAlias

from games.engine import chances as model
from games.engine.chances import Features, Weights, shares
from games.engine.dice import Dice
from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat, ranks
from games.titles.card_chess import GAME
from games.titles.card_chess.insight.grandmaster import ponder  # noqa: F401  # part of an insight
from games.titles.card_chess.rules import reveal, scoring
from games.titles.card_chess.rules.capture import refusal, strength
from games.titles.card_chess.rules.deck import CARDS, DECK, Play, without
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge, realm_parts
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View

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


# --- the last turn of a match of two: nothing is hidden any more but what the other plays -----------------------------

Cards: TypeAlias = tuple[str, ...]
Result: TypeAlias = tuple[int, int] | None
"""How a match ends for a seat, the greater the better: its place below zero, then its gold. None: it goes on."""

_TWO = 2


def last_turn(view: View, seat: Seat) -> Plan | None:
    """Return the play that brings the best result whatever the other plays.

    None if the match cannot end now, if no play is best against every reply, or with more than two players, who do not
    know each other's hands.
    """
    if view.seats != _TWO or not view.is_last_turn or not _can_end(view):
        return None
    state, first = GAME.imagine(view, Dice(0)), (-1, view.gold[seat] + (not view.is_decider))
    replies = _plays(view.unseen, view)
    results = {play: [_result(state, seat, play, reply) for reply in replies] for play in _plays(view.hand, view)}
    columns = list(zip(*results.values(), strict=True))
    for play, row in results.items():
        if all(mine == first or _is_best(mine, column) for mine, column in zip(row, columns, strict=True)):
            return (Play(play),)
    return None


def _is_best(result: Result, others: Sequence[Result]) -> bool:
    """Return whether a match that ends like this could not end better, and with no play goes on."""
    return result is not None and all(other is not None and other <= result for other in others)


def _plays(cards: Cards, view: View) -> list[Cards]:
    return list(dict.fromkeys(permutations(cards, len(view.table))))


def _can_end(view: View) -> bool:
    return any(_ending(view, Challenge((0, 0), (0, 0), winner, view.is_decider)) is not None for winner in (None, 0, 1))


def _ending(source: View | State, challenge: Challenge) -> str | None:
    return scoring.ending((*source.challenges, challenge), source.seats, source.rulings)


def _result(state: State, seat: Seat, play: Cards, reply: Cards) -> Result:
    sealed = (reply, play) if seat else (play, reply)
    settled, _ = reveal(replace(state, sealed=sealed))
    points = settled.points
    challenge = Challenge(points, settled.realms, scoring.winner(points), state.is_decider)
    reason = _ending(state, challenge)
    if reason is None:
        return None
    outcome = scoring.outcome((*state.challenges, challenge), state.seats, reason)
    return -outcome.places[seat], outcome.scores[seat]


# --- how likely each seat is to end first: who wins the challenge, and what that makes of the match -------------------

_RECYCLED: Final = 0.6
"""How many of the piles of the first phase nobody takes, whose cards two players deal again."""


def turns_of_a_seat(seats: int) -> int:
    """Return how many turns a seat has, as measured with bots."""
    return 30


def chances(state: State) -> list[float]:
    """Return for each seat its chance to end first."""
    challenge = model.chances(features(state), WEIGHTS[state.seats])
    gold, decider, rulings = scoring.gold(state.challenges, state.seats), state.is_decider, state.rulings
    return _mixed(challenge, [_won(gold, decider, winner, rulings) for winner in range(state.seats)])


def result(state: State, end: State) -> Sequence[float]:
    """Return what the weights are fitted to: who won the challenge of a position, given the end of its match."""
    return shares(ranks(-points for points in end.challenges[len(state.challenges)].points))


# --- the match: gold cards ------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _won(gold: tuple[int, ...], decider: bool, winner: int, rulings: Rulings) -> Sequence[float]:
    """Return each seat's chance in the match when a challenge has been won.

    Args:
        gold: what each seat had won before.
        decider: whether it was a deciding challenge.
        winner: of the challenge.
        rulings: the options of the match.
    """
    seats = len(gold)
    winners = [(seat, False) for seat, count in enumerate(gold) for _ in range(count)]
    nothing = (0,) * seats
    challenges = [Challenge(nothing, nothing, seat, each) for seat, each in (*winners, (winner, decider))]
    reason = scoring.ending(challenges, seats, rulings)
    if reason is not None:
        return shares(scoring.outcome(challenges, seats, reason).places)
    gold, decider = scoring.gold(challenges, seats), scoring.is_decider(challenges, seats)
    return _mixed([1 / seats] * seats, [_won(gold, decider, seat, rulings) for seat in range(seats)])


def _mixed(challenge: Sequence[float], matches: Sequence[Sequence[float]]) -> list[float]:
    """Return each seat's chance in the match, given who wins the challenge how likely, and the chances after that."""
    return [sum(p * each for p, each in zip(challenge, column, strict=True)) for column in zip(*matches, strict=True)]


# --- the challenge: points, realms and hands ------------------------------------------------------------------------


def features(state: State) -> Features:
    """Return what counts for each seat in the present challenge; the fewer piles are left, the more it counts."""
    hands = [(*hand, *sealed) for hand, sealed in zip(state.hands, state.sealed, strict=True)]
    spread = sqrt(_piles_left(state))
    points, ahead = state.points, _uncontested(hands, state.table, state.rulings)
    found = []
    for seat, hand in enumerate(hands):
        counts = {
            "points": points[seat],
            "two parts": _nearly(state.won(seat)),
            "strongest": ahead[seat],
            "hand": sum(_captures(card, state.rulings) for card in hand) / len(DECK),
            "at stake": sum(CARDS[card].points for card in hand),
        }
        found.append({name: count / spread for name, count in counts.items()})
    return found


def _nearly(won: Sequence[str]) -> int:
    """Return of how many colours a player has all of a further realm but one piece."""
    return sum(sum(count > min(parts) for count in parts) == len(parts) - 1 for parts in realm_parts(won))


def _piles_left(state: State) -> float:
    """Return how many piles are still to be settled in this challenge, about."""
    now = len(state.table) + len(state.deck) / (state.seats + 1)
    if state.seats > _TWO or state.phase > 1:
        return now
    return now + _RECYCLED * now + len(state.discards) / (_TWO + 1)


def _uncontested(hands: Sequence[Sequence[str]], table: Sequence[str], rulings: Rulings) -> list[float]:
    """Return for each seat the points of the table cards that nobody else can take with a card as strong."""
    found = [0.0] * len(hands)
    for target in table:
        able = [[strength(card, rulings) for card in hand if refusal(card, target, rulings) is None] for hand in hands]
        best = [max(each, default=0.0) for each in able]
        if max(best) and best.count(max(best)) == 1:
            found[best.index(max(best))] += CARDS[target].points
    return found


@lru_cache(maxsize=256)
def _captures(card: str, rulings: Rulings) -> int:
    """Return how many cards of a deck a card can capture."""
    return sum(refusal(card, target, rulings) is None for target in DECK)


WEIGHTS: Mapping[int, Weights] = {
    2: {"points": 0.56, "two parts": 0.53, "strongest": 1.10, "hand": 0.96, "at stake": 0.37},
    3: {"points": 0.35, "two parts": 0.38, "strongest": 0.86, "hand": 0.69, "at stake": 0.29},
    4: {"points": 0.41, "two parts": 0.64, "strongest": 0.98, "hand": 2.16, "at stake": 0.11},
}
"""By the number of seats; they say who wins a challenge.

They were fitted to matches between Masters, 120 of two, 40 of three, 80 of four:

    manage.py calibrate card-chess --seats 2 --matches 120 --fit

What a challenge is worth follows from the rules: the seats are as likely to win each of those to come.
"""
