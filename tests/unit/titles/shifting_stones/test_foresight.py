"""What Grandmaster looks at: the patterns that lie, what others do next, and when the end comes."""

from __future__ import annotations

from games.engine.dice import Dice
from games.engine.protocol import Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight.foresight import best_reply, lying, ponder
from games.titles.shifting_stones.insight.planning import turns
from games.titles.shifting_stones.rules.notation import Score
from games.titles.shifting_stones.rules.patterns import CARDS, POINTS, bits_after, grid_bits, lies_on
from tests.unit.titles.shifting_stones.positions import ELSEWHERE, GRID, LYING_ONES, LYING_TWOS, position

FUTURES = 8


def test_all_cards_are_compared_with_a_grid_at_once() -> None:
    bits = grid_bits(GRID)
    for move in ((0, 1), (4,), (7, 8), (2,)):
        bits = bits_after(bits, move)
        assert lying(bits) == sum(1 << card for card in CARDS if lies_on(card, bits))


def test_a_reply_scores_what_brings_most() -> None:
    reply = best_reply(grid_bits(GRID), (*LYING_TWOS[:2], *LYING_ONES[:2]), last=False)
    assert sorted(reply.scored) == sorted((*LYING_TWOS[:2], *LYING_ONES[:2]))
    assert reply.kept == ()
    assert best_reply(grid_bits(GRID), (), last=True).scored == ()


def test_every_turn_that_is_considered_is_legal_and_the_first_ones_were_tried_most() -> None:
    state = GAME.start(3, {}, Dice(2)).state
    for number in range(4):
        seat = Seat(state.mover)
        found = ponder(GAME.view_for(state, seat), seat, Dice(number), FUTURES)
        assert len({each.plan for each in found}) == len(found) > 1
        assert [each.visits for each in found] == sorted((each.visits for each in found), reverse=True)
        assert all(0 <= each.value <= 1 for each in found)
        for each in found:
            after = state
            for action in each.plan:
                assert action in tuple(GAME.legal_actions(after, seat))
                after = GAME.apply(after, seat, action, Dice(number)).state
        for action in found[0].plan:
            state = GAME.apply(state, seat, action, Dice(number)).state


def test_it_does_not_bring_on_an_end_that_it_would_lose() -> None:
    """The last card of ten would end the match eleven points behind; another round may still win it."""
    fives = [card for card in CARDS if POINTS[card] == 5]
    ones = [card for card in CARDS if POINTS[card] == 1 and card not in LYING_ONES]
    hand = (LYING_TWOS[0], *ELSEWHERE[:2])
    state = position((fives[:1], hand), scored=(tuple(fives[1:7]), tuple(ones[:9])), mover=1)
    assert any(isinstance(action, Score) for action in turns(state)[0].actions)
    found = ponder(GAME.view_for(state, Seat(1)), Seat(1), Dice(3), FUTURES)
    assert not any(isinstance(action, Score) for action in found[0].plan)
