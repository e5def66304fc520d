"""The pages of moderators, of people who report, and of people about whom moderators have decided."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.db.models import Count, Max, Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.requests import KEY, HtmxRequest, posted, whole_number
from accounts.services import access_player, person_of, wanted_next
from games.chat.conversations import address_of_room
from games.chat.models import PHRASES, Message
from games.chat.rooms import filter_for, may_read
from games.clubs.membership import access_club
from games.clubs.models import Club
from games.engine.protocol import RuleViolation
from games.moderation import cases, clubs, context, matches, people, reversals
from games.moderation.access import access_case, access_person, cases_for, for_moderators
from games.moderation.forms import (
    ANSWERS,
    ClubForm,
    DecideForm,
    MatchForm,
    PersonForm,
    ReasonForm,
    ReportForm,
    WarnForm,
    WarningForm,
    until_of,
)
from games.moderation.models import Case, Deed, Report
from games.play.access import access_match, for_members
from games.play.models import Match

Act = Deed.Act
PER_PAGE = 30

logger = logging.getLogger(__name__)


@require_safe
@for_moderators
def queue(request: HttpRequest) -> HttpResponse:
    """Show the open cases, the oldest first, and the latest that were decided."""
    told = Prefetch("reports", context.reports_for(person_of(request)), to_attr="told")
    visible = (
        cases_for(request.user)
        .select_related("person", "match", "club", "claimed_by")
        .annotate(number=Count("reports"), latest=Max("reports__at"))
        .prefetch_related(told)
    )
    waiting, decided = visible.filter(decided_at=None), visible.exclude(decided_at=None).order_by("-decided_at")
    page = {"waiting_cases": waiting[:PER_PAGE], "decided": decided[:PER_PAGE]}
    return TemplateResponse(request, "moderation/queue.html", page)


@require_safe
@for_moderators
def find(request: HttpRequest) -> HttpResponse:
    """Redirect to a person by name, or to a match by its address or slug."""
    wanted = request.GET.get("of", "").strip()
    found = User.objects.named(wanted.removeprefix("@"))
    if found is not None:
        return redirect("moderated_person", found.username)
    slug = wanted.rstrip("/").rpartition("/")[2]
    if Match.objects.filter(slug=slug).exists():
        return redirect("moderated_match", slug)
    messages.error(request, _("Nobody has this name, and no match has this address."))
    return redirect("moderation")


@require_safe
@for_moderators
def case(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a case: its reports, what is known about its subject, and what can be done."""
    found = access_case(request.user, pk)
    reader = person_of(request)
    page: dict[str, Any] = {
        "case": found,
        "mine": found.is_open and found.holder == request.user,
        "reports": context.reports_of(found, reader),
        "deeds_of_case": context.deeds_shown(reader).filter(case=found),
        "decide": DecideForm(auto_id="decide_%s"),
        "answers": ANSWERS,
        "sections": context.sections_of(context.Subject(reader, found.person, found.match)),
    }
    if found.person is not None:
        page |= context.about_person(found.person, reader)
        page["person_form"] = PersonForm(by=reader, person=found.person)
        page["warn"] = WarnForm(found.reports.first(), auto_id="warn_%s")
    if found.club is not None:
        page |= {**context.about_club(found.club), "club_form": ClubForm(auto_id="club_%s")}
    if found.match is not None:
        about = context.about_match(found.match, reader)
        page |= {**about, "match_form": MatchForm(match=found.match, seats=about["seats"], auto_id="match_%s")}
    return TemplateResponse(request, "moderation/case.html", page)


@require_POST
@for_moderators
def case_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Claim a case, give it back, decide it, warn and close, or reopen it, as the value of the button (`do`) says."""
    found, by, do = access_case(request.user, pk), person_of(request), request.POST.get("do", "")
    reason = request.POST.get("reason", "")
    doings: dict[str, Callable[[], object]] = {
        "claim": lambda: cases.claim(by, pk),
        "give-back": lambda: cases.give_back(by, pk),
        "decide": lambda: cases.decide(by, pk, request.POST.get("verdict", ""), request.POST.get("answer", ""), reason),
        "warn": lambda: cases.warn_and_close(by, pk, reason),
        "reopen": lambda: cases.reopen(by, found, reason),
    }
    if do not in doings:
        raise Http404
    if _tried(request, doings[do]) and do in {"decide", "warn"}:
        messages.success(request, _("Decided. Those who reported have been told."))
        return redirect("moderation")
    return redirect("case", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@for_moderators
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Show what is known about somebody; a POST decides something about them."""
    found = access_person(username)
    form = PersonForm(posted(request), by=person_of(request), person=found)
    if request.method == "POST" and form.is_valid():
        about = _case_of(request)
        if _tried(request, lambda: _act_on_person(person_of(request), found, form.cleaned_data, about)):
            messages.success(request, _("Done. It is in the log."))
        if about:
            return redirect("case", about.pk)
        now = User.objects.filter(pk=found.pk).first()  # perhaps renamed, or gone
        return redirect("moderated_person", now.username) if now else redirect("moderation")
    page = {**context.about_person(found, person_of(request)), "person_form": form}
    page["sections"] = context.sections_of(context.Subject(person_of(request), found))
    return TemplateResponse(request, "moderation/person.html", page, status=422 if form.is_bound else 200)


def _act_on_person(by: User, person: User, asked: dict[str, Any], about: Case | None) -> Deed:
    act, reason = asked["act"], asked["reason"]
    if act == Act.RENAME:
        return people.rename(by, person, asked["name"], reason, about)
    if act in {Act.SILENCE, Act.SUSPEND}:
        impose = people.silence if act == Act.SILENCE else people.suspend
        return impose(by, person, until_of(asked["days"]), reason, about)
    doings = {
        Act.WARN: people.warn,
        Act.CLOSE: people.close_account,
        Act.UNLOCK: people.remove_factors,
        Act.CONFIRM: people.confirm_address,
    }
    return doings[act](by, person, reason, about)


@require_http_methods(["GET", "HEAD", "POST"])
@for_moderators
def match(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is known about a match; a POST decides something about it."""
    found = get_object_or_404(Match, slug=slug)
    about = context.about_match(found, person_of(request))
    form = MatchForm(posted(request), match=found, seats=about["seats"])
    if request.method == "POST" and form.is_valid():
        of = _case_of(request)
        if _tried(request, lambda: _act_on_match(person_of(request), found, form, of)):
            messages.success(request, _("Done. It is in the log."))
        return redirect("case", of.pk) if of else redirect("moderated_match", slug)
    page = {**about, "match_form": form}
    page["sections"] = context.sections_of(context.Subject(person_of(request), match=found))
    return TemplateResponse(request, "moderation/match.html", page, status=422 if form.is_bound else 200)


def _act_on_match(by: User, match: Match, form: MatchForm, about: Case | None) -> Deed:
    act, reason = form.cleaned_data["act"], form.cleaned_data["reason"]
    if act == Act.AWARD:
        return matches.award(by, match, form.chosen_places(), reason, about)
    doings = {Act.SHUT: matches.shut_table, Act.ABORT: matches.abort, Act.REINSTATE: matches.reinstate}
    return doings[act](by, match, reason, about)


@require_http_methods(["GET", "HEAD", "POST"])
@for_moderators
def club(request: HttpRequest, club: str) -> HttpResponse:
    """Show what is known about a club, also a private one; a POST decides something about it."""
    found = get_object_or_404(Club, slug=club)
    form = ClubForm(posted(request))
    if request.method == "POST" and form.is_valid():
        of = _case_of(request)
        if _tried(request, lambda: _act_on_club(person_of(request), found, form.cleaned_data, of)):
            messages.success(request, _("Done. It is in the log."))
        if of:
            return redirect("case", of.pk)
        return redirect("moderated_club", club) if Club.objects.filter(pk=found.pk).exists() else redirect("moderation")
    page = {**context.about_club(found), "club_form": form}
    return TemplateResponse(request, "moderation/club.html", page, status=422 if form.is_bound else 200)


def _act_on_club(by: User, found: Club, asked: dict[str, Any], about: Case | None) -> Deed:
    act, reason = asked["act"], asked["reason"]
    if act == Act.CLUB_NAME:
        return clubs.rename(by, found, asked["name"], reason, about)
    return {Act.CLUB_TEXT: clubs.remove_text, Act.CLUB_SHUT: clubs.shut}[act](by, found, reason, about)


@require_safe
@for_moderators
def log(request: HttpRequest) -> HttpResponse:
    """Show the log, the latest first, without what is about the reader."""
    page = Paginator(context.deeds_shown(person_of(request)), PER_PAGE).get_page(request.GET.get("page"))
    return TemplateResponse(request, "moderation/log.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@for_moderators
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the reason to take a decision back; a POST takes it back."""
    deed = get_object_or_404(context.deeds_shown(person_of(request)), pk=pk, act__in=Deed.REVERSIBLE)
    form = ReasonForm(posted(request))
    if request.method == "POST" and form.is_valid():
        if _tried(request, lambda: reversals.undo(person_of(request), deed, form.cleaned_data["reason"])):
            messages.success(request, _("Taken back. It is in the log."))
        return redirect("moderation_log")
    return TemplateResponse(
        request, "moderation/undo.html", {"deed": deed, "form": form}, status=422 if form.is_bound else 200
    )


def _tried(request: HttpRequest, do: Callable[[], object]) -> bool:
    """Make a decision, or show the moderator why it is refused; return whether it was made."""
    try:
        do()
    except RuleViolation as refusal:
        messages.error(request, refusal.text)
        return False
    except IntegrityError as error:  # for example, the account of somebody to be notified has been deleted meanwhile
        logger.warning("a decision was rolled back: %s", error)
        text = _("Someone else changed something at the same moment, so nothing was done. Please look again.")
        messages.error(request, text)
        return False
    return True


def _case_of(request: HttpRequest) -> Case | None:
    """Return the case from whose page a form was posted, None if it was another page.

    Raises:
        Http404: there is no such case, or it is about this moderator.
    """
    text = request.POST.get("case", "")
    if not text:
        return None
    number = whole_number(text, KEY)
    if number is None:
        raise Http404
    return access_case(request.user, number)


FIELD_OF = {"why": "why", "words-needed": "words", "too-long": "words"}
MOST_SHOWN = 50
SHOWN_BESIDE_SANCTIONS = (Deed.Act.RENAME, Deed.Act.ROLE, Deed.Act.UNLOCK, Deed.Act.CONFIRM)
"""Decisions that people see besides their sanctions."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_person(request: HttpRequest, username: str) -> HttpResponse:
    """Report somebody, or their name."""
    person = access_player(username)
    heading = _("Report %(name)s") % {"name": person.shown_name}
    send = partial(cases.report_person, person_of(request), person)
    return _report_page(request, heading, send, person.get_absolute_url(), of_person=True)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_message(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a message that the reader can see."""
    reader = person_of(request)
    message = _access_message(reader, pk)
    quote = str(PHRASES.get(message.phrase, "")) or message.text
    room = message.room
    back = address_of_room(room, reader)
    send = partial(cases.report_message, reader, message, quote)
    return _report_page(
        request, _("Report a message"), send, back, quote=quote, author=message.author, match=room.match
    )


def _access_message(reader: User, pk: int) -> Message:
    """Return a message of somebody else.

    Raises:
        Http404: there is none, or the reader cannot see it.
    """
    messages_there = Message.objects.filter(pk=pk, deleted_at=None).exclude(author=reader).exclude(author=None)
    found = (
        messages_there.select_related("author", "room__match", "room__club", "room__one", "room__other").first()
        if pk < 2**62
        else None
    )
    if found is None or not may_read(reader, found.room) or not filter_for(reader).passes(found):
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def report_match(request: HtmxRequest, slug: str) -> HttpResponse:
    """Report a match that the reader can see."""
    match = access_match(request.user, slug).match
    heading = _("Report this match: %(game)s") % {"game": match.title.game.name}
    send = partial(cases.report_match, person_of(request), match)
    return _report_page(request, heading, send, match.get_absolute_url(), match=match)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_club(request: HttpRequest, club: str) -> HttpResponse:
    """Report a club that the reader can see: its name, its text, or what happens there."""
    found = access_club(request.user, club)
    heading = _("Report %(name)s") % {"name": found.shown_name}
    send = partial(cases.report_club, person_of(request), found)
    return _report_page(request, heading, send, found.get_absolute_url(), quote=found.text, of_person=True)


def _report_page(
    request: HttpRequest,
    heading: str,
    send: Callable[[str, str], Report],
    back: str,
    *,
    quote: str = "",
    author: User | None = None,
    match: Match | None = None,
    of_person: bool = False,
) -> HttpResponse:
    """Show the form for a report; `send` what is posted with it. The `author` of a message can be muted instead."""
    form = ReportForm(posted(request), of_person=of_person)
    if request.method == "POST" and form.is_valid():
        try:
            report = send(form.cleaned_data["why"], form.cleaned_data["words"])
        except RuleViolation as refusal:
            form.add_error(FIELD_OF.get(refusal.code), refusal.text)
        else:
            return redirect("reported", report.pk)
    page = {"form": form, "heading": heading, "quote": quote, "back": back, "match": match, "author": author}
    return TemplateResponse(request, "moderation/report.html", page, status=422 if request.method == "POST" else 200)


@require_safe
@login_required
def reported(request: HttpRequest, pk: int) -> HttpResponse:
    """Thank the reader for a report of theirs, and offer to block the person it is about."""
    report = get_object_or_404(Report.objects.select_related("person", "match"), pk=pk, by=person_of(request))
    person = report.person if report.person_id != person_of(request).pk else None
    return TemplateResponse(request, "moderation/reported.html", {"person": person, "match": report.match})


@require_safe
@login_required
def reports(request: HttpRequest) -> HttpResponse:
    """Show the reader's reports, and what came of each."""
    sent = Report.objects.filter(by=person_of(request)).select_related("case", "person", "match")[:MOST_SHOWN]
    return TemplateResponse(request, "moderation/reports.html", {"reports": sent})


@require_safe
@login_required
def own_sanctions(request: HttpRequest) -> HttpResponse:
    """Show what moderators have decided about the reader."""
    reader = person_of(request)
    shown = {
        "sanctions": Sanction.objects.filter(user=reader)[:MOST_SHOWN],
        "deeds": Deed.objects.filter(person=reader, act__in=SHOWN_BESIDE_SANCTIONS)[:MOST_SHOWN],
    }
    return TemplateResponse(request, "moderation/standing.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def warning(request: HttpRequest) -> HttpResponse:
    """Show the warning that the reader has to confirm; a POST confirms the one it names, and redirects to `next`."""
    reader: Any = person_of(request)
    leads_to = wanted_next(request, reverse("home"))
    found = sanctions.warning_of(reader)
    if request.method == "POST":
        form = WarningForm(request.POST)
        if form.is_valid():
            people.confirm_warning(reader, form.cleaned_data["warning"])
    if found is None or request.method == "POST":
        return redirect(leads_to)
    return TemplateResponse(request, "moderation/warning.html", {"warning": found, "leads_to": leads_to})
