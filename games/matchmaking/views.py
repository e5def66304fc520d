"""Pages with lists: the lobby, planned tables, somebody's matches, a series, people and challenging them.

GET changes nothing, except that the lobby remembers the filters it was last asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits, relations
from accounts.models import User
from accounts.requests import HtmxRequest
from accounts.services import (
    access_player,
    here_for,
    is_looking,
    look_for_a_game,
    person_of,
    show_presence,
    stop_looking,
    wanted_next,
)
from games.bots.conditions import conditions_of, terms_in_words
from games.engine.protocol import RuleViolation
from games.matchmaking import filters, planned, tables
from games.matchmaking.consumers import FRESH_ENOUGH
from games.matchmaking.finding import LISTED, find_people
from games.matchmaking.forms import challenge_form, challenge_offers
from games.matchmaking.limits import RATED, have_played_enough, no_show_wait_in_words
from games.matchmaking.lobby import (
    Listing,
    listed_for,
    listing_changes,
    listings_of,
    lists_for,
    lobby_page,
    matches_of,
    open_to,
    own_tables,
    page_number,
    running_live,
    running_matches,
    versions_of,
    with_people,
)
from games.matchmaking.series import GOALS, Score, leave_series, matches_of_series, score_of
from games.matchmaking.table_views import WAIT
from games.play.access import access_match, for_members
from games.play.live import polling
from games.play.live.polling import Part, pollable
from games.play.models import Match
from games.titles import titles


@require_safe
def lobby(request: HtmxRequest) -> HttpResponse:
    """Show open tables, and matches to watch as of a moment ago; the page keeps itself current by socket.

    Filters in the address are remembered; without any, the remembered ones apply.
    """
    asked = filters.asked_filters(request)
    chosen = filters.remembered_filters(request) if asked is None else asked
    now, known = time.monotonic(), request.user.is_authenticated
    page = lobby_page(page_number(request.GET.get("page", "")), now, chosen, request.user)
    context = {
        "page": page,
        "form": filters.filter_form(chosen, known),
        "chosen": filters.filters_in_words(page.filters),
        "no_filters": filters.Filters(),
        "share": filters.HOST_SHARE,
        "wait": no_show_wait_in_words(request.user) if known else "",
        "own": mark_safe(own_tables(request.user) if known else ""),  # noqa: S308  # its template escapes everything
        "tables": page.listing(known, relations.blocked_with(request.user)),
        "running": running_matches(now - FRESH_ENOUGH).listing(),
    }
    response = TemplateResponse(request, "matchmaking/lobby.html", context)
    if asked is not None and request.method == "GET" and asked != filters.remembered_filters(request):
        filters.remember_filters(request, response, asked)
    return response


@require_safe
@pollable
def lobby_news(request: HtmxRequest) -> HttpResponse:
    """Answer a poll with what the socket of the lobby would push (`LobbyConsumer`)."""
    since = time.monotonic() - FRESH_ENOUGH
    number, chosen = page_number(request.GET.get("page", "")), filters.read_filters(request.GET)
    own, lists = lists_for(request.user, number, chosen, since)

    def part(name: str, listing: Listing) -> Part:
        state = [(it.name, it.version) for it in listing.entries], listing.more, listing.below
        return Part(state, lambda _: [{"content": {name: listing_changes(listing, None)}}])

    parts = [*(part(name, it) for name, it in lists.items()), Part(own, lambda _: [{"content": {"own": own}}])]
    return polling.answer(request, *parts, *polling.of_person(request.user))


@require_safe
def planned_tables(request: HtmxRequest) -> HttpResponse:
    """Show the planned tables by day, those that fit the filters in the address."""
    chosen, known = filters.read_filters(request.GET), request.user.is_authenticated
    days = planned.planned_days(request.user, chosen)
    listed = render_to_string("matchmaking/planned_days.jinja", {"days": days}, using="boards") if days else ""
    context = {
        "listed": mark_safe(listed),  # noqa: S308  # its template escapes everything
        "zone": timezone.get_current_timezone_name(),
        "form": filters.filter_form(chosen, known),
        "filtered": chosen.any_set,
        "wait": no_show_wait_in_words(request.user) if known else "",
    }
    return TemplateResponse(request, "matchmaking/planned.html", context)


@require_safe
@login_required
def my_matches(request: HtmxRequest) -> HttpResponse:
    """Show the reader's matches, those waiting for them first."""
    lists = matches_of(request.user)
    context = {"lists": lists, "listings": listings_of(request.user, lists)}
    return TemplateResponse(request, "matchmaking/my_matches.html", context)


@require_safe
@login_required
@pollable
def my_matches_news(request: HtmxRequest) -> HttpResponse:
    """Answer a poll with what the socket of "My matches" would push (`MineConsumer`)."""

    def lists(_before: str) -> list[dict[str, Any]]:
        found = listings_of(request.user, matches_of(request.user))
        return [{"content": {f"{name}-list": listing_changes(listing, None) for name, listing in found.items()}}]

    versions = sorted(versions_of(request.user).items())
    return polling.answer(request, Part(versions, lists), *polling.of_person(request.user))


@require_safe
@login_required
def next_match(request: HtmxRequest) -> HttpResponse:
    """Go to the match that has waited longest for the reader, except `after`; to the list if there is none."""
    following = Match.objects.waiting_for(request.user).exclude(slug=request.GET.get("after", "")).first()
    return redirect("my_matches" if following is None else following)


@require_safe
def series(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the score and the matches of a series."""
    score = _score(request, slug)
    matches = matches_of_series(score.series)
    latest = matches[-1].match
    context = {
        "score": score,
        "matches": matches,
        "latest": latest,
        "title": latest.title,
        "slug": slug,
        "mine": score.goes_on and score.is_played_by(request.user),
    }
    return TemplateResponse(request, "matchmaking/series.html", context)


@require_POST
@for_members
def series_leave(request: HtmxRequest, slug: str) -> HttpResponse:
    """End a series for everybody in it."""
    try:
        leave_series(_score(request, slug).series.pk, request.user)
    except RuleViolation as violation:
        messages.error(request, gettext(violation.text))
    return redirect("series", slug)


def _score(request: HtmxRequest, slug: str) -> Score:
    score = score_of(access_match(request.user, slug).match)
    if score is None:
        raise Http404
    return score


# --- people -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody as another sees them.

    Args:
        person: who it is.
        online: whether they are here and show it.
        looking: whether they look for a game, which only friends see.
        match: a live match of theirs that can be watched now.
        table: an open table of theirs that the reader could join.
    """

    person: User
    online: bool = False
    looking: bool = False
    match: Match | None = None
    table: Match | None = None


def people_of(reader: Any) -> dict[str, list[Any]]:
    """Return the lists of a reader's people by name: `friends` and `followed`, as `Companion`, those here first."""
    circle = relations.circle_of(reader)
    around = User.objects.filter(pk__in=circle.friends | circle.followed).order_by("name_key")
    people = list(around) if circle.friends or circle.followed else []
    seen = seen_by(reader, [person for person in people if person.pk not in circle.apart], circle)

    def here_first(those: Iterable[User]) -> list[Companion]:
        shown = [seen.get(person.pk, Companion(person)) for person in those]
        return sorted(shown, key=lambda it: (not it.online, it.person.name_key))

    return {
        "friends": here_first(person for person in people if person.pk in circle.friends),
        "asking": list(relations.requests_to(reader)) if circle.asking else [],
        "asked": list(relations.requests_by(reader)),
        "followed": here_first(person for person in people if person.pk not in circle.friends),
        "blocked": list(relations.blocked_by(reader)) if circle.apart else [],
    }


def seen_by(reader: Any, people: Collection[User], circle: relations.Circle) -> Mapping[int, Companion]:
    """Return people as the reader sees them, by key.

    Args:
        reader: who looks.
        people: whom they look at.
        circle: the people around the reader.
    """
    keys = {person.pk for person in people}
    here = here_for(reader, keys)
    tables = _by_person(open_to(reader, keys, circle), keys)
    watched = _by_person(with_people(running_live().filter(listed_for(circle), seats__user__in=here).distinct()), here)
    return {
        person.pk: Companion(
            person,
            online=person.pk in here,
            looking=person.pk in circle.friends and is_looking(person),
            match=watched.get(person.pk),
            table=tables.get(person.pk),
        )
        for person in people
    }


def _by_person(matches: Iterable[Match], keys: Collection[int]) -> dict[int, Match]:
    """Return the newest of the matches for each of these people."""
    found: dict[int, Match] = {}
    for match in sorted(matches, key=lambda it: it.pk):
        found.update({key: match for seat in match.seats.all() if (key := seat.user_id) is not None and key in keys})
    return found


PERSON_ACTIONS: Final[Mapping[str, Callable[[User, User], object]]] = {
    "ask": relations.request_friendship,
    "accept": relations.accept_request,
    "decline": relations.decline_request,
    "remove": relations.end_friendship,
    "follow": relations.follow,
    "unfollow": relations.unfollow,
    "block": relations.block,
    "unblock": relations.unblock,
}
"""What the reader can do about somebody, by the name of the button."""


@require_safe
@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Show friends, requests, whom the reader follows and whom they blocked; and whom they search for (`name`)."""
    reader, name = person_of(request), request.GET.get("name", "").strip()
    if name:
        limits.spend("find", reader)
    context = {
        "people": people_of(reader),
        "looking": is_looking(reader),
        "name": name,
        "found": find_people(reader, name, LISTED) if name else [],
    }
    return TemplateResponse(request, "matchmaking/people.html", context)


@require_safe
def people_find(request: HttpRequest) -> HttpResponse:
    """Return the options that a field suggests for the beginning of a name (`name`), or for none."""
    limits.spend("find", request.user)
    found = find_people(request.user, request.GET.get("name", ""))
    return TemplateResponse(request, "matchmaking/suggestions.html", {"found": found})


@require_POST
@login_required
def person_change(request: HttpRequest, username: str) -> HttpResponse:
    """Do one of `PERSON_ACTIONS` about somebody and go back to `next`, or to their profile."""
    other, name = access_player(username), request.POST.get("do", "")
    if name not in PERSON_ACTIONS:
        messages.error(request, gettext("The page sent an incomplete request. Please reload it."))
    else:
        try:
            PERSON_ACTIONS[name](person_of(request), other)
        except ValidationError as refusal:
            messages.error(request, refusal.messages[0])
    return redirect(wanted_next(request, other.get_absolute_url()))


@require_POST
@login_required
def people_presence(request: HttpRequest) -> HttpResponse:
    """Let others see whether the reader is online (`shows`: yes or no) or looks for a game (`looking`: likewise)."""
    reader = person_of(request)
    if "shows" in request.POST:
        show_presence(reader, request.POST["shows"] == "yes")
    if "looking" in request.POST:
        (look_for_a_game if request.POST["looking"] == "yes" else stop_looking)(reader)
    return redirect(wanted_next(request, reverse("people")))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def challenge(request: HtmxRequest, username: str) -> HttpResponse:
    """Offer the games to challenge somebody to; a POST opens the table and invites them."""
    reader, other = person_of(request), access_player(username)
    if other == reader:
        return redirect("profile", other.username)
    if request.method != "POST" or reader.guest:
        return _challenge_page(request, reader, other)
    slug = request.POST.get("game", "")
    if slug not in titles():
        return _challenge_page(request, reader, other, gettext("Please choose one."), 422)
    form = challenge_form(titles()[slug], reader, other, request.POST.get("first_to", ""))
    if not form.is_valid():
        return redirect(f"{reverse('table_new')}?{urlencode({'game': slug, 'invite': other.username})}")
    try:
        return redirect(tables.open_table(reader, form.setup()))
    except RuleViolation as violation:
        status = 429 if violation.code.startswith(WAIT) else 422
        return _challenge_page(request, reader, other, gettext(violation.text), status)


def _challenge_page(request: HtmxRequest, user: User, other: User, error: str = "", status: int = 200) -> HttpResponse:
    context = {
        "other": other,
        "offers": [] if user.guest else challenge_offers(user, other),
        "goals": GOALS,
        "error": error,
        "terms": terms_in_words(conditions_of(other)) if other.is_bot else [],
        "enough": RATED.most if have_played_enough([user, other]) else 0,
    }
    return TemplateResponse(request, "matchmaking/challenge.html", context, status=status)
