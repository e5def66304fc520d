"""What is said about a match: status, log, names of cards, results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.engine.protocol import Event, Seat
from games.titles.shifting_stones import board
from games.titles.shifting_stones.board.wording import card_text, pattern_text
from games.titles.shifting_stones.rules import state
from games.titles.shifting_stones.rules.patterns import CARDS
from tests.unit.titles.shifting_stones.positions import ELSEWHERE, LYING_ONES, act, position
from tests.unit.titles.shifting_stones.showing import NAMES, scene

HANDS = ((16, 1, 8, 21), (3, 4, 5, 6))

LINES: list[tuple[Event, str]] = [
    (state.Dealt(None, 4), "The stones are laid out and everyone gets 4 cards."),
    (
        state.StonesShifted(None, 0, 12, 0, 1, "sun", "fish"),
        "ann swaps sun a1 and fish b1, discarding card 12 (1 point, fish in the middle).",
    ),
    (
        state.StoneFlipped(None, 1, 7, 4, "horse", "boat"),
        "bob flips b2 from horse to boat, discarding card 7 (2 points, boat left of moon).",
    ),
    (state.CardScored(None, 0, 12, 1, (4,)), "ann scores card 12 (1 point, fish in the middle)."),
    (state.TurnEnded(None, 1, by_itself=False), "bob ends the turn."),
    (state.TurnEnded(None, 1, by_itself=True), "bob has no cards left: the turn ends."),
    (state.TurnSkipped(None, 0), "ann skips the turn."),
    (state.PileReshuffled(None, 9), "The draw pile is empty: 9 discards are shuffled into a new one."),
    (state.CardsDrawn(None, 0, 1), "ann draws 1 card."),
    (state.CardsDrawn(None, 0, 3), "ann draws 3 cards."),
    (
        state.CardsReceived(frozenset({Seat(0)}), 0, (12, 7)),
        "Only ann sees: card 12 (1 point, fish in the middle); card 7 (2 points, boat left of moon).",
    ),
    (state.EndTriggered(None, 1, 10), "bob has scored 10 cards: the match ends with this round."),
    (state.Strike(None, 0, 1), "ann has scored nothing in this turn: a strike. 1 strike left."),
    (
        state.Finished(None, "goal", (1, 2), (21, 17), (0,)),
        "ann won, 21 to 17. This includes 3 bonus points for the most 1-point cards (ann).",
    ),
    (
        state.Finished(None, "idle", (1, 1), (4, 4), ()),
        "100 rounds have been played. ann and bob share the win with 4 points each.",
    ),
    (state.Finished(None, "won", (1,), (30,), ()), "ann has scored every card and wins with 30 points."),
    (state.Finished(None, "lost", (2,), (9,), ()), "The fourth strike: ann loses with 9 points."),
]


@pytest.mark.parametrize(("event", "text"), LINES, ids=lambda value: getattr(value, "kind", ""))
def test_every_event_has_its_sentence(event: Event, text: str) -> None:
    assert board.line(event, NAMES[:2], None) == text


YOURS: list[tuple[Event, str]] = [
    (
        state.StonesShifted(None, 1, 12, 0, 1, "sun", "fish"),
        "You swap sun a1 and fish b1, discarding card 12 (1 point, fish in the middle).",
    ),
    (
        state.StoneFlipped(None, 1, 7, 4, "horse", "boat"),
        "You flip b2 from horse to boat, discarding card 7 (2 points, boat left of moon).",
    ),
    (state.CardScored(None, 1, 12, 1, (4,)), "You score card 12 (1 point, fish in the middle)."),
    (state.TurnEnded(None, 1, by_itself=False), "You end your turn."),
    (state.TurnEnded(None, 1, by_itself=True), "You have no cards left: your turn ends."),
    (state.TurnSkipped(None, 1), "You skip your turn."),
    (state.CardsDrawn(None, 1, 3), "You draw 3 cards."),
    (
        state.CardsReceived(frozenset({Seat(1)}), 1, (12,)),
        "Only you see: card 12 (1 point, fish in the middle).",
    ),
    (state.EndTriggered(None, 1, 10), "You have scored 10 cards: the match ends with this round."),
    (state.Strike(None, 1, 1), "You have scored nothing in this turn: a strike. 1 strike left."),
    (
        state.Finished(None, "goal", (2, 1), (17, 21), (1,)),
        "You won, 21 to 17. This includes 3 bonus points for the most 1-point cards (you).",
    ),
    (state.Finished(None, "goal", (1, 2, 3), (21, 17, 5), ()), "ann wins with 21 points; you 17, cleo 5."),
    (state.Finished(None, "goal", (2, 1, 2), (5, 21, 5), ()), "You win with 21 points; ann 5, cleo 5."),
    (
        state.Finished(None, "goal", (1, 1, 3), (21, 21, 5), ()),
        "You and ann share the win with 21 points each; cleo 5.",
    ),
]


@pytest.mark.parametrize(("event", "text"), YOURS, ids=lambda value: getattr(value, "kind", ""))
def test_whoever_reads_is_you(event: Event, text: str) -> None:
    assert board.line(event, NAMES[:3], Seat(1)) == text


CAPTIONS: list[tuple[Event, str, str]] = [
    (state.StonesShifted(None, 1, 12, 0, 1, "sun", "fish"), "Swapped a1 and b1.", "Swapped a1 and b1."),
    (state.StoneFlipped(None, 1, 7, 4, "horse", "boat"), "Flipped b2.", "Flipped b2."),
    (state.CardScored(None, 1, 12, 1, (4,)), "Scored 1 point.", "Scored 1 point."),
    (state.CardsReceived(frozenset({Seat(1)}), 1, (12, 7)), "Only bob sees which.", "Only you see which."),
    (state.CardsDrawn(None, 1, 3), "", ""),
    (state.Finished(None, "goal", (1, 2), (21, 17), (0,)), "", ""),
]


@pytest.mark.parametrize(("event", "theirs", "yours"), CAPTIONS, ids=lambda value: getattr(value, "kind", ""))
def test_beside_pictures_the_log_tells_only_what_they_do_not_show(event: Event, theirs: str, yours: str) -> None:
    assert (board.caption(event, NAMES[:2], None), board.caption(event, NAMES[:2], Seat(1))) == (theirs, yours)


def test_whoever_played_alone_is_you() -> None:
    won = state.Finished(None, "won", (1,), (30,), ())
    lost = state.Finished(None, "lost", (2,), (9,), ())
    assert [board.line(event, NAMES[:1], Seat(0)) for event in (won, lost)] == [
        "You have scored every card and win with 30 points.",
        "The fourth strike: you lose with 9 points.",
    ]


def test_no_kind_of_event_is_left_unsaid() -> None:
    assert {type(event) for event, _ in LINES} == set(state.EVENT_TYPES)


def test_a_result_of_several_names_them_all() -> None:
    finished = state.Finished(None, "goal", (2, 1, 3), (12, 20, 7), ())
    assert board.line(finished, NAMES[:3], None) == "bob wins with 20 points; ann 12, cleo 7."
    shared = replace(finished, places=(1, 1, 3), scores=(20, 20, 7))
    assert board.line(shared, NAMES[:3], None) == "ann and bob share the win with 20 points each; cleo 7."


@pytest.mark.parametrize(
    ("card", "text"),
    [
        (12, "fish in the middle"),
        (7, "boat left of moon"),
        (1, "tree above bird"),
        (6, "sun in the right column"),
        (2, "horse, bird and acorn side by side"),
        (4, "bird, any stone and bird side by side"),
        (3, "fish, any stone and fish from top to bottom"),
        (18, "any stone and boat above boat and moon"),
        (8, "sun in the top left corner"),
        (20, "tree at the top, fish on the left, fish on the right, boat at the bottom"),
    ],
)
def test_patterns_are_told_in_words(card: int, text: str) -> None:
    assert pattern_text(card) == text


def test_no_two_patterns_are_told_alike() -> None:
    assert len({pattern_text(card) for card in CARDS}) == len({card.rows for card in CARDS.values()})


def test_a_card_is_named_with_number_and_points() -> None:
    assert card_text(20) == f"card 20 (5 points, {pattern_text(20)})"


CLOSE, ALSO_CLOSE = ELSEWHERE[:9], ELSEWHERE[9:18]
"""One card less than two players need."""
NEEDS_ONE = "needs to score one more card."
ENOUGH = (*CLOSE, ELSEWHERE[18])
"""As many cards as two players need."""


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Your turn: play cards, or skip."),
        ({"skipped": (True, False)}, "Your turn: play cards, then end it."),
        ({"acted": True}, "Your turn: keep playing, or end it."),
        ({"triggered_by": 0}, "Your last turn: play cards, then end it."),
        ({"mover": 1}, "bob’s turn."),
        ({"mover": 1, "triggered_by": 0}, "bob’s turn, in the last round."),
        ({"scored": ((), CLOSE)}, f"Your turn: play cards, or skip. bob {NEEDS_ONE}"),
        ({"scored": (CLOSE, ()), "mover": 1}, f"bob’s turn. You {NEEDS_ONE.replace('needs', 'need')}"),
        ({"scored": (CLOSE, ALSO_CLOSE)}, f"Your turn: play cards, or skip. You {NEEDS_ONE.replace('needs', 'need')}"),
        ({"scored": ((), CLOSE), "acted": True}, "Your turn: keep playing, or end it."),
        ({"scored": (ENOUGH, ()), "acted": True}, "Your turn, then one last turn for bob."),
        ({"scored": ((), CLOSE[1:])}, "Your turn: play cards, or skip."),
        ({"scored": ((), CLOSE), "triggered_by": 0}, "Your last turn: play cards, then end it."),
    ],
)
def test_the_status_says_whose_turn_it_is_and_what_is_asked(changes: dict[str, Any], text: str) -> None:
    assert board.status(scene(position(HANDS, **changes), 0)) == text


def test_whoever_has_scored_enough_is_told_what_follows_their_turn() -> None:
    hands, scored = (*HANDS, (9, 10, 11, 12)), (ENOUGH,) * 3
    said = [board.status(scene(position(hands, mover=seat, acted=True, scored=scored), seat)) for seat in range(3)]
    assert said == [
        "Your turn: the match ends with this round.",
        "Your turn, then one last turn for cleo.",
        "Your turn: the match ends with it.",
    ]


def test_a_turn_that_ended_by_itself_says_why_until_the_next_one() -> None:
    used = state.TurnEnded(None, 0, by_itself=True)
    others = replace(scene(position(HANDS, mover=1), 0), own=(used,))
    assert board.passed(others) == "You used your last card, so it is bob’s turn."
    assert board.passed(replace(others, own=(replace(used, by_itself=False),))) == ""
    assert board.passed(replace(scene(position(HANDS), 0), own=(used,))) == ""
    assert board.passed(replace(solo(), own=(used,))) == "You used your last card: a new turn begins."
    assert board.passed(replace(solo(ended="won"), own=(used,))) == ""


def test_in_a_replay_nothing_is_asked() -> None:
    assert board.status(replace(scene(position(HANDS), 0), active=False)) == "Your turn."


def test_the_status_tells_the_winner_and_everybody_else_how_it_ended() -> None:
    over = position(HANDS, scored=((16,), (60, 70)), ended="goal")
    said = [board.status(scene(over, viewer)) for viewer in (None, 0, 1)]
    told = "ann and bob share the win with 4 points each."
    assert said == [
        told,
        "You and bob share the win with 4 points each.",
        "You and ann share the win with 4 points each.",
    ]
    over = replace(over, scored=((), (60, 70)))
    said = [board.status(scene(over, viewer)) for viewer in (None, 0, 1)]
    told = "bob won, 4 to 0."
    assert said == [told, told, "You won, 4 to 0."]


def solo(**changes: Any) -> Any:
    return scene(position(((1, 2, 3, 4),), **changes), 0)


def test_a_solo_result_tells_strikes_left_and_turns() -> None:
    won = solo(ended="won", strikes=1, round=9)
    lost = solo(ended="lost", strikes=4, round=12, scored=((16, 41),))
    assert board.status(won) == "Won in 9 turns with 3 strikes left."
    assert board.status(lost) == "Lost after 12 turns with 2 points (2 of 16 cards)."
    results = [board.solo_result(shown) for shown in (won, lost)]
    assert [result and result.text for result in results] == [board.status(won), board.status(lost)]


def test_solo_results_rank_won_before_lost_then_strikes_left_then_fewer_turns() -> None:
    shown = [
        solo(ended="won", strikes=0, round=11),
        solo(ended="won", strikes=0, round=12),
        solo(ended="won", strikes=3, round=10),
        solo(ended="lost", strikes=4, round=7, scored=((16, 41, 60),)),
        solo(ended="lost", strikes=4, round=5, scored=((16, 41),)),
    ]
    ranks = [result.rank for result in map(board.solo_result, shown) if result]
    assert len(ranks) == 5
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == 5


def test_only_a_finished_match_played_alone_has_a_solo_result() -> None:
    assert board.solo_result(solo()) is None
    assert board.solo_result(scene(position(HANDS, ended="goal"), 0)) is None


def test_the_sixteenth_card_wins_and_says_so() -> None:
    scored = tuple(card for card in (*ELSEWHERE, 24, 25) if card not in LYING_ONES)[:15]
    step = act(position(((16,),), deck=(), scored=(scored,)), "score 16")
    assert board.status(scene(step.state, 0, step.events)) == "Won in 1 turn with 4 strikes left."
