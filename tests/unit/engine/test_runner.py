"""The runner: turn order, notation, numbering, leaving, replay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from games.engine import runner
from games.engine.contract.playouts import Chooser, option_combinations, random_match, random_plays
from games.engine.fair import FairChance
from games.engine.protocol import AnyGame, Chance, OptionError, Outcome, RuleViolation, Seat, Step
from games.engine.runner import BrokenRulesError, Play, Position, place_leavers, settle_early
from tests.unit.engine.toys import Cards, HighCards, Laid, Move, Sealed, Secrets

SEED = bytes(range(32))
GAME = HighCards()
ANN, BOB, CAT = Seat(0), Seat(1), Seat(2)


def start(seats: int = 2) -> Play[Cards]:
    return runner.begin(GAME, seats, {"foe": "owl"} if seats == 1 else {}, SEED)


def refused(call: Any, *arguments: Any) -> str:
    with pytest.raises(RuleViolation) as caught:
        call(*arguments)
    assert caught.value.text
    return caught.value.code


def follow(play: Play[Cards], *actions: tuple[Seat, str]) -> Play[Cards]:
    for seat, text in actions:
        play = runner.follow(GAME, play, seat, text, SEED)
    return play


def over() -> Play[Cards]:
    return follow(start(), *[(ANN, "roll"), (BOB, "roll")] * 2)


def test_a_match_begins_with_number_0() -> None:
    play = start()
    assert (play.number, play.seat, play.text, play.reveals) == (0, None, "", True)
    assert play.to_move == {ANN}
    assert play.outcome is None
    assert play.state.hands[0] == FairChance(SEED, 0).shuffle("deck", range(1, 15))[:3]
    assert [event.kind for event in play.events] == ["dealt", "dealt"]


def test_a_match_needs_options_the_game_offers() -> None:
    assert refused(runner.begin, GAME, 2, {"rounds": "nine"}, SEED) == "option"
    assert refused(runner.begin, GAME, 1, {}, SEED) == "option"
    with pytest.raises(OptionError):
        runner.begin(GAME, 4, {}, SEED)


def test_an_action_gets_the_next_number_and_its_chance() -> None:
    position = Position(16, start().state)
    play = runner.play(GAME, position, ANN, "roll", SEED)
    assert (play.number, play.seat, play.text, play.reveals) == (17, ANN, "roll", True)
    assert play.state.dice == (FairChance(SEED, 17).below("die", 6) + 1, 0)
    assert play.to_move == {BOB}


def test_an_action_may_come_as_text_or_read_already() -> None:
    position = start().position
    card = position.state.hands[0][0]
    play = runner.play(GAME, position, ANN, f"lay {card}", SEED)
    assert play == runner.act(GAME, position, ANN, Move("lay", card), SEED)
    assert play.events == (Laid(None, 0, card),)
    assert not play.reveals


class TalksLoudly(HighCards):
    def parse(self, text: str) -> Move:
        return super().parse(text.lower())


def test_the_text_of_a_play_is_canonical() -> None:
    assert runner.play(TalksLoudly(), start().position, ANN, "ROLL", SEED).text == "roll"


def test_who_is_not_to_move_is_refused() -> None:
    assert refused(runner.play, GAME, start().position, BOB, "roll", SEED) == "not-your-turn"
    assert refused(runner.act, GAME, start().position, Seat(7), Move("roll"), SEED) == "not-your-turn"


def test_what_is_no_action_is_refused() -> None:
    assert refused(runner.play, GAME, start().position, ANN, "jump", SEED) == "notation"
    assert refused(runner.play, GAME, start().position, ANN, "resign", SEED) == "notation"


def test_what_the_rules_refuse_is_refused_with_their_code() -> None:
    card = start().state.hands[1][0]
    assert refused(runner.play, GAME, start().position, ANN, f"lay {card}", SEED) == "illegal"


def test_nothing_follows_the_end() -> None:
    play = over()
    assert play.outcome is not None
    assert play.to_move == frozenset()
    assert refused(runner.play, GAME, play.position, ANN, "roll", SEED) == "match-over"
    assert refused(runner.leave, GAME, play.position, ANN, "resign") == "match-over"
    assert refused(runner.follow, GAME, play, ANN, "resign", SEED) == "match-over"


def test_in_a_simultaneous_phase_everybody_who_is_missing_may_act() -> None:
    game = Sealed()
    play = runner.follow(game, runner.begin(game, 3, {}, SEED), BOB, "2", SEED)
    assert play.to_move == {ANN, CAT}
    assert refused(runner.follow, game, play, BOB, "3", SEED) == "not-your-turn"
    opened = runner.follow(game, runner.follow(game, play, CAT, "2", SEED), ANN, "3", SEED)
    assert opened.reveals
    assert opened.state.scores == (3, 0, 0)


def test_a_sealed_turn_ends_with_the_last_who_acts() -> None:
    game = Sealed()
    play, turns = runner.begin(game, 3, {}, SEED), []
    for seat, text in ((BOB, "2"), (CAT, "2"), (ANN, "3"), (ANN, "1")):
        play = runner.follow(game, play, seat, text, SEED)
        turns.append((play.position.turn, play.sealed, play.opens))
    assert turns == [(0, True, False), (0, True, False), (3, True, True), (3, True, False)]


def test_a_sealed_turn_ends_with_an_action_after_which_others_are_to_move_than_were() -> None:
    class Called(Sealed):
        """Whoever picks 3 calls: nobody else picks any more in this round."""

        def apply(self, state: Secrets, seat: Seat, action: int, chance: Chance) -> Step[Secrets]:
            step = super().apply(state, seat, action, chance)
            if action < 3 or step.opens:
                return step
            return Step(Secrets((None,) * len(state.chosen), state.scores, state.round + 1), step.events, reveals=False)

    game = Called()
    play = runner.follow(game, runner.begin(game, 3, {}, SEED), BOB, "2", SEED)
    assert play.position.turn == 0
    called = runner.follow(game, play, CAT, "3", SEED)
    assert (called.position.turn, called.to_move) == (2, frozenset({ANN, BOB, CAT}))


def test_who_leaves_a_sealed_turn_does_not_end_it() -> None:
    game = Sealed()
    play = runner.follow(game, runner.begin(game, 3, {}, SEED), BOB, "2", SEED)
    left = runner.follow(game, play, CAT, "resign", SEED)
    assert (left.position.turn, left.sealed) == (0, False)
    assert runner.follow(game, left, CAT, "1", SEED).position.turn == 0


def test_without_secrets_every_action_ends_a_turn() -> None:
    play = follow(start(), (ANN, "roll"))
    assert (play.position.turn, play.sealed) == (1, False)
    assert follow(play, (BOB, "resign")).position.turn == 2


@pytest.mark.parametrize("text", ["resign", "timeout"])
def test_with_two_players_the_match_ends_when_one_leaves(text: str) -> None:
    play = follow(start(), (ANN, "roll"))
    left = follow(play, (ANN, text))  # not to move, all the same
    assert (left.number, left.seat, left.text, left.reveals) == (2, ANN, text, True)
    assert left.state == play.state
    assert left.outcome == Outcome((2, 1), (play.state.dice[0], 0), text)
    assert left.to_move == frozenset()
    for action in ("roll", "resign"):
        assert refused(runner.follow, GAME, left, BOB, action, SEED) == "match-over"
    assert refused(runner.play, GAME, left.position, BOB, "roll", SEED) == "match-over"
    assert refused(runner.leave, GAME, left.position, BOB, "resign") == "match-over"


def test_who_leaves_alone_has_lost() -> None:
    left = follow(start(1), (ANN, "roll"), (ANN, "resign"))
    assert left.outcome == Outcome((2,), left.state.dice, "resign")


def test_with_three_players_the_others_go_on_and_the_leavers_are_last() -> None:
    left = follow(start(3), (ANN, "roll"), (CAT, "resign"), (ANN, "timeout"))
    assert left.outcome is None
    assert left.to_move == {BOB}
    assert left.position.leavers == (CAT, ANN)
    end = follow(left, (BOB, "roll"), (CAT, "roll"), (ANN, "roll"), (BOB, "roll"), (CAT, "roll"))
    assert end.number == 8
    assert end.outcome == Outcome((2, 1, 3), end.state.dice, "rounds")


def test_a_match_ends_when_the_last_of_its_players_leaves_who_is_then_first() -> None:
    play = start(3)
    for seat in (BOB, ANN, CAT):
        assert play.outcome is None
        play = runner.leave(GAME, play.position, seat, "resign")
    assert play.outcome is not None
    assert (play.outcome.places, play.outcome.reason, play.to_move) == ((2, 3, 1), "resign", frozenset())
    assert refused(runner.play, GAME, play.position, ANN, "roll", bytes(32)) == "match-over"


def test_nobody_leaves_twice_or_from_a_seat_that_is_not_there() -> None:
    class Wide(HighCards):
        seats = range(1, 5)

    game = Wide()
    left = runner.begin(game, 4, {}, SEED)
    for leaver in (CAT, BOB):
        left = runner.follow(game, left, leaver, "resign", SEED)
        assert refused(runner.follow, game, left, leaver, "timeout", SEED) == "has-left"
    assert refused(runner.leave, game, left.position, Seat(4), "resign") == "no-seat"
    assert refused(runner.leave, game, left.position, Seat(-1), "resign") == "no-seat"
    with pytest.raises(ValueError, match="not a way to leave"):
        runner.leave(game, left.position, ANN, "roll")


@pytest.mark.parametrize(
    ("places", "leavers", "expected"),
    [
        ((1, 2, 3, 4), (), (1, 2, 3, 4)),
        ((1, 2, 3, 4), (0,), (4, 1, 2, 3)),
        ((1, 2, 2, 4), (3, 0), (3, 1, 1, 4)),
        ((1, 1, 1, 1), (1, 2), (1, 4, 3, 1)),
        ((2, 1, 3), (0, 1, 2), (3, 2, 1)),
        ((1, 1), (1,), (1, 2)),
    ],
)
def test_leavers_stand_behind_everybody_else_the_first_to_leave_last(
    places: tuple[int, ...], leavers: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    outcome = Outcome(places, (9,) * len(places), "points")
    assert place_leavers(outcome, [Seat(seat) for seat in leavers]) == replace(outcome, places=expected)


def test_a_match_that_ends_early_is_ranked_by_the_scores_as_they_stand() -> None:
    state = replace(start(3).state, dice=(5, 9, 5))
    assert settle_early(GAME, state, [BOB], "timeout") == Outcome((1, 3, 1), (5, 9, 5), "timeout")


def test_a_replay_gives_every_position_again() -> None:
    for seats in GAME.seats:
        for options in option_combinations(GAME, seats):
            plays = random_match(GAME, seats, options, SEED, Chooser(SEED)).plays
            texts = [(play.seat, play.text) for play in plays if play.seat is not None]
            assert tuple(runner.replay(GAME, seats, options, SEED, texts)) == plays


def test_a_replay_goes_on_after_somebody_left() -> None:
    texts = [(ANN, "roll"), (CAT, "resign"), (BOB, "roll"), (CAT, "roll")]
    assert [play.number for play in runner.replay(GAME, 3, {}, SEED, texts)] == [0, 1, 2, 3, 4]


def test_a_replay_is_lazy_and_stops_at_what_is_refused() -> None:
    positions = runner.replay(GAME, 2, {}, SEED, [(ANN, "roll"), (ANN, "roll")])
    assert [next(positions).number, next(positions).number] == [0, 1]
    assert refused(next, positions) == "not-your-turn"


class NeverEnds(HighCards):
    def to_move(self, state: Cards) -> frozenset[Seat]:
        return frozenset({ANN})

    def apply(self, state: Cards, seat: Seat, action: Move, chance: Chance) -> Step[Cards]:
        return Step(state, (), reveals=False)


class Stalls(HighCards):
    def legal_actions(self, state: Cards, seat: Seat) -> Iterable[Move]:
        return ()


class EndsForNobody(HighCards):
    def outcome(self, state: Cards) -> Outcome | None:
        return Outcome((1, 1), (0, 0), "too early")


class StartsSilently(HighCards):
    def start(self, seats: int, options: Any, chance: Chance) -> Step[Cards]:
        return replace(super().start(seats, options, chance), reveals=False)


@pytest.mark.parametrize(
    "game", [NeverEnds(), Stalls(), EndsForNobody(), StartsSilently()], ids=lambda g: type(g).__name__
)
def test_broken_rules_are_noticed(game: AnyGame) -> None:
    with pytest.raises(BrokenRulesError, match="high-cards"):
        list(random_plays(game, 2, {}, SEED, Chooser(SEED)))
