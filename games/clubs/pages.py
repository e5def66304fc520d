"""What the pages of clubs show: the list of them, one club as its reader may see it, and its members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.db.models import Count, Prefetch, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from accounts.names import skeleton, tidy_text
from accounts.questions import NOBODY
from accounts.relations import blocked_with
from games.clubs.membership import Role, clubs_of, member_of
from games.clubs.models import Club, JoinRequest, Member, Removal
from games.matchmaking.invitations import qr_code
from games.matchmaking.limits import is_expired
from games.matchmaking.lobby import is_of, with_people
from games.matchmaking.models import Promise
from games.play.models import Match
from games.ratings.services import ratings_beside

FACES: Final = 12
"""How many members the page of a club shows; another page shows all."""

TABLES: Final = 30
"""How many tables and matches the page of a club shows."""

PER_PAGE: Final = 30
"""How many clubs a page of the list shows."""

_ROLES: Final = {Role.OWNER: 0, Role.HELPER: 1, Role.MEMBER: 2}


# --- all clubs --------------------------------------------------------------------------------------------------------


def own(reader: Any) -> QuerySet[Any]:
    """Return the clubs to which somebody belongs, with the `count` of members and their own `role`, by name."""
    theirs = Member.objects.filter(user=reader.pk or NOBODY)
    roles = Prefetch("members", theirs, to_attr="mine")
    return _counted(clubs_of(reader)).prefetch_related(roles).order_by("name", "pk")


def public(name: str = "") -> QuerySet[Any]:
    """Return the public clubs, those with most members first; only those in whose name something occurs, if given.

    Case, accents and spaces make no difference.
    """
    wanted = skeleton(tidy_text(name)).replace(" ", "")
    found = _counted(Club.objects.filter(private=False))
    return (found.filter(skeleton__contains=wanted) if wanted else found).order_by("-count", "name", "pk")


def _counted(clubs: QuerySet[Club]) -> QuerySet[Any]:
    return clubs.annotate(count=Count("members", Q(members__user__is_active=True)))


# --- one club ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClubPage:
    """A club as one reader sees it; what it has is for members, who belongs to it for everybody who may know of it."""

    club: Club
    reader: Any

    @cached_property
    def mine(self) -> Member | None:
        """The reader's membership."""
        return member_of(self.club, self.reader)

    @property
    def leads(self) -> bool:
        return self.mine is not None and self.mine.leads

    @property
    def owns(self) -> bool:
        return self.mine is not None and self.mine.is_owner

    @cached_property
    def asked(self) -> JoinRequest | None:
        """The reader's request to join."""
        return self.club.requests.filter(user=self.reader.pk or NOBODY).first()

    @property
    def may_join(self) -> bool:
        return self.mine is None and self.club.joining == Club.Joining.OPEN

    @property
    def may_ask(self) -> bool:
        return self.mine is None and self.club.joining == Club.Joining.REQUEST and self.asked is None

    @property
    def waits(self) -> bool:
        """Return whether the reader has asked and waits for an answer."""
        return self.asked is not None and self.asked.declined_at is None

    @cached_property
    def members(self) -> Sequence[Member]:
        """Everybody who belongs to the club and whose account is open: owners, helpers, members, the oldest first."""
        found = self.club.members.filter(user__is_active=True).select_related("user")
        return sorted(found, key=lambda member: (_ROLES[Role(member.role)], member.since, member.pk))

    @property
    def some_members(self) -> Sequence[Member]:
        return self.members[:FACES]

    @cached_property
    def requests(self) -> Sequence[JoinRequest]:
        """Who waits for an answer, for those who give it."""
        if not self.leads:
            return []
        waiting = self.club.requests.filter(declined_at=None, user__is_active=True)
        return list(waiting.select_related("user"))

    @cached_property
    def removed(self) -> Sequence[Removal]:
        """Who was removed, for those who can let them back in."""
        return list(self.club.removals.select_related("user")) if self.leads else []

    @property
    def link(self) -> str:
        """The invitation link, for those who can renew it; empty for others."""
        return f"{settings.SITE_URL}{self._way_in}" if self.leads else ""

    @property
    def link_code(self) -> SafeString:
        """The same as a QR code."""
        return qr_code(self._way_in)

    @property
    def _way_in(self) -> str:
        return reverse("club_link", args=[self.club.link])

    @cached_property
    def tables(self) -> SafeString:
        """The open and planned tables of the club and its running matches, as HTML; empty for who does not belong."""
        if self.mine is None:
            return SafeString()
        going = [Match.Status.OPEN, Match.Status.PLANNED, Match.Status.RUNNING]
        matches = Match.objects.filter(of_club__club=self.club, status__in=going).order_by("-created_at", "-pk")
        promises = Prefetch("promises", Promise.objects.select_related("user"))
        apart = blocked_with(self.reader)
        shown = [
            match
            for match in with_people(matches).prefetch_related(promises)[:TABLES]
            if not (is_expired(match) or is_of(match, apart))
        ]
        if not shown:
            return SafeString()
        lists: dict[str, list[Match]] = {"open": [], "planned": [], "running": []}
        for match in shown:
            lists[match.status].append(match)
        html = render_to_string("clubs/tables.jinja", {**lists, "ratings": ratings_beside(shown)}, using="boards")
        return mark_safe(html)  # noqa: S308  # its template escapes everything
