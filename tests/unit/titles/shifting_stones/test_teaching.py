"""Goals and positions of the lessons: what can still be reached, and which cards a match alone holds."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engine.lessons import Course, Lesson, LessonError, NotAsked, read_lesson
from games.titles import titles
from games.titles.shifting_stones.rules.patterns import POINTS
from games.titles.shifting_stones.rules.state import SOLO_DECK

STONES = "shifting-stones"
TEXT = '{"en": "a", "de": "b"}'


def lesson(seats: int, state: str, step: str = "") -> Course:
    found: Lesson = read_lesson(
        f'{{"kind": "exercise", "title": {TEXT}, "summary": {TEXT}, "rules": [], "seats": {seats},'
        f' "start": {{"state": {state}}}, "steps": [{{"text": {TEXT}{step}}}]}}'
    )
    return titles()[STONES].course(found)


def known(name: str) -> Course:
    return titles()[STONES].course(titles()[STONES].lessons[name])


def test_an_action_after_which_too_few_points_can_be_scored_is_not_taken() -> None:
    course = known("the-right-price")
    assert not course.tried(0, ("score 38", "shift 39 b3 c3")).done
    for spoils in ("flip 28 a1", "score 39", "shift 39 b3 c3", "end", "skip"):
        with pytest.raises(NotAsked):
            course.tried(0, (spoils,))


def test_a_goal_for_one_turn_is_missed_with_its_end_though_a_player_alone_goes_on() -> None:
    course = known("the-last-strike")
    with pytest.raises(NotAsked):
        course.tried(0, ("end",))
    grid = '["boat", "horse", "bird", "tree", "horse", "fish", "tree", "moon", "seed"]'
    state = f'{{"grid": {grid}, "hands": [[52, 3, 8, 32]]}}'
    patient = lesson(1, state, ', "goal": "score-one-card", "solution": ["flip 52 c1", "shift 8 c2 c3", "score 3"]')
    with pytest.raises(NotAsked):
        patient.tried(0, ("end",))
    assert patient.tried(0, ("flip 52 c1", "shift 8 c2 c3", "score 3")).done


def test_a_shared_first_place_is_no_win() -> None:
    course = known("the-bonus")
    with pytest.raises(NotAsked):
        course.tried(0, ("flip 7 c2", "score 54", "end"))
    assert course.tried(0, ("flip 7 c2", "score 54", "flip 5 b1", "score 56")).done


def test_a_match_alone_is_won_over_several_turns() -> None:
    course = known("the-sixteenth")
    assert not course.tried(0, ("score 56", "shift 4 b2 c2", "shift 65 b1 b2")).done
    with pytest.raises(NotAsked):
        course.tried(0, ("score 56", "end", "end"))


def test_a_position_alone_is_made_up_to_its_sixteen_cards() -> None:
    state = lesson(1, '{"hands": [[1, 2, 3, 4]], "scored": [[20]]}').begins(0).state
    cards = [*state.hands[0], *state.scored[0], *state.deck]
    assert Counter(POINTS[card] for card in cards) == SOLO_DECK


def test_stones_that_the_game_does_not_have_are_refused() -> None:
    two_suns = '{"grid": ["sun", "sun", "fish", "fish", "boat", "boat", "boat", "tree", "tree"]}'
    with pytest.raises(LessonError, match="not the nine stones"):
        lesson(2, two_suns).begins(0)
