"""The guide to the API, and the page of a person’s tokens."""

from __future__ import annotations

from typing import Final

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import PROGRAM, STREAMS
from accounts.requests import posted
from accounts.services import person_of, stored_person_of
from games.api import tokens
from games.api.forms import TokenForm
from games.api.models import Scope
from games.api.v1 import ROOT, leaving
from games.engine.protocol import RuleViolation

BOT: Final = settings.BASE_DIR / "examples/bot.py"


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """Explain the API, with examples to try."""
    context = {
        "root": f"{settings.SITE_URL}{ROOT}/",
        "scopes": Scope,
        "at_once": PROGRAM.most,
        "a_second": PROGRAM.per_second,
        "streams": STREAMS,
        "leaving": leaving.LEAVING,
        "site": settings.SITE_URL,
        "bot": BOT.read_text(),
    }
    return TemplateResponse(request, "api/guide.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth ships no types
def settings_tokens(request: HttpRequest) -> HttpResponse:
    """List the reader's tokens; a POST makes one and shows it, this once."""
    user, made = stored_person_of(request), ""
    form = TokenForm(posted(request))
    if form.is_bound and form.is_valid():
        try:
            _token, made = tokens.make(user, **form.asked())
        except RuleViolation as violation:
            form.add_error(None, violation.text)
        else:
            form = TokenForm()
    context = {"form": form, "made": made, "tokens": tokens.of(user), "most": tokens.MOST}
    status = 422 if form.is_bound else 200
    return TemplateResponse(request, "api/settings_tokens.html", context, status=status)


@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the reader's tokens. A visitor logs in first and is then shown the list."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("settings_tokens"))
    if not tokens.revoke(person_of(request), pk):
        raise Http404
    messages.success(request, _("The token is revoked. Programs that use it can do nothing more."))
    return redirect("settings_tokens")
