"""Tables in templates: what somebody can do at a table, scores of series, invitations, people, a quick match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import template
from django.core.cache import caches
from django.template.context import Context
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import relations
from games.engine.protocol import RuleViolation
from games.matchmaking.forms import PlayNowForm
from games.matchmaking.invitations import qr_code
from games.matchmaking.limits import GRACE, RATED, enough_in_words, no_show_wait_in_words, pair_of, played_enough
from games.matchmaking.lobby import Crowd, crowd
from games.matchmaking.models import Invitation
from games.matchmaking.requirements import still_kept
from games.matchmaking.seats import (
    check_may_come,
    check_may_sit,
    is_kept_apart,
    is_open_to,
    may_sit_as_guest,
    own_block_in_words,
)
from games.matchmaking.series import Score, loaded_score_of, score_of
from games.play.access import ViewedMatch
from games.play.boards.endings import reason_in_words
from games.play.models import Level, Match, Seat
from games.titles import Title
from games.titles.regions import Rendering

register = template.Library()


# --- tags -------------------------------------------------------------------------------------------------------------


@register.simple_tag
def series_score(match: Match) -> Score | None:
    """Return the score of the series a match belongs to."""
    return score_of(match)


@register.inclusion_tag("matchmaking/series_line.html")
def series_line(match: Match) -> dict[str, Any]:
    """Show the score of the series a match belongs to, with a link to its page; nothing for other matches."""
    return {"score": score_of(match), "match": match}


@register.inclusion_tag("matchmaking/series_mark.html")
def series_mark(match: Match) -> dict[str, Any]:
    """Show that a match in a list, loaded `with_scores`, belongs to a series."""
    return {"score": loaded_score_of(match), "match": match}


@register.inclusion_tag("matchmaking/play_now_form.html", takes_context=True)
def play_now(context: Context, title: Title | None = None, form: PlayNowForm | None = None) -> dict[str, Any]:
    """Show the form; for one game if a title is given."""
    initial = {} if title is None else {"game": title.slug}
    return {
        "form": form or PlayNowForm(initial=initial),
        "title": title,
        "user": context.get("user"),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("partials/social.html", takes_context=True)
def invitation_card(context: Context, viewed: ViewedMatch) -> dict[str, Any]:
    """Describe an open table to whoever is sent a link to it: who invites, to what, and how many seats are free."""
    match = viewed.match
    free = match.seat_count - len(viewed.seats)
    names = {"host": match.host.shown_name if match.host else "—", "game": match.rules.name}
    words = {
        "seats": ngettext("%(n)d player", "%(n)d players", match.seat_count) % {"n": match.seat_count},
        "speed": match.get_speed_display(),
        "clock": match.clock_in_words or _("no clock"),
        "rated": _("Rated match") if match.rated else _("Casual match"),
        "free": ngettext("%(n)d seat is free.", "%(n)d seats are free.", free) % {"n": free},
    }
    return {
        "title": match.title,
        "site_name": context.get("site_name", "Tessera"),
        "heading": _("%(host)s invites you to %(game)s") % names,
        "summary": _("%(rated)s for %(seats)s. %(speed)s: %(clock)s. %(free)s") % words,
    }


@register.inclusion_tag("matchmaking/answers.html", takes_context=True)
def invitation_answers(context: Context, match: Match) -> dict[str, Any]:
    """Offer the reader to accept or decline an invitation, as long as they can."""
    user = context["request"].user
    asked = Invitation.objects.answerable().filter(match=match, user=user)
    invitation = asked.exclude(match__seats__user=user).exclude(match__promises__user=user).first()
    return {"invitation": invitation, "match": match, "csrf_token": context.get("csrf_token")}


FRESH = 10
"""How many seconds old the numbers may be."""


@register.inclusion_tag("matchmaking/person_buttons.html", takes_context=True)
def person_buttons(context: Any, person: Any) -> dict[str, Any]:
    """Show what the reader, a member or a guest, can do about another person."""
    request, reader = context["request"], context["user"]
    return {
        "user": reader,
        "person": person,
        "csrf_token": context["csrf_token"],
        "leads_to": request.get_full_path(),
        "relation": relations.relation_between(reader, person),
        "follows": relations.is_following(reader, person),
        "blocks": relations.has_blocked(reader, person),
    }


@register.simple_tag
def people_here() -> Crowd:
    """Return how many people are here, at most `FRESH` seconds old. Each process counts, as pages do without Redis."""
    return caches["process"].get_or_set("people-here", crowd, FRESH) or crowd()


# --- the page of one table, in Jinja ----------------------------------------------------------------------------------

_SAID_ELSEWHERE = {"removed", "invited-only", "blocked"}
"""Refusals that the page shows in other ways."""


@dataclass(frozen=True, slots=True)
class TableView:
    """An open table as one person sees it.

    Args:
        known: logged in.
        hosts: hosts the table.
        awaited: may have one of the seats, if one is free; a visitor: could sit down as a guest now.
        removed: was removed by the host and has not been invited since.
        wait: why they cannot sit down now, and for how long; empty if they can.
        coming: at a table that was planned, for whom seats are kept.
        expected: whether this person is one of them.
        until: when those who have not come lose their seats.
        kept: how many of the free seats are for friends of the host.
        invitation: theirs, if they are invited.
        blocked: that they have blocked somebody there, in words; empty if they have not.
        enough: for the host, the names of those who are invited or to come and cannot sit down: the two have played
            enough rated matches with each other.
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


def table_rendering(table: ViewedMatch, user: Any, notice: str) -> Rendering:
    """Return the page part of a match that has not begun, as this person sees it, with a notice for them."""
    functions = {
        "invitations_of": invitations_of,
        "qr_code": qr_code,
        "reason_in_words": reason_in_words,
        "score_of": score_of,
        "was_made_casual": was_made_casual,
    }
    context = {"table": table, "user": user, "notice": notice, "view": table_view_of(table, user), **functions}
    return Rendering.of("matchmaking/table.jinja", context)


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
        return TableView(known=False, hosts=False, awaited=may_sit_as_guest(match), **shared)
    hosts, expected = match.host_id == user.pk, any(person.pk == user.pk for person in coming)
    if table.viewer is not None or not waits:
        enough = _enough(match, table.seats, coming, user) if hosts else ()
        return TableView(known=True, hosts=hosts, awaited=False, expected=expected, enough=enough, **shared)
    invitation = match.invitations.filter(user=user, withheld=False).select_related("by").first()
    wanted = invitation is not None or is_open_to(match, user)
    return TableView(
        known=True,
        hosts=hosts and match.is_planned,
        awaited=expected or (wanted and not is_kept_apart(match, table.seats, user)),
        removed=match.removals.filter(user=user).exists(),
        wait=_refusal(table, user, expected),
        blocked=own_block_in_words(match, table.seats, user),
        expected=expected,
        invitation=invitation,
        **shared,
    )


def _refusal(table: ViewedMatch, user: Any, expected: bool) -> str:
    """Return why somebody cannot sit down now, empty if they can, or if the page says it in another way."""
    match, refusal = table.match, ""
    enough = enough_in_words(table.seats, user) if match.rated and match.is_open else ""
    if expected:
        return enough
    try:
        check_may_come(match, user) if match.is_planned else check_may_sit(match, len(table.seats), user)
    except RuleViolation as violation:
        refusal = "" if violation.code in _SAID_ELSEWHERE else violation.text
    return refusal or no_show_wait_in_words(user) or enough


def _enough(match: Match, seats: Sequence[Seat], coming: Sequence[Any], host: Any) -> tuple[str, ...]:
    """Return whom the host of an open rated table waits for in vain: they have played enough with each other."""
    if not (match.rated and match.is_open):
        return ()
    there = {seat.user_id for seat in seats}
    asked = match.invitations.answerable().select_related("user")
    people = {it.pk: it for it in (*(row.user for row in asked), *coming) if it.pk not in there}
    pairs = played_enough([host.pk, *people]) if people else ()
    return tuple(it.shown_name for it in people.values() if pair_of(host.pk, it.pk) in pairs)


def invitations_of(match: Match) -> list[Invitation]:
    """Return whom a table's host has invited and who neither sits there nor comes, in the order of inviting."""
    here = Seat.objects.filter(match=match, user__isnull=False).values("user")
    coming = match.promises.values("user")
    asked = match.invitations.exclude(user__in=here).exclude(user__in=coming)
    return list(asked.select_related("user").order_by("pk"))


def was_made_casual(match: Match) -> bool:
    """Return whether a rematch is casual although the match before it was rated."""
    return match.previous is not None and match.previous.rated and not match.rated and match.seat_count > 1
