"""What a judge calls a mistake, good play and luck, in secret and in open turns, and where nothing is known."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from games.engine.insight import Insight, NoInsight
from games.engine.protocol import Seat
from games.engine.runner import act, begin
from games.review.judge import WHOLE, AnyPlay, Change, Judge
from games.titles import titles
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import Play, stock, without
from games.titles.shifting_stones.rules.notation import END, Flip, Score
from tests.unit.engine.pennies import Pennies
from tests.unit.titles.shifting_stones import positions as stones

SEED = bytes(range(32))
ME, OTHER = Seat(0), Seat(1)
TABLE = ("gK5w", "bP1l", "bP2d")
HAND = ("bQ9w", "gP1l", "gP2d", "bP4d")
OTHERS = ("gB7l", "gB7d", "gN5l", "bC#w")
TAKES_THE_KING = Play(("bQ9w", "gP1l", "gP2d"))
GIVES_THE_QUEEN_AWAY = Play(("bP4d", "bQ9w", "gP2d"))
KEEPS_THE_QUEEN = Play(("bP4d", "gP1l", "gP2d"))


def judge() -> Judge:
    """Return a judge to whom chances are as seats stand, however the weights of the game's own model are fitted."""
    insight = SimpleNamespace(**vars(titles()[GAME.slug].insight))
    insight.chances = lambda state: [insight.evaluate(state, ME), insight.evaluate(state, OTHER)]
    return Judge(GAME, cast("Insight", insight), SEED)


def position(deck: tuple[str, ...] | None = None) -> AnyPlay:
    """Return the first turn of a match in which the best card can take the king, and nothing but that is at stake."""
    play = begin(GAME, 2, {}, SEED)
    rest = without(stock(2, None), (*TABLE, *HAND, *OTHERS))
    state = replace(play.state, table=TABLE, hands=(HAND, OTHERS), deck=deck or rest)
    return replace(play, position=replace(play.position, state=state))


def opened(start: AnyPlay, mine: Play, others: Play) -> tuple[AnyPlay, AnyPlay]:
    """Return the position before the turn opens, and the one after it."""
    before = act(GAME, start.position, ME, mine, SEED)
    return before, act(GAME, before.position, OTHER, others, SEED)


@pytest.mark.parametrize("mistake", [GIVES_THE_QUEEN_AWAY, KEEPS_THE_QUEEN])
def test_a_play_that_wastes_the_queen_is_told_as_a_mistake(mistake: Play) -> None:
    (better,), cost = judge().weigh(position(), ME, (mistake,))
    assert cost > WHOLE // 10
    assert (better.cards[0], TABLE[0]) == ("bQ9w", "gK5w")


def test_to_give_the_queen_away_costs_more_than_to_keep_it() -> None:
    """The other has nothing but what captures the pawn below the queen."""
    _, given = judge().weigh(position(), ME, (GIVES_THE_QUEEN_AWAY,))
    _, kept = judge().weigh(position(), ME, (KEEPS_THE_QUEEN,))
    assert given > kept


def test_the_best_play_is_no_mistake() -> None:
    assert judge().weigh(position(), ME, (TAKES_THE_KING,))[1] == 0


def test_a_secret_play_is_weighed_alike_whoever_has_confirmed_before() -> None:
    start = position()
    after = act(GAME, start.position, OTHER, Play(OTHERS[:3]), SEED)
    worlds = [judge().weigh(play, ME, (KEEPS_THE_QUEEN,))[0][0].cards[0] for play in (start, after)]
    assert worlds == ["bQ9w", "bQ9w"]


def changed(mine: Play, others: Play, deck: tuple[str, ...] | None = None) -> Change:
    """Return what a turn changed in which both confirm, the other last."""
    start = position(deck)
    plays = [start, *opened(start, mine, others)]
    before, nothing = judge().position(plays, 1, (WHOLE // 2, WHOLE // 2))
    assert nothing == Change((0, 0), {})
    return judge().position(plays, 2, before)[1]


def test_a_plan_is_told_apart_from_what_the_others_play() -> None:
    strong, weak = Play(("bC#w", "gB7l", "gB7d")), Play(("gN5l", "bC#w", "gB7l"))
    for mine in (TAKES_THE_KING, GIVES_THE_QUEEN_AWAY):
        assert changed(mine, strong).others(ME) < changed(mine, weak).others(ME)
    assert changed(GIVES_THE_QUEEN_AWAY, weak).own(ME) < changed(TAKES_THE_KING, weak).own(ME)


def test_luck_is_what_the_draw_pile_gave() -> None:
    rest = without(stock(2, None), (*TABLE, *HAND, *OTHERS))
    good = ("gQ9w", "bB7l", "bB7d")
    poor = ("bP1d", "gP1d", "bP2l")
    lucky = (*good, *poor, *without(rest, (*good, *poor)))
    unlucky = (*poor, *good, *without(rest, (*good, *poor)))
    others = Play(OTHERS[:3])
    bad, well = changed(TAKES_THE_KING, others, unlucky), changed(TAKES_THE_KING, others, lucky)
    assert bad.luck[ME] < well.luck[ME]
    assert bad.moves == well.moves


def test_a_game_of_which_nothing_is_known_is_judged_when_its_turn_ends() -> None:
    """Matching pennies: no side is better than the other, and who loses was unlucky."""
    game: Any = Pennies()
    blind = Judge(game, NoInsight(game), SEED)
    start = begin(game, 2, {}, SEED)
    before = act(game, start.position, Seat(0), "h", SEED)
    after = act(game, before.position, Seat(1), "h", SEED)
    assert blind.weigh(start, Seat(0), ("h",))[1] == blind.weigh(start, Seat(1), ("h",))[1] == 0
    chances, change = blind.position([start, before, after], 2, (WHOLE // 2, WHOLE // 2))
    assert chances == (WHOLE, 0)
    assert change.luck[ME] > WHOLE // 4
    assert change.luck[OTHER] < -WHOLE // 4


def test_an_open_turn_is_compared_with_that_of_a_sensible_player() -> None:
    """To score what one can is sensible, whatever comes of it; to throw the card away is not."""
    title, card = titles()["shifting-stones"], stones.LYING_TWOS[0]
    start = begin(title.game, 2, {}, SEED)
    state = stones.position([(card, *stones.ELSEWHERE[:3]), stones.ELSEWHERE[3:7]])
    before = replace(start, position=replace(start.position, state=state))
    own = []
    for action in (Score(card), Flip(card, 0)):
        plays = [before, act(title.game, before.position, ME, action, SEED)]
        own.append(Judge(title.game, title.insight, SEED).position(plays, 1, (WHOLE // 2, WHOLE // 2))[1].own(ME))
    assert own[0] == 0 > own[1]


def test_who_does_not_give_up_as_a_sensible_player_would_gains_what_the_chance_rose() -> None:
    """Else that would be skill, turn after turn, and the chance that stays as it is bad luck."""
    title, card = titles()["shifting-stones"], stones.LYING_TWOS[0]
    start = begin(title.game, 2, {}, SEED)
    state = stones.position([(card, *stones.ELSEWHERE[:3]), stones.ELSEWHERE[3:7]])
    before = replace(start, position=replace(start.position, state=state))
    insight = SimpleNamespace(**vars(title.insight))
    insight.policy = lambda *_: END
    insight.chances = lambda state: [0.0, 1.0] if state.mover and not state.scored[ME] else [0.5, 0.5]
    judge = Judge(title.game, cast("Insight", insight), SEED)
    for action, luck in ((Score(card), 0), (END, -WHOLE // 2)):
        plays = [before, act(title.game, before.position, ME, action, SEED)]
        change = judge.position(plays, 1, (WHOLE // 2, WHOLE // 2))[1]
        assert (change.own(ME), change.luck[ME]) == (0, luck)
