"""What the chances of a seat are made of adds up to the last point, whatever is played and whoever leaves.

That holds whatever the chances are and however well a sensible player plays, so in most matches both are as cheap as
can be; some are judged as reviews judge them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest

from games.engine import runner
from games.engine.contract.playouts import Chooser, option_combinations
from games.engine.insight import NoInsight
from games.engine.protocol import AnyGame, Chance, Options, Seat
from games.engine.runner import RESIGN
from games.review.judge import WHOLE, AnyPlay, Judge, judged
from games.titles import titles

MATCHES, ACTIONS, CHOICES = 100, 7, 40
"""How many matches, how much of most of them, and among how many actions is chosen."""
TO_THE_END = int(os.environ.get("TESSERA_PARTS", "4"))
"""How many matches are judged to their end."""
LONGEST = 150
"""After so many actions a match that is played at random may go on for ever."""
REVIEWED = 50
"""One match in so many is judged as a review judges it."""
LEAVES = 4
"""After so many actions somebody leaves, in every other match."""


class Hasty(NoInsight):
    """Does the first thing that is legal, and takes scores for chances."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)

        def first(state: Any, seat: Seat, chance: Chance) -> Any:
            return next(iter(game.legal_actions(state, seat)))

        self.policy = first


def some_actions(  # noqa: PLR0917  # all that decides a match
    game: str, seats: int, options: Options, seed: bytes, actions: int, leaves: bool
) -> Iterator[AnyPlay]:
    rules, chooser = titles()[game].game, Chooser(seed)
    last = runner.begin(rules, seats, options, seed)
    yield last
    for number in range(actions):
        if not last.to_move:
            return
        seat = chooser.pick(sorted(last.to_move))
        text = rules.notate(chooser.pick(list(islice(rules.legal_actions(last.state, seat), CHOICES))))
        last = runner.follow(rules, last, seat, RESIGN if leaves and number == LEAVES else text, seed)
        yield last


@pytest.mark.parametrize(
    ("game", "seats"), [(slug, seats) for slug, title in titles().items() for seats in title.game.seats]
)
def test_the_start_and_what_changed_it_add_up_to_the_end(game: str, seats: int) -> None:
    title = titles()[game]
    choices = option_combinations(title.game, seats)
    for number in range(MATCHES):
        options, seed = choices[number % len(choices)], sha256(f"{game} {seats} {number}".encode()).digest()
        actions = LONGEST if number < TO_THE_END else ACTIONS
        plays = judged(list(some_actions(game, seats, options, seed, actions, leaves=number % 2 == 1)))
        insight = title.insight if number % REVIEWED == REVIEWED - 1 else Hasty(title.game)
        judge = Judge(title.game, insight, seed, worlds=1)
        chances, deal = judge.deal(plays[0], options)
        start = [chance - luck for chance, luck in zip(chances, deal.luck, strict=True)]
        assert seats == 1 or max(start) - min(start) <= 1
        assert seats == 1 or sum(start) == WHOLE
        changes = [deal]
        for action in range(1, len(plays)):
            chances, change = judge.position(plays, action, chances)
            changes.append(change)
            assert seats == 1 or sum(chances) == WHOLE
        for seat in map(Seat, range(seats)):
            parts = [(each.luck[seat], each.own(seat), each.others(seat)) for each in changes]
            assert start[seat] + sum(map(sum, parts)) == chances[seat]
