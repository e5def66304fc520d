"""Positions of lessons: every card lies in one place, piles are settled, and the draw pile fits the turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain

import msgspec
import pytest

from games.engine.lessons import Course, LessonError, Start
from games.titles import titles
from games.titles.card_chess.rules.deck import stock

SLUG = "card-chess"
COURSES = {name: titles()[SLUG].course(lesson) for name, lesson in titles()[SLUG].lessons.items()}
POSITIONS = [(name, number) for name, course in COURSES.items() for number in range(len(course.lesson.steps))]
SECOND = 2


def with_start(state: dict[str, object]) -> Course:
    """Return a lesson of two players that begins in this position."""
    course = COURSES["only-one-fits"]
    return replace(course, lesson=msgspec.structs.replace(course.lesson, start=Start(state=state)))


@pytest.mark.parametrize(("name", "number"), POSITIONS)
def test_every_card_lies_in_one_place(name: str, number: int) -> None:
    state = COURSES[name].begins(number).state
    placed = chain(state.deck, state.open_cards, *state.hands, *state.sealed)
    assert Counter(placed) == Counter(stock(state.seats, state.removed))


@pytest.mark.parametrize(("name", "number"), POSITIONS)
def test_the_draw_pile_is_as_high_as_at_this_turn_of_a_match(name: str, number: int) -> None:
    state = COURSES[name].begins(number).state
    if state.phase == SECOND:
        return
    dealt = 4 * state.seats + 3 + 3 * (state.seats + 1) * (state.turn - 1)
    left = len(stock(state.seats, state.removed)) - dealt
    assert len(state.deck) == (left if left > 1 else 0)  # a single card that is left goes face up too


def test_what_a_position_does_not_name_is_in_the_draw_pile_as_it_was_shuffled() -> None:
    table, hands = ["bP2l", "gN5l", "gP3d"], [["bR6d", "gQ9w", "bP4l", "bN5l"], ["gR5l", "bP1d", "bC#w", "gP2d"]]
    top = ["gB7l", "bB7d"]
    state = with_start({"table": table, "hands": hands, "deck": top}).begins(0).state
    assert state.deck[:2] == ("gB7l", "bB7d")
    assert len(state.deck) == 38 - 11
    assert set(chain(table, *hands)) & set(state.deck) <= {"bC#w"}


def test_a_card_that_is_used_too_often_is_refused_by_name() -> None:
    hands = [["gN5l", "gQ9w", "bP4l", "bN5l"], ["gR5l", "bP1d", "bC#w", "gP2d"]]
    with pytest.raises(LessonError, match="used too often: gN5l"):
        with_start({"table": ["bP2l", "gN5l", "gP3d"], "hands": hands}).begins(0)


def test_a_pile_that_the_rules_settle_otherwise_is_refused() -> None:
    pile = {"phase": 1, "turn": 1, "place": 0, "target": "gP1l", "cards": ["bP1l", "bP2l"]}
    wrong = {**pile, "captor": 0, "result": "captured"}
    with pytest.raises(LessonError, match=r"settled as \(1, 'captured'\)"):
        with_start({"piles": [wrong]}).begins(0)
