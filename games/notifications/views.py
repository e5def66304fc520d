"""The pages of notices, of what to hear about, and of devices and webhooks; and the calendar of deadlines."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.paginator import Page, Paginator
from django.db import IntegrityError, transaction
from django.db.models import Exists
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import spend
from accounts.mail import in_words_of, verified_address
from accounts.models import User
from accounts.requests import HtmxRequest, posted
from accounts.services import person_of
from games.notifications import calendars, planning, trials
from games.notifications.channels import push, webhooks
from games.notifications.channels.mail import MAILED, read_mute_token, read_unsubscribe_token, unsubscribe
from games.notifications.channels.push import Push
from games.notifications.channels.webhooks import SIGNATURE
from games.notifications.forms import PreferencesForm, SubscriptionForm, WebhookForm
from games.notifications.messages import Message, against, with_matches, words_on_a_page
from games.notifications.models import Channel, Delivery, Device, Mute, Notice, Preferences, Webhook
from games.notifications.services import mark_all_seen, mute_match, notices_of
from games.play.access import access_match, for_members
from games.play.live import polling
from games.play.live.polling import pollable
from games.play.models import Match, Seat
from games.play.store import writing

log = logging.getLogger(__name__)

PER_PAGE = 25

PAGE = "settings_devices"
"""The name of the page with devices, webhooks and the calendar."""


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """Show a page of the reader's notices, the newest first. Looking at them changes nothing."""
    now = timezone.now()
    told = with_matches(notices_of(request.user))
    page: Page[Notice] = Paginator(told, PER_PAGE).get_page(request.GET.get("page"))
    shown = [(notice, *words_on_a_page(notice)) for notice in page]
    return TemplateResponse(request, "notifications/centre.html", {"page": page, "notices": shown, "until": now})


@require_safe
@login_required
@pollable
def news(request: HtmxRequest) -> HttpResponse:
    """Answer what is new for the reader on any page, as its socket would (`PersonalConsumer`)."""
    return polling.answer(request, *polling.of_person(request.user))


@require_POST
@login_required
def seen(request: HttpRequest) -> HttpResponse:
    """Mark the reader's notices as seen, up to the moment named by `until`."""
    try:
        until = parse_datetime(request.POST.get("until", ""))
    except ValueError:
        until = None
    mark_all_seen(request.user, until if until is not None and timezone.is_aware(until) else timezone.now())
    return redirect("notices")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show what the reader hears about and through which channels; a POST changes it."""
    reader = person_of(request)
    form = PreferencesForm(posted(request), instance=Preferences.of(reader), channels=channels_of(reader))
    if form.is_bound and form.is_valid():
        with writing():
            planning.schedule_daily(form.save())
        messages.success(request, _("Saved."))
        return redirect("settings_notices")
    status = 422 if form.is_bound else 200
    return TemplateResponse(request, "notifications/settings_notices.html", {"form": form}, status=status)


def channels_of(reader: User) -> list[Channel]:
    """Return the channels that reach somebody: pages, and what they have set up."""
    reached = {
        Channel.PAGE: True,
        Channel.PUSH: Device.objects.filter(user=reader).exists(),
        Channel.MAIL: verified_address(reader) is not None,
        Channel.WEBHOOK: Webhook.objects.filter(user=reader).exists(),
    }
    return [channel for channel, reaches in reached.items() if reaches]


@csrf_exempt  # mail programs post without having loaded it (RFC 8058); the token gives the right
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_by_token(request: HttpRequest, token: str) -> HttpResponse:
    """Show what will be switched off; a POST switches it off, `all` every email, without login or cookie."""
    found = read_unsubscribe_token(token)
    if found is None:
        raise Http404
    user, kind = found
    if request.method == "POST":
        unsubscribe(user, *(MAILED if "all" in request.POST else (kind,)))
    wanted = {kind for kind in MAILED if Preferences.of(user).wants(kind, Channel.MAIL)}
    with in_words_of(user):
        context = {"kind": kind.label, "wanted": kind in wanted, "others": wanted - {kind}, "token": token}
        return TemplateResponse(request, "notifications/unsubscribe.html", context).render()


@require_POST
@for_members
def mute(request: HtmxRequest, slug: str) -> HttpResponse:
    """Mute a match for one of its players, or with `off` unmute it."""
    table = access_match(request.user, slug)
    if table.mine is None or table.mine.user is None:
        raise Http404
    muted = "off" not in request.POST
    mute_match(table.mine.user, table.match, muted=muted)
    text = _("You will hear nothing more about this match.") if muted else _("You will hear about this match again.")
    messages.success(request, text)
    return redirect(table.match)


@csrf_exempt  # reached from an email, perhaps in another browser; the token gives the right
@require_http_methods(["GET", "HEAD", "POST"])
def mute_by_token(request: HttpRequest, token: str) -> HttpResponse:
    """Show which match would be muted; a POST mutes it, or with `off` unmutes it, without login or cookie."""
    found = read_mute_token(token)
    if found is None:
        raise Http404
    user, match = found
    if request.method == "POST":
        mute_match(user, match, muted="off" not in request.POST)
    with in_words_of(user):
        muted = Mute.objects.filter(user=user, match=match).exists()
        context = {"match": match, "names": against(match, user), "muted": muted, "token": token}
        return TemplateResponse(request, "notifications/mute_by_token.html", context).render()


# --- devices, webhooks and the calendar -------------------------------------------------------------------------------


def for_owners(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Send visitors to log in, and then to the page of devices: what they asked for was a POST."""

    @wraps(view)
    def wrapped(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *arguments, **named)
        return redirect_to_login(reverse(PAGE))

    return wrapped


def _devices_page(request: HttpRequest, form: WebhookForm | None = None, status: int = 200) -> HttpResponse:
    """Return the page, with the form of a webhook as it was sent if something is wrong with it."""
    user = person_of(request)
    own = Preferences.objects.filter(user=user).first()  # a calendar has an address once they are stored
    context = {
        "own": Device.objects.filter(user=user, session=request.session.session_key or "").first(),
        "devices": Device.objects.filter(user=user),
        "most": push.MOST_DEVICES,
        "vapid_key": push.public_key(),
        "webhooks": [(it, urlsplit(it.address).hostname) for it in Webhook.objects.filter(user=user)],
        "form": form or WebhookForm(user),
        "signature": SIGNATURE,
        "calendar": f"{settings.SITE_URL}{reverse('calendar', args=[own.feed_key])}" if own else "",
    }
    return TemplateResponse(request, "notifications/settings_devices.html", context, status=status)


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script of push messages and of the offline page: from the root, so that it can serve every page."""
    return TemplateResponse(
        request,
        "notifications/service-worker.js",
        {"version": getattr(staticfiles_storage, "manifest_hash", "")},
        content_type="text/javascript; charset=utf-8",
    )


@require_safe
@login_required
def settings_devices(request: HttpRequest) -> HttpResponse:
    """Show where the reader gets messages outside the site."""
    return _devices_page(request)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def this_device(request: HttpRequest) -> HttpResponse:
    """Answer what a browser needs to subscribe; a POST registers its subscription."""
    if request.method != "POST":
        return JsonResponse({"key": push.public_key(), "token": get_token(request)})
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=422)
    spend("device", person_of(request))
    push.register_device(request, person_of(request), **form.cleaned_data)
    return HttpResponse(status=204)


def _test_message() -> Message:
    text = _("This is where Tessera will tell you what happens in your matches.")
    return trials.message(text, reverse(PAGE))


@require_POST
@for_owners
def remove_device(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a device."""
    push.forget_device(request, get_object_or_404(Device, pk=pk, user=person_of(request)))
    messages.success(request, _("This device no longer gets notifications."))
    return redirect(PAGE)


@require_POST
@for_owners
def test_device(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test message to a device."""
    user = person_of(request)
    device = get_object_or_404(Device.objects.select_related("user"), pk=pk, user=user)
    delivery = Delivery(user=user, channel=Channel.PUSH, device=device, key=f"test-{secrets.token_hex(8)}")
    trials.try_out(request, _test_message(), lambda message: Push().send(delivery, message))
    return redirect(PAGE)


@require_POST
@for_owners
def new_calendar(request: HttpRequest) -> HttpResponse:
    """Make a new link to the reader's calendar; the old one stops working."""
    spend("calendar", person_of(request))
    fields = {"feed_key": secrets.token_urlsafe(), "language": request.LANGUAGE_CODE}
    Preferences.objects.update_or_create(user=person_of(request), defaults=fields)
    messages.success(request, _("Here is your new address. The old one no longer works."))
    return redirect(PAGE)


@require_POST
@for_owners
def add_webhook(request: HttpRequest) -> HttpResponse:
    """Add a webhook."""
    form = WebhookForm(person_of(request), request.POST)
    if not form.is_valid():
        return _devices_page(request, form, 422)
    spend("webhook", person_of(request))
    try:
        with transaction.atomic():
            form.save()
    except IntegrityError:  # sent twice in the same moment
        return redirect(PAGE)
    messages.success(request, _("Added. Send a test message to see whether it works."))
    return redirect(PAGE)


@require_POST
@for_owners
def remove_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a webhook."""
    get_object_or_404(Webhook, pk=pk, user=person_of(request)).delete()
    messages.success(request, _("Webhook removed."))
    return redirect(PAGE)


@require_POST
@for_owners
def test_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test message to a webhook; if it is accepted, a disabled one is enabled again."""
    webhook = get_object_or_404(Webhook, pk=pk, user=person_of(request))
    key = f"test-{secrets.token_hex(8)}"
    trials.try_out(request, _test_message(), lambda message: webhooks.tell(webhook, message, key))
    return redirect(PAGE)


# --- the calendar -----------------------------------------------------------------------------------------------------


@require_safe
def personal_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Return the calendar that a key belongs to, in its owner's language. No login: calendar programs have none.

    Calendar programs often ask for English, whoever their user is, so the request's own language is ignored.
    """
    preferences = Preferences.objects.filter(feed_key=key, user__is_active=True).select_related("user").first()
    if preferences is None:
        raise Http404
    language = preferences.user.language or preferences.language or translation.get_language()
    with in_words_of(preferences.user), translation.override(language):
        response = calendars.answer(calendars.calendar_of(preferences.user))
    response["Cache-Control"] = f"private, max-age={15 * 60}"
    return response


@require_safe
def table_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a planned table as a file for a calendar program."""
    match = access_match(request.user, slug).match
    if not match.is_planned:
        raise Http404
    return calendars.answer(calendars.calendar([calendars.table_entry(match, request.user)]), f"tessera-{match.slug}")


# --- on other pages ---------------------------------------------------------------------------------------------------

register = template.Library()


@register.inclusion_tag("notifications/mute.html", takes_context=True)
def mute_button(context: dict[str, Any], match: Match) -> dict[str, Any]:
    """Offer the players of a match that has not ended to mute or unmute it."""
    return {"slug": match.slug, "muted": _is_muted(context["user"], match), "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("notifications/push_mark.html", takes_context=True)
def push_mark(context: dict[str, Any]) -> dict[str, Any]:
    """Show the script what to compare the push subscription of this browser with, if it is to have one."""
    request = context.get("request")
    mark = push.endpoint_digest(request) if request is not None else None
    return {"mark": mark, "key": push.public_key() if mark is not None else ""}


def _is_muted(user: Any, match: Match) -> bool | None:
    """Return whether a player has muted a match; None for others, and when nothing more will be told of it."""
    if not user.is_authenticated or not (match.is_open or match.is_running) or match.seat_count == 1:
        return None
    mutes = Exists(Mute.objects.filter(user=user, match=match))
    return Seat.objects.filter(user=user, match=match, left=None).values_list(mutes, flat=True).first()
