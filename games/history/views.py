"""The archive, profiles, the replay of a match and its record. Nothing here writes."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import select_template
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.services import access_player
from games.history import profiles
from games.history.archive import ArchivePage, Filters, archive_page
from games.history.endings import result_in_words
from games.history.forms import ArchiveForm
from games.history.replay import Replay, draws_of, record_file, record_name, replay_of, seals_of
from games.history.verification import is_checkable
from games.play.access import access_match
from games.play.http import HtmxRequest
from games.play.models import Match
from games.play.reducer.positions import nonces_of, seed_of
from games.play.reliability import reliability_of
from games.ratings.models import RatingChange

LATEST = 10
"""Matches on a profile; the rest is in the archive."""


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Show the finished matches that fit the filters; invalid filters are explained beside them."""
    form = ArchiveForm(request.GET)
    page = ArchivePage((), None, None)
    if form.is_valid():
        data = form.cleaned_data
        page = archive_page(request.user, form.filters(), data["before"], data["after"])
    status = HTTPStatus.OK if form.is_valid() else HTTPStatus.BAD_REQUEST
    player = form.cleaned_data.get("player")
    context = {"form": form, "page": page, "rows": page.rows, "player": player}
    return TemplateResponse(request, "history/archive.html", context, status=status)


@require_safe
def profile(request: HtmxRequest, username: str) -> HttpResponse:
    """Show a person: ratings, numbers, latest matches. Other spellings of the name redirect to the right one.

    `pool` chooses the chart; htmx gets only that.
    """
    person = access_player(username)
    if person.username != username:
        return redirect("profile", person.username)
    pools = profiles.pools_of(person)
    pool = profiles.chosen_of(pools, request.GET.get("pool", ""))
    context = {
        "person": person,
        "pools": pools,
        "pool": pool,
        "history": None if pool is None else profiles.history_of(request.user, pool),
    }
    if request.htmx and pool is None:
        raise Http404
    if request.htmx:
        return TemplateResponse(request, "history/pool.html", context)
    return TemplateResponse(request, "history/profile.html", context | _numbers(request.user, person))


def _numbers(reader: Any, person: User) -> dict[str, Any]:
    """Return what a profile shows besides the ratings."""
    statistics = profiles.statistics(reader, person)
    latest = archive_page(reader, Filters(player=person), size=profiles.FORM).rows
    return {
        "head": select_template(["accounts/profile_head.html", "history/person.html"]),
        "player": person,
        "reliability": reliability_of(person, Match.objects.seen_by(reader)),
        "statistics": statistics,
        "bounded": statistics.matches == profiles.LATEST,
        "counted_over": profiles.LATEST,
        "form": profiles.form_of(latest),
        "between": profiles.record_between(reader, person),
        "opponents": profiles.opponents_of(reader, person),
        "alone": profiles.best_alone(person),
        "counted": profiles.counts_of(reader, person),
        "rows": latest[:LATEST],
    }


@require_safe
def replay(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show a position of a match that has begun; htmx gets the part of the page that changes."""
    viewed = access_match(request.user, slug)
    if viewed.match.started_at is None:
        return redirect(viewed.match)
    if not is_checkable(viewed.match):
        return TemplateResponse(request, "history/old_rules.html", {"match": viewed.match})
    spot = replay_of(viewed, request.GET.get("at", ""), request.GET.get("seat", ""))
    context = {"replay": spot, "match": viewed.match, "title": viewed.match.title}
    if request.htmx:
        return TemplateResponse(request, "history/position.html", context, status=spot.status)
    return TemplateResponse(request, "history/replay.html", context | _about(spot), status=spot.status)


def _about(spot: Replay) -> dict[str, object]:
    """Return what is shown besides the positions: result, rating changes and what proves the draws."""
    viewed = spot.viewed
    changes = {change.seat: change for change in RatingChange.objects.filter(match=viewed.match)}
    nonces = [(seat, bytes(seat.nonce).hex()) for seat in viewed.seats]
    own = viewed.mine
    return {
        "results": [
            (seat, changes.get(seat.number)) for seat in sorted(viewed.seats, key=lambda seat: seat.place or 0)
        ],
        "outcome": result_in_words(viewed.match, viewed.seats),
        "rating_changed": bool(changes),
        "nonces": nonces if viewed.match.has_ended else [],
        "own_nonce": "" if own is None else own.number if own.joined is None else own.joined,
        "server_seed": bytes(viewed.match.server_seed).hex() if viewed.match.has_ended else "",
        "may_download": viewed.match.has_ended or viewed.viewer is not None,
    }


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve a match as a file: to its players, without the seed until it has ended, and then to all who can see it."""
    viewed = access_match(request.user, slug)
    if viewed.match.started_at is None:
        raise Http404(_("This match has not begun."))
    if not viewed.match.has_ended and viewed.viewer is None:
        raise PermissionDenied(_("While a match runs, only its players get its record."))
    disposition = f'attachment; filename="{record_name(viewed)}"'
    return HttpResponse(
        record_file(viewed), content_type="application/json", headers={"Content-Disposition": disposition}
    )


@require_safe
def seals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seals of a match, with what was sealed unless that is still secret."""
    viewed = access_match(request.user, slug)
    if viewed.match.started_at is None:
        raise Http404(_("This match has not begun."))
    context = {"match": viewed.match, "seals": seals_of(viewed)}
    return TemplateResponse(request, "history/seals.html", context)


@require_safe
def draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the seeds and every draw of a match that has ended, for the check in the browser.

    `joined` has for each seat its player's place in the order of sitting down, null if the seats were not drawn.
    """
    viewed = access_match(request.user, slug)
    if not viewed.match.has_ended:
        raise Http404(_("While a match runs its seed is secret."))
    if not is_checkable(viewed.match):
        raise Http404(_("This match was played under a different version of the rules."))
    return JsonResponse(
        {
            "commit": viewed.match.commit,
            "server_seed": bytes(viewed.match.server_seed).hex(),
            "nonces": [nonce.hex() for nonce in nonces_of(viewed.seats)],
            "joined": [seat.joined for seat in viewed.seats],
            "final_seed": seed_of(viewed.match, viewed.seats).hex(),
            "draws": msgspec.to_builtins(list(draws_of(viewed))),
            "seals": [msgspec.to_builtins(seal) for seal in seals_of(viewed) if not seal.withdrawn],
        }
    )
