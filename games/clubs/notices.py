"""What people are told of clubs: that somebody wants to join, what became of their request, and a role."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from django.utils.translation import gettext as _

from games.clubs.membership import Role, known_to
from games.clubs.models import Club, Member
from games.notifications import validity
from games.notifications.messages import Words, register_words
from games.notifications.models import Kind, Notice
from games.notifications.services import forget_club, notify_of_club, settle_of_club


class What(StrEnum):
    """What happened: the `what` of a notice."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    HELPER = "helper"
    OWNER = "owner"


def tell(club: Club, people: Collection[int], what: What) -> None:
    """Tell people something about a club, in place of an earlier notice of the same; inside the transaction."""
    notify_of_club(people, club.slug, what)


def settle(club: Club, what: What) -> None:
    """Count a notice as read by everybody, as what it asks for is done."""
    settle_of_club(club.slug, what)


def forget(slug: str, user: int | None = None) -> None:
    """Remove what people were told of a club: one of them, or everybody."""
    forget_club(slug, user)


# --- in words, and whether it is still true ---------------------------------------------------------------------------


def _club_of(notice: Notice) -> Club | None:
    return known_to(notice.user).filter(slug=notice.details["club"]).first()


def _words(notice: Notice) -> Words:
    club = _club_of(notice)
    title, text = {
        What.ASKED: (_("Someone wants to join %(club)s"), _("Owners and helpers can let them in.")),
        What.ACCEPTED: (_("You are now a member of %(club)s"), _("Its tables and its chat are open to you.")),
        What.DECLINED: (_("%(club)s has declined your request"), _("You can ask again a week later.")),
        What.HELPER: (_("You are now a helper of %(club)s"), _("You can let people in, and remove members.")),
        What.OWNER: (_("You are now an owner of %(club)s"), _("You can change everything about the club.")),
    }[What(notice.details["what"])]
    return title % {"club": club.shown_name if club else "—"}, text


def _is_true(notice: Notice, _now: datetime) -> bool:
    """Return whether there still is such a club, and its reader is what they are told to be."""
    club = _club_of(notice)
    if club is None:
        return False
    mine = Member.objects.filter(club=club, user=notice.user_id)
    asked = club.requests.filter(user=notice.user_id)
    match What(notice.details["what"]):
        case What.ASKED:
            leads = mine.filter(role__in=[Role.OWNER, Role.HELPER]).exists()
            return leads and club.requests.filter(declined_at=None).exists()
        case What.ACCEPTED:
            return mine.exists()
        case What.DECLINED:
            return asked.exclude(declined_at=None).exists()
        case What.HELPER:
            return mine.filter(role=Role.HELPER).exists()
        case What.OWNER:
            return mine.filter(role=Role.OWNER).exists()


register_words(Kind.CLUB, _words)
validity.register(Kind.CLUB, _is_true)
