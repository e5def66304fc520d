"""New tables and planned ones, sitting down and getting up, rematch. Only POST changes anything."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts import guests
from games.engine.protocol import RuleViolation
from games.matchmaking import bots, hosting, limits, planning, services
from games.matchmaking.forms import InviteForm, PlayNowForm, TableForm
from games.matchmaking.rematch import rematch
from games.play.boards.fragments import match_fragment
from games.play.matches.access import access_match
from games.play.matches.viewed import ViewedMatch
from games.play.models import Level, Match
from games.play.pages.http import HtmxRequest, for_members
from games.titles import Title, titles

_WAIT = ("too-many", "must-wait", "unanswered")
"""The beginnings of the codes of refusals that pass with time."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def table_new(request: HtmxRequest, plan: bool = False) -> HttpResponse:
    """Choose a game, then how to play it, and to plan a table when; opening one also takes a seat at it."""
    if plan and getattr(request.user, "guest", False):
        messages.info(request, gettext("Planned tables are for registered players."))
        return redirect("planned_tables")
    title = _title(request.GET.get("game", ""))
    if title is None:
        status = 422 if request.method == "POST" else 200
        context = {"titles": titles().values(), "plan": plan}
        return TemplateResponse(request, "matchmaking/choose_game.html", context, status=status)
    form = TableForm(title, request.user, request.POST if request.method == "POST" else None, plan)
    status = 200
    if form.is_bound:
        try:
            return redirect(_opened(request, form)) if form.is_valid() else _new(request, form, 422)
        except RuleViolation as violation:
            form.add_error(None, gettext(violation.text))
            status = 429 if violation.code.startswith(_WAIT) else 422
    return _new(request, form, status)


def _title(slug: str) -> Title | None:
    """Return the game asked for, or the only one there is.

    Raises:
        Http404: there is no such game.
    """
    if slug and slug not in titles():
        raise Http404
    if not slug and len(titles()) > 1:
        return None
    return titles()[slug] if slug else next(iter(titles().values()))


def _opened(request: HtmxRequest, form: TableForm) -> Match:
    with _asked_from(request):
        if "opens_at" in form.fields:
            return planning.plan_table(request.user, form.wish(), form.cleaned_data["opens_at"])
        return services.open_table(request.user, form.wish())


def _asked_from(request: HtmxRequest) -> AbstractContextManager[None]:
    """Give limits the network address of a request, if it has one."""
    try:
        return limits.asked_from(get_adapter().get_client_ip(request))
    except PermissionDenied:  # behind a Unix socket, if no proxy names its clients
        return limits.asked_from("")


def _new(request: HtmxRequest, form: TableForm, status: int) -> HttpResponse:
    wait = limits.wait_in_words(request.user)
    plan = "opens_at" in form.fields
    context = {"form": form, "title": form.title, "several": len(titles()) > 1, "wait": wait, "plan": plan}
    return TemplateResponse(request, "matchmaking/table_new.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HtmxRequest) -> HttpResponse:
    """Begin a match against a bot; a visitor plays it as a guest."""
    if request.method != "POST":
        asked = {name: request.GET[name] for name in ("game", "level") if name in request.GET}
        return _play_now(request, PlayNowForm(initial=asked))
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        return _play_now(request, form, 422)
    try:
        with _asked_from(request):
            user = request.user if request.user.is_authenticated else guests.begin(request)
            title = titles()[form.cleaned_data["game"]]
            return redirect(bots.play_now(user, title, Level(form.cleaned_data["level"])))
    except RuleViolation as violation:
        form.add_error(None, gettext(violation.text))
        return _play_now(request, form, 429 if violation.code.startswith(_WAIT) else 422)


def _play_now(request: HtmxRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    return TemplateResponse(request, "matchmaking/play_now.html", {"form": form}, status=status)


@require_POST
@for_members
def table_bot_add(request: HtmxRequest, slug: str) -> HttpResponse:
    """Give a free seat to a bot; the last one begins the match."""
    level = request.POST.get("level", "")
    return _change(request, slug, lambda match: bots.add(match.pk, request.user, level, _nonce(request)))


@require_POST
@for_members
def table_bot_remove(request: HtmxRequest, slug: str) -> HttpResponse:
    """Free the seat of a bot."""
    number = request.POST.get("seat", "")
    seat = int(number) if number.isascii() and number.isdigit() and len(number) == 1 else -1
    return _change(request, slug, lambda match: bots.remove(match.pk, request.user, seat))


@require_POST
@for_members
def table_join(request: HtmxRequest, slug: str) -> HttpResponse:
    """Sit down, adding a random number made after seeing the commitment."""
    return _change(request, slug, lambda match: services.join(match.pk, request.user, _nonce(request)))


@require_POST
@for_members
def table_come(request: HtmxRequest, slug: str) -> HttpResponse:
    """Keep a seat at a planned table for the reader."""
    return _change(request, slug, lambda match: planning.come(match.pk, request.user))


@require_POST
@for_members
def table_take_back(request: HtmxRequest, slug: str) -> HttpResponse:
    """Give back a seat at a planned table."""
    return _change(request, slug, lambda match: planning.take_back(match.pk, request.user), leads_to="planned_tables")


@require_POST
@for_members
def table_nonce(request: HtmxRequest, slug: str) -> HttpResponse:
    """Keep the random number of somebody who sat down before they could see the commitment."""
    table = access_match(request.user, slug)
    try:
        services.add_nonce(table.match.pk, request.user, _nonce(request))
    except RuleViolation as violation:
        return HttpResponse(gettext(violation.text), status=409, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


@require_POST
@for_members
def table_leave(request: HtmxRequest, slug: str) -> HttpResponse:
    """Get up."""
    return _change(request, slug, lambda match: services.leave(match.pk, request.user), leads_to="lobby")


@require_POST
@for_members
def table_start(request: HtmxRequest, slug: str) -> HttpResponse:
    """Begin with the players who are there."""
    return _change(request, slug, lambda match: services.start(match.pk, request.user, _nonce(request)))


@require_POST
@for_members
def table_close(request: HtmxRequest, slug: str) -> HttpResponse:
    """Close a table that has not begun."""
    return _change(request, slug, lambda match: services.close_table(match.pk, request.user), leads_to="lobby")


@require_POST
@for_members
def table_remove(request: HtmxRequest, slug: str) -> HttpResponse:
    """Remove a player, and keep them away."""
    name = request.POST.get("player", "")
    return _change(request, slug, lambda match: hosting.remove(match.pk, request.user, name))


@require_POST
@for_members
def table_casual(request: HtmxRequest, slug: str) -> HttpResponse:
    """Make the match of a table casual."""
    return _change(request, slug, lambda match: hosting.make_casual(match.pk, request.user))


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def table_invite(request: HtmxRequest, slug: str) -> HttpResponse:
    """Invite more players to a table, or let back those who were removed."""
    match = access_match(request.user, slug).match
    before = match.is_open or match.is_planned
    if request.method != "POST" and not (before and match.host_id == request.user.pk):
        return redirect(match)
    form = InviteForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        people = form.cleaned_data["invited"]
        return _change(request, slug, lambda match: hosting.invite(match.pk, request.user, people))
    context = {
        "form": form,
        "match": match,
        "invited": [it.user for it in match.invitations.select_related("user").order_by("pk")],
        "removed": [it.user for it in match.removals.select_related("user").order_by("pk")],
    }
    return TemplateResponse(request, "matchmaking/invite.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def match_rematch(request: HtmxRequest, slug: str) -> HttpResponse:
    """Go to the table that follows a finished match, opening it when nobody has."""
    former = access_match(request.user, slug).match
    try:
        with _asked_from(request):
            following = rematch(former.pk, request.user)
    except RuleViolation as violation:
        return _refused(request, slug, gettext(violation.text))
    return _to(request, following.get_absolute_url())


def _nonce(request: HtmxRequest) -> bytes:
    return services.read_nonce(request.POST.get("nonce", ""))


def _change(request: HtmxRequest, slug: str, service: Callable[[Match], Any], leads_to: str = "") -> HttpResponse:
    """Run a service; answer with the changed table, or with the page it leads to."""
    table = access_match(request.user, slug)
    try:
        with _asked_from(request):
            service(table.match)
    except RuleViolation as violation:
        return _refused(request, slug, gettext(violation.text))
    if leads_to:
        return _to(request, reverse(leads_to))
    return _fragment(request, access_match(request.user, slug)) if request.htmx else redirect(table.match)


def _refused(request: HtmxRequest, slug: str, text: str) -> HttpResponse:
    if request.htmx:
        return _fragment(request, access_match(request.user, slug), text, 422)
    messages.error(request, text)
    return redirect("match", slug)


def _fragment(request: HtmxRequest, table: ViewedMatch, notice: str = "", status: int = 200) -> HttpResponse:
    response = HttpResponse(match_fragment(table, request.user, notice), status=status)
    response["X-Match-Version"] = str(table.match.version)
    return response


def _to(request: HtmxRequest, address: str) -> HttpResponse:
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
