"""One table as somebody sees it, and its views: open or plan it, sit down, get up, invite, play again.

Only POST changes anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.joining import guests
from accounts.mail import in_words_of
from accounts.models import User
from accounts.relations import friends_of
from accounts.requests import HtmxRequest, posted, whole_number
from accounts.services import here_for, people_here
from games.clubs.membership import club_shown
from games.engine.protocol import RuleViolation
from games.matchmaking import invitations, planned, seats, tables
from games.matchmaking.fields import setup_from_query
from games.matchmaking.forms import InviteForm, PlayNowForm, TableForm
from games.matchmaking.limits import GRACE, RATED, enough_in_words, no_show_wait_in_words, pair_of, played_enough
from games.matchmaking.lobby import FRESH, crowd
from games.matchmaking.models import Invitation, Use
from games.matchmaking.requirements import still_kept
from games.matchmaking.series import offer_of, score_of
from games.matchmaking.tables import rematch
from games.play.access import ViewedMatch, access_match, for_members
from games.play.boards.endings import reason_in_words
from games.play.boards.fragments import match_fragment
from games.play.models import SLUG_LENGTH, Level, Match, Seat
from games.titles import titles
from games.titles.regions import Page, region, verbatim

# --- a table as one person sees it ------------------------------------------------------------------------------------

_SAID_ELSEWHERE = {"removed", "invited-only", "blocked"}
"""Refusals for which the page has words of its own."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody for whom a seat of a rematch is reserved, and who has not sat down yet.

    Args:
        name: theirs.
        here: whether they are online, as far as the reader may see it.
        declined: whether they do not want to play.
    """

    name: str
    here: bool
    declined: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """An open table as one person sees it.

    Args:
        known: whether they are logged in.
        hosts: whether they host the table.
        awaited: whether they may sit down while a seat is free; for a visitor, whether they could now, as a guest.
        removed: whether the host has removed them and not invited them since.
        wait: why they cannot sit down now, and for how long; empty if they can.
        coming: the people for whom seats are kept at a table that was planned.
        expected: whether this person is one of them.
        until: when those who have not come lose their seats.
        kept: how many of the free seats are for friends of the host.
        invitation: theirs, if they are invited.
        blocked: whom of those there they have blocked, in words; empty for nobody.
        enough: for the host, the names of those who are invited or coming but cannot sit down, because the two have
            reached the limit of rated matches with each other.
        awaits: for those who sit at a rematch, for whom they wait.
        friends_here: for the host, friends who are online and could be invited.
        online: for the host, how many others are online.
    """

    known: bool
    hosts: bool
    awaited: bool
    removed: bool = False
    wait: str = ""
    coming: tuple[Any, ...] = ()
    expected: bool = False
    until: datetime | None = None
    kept: int = 0
    invitation: Invitation | None = None
    blocked: str = ""
    enough: tuple[str, ...] = ()
    awaits: tuple[Awaited, ...] = ()
    friends_here: tuple[User, ...] = ()
    online: int = 0

    @property
    def rated_most(self) -> int:
        """Return how many rated matches two people play with each other in a day."""
        return RATED.most

    @property
    def levels(self) -> list[Level]:
        """Return the bots that a host can give a free seat to."""
        return list(Level)

    @property
    def may_sit(self) -> bool:
        return self.awaited and not self.removed and not self.wait


def table_page(table: ViewedMatch, user: Any, notice: str) -> Page:
    """Return the page part of a match that has not begun, as this person sees it, with a notice for them."""
    functions = {
        "invitations_of": invitations_of,
        "qr_code": invitations.qr_code,
        "reason_in_words": reason_in_words,
        "score_of": score_of,
        "was_made_casual": was_made_casual,
        "club": club_shown(table.match, user),
    }
    context = {"table": table, "user": user, "notice": notice, "view": table_view_of(table, user), **functions}
    html = render_to_string("matchmaking/table.jinja", context, using="boards")
    return Page({"match": region(verbatim, html=html)})


def table_view_of(table: ViewedMatch, user: Any) -> TableView:
    """Return a table as this person (None or anonymous: a visitor) sees it."""
    match, waits = table.match, table.match.is_open or table.match.is_planned
    promises = match.promises.select_related("user") if match.opens_at is not None and waits else ()
    coming = tuple(promise.user for promise in promises)
    opened = match.opens_at if match.is_planned else match.created_at
    shared: dict[str, Any] = {
        "coming": coming,
        "until": opened + GRACE if match.opens_at and opened else None,
        "kept": still_kept(match, len(table.seats) + len(coming)),
    }
    if user is None or not user.is_authenticated:
        return TableView(known=False, hosts=False, awaited=seats.may_sit_as_guest(match), **shared)
    hosts, expected = match.host_id == user.pk, any(person.pk == user.pk for person in coming)
    if table.viewer is not None or not waits:
        if hosts:
            shared |= {"enough": _enough(table, coming, user), **_could_come(table, user)}
        return TableView(
            known=True, hosts=hosts, awaited=False, expected=expected, awaits=_awaited(table, user), **shared
        )
    invitation = match.invitations.filter(user=user, withheld=False).select_related("by").first()
    wanted = invitation is not None or seats.is_open_to(match, user)
    return TableView(
        known=True,
        hosts=hosts and match.is_planned,
        awaited=expected or (wanted and not seats.is_kept_apart(match, table.seats, user)),
        removed=match.removals.filter(user=user).exists(),
        wait=_refusal(table, user, expected),
        blocked=seats.own_block_in_words(match, table.seats, user),
        expected=expected,
        invitation=invitation,
        **shared,
    )


def _refusal(table: ViewedMatch, user: Any, expected: bool) -> str:
    """Return why somebody cannot sit down now, empty if they can, or if the page has words of its own for it."""
    match, refusal = table.match, ""
    enough = enough_in_words(table.seats, user) if match.rated and match.is_open else ""
    if expected:
        return enough
    try:
        if match.is_planned:
            seats.check_may_come(match, user)
        else:
            seats.check_may_sit(match, len(table.seats), user)
            seats.check_bots_play_with(match, table.seats, user)
    except RuleViolation as violation:
        refusal = "" if violation.code in _SAID_ELSEWHERE else violation.text
    return refusal or no_show_wait_in_words(user) or enough


def _enough(table: ViewedMatch, coming: Sequence[Any], host: Any) -> tuple[str, ...]:
    """Return the names of `TableView.enough`."""
    match = table.match
    if not (match.rated and match.is_open):
        return ()
    there = {seat.user_id for seat in table.seats}
    asked = match.invitations.answerable().select_related("user")
    people = {it.pk: it for it in (*(row.user for row in asked), *coming) if it.pk not in there}
    pairs = played_enough([host.pk, *people]) if people else ()
    return tuple(it.shown_name for it in people.values() if pair_of(host.pk, it.pk) in pairs)


MOST_FRIENDS = 6
"""How many friends a host is offered to invite with one press."""


def _could_come(table: ViewedMatch, host: Any) -> dict[str, Any]:
    """Return `TableView.friends_here` and `online` of an open table with free seats that waits for others."""
    match = table.match
    if not match.is_open or match.previous_id is not None or len(table.seats) >= match.seat_count:
        return {}
    online = max(0, crowd(time.monotonic() - FRESH).online - host.shows_presence)
    if host.guest or not online:
        return {"online": online}
    asked = match.invitations.values("user")
    near = people_here().filter(user__in=friends_of(host).order_by().values("pk")).exclude(user__in=asked)
    near = near.exclude(user__in=[seat.user_id for seat in table.seats if seat.user_id is not None])
    friends = tuple(it.user for it in near.select_related("user").order_by("user__name_key")[:MOST_FRIENDS])
    return {"online": online, "friends_here": friends}


def _awaited(table: ViewedMatch, reader: Any) -> tuple[Awaited, ...]:
    """Return for whom the seats of a rematch that are still free are reserved."""
    match = table.match
    if match.previous_id is None or not match.is_open or len(table.seats) >= match.seat_count:
        return ()
    missing = invitations_of(match)
    here = here_for(reader, {it.user_id for it in missing})
    return tuple(Awaited(it.user.shown_name, it.user_id in here, it.declined_at is not None) for it in missing)


def invitations_of(match: Match) -> list[Invitation]:
    """Return the invitations to a table of people who neither sit there nor are coming, the oldest first."""
    here = Seat.objects.filter(match=match, user__isnull=False).values("user")
    coming = match.promises.values("user")
    asked = match.invitations.exclude(user__in=here).exclude(user__in=coming)
    return list(asked.select_related("user").order_by("pk"))


def was_made_casual(match: Match) -> bool:
    """Return whether a rematch is casual although the match before it was rated."""
    return match.previous is not None and match.previous.rated and not match.rated and match.seat_count > 1


# --- what can be done -------------------------------------------------------------------------------------------------

WAIT = ("too-many", "must-wait", "unanswered")
"""Codes of refusals that pass with time begin like this; they are answered with 429."""


def nonce_of(request: HtmxRequest) -> bytes:
    """Return the nonce that a browser sent."""
    return seats.read_nonce(request.POST.get("nonce", ""))


def change_table(request: HtmxRequest, slug: str, service: Callable[[Match], Any], leads_to: str = "") -> HttpResponse:
    """Run a service; answer with the changed table, or with the page it leads to: after a rematch the match before."""
    table = access_match(request.user, slug)
    former = table.match.previous
    try:
        service(table.match)
    except RuleViolation as violation:
        return refused(request, slug, gettext(violation.text))
    if leads_to:
        return lead_to(request, former.get_absolute_url() if former is not None else reverse(leads_to))
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
    """Redirect the browser, also when htmx asks."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


TABLE_ACTIONS: Mapping[str, Callable[[HtmxRequest, Match], object]] = {
    "join": lambda request, match: tables.join(match.pk, request.user, nonce_of(request)),
    "leave": lambda request, match: tables.leave(match.pk, request.user),
    "start": lambda request, match: tables.start(match.pk, request.user, nonce_of(request)),
    "close": lambda request, match: tables.close_table(match.pk, request.user),
    "add_bot": lambda request, match: tables.add_bot(
        match.pk, request.user, request.POST.get("level", ""), nonce_of(request)
    ),
    "remove_bot": lambda request, match: tables.remove_bot(
        match.pk, request.user, whole_number(request.POST.get("seat", ""), digits=1)
    ),
    "remove": lambda request, match: invitations.remove_player(match.pk, request.user, request.POST.get("player", "")),
    "open_kept": lambda request, match: invitations.open_kept_seats(match.pk, request.user),
    "make_casual": lambda request, match: invitations.make_casual(match.pk, request.user),
    "come": lambda request, match: planned.come(match.pk, request.user),
    "take_back": lambda request, match: planned.take_back(match.pk, request.user),
}
"""What can be done at a table with one button, by its name in `urls`."""

LEADS_TO = {"leave": "lobby", "close": "lobby", "take_back": "planned_tables"}
"""The pages to go to afterwards, instead of back to the table."""


@require_POST
@for_members
def table_action(request: HtmxRequest, slug: str, do: str) -> HttpResponse:
    """Do one of `TABLE_ACTIONS`."""
    return change_table(request, slug, partial(TABLE_ACTIONS[do], request), LEADS_TO.get(do, ""))


@require_http_methods(["GET", "HEAD", "POST"])
def table_plan(request: HtmxRequest) -> HttpResponse:
    """Choose a game, then when and how to play it; only members can."""
    if getattr(request.user, "guest", False):
        messages.info(request, gettext("Planned tables are for registered players."))
        return redirect("planned_tables")
    return login_required(table_new)(request, plan=True)


@require_http_methods(["GET", "HEAD", "POST"])
def table_new(request: HtmxRequest, plan: bool = False) -> HttpResponse:
    """Choose a game, then how to play it; opening a table also takes a seat at it, for a visitor as a guest."""
    slug = request.GET.get("game") or (next(iter(titles())) if len(titles()) == 1 else "")
    if slug and slug not in titles():
        raise Http404
    title = titles().get(slug)
    if title is None:
        status = 422 if request.method == "POST" else 200
        context = {"titles": titles().values(), "plan": plan, "club": request.GET.get("club", "")[:SLUG_LENGTH]}
        return TemplateResponse(request, "matchmaking/choose_game.html", context, status=status)
    reader = request.user if request.user.is_authenticated else seats.new_guest()
    form = TableForm(title, reader, posted(request), plan)
    form.invite(request.GET.get("invite", ""))
    form.for_club(request.GET.get("club", ""))
    if not plan:
        form.initial.update(setup_from_query(title, request.GET))
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            if plan:
                return redirect(planned.plan_table(reader, form.setup(), form.cleaned_data["opens_at"]))
            return redirect(tables.open_table(_host(request), form.setup()))
        except RuleViolation as violation:
            form.add_error(None, gettext(violation.text))
            status = 429 if violation.code.startswith(WAIT) else 422
    context = {
        "form": form,
        "title": title,
        "several": len(titles()) > 1,
        "reader": reader,
        "wait": no_show_wait_in_words(reader) if request.user.is_authenticated else "",
        "plan": plan,
    }
    return TemplateResponse(request, "matchmaking/table_new.html", context, status=status)


def _host(request: HtmxRequest) -> Any:
    """Return who opens a table: a visitor becomes a guest, unless their network has opened too many."""
    if request.user.is_authenticated:
        return request.user
    seats.check_guest_use(Use.What.TABLE, Use.What.SEAT)
    return guests.begin(request)


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HtmxRequest) -> HttpResponse:
    """Open a table against a bot, for a visitor as a guest.

    The script of its page begins the match once the commitment was shown. Where none runs, the form says `begin`, and
    the match begins at once.
    """
    if request.method != "POST":
        asked = {name: request.GET[name] for name in ("game", "level") if name in request.GET}
        return _play_now(request, PlayNowForm(initial=asked))
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        return _play_now(request, form, 422)
    try:
        if not request.user.is_authenticated:
            seats.check_guest_use(Use.What.TABLE, Use.What.SEAT)
        user = request.user if request.user.is_authenticated else guests.begin(request)
        title = titles()[form.cleaned_data["game"]]
        table = tables.play_now(user, title, Level(form.cleaned_data["level"]))
        return redirect(tables.start(table.pk, user) if "begin" in request.POST else table)
    except RuleViolation as violation:
        form.add_error(None, gettext(violation.text))
        return _play_now(request, form, 429 if violation.code.startswith(WAIT) else 422)


def _play_now(request: HtmxRequest, form: PlayNowForm, status: int = 200, refusal: str = "") -> HttpResponse:
    context = {"form": form, "refusal": refusal}
    return TemplateResponse(request, "matchmaking/play_now.html", context, status=status)


@require_POST
def play_with_bot(request: HtmxRequest) -> HttpResponse:
    """Challenge a bot account (`bot`, its name) to a game (`game`) at a table that fits its conditions."""
    bot, title = User.objects.named(request.POST.get("bot", "")), titles().get(request.POST.get("game", ""))
    if bot is None or not (bot.is_active and bot.is_bot) or title is None:
        return _play_now(request, PlayNowForm(), 422, gettext("There is no such bot."))
    try:
        return redirect(tables.challenge_bot(_host(request), bot, title))
    except RuleViolation as violation:
        status = 429 if violation.code.startswith(WAIT) else 422
        return _play_now(request, PlayNowForm(initial={"game": title.slug}), status, gettext(violation.text))


@require_POST
@for_members
def play_meanwhile(request: HtmxRequest, slug: str) -> HttpResponse:
    """Begin a match against a bot while a table waits, which it goes on doing."""
    match = access_match(request.user, slug).match
    try:
        seats.check_open(match)
        begun = tables.play_now(request.user, match.title, tables.usual_level(request.user))
    except RuleViolation as violation:
        return refused(request, slug, gettext(violation.text))
    return lead_to(request, begun.get_absolute_url())


@require_POST
@for_members
def table_nonce(request: HtmxRequest, slug: str) -> HttpResponse:
    """Store the nonce of a host, who sat down before seeing the commitment."""
    table = access_match(request.user, slug)
    try:
        tables.add_nonce(table.match.pk, request.user, nonce_of(request))
    except RuleViolation as violation:
        return HttpResponse(gettext(violation.text), status=409, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


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


@require_safe
@for_members
def rematch_offer(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show, for the page of a finished match, the button of its rematch as it is now."""
    viewed = access_match(request.user, slug)
    if viewed.mine is None or not viewed.match.has_ended:
        raise Http404
    context = {"match": viewed.match, "offer": offer_of(viewed.match, request.user), "score": score_of(viewed.match)}
    return TemplateResponse(request, "matchmaking/rematch.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def table_invite(request: HtmxRequest, slug: str) -> HttpResponse:
    """Invite more players to a table, or let back those who were removed."""
    match = access_match(request.user, slug).match
    if request.method != "POST" and not ((match.is_open or match.is_planned) and match.host_id == request.user.pk):
        return redirect(match)
    form = InviteForm(request.user, posted(request))
    if form.is_valid():
        people = form.cleaned_data["invited"]
        return change_table(request, slug, lambda match: invitations.invite_more(match.pk, request.user, people))
    if request.htmx:  # from the page of the table, which has a button for each friend who is here
        return refused(request, slug, " ".join(map(str, form.errors.get("invited", []))))
    context = {
        "form": form,
        "match": match,
        "invitations": invitations_of(match),
        "removed": [it.user for it in match.removals.select_related("user").order_by("pk")],
    }
    return TemplateResponse(request, "matchmaking/invite.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def table_decline(request: HtmxRequest, slug: str) -> HttpResponse:
    """Decline an invitation."""
    table = access_match(request.user, slug)
    try:
        invitations.decline_invitation(table.match.pk, request.user)
    except RuleViolation as violation:
        return refused(request, slug, gettext(violation.text))
    if (former := table.match.previous) is not None:
        return lead_to(request, former.get_absolute_url())
    messages.success(request, gettext("You have declined the invitation."))
    return lead_to(request, reverse("my_matches"))


@require_POST
def table_guest(request: HtmxRequest, slug: str) -> HttpResponse:
    """Let a visitor sit down at once, as a guest; members sit down as themselves."""
    match = access_match(request.user, slug).match
    try:
        if not request.user.is_authenticated:
            seats.check_guest_may_sit(match)
            seats.check_guest_use(Use.What.SEAT)
            request.user = guests.begin(request)
        tables.join(match.pk, request.user, nonce_of(request))
    except RuleViolation as violation:
        messages.error(request, gettext(violation.text))
    return lead_to(request, match.get_absolute_url())


@csrf_exempt  # reached from an email, perhaps in another browser; the token gives the right
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HtmxRequest, token: str) -> HttpResponse:
    """Show an invitation with its answers, or with the one that `answer` names; a POST declines it, without login."""
    found = invitations.invitation_from_token(token)
    if found is None:
        raise Http404
    refusal = ""
    with in_words_of(found.user):
        if request.method == "POST":
            try:
                invitations.decline_invitation(found.match_id, found.user)
            except RuleViolation as violation:
                refusal = gettext(violation.text)
            found.refresh_from_db()
        match, facts = found.match, ""
        waits = match.is_open or match.is_planned
        if waits:
            shown = {"match": match, "score": score_of(match)}
            facts = render_to_string("matchmaking/invited_to.jinja", shown, using="boards")
        context = {
            "invitation": found,
            "match": match,
            "table": mark_safe(facts),  # noqa: S308  # its template escapes everything
            "token": token,
            "refusal": refusal,
            "open": waits and not found.has_expired,
            "own": request.user == found.user,
            "answer": request.GET.get("answer", ""),
        }
        status = 422 if refusal else 200
        return TemplateResponse(request, "matchmaking/invitation.html", context, status=status).render()
