"""Recording a lesson: from a position of a match that has ended to a file for a title's folder `lessons`.

Nothing is stored: the form carries what has been written so far. The page shows nothing that a replay does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal, cast

import msgspec
from django.conf import settings
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.requests import whole_number
from games.engine import runner
from games.engine.codec import decoder
from games.engine.lessons import EXERCISE, Course, Lesson, LessonError, LessonStep, Start, Text
from games.engine.protocol import RuleViolation
from games.learn.services import GRADES, names_of, said
from games.play.access import ViewedMatch
from games.play.boards.standalone import StandaloneBoard, composed
from games.play.records import standing_actions
from games.play.reducer.positions import seed_of

WRITTEN: Final = ("text", "hint", "why")
ABOUT: Final = ("title", "summary")
LONGEST_TEXT: Final = 2_000
"""Characters of one field that somebody writes."""

LONGEST: Final = 100_000
"""Characters of all finished steps, as the form carries them."""

_LONGEST_ACTION: Final = 120
_MOST_STEPS: Final = 40
_MOST_ACTIONS: Final = 20
"""In one step: those accepted, and the replies of others."""
_MOST_REPLIES: Final = 80
"""In all steps, because showing a step plays all those before it again."""


@dataclass(frozen=True)
class Draft:
    """A lesson as far as it has been written.

    Args:
        viewed: the match it comes from.
        at: the number of actions of the match before its first position.
        seat: the learner's.
        steps: the finished steps.
        accept: the actions accepted in the step being written.
        words: the contents of the fields, by name.
        rules: the names of the rules it covers.
        refusal: why something was not done; else empty.
        missing: why the file is no complete lesson, in sentences (`missing_in`).
    """

    viewed: ViewedMatch
    at: int
    seat: int
    steps: tuple[LessonStep, ...] = ()
    accept: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    refusal: str = ""
    missing: tuple[str, ...] = ()

    @property
    def languages(self) -> list[tuple[str, str]]:
        return [(code, str(name)) for code, name in settings.LANGUAGES]

    @property
    def number(self) -> int:
        """The number of the step being written, from 1."""
        return len(self.steps) + 1

    @property
    def written(self) -> str:
        """The finished steps, as the form carries them."""
        return msgspec.json.encode(self.steps).decode()

    @property
    def longest(self) -> int:
        """How many characters one field takes."""
        return LONGEST_TEXT

    @property
    def step(self) -> LessonStep:
        """The step being written."""
        text, hint, why = (self._text(name) for name in WRITTEN)
        return LessonStep(text=text, hint=hint, why=why, accept=self.accept, solution=self.accept[:1])

    @property
    def lesson(self) -> Lesson:
        """The lesson with its finished steps."""
        match = self.viewed.match
        actions = standing_actions(match).filter(number__lte=self.at).values_list("seat", "text")
        return Lesson(
            kind="exercise" if self.words.get("kind") == "exercise" else "lesson",
            grade=self.grade,
            title=self._text("title"),
            summary=self._text("summary"),
            rules=self.rules,
            seats=match.seat_count,
            options=dict(match.options),
            seed=seed_of(match, self.viewed.seats).hex(),
            seat=self.seat,
            start=Start(actions=tuple((seat, text) for seat, text in actions)),
            steps=self.steps,
        )

    @cached_property
    def course(self) -> Course:
        """The lesson up to the step being written, as a step that asks for nothing."""
        lesson = msgspec.structs.replace(self.lesson, steps=(*self.steps, LessonStep(text={})))
        return self.viewed.match.title.course(lesson)

    @cached_property
    def begins(self) -> runner.Play[Any]:
        """The position of the step being written."""
        return self.course.begins(len(self.steps))

    @property
    def board(self) -> str:
        apart = StandaloneBoard(self.viewed.match.title, self.course.seat, names_of(self.course))
        active = self.course.seat in self.begins.to_move
        scene = apart.scene(self.begins.state, active=active, ended=self.begins.outcome is not None)
        return apart.html(scene)

    @property
    def grade(self) -> Literal[1, 2, 3]:
        chosen = self.words.get("grade", "")
        return cast("Literal[1, 2, 3]", next((grade for grade in GRADES if str(grade) == chosen), 1))

    @property
    def grades(self) -> list[tuple[int, str]]:
        """The grades there are, with their names."""
        return [(grade, str(name)) for grade, name in GRADES.items()]

    @property
    def rules_to_tick(self) -> list[tuple[str, str, bool]]:
        """The rules of the game: key, name, and whether the lesson covers it."""
        known = self.viewed.match.title.rules_taught
        return [(name, said(rule.name), name in self.rules) for name, rule in known.items()]

    @property
    def step_texts(self) -> list[str]:
        """The texts of the finished steps."""
        return [said(step.text) for step in self.steps]

    @property
    def fields(self) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
        """The fields of the step being written: name, label, and for each language its code, name and text."""
        labels = {"text": _("Text"), "hint": _("Hint"), "why": _("Why it is right")}
        return [(name, label, self._by_language(name)) for name, label in labels.items()]

    @property
    def about(self) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
        """The fields of the lesson as a whole."""
        labels = {"title": _("Title"), "summary": _("What it is about")}
        return [(name, label, self._by_language(name)) for name, label in labels.items()]

    def _by_language(self, name: str) -> list[tuple[str, str, str]]:
        return [(code, label, self.words.get(f"{name}-{code}", "")) for code, label in self.languages]

    def _text(self, name: str) -> Text:
        return {code: text for code, _name, text in self._by_language(name) if text}

    # --- writing on -----------------------------------------------------------------------------------------------

    def accepting(self, text: str) -> Draft:
        """Return this with one more accepted action.

        Raises:
            RuleViolation: the action is not legal here.
        """
        if len(self.accept) >= _MOST_ACTIONS or len(text) > _LONGEST_ACTION:
            raise RuleViolation("steps", _("A step has at most %(count)s moves.") % {"count": _MOST_ACTIONS})
        seed = bytes.fromhex(self.course.lesson.seed)
        play = runner.play(self.course.game, self.begins.position, self.course.seat, text, seed)
        return replace(self, accept=tuple(dict.fromkeys((*self.accept, play.text))))

    def without(self, text: str) -> Draft:
        """Return this without an accepted action."""
        return replace(self, accept=tuple(each for each in self.accept if each != text))

    def next_step(self) -> Draft:
        """Return this with the step finished, and what others reply to it.

        Raises:
            RuleViolation: it has no text, there are too many steps or actions, or a reply is not legal.
        """
        if not self.step.text:
            raise RuleViolation("text", _("Write a text for the learner."))
        finished = msgspec.structs.replace(self.step, replies=_replies(self.words.get("replies", "")))
        kept = {name: text for name, text in self.words.items() if name.partition("-")[0] not in {*WRITTEN, "replies"}}
        after = replace(self, steps=_bounded((*self.steps, finished)), accept=(), words=kept)
        after.begins  # noqa: B018  # refuses a reply that is not legal
        return after

    def finished(self) -> Draft:
        """Return this with the step being written as its last one, unless that is empty.

        Raises:
            RuleViolation: as `next_step`.
        """
        begun = self.accept or any(self.words.get(name) for name in self.words if name.partition("-")[0] in WRITTEN)
        return self.next_step() if begun else self

    @property
    def file_name(self) -> str:
        """The name of the file: the title, as it appears in the address of the lesson."""
        return f"{slugify(self.words.get('title-en', '')) or 'lesson'}.json"

    def as_file(self) -> bytes:
        """Return the finished steps as a file."""
        return msgspec.json.format(msgspec.json.encode(self.lesson), indent=2) + b"\n"


def _replies(text: str) -> tuple[tuple[int, str], ...]:
    """Return the replies in a field, one a line: the seat's number, then the action."""
    lines = (line.strip().partition(" ") for line in text.splitlines() if line.strip())
    found = [(whole_number(seat, digits=1), action) for seat, _space, action in lines]
    if any(seat is None for seat, _action in found):
        raise RuleViolation("replies", _("Write a reply as a seat number and a move, for example “1 end”."))
    return tuple((seat, action) for seat, action in found if seat is not None)


def draft_of(viewed: ViewedMatch, at: int, seat: int, fields: Mapping[str, list[str]]) -> Draft:
    """Return the draft that a form carries.

    Texts longer than the page allows are cut, and steps that cannot be read are left out; `refusal` says so.
    """
    names = {f"{name}-{code}" for name in (*WRITTEN, *ABOUT) for code, _label in settings.LANGUAGES}
    first = {name: fields[name][0] for name in (*names, "kind", "grade", "replies") if fields.get(name)}
    words = {name: "\n".join(text[:LONGEST_TEXT].splitlines()).strip() for name, text in first.items()}
    rules = tuple(name for name in viewed.match.title.rules_taught if name in fields.get("rules", ()))
    draft = Draft(viewed, at, seat, words=words, rules=rules)
    try:
        steps = _steps(next(iter(fields.get("steps", ())), "") or "[]")
        accept = _accepted(next(iter(fields.get("accept", ())), ""))
        read = replace(draft, steps=steps, accept=accept)
        read.begins  # noqa: B018  # refuses steps that cannot be played
    except (LessonError, RuleViolation, msgspec.MsgspecError, ValueError):
        return replace(draft, refusal=_("These steps could not be read, so the lesson starts again."))
    if any(len(text) > LONGEST_TEXT for text in first.values()):
        text = _("A field takes %(count)s characters; the rest was cut off.")
        return replace(read, refusal=text % {"count": LONGEST_TEXT})
    return read


def _accepted(text: str) -> tuple[str, ...]:
    """Return the accepted actions that a form carries, one a line; LessonError if there are too many for a step."""
    if len(text) > _MOST_ACTIONS * (_LONGEST_ACTION + 2):
        raise LessonError("too long")
    found = tuple(line for line in text.splitlines() if line)
    _check_actions(found)
    return found


def _check_actions(texts: Sequence[str]) -> None:
    if len(texts) > _MOST_ACTIONS or any(len(text) > _LONGEST_ACTION for text in texts):
        raise LessonError("too many actions")


def _steps(written: str) -> tuple[LessonStep, ...]:
    if len(written) > LONGEST:
        raise LessonError("too long")
    steps = decoder(tuple[LessonStep, ...]).decode(written)
    for step in steps:
        accept, text, hint, why = step.accept, step.text, step.hint, step.why
        recorded = LessonStep(text=text, hint=hint, why=why, accept=accept, solution=accept[:1], replies=step.replies)
        if step != recorded:  # it begins where the one before ends, and asks for actions alone
            raise LessonError("a step that was not recorded")
        _check_actions([*step.accept, *(action for _seat, action in step.replies)])
    return _bounded(steps)


def _bounded(steps: tuple[LessonStep, ...]) -> tuple[LessonStep, ...]:
    """Return these steps, or refuse them if there are too many of them or of their actions."""
    if len(steps) > _MOST_STEPS:
        raise RuleViolation("steps", _("A lesson has at most %(count)s steps.") % {"count": _MOST_STEPS})
    if any(len(step.accept) + len(step.replies) > _MOST_ACTIONS for step in steps):
        raise RuleViolation("steps", _("A step has at most %(count)s moves.") % {"count": _MOST_ACTIONS})
    if len(msgspec.json.encode(steps).decode()) > LONGEST:
        raise RuleViolation("steps", _("This lesson is too long. Download what there is, and begin another."))
    if sum(len(step.replies) for step in steps) > _MOST_REPLIES:
        raise RuleViolation("steps", _("A lesson has at most %(count)s replies.") % {"count": _MOST_REPLIES})
    return steps


def done(draft: Draft, fields: Mapping[str, list[str]]) -> Draft:
    """Return a draft after what a form asks for; unchanged, with the reason, if that cannot be done."""
    what, _colon, which = next(iter(fields.get("do", [""]))).partition(":")
    try:
        if what == "drop":
            return draft.without(which)
        if what == "step":
            return draft.next_step()
        return draft.accepting(composed(draft.viewed.match.title, fields))
    except (RuleViolation, LessonError) as refused:
        return refused_for(draft, refused)


def refused_for(draft: Draft, refused: Exception) -> Draft:
    """Return a draft unchanged, with the reason why something was not done."""
    return replace(draft, refusal=_(getattr(refused, "text", str(refused))))


def missing_in(draft: Draft) -> Iterator[str]:
    """Yield why the finished steps are no complete lesson, in sentences for its writer.

    What the contract of lessons asks besides holds of everything recorded: its positions come from a match, and its
    actions were played.
    """
    lesson, rules = draft.lesson, draft.viewed.match.title.rules_taught
    yield from _missing_texts(_("Title"), lesson.title)
    yield from _missing_texts(_("What it is about"), lesson.summary)
    if not rules:
        yield _("This game has no list of rules yet. Write its file rules.json first.")
    elif not lesson.rules:
        yield _("Choose at least one rule that it covers.")
    if not any(step.asks for step in lesson.steps):
        yield _("No step asks for a move.")
    for number, step in enumerate(lesson.steps, start=1):
        for sentence in _missing_in_step(step, is_exercise=lesson.kind == EXERCISE):
            yield _("Step %(number)s: %(lacks)s") % {"number": number, "lacks": sentence}


def _missing_in_step(step: LessonStep, *, is_exercise: bool) -> Iterator[str]:
    yield from _missing_texts(_("Text"), step.text)
    if step.asks:
        yield from _missing_texts(_("Hint"), step.hint)
    if step.why or (step.asks and is_exercise):
        yield from _missing_texts(_("Why it is right"), step.why)


def _missing_texts(label: str, text: Text) -> Iterator[str]:
    missing = [str(name) for code, name in settings.LANGUAGES if not text.get(code, "").strip()]
    if missing:
        yield _("“%(field)s” is missing in %(languages)s.") % {"field": label, "languages": ", ".join(missing)}
