"""Invitations to tables and links to them, and what else a host does to the people at a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from accounts import relations
from accounts.names import name_key
from games.bots.conditions import check_bots_play
from games.engine.protocol import RuleViolation
from games.matchmaking.limits import INVITATION_LIFETIME, count_invitations, table_expires_at
from games.matchmaking.models import Invitation, Removal
from games.matchmaking.requirements import end_promises, is_coming
from games.matchmaking.seats import check_host, check_may_invite, check_open, seat_of, table_changed, vacate
from games.matchmaking.signals import invited
from games.play.models import Match, Seat, Speed
from games.play.store import lock, writing


def invite(match: Match, people: Iterable[Any], by: Any) -> bool:
    """Invite people to a locked table, each of them once; an invitation that has expired is sent again.

    To people who have blocked the inviter the invitation is withheld, without either of them being told.

    Returns:
        Whether any invitation was sent; the others were there already.

    Raises:
        RuleViolation: "blocked" for somebody whom the inviter has blocked, "declined" for somebody who does not want
            to come; as `limits.count_invitations`, or as `check_bots_play` for bots that do not play at this table.
    """
    others = {person.pk: person for person in people if person.pk != by.pk}
    apart = relations.blocked_with(by) & set(others)
    for key in apart:
        if relations.has_blocked(by, others[key]):
            text = _("You have blocked %(name)s. Unblock them first.")
            raise RuleViolation("blocked", text % {"name": others[key].shown_name})
    former = {it.user_id: it for it in match.invitations.filter(user__in=others)}
    for key, invitation in former.items():
        if invitation.declined_at is not None:
            text = _("%(name)s has declined, and can still sit down without another invitation.")
            raise RuleViolation("declined", text % {"name": others[key].shown_name})
    new = [person for key, person in others.items() if _is_due(former.get(key), withheld=key in apart)]
    _check_bots_would_play(match, new, by)
    if new:
        count_invitations(match, new, by)
    now, until = timezone.now(), table_expires_at(match)
    if match.previous_id is None and match.opens_at is None:  # those to a rematch or a planned table last as long as it
        until = min(until, now + INVITATION_LIFETIME[Speed(match.speed)])
    sent = {"match": match, "by": by, "created_at": now, "expires_at": until}
    Invitation.objects.bulk_create(
        [Invitation(user=person, withheld=person.pk in apart, **sent) for person in new],
        update_conflicts=True,
        update_fields=["by", "created_at", "expires_at", "withheld"],
        unique_fields=["match", "user"],
    )
    invited.send(Match, match=match, people=[it for key, it in others.items() if key not in apart], by=by)
    return bool(new)


def _check_bots_would_play(match: Match, asked: Iterable[Any], by: Any) -> None:
    """Refuse to invite bots that do not play at a table, with its host or beside those who sit there."""
    bots = [person for person in asked if person.is_bot]
    if not bots:
        return
    seats = [seat for seat in match.seats.select_related("user") if seat.user_id != by.pk]
    there, programs = [by, *(seat.user for seat in seats)], match.has_bots or any(seat.is_bot for seat in seats)
    for bot in bots:
        check_bots_play(match, [person for person in there if person != bot] + [bot], programs=programs)


def _is_due(former: Invitation | None, *, withheld: bool) -> bool:
    """Return whether an invitation is to be sent: there is none, or the former one can no longer be accepted."""
    return former is None or former.has_expired or (former.withheld and not withheld)


def is_invited(match: Match, user: Any) -> bool:
    """Return whether somebody has an invitation to a match that they may know of."""
    return Invitation.objects.filter(match=match, user=user, withheld=False).exists()


def accept_invitation(match: Match, user: Any) -> None:
    """Clear the refusal of somebody who now sits at a locked table, or will come to it, after all."""
    match.invitations.filter(user=user).exclude(declined_at=None).update(declined_at=None)


def decline_invitation(match_id: int, user: Any) -> None:
    """Decline an invitation to an open or planned table; one may still sit down later. Idempotent.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-invited", "seated" for somebody who sits there already, or
            "coming" for somebody for whom a seat is kept.
    """
    with writing():
        locked = lock(match_id)
        if not locked.match.is_planned:
            check_open(locked.match)
        invitation = locked.match.invitations.filter(user=user, withheld=False).first()
        if invitation is None:
            raise RuleViolation("not-invited", _("You are not invited to this table."))
        if seat_of(user, locked.seats) is not None:
            raise RuleViolation("seated", _("You are already sitting at this table. You can leave it."))
        if is_coming(locked.match, user):
            raise RuleViolation("coming", _("A seat is kept for you at this table. You can give it back."))
        if invitation.declined_at is None:
            invitation.declined_at = timezone.now()
            invitation.save(update_fields=["declined_at"])
            table_changed(locked.match)


# --- links ------------------------------------------------------------------------------------------------------------

_signer = signing.Signer(salt="games.matchmaking.invitation")

_MARGIN = 4
"""Modules of white around a QR code, as its standard demands."""


def invitation_url(invitation: Invitation, answer: str = "") -> str:
    """Return the absolute address of a page on which anybody can decline this invitation, and its reader accept it.

    Args:
        invitation: to be answered.
        answer: "accept" or "decline" if the page is to ask for this answer alone.
    """
    page = reverse("invitation", args=[_signer.sign(str(invitation.pk))], query={"answer": answer} if answer else None)
    return f"{settings.SITE_URL}{page}"


def invitation_from_token(token: str) -> Invitation | None:
    """Return the invitation of a token; None if the token is invalid or the invitation is gone."""
    try:
        key = int(_signer.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return Invitation.objects.filter(pk=key).select_related("match", "user", "by").first()


@lru_cache(maxsize=256)
def qr_code(path: str) -> SafeString:
    """Return the QR code of a page of this site as SVG: one path, dark on white in both themes."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=_MARGIN)
    code.add_data(f"{settings.SITE_URL}{path}")
    rows = code.get_matrix()
    drawn = ""
    for number, row in enumerate(rows):
        column = 0
        for dark, run in groupby(row):
            width = len(list(run))
            drawn += f"M{column} {number}h{width}v1h-{width}z" if dark else ""
            column += width
    return format_html(
        '<svg class="qr" viewBox="0 0 {size} {size}" shape-rendering="crispEdges" aria-hidden="true">'
        '<rect width="{size}" height="{size}" fill="#fff"/><path d="{path}" fill="#000"/></svg>',
        size=len(rows),
        path=drawn,
    )


# --- what else a host does --------------------------------------------------------------------------------------------


@contextmanager
def _as_host(match_id: int, host: Any) -> Iterator[tuple[Match, list[Seat]]]:
    """Lock a table and its seats for its host; raises as `seats.check_host`."""
    with writing():
        locked = lock(match_id)
        check_host(locked.match, host, also_planned=True)
        yield locked.match, locked.seats


def remove_player(match_id: int, host: Any, name: str) -> None:
    """Remove another player from the table and keep them away until the host invites them.

    At a planned table that is somebody who said they would come.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", or "not-there" if nobody else of that name is.
    """
    key = name_key(name)
    with _as_host(match_id, host) as (match, seats):
        promise = match.promises.exclude(user=host).filter(user__name_key=key).select_related("user").first()
        seat = next((it for it in seats if it.user and it.user_id != host.pk and it.user.name_key == key), None)
        if promise is not None:
            Removal.objects.get_or_create(match=match, user=promise.user)
            end_promises(match, [promise.user])
        elif seat is not None:
            Removal.objects.get_or_create(match=match, user=seat.user)
            vacate(seat, seats)
        else:
            raise RuleViolation("not-there", _("This player is not sitting at the table."))
        table_changed(match)


def invite_more(match_id: int, host: Any, people: Iterable[Any]) -> None:
    """Invite more players to a table; those who were removed from it may sit down again.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "guest-invites", or as `invite`.
    """
    asked = list(people)
    check_may_invite(host, asked)
    with _as_host(match_id, host) as (match, _seats):
        admitted, _rows = Removal.objects.filter(match=match, user__in=asked).delete()
        if invite(match, asked, by=host) or admitted:
            table_changed(match)


def make_casual(match_id: int, host: Any) -> None:
    """Make the match of an open table casual.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-host".
    """
    with _as_host(match_id, host) as (match, _seats):
        if match.rated:
            match.rated = False
            match.save(update_fields=["rated"])
            table_changed(match)


def open_kept_seats(match_id: int, host: Any) -> None:
    """Let everybody take the seats that were kept for friends.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-host".
    """
    with _as_host(match_id, host) as (match, _seats):
        if match.kept:
            match.kept = 0
            table_changed(match)


def terms_in_words(match: Match) -> str:
    """Return what will be played at a table, in a sentence or two."""
    words = {
        "rated": _("Rated match") if match.rated else _("Casual match"),
        "seats": ngettext("%(n)d player", "%(n)d players", match.seat_count) % {"n": match.seat_count},
        "speed": match.get_speed_display(),
        "clock": match.clock_in_words or _("no clock"),
    }
    return _("%(rated)s for %(seats)s. %(speed)s: %(clock)s.") % words
