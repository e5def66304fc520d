"""The pages of lessons: all of them, those of a game, and each lesson, which is played as a form."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import replace_url

from accounts.limits import TooMany, spend
from accounts.models import User
from accounts.services import dismiss_tip, member_of
from games.engine.lessons import LESSON, Course, LessonError, NotAsked
from games.engine.protocol import RuleViolation
from games.history.verification import is_checkable
from games.learn import pages, recording, services
from games.learn.pages import Page, Spot, number_of
from games.learn.services import Offer, Offered
from games.play.access import access_match
from games.play.boards.standalone import composed, split
from games.play.http import HtmxRequest, for_members, whole_number
from games.titles import titles


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
    if lesson not in offer.title.lessons:
        raise Http404(_("There is no such lesson."))
    course = offer.title.course(offer.title.lessons[lesson])
    every = [*offer.lessons, *offer.exercises]
    place = [each.name for each in every].index(lesson)
    offered, following = every[place], next(iter(every[place + 1 :]), None)
    if request.method == "POST":
        return _act(request, offered, course, following)
    return _answer(request, pages.page_of(offered, course, _spot_of(request, course), "", following))


@require_POST
@for_members
def tip(request: HtmxRequest, slug: str) -> HttpResponse:
    """Dismiss a tip of the first match for ever; a script gets those that are left."""
    viewed = access_match(request.user, slug)
    dismiss_tip(cast("User", request.user), request.POST.get("tip", ""))
    if not request.htmx:
        return redirect(viewed.match)
    return TemplateResponse(request, "learn/tips.html", {"match": viewed.match})


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
        return _answer(request, pages.page_of(offered, course, Spot(spot.number), error.text, following))
    if "show" in request.POST:
        if course.lesson.kind == LESSON:
            _add_progress(request, offered, course, spot.number)
        return _to(offered, pages.solved_spot(course, spot.number))
    try:
        if course.lesson.steps[spot.number].choices:
            after = Spot(spot.number, (), -1 if spot.answer is None else spot.answer)
        else:
            action = composed(titles()[course.game.slug], dict(request.POST.lists()))
            after = Spot(spot.number, (*spot.texts, action))
        tried = pages.tried_at(course, after)
    except (RuleViolation, NotAsked) as refused:
        before = Spot(spot.number, spot.texts)
        return _answer(request, pages.page_of(offered, course, before, pages.in_words(refused), following))
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
    """Serve the file; an incomplete one only if it is asked for as it is."""
    try:
        whole = draft.finished()
    except (RuleViolation, LessonError) as refused:
        return _recording(request, recording.refused_for(draft, refused))
    if not is_unfinished and (missing := tuple(recording.missing_in(whole))):
        return _recording(request, replace(draft, missing=missing))
    response = HttpResponse(whole.as_file(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{whole.file_name}"'
    return response
