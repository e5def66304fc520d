"""The lists of matches and tables: the lobby, planned tables, my matches.

Nothing here changes anything, except that the lobby remembers the filters it was last asked for.
"""

from __future__ import annotations

import time
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from accounts.relations import blocked_with
from games.matchmaking import calendar, counting, filters, mine
from games.matchmaking.consumers import FRESH_ENOUGH
from games.matchmaking.entries import Listing, changes
from games.matchmaking.listing import HOST_SHARE
from games.matchmaking.lobby import lists_for, lobby_page, own_tables, page_number, running_matches
from games.play.models import Match
from games.play.pages import polling
from games.play.pages.http import HtmxRequest
from games.play.pages.polling import Part, pollable


@require_safe
def lobby(request: HtmxRequest) -> HttpResponse:
    """Show open tables and matches to watch; the page keeps itself current by socket.

    Filters in the address are remembered, those remembered are used when it says nothing about them.
    """
    asked = filters.asked(request)
    chosen = filters.remembered(request) if asked is None else asked
    now, known = time.monotonic(), request.user.is_authenticated
    page = lobby_page(page_number(request.GET.get("page", "")), now, chosen, request.user)
    context = {
        "page": page,
        "form": filters.form_of(chosen, known),
        "chosen": filters.in_words(page.filters),
        "no_filters": filters.Filters(),
        "share": HOST_SHARE,
        "wait": counting.wait_in_words(request.user) if known else "",
        "own": mark_safe(own_tables(request.user) if known else ""),  # noqa: S308  # its template escapes everything
        "tables": page.listing(known, blocked_with(request.user)),
        "running": running_matches(now).listing(),
    }
    response = TemplateResponse(request, "matchmaking/lobby.html", context)
    if asked is not None and request.method == "GET" and asked != filters.remembered(request):
        filters.remember(request, response, asked)
    return response


@require_safe
@pollable
def lobby_news(request: HtmxRequest) -> HttpResponse:
    """Say what is new in the lobby, as its socket would (`LobbyConsumer`); the filters are those in the address."""
    since = time.monotonic() - FRESH_ENOUGH
    own, lists = lists_for(request.user, page_number(request.GET.get("page", "")), filters.read(request.GET), since)
    parts = [_of_list(name, listing) for name, listing in lists.items()]
    return polling.answer(
        request, *parts, Part(own, lambda _: [{"content": {"own": own}}]), *polling.of_person(request.user)
    )


def _of_list(name: str, listing: Listing) -> Part:
    state = [(it.name, it.version) for it in listing.entries], listing.more, listing.below
    return Part(state, lambda _: [{"content": {name: changes(listing, None)}}])


@require_safe
def planned_tables(request: HtmxRequest) -> HttpResponse:
    """Show the planned tables by day, those that fit the filters in the address."""
    chosen, known = filters.read(request.GET), request.user.is_authenticated
    days = calendar.days(request.user, chosen)
    listed = render_to_string("matchmaking/planned_days.jinja", {"days": days}, using="boards") if days else ""
    context = {
        "listed": mark_safe(listed),  # noqa: S308  # its template escapes everything
        "zone": timezone.get_current_timezone_name(),
        "form": filters.form_of(chosen, known),
        "filtered": chosen.any_set,
        "wait": counting.wait_in_words(request.user) if known else "",
    }
    return TemplateResponse(request, "matchmaking/planned.html", context)


@require_safe
@login_required
def my_matches(request: HtmxRequest) -> HttpResponse:
    """Show the reader's matches, those waiting for them first."""
    lists = mine.matches_of(request.user)
    context = {"lists": lists, "listings": mine.listings_of(request.user, lists)}
    return TemplateResponse(request, "matchmaking/my_matches.html", context)


@require_safe
@login_required
@pollable
def my_matches_news(request: HtmxRequest) -> HttpResponse:
    """Say what is new among the reader's matches, as the socket of their page would (`MineConsumer`)."""

    def lists(_before: str) -> list[dict[str, Any]]:
        found = mine.listings_of(request.user, mine.matches_of(request.user))
        return [{"content": {f"{name}-list": changes(listing, None) for name, listing in found.items()}}]

    versions = sorted(mine.versions_of(request.user).items())
    return polling.answer(request, Part(versions, lists), *polling.of_person(request.user))


@require_safe
@login_required
def next_match(request: HtmxRequest) -> HttpResponse:
    """Go to the match that has waited longest, other than `after`; to the list if none is waiting."""
    waiting = Match.objects.waiting_for(request.user).exclude(slug=request.GET.get("after", ""))
    following = waiting.first()
    return redirect("my_matches" if following is None else following)
