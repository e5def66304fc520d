"""The pages of events: all of them, each with its standings and rounds, its picture and its dates, and its proof.

Owners and helpers of a club have two more: one makes an event, one changes or cancels it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.questions import NOBODY
from accounts.requests import posted, whole_number
from games.clubs.membership import led_club
from games.engine.protocol import RuleViolation
from games.events import lines, organising, pages, services
from games.events.access import access_event, organises
from games.events.calendars import entries_in
from games.events.formats.proof import write
from games.events.forms import EventForm
from games.events.models import Entry, Event
from games.events.pages import EventPage
from games.events.pictures import picture
from games.events.rounds import proof_of
from games.matchmaking.seats import read_nonce
from games.notifications import calendars
from games.play.live import polling
from games.play.live.polling import Part, pollable
from games.titles import titles


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Show the leagues and ladders of each game, each with a button to enter."""
    context = {"all": lines.listed(request.user), "ended": lines.ended()}
    return TemplateResponse(request, "events/events.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def event(request: HttpRequest, event: str) -> HttpResponse:
    """Show an event; a POST does there what `do` says: enter or come back, confirm, pause, leave."""
    found = access_event(request.user, event)
    if request.method != "POST":
        return _page(request, found)
    if not request.user.is_authenticated:
        return redirect_to_login(found.get_absolute_url())
    try:
        _DOINGS.get(request.POST.get("do", ""), _enter)(request, found)
    except RuleViolation as violation:
        return _page(request, found, 422, _(violation.text))
    except Event.DoesNotExist:
        raise Http404 from None
    return redirect(found)


def _enter(request: HttpRequest, found: Event) -> None:
    wanted = whole_number(request.POST.get("at_a_time", ""))
    at_a_time = services.suggested_at_a_time(found) if wanted is None else wanted
    services.enter(request.user, found.slug, at_a_time, read_nonce(request.POST.get("nonce", "")))


def _doing(do: Callable[[Any, str], None]) -> Callable[[HttpRequest, Event], None]:
    return lambda request, found: do(request.user, found.slug)


_DOINGS: Final[Mapping[str, Callable[[HttpRequest, Event], None]]] = MappingProxyType(
    {
        "confirm": _doing(services.confirm),
        "pause": _doing(services.pause),
        "leave": _doing(services.leave),
    }
)


def _page(request: HttpRequest, found: Event, status: int = 200, refusal: str = "") -> HttpResponse:
    page = EventPage(found, request.user, _before(request))
    drawn = request.build_absolute_uri(reverse("event_picture", args=[found.slug])) if page.podium else ""
    context = {**pages.context_of(page), "refusal": refusal, "picture": drawn}
    return TemplateResponse(request, "events/event.html", context, status=status)


def _before(request: HttpRequest) -> int | None:
    """Return before which round rounds are listed."""
    return whole_number(request.GET.get("before", ""), pages.ROUND_DIGITS)


@require_safe
@pollable
def event_news(request: HttpRequest, event: str) -> HttpResponse:
    """Answer a poll with what the socket of an event's page would push (`EventConsumer`)."""
    found = access_event(request.user, event)

    def parts(_before_it: str) -> list[dict[str, str]]:
        drawn = pages.drawn_parts(EventPage(found, request.user, _before(request)))
        return [{"content": pages.partials(drawn)}]

    return polling.answer(request, Part(pages.version_of(found), parts), *polling.of_person(request.user))


@require_safe
def event_picture(request: HttpRequest, event: str) -> HttpResponse:
    """Serve the podium of an event, once it is over, for those who are sent a link to it."""
    drawn = picture(EventPage(access_event(request.user, event), request.user))
    if drawn is None:
        raise Http404(_("This event is not over."))
    return HttpResponse(drawn, content_type="image/png")


@require_safe
def event_calendar(request: HttpRequest, event: str) -> HttpResponse:
    """Return when an event starts and goes on, for its reader, as a file for a calendar program."""
    found = access_event(request.user, event)
    if found.has_ended:
        raise Http404(_("This event is over."))
    mine = found.entries.filter(user=request.user.pk or NOBODY).exclude(state=Entry.State.OUT).first()
    return calendars.answer(calendars.calendar(entries_in(found, mine)), f"tessera-{found.slug}")


@require_safe
def event_proof(request: HttpRequest, event: str) -> HttpResponse:
    """Serve the file from which anybody draws an event again, once it is over."""
    found = access_event(request.user, event)
    if found.state != Event.State.OVER:
        raise Http404(_("The seed of an event is secret until it is over."))
    headers = {"Content-Disposition": f'attachment; filename="tessera-event-{found.slug}.json"'}
    return HttpResponse(write(proof_of(found)), content_type="application/json", headers=headers)


# --- owners and helpers of a club -------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def event_new(request: HttpRequest, club: str) -> HttpResponse:
    """Make an event for a club, in the game that `game` in the address names; without one, choose it."""
    found = led_club(request.user, club)
    title = titles().get(request.GET.get("game", ""))
    if title is None:
        status = 422 if request.method == "POST" else 200
        return TemplateResponse(
            request, "events/choose_game.html", {"club": found, "titles": titles().values()}, status=status
        )
    form = EventForm(title, posted(request))
    if form.is_valid():
        try:
            return redirect(organising.make_event(found, request.user, **form.setup()))
        except RuleViolation as violation:
            form.refuse(violation)
    return _form_page(request, form, club=found)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def event_change(request: HttpRequest, event: str) -> HttpResponse:
    """Change an event that has not started; a POST of `do=cancel` cancels it."""
    found = access_event(request.user, event)
    if not organises(found, request.user) or not found.is_open:
        raise Http404
    cancels = request.POST.get("do") == "cancel"
    form = EventForm(found.title, None if cancels else posted(request), found)
    try:
        if cancels:
            organising.cancel_event(found, request.user)
            messages.success(request, _("The event is called off."))
            return redirect(found.club)  # type: ignore[arg-type]  # whoever organises it is of its club
        if form.is_valid():
            changed = organising.change_event(found, request.user, **form.setup())
            messages.success(request, _("Saved."))
            return redirect(changed)
    except RuleViolation as violation:  # it has begun meanwhile, or they lead the club no longer
        return _form_page(request, form, club=found.club, refusal=violation.text)
    return _form_page(request, form, club=found.club)


def _form_page(request: HttpRequest, form: EventForm, **context: Any) -> HttpResponse:
    wrong = form.is_bound or bool(context.get("refusal"))
    context = {"form": form, "title": form.title, "event": form.event, **context}
    return TemplateResponse(request, "events/organise.html", context, status=422 if wrong else 200)
