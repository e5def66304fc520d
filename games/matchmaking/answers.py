"""How requests to change a table are answered: with the changed table, where it leads to, or why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django_htmx.http import HttpResponseClientRedirect

from games.engine.protocol import RuleViolation
from games.matchmaking.nonces import read_nonce
from games.play.boards.fragments import match_fragment
from games.play.matches.access import access_match
from games.play.matches.viewed import ViewedMatch
from games.play.models import Match
from games.play.pages.http import HtmxRequest

WAIT = ("too-many", "must-wait", "unanswered")
"""The beginnings of the codes of refusals that pass with time."""


def nonce_of(request: HtmxRequest) -> bytes:
    """Return the random number that a browser added."""
    return read_nonce(request.POST.get("nonce", ""))


def change(request: HtmxRequest, slug: str, service: Callable[[Match], Any], leads_to: str = "") -> HttpResponse:
    """Run a service; answer with the changed table, or with the page it leads to."""
    table = access_match(request.user, slug)
    try:
        service(table.match)
    except RuleViolation as violation:
        return refused(request, slug, gettext(violation.text))
    if leads_to:
        return lead_to(request, reverse(leads_to))
    return _fragment(request, access_match(request.user, slug)) if request.htmx else redirect(table.match)


def refused(request: HtmxRequest, slug: str, text: str) -> HttpResponse:
    """Show the table as it is, and why nothing has changed."""
    if request.htmx:
        return _fragment(request, access_match(request.user, slug), text, 422)
    messages.error(request, text)
    return redirect("match", slug)


def _fragment(request: HtmxRequest, table: ViewedMatch, notice: str = "", status: int = 200) -> HttpResponse:
    response = HttpResponse(match_fragment(table, request.user, notice), status=status)
    response["X-Match-Version"] = str(table.match.version)
    return response


def lead_to(request: HtmxRequest, address: str) -> HttpResponse:
    """Let the browser show another page."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
