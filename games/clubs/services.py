"""The way in for every write to clubs: found, change and close one, join, ask, leave, and who has which role."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import TooMany, spend
from accounts.models import User
from accounts.names import check_title, name_key, tidy_text
from accounts.relations import lock_people
from accounts.sanctions import refusal_to_write
from games.clubs import notices
from games.clubs.membership import LEADERS, Role, check_leads, led_by, lock_club, member_of
from games.clubs.models import TEXT_LENGTH, Club, JoinRequest, Member, Removal, new_link
from games.clubs.notices import What
from games.engine.protocol import RuleViolation
from games.matchmaking.seats import check_may_play
from games.matchmaking.tables import close_for_moderators as close_table
from games.play.models import Match
from games.play.refusals import TooOften
from games.play.store import writing

FOUNDED: Final = 5
"""How many clubs one person can own."""

JOINED: Final = 30
"""To how many clubs one person can belong."""

MEMBERS: Final = 500
"""How many members a club can have."""

AGAIN: Final = timedelta(days=7)
"""How long to wait before asking a club again that has declined."""

Joining = Club.Joining


# --- the club itself --------------------------------------------------------------------------------------------------


def found(by: User, name: str, text: str = "", joining: str = Joining.REQUEST, *, private: bool = False) -> Club:
    """Found a club and own it.

    Args:
        by: who.
        name: of the club.
        text: what it is about, in one paragraph; may be empty.
        joining: a `Club.Joining`; a private club is joined by link whatever this says.
        private: whether nobody but its members learns that it exists.

    Raises:
        RuleViolation: "guest", "bot", "suspended", "silenced", "club-name", "name-taken" by a public club, "long-text",
            "joining", "too-many-owned", "too-many-joined", or "too-often".
    """
    _check_person(by)
    club = Club()
    _set(by, club, name, text, joining, private=private)
    with _named_once():
        lock_people([by.pk])  # so that they do not found several at the same moment
        if Member.objects.filter(user=by, role=Role.OWNER).count() >= FOUNDED:
            raise RuleViolation("too-many-owned", _("You can own at most %(most)d clubs.") % {"most": FOUNDED})
        _check_joined(by)
        club.save()
        Member.objects.create(club=club, user=by, role=Role.OWNER)
        _spend("club", by)  # only now: a name that is taken costs nothing
    return club


def change(by: User, slug: str, *, name: str, text: str, joining: str, private: bool) -> Club:
    """Change a club; only owners can. Requests to join end where nobody can ask any more.

    One that becomes private gets a new invitation link: whoever has read the former one need not find it any more.

    Raises:
        RuleViolation: "not-owner", or as `found`.
    """
    check_may_play(by)
    with _named_once():
        club = lock_club(slug=slug)
        _check_owner(by, club)
        if private and not club.private:
            club.link = new_link()
            notices.forget_events(club)
        _set(by, club, name, text, joining, private=private)
        club.save()
        if club.joining != Joining.REQUEST:
            club.requests.all().delete()
    return club


def close(by: User, slug: str) -> None:
    """Close a club for ever, with its room and its tables that have not begun; matches that have, go on.

    Raises:
        RuleViolation: "not-owner".
    """
    with writing():
        club = lock_club(slug=slug)
        _check_owner(by, club)
        remove(club)


def remove(club: Club) -> None:
    """Remove a club, whoever asks for it; see `close`."""
    with writing(), suppress(RuleViolation):  # somebody else has closed it
        locked = lock_club(pk=club.pk)
        waiting = club.tables.filter(match__status__in=[Match.Status.OPEN, Match.Status.PLANNED])
        for match_id in list(waiting.values_list("match", flat=True)):
            with suppress(RuleViolation):  # it has begun, or was closed, meanwhile
                close_table(match_id)
        list(club.events.select_for_update(no_key=True).order_by("pk").values_list("pk"))  # no round is drawn meanwhile
        notices.forget(club.slug)
        locked.delete()


def renew_link(by: User, slug: str) -> Club:
    """Make a new invitation link; the former one leads nowhere from now on. Owners and helpers can.

    Raises:
        RuleViolation: "not-leader".
    """
    with writing():
        club = lock_club(slug=slug)
        check_leads(by, club)
        club.link = new_link()
        club.save(update_fields=["link"])
    return club


def _set(by: User, club: Club, name: str, text: str, joining: str, *, private: bool) -> None:
    name, text = tidy_text(name), tidy_text(text)
    if joining not in Joining.values:
        raise RuleViolation("joining", _("Choose who can join."))
    if len(text) > TEXT_LENGTH:
        raise RuleViolation("long-text", _("Please write at most %(most)d characters.") % {"most": TEXT_LENGTH})
    if (name, text) != (club.name, club.text) and (refusal := refusal_to_write(by)):
        raise RuleViolation("silenced", refusal)
    if name != club.name:
        check_name(name)
    club.name, club.text, club.private = name, text, private
    club.joining = Joining.LINK if private else joining


def check_name(name: str) -> None:
    """Refuse a name that no club can have: "club-name"."""
    try:
        check_title(name)
    except ValidationError as error:
        raise RuleViolation("club-name", " ".join(error.messages)) from error


@contextmanager
def _named_once() -> Iterator[None]:
    """Write within the block, and refuse a name that looks like that of another public club: "name-taken"."""
    try:
        with writing():
            yield
    except IntegrityError as error:
        raise RuleViolation("name-taken", _("There is a club with a name like this already.")) from error


# --- joining and leaving ----------------------------------------------------------------------------------------------


def join(user: User, slug: str) -> Member:
    """Become a member of an open club. Idempotent.

    Raises:
        RuleViolation: "guest", "bot", "suspended", "not-open", "removed", "club-full", "too-many-joined", "too-often".
    """
    _check_person(user)
    with writing():
        club = lock_club(slug=slug)
        if club.joining != Joining.OPEN and member_of(club, user) is None:
            raise RuleViolation("not-open", _("This club does not let everyone in at once."))
        return _admit(club, user)


def join_by_link(user: User, link: str) -> Member:
    """Become a member of the club to which an invitation link leads, whoever else may join. Idempotent.

    Raises:
        RuleViolation: as `join`.
        Club.DoesNotExist: the link leads nowhere.
    """
    _check_person(user)
    with writing():
        club = Club.objects.select_for_update(no_key=True).get(link=link)
        return _admit(club, user)


def _admit(club: Club, user: User) -> Member:
    """Make somebody a member of a locked club, unless they were removed from it."""
    if (mine := member_of(club, user)) is not None:
        return mine
    _check_not_removed(club, user)
    _check_joined(user)
    _check_room(club)
    _spend("club-join", user)
    return _add(club, user)


def _add(club: Club, user: User) -> Member:
    club.requests.filter(user=user).delete()
    _settle_requests(club)
    return Member.objects.create(club=club, user=user)


def ask(user: User, slug: str) -> JoinRequest:
    """Ask to become a member; owners and helpers are told. Idempotent.

    Raises:
        RuleViolation: "not-by-request", "asked-lately" after it was declined, "member", or as `join`.
    """
    _check_person(user)
    with writing():
        club = lock_club(slug=slug)
        if member_of(club, user) is not None:
            raise RuleViolation("member", _("You are a member of this club already."))
        if club.joining != Joining.REQUEST:
            raise RuleViolation("not-by-request", _("This club takes no requests."))
        _check_not_removed(club, user)
        former = club.requests.filter(user=user)
        if (waiting := former.filter(declined_at=None).first()) is not None:
            return waiting
        if former.filter(declined_at__gt=timezone.now() - AGAIN).exists():
            raise RuleViolation("asked-lately", _("The club has declined lately. You can ask again a week later."))
        _check_joined(user)
        _spend("club-join", user)
        former.delete()
        asked = JoinRequest.objects.create(club=club, user=user)
        notices.tell(club, leaders_of(club), What.ASKED)
    return asked


def take_request_back(user: User, slug: str) -> None:
    """Ask no longer to become a member. Idempotent."""
    with writing():
        club = lock_club(slug=slug)
        club.requests.filter(user=user, declined_at=None).delete()
        _settle_requests(club)


def accept(by: User, slug: str, name: str) -> Member:
    """Let in somebody who asks; they are told. Owners and helpers can.

    Raises:
        RuleViolation: "not-leader", "not-asking" if nobody of this name asks any more, "club-full", "too-many-joined".
    """
    with writing():
        club = lock_club(slug=slug)
        check_leads(by, club)
        asking = _asking(club, name)
        _check_room(club)
        _check_joined(asking.user, _("They belong to as many clubs as one person can."))
        member = _add(club, asking.user)
        notices.tell(club, [member.user_id], What.ACCEPTED)
    return member


def decline(by: User, slug: str, name: str) -> None:
    """Decline somebody who asks; they are told, but not by whom. Owners and helpers can.

    Raises:
        RuleViolation: "not-leader", "not-asking".
    """
    with writing():
        club = lock_club(slug=slug)
        check_leads(by, club)
        asking = _asking(club, name)
        asking.declined_at = timezone.now()
        asking.save(update_fields=["declined_at"])
        _settle_requests(club)
        notices.tell(club, [asking.user_id], What.DECLINED)


def _asking(club: Club, name: str) -> JoinRequest:
    waiting = club.requests.filter(declined_at=None, user__name_key=name_key(name)).select_related("user")
    asking = waiting.first()
    if asking is None:
        raise RuleViolation("not-asking", _("This request has been answered or taken back."))
    return asking


def _settle_requests(club: Club) -> None:
    """Count what owners and helpers were told as read, once nobody waits any more."""
    if not club.requests.filter(declined_at=None).exists():
        notices.settle(club, What.ASKED)


def leave(user: User, slug: str) -> None:
    """Belong to a club no longer. Idempotent.

    Raises:
        RuleViolation: "last-owner": somebody else has to become owner first, or the club is closed.
    """
    with writing():
        club = lock_club(slug=slug)
        mine = member_of(club, user)
        if mine is None:
            return
        _check_other_owner(club, mine)
        _end(mine)


def leave_all(user: Any, **_more: Any) -> None:
    """Leave all clubs before an account ends or becomes a bot (`accounts.signals.becomes_bot`).

    Where they were the last owner, the oldest helper becomes one, or else the oldest member; without either the club
    closes.
    """
    for slug in list(Member.objects.filter(user=user).values_list("club__slug", flat=True)):
        with writing():
            club = lock_club(slug=slug)
            mine = member_of(club, user)
            if mine is None:
                continue
            if mine.is_owner and not _other_owners(club, mine).exists():
                _hand_over(club, mine)
            _end(mine)
            if not club.members.exists():
                remove(club)
    JoinRequest.objects.filter(user=user).delete()


def _hand_over(club: Club, mine: Member) -> None:
    others = club.members.exclude(pk=mine.pk).filter(user__is_active=True)
    heir = others.filter(role=Role.HELPER).first() or others.first()
    if heir is None:
        club.members.exclude(pk=mine.pk).delete()
        return
    heir.role = Role.OWNER
    heir.save(update_fields=["role"])
    notices.tell(club, [heir.user_id], What.OWNER)


def _end(member: Member) -> None:
    """End a membership, and what its holder was told of the club."""
    notices.forget(member.club.slug, member.user_id)
    member.delete()
    if member.club.private:
        notices.forget_events(member.club)


# --- roles ------------------------------------------------------------------------------------------------------------


def give_role(by: User, slug: str, name: str, role: str) -> Member:
    """Make a member owner, helper or plain member; owners can, and of other owners only those themselves.

    Raises:
        RuleViolation: "not-owner", "role", "not-member", "of-owner", "last-owner".
    """
    with writing():
        club = lock_club(slug=slug)
        _check_owner(by, club)
        if role not in Role.values:
            raise RuleViolation("role", _("Choose a role."))
        member = _member_named(club, name)
        if member.is_owner and member.user_id != by.pk:
            raise RuleViolation("of-owner", _("Only they themselves can give up being an owner."))
        if role == member.role:
            return member
        _check_other_owner(club, member)
        member.role = role
        member.save(update_fields=["role"])
        if member.user_id != by.pk and member.leads:
            notices.tell(club, [member.user_id], What.OWNER if member.is_owner else What.HELPER)
    return member


def remove_member(by: User, slug: str, name: str) -> None:
    """Remove somebody, who can come back only when they are let in again (`let_back`).

    Owners can remove helpers and members, helpers can remove members.

    Raises:
        RuleViolation: "not-leader", "not-member", "of-owner", "of-helper", "self": one leaves instead.
    """
    with writing():
        club = lock_club(slug=slug)
        mine = check_leads(by, club)
        member = _member_named(club, name)
        if member.pk == mine.pk:
            raise RuleViolation("self", _("That is you. You can leave the club instead."))
        if member.is_owner:
            raise RuleViolation("of-owner", _("Nobody can remove an owner."))
        if member.leads and not mine.is_owner:
            raise RuleViolation("of-helper", _("Only owners can remove helpers."))
        Removal.objects.get_or_create(club=club, user=member.user)
        _end(member)


def let_back(by: User, slug: str, name: str) -> None:
    """Let somebody join again who was removed. Owners and helpers can. Idempotent.

    Raises:
        RuleViolation: "not-leader".
    """
    with writing():
        club = lock_club(slug=slug)
        check_leads(by, club)
        club.removals.filter(user__name_key=name_key(name)).delete()


def leaders_of(club: Club) -> list[int]:
    """Return the keys of the owners and helpers of a club."""
    leading = club.members.filter(role__in=LEADERS)
    return list(leading.values_list("user", flat=True))


def requests_to(user: Any) -> int:
    """Return how many people wait for an answer in all clubs that somebody leads."""
    return JoinRequest.objects.filter(club__in=led_by(user), declined_at=None).count()


# --- checks -----------------------------------------------------------------------------------------------------------


def _check_person(user: Any) -> None:
    """Refuse guests, bots and suspended people: "guest", "bot", "suspended"."""
    if user.guest:
        raise RuleViolation("guest", _("Clubs are for registered players. Register, and you can join."))
    if user.is_bot:
        raise RuleViolation("bot", _("Clubs are for people."))
    check_may_play(user)


def check_may_lead(by: User, club: Club) -> None:
    """Refuse whoever does not lead a club, or may not play here: "not-leader", or as `seats.check_may_play`."""
    check_leads(by, club)
    check_may_play(by)


def _check_owner(by: User, club: Club) -> None:
    mine = member_of(club, by)
    if mine is None or not mine.is_owner:
        raise RuleViolation("not-owner", _("Only owners of this club can do that."))


def _other_owners(club: Club, member: Member) -> Any:
    return club.members.filter(role=Role.OWNER).exclude(pk=member.pk)


def _check_other_owner(club: Club, member: Member) -> None:
    """Refuse that the last owner is one no longer: "last-owner"."""
    if member.is_owner and not _other_owners(club, member).exists():
        text = _("You are the only owner. Make someone else an owner first, or close the club.")
        raise RuleViolation("last-owner", text)


def _member_named(club: Club, name: str) -> Member:
    member = club.members.filter(user__name_key=name_key(name)).select_related("user", "club").first()
    if member is None:
        raise RuleViolation("not-member", _("Nobody of this name belongs to the club."))
    return member


def _check_not_removed(club: Club, user: User) -> None:
    if club.removals.filter(user=user).exists():
        text = _("You were removed from this club. Only its owners and helpers can let you in.")
        raise RuleViolation("removed", text)


def _check_joined(user: User, text: str = "") -> None:
    lock_people([user.pk])  # so that they do not join several at the same moment
    if Member.objects.filter(user=user).count() >= JOINED:
        raise RuleViolation(
            "too-many-joined", text or _("You can belong to at most %(most)d clubs.") % {"most": JOINED}
        )


def _check_room(club: Club) -> None:
    if club.members.count() >= MEMBERS:
        raise RuleViolation("club-full", _("This club is full."))


def _spend(what: str, user: User) -> None:
    try:
        spend(what, user)
    except TooMany as error:
        raise TooOften("too-often", error.text, error.wait) from error
