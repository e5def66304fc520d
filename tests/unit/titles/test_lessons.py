"""The lessons and exercises of every title: each is played to its end, with wrong tries at every step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from django.conf import settings

from games.engine.contract.lessons import check_lesson
from games.engine.lessons import (
    EXERCISE,
    LESSON,
    Choice,
    Course,
    Lesson,
    LessonError,
    LessonStep,
    NotAsked,
    Start,
    read_lesson,
)
from games.engine.protocol import RuleViolation
from games.titles import games, titles
from games.titles.board import anchor

LANGUAGES = [code for code, _ in settings.LANGUAGES]
TAUGHT = [slug for slug, title in titles().items() if title.lessons]
ALL = [(slug, name) for slug in TAUGHT for name in titles()[slug].lessons]
LESSONS = [(slug, name) for slug, name in ALL if titles()[slug].lessons[name].kind == LESSON]
STONES = "shifting-stones"
LEAST_EXERCISES = 12


def course_of(slug: str, name: str) -> Course:
    return titles()[slug].course(titles()[slug].lessons[name])


def changed(course: Course, number: int, **fields: Any) -> Course:
    """Return a lesson with some fields of a step replaced."""
    steps = list(course.lesson.steps)
    steps[number] = msgspec.structs.replace(steps[number], **fields)
    return replace(course, lesson=msgspec.structs.replace(course.lesson, steps=tuple(steps)))


def test_our_games_have_lessons() -> None:
    assert {"card-chess", STONES, "small-islands"} <= set(TAUGHT)


@pytest.mark.parametrize("slug", games())
def test_what_a_game_teaches_is_all_there_or_nothing(slug: str) -> None:
    assert bool(titles()[slug].lessons) == bool(titles()[slug].rules_taught) == (slug in TAUGHT)


@pytest.mark.parametrize(("slug", "name"), ALL)
def test_a_lesson_can_be_played_to_its_end_and_a_wrong_try_does_no_harm(slug: str, name: str) -> None:
    check_lesson(course_of(slug, name), LANGUAGES, list(titles()[slug].rules_taught))


@pytest.mark.parametrize("slug", TAUGHT)
def test_exercises_cover_every_rule_of_the_list(slug: str) -> None:
    exercises = [lesson for lesson in titles()[slug].lessons.values() if lesson.kind == EXERCISE]
    covered = {rule for lesson in exercises for rule in lesson.rules}
    assert covered == set(titles()[slug].rules_taught)


@pytest.mark.parametrize("slug", TAUGHT)
def test_a_game_has_a_lesson_for_everybody_and_exercises_of_every_grade(slug: str) -> None:
    lessons = titles()[slug].lessons.values()
    exercises = [lesson for lesson in lessons if lesson.kind == EXERCISE]
    assert sum(any(step.asks_for_action for step in lesson.steps) for lesson in exercises) >= LEAST_EXERCISES
    assert {lesson.grade for lesson in exercises} == {1, 2, 3}
    assert [lesson.grade for lesson in lessons if lesson.kind == LESSON].count(1) == 1


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_a_lesson_has_8_to_15_steps(slug: str, name: str) -> None:
    assert len(course_of(slug, name).lesson.steps) in range(8, 16)


@pytest.mark.parametrize("slug", TAUGHT)
def test_every_rule_of_the_list_has_its_section_and_its_name_in_every_language(slug: str) -> None:
    sections = {anchor(template) for template, _ in titles()[slug].board.RULES}
    for rule in titles()[slug].rules_taught.values():
        assert rule.section in sections
        assert set(rule.name) == set(LANGUAGES)


# --- the machinery, with the lessons of Shifting Stones ---------------------------------------------------------------


def test_a_step_goes_on_where_the_solution_of_the_one_before_ends_and_the_others_have_replied() -> None:
    course = course_of(STONES, "first-turn")
    assert course.begins(2).state.scored == ((17,), ())
    after = course.tried(2, ("end",))
    assert after.done
    assert [play.text for play in after.plays] == ["end", "skip"]
    assert after.last.state.hands[0] == (41, 26, 31, 22)


def test_the_rules_refuse_what_is_not_legal_in_their_own_words() -> None:
    course = course_of(STONES, "first-turn")
    with pytest.raises(RuleViolation, match="do not show this card’s pattern"):
        course.tried(1, ("score 41",))
    with pytest.raises(RuleViolation, match="Write"):
        course.tried(1, ("sing",))


def test_the_lesson_answers_typical_wrong_tries() -> None:
    course = course_of(STONES, "what-lies-there")
    with pytest.raises(NotAsked) as told:
        course.tried(0, ("score 41",))
    assert "mirrored" in told.value.says["en"]
    with pytest.raises(NotAsked) as told:
        course.tried(0, ("end",))
    assert told.value.says == {}


def test_a_goal_can_be_reached_in_any_order_until_it_is_missed() -> None:
    course = course_of(STONES, "two-cards")
    assert not course.tried(0, ("score 17", "flip 41 a2")).done
    assert not course.tried(0, ("score 17", "shift 26 a2 b2")).done
    with pytest.raises(NotAsked) as told:
        course.tried(0, ("score 17", "flip 41 a2", "flip 26 a2"))
    assert "these two cards" in told.value.says["en"]
    with pytest.raises(NotAsked):
        course.tried(0, ("end",))


def test_a_position_of_a_lesson_holds_every_card_once() -> None:
    state = course_of(STONES, "first-turn").begins(0).state
    assert sorted([*state.hands[0], *state.hands[1], *state.deck]) == list(range(1, 73))
    assert state.deck[:2] == (22, 56)


def test_a_file_that_is_not_a_lesson_is_refused_with_the_place() -> None:
    with pytest.raises(LessonError, match="unknown field `acept`"):
        read_lesson('{"kind":"lesson","title":{},"summary":{},"rules":[],"seats":2,"steps":[{"text":{},"acept":[]}]}')


BROKEN: dict[str, Callable[[Course], Course]] = {
    "unknown rules": lambda course: replace(course, lesson=msgspec.structs.replace(course.lesson, rules=("jump",))),
    "lacks a text in de": lambda course: changed(course, 1, hint={"en": "Look."}),
    "the site does not speak": lambda course: changed(course, 1, text={**dict.fromkeys(LANGUAGES, "a"), "tlh": "c"}),
    "not what is asked|NotAsked": lambda course: changed(course, 1, solution=("end",)),
    "stands for no legal action": lambda course: changed(course, 1, accept=("score 17", "score 9*")),
    "no goal 'sing'": lambda course: changed(course, 1, accept=(), goal="sing"),
    "no typical wrong try": lambda course: changed(course, 9, tries={}),
    "is explained": lambda course: changed(
        replace(course, lesson=msgspec.structs.replace(course.lesson, kind=EXERCISE)), 1, why={}
    ),
    "several things": lambda course: changed(course, 1, goal="score-two-cards"),
    "not to move": lambda course: changed(course, 1, start=Start(actions=((0, "end"),))),
    "has no weather": lambda course: changed(course, 1, start=Start(state={"weather": 1})),
    "not a state of": lambda course: changed(course, 1, start=Start(state={"grid": 1})),
    "does not fit together": lambda course: changed(course, 1, start=Start(state={"hands": [[1], [1]]})),
}


@pytest.mark.parametrize("problem", BROKEN)
def test_the_contract_names_what_is_wrong_with_a_lesson(problem: str) -> None:
    broken = BROKEN[problem](course_of(STONES, "first-turn"))
    with pytest.raises(LessonError, match=problem):
        check_lesson(broken, LANGUAGES, list(titles()[STONES].rules_taught))


def test_a_question_has_one_right_answer() -> None:
    says = dict.fromkeys(LANGUAGES, "No.")
    wrong, right = Choice(text=says, says=says), Choice(text=says, right=True)
    question = LessonStep(text=dict.fromkeys(LANGUAGES, "Which?"), hint=says, choices=(wrong, right))
    course = course_of(STONES, "first-turn")
    asked = replace(course, lesson=msgspec.structs.replace(course.lesson, steps=(question,)))
    check_lesson(asked, LANGUAGES, list(titles()[STONES].rules_taught))
    assert asked.answered(0, 1).right
    with pytest.raises(NotAsked):
        asked.answered(0, 0)


def test_lessons_come_before_exercises_and_those_by_grade() -> None:
    kinds: list[Lesson] = list(titles()[STONES].lessons.values())
    assert [lesson.kind for lesson in kinds] == sorted((lesson.kind for lesson in kinds), reverse=True)
    grades = [lesson.grade for lesson in kinds if lesson.kind == EXERCISE]
    assert grades == sorted(grades)
