"""Records a match for each way in which one can end; run it when a change of rules alters matches.

    python -m tests.unit.titles.card_chess.record_matches

For each recording matches are played, by players who steer towards it, until one has what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from games.engine import runner
from games.engine.protocol import OptionValue, Seat
from games.engine.record import Record, write
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import Pile
from tests.unit.titles.card_chess.choosers import (
    NONCES,
    Chooser,
    Plays,
    any_play,
    eager,
    next_play,
    peaceful,
    peaceful_in_deciders,
    seed_of,
    server_seed,
)
from tests.unit.titles.recording import record_of

FOLDER = Path(__file__).with_name("records")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A recording to be made.

    Args:
        name: of the file.
        choosers: one per seat.
        shows: whether a match is what is wanted.
        options: those that differ from the default.
        leaves: actions after which a seat leaves, with the text.
    """

    name: str
    choosers: Sequence[Chooser]
    shows: Callable[[Plays], bool]
    options: dict[str, OptionValue] = field(default_factory=dict)
    leaves: tuple[tuple[int, int, str], ...] = ()


def ended_with(reason: str) -> Callable[[Plays], bool]:
    """Return whether the match ended for this reason."""
    return lambda plays: _reason(plays) == reason


def gold_after_a_draw(plays: Plays) -> bool:
    """Return whether somebody won by gold although a challenge was drawn and used no gold card."""
    return _reason(plays) == "gold" and any(each.winner is None for each in plays[-1].state.challenges)


def scored(*scores: int) -> Callable[[Plays], bool]:
    """Return whether the match was won by gold with these scores, by whoever has more."""
    return lambda plays: _reason(plays) == "gold" and sorted(plays[-1].state.gold) == sorted(scores)


def decided_after_a_draw(plays: Plays) -> bool:
    """Return whether a decider was won after another had been drawn."""
    return _reason(plays) == "decider" and _deciders(plays) > 1


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
    return _reason(plays) == "valve" and len(plays[-1].state.challenges) == 20 and _deciders(plays) < 3


def three_drawn_deciders(plays: Plays) -> bool:
    """Return whether the match was stopped after three drawn deciders."""
    return _reason(plays) == "valve" and _deciders(plays) == 3


def ruled(plays: Plays) -> bool:
    """Return whether a pile was blocked, and another taken after equal stronger cards had stepped aside."""
    piles = [pile for play in plays if play.reveals for pile in play.state.revealed.of_turn]
    return any(pile.result == "blocked" for pile in piles) and any(map(_equal_otherwise, piles))


def short_last_turn(plays: Plays) -> bool:
    """Return whether second phases ended with one, with two and with three table cards."""
    turns = {(play.state.phase, len(play.state.table)) for play in plays if not play.state.deck}
    return {(2, 1), (2, 2), (2, 3)} <= turns and _reason(plays) == "gold"


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


def _reason(plays: Plays) -> str | None:
    outcome = plays[-1].outcome
    return None if outcome is None else outcome.reason


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


def record(wanted: Wanted) -> Record:
    """Play until a match shows what is wanted and return it."""
    for attempt in count():
        name = f"{wanted.name} {attempt}"
        plays = _play(wanted, name)
        if wanted.shows(plays):
            return record_of(GAME, plays, server_seed(name), NONCES, wanted.options)
    raise AssertionError


def _play(wanted: Wanted, name: str) -> Plays:
    seats, due = len(wanted.choosers), list(wanted.leaves)
    seed = seed_of(name, seats)
    plays: Plays = [runner.begin(GAME, seats, wanted.options, seed)]
    while plays[-1].outcome is None:
        if due and plays[-1].number >= due[0][0]:
            _, seat, text = due.pop(0)
            plays.append(runner.leave(GAME, plays[-1].position, Seat(seat), text))
        else:
            plays.append(next_play(plays[-1], wanted.choosers, seed))
    return plays


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for wanted in WANTED:
        (FOLDER / f"{wanted.name}.json").write_text(write(record(wanted)), encoding="utf-8")


if __name__ == "__main__":
    main()
