"""What a recorded lesson still lacks before the contract of lessons accepts its file, in sentences for its writer.

All else the contract asks holds of what was recorded: its positions come from a match, its actions were played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from django.conf import settings
from django.utils.translation import gettext as _

from games.engine.lessons import EXERCISE, Lesson, LessonStep, Text


def lacks(lesson: Lesson, rules: Collection[str]) -> tuple[str, ...]:
    """Return what a lesson lacks, given the names of the game's list of rules; nothing if it is whole."""
    return tuple(_lacks(lesson, rules))


def _lacks(lesson: Lesson, rules: Collection[str]) -> Iterator[str]:
    yield from _untold(_("Title"), lesson.title)
    yield from _untold(_("What it is about"), lesson.summary)
    if not rules:
        yield _("This game has no list of rules yet. Write its file rules.json first.")
    elif not lesson.rules:
        yield _("Tick at least one rule that it covers.")
    if not any(step.asks for step in lesson.steps):
        yield _("No step asks for an action.")
    for number, step in enumerate(lesson.steps, start=1):
        for sentence in _lacks_of_a_step(step, is_exercise=lesson.kind == EXERCISE):
            yield _("Step %(number)s: %(lacks)s") % {"number": number, "lacks": sentence}


def _lacks_of_a_step(step: LessonStep, *, is_exercise: bool) -> Iterator[str]:
    yield from _untold(_("Text"), step.text)
    if step.asks:
        yield from _untold(_("Hint"), step.hint)
    if step.why or (step.asks and is_exercise):
        yield from _untold(_("Why it is right"), step.why)


def _untold(label: str, text: Text) -> Iterator[str]:
    missing = [str(name) for code, name in settings.LANGUAGES if not text.get(code, "").strip()]
    if missing:
        yield _("“%(field)s” is missing in %(languages)s.") % {"field": label, "languages": ", ".join(missing)}
