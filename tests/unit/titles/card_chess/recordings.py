"""The recorded matches of 3D cardChess: who plays them, and what each shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games.engine.protocol import OptionValue
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import Pile
from tests.unit.titles.card_chess.choosers import (
    Plays,
    any_play,
    eager,
    peaceful,
    peaceful_in_deciders,
    play_match,
)
from tests.unit.titles.recording import Wanted, ended_with, reason_of

__all__ = ["GAME", "play_match"]

FOLDER = Path(__file__).with_name("records")


def gold_after_a_draw(plays: Plays) -> bool:
    """Return whether somebody won by gold although a challenge was drawn and used no gold card."""
    return reason_of(plays) == "gold" and any(each.winner is None for each in plays[-1].state.challenges)


def scored(*scores: int) -> Callable[[Plays], bool]:
    """Return whether the match was won by gold with these scores, by whoever has more."""
    return lambda plays: reason_of(plays) == "gold" and sorted(plays[-1].state.gold) == sorted(scores)


def decided_after_a_draw(plays: Plays) -> bool:
    """Return whether a decider was won after another had been drawn."""
    return reason_of(plays) == "decider" and _deciders(plays) > 1


def last_gold_to_the_other(plays: Plays) -> bool:
    """Return whether somebody with 3 gold cards won the match although the other won the last challenge."""
    outcome = plays[-1].outcome
    if outcome is None or sorted(outcome.scores) != [1, 3]:
        return False
    return outcome.places[plays[-1].state.challenges[-1].winner or 0] == 2


def places_shared(plays: Plays) -> bool:
    """Return whether the only challenge was drawn by some, so that a place is left out, but not by all."""
    outcome = plays[-1].outcome
    return outcome is not None and outcome.reason == "drawn" and sorted(outcome.places) == [1, 1, 3]


def twenty_challenges(plays: Plays) -> bool:
    """Return whether the match was stopped after 20 challenges."""
    return reason_of(plays) == "valve" and len(plays[-1].state.challenges) == 20 and _deciders(plays) < 3


def three_drawn_deciders(plays: Plays) -> bool:
    """Return whether the match was stopped after three drawn deciders."""
    return reason_of(plays) == "valve" and _deciders(plays) == 3


def ruled(plays: Plays) -> bool:
    """Return whether a pile was blocked, and another taken after equal stronger cards had stepped aside."""
    piles = [pile for play in plays if play.reveals for pile in play.state.revealed.of_turn]
    return any(pile.result == "blocked" for pile in piles) and any(map(_equal_otherwise, piles))


def short_last_turn(plays: Plays) -> bool:
    """Return whether second phases ended with one, with two and with three table cards."""
    turns = {(play.state.phase, len(play.state.table)) for play in plays if not play.state.deck}
    return {(2, 1), (2, 2), (2, 3)} <= turns and reason_of(plays) == "gold"


def left_behind(plays: Plays) -> bool:
    """Return whether those who left are placed last although one of them has more gold than somebody who stayed."""
    outcome = plays[-1].outcome
    if outcome is None or (outcome.places[1], outcome.places[3]) != (4, 3):
        return False
    return outcome.scores[1] > min(outcome.scores[0], outcome.scores[2])


def _equal_otherwise(pile: Pile) -> bool:
    """Say whether nobody would have taken a pile without the option `next_strongest`."""
    without = settle(pile.target, pile.cards, Rulings(blocking=True, symmetric_rooks=True))
    return pile.captor is not None and without.result == "equal"


def _deciders(plays: Plays) -> int:
    return sum(challenge.decider for challenge in plays[-1].state.challenges)


RULINGS: dict[str, OptionValue] = {"blocking": True, "next_strongest": True, "symmetric_rooks": True}
ONE: dict[str, OptionValue] = {"length": "one_challenge"}

WANTED = (
    Wanted("gold", [any_play] * 2, gold_after_a_draw),
    Wanted("gold-4-0", [eager, peaceful], scored(4, 0)),
    Wanted("gold-3-1", [any_play] * 2, last_gold_to_the_other),
    Wanted("decided", [any_play] * 2, scored(3, 0), {"length": "decided"}),
    Wanted("gold-three", [eager, any_play, eager], ended_with("gold")),
    Wanted("gold-four", [any_play, eager, any_play, eager], gold_after_a_draw),
    Wanted("short-last-turns", [any_play] * 2, short_last_turn),
    Wanted("rulings", [eager] * 4, ruled, RULINGS),
    Wanted("decider", [eager] * 2, ended_with("decider")),
    Wanted("decider-drawn", [peaceful_in_deciders] * 2, decided_after_a_draw),
    Wanted("decider-four", [eager] * 4, ended_with("decider")),
    Wanted("shared", [any_play] * 2, ended_with("shared"), {"shared": True}),
    Wanted("two-gold", [any_play] * 3, ended_with("gold"), {"length": "two_gold"}),
    Wanted("one-challenge", [eager] * 2, ended_with("challenge"), ONE),
    Wanted("one-challenge-drawn", [any_play] * 2, ended_with("drawn"), ONE),
    Wanted("one-challenge-shared", [eager] * 3, places_shared, ONE),
    Wanted("valve-challenges", [peaceful] * 2, twenty_challenges),
    Wanted("valve-deciders", [peaceful_in_deciders] * 2, three_drawn_deciders),
    Wanted("resigned", [any_play] * 2, ended_with("resign"), leaves=((21, 1, "resign"),)),
    Wanted("timed-out", [any_play] * 2, ended_with("timeout"), leaves=((12, 0, "timeout"),)),
    Wanted(
        "left-behind", [any_play, eager, any_play, any_play], left_behind, {}, ((20, 1, "resign"), (30, 3, "timeout"))
    ),
)
