"""What people are told of clubs: who wants to join, what became of a request, a role, new tables, moderators' acts."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.moments import in_words
from accounts.names import isolated
from accounts.relations import blocked_with
from games.chat.models import Muted
from games.clubs.membership import Role, club_of, is_member, known_to, member_of
from games.clubs.models import Club, EveningDay
from games.events.access import known_to as known_events
from games.events.models import Event
from games.events.words import name_of
from games.matchmaking.seats import has_room_for
from games.notifications import services as notifications, validity
from games.notifications.messages import Words, joined, register_words, table_in_words
from games.notifications.models import Kind, Notice
from games.notifications.services import forget_club, notify_of_club, notify_of_offer, settle_of_club
from games.play.models import Match


class What(StrEnum):
    """What happened: the `what` of a notice."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    HELPER = "helper"
    OWNER = "owner"
    RULED = "ruled"
    SHUT = "shut"
    INVITED = "invited"
    EVENING = "evening"


def tell(club: Club, people: Collection[int], what: What, reason: str = "") -> None:
    """Tell people something about a club, in place of an earlier notice of the same; inside the transaction.

    Args:
        club: that it is about.
        people: their keys.
        what: happened.
        reason: of moderators.
    """
    more = {"reason": reason, "name": club.shown_name} if reason else {}
    notify_of_club(people, club.slug, what, **more)


def settle(club: Club, what: What) -> None:
    """Count a notice as read by everybody, as what it asks for is done."""
    settle_of_club(club.slug, what)


def forget(slug: str, user: int | None = None) -> None:
    """Remove what people were told of a club: one of them, or everybody."""
    forget_club(slug, user)


def forget_events(club: Club) -> None:
    """Remove what others were told of the events of a private club."""
    slugs = list(club.events.values_list("slug", flat=True))
    if slugs:
        notifications.forget_events(slugs, keep=list(club.members.values_list("user", flat=True)))


# --- new tables and events -------------------------------------------------------------------------------------------


def on_offered(match: Match, host: User, comes: bool, **_more: Any) -> None:
    """Tell members of a new table of their club (`games.matchmaking.signals.offered`), unless it is of an evening."""
    club = club_of(match)
    if club is not None and comes:
        people = _hearing(club, host).exclude(pk__in=match.invitations.values("user"))
        notify_of_offer(people, club.slug, match=match, by=host)


def on_event_made(event: Event, by: User, **_more: Any) -> None:
    """Tell members of a new event of their club (`games.events.signals.event_made`)."""
    if event.club is not None:
        notify_of_offer(_hearing(event.club, by), event.club.slug, event=event.slug)


def _hearing(club: Club, by: User) -> QuerySet[User]:
    """Return the members of a club who hear of what one offers: not those kept apart, or who have muted them."""
    members = User.objects.filter(memberships__club=club, is_active=True).exclude(pk=by.pk)
    apart = Muted.objects.filter(person=by).values("user")
    return members.exclude(pk__in=blocked_with(by)).exclude(pk__in=apart)


def _offer_in_words(notice: Notice) -> Words:
    club = _club_of(notice)
    of_club = _("For members of %(club)s.") % {"club": club.shown_name if club else "—"}
    if notice.match is not None:
        title, terms = table_in_words(notice)
        return title, joined(of_club, terms)
    event = _event_of(notice)
    title = _("New event: %(event)s") % {"event": name_of(event) if event else "—"}
    starts = _("It starts on %(moment)s.") % {"moment": in_words(event.starts_at, "deadline")} if event else ""
    return title, joined(of_club, starts)


def _event_of(notice: Notice) -> Event | None:
    """Return the event if its reader may know of it."""
    return known_events(notice.user).filter(slug=notice.details["event"]).first()


def _is_open_to(notice: Notice, _now: datetime) -> bool:
    """Return whether its reader is a member, and could sit down or enter."""
    club = _club_of(notice)
    if club is None or not is_member(club, notice.user):
        return False
    if notice.match is not None:
        return has_room_for(notice.match, notice.user)
    event = _event_of(notice)
    return event is not None and event.is_open and not event.entries.filter(user=notice.user_id).exists()


register_words(Kind.CLUB_TABLE, _offer_in_words)
validity.register(Kind.CLUB_TABLE, _is_open_to)


# --- in words, and whether it is still true ---------------------------------------------------------------------------


def _club_of(notice: Notice) -> Club | None:
    """Return the club if its reader may know of it; the invited may."""
    found = Club.objects.filter(slug=notice.details["club"]).first()
    if found is None or known_to(notice.user).filter(pk=found.pk).exists():
        return found
    return found if found.invitations.open_to(notice.user).exists() else None


def _words(notice: Notice) -> Words:
    club, told = _club_of(notice), notice.details
    days = list(EveningDay.objects.coming(club)) if club and told["what"] == What.EVENING else []
    moment = in_words(days[0].begins_at, "deadline") if days else "—"
    said = " ".join(f"{in_words(day.begins_at, 'deadline')}: {day.evening.game_name}." for day in days)
    title, text = {
        What.ASKED: (_("Someone wants to join %(club)s"), _("Owners and helpers can let them in.")),
        What.ACCEPTED: (_("You are now a member of %(club)s"), _("Its tables and its chat are open to you.")),
        What.DECLINED: (_("%(club)s has declined your request"), _("You can ask again a week later.")),
        What.HELPER: (_("You are now a helper of %(club)s"), _("You can let people in, and remove members.")),
        What.OWNER: (_("You are now an owner of %(club)s"), _("You can change everything about the club.")),
        What.RULED: (_("Moderators have changed %(club)s"), told.get("reason", "")),
        What.SHUT: (_("Moderators have closed %(club)s"), told.get("reason", "")),
        What.INVITED: (_("You are invited to join %(club)s"), isolated(club.text) if club else ""),
        What.EVENING: (_("%(club)s plays on %(moment)s"), said),
    }[What(told["what"])]
    return title % {"club": club.shown_name if club else told.get("name", "—"), "moment": moment}, text


def _is_true(notice: Notice, _now: datetime) -> bool:
    """Return whether there still is such a club, and its reader is what they are told to be."""
    club, what = _club_of(notice), What(notice.details["what"])
    if club is None:
        return what is What.SHUT
    mine = member_of(club, notice.user)
    asked = club.requests.filter(declined_at=None)
    true: dict[What, Callable[[], bool]] = {
        What.ASKED: lambda: mine is not None and mine.leads and asked.exists(),
        What.ACCEPTED: lambda: mine is not None,
        What.DECLINED: lambda: club.requests.filter(user=notice.user_id).exclude(declined_at=None).exists(),
        What.HELPER: lambda: mine is not None and mine.role == Role.HELPER,
        What.OWNER: lambda: mine is not None and mine.is_owner,
        What.RULED: lambda: mine is not None and mine.is_owner,
        What.INVITED: lambda: mine is None and club.invitations.open_to(notice.user).exists(),
        What.EVENING: lambda: mine is not None and EveningDay.objects.coming(club).exists(),
    }
    return what in true and true[what]()


register_words(Kind.CLUB, _words)
validity.register(Kind.CLUB, _is_true)
