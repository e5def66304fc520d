"""Lessons of Small Islands: positions of which a file gives only what matters, and goals."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.engine.lessons import Course, LessonError, LessonStep, NotAsked, Start, read_lesson
from games.titles import titles
from games.titles.small_islands.rules.components import LANDSCAPE, OBJECTIVES
from games.titles.small_islands.rules.rounds import AUTOMATIC_START
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.positions import tiles

SLUG = "small-islands"
GROWN: list[Any] = [*AUTOMATIC_START, *tiles("15 -1,0 1 0", "25 2,0 2 1")]


def lesson(start: dict[str, Any], **fields: Any) -> Course:
    """Return a lesson of one step that begins in a position."""
    said = {"en": "Explore.", "de": "Erkunde."}
    whole = {
        "kind": "exercise",
        "title": said,
        "summary": said,
        "rules": ["join"],
        "seats": 2,
        "start": start,
        "steps": [{"text": said, **fields.pop("step", {})}],
    }
    return titles()[SLUG].course(read_lesson(msgspec.json.encode(whole | fields)))


def begun(state: dict[str, Any], **fields: Any) -> State:
    found: State = lesson({"state": state}, **fields).begins(0).state
    return found


def exploring(**table: Any) -> dict[str, Any]:
    return {"phase": "explore", "board": GROWN, "row": [18, 30, 5], "navigation": 4, **table}


def test_every_tile_lies_in_one_place_whatever_the_lesson_gives() -> None:
    state = begun({"table": exploring(), "hands": [[17, 52]], "deck": [44, 18, 6]})
    placed = [int(tile.face) for tile in state.table.board if tile.face.isdigit()]
    row = [tile for tile in state.table.row if tile]
    assert sorted([*placed, *row, *state.hands[0], *state.hands[1], *state.deck]) == list(LANDSCAPE)
    assert state.hands[0] == (17, 52)
    assert state.deck[:2] == (44, 6)
    assert state.reserve == len(state.deck) - 4


def test_objectives_that_are_not_given_are_dealt_from_those_left() -> None:
    state = begun({"table": exploring(), "kept": [[4]], "aside": [[9]]})
    assert (state.kept[0], state.aside[0]) == ((4,), (9,))
    cards = [card for own in state.dealt for three in own for card in three]
    assert len(set(cards)) == len(cards) == 6
    assert set(cards) <= set(OBJECTIVES)
    assert state.table.chosen == (True, True)


def test_cards_to_choose_from_lie_as_the_lesson_gives_them() -> None:
    state = begun({"table": {"phase": "choose"}, "dealt": [[[8, 1, 7]]]})
    assert state.dealt[0] == ((8, 1, 7),)
    assert state.kept == state.aside == ((), ())
    assert state.table.to_move == (0, 1)


def test_the_expedition_begins_with_the_cards_that_are_given() -> None:
    alone = {"seats": 1, "options": {"alexis": "night"}}
    state = begun({"table": exploring(), "expedition": [9, 0]}, **alone)
    assert state.expedition[:2] == (9, 0)
    assert len(set(state.expedition) - {0}) == 6
    assert state.expedition.count(0) == 4


def test_a_field_within_the_table_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(LessonError, match="has no weather"):
        begun({"table": {"weather": "fine"}})


def step(goal: str, **fields: Any) -> dict[str, Any]:
    return {"goal": goal, "missed": {"en": "No.", "de": "Nein."}, **fields}


@pytest.mark.parametrize(
    ("goal", "reached", "missed"),
    [
        ("enlarge-an-island", "explore 1 17 0,-1 3", "explore 1 17 0,2 2"),
        ("one-more-island-fits", "explore 1 17 0,-1 3", "explore 1 17 0,2 2"),
        ("an-island-brings-5", "explore 1 18 0,-1 3", "explore 1 52 2,1 0 token leaf 0,0 flower"),
    ],
)
def test_a_goal_is_reached_or_missed_with_the_tile_placed(goal: str, reached: str, missed: str) -> None:
    mission = {"one-more-island-fits": 11}.get(goal, 1)
    state = {"table": exploring(), "hands": [[17, 52]], "kept": [[mission]]}
    course = lesson({"state": state}, step=step(goal))
    assert course.tried(0, (reached,)).done
    with pytest.raises(NotAsked):
        course.tried(0, (missed,))


def test_a_state_can_be_given_within_a_step_too() -> None:
    course = lesson({})
    later = LessonStep(text={"en": "Later."}, start=Start(state={"table": exploring(navigation=0)}))
    changed = msgspec.structs.replace(course.lesson, steps=(*course.lesson.steps, later))
    assert Course(course.game, changed, course.goals, course.arrange).begins(1).state.table.navigation == 0
