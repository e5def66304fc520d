"""What every part of the site may ask about clubs: who belongs to them, in which role, and who may know of them."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from accounts.questions import NOBODY
from games.clubs.models import Club, ClubTable, Member
from games.engine.protocol import RuleViolation
from games.play.models import Match

Role = Member.Role

LEADERS: Final = (Role.OWNER, Role.HELPER)


def member_of(club: Club, user: Any) -> Member | None:
    """Return the membership of somebody in a club, None if they do not belong to it."""
    return club.members.filter(user=user.pk or NOBODY).first()


def is_member(club: Club, user: Any) -> bool:
    """Return whether somebody belongs to a club."""
    return club.members.filter(user=user.pk or NOBODY).exists()


def clubs_of(user: Any, *roles: Role) -> QuerySet[Club]:
    """Return the clubs to which somebody belongs, by name; only those where they have one of these roles, if any."""
    memberships = Member.objects.filter(user=user.pk or NOBODY, **({"role__in": roles} if roles else {}))
    return Club.objects.filter(pk__in=memberships.values("club"))


def led_by(user: Any) -> QuerySet[Club]:
    """Return the clubs of which somebody is an owner or a helper."""
    return clubs_of(user, *LEADERS)


def leads(club: Club | None, user: Any) -> bool:
    """Return whether somebody is an owner or a helper of a club; of none nobody is."""
    mine = member_of(club, user) if club is not None else None
    return mine is not None and mine.leads


def check_leads(by: Any, club: Club | None) -> Member:
    """Return the membership of an owner or helper of a club, or refuse: "not-leader"."""
    mine = member_of(club, by) if club is not None else None
    if mine is None or not mine.leads:
        raise RuleViolation("not-leader", _("Only owners and helpers of this club can do that."))
    return mine


def known_to(reader: Any) -> QuerySet[Club]:
    """Return the clubs that somebody may know of: public ones, and their own."""
    own = Member.objects.filter(club=OuterRef("pk"), user=reader.pk or NOBODY)
    return Club.objects.filter(Q(private=False) | Exists(own))


def access_club(reader: Any, slug: str) -> Club:
    """Return a club for a reader.

    Raises:
        Http404: there is none, or it is private and not theirs (the answer does not say which).
    """
    club = known_to(reader).filter(slug=slug).first()
    if club is None:
        raise Http404
    return club


def led_club(reader: Any, slug: str, *roles: Role) -> Club:
    """Return a club for one of its owners or helpers.

    Args:
        reader: whoever.
        slug: of the club.
        roles: which of the two; both by default.

    Raises:
        Http404: there is none of which the reader is that.
    """
    club = clubs_of(reader, *(roles or LEADERS)).filter(slug=slug).first()
    if club is None:
        raise Http404
    return club


def lock_club(**which: Any) -> Club:
    """Lock a club until the transaction ends, before its events, its tables, and people.

    Whoever changes it, its members or what it has, holds this lock.

    Args:
        which: of all clubs, by the names of its fields.

    Raises:
        RuleViolation: "club-gone".
    """
    club = Club.objects.select_for_update(no_key=True).filter(**which).first()
    if club is None:
        raise RuleViolation("club-gone", _("This club has been closed."))
    return club


# --- tables -----------------------------------------------------------------------------------------------------------


def club_of(match: Match) -> Club | None:
    """Return the club to which a table or match belongs, None if it is not one of a club."""
    if match.visibility != Match.Visibility.CLUB:
        return None
    row = ClubTable.objects.filter(match=match).select_related("club").first()
    return row.club if row else None


def club_shown(match: Match, reader: Any) -> Club | None:
    """Return the club to which a table belongs for a reader who may know of it; None for others, and without one."""
    club = club_of(match)
    return club if club is not None and known_to(reader or AnonymousUser()).filter(pk=club.pk).exists() else None


def put_in_club(match: Match, club: Club | None) -> None:
    """Let a table belong to a club, if there is one, inside the transaction that opens it.

    The club, or its event of which this is a match, is locked: neither ends meanwhile.
    """
    if club is not None:
        ClubTable.objects.create(match=match, club=club)


def admits(match: Match, user: Any) -> bool:
    """Return whether somebody may see a table or match because it is one of their club."""
    club = club_of(match)
    return club is not None and is_member(club, user)


def in_clubs_of(user: Any) -> QuerySet[Any]:
    """Return the query for the keys of the tables and matches of all clubs to which somebody belongs."""
    return ClubTable.objects.filter(club__members__user=user.pk or NOBODY).values("match")
