"""The contract every lesson keeps: it can be played to its end, and at no step can a wrong try do harm.

`check_lesson` plays a lesson and raises `LessonError` with the step and what is wrong with it. It knows no particular
game; `tests/unit/titles/test_lessons.py` runs it over every lesson of every title.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from games.engine import codec, runner
from games.engine.fair import FairChance
from games.engine.lessons import EXERCISE, Course, LessonError, LessonStep, NotAsked, Text, is_pattern
from games.engine.protocol import RuleViolation

_WRONG: Final = 50
"""How many wrong actions are tried at each step."""


def check_lesson(course: Course, languages: Sequence[str], rules: Sequence[str]) -> None:
    """Play a lesson to its end, and try wrong actions at every step.

    Args:
        course: the lesson.
        languages: in which its texts must be there.
        rules: the names of the rules that it can cover.

    Raises:
        LessonError: something is wrong.
    """
    lesson = course.lesson
    _require(lesson.steps, "it has no steps")
    _require(lesson.rules, "it covers no rule")
    _require(set(lesson.rules) <= set(rules), f"unknown rules: {set(lesson.rules) - set(rules)}")
    _require(0 <= lesson.seat < lesson.seats, f"there is no seat {lesson.seat}")
    _require(any(step.asks for step in lesson.steps), "nothing is asked")
    _check_texts((lesson.title, lesson.summary), languages, "the lesson")
    for number, step in enumerate(lesson.steps):
        try:
            _check_step(course, number, step, languages)
        except (LessonError, RuleViolation, NotAsked, runner.BrokenRulesError, KeyError, ValueError) as error:
            raise LessonError(f"step {number + 1}: {type(error).__name__}: {error}") from error


def _require(holds: object, problem: str) -> None:
    if not holds:
        raise LessonError(problem)


def _check_step(course: Course, number: int, step: LessonStep, languages: Sequence[str]) -> None:
    asked = [name for name in ("accept", "goal", "choices") if getattr(step, name)]
    _require(len(asked) <= 1, f"it asks for several things: {', '.join(asked)}")
    _check_texts(_texts(step), languages, "the step")
    begins = course.begins(number)
    _check_view(course, begins.state)
    if step.asks_for_action:
        _check_asked(course, number, step, begins)
    else:
        _require(not step.solution, "a step that asks for no action has no solution")
        _require(not step.tries and not step.missed, "nothing can be tried")
    explained = step.why or not step.asks or course.lesson.kind != EXERCISE
    _require(explained, "the solution of an exercise is explained (why)")
    _check_wrong(course, number, step)
    if step.choices:
        _check_choices(course, number, step)
    _check_view(course, course.solved(number).last.state)


def _texts(step: LessonStep) -> Iterator[Text]:
    """Yield every text of a step that must be there."""
    yield step.text
    if step.asks:
        yield step.hint
    yield from step.tries.values()
    yield from filter(None, (step.missed, step.why))
    for choice in step.choices:
        yield choice.text
        if not choice.right:
            yield choice.says


def _check_texts(texts: Iterator[Text] | Sequence[Text], languages: Sequence[str], where: str) -> None:
    for text in texts:
        missing = [language for language in languages if not text.get(language, "").strip()]
        _require(
            not missing, f"{where} lacks a text in {', '.join(missing)}: {text.get('en') or text or 'none at all'}"
        )
        unknown = text.keys() - set(languages)
        _require(not unknown, f"{where} has a text in {', '.join(sorted(unknown))}, which the site does not speak")


def _check_view(course: Course, state: Any) -> None:
    """A position is one that a match could have: a state imagined from its view has the same view."""
    game = course.game
    _require(codec.decode(codec.encode(state), game.state_type) == state, "the state cannot be written and read")
    view = game.view_for(state, course.seat)
    try:
        seen = game.view_for(game.imagine(view, FairChance(b"lesson", 1)), course.seat)
    except Exception as error:
        raise LessonError(f"the position does not fit together: {type(error).__name__} in imagine") from error
    _require(seen == view, "the position does not fit together: who imagines it sees another one")


def _check_asked(course: Course, number: int, step: LessonStep, begins: runner.Play[Any]) -> None:
    _require(course.seat in begins.to_move, "the learner is not to move")
    _require(step.solution, "it has no solution to show")
    _require(not step.goal or step.goal in course.goals, f"the title has no goal {step.goal!r}")
    _require(not step.accept or len(step.solution) == 1, "one action is asked for: its solution is one action")
    for length in range(len(step.solution)):
        _require(not course.tried(number, step.solution[:length]).done, f"it is done after {length} actions")
    done = course.tried(number, step.solution)
    _require(done.done, "its solution does not do what is asked")
    _require(done.last.state == course.solved(number).last.state, "its solution leads elsewhere")
    for pattern in step.accept:
        actions = [pattern]
        if is_pattern(pattern):
            legal = _legal(course, course.begins(number))
            actions = [text for text in legal if course.fits(pattern, course.game.parse(text))]
        _require(actions, f"{pattern!r} stands for no legal action")
        for text in actions:
            _require(course.tried(number, (text,)).done, f"{text!r} does not lead on")


def _legal(course: Course, play: runner.Play[Any]) -> Iterator[str]:
    return (course.game.notate(action) for action in course.game.legal_actions(play.state, course.seat))


def _check_wrong(course: Course, number: int, step: LessonStep) -> None:
    """Wrong tries, legal ones and others, are answered and change nothing, at steps that ask for no action as well."""
    before = course.begins(number)
    typical = [pattern for pattern in step.tries if not is_pattern(pattern)]
    for text in typical:
        course.game.parse(text)
    legal = _wrong_and_legal(course, number, step, before)
    for text in chain(["not an action"], typical, legal):
        try:
            course.tried(number, (text,))
        except (RuleViolation, NotAsked):
            continue
        raise LessonError(f"the wrong try {text!r} is not refused")
    _require(course.begins(number) == before, "a wrong try changed the position")


def _wrong_and_legal(course: Course, number: int, step: LessonStep, before: runner.Play[Any]) -> list[str]:
    """Return legal actions that are not what is asked for: any one where no action is."""
    if course.seat not in before.to_move:
        return []
    if not step.asks_for_action:
        return list(islice(_legal(course, before), 1))
    found = list(islice((text for text in _legal(course, before) if _is_wrong(course, number, step, text)), _WRONG))
    _require(found or not step.goal, "no typical wrong try (tries) is legal where the step begins")
    return found


def _is_wrong(course: Course, number: int, step: LessonStep, text: str) -> bool:
    """Return whether an action is not what is asked for; on the way to a goal only typical wrong tries are not."""
    action = course.game.parse(text)
    if step.accept:
        return not course.accepts(number, action)
    return any(course.fits(pattern, action) for pattern in step.tries)


def _check_choices(course: Course, number: int, step: LessonStep) -> None:
    right = [index for index, choice in enumerate(step.choices) if choice.right]
    _require(len(right) == 1 and len(step.choices) > 1, "one of several answers is right")
    for index in range(-1, len(step.choices) + 1):
        try:
            course.answered(number, index)
        except NotAsked:
            _require(index not in right, "the right answer is refused")
        else:
            _require(index in right, "a wrong answer is taken")
