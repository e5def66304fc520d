"""The page of devices, webhooks and the calendar, and what its views share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.readers import person_of
from games.notifications.channels import devices, trying, vapid
from games.notifications.channels.webhooks_styles import SIGNATURE
from games.notifications.models import Device, Preferences, Webhook
from games.notifications.notices.messages import Message
from games.notifications.pages.channels_forms import WebhookForm

PAGE = "settings_devices"


def for_owners(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Send visitors to log in first, and from there to the page: the address of a POST shows nothing."""

    @wraps(view)
    def wrapped(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *arguments, **named)
        return redirect_to_login(reverse(PAGE))

    return wrapped


def show(request: HttpRequest, form: WebhookForm | None = None, status: int = 200) -> HttpResponse:
    """Return the page, with the form for a webhook as it was sent if something is wrong with it."""
    user = person_of(request)
    own = Device.objects.filter(user=user, session=request.session.session_key or "").first()
    context = {
        "own": own,
        "devices": Device.objects.filter(user=user),
        "most": devices.MOST,
        "vapid_key": vapid.public_key(),
        "webhooks": [(it, urlsplit(it.address).hostname) for it in Webhook.objects.filter(user=user)],
        "form": form or WebhookForm(user),
        "signature": SIGNATURE,
        "calendar": _calendar(user),
    }
    return TemplateResponse(request, "notifications/settings_devices.html", context, status=status)


def _calendar(user: User) -> str:
    """Return the address of somebody's calendar, empty until they have one."""
    told = Preferences.objects.filter(user=user).first()
    return f"{settings.SITE_URL}{reverse('calendar', args=[told.feed_key])}" if told else ""


def try_out(request: HttpRequest, send: Callable[[Message], None]) -> None:
    """Send a test message and report the result."""
    try:
        failure = trying.try_out(person_of(request), send)
    except trying.Busy:
        messages.error(request, _("Too many test messages. Please wait a minute."))
        return
    if failure:
        messages.error(request, _("The test message did not arrive: %(why)s.") % {"why": failure.rstrip(".")})
    else:
        messages.success(request, _("The test message is on its way."))
