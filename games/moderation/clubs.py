"""What moderators decide about clubs: another name, no text, or the end. Their owners are told, with the reason."""

from __future__ import annotations

from django.db import IntegrityError
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import tidy_text
from games.clubs import notices, services
from games.clubs.membership import Role
from games.clubs.models import Club
from games.engine.protocol import RuleViolation
from games.moderation.decisions import check_not_own, checked_reason, write_deed
from games.moderation.models import Case, Deed
from games.play.store import writing

Act = Deed.Act


def rename(by: User | None, club: Club, name: str, reason: str, case: Case | None = None) -> Deed:
    """Give a club another name.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own"; "club-name", "name-taken" as `services.found`.
    """
    reason, name = _checked(by, club, reason), tidy_text(name)
    services.check_name(name)
    try:
        with writing():
            deed = write_deed(by, Act.CLUB_NAME, reason, club=club, case=case)
            club.name = name
            club.save(update_fields=["name"])
            _tell_owners(club, notices.What.RULED, reason)
    except IntegrityError as error:
        raise RuleViolation("name-taken", _("There is a club with a name like this already.")) from error
    return deed


def remove_text(by: User | None, club: Club, reason: str, case: Case | None = None) -> Deed:
    """Remove the text of a club; raises as `rename`."""
    reason = _checked(by, club, reason)
    with writing():
        deed = write_deed(by, Act.CLUB_TEXT, reason, club=club, case=case)
        club.text = ""
        club.save(update_fields=["text"])
        _tell_owners(club, notices.What.RULED, reason)
    return deed


def shut(by: User | None, club: Club, reason: str, case: Case | None = None) -> Deed:
    """Close a club for ever, as its owners can; raises as `rename`."""
    reason = _checked(by, club, reason)
    with writing():
        deed = write_deed(by, Act.CLUB_SHUT, reason, club=club, case=case)
        owners = _owners(club)
        services.remove(club)
        notices.tell(club, owners, notices.What.SHUT, reason)
    return deed


def _checked(by: User | None, club: Club, reason: str) -> str:
    reason = checked_reason(by, reason)
    check_not_own(by, club=club)
    return reason


def _owners(club: Club) -> list[int]:
    return list(club.members.filter(role=Role.OWNER).values_list("user", flat=True))


def _tell_owners(club: Club, what: notices.What, reason: str) -> None:
    notices.tell(club, _owners(club), what, reason)
