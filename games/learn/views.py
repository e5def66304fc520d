"""The pages of lessons: all of them, those of a game, and each lesson, which is played as a form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import chain, takewhile
from typing import Any, Final, cast
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import replace_url

from accounts.limits import TooMany, spend
from accounts.models import User
from accounts.requests import HtmxRequest, whole_number
from accounts.services import member_of, note_coached
from games.engine.lessons import LESSON, Course, LessonError, LessonStep, NotAsked, Tried
from games.engine.protocol import RuleViolation
from games.history.replay import is_checkable
from games.learn import recording, services
from games.learn.services import Offer, Offered, may_be_played_on, names_of, played_on, said, word_for
from games.matchmaking.fields import setup_query
from games.matchmaking.forms import PlayNowForm
from games.play.access import access_match, for_members
from games.play.boards.standalone import SEPARATOR, StandaloneBoard, composed, split
from games.play.models import Level
from games.titles import Fact, Scene, Title, titles

_MOST_ACTIONS, _LONGEST_ACTION = 60, 120
_LONG_LOG: Final = 3
_FOLDED: Final = 90
_FOLDED_ON_TALL: Final = 260
"""Characters from which the text before a task is folded on a small screen, and on one that is not low either."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a lesson: the step, and what the learner has done in it.

    Args:
        number: of the step, from 0.
        texts: the actions done.
        answer: the answer chosen, None if none was.
        shown: whether the site has shown the solution.
    """

    number: int
    texts: tuple[str, ...] = ()
    answer: int | None = None
    shown: bool = False

    @property
    def query(self) -> str:
        """The part of the address for this spot."""
        fields: dict[str, Any] = {"step": self.number + 1}
        if self.texts:
            fields["line"] = SEPARATOR.join(self.texts)
        if self.answer is not None:
            fields["answer"] = self.answer + 1
        if self.shown:
            fields["shown"] = 1
        return f"?{urlencode(fields)}"


def number_of(text: str) -> int | None:
    """Return the index (from 0) that a number in an address (from 1) means; None if it is not a number."""
    number = whole_number(text)
    return number - 1 if number else None


@dataclass(frozen=True)
class Page:
    """A step of a lesson as its reader sees it.

    Args:
        offered: the lesson.
        course: the same, ready to be played.
        spot: where the reader is.
        tried: the step as far as it was played.
        refusal: why something was not done; otherwise empty.
        following: the lesson or exercise after this one, if there is one.
        wrong: the number of the wrong answer that was chosen, from 1; 0 for none.
    """

    offered: Offered
    course: Course
    spot: Spot
    tried: Tried
    refusal: str
    following: Offered | None
    wrong: int = 0

    @property
    def title(self) -> Title:
        return titles()[self.offered.slug]

    @property
    def step(self) -> LessonStep:
        return self.course.lesson.steps[self.spot.number]

    @property
    def number(self) -> int:
        """The number of the step, from 1."""
        return self.spot.number + 1

    @property
    def count(self) -> int:
        return len(self.course.lesson.steps)

    @property
    def is_last(self) -> bool:
        return self.number == self.count

    @property
    def is_done(self) -> bool:
        """Whether nothing more is asked in this step."""
        return not self.step.asks or self.tried.done

    @property
    def is_over(self) -> bool:
        """Whether the lesson ends here."""
        return self.is_last and self.is_done

    @property
    def is_exercise(self) -> bool:
        return self.offered.is_exercise

    @property
    def address(self) -> str:
        return reverse("lesson", args=[self.offered.slug, self.offered.name])

    @property
    def line(self) -> str:
        """What was done so far, as the form and addresses carry it."""
        return SEPARATOR.join(self.spot.texts)

    @property
    def next(self) -> str:
        return f"{self.address}{Spot(self.spot.number + 1).query}"

    @property
    def back(self) -> str:
        """The address of the step before, or of the beginning of this one when something was done in it."""
        return f"{self.address}{Spot(self.spot.number - 1).query}"

    @property
    def again(self) -> str:
        """The address of this step before anything was done in it."""
        return f"{self.address}{Spot(self.spot.number).query}"

    @property
    def take_back(self) -> str:
        """The address of this step without the last action."""
        return f"{self.address}{Spot(self.spot.number, self.spot.texts[:-1]).query}"

    # --- words ----------------------------------------------------------------------------------------------------

    @property
    def before(self) -> Sequence[str]:
        """The paragraphs that lead to the task; all of them where nothing is asked."""
        return self._paragraphs[:-1] if self.step.asks else self._paragraphs

    @property
    def task(self) -> str:
        """The last paragraph of a step that asks for something."""
        return self._paragraphs[-1] if self.step.asks else ""

    @property
    def folds(self) -> str:
        """On which small screens only the beginning of what comes before the task is shown: "low", "all" or none."""
        length = sum(map(len, self.before))
        if not self.step.asks or self.is_done or length <= _FOLDED:
            return ""
        return "all" if length > _FOLDED_ON_TALL else "low"

    @property
    def _paragraphs(self) -> Sequence[str]:
        return [line.strip() for line in said(self.step.text).splitlines() if line.strip()]

    @property
    def hint(self) -> str:
        return said(self.step.hint)

    @property
    def why(self) -> str:
        return said(self.step.why)

    @property
    def praise(self) -> str:
        """What is said when a step is done."""
        if self.spot.shown:
            return _("This is how it goes.")
        return _("Solved.") if self.is_exercise and self.is_last else _("Right.")

    @property
    def goes_on_otherwise(self) -> bool:
        """Whether the next step goes on from the lesson's own solution, which has led elsewhere than the learner's."""
        if self.is_last or not self.tried.plays or self.course.lesson.steps[self.spot.number + 1].start is not None:
            return False
        return bool(self.tried.done and self.course.solved(self.spot.number).last.state != self.tried.last.state)

    @property
    def choices(self) -> Sequence[tuple[int, str, str]]:
        """The answers: number, text, and what it turned out to be: "right", "wrong", or empty while that is open."""
        marks = {
            number: "right" for number, choice in enumerate(self.step.choices, 1) if choice.right and self.tried.done
        }
        marks |= {self.wrong: "wrong"} if self.wrong else {}
        return [
            (number, said(choice.text), marks.get(number, ""))
            for number, choice in enumerate(self.step.choices, start=1)
        ]

    @property
    def log(self) -> Sequence[str]:
        """What has happened in this step, a line for each event."""
        return [text for play in self.tried.plays for text in self._apart.lines(play.events)]

    @property
    def is_long_log(self) -> bool:
        """Whether so much has happened that it is folded."""
        return len(self.log) > _LONG_LOG

    @property
    def rules(self) -> Sequence[tuple[str, str]]:
        """The rules that the lesson covers: their names, and the addresses of their texts."""
        known, address = titles()[self.offered.slug].rules_taught, reverse("rules", args=[self.offered.slug])
        rules = (known[name] for name in self.course.lesson.rules if name in known)
        return [(said(rule.name), f"{address}#about-{rule.section}") for rule in rules]

    # --- board ----------------------------------------------------------------------------------------------------

    @cached_property
    def scene(self) -> Scene:
        last, seat = self.tried.last, self.course.seat
        active = self.step.asks_for_action and not self.tried.done and seat in last.to_move
        recent = self._plays[-1].events if self._plays else ()
        others = list(takewhile(lambda play: play.seat != seat, reversed(self._plays)))
        since = tuple(chain.from_iterable(play.events for play in reversed(others)))
        return self._apart.scene(last.state, recent, since, active=active, ended=last.outcome is not None)

    @property
    def board(self) -> str:
        return self._apart.html(self.scene)

    @property
    def facts(self) -> Sequence[tuple[int, str, Sequence[Fact]]]:
        return self._apart.facts(self.scene)

    @property
    def _apart(self) -> StandaloneBoard:
        return StandaloneBoard(self.title, self.course.seat, names_of(self.course), hints=not self.is_exercise)

    @cached_property
    def _plays(self) -> Sequence[Any]:
        """The plays that led to the position: in this step or, at its beginning, in the one before."""
        goes_on = not self.tried.plays and self.spot.number and self.step.start is None
        return self.course.solved(self.spot.number - 1).plays if goes_on else self.tried.plays

    # --- the end --------------------------------------------------------------------------------------------------

    @property
    def plays_on(self) -> str:
        """The address at which the lesson goes on as a match against Novice; empty if it does not."""
        if not may_be_played_on(self.course):
            return ""
        return reverse("lesson_play", args=[self.offered.slug, self.offered.name])

    @property
    def play_now(self) -> PlayNowForm:
        """The form for a match against the level Novice."""
        return against_novice(self.title)

    @property
    def alone(self) -> str:
        """The address of a new table for one, with the options of the lesson."""
        asked = setup_query(self.title, 1, self.course.lesson.options)
        return f"{reverse('table_new')}?{urlencode({'game': self.offered.slug, **asked})}"


def against_novice(title: Title) -> PlayNowForm:
    """Return the form for a match against the level Novice."""
    return PlayNowForm(initial={"game": title.slug, "level": Level.NOVICE})


def page_of(offered: Offered, course: Course, spot: Spot, refusal: str = "", following: Offered | None = None) -> Page:
    """Return the page of a spot, or of its step's beginning with the reason if the spot is not legal or asked for."""
    try:
        tried = tried_at(course, spot)
    except (RuleViolation, NotAsked) as refused:
        spot, refusal = Spot(spot.number), refusal or in_words(refused)
        tried = tried_at(course, spot)
    return Page(offered, course, spot, tried, refusal, following)


def tried_at(course: Course, spot: Spot) -> Tried:
    """Return a step as far as it was played or answered.

    Raises:
        RuleViolation: the rules refuse an action, or there are too many.
        NotAsked: an action or an answer is not what is asked for.
    """
    if len(spot.texts) > _MOST_ACTIONS or any(len(text) > _LONGEST_ACTION for text in spot.texts):
        raise RuleViolation("notation", _("That is more than one step of a lesson."))
    if spot.answer is None or not course.lesson.steps[spot.number].choices:
        return course.tried(spot.number, spot.texts)
    course.answered(spot.number, spot.answer)
    return course.solved(spot.number)


def in_words(refused: RuleViolation | NotAsked) -> str:
    """Return why a try was refused."""
    if isinstance(refused, RuleViolation):
        return _(refused.text)
    return said(refused.says) or _("That is allowed, but it is not what is asked for here. Nothing is lost: try again.")


def solved_spot(course: Course, number: int) -> Spot:
    """Return the spot at which a step is solved."""
    step = course.lesson.steps[number]
    right = next((index for index, choice in enumerate(step.choices) if choice.right), None)
    return Spot(number, step.solution, right, shown=True)


# --- the views --------------------------------------------------------------------------------------------------------


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """Show what can be learned of every game, and how far the reader has come."""
    return TemplateResponse(request, "learn/learn.html", {"offers": services.offers(services.progress_of(request))})


@require_safe
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """Show the lessons and exercises of a game."""
    return TemplateResponse(request, "learn/game.html", {"offer": _offer(request, game)})


@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HtmxRequest, game: str, lesson: str) -> HttpResponse:
    """Show a step of a lesson; a POST is an action, an answer, or asks for the solution."""
    offer = _offer(request, game)
    course = _course(offer, lesson)
    every = [*offer.lessons, *offer.exercises]
    place = [each.name for each in every].index(lesson)
    offered, following = every[place], next(iter(every[place + 1 :]), None)
    if request.method == "POST":
        return _act(request, offered, course, following)
    return _answer(request, page_of(offered, course, _spot_of(request, course), "", following))


@require_POST
@for_members
def coached(request: HtmxRequest, slug: str) -> HttpResponse:
    """Note that the reader has read a coach mark of the game (`mark`), and never show it again."""
    viewed = access_match(request.user, slug)
    for mark in viewed.match.title.coach:
        if mark.key == request.POST.get("mark"):
            note_coached(cast("User", request.user), word_for(viewed, mark))
    return HttpResponse(status=HTTPStatus.NO_CONTENT) if request.htmx else redirect(viewed.match)


@require_http_methods(["GET", "HEAD", "POST"])
def play_on(request: HtmxRequest, game: str, lesson: str) -> HttpResponse:
    """Play on against Novice from the board of a lesson; a POST is an action."""
    offer = _offer(request, game)
    course, address = _course(offer, lesson), reverse("lesson_play", args=[game, lesson])
    if not may_be_played_on(course):
        raise Http404(_("You can’t play on from this lesson."))
    fields = request.POST if request.method == "POST" else request.GET
    found = played_on(offer.title, course, fields.get("line", ""))
    if request.method == "POST" and not found.refusal:
        try:
            spend("lesson", member_of(request))
            after = found.after(composed(offer.title, dict(request.POST.lists())))
            return redirect(f"{address}?{urlencode({'line': after.line})}")
        except (TooMany, RuleViolation) as refused:
            text = refused.text if isinstance(refused, TooMany) else _(refused.text)
            found = replace(found, refusal=text)
    context = {"played": found, "title": offer.title, "course": course, "address": address, "lesson": lesson}
    context["play_now"] = against_novice(offer.title)
    template = "learn/playing.html" if request.htmx else "learn/play_on.html"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if found.refusal else HTTPStatus.OK
    return TemplateResponse(request, template, context, status=status)


def _course(offer: Offer, lesson: str) -> Course:
    if lesson not in offer.title.lessons:
        raise Http404(_("There is no such lesson."))
    return offer.title.course(offer.title.lessons[lesson])


def _offer(request: HttpRequest, game: str) -> Offer:
    offer = services.offer_of(game, services.progress_of(request))
    if offer is None:
        raise Http404(_("There are no lessons for this game."))
    return offer


def _spot_of(request: HttpRequest, course: Course) -> Spot:
    """Return the spot that an address or a form names; the first step if it names none."""
    fields = request.POST if request.method == "POST" else request.GET
    number = number_of(fields.get("step", "")) or 0
    if number >= len(course.lesson.steps):
        number = 0
    answer = number_of(fields.get("answer", ""))
    return Spot(number, tuple(split(fields.get("line", ""))), answer, "shown" in fields)


def _act(request: HtmxRequest, offered: Offered, course: Course, following: Offered | None) -> HttpResponse:
    """Do what the form asks for, or show the step with the reason if the rules or the lesson refuse it."""
    spot = _spot_of(request, course)
    try:
        spend("lesson", member_of(request))
    except TooMany as error:
        return _answer(request, page_of(offered, course, Spot(spot.number), error.text, following))
    if "show" in request.POST:
        if course.lesson.kind == LESSON:
            _add_progress(request, offered, course, spot.number)
        return _to(offered, solved_spot(course, spot.number))
    try:
        if course.lesson.steps[spot.number].choices:
            after = Spot(spot.number, (), -1 if spot.answer is None else spot.answer)
        else:
            action = composed(titles()[course.game.slug], dict(request.POST.lists()))
            after = Spot(spot.number, (*spot.texts, action))
        tried = tried_at(course, after)
    except (RuleViolation, NotAsked) as refused:
        page = page_of(offered, course, Spot(spot.number, spot.texts), in_words(refused), following)
        return _answer(request, replace(page, wrong=0 if spot.answer is None else spot.answer + 1))
    if tried.done:
        _add_progress(request, offered, course, spot.number)
    return _to(offered, after)


def _add_progress(request: HttpRequest, offered: Offered, course: Course, number: int) -> None:
    """Store that a step is done, and the lesson too if no later step asks for anything."""
    done = not any(step.asks for step in course.lesson.steps[number + 1 :])
    services.add_progress(request, offered.slug, offered.name, number + 1, done)


def _to(offered: Offered, spot: Spot) -> HttpResponse:
    return redirect(f"{offered.url.partition('?')[0]}{spot.query}")


def _answer(request: HtmxRequest, page: Page) -> HttpResponse:
    template = "learn/step.html" if request.htmx else "learn/lesson.html"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if page.refusal else HTTPStatus.OK
    response = TemplateResponse(
        request, template, {"page": page, "title": page.title, "is_exercise": page.is_exercise}, status=status
    )
    return replace_url(response, request.get_full_path()) if request.method == "GET" else response


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def record_lesson(request: HtmxRequest, slug: str) -> HttpResponse:
    """Write a lesson that begins at a position of a match that has ended; nothing is stored."""
    viewed = access_match(request.user, slug)
    match = viewed.match
    number, seat = (whole_number(request.GET.get(name, "")) or 0 for name in ("at", "seat"))
    if not match.has_ended or not is_checkable(match) or seat >= match.seat_count or number > match.length:
        raise Http404(_("A lesson begins at a position of a match that has ended."))
    if request.method == "POST":
        spend("lesson", member_of(request))
    fields = dict(request.POST.lists())
    draft = recording.draft_of(viewed, number, seat, fields)
    if request.method == "POST" and not draft.refusal:
        if fields.get("do") in (["file"], ["unfinished"]):
            return _file(request, draft, fields["do"] == ["unfinished"])
        draft = recording.done(draft, fields)
    return _recording(request, draft)


def _recording(request: HtmxRequest, draft: recording.Draft) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if draft.refusal or draft.missing else HTTPStatus.OK
    match = draft.viewed.match
    context = {"draft": draft, "match": match, "title": match.title}
    return TemplateResponse(request, "learn/record.html", context, status=status)


def _file(request: HtmxRequest, draft: recording.Draft, is_unfinished: bool) -> HttpResponse:
    """Serve the file; an incomplete one only if an unfinished file is asked for."""
    try:
        whole = draft.finished()
    except (RuleViolation, LessonError) as refused:
        return _recording(request, recording.refused_for(draft, refused))
    if not is_unfinished and (missing := tuple(recording.missing_in(whole))):
        return _recording(request, replace(draft, missing=missing))
    response = HttpResponse(whole.as_file(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{whole.file_name}"'
    return response
