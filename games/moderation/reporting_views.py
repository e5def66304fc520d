"""The pages of those who report, and of those about whom moderators have decided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.readers import person_of, wanted_next
from accounts.services import access_player
from games.chat.models import PHRASES, Message
from games.chat.rooms import ear_of, may_read
from games.engine.protocol import RuleViolation
from games.moderation import people, reporting
from games.moderation.forms import ReportForm, WarningForm
from games.moderation.models import Deed, Report
from games.play.matches.access import access_match
from games.play.models import Match
from games.play.pages.http import HtmxRequest, for_members, posted

FIELD_OF = {"why": "why", "words-needed": "words", "too-long": "words"}
MOST = 50
TOLD = (Deed.Act.RENAME, Deed.Act.ROLE, Deed.Act.UNLOCK, Deed.Act.CONFIRM)
"""What is told beside sanctions."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_person(request: HttpRequest, username: str) -> HttpResponse:
    """Report somebody, or their name."""
    person = access_player(username)
    heading = _("Report %(name)s") % {"name": person.shown_name}

    def send(why: str, words: str) -> Report:
        return reporting.report_person(person_of(request), person, why, words)

    return _page(request, ReportForm(posted(request)), heading, "", person.get_absolute_url(), send)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_message(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a message that the reader can read."""
    message = _access_message(person_of(request), pk)
    quote = str(PHRASES.get(message.phrase, "")) or message.text
    room = message.room
    back = reverse("match_chat", args=[room.match.slug]) if room.match else reverse("messages")

    def send(why: str, words: str) -> Report:
        return reporting.report_message(person_of(request), message, quote, why, words)

    form = ReportForm(posted(request), of_person=False)
    return _page(request, form, _("Report a message"), quote, back, send)


def _access_message(reader: User, pk: int) -> Message:
    """Return a message of somebody else that a person reads.

    Raises:
        Http404: there is none, or they do not read it.
    """
    messages_there = Message.objects.filter(pk=pk, deleted_at=None).exclude(author=reader).exclude(author=None)
    found = messages_there.select_related("author", "room__match").first() if pk < 2**62 else None
    if found is None or not may_read(reader, found.room) or not ear_of(reader).hears(found):
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def report_match(request: HtmxRequest, slug: str) -> HttpResponse:
    """Report a match that the reader can see."""
    match = access_match(request.user, slug).match
    heading = _("Report this match: %(game)s") % {"game": match.title.game.name}

    def send(why: str, words: str) -> Report:
        return reporting.report_match(person_of(request), match, why, words)

    form = ReportForm(posted(request), of_person=False)
    return _page(request, form, heading, "", match.get_absolute_url(), send, match)


def _page(  # noqa: PLR0917  # what is reported, and how
    request: HttpRequest,
    form: ReportForm,
    heading: str,
    quote: str,
    back: str,
    send: Callable[[str, str], Report],
    match: Match | None = None,
) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        try:
            send(form.cleaned_data["why"], form.cleaned_data["words"])
        except RuleViolation as refusal:
            form.add_error(FIELD_OF.get(refusal.code), refusal.text)
        else:
            messages.success(
                request, _("Thank you. The moderators will look at it, and you will read here what came of it.")
            )
            return redirect("reports")
    context = {"form": form, "heading": heading, "quote": quote, "back": back, "match": match}
    status = 422 if request.method == "POST" else 200
    return TemplateResponse(request, "moderation/report.html", context, status=status)


@require_safe
@login_required
def reports(request: HttpRequest) -> HttpResponse:
    """Show what the reader has reported, and what came of each."""
    sent = Report.objects.filter(by=person_of(request)).select_related("case", "person", "match")[:MOST]
    return TemplateResponse(request, "moderation/reports.html", {"reports": sent})


@require_safe
@login_required
def standing(request: HttpRequest) -> HttpResponse:
    """Show what moderators have decided about the reader."""
    reader = person_of(request)
    sanctioned = Sanction.objects.filter(user=reader)[:MOST]
    context = {"sanctions": sanctioned, "deeds": Deed.objects.filter(person=reader, act__in=TOLD)[:MOST]}
    return TemplateResponse(request, "moderation/standing.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def warning(request: HttpRequest) -> HttpResponse:
    """Show the warning that the reader has to confirm; a POST confirms the one it names and leads back."""
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
