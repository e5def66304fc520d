"""The strongest player of 3D cardChess: a sealed turn is a game of its own, solved in mixed strategies.

Nobody knows what the others hold or play. So deals are imagined, also as the others imagine them, who do not know the
hand of the one who ponders. For each hand regret matching finds how often each play is chosen when everybody chooses
well. Then the plays of the true hand are compared by the chance to win the challenge against what the others play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from math import exp, isqrt
from typing import NamedTuple, TypeAlias

from games.engine.dice import Dice
from games.engine.insight import Considered
from games.engine.protocol import Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.insight import worth
from games.titles.card_chess.rules.capture import settle, strength
from games.titles.card_chess.rules.deck import CARDS, PLACES, Play, without
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View

Cards: TypeAlias = tuple[str, ...]
_TWO = 2

_LEAST = 4
"""How many deals are imagined at least."""
_NEARLY = 0.01
"""Plays whose chances differ less than this are mixed, so that nobody can foresee which is taken."""


def ponder(view: View, seat: Seat, dice: Dice, futures: int) -> list[Considered]:
    """Return every play with its chance, the one to take first: of nearly equal ones any, as often as it should be.

    Args:
        view: of the seat.
        seat: to move.
        dice: for the deals that are imagined, and for the choice.
        futures: how many deals are imagined times how often all hands learn from each other.
    """
    turn, rounds = Turn(view, seat), max(_LEAST, isqrt(futures))
    deals = [turn.imagine(dice, number) for number in range(rounds)]
    if view.seats == _TWO and len({deal.key for deal in deals}) == 1:
        me, values = _with_open_cards(turn, deals[0], rounds)
    else:
        me, values = _with_hidden_cards(turn, deals, rounds, dice)
    shares = me.mixture.average
    order = sorted(range(len(me.plays)), key=lambda number: -values[number])
    nearly = [number for number in order if values[number] > values[order[0]] - _NEARLY]
    first = nearly[_drawn([shares[number] for number in nearly], dice)]
    order.remove(first)
    return [
        Considered((Play(me.plays[number]),), round(futures * shares[number]), values[number])
        for number in (first, *order)
    ]


def _drawn(weights: Sequence[float], dice: Dice) -> int:
    """Return the number of one of these weights, the likelier the greater it is; the first if all are 0."""
    left = dice.fraction() * sum(weights)
    for number, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return number
    return 0


# --- mixed strategies -------------------------------------------------------------------------------------------------


class Mixture:
    """How often each of several choices is taken, learnt by regret matching.

    That is Hart and Mas-Colell's (2000), with regrets cut off at zero and later rounds counting more in the average
    (Tammelin, 2014).

    Args:
        choices: how many there are.
    """

    __slots__ = ("_regrets", "_rounds", "_total", "now")

    def __init__(self, choices: int) -> None:
        self._regrets = [0.0] * choices
        self._total = [0.0] * choices
        self._rounds = 0
        self.now = [1 / choices] * choices
        """The shares with which the choices are taken in this round; they add up to 1."""

    def learn(self, values: Sequence[float]) -> None:
        """End a round in which the choices would have brought these values."""
        self._rounds += 1
        self._total = [total + self._rounds * share for total, share in zip(self._total, self.now, strict=True)]
        mean = _dot(values, self.now)
        regrets = [regret + value - mean for regret, value in zip(self._regrets, values, strict=True)]
        self._regrets = [regret if regret > 0 else 0.0 for regret in regrets]
        whole = sum(self._regrets)
        if whole > 0:
            self.now = [regret / whole for regret in self._regrets]

    @property
    def average(self) -> list[float]:
        """The shares on average: between two where one wins what the other loses they approach an equilibrium."""
        whole = sum(self._total)
        return [total / whole for total in self._total]


def solve(payoffs: Sequence[Sequence[float]], rounds: int) -> tuple[Mixture, Mixture]:
    """Return how to mix rows, and columns, of a game in which a row wins what its payoffs say and a column loses it.

    >>> rows, columns = solve([[2.0, 0.0], [0.0, 1.0]], 2000)
    >>> [round(share, 1) for share in (*rows.average, *columns.average)]
    [0.3, 0.7, 0.3, 0.7]
    """
    rows, columns = Mixture(len(payoffs)), Mixture(len(payoffs[0]))
    turned = [[-payoff for payoff in column] for column in zip(*payoffs, strict=True)]
    for _ in range(rounds):
        rows.learn([_dot(row, columns.now) for row in payoffs])
        columns.learn([_dot(column, rows.now) for column in turned])
    return rows, columns


def _dot(values: Sequence[float], shares: Sequence[float]) -> float:
    return sum([value * share for value, share in zip(values, shares, strict=True)])


# --- a turn in numbers ------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """A deal that is imagined.

    Args:
        hands: of each seat; that of the one who ponders is its true one.
        own: what one of the others imagines that the one who ponders holds.
    """

    hands: tuple[Cards, ...]
    own: Cards

    @property
    def key(self) -> tuple[Cards, ...]:
        return (*map(_sorted, self.hands), _sorted(self.own))


def _sorted(cards: Iterable[str]) -> Cards:
    return tuple(sorted(cards))


class Hand:
    """Every play of a hand, and how often it is chosen.

    Args:
        cards: of the hand.
        turn: in which it is played.
        weight: how likely it is among the hands that somebody may hold.
    """

    __slots__ = ("keeps", "mixture", "plays", "slots", "weight")

    def __init__(self, cards: Cards, turn: Turn, weight: float = 1.0) -> None:
        self.plays: list[Cards] = list(dict.fromkeys(permutations(cards, len(turn.view.table))))
        left = [without(cards, play) for play in self.plays]
        self.keeps = [sum(turn.kept[card] for card in each) for each in left]
        """What it is worth to keep the cards that each play leaves, early in a challenge."""
        self.slots = [turn.slots(play, kept) for play, kept in zip(self.plays, left, strict=True)]
        self.mixture = Mixture(len(self.plays))
        self.weight = weight

    def learn(self, values: Sequence[float]) -> None:
        """Let the mixture learn what each card is worth at each place (`Turn.values`)."""
        self.mixture.learn([values[a] + values[b] + values[c] + values[d] for a, b, c, d in self.slots])


class Stakes(NamedTuple):
    """What cards are worth to somebody who captures them, and what they cost who does not, by card."""

    gained: dict[str, float]
    lost: dict[str, float]

    @property
    def turned(self) -> Stakes:
        """The same for a rival."""
        return Stakes(self.lost, self.gained)


class Turn:
    """A turn as the seat sees it that is to move.

    Args:
        view: of this seat.
        seat: to move.
    """

    def __init__(self, view: View, seat: Seat) -> None:
        self.view, self.seat, self.rivals = view, seat, view.seats - 1
        self.cards = tuple(dict.fromkeys((*view.hand, *view.unseen)))
        """Every different card that can be played."""
        self._number = {card: number for number, card in enumerate(self.cards)}
        self._nothing = (len(view.table) + 1) * len(self.cards)
        self.recycles = view.seats == _TWO and view.phase == 1
        """Whether what nobody captures will be dealt again."""
        self.to_come = view.deck + len(view.discards) * self.recycles
        won = [view.won(Seat(each)) for each in range(view.seats)]
        self.points = [sum(CARDS[card].points for card in cards) for cards in won]
        self.parts = [worth.parts(cards) for cards in won]
        self.gone = sum(self.parts) + (0 if view.seats == _TWO else worth.parts(view.discards))
        usual = self.to_come + round(_LEFT * len(view.table)) * self.recycles
        self.freshness, self._lasting = worth.freshness(usual), worth.lasting(usual)
        dealt = view.unseen if view.deck else (*view.discards, *view.table, *view.hand, *view.unseen)
        self.kept = {card: worth.kept(card, dealt, view.rulings) for card in self.cards}
        self.stakes = self._stakes()
        self._places = [Place(target, self) for target in view.table]

    def _stakes(self) -> Stakes:
        """Return what it is worth to capture a card: its points, what it adds to one's realms and takes from others."""
        view, stakes = self.view, Stakes({}, {})
        for card in {*self.cards, *view.table}:
            part, points = worth.PART[card], CARDS[card].points
            gains = [points + self._hope(seat, part, part) - self._hope(seat, 0, part) for seat in range(view.seats)]
            denied = [self._hope(seat, 0, 0) - self._hope(seat, 0, part) for seat in range(view.seats)]
            worths = [gain + own + (sum(denied) - own) / self.rivals for gain, own in zip(gains, denied, strict=True)]
            stakes.gained[card] = worths[self.seat]
            stakes.lost[card] = (sum(worths) - worths[self.seat]) / self.rivals
        return stakes

    def _hope(self, seat: int, won: int, gone: int) -> float:
        """Return the points a seat can expect of its realms when it has won these parts, and these are gone."""
        return worth.realms_expected(self.parts[seat] + won, self.gone + gone, self.view.seats, self.freshness)

    def slots(self, play: Cards, kept: Cards) -> tuple[int, ...]:
        """Return where `values` holds what the cards of a play bring, and the kept one: always four numbers."""
        rows = [*enumerate(play), *((len(self.view.table), card) for card in kept)]
        found = [row * len(self.cards) + self._number[card] for row, card in rows]
        return (*found, *(self._nothing,) * (PLACES + 1 - len(found)))

    def values(self, shares: Sequence[float], stakes: Stakes) -> list[float]:
        """Return what each card brings at each place, then what each brings if it is kept.

        Args:
            shares: how often each rival plays each card at each place.
            stakes: of the one who plays.
        """
        size, found = len(self.cards), list[float]()
        for number, place in enumerate(self._places):
            found += place.values(shares[number * size : (number + 1) * size], stakes)
        return [*found, *(self.kept[card] * self._lasting for card in self.cards), 0.0]

    def shares(self, hands: Iterable[Hand]) -> list[float]:
        """Return how often each card is played at each place, and kept, by somebody who holds one of these hands."""
        found = [0.0] * (self._nothing + 1)
        for hand in hands:
            for slots, share in zip(hand.slots, hand.mixture.now, strict=True):
                if share:
                    for slot in slots:
                        found[slot] += share * hand.weight
        return found

    def imagine(self, dice: Dice, number: int) -> Deal:
        """Return a deal that fits what the seat knows; the others take turns in imagining the hand of this seat."""
        other = Seat((self.seat + 1 + number % self.rivals) % self.view.seats)
        state = GAME.imagine(self.view, dice)
        return Deal(_hands(state), _hands(GAME.imagine(GAME.view_for(state, other), dice))[self.seat])


_LEFT = 1.2
"""How many cards of each pile are dealt again, on average, where those are that nobody captures."""


def _hands(state: State) -> tuple[Cards, ...]:
    return tuple(hand + sealed for hand, sealed in zip(state.hands, state.sealed, strict=True))


class Place:
    """A card on the table, and which cards can capture it.

    Args:
        target: the card.
        turn: in which it lies there.
    """

    def __init__(self, target: str, turn: Turn) -> None:
        rulings = turn.view.rulings
        order = sorted({strength(card, rulings) for card in turn.cards})
        self.target, self._cards, self._rivals = target, turn.cards, turn.rivals
        self._able = [worth.captures(card, target, rulings) for card in turn.cards]
        self._ranks = [
            1 + order.index(strength(card, rulings)) if able or rulings.blocking else 0
            for card, able in zip(turn.cards, self._able, strict=True)
        ]
        """Who has the highest rank captures; a card that cannot has 0, or its strength if it blocks."""
        self._highest = len(order)

    def values(self, shares: Sequence[float], stakes: Stakes) -> list[float]:
        """Return what each card wins here less what it loses when each rival plays each card that often.

        The rivals' cards are taken to be independent. Of equal cards nobody's captures.
        """
        gained, lost = stakes.gained[self.target], stakes.lost[self.target]
        below, prize = self._below(shares, stakes)
        taken, price = self._above(shares, stakes, below, prize)
        found = []
        for card, rank, able in zip(self._cards, self._ranks, self._able, strict=True):
            win = 0.0
            if able and below[rank]:
                win = (stakes.gained[card] + gained) * below[rank] ** self._rivals
                win += self._rivals * prize[rank] * below[rank] ** (self._rivals - 1)
            found.append(win - (taken[rank] * (stakes.lost[card] + lost) + price[rank]) / self._rivals)
        return found

    def _below(self, shares: Sequence[float], stakes: Stakes) -> tuple[list[float], list[float]]:
        """Return for each rank how often a rival's card is below it, and what such cards are worth together."""
        often, worths = [0.0] * (self._highest + 2), [0.0] * (self._highest + 2)
        for card, rank, share in zip(self._cards, self._ranks, shares, strict=True):
            if share:
                often[rank + 1] += share
                worths[rank + 1] += share * stakes.gained[card]
        for rank in range(1, len(often)):
            often[rank] += often[rank - 1]
            worths[rank] += worths[rank - 1]
        return often, worths

    def _above(
        self, shares: Sequence[float], stakes: Stakes, below: Sequence[float], prize: Sequence[float]
    ) -> tuple[list[float], list[float]]:
        """Return for each rank how often a rival captures with a higher card, and what all rivals' cards cost then."""
        taken, price, rivals = [0.0] * (self._highest + 1), [0.0] * (self._highest + 1), self._rivals
        for card, rank, able, share in zip(self._cards, self._ranks, self._able, shares, strict=True):
            if share and able:
                rest = below[rank] ** (rivals - 1)
                taken[rank - 1] += rivals * share * rest
                price[rank - 1] += rivals * share * rest * stakes.lost[card]
                if rivals > 1:
                    price[rank - 1] += rivals * (rivals - 1) * share * prize[rank] * below[rank] ** (rivals - 2)
        for rank in range(self._highest - 1, -1, -1):
            taken[rank] += taken[rank + 1]
            price[rank] += price[rank + 1]
        return taken, price


# --- the plays of all, and what comes of them -------------------------------------------------------------------------


class Results:
    """What comes of a turn, as the share of opponents that its seat will leave behind in the match.

    Args:
        turn: the turn.
    """

    def __init__(self, turn: Turn) -> None:
        self._turn, view = turn, turn.view
        self._seats = range(view.seats)
        self._piles: dict[tuple[str, Cards], tuple[int | None, int, int]] = {}
        won = [worth.prospects_of_winner(winner, view.gold, view.rulings) for winner in self._seats]
        self._won = [prospects[turn.seat] for prospects in won]
        self._drawn = worth.prospects(view.gold, view.rulings)[turn.seat]

    def of(self, plays: Sequence[Cards], keeps: Sequence[float]) -> float:
        """Return what comes of the plays of all seats, when this is what each keeps (`Hand.keeps`)."""
        turn, to_come = self._turn, self._turn.to_come
        points, parts, gone = list(turn.points), list(turn.parts), turn.gone
        for target, *cards in zip(turn.view.table, *plays, strict=True):
            captor, worth_of_it, realm_parts = self._pile(target, tuple(cards))
            if captor is not None:
                points[captor] += worth_of_it
                parts[captor] += realm_parts
                gone += realm_parts
            elif turn.recycles:
                to_come += 1 + len(cards)
            elif len(self._seats) > _TWO:
                gone += realm_parts
        fresh, lasting = worth.freshness(to_come), worth.lasting(to_come)
        totals = [
            points[seat] + worth.realms_expected(parts[seat], gone, len(self._seats), fresh) + lasting * keeps[seat]
            for seat in self._seats
        ]
        return self._chance(totals, worth.swing(to_come))

    def _chance(self, totals: Sequence[float], swing: float) -> float:
        most = max(totals)
        if not swing:
            return self._won[totals.index(most)] if totals.count(most) == 1 else self._drawn
        chances = [exp((total - most) / swing) for total in totals]
        return _dot(chances, self._won) / sum(chances)

    def _pile(self, target: str, cards: Cards) -> tuple[int | None, int, int]:
        """Return who takes a pile, its points, and the parts of realms in it."""
        found = self._piles.get((target, cards))
        if found is None:
            whole = (target, *cards)
            captor = settle(target, cards, self._turn.view.rulings).captor
            found = captor, sum(CARDS[card].points for card in whole), worth.parts(whole)
            self._piles[target, cards] = found
        return found


def _with_open_cards(turn: Turn, deal: Deal, rounds: int) -> tuple[Hand, list[float]]:
    """Return how to mix the plays when two players know each other's cards, and what each play brings then."""
    results, seat = Results(turn), turn.seat
    me, other = Hand(turn.view.hand, turn), Hand(deal.hands[1 - seat], turn)
    payoffs = []
    for mine, keep in zip(me.plays, me.keeps, strict=True):
        replies = zip(other.plays, other.keeps, strict=True)
        payoffs.append([results.of(*_by_seat(seat, (mine, keep), reply)) for reply in replies])
    me.mixture, other.mixture = solve(payoffs, _OPEN_ROUNDS * rounds)
    return me, [_dot(row, other.mixture.average) for row in payoffs]


_OPEN_ROUNDS = 5
"""How many times more often two known hands learn from each other than unknown ones."""


def _by_seat(
    seat: Seat, mine: tuple[Cards, float], theirs: tuple[Cards, float]
) -> tuple[tuple[Cards, ...], tuple[float, ...]]:
    first, second = (theirs, mine) if seat else (mine, theirs)
    return (first[0], second[0]), (first[1], second[1])


def _with_hidden_cards(turn: Turn, deals: Sequence[Deal], rounds: int, dice: Dice) -> tuple[Hand, list[float]]:
    """Return how to mix the plays of the true hand, and what each brings against what others play with these deals."""
    me = Hand(turn.view.hand, turn)
    mine = _counted([deal.own for deal in deals], turn)
    theirs = _counted([cards for deal in deals for seat, cards in enumerate(deal.hands) if seat != turn.seat], turn)
    for _ in range(rounds):
        played, supposed = turn.shares(theirs.values()), turn.shares(mine.values())
        values = turn.values(played, turn.stakes)
        for hand in (me, *mine.values()):
            hand.learn(values)
        others = turn.rivals - 1  # each of the rivals plays against the one who ponders and these
        faced = [(one + others * other) / turn.rivals for one, other in zip(supposed, played, strict=True)]
        values = turn.values(faced, turn.stakes.turned)
        for hand in theirs.values():
            hand.learn(values)
    return me, _compared(turn, me, _tried(turn, deals, theirs, dice))


def _counted(hands: Sequence[Cards], turn: Turn) -> dict[Cards, Hand]:
    """Return each different hand among these by its sorted cards, with its share of them as weight."""
    counts = Counter(map(_sorted, hands))
    return {cards: Hand(cards, turn, count / len(hands)) for cards, count in counts.items()}


Tried: TypeAlias = tuple[list[Cards], list[float]]
"""What each seat plays, and what it is worth to it to keep the rest; of the one who ponders nothing yet."""
_TRIES = 4
"""How many plays of each hand of the others are tried in each deal, as often as the hand should choose them."""


def _tried(turn: Turn, deals: Sequence[Deal], theirs: dict[Cards, Hand], dice: Dice) -> Iterator[Tried]:
    """Yield what the others may play in each deal."""
    averages = {cards: hand.mixture.average for cards, hand in theirs.items()}
    for deal in deals:
        chosen = list[Sequence[int]]()
        for seat, cards in enumerate(deal.hands):
            own = seat == turn.seat
            chosen.append((0,) * _TRIES if own else _spread(averages[_sorted(cards)], dice))
        for numbers in zip(*chosen, strict=True):
            plays, keeps = list[Cards](), list[float]()
            for seat, number in enumerate(numbers):
                hand = None if seat == turn.seat else theirs[_sorted(deal.hands[seat])]
                plays.append(hand.plays[number] if hand else ())
                keeps.append(hand.keeps[number] if hand else 0.0)
            yield plays, keeps


def _spread(shares: Sequence[float], dice: Dice) -> Sequence[int]:
    """Return `_TRIES` choices in any order, each nearly as often as its share says."""
    found, passed, number = [], shares[0], 0
    for step in range(_TRIES):
        while passed < (step + 0.5) / _TRIES and number < len(shares) - 1:
            number += 1
            passed += shares[number]
        found.append(number)
    return dice.shuffle("tries", found)


def _compared(turn: Turn, me: Hand, tried: Iterable[Tried]) -> list[float]:
    """Return what each play brings on average against these plays of the others."""
    results, total, count = Results(turn), [0.0] * len(me.plays), 0
    for plays, keeps in tried:
        count += 1
        for number, (play, keep) in enumerate(zip(me.plays, me.keeps, strict=True)):
            plays[turn.seat], keeps[turn.seat] = play, keep
            total[number] += results.of(plays, keeps)
    return [each / count for each in total]
