"""New tables and planned ones, sitting down and getting up, rematch. Only POST changes anything."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts import guests
from games.engine.protocol import RuleViolation
from games.matchmaking import bots, counting, hosting, planning, services, visiting
from games.matchmaking.answers import WAIT, change, lead_to, nonce_of, refused
from games.matchmaking.forms import TableForm
from games.matchmaking.models import Use
from games.matchmaking.option_fields import asked_for
from games.matchmaking.play_now import PlayNowForm
from games.matchmaking.rematch import rematch
from games.play.matches.access import access_match
from games.play.models import Level, Match
from games.play.numbers import whole_number
from games.play.pages.http import HtmxRequest, for_members, posted
from games.titles import Title, titles


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
    form = TableForm(title, request.user, posted(request), plan)
    form.invite(request.GET.get("invite", ""))
    if not plan:
        form.initial.update(asked_for(title, request.GET))
    status = 200
    if form.is_bound:
        try:
            return redirect(_opened(request, form)) if form.is_valid() else _new(request, form, 422)
        except RuleViolation as violation:
            form.add_error(None, gettext(violation.text))
            status = 429 if violation.code.startswith(WAIT) else 422
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
    if "opens_at" in form.fields:
        return planning.plan_table(request.user, form.wish(), form.cleaned_data["opens_at"])
    return services.open_table(request.user, form.wish())


def _new(request: HtmxRequest, form: TableForm, status: int) -> HttpResponse:
    wait = counting.wait_in_words(request.user)
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
        if not request.user.is_authenticated:
            visiting.check_uses(Use.What.TABLE, Use.What.SEAT)
        user = request.user if request.user.is_authenticated else guests.begin(request)
        title = titles()[form.cleaned_data["game"]]
        return redirect(bots.play_now(user, title, Level(form.cleaned_data["level"])))
    except RuleViolation as violation:
        form.add_error(None, gettext(violation.text))
        return _play_now(request, form, 429 if violation.code.startswith(WAIT) else 422)


def _play_now(request: HtmxRequest, form: PlayNowForm, status: int = 200) -> HttpResponse:
    return TemplateResponse(request, "matchmaking/play_now.html", {"form": form}, status=status)


@require_POST
@for_members
def table_bot_add(request: HtmxRequest, slug: str) -> HttpResponse:
    """Give a free seat to a bot; the last one begins the match."""
    level = request.POST.get("level", "")
    return change(request, slug, lambda match: bots.add(match.pk, request.user, level, nonce_of(request)))


@require_POST
@for_members
def table_bot_remove(request: HtmxRequest, slug: str) -> HttpResponse:
    """Free the seat of a bot."""
    seat = whole_number(request.POST.get("seat", ""), digits=1)
    return change(request, slug, lambda match: bots.remove(match.pk, request.user, -1 if seat is None else seat))


@require_POST
@for_members
def table_join(request: HtmxRequest, slug: str) -> HttpResponse:
    """Sit down, adding a random number made after seeing the commitment."""
    return change(request, slug, lambda match: services.join(match.pk, request.user, nonce_of(request)))


@require_POST
@for_members
def table_come(request: HtmxRequest, slug: str) -> HttpResponse:
    """Keep a seat at a planned table for the reader."""
    return change(request, slug, lambda match: planning.come(match.pk, request.user))


@require_POST
@for_members
def table_take_back(request: HtmxRequest, slug: str) -> HttpResponse:
    """Give back a seat at a planned table."""
    return change(request, slug, lambda match: planning.take_back(match.pk, request.user), leads_to="planned_tables")


@require_POST
@for_members
def table_nonce(request: HtmxRequest, slug: str) -> HttpResponse:
    """Keep the random number of somebody who sat down before they could see the commitment."""
    table = access_match(request.user, slug)
    try:
        services.add_nonce(table.match.pk, request.user, nonce_of(request))
    except RuleViolation as violation:
        return HttpResponse(gettext(violation.text), status=409, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


@require_POST
@for_members
def table_leave(request: HtmxRequest, slug: str) -> HttpResponse:
    """Get up."""
    return change(request, slug, lambda match: services.leave(match.pk, request.user), leads_to="lobby")


@require_POST
@for_members
def table_start(request: HtmxRequest, slug: str) -> HttpResponse:
    """Begin with the players who are there."""
    return change(request, slug, lambda match: services.start(match.pk, request.user, nonce_of(request)))


@require_POST
@for_members
def table_close(request: HtmxRequest, slug: str) -> HttpResponse:
    """Close a table that has not begun."""
    return change(request, slug, lambda match: services.close_table(match.pk, request.user), leads_to="lobby")


@require_POST
@for_members
def table_remove(request: HtmxRequest, slug: str) -> HttpResponse:
    """Remove a player, and keep them away."""
    name = request.POST.get("player", "")
    return change(request, slug, lambda match: hosting.remove(match.pk, request.user, name))


@require_POST
@for_members
def table_open_kept(request: HtmxRequest, slug: str) -> HttpResponse:
    """Let everybody take the seats kept for friends."""
    return change(request, slug, lambda match: hosting.open_kept(match.pk, request.user))


@require_POST
@for_members
def table_casual(request: HtmxRequest, slug: str) -> HttpResponse:
    """Make the match of a table casual."""
    return change(request, slug, lambda match: hosting.make_casual(match.pk, request.user))


@require_POST
@for_members
def match_rematch(request: HtmxRequest, slug: str) -> HttpResponse:
    """Go to the table that follows a finished match, opening it when nobody has, or sit down there.

    A page with a script shows its reader the fingerprint first (`shown`), and then sits down for them.
    """
    former = access_match(request.user, slug).match
    try:
        following = rematch(former.pk, request.user, sits="shown" not in request.POST)
    except RuleViolation as violation:
        return refused(request, slug, gettext(violation.text))
    return lead_to(request, following.get_absolute_url())
