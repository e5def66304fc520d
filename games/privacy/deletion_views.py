"""The pages on which somebody ends their account."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.readers import person_of
from games.play.models import Match, Seat
from games.privacy import deletions
from games.privacy.letters import address_of
from games.privacy.models import Deletion

_LAST = gettext_lazy("You are the last administrator. Make somebody else one before you delete your account.")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """Say what it means to delete the account; a POST asks for it.

    Members give their password or second factor first. Guests have neither.
    """
    reader = person_of(request)
    if not reader.guest:
        raise_if_reauthentication_required(request, app="allauth.account")
    return _ask(request, reader) if request.method == "POST" else _show(request, reader)


def _show(request: HttpRequest, reader: User, **more: Any) -> HttpResponse:
    seats = Seat.objects.filter(user=reader)
    context = {
        "address": address_of(reader),
        "running": seats.filter(match__status=Match.Status.RUNNING, left=None).count(),
        "open": seats.filter(match__status=Match.Status.OPEN).count(),
        "grace": deletions.GRACE.days,
        "deletion": Deletion.objects.filter(user=reader).first(),
        **more,
    }
    return TemplateResponse(request, "privacy/settings_delete.html", context)


def _ask(request: HttpRequest, reader: User) -> HttpResponse:
    refusal: HttpResponse | None = ratelimit.consume_or_429(request, action="delete_account", user=reader)
    if refusal is not None:
        return refusal
    try:
        asked = deletions.ask(reader)
    except deletions.LastAdministratorError:
        messages.error(request, _LAST)
        return redirect("settings_delete")
    if asked.is_confirmed:
        return _gone(request, asked)
    return _show(request, reader, sent=True)


@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link in the email is for; a POST confirms it. The link is enough: it came to the owner."""
    found = deletions.named_by(token)
    if found is None:
        return TemplateResponse(request, "privacy/delete_confirm.html", {"deletion": None}, status=404)
    if request.method == "POST":
        try:
            return _gone(request, deletions.confirm(found))
        except deletions.LastAdministratorError:
            messages.error(request, _LAST)
            return redirect("delete_confirm", token)
    context = {"deletion": found, "grace": deletions.GRACE.days}
    return TemplateResponse(request, "privacy/delete_confirm.html", context)


def _gone(request: HttpRequest, deletion: Deletion) -> HttpResponse:
    """Log the reader out if it is their account that ends, and say when it does."""
    if request.user.pk == deletion.user_id:
        logout(request)
    return TemplateResponse(request, "privacy/delete_planned.html", {"deletion": deletion})


@require_POST
@login_required
def keep(request: HttpRequest) -> HttpResponse:
    """Keep the account after all: for somebody whose browser has stayed logged in."""
    if deletions.take_back(person_of(request)):
        messages.success(request, _("Your account will not be deleted."))
    return redirect("settings_data")
