"""Puzzles of 3D cardChess: which cards win most points whatever the opponent plays.

For each of one's own plays the solver finds the worst that the opponent could do with any cards that are not seen. A
card that cannot capture what lies above it is a useless one: plays that differ only in those are one answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations, product

from django.utils.translation import gettext, ngettext

from games.engine.bots import Dice
from games.engine.insight import Plan
from games.engine.protocol import Seat, Step
from games.engine.puzzles import Solved
from games.titles.card_chess import GAME
from games.titles.card_chess.insight import strongest
from games.titles.card_chess.rules import reveal
from games.titles.card_chess.rules.capture import refusal, settle
from games.titles.card_chess.rules.deck import CARDS, Play, without
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View

_PLACES, _HAND, _SEATS = 3, 4, 2


def suits(view: View) -> bool:
    """Return whether one of two players has a whole hand to choose from, and the other can hold any unseen cards."""
    if view.seats != _SEATS or not view.may_confirm or view.viewer is None:
        return False
    theirs = view.hand_sizes[1 - view.viewer] + _PLACES * view.confirmed[1 - view.viewer]
    return (len(view.table), len(view.hand), theirs) == (_PLACES, _HAND, _HAND)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A play, the points that are sure, and the reply that leaves no more."""

    play: Play
    sure: int
    reply: tuple[str, ...]


def solve(view: View) -> Solved:
    """Compare every play by the points that it is sure to win."""
    answers: dict[tuple[str, ...], _Weighed] = {}
    plays = list(permutations(view.hand, _PLACES))
    for cards in plays:
        at = zip(cards, view.table, strict=True)
        useful = tuple("" if refusal(card, target, view.rulings) else card for card, target in at)
        answers.setdefault(useful, _weighed(view, Play(cards)))
    best, *others = sorted(answers.values(), key=lambda weighed: -weighed.sure)
    second = others[0].sure if others else 0
    return Solved((best.play,), best.sure, second, len(plays))


def _weighed(view: View, play: Play) -> _Weighed:
    """Find the worst reply. Only the three costliest cards of each place matter, as one of them is always free."""
    unseen = list(enumerate(view.unseen))
    worst = [
        sorted(((_won(target, mine, card, view.rulings), number, card) for number, card in unseen))[:_PLACES]
        for mine, target in zip(play.cards, view.table, strict=True)
    ]
    replies = (reply for reply in product(*worst) if len({number for _, number, _ in reply}) == _PLACES)
    reply = min(replies, key=lambda reply: sum(points for points, _, _ in reply))
    return _Weighed(play, sum(points for points, _, _ in reply), tuple(card for _, _, card in reply))


@cache
def _won(target: str, mine: str, theirs: str, rulings: Rulings) -> int:
    """Return the points of a pile if I take it, else 0."""
    if settle(target, (mine, theirs), rulings).captor != 0:
        return 0
    return sum(CARDS[card].points for card in (target, mine, theirs))


def greedy(view: View) -> Plan:
    """Return a play that could capture at the most places, with the strongest cards."""
    return (strongest(view)[0],)


def worth(view: View, line: Plan) -> int | None:
    """Return the points that a play is sure to win, None without one."""
    return _weighed(view, line[0]).sure if line else None


def shown(state: State, seat: Seat, line: Plan) -> Sequence[Step[State]]:
    """Return the turn revealed, with the opponent's worst reply."""
    view, steps = GAME.view_for(state, seat), []
    for play in line[:1]:
        GAME.apply(state, seat, play, Dice(0))  # refuses what is not legal
        reply, left = _weighed(view, play).reply, without(state.hands[seat], play.cards)
        sealed = (play.cards, reply) if seat == 0 else (reply, play.cards)
        after, events = reveal(replace(state, sealed=sealed, hands=(left, ()) if seat == 0 else ((), left)))
        steps.append(Step(after, tuple(events), reveals=True))
    return steps


def task(view: View) -> str:
    """Ask for the points that are sure."""
    return gettext(
        "Win as many points as you can be sure of in this turn, whichever unseen cards your opponent plays. The points "
        "of all cards in the piles you take count; realms do not."
    )


def gain(worth: int) -> str:
    """Say how many points are sure."""
    return ngettext("%(count)s sure point", "%(count)s sure points", worth) % {"count": worth}
