"""Adding, trying and removing webhooks."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.limits import spend
from accounts.readers import person_of
from games.notifications.channels import webhooks
from games.notifications.models import Webhook
from games.notifications.pages import channels_page
from games.notifications.pages.channels_forms import WebhookForm
from games.notifications.pages.channels_page import PAGE, for_owners


@require_POST
@for_owners
def add(request: HttpRequest) -> HttpResponse:
    """Add a webhook."""
    form = WebhookForm(person_of(request), request.POST)
    if not form.is_valid():
        return channels_page.show(request, form, 422)
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
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a webhook."""
    get_object_or_404(Webhook, pk=pk, user=person_of(request)).delete()
    messages.success(request, _("Webhook removed."))
    return redirect(PAGE)


@require_POST
@for_owners
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test message to a webhook; if it is accepted, a disabled one is enabled again."""
    webhook = get_object_or_404(Webhook, pk=pk, user=person_of(request))
    key = f"test-{secrets.token_hex(8)}"
    channels_page.try_out(request, lambda message: webhooks.tell(webhook, message, key))
    return redirect(PAGE)
