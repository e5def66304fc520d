"""The pages for one's own data, its export and the end of the account, and the legal pages."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language, gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.logins import DEVICE_COOKIE, DEVICE_COOKIE_AGE
from accounts.mail import verified_address
from accounts.models import FormerName, User
from accounts.requests import HtmxRequest
from accounts.services import KEPT, person_of
from games.play.models import Match, Seat
from games.privacy import deletions, exports
from games.privacy.exports import archive_name
from games.privacy.legal import retention_table, said_on
from games.privacy.models import Deletion


@require_safe
@login_required
def own_data(request: HtmxRequest) -> HttpResponse:
    """Show what is kept about the reader and who can see it; htmx gets only the progress of an export."""
    reader = person_of(request)
    export = exports.of(reader)
    if request.htmx:
        return TemplateResponse(request, "privacy/export_state.html", {"export": export})
    context = {
        "export": export,
        "finished": Seat.objects.filter(user=reader, ended_at__isnull=False).count(),
        "former": FormerName.objects.filter(user=reader, given_up_at__gt=timezone.now() - KEPT),
        "kept": KEPT.days,
    }
    return TemplateResponse(request, "privacy/settings_data.html", context)


@require_POST
@login_required
def export(request: HttpRequest) -> HttpResponse:
    """Request a file with everything that is kept about the reader."""
    asked = exports.ask(person_of(request), get_language() or "en")
    if asked.is_ready:
        messages.info(request, _("Your file is ready. You can ask for another one once it has been removed."))
    return redirect("settings_data")


@require_safe
@login_required
def file(request: HttpRequest, token: str) -> HttpResponseBase:
    """Serve the reader's own file; 404 for everybody else, and if there is none."""
    found = exports.of(person_of(request))
    if found is None or not found.is_ready or not constant_time_compare(found.key, token):
        raise Http404
    headers = {
        "Content-Disposition": f'attachment; filename="{archive_name(person_of(request))}"',
        "Content-Length": str(found.size),
        "Content-Encoding": "identity",  # a ZIP is compressed already
    }
    return StreamingHttpResponse(exports.content_of(found), content_type="application/zip", headers=headers)


_LAST = gettext_lazy("You are the last administrator. Make someone else one before you delete your account.")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete_account(request: HttpRequest) -> HttpResponse:
    """Explain what deleting the account means; a POST requests it.

    Members must enter their password or second factor first. Guests have neither.
    """
    reader = person_of(request)
    if not reader.guest:
        raise_if_reauthentication_required(request, app="allauth.account")
    return _ask_for_deletion(request, reader) if request.method == "POST" else _deletion_page(request, reader)


def _deletion_page(request: HttpRequest, reader: User, **more: Any) -> HttpResponse:
    seats = Seat.objects.filter(user=reader)
    context = {
        "address": verified_address(reader),
        "running": seats.filter(match__status=Match.Status.RUNNING, left=None).count(),
        "open": seats.filter(match__status=Match.Status.OPEN).count(),
        "grace": deletions.GRACE.days,
        "deletion": Deletion.objects.filter(user=reader).first(),
        **more,
    }
    return TemplateResponse(request, "privacy/settings_delete.html", context)


def _ask_for_deletion(request: HttpRequest, reader: User) -> HttpResponse:
    refusal: HttpResponse | None = ratelimit.consume_or_429(request, action="delete_account", user=reader)
    if refusal is not None:
        return refusal
    try:
        asked = deletions.ask(reader)
    except deletions.LastAdministratorError:
        messages.error(request, _LAST)
        return redirect("settings_delete")
    if asked.is_confirmed:
        return _deletion_planned(request, asked)
    return _deletion_page(request, reader, sent=True)


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_deletion(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link in the email is for; a POST confirms the deletion. Having the link is enough."""
    found = deletions.find_by_token(token)
    if found is None:
        return TemplateResponse(request, "privacy/delete_confirm.html", {"deletion": None}, status=404)
    if request.method == "POST":
        try:
            return _deletion_planned(request, deletions.confirm(found))
        except deletions.LastAdministratorError:
            messages.error(request, _LAST)
            return redirect("delete_confirm", token)
    context = {"deletion": found, "grace": deletions.GRACE.days}
    return TemplateResponse(request, "privacy/delete_confirm.html", context)


def _deletion_planned(request: HttpRequest, deletion: Deletion) -> HttpResponse:
    """Log the reader out if it is their account, and show when the account ends."""
    if request.user.pk == deletion.user_id:
        logout(request)
    return TemplateResponse(request, "privacy/delete_planned.html", {"deletion": deletion})


@require_POST
@login_required
def keep_account(request: HttpRequest) -> HttpResponse:
    """Keep the account after all, for somebody whose browser is still logged in."""
    if deletions.take_back(person_of(request)):
        messages.success(request, _("Your account will not be deleted."))
    return redirect("settings_data")


@require_safe
def legal_page(request: HttpRequest, page: str) -> HttpResponse:
    """Show the operator's text for a page; about privacy also what every such site stores for how long."""
    context: dict[str, Any] = {"said": said_on(page, get_language() or "en")}
    if page == "privacy":
        context["kept"] = list(retention_table())
        context |= {"device": DEVICE_COOKIE, "device_days": DEVICE_COOKIE_AGE.days}
    return TemplateResponse(request, f"privacy/{page}.html", context)
