"""Devices that take push messages, the service worker that shows them, and the link of the calendar."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import spend
from accounts.readers import person_of
from games.notifications.channels import devices, vapid
from games.notifications.channels.push import Push
from games.notifications.models import Channel, Delivery, Device, Preferences
from games.notifications.pages import channels_page
from games.notifications.pages.channels_forms import SubscriptionForm
from games.notifications.pages.channels_page import PAGE, for_owners


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
def page(request: HttpRequest) -> HttpResponse:
    """Show where the reader gets messages outside the site."""
    return channels_page.show(request)


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def this_device(request: HttpRequest) -> HttpResponse:
    """Answer what a browser needs to subscribe; a POST registers its subscription."""
    if request.method != "POST":
        return JsonResponse({"key": vapid.public_key(), "token": get_token(request)})
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=422)
    spend("device", person_of(request))
    devices.register(request, person_of(request), **form.cleaned_data)
    return HttpResponse(status=204)


@require_POST
@for_owners
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a device."""
    devices.forget(request, get_object_or_404(Device, pk=pk, user=person_of(request)))
    messages.success(request, _("This device no longer gets messages."))
    return redirect(PAGE)


@require_POST
@for_owners
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test message to a device."""
    user = person_of(request)
    device = get_object_or_404(Device.objects.select_related("user"), pk=pk, user=user)
    delivery = Delivery(user=user, channel=Channel.PUSH, device=device, key=f"test-{secrets.token_hex(8)}")
    channels_page.try_out(request, lambda message: Push().send(delivery, message))
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
