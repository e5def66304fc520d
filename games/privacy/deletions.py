"""Ends accounts: requested, confirmed by email, cancelled by logging in, or carried out by the worker.

An account ends in steps, each of which can be repeated: it is closed; its owner leaves everything that goes on, as if
they had asked for it; and one transaction deletes the account and all that is theirs. What they share with others, such
as matches, stays without a name. While others play on in a match that the person has left, the emptied account stays,
so that the match is rated for the others as if nothing had happened.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.core import signing
from django.db.models import CASCADE, F, Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.applications import access
from accounts.joining import registration
from accounts.logins import log_out_everywhere
from accounts.mail import letter_to, post
from accounts.models import Registration, User, relations_to_users
from accounts.relations import lock_people
from accounts.services import keep_names_taken_away, rest_names
from games.api import tokens
from games.chat.models import Message
from games.chat.services import count_without
from games.clubs.services import leave_all as leave_clubs
from games.engine.codec import decoder
from games.engine.protocol import RuleViolation
from games.events.services import leave_all as leave_events
from games.fairplay.models import Finding
from games.matchmaking.invitations import decline_invitation
from games.matchmaking.models import Invitation, Promise, SeriesPlayer
from games.matchmaking.planned import leave_tables
from games.matchmaking.series import leave_series
from games.moderation.access import is_last_administrator
from games.moderation.models import Report
from games.notifications.channels import mail
from games.notifications.models import Notice
from games.notifications.services import notices_changed
from games.pairing.models import Wait
from games.pairing.services import withdraw
from games.play import jobs
from games.play.commands import resign
from games.play.live import pubsub
from games.play.models import Match, Seat
from games.play.reducer.actions import Stale
from games.play.store import lock, writing
from games.privacy.models import Deletion, Export

log = logging.getLogger(__name__)

GRACE: Final = timedelta(days=7)
"""The grace period: how long the owner can still keep the account, by logging in."""

LINK_LIFE: Final = timedelta(hours=24)
"""How long the link in the email works."""

_CHECK_AGAIN_AFTER: Final = timedelta(hours=1)
"""How often to check whether the last match of an emptied account is over."""

_NEEDED: Final = frozenset(
    {"play.Seat.user", "ratings.Rating.user", "ratings.RatingChange.user", "privacy.Deletion.user"}
)
"""Relations that an emptied account keeps, so that a running match can be rated and the deletion continues."""

_SALT: Final = "games.privacy.deletions"


class LastAdministratorError(Exception):
    """The account is that of the last administrator."""


class StillPlaysError(Exception):
    """Somebody has sat down again after they left everything."""


def ask(user: User) -> Deletion:
    """Request the end of an account, and email a link that confirms it; without an address it is confirmed at once.

    The accounts of guests have no grace period, because guests cannot log in again.

    Raises:
        LastAdministratorError: it is the account of the last administrator.
    """
    with writing():
        _check_not_last(user)
    deletion, _new = Deletion.objects.get_or_create(user=user)
    if deletion.is_confirmed:
        return deletion
    Deletion.objects.filter(pk=deletion.pk).update(asked_at=timezone.now())
    path = reverse("delete_confirm", args=[signing.dumps(deletion.pk, salt=_SALT)])
    letter = None if user.guest else letter_to(user, "privacy/email/deletion_confirm", path=path)
    if letter is None:
        return confirm(deletion)
    post(letter)
    return deletion


def _check_not_last(user: User) -> None:
    if is_last_administrator(user):
        raise LastAdministratorError


def leaving() -> QuerySet[Any]:
    """Return the keys of people whose accounts are about to end."""
    return Deletion.objects.exclude(confirmed_at=None).values("user")


def find_by_token(token: str) -> Deletion | None:
    """Return the deletion that a link confirms; None if the link is invalid or too old, or the account was kept."""
    try:
        key = signing.loads(token, salt=_SALT, max_age=LINK_LIFE)
    except signing.BadSignature:
        return None
    return Deletion.objects.select_related("user").filter(pk=key).first()


def confirm(deletion: Deletion) -> Deletion:
    """Begin the grace period, log the person out everywhere and email them. Idempotent.

    Raises:
        LastAdministratorError: it is the account of the last administrator.
    """
    now, user = timezone.now(), deletion.user
    due = now if user.guest else now + GRACE
    with writing():
        if not deletion.is_confirmed:
            _check_not_last(user)
        begun = Deletion.objects.filter(pk=deletion.pk, confirmed_at=None).update(confirmed_at=now, due_at=due)
    if begun:
        write_journal("confirmed", user, due)
        _end_access(user)
        if letter := letter_to(user, "privacy/email/deletion_planned", due=due):
            post(letter)
        jobs.stop_sleeping()
    deletion.refresh_from_db()
    return deletion


def take_back(user: User) -> bool:
    """Cancel the confirmed end of an account, unless it has begun; return whether that was done."""
    mine = Deletion.objects.filter(user=user, begun_at=None).exclude(confirmed_at=None)
    if not mine.delete()[0]:
        return False
    write_journal("kept", user)
    if letter := letter_to(user, "privacy/email/deletion_taken_back"):
        post(letter)
    return True


def on_login(request: HttpRequest | None, user: User, **_more: Any) -> None:
    """Keep the account of somebody who logs in (receiver of `user_logged_in`)."""
    if take_back(user) and request is not None:
        messages.success(request, _("Welcome back. Your account will not be deleted."))


def on_guest_claimed(guest: User, **_more: Any) -> None:
    """Delete the deletion and the export of a guest whose account is taken over (receiver of `guest_claimed`)."""
    if Deletion.objects.filter(user=guest).delete()[0]:
        write_journal("kept", guest)
    Export.objects.filter(user=guest).delete()


def end_again(back: Returned) -> None:
    """Plan the end of an account that a restored backup has brought back: now, or as planned before. Idempotent."""
    now, user, planned = timezone.now(), back.user, back.entry.due
    is_over = back.entry.what == "ended" or planned is None or planned <= now
    due = now if is_over or planned is None else planned
    dates = {"asked_at": now, "confirmed_at": due - GRACE, "due_at": due, "begun_at": now if is_over else None}
    with writing():
        Deletion.objects.update_or_create(user=user, defaults=dates)
        User.objects.filter(pk=user.pk).update(is_active=not is_over)
        _end_access(user)


# --- what the worker does ---------------------------------------------------------------------------------------------


def due(now: datetime) -> QuerySet[Deletion]:
    """Return the deletions whose next step is due."""
    return Deletion.objects.filter(due_at__lte=now)


def forget_unconfirmed(now: datetime) -> int:
    """Delete the requests that were not confirmed in time; return how many."""
    return Deletion.objects.filter(confirmed_at=None, asked_at__lt=now - LINK_LIFE).delete()[0]


def plan_ends_of_guests(away: QuerySet[User]) -> int:
    """Plan the ends of the accounts of these guests, without grace; return an upper bound of how many are new."""
    now = timezone.now()
    ends = [Deletion(user=guest, confirmed_at=now, due_at=now) for guest in away.filter(deletion=None)]
    return len(Deletion.objects.bulk_create(ends, ignore_conflicts=True))


def plan_ends_of_unconfirmed(now: datetime) -> int:
    """Plan the ends of accounts without a confirmed address to which nobody has ever logged in; return how many.

    They were created before registrations had to be confirmed first. Logging in within the grace period keeps them.
    """
    waiting = User.objects.filter(guest=False, last_login=None, is_staff=False, is_superuser=False, deletion=None)
    never = waiting.filter(date_joined__lt=now - registration.LIFE, emailaddress__verified=False)
    never = never.exclude(emailaddress__verified=True).distinct()
    ends = [Deletion(user=user, confirmed_at=now, due_at=now + GRACE) for user in never]
    return len(Deletion.objects.bulk_create(ends, ignore_conflicts=True))


def end(key: int) -> bool:
    """End an account as far as possible, by the key of its deletion; return whether it was due.

    Raises:
        StillPlaysError: it cannot end yet; try again.
    """
    user = _close(key)
    if user is None:
        return False
    leave_everything(user)
    with writing():
        lock_people([user.pk])
        deletion = Deletion.objects.select_for_update().filter(pk=key).first()
        if deletion is None:
            return True  # another worker has done it
        _remove(user, deletion)
    return True


def _close(key: int) -> User | None:
    """Close an account whose end is due and return its user; None if it is not due. Now it cannot be kept any more."""
    now = timezone.now()
    with writing():
        lock_people(due(now).filter(pk=key).values_list("user", flat=True))
        deletion = due(now).select_for_update(of=("self",)).select_related("user").filter(pk=key).first()
        if deletion is None:
            return None
        if _was_of_a_guest(deletion):
            deletion.delete()
            write_journal("kept", deletion.user)
            return None
        deletion.begun_at = deletion.begun_at or now
        deletion.save(update_fields=["begun_at"])
        User.objects.filter(pk=deletion.user_id).update(is_active=False)
    return deletion.user


def _was_of_a_guest(deletion: Deletion) -> bool:
    """Return whether the end was planned without grace for a guest who has registered since."""
    if deletion.begun_at or deletion.user.guest or not (deletion.confirmed_at and deletion.due_at):
        return False
    return deletion.due_at < deletion.confirmed_at + GRACE


def _remove(user: User, deletion: Deletion) -> None:
    """Delete a locked account, or only empty it while others play on in a match that the person has left."""
    seats = Seat.objects.filter(user=user)
    if seats.filter(Q(match__status=Match.Status.OPEN) | Q(match__status=Match.Status.RUNNING, left=None)).exists():
        raise StillPlaysError
    letter = None if deletion.emptied_at else letter_to(user, "privacy/email/deletion_done")
    if not deletion.emptied_at:
        write_journal("ended", user)  # before the commit, because what has begun is not taken back
        forget_everything(user)
    if letter is not None:
        post(letter)
    if not seats.filter(match__status=Match.Status.RUNNING).exists():
        user.delete()
        return
    if not deletion.emptied_at:
        _empty(user)
        _show_anew(user)
    now = timezone.now()
    emptied = deletion.emptied_at or now
    Deletion.objects.filter(pk=deletion.pk).update(emptied_at=emptied, due_at=now + _CHECK_AGAIN_AFTER)


def _show_anew(user: User) -> None:
    """Raise the versions of running matches, so that their pages show the new name."""
    running = Match.objects.of(user).filter(status=Match.Status.RUNNING)
    for slug, version in running.values_list("slug", "version"):
        Match.objects.filter(slug=slug).update(version=F("version") + 1)
        pubsub.match_changed(slug, version + 1)


def _empty(user: User) -> None:
    """Delete everything of somebody and give the closed account the values of a new one, inside a transaction."""
    for name, field in relations_to_users():
        if name in _NEEDED:
            continue
        rows = field.model._base_manager.filter(**{field.name: user})  # noqa: SLF001  # Django's public way to all rows
        if field.remote_field.on_delete is CASCADE:
            rows.delete()
        else:
            rows.update(**{field.name: None})
    # Nobody can choose a name that begins like this.
    blank = User(pk=user.pk, username=f"Deleted-{secrets.token_hex(6)}", is_active=False)
    blank.set_unusable_password()
    blank.save(force_update=True)


# --- what is left, and what is forgotten ------------------------------------------------------------------------------

_TRIES: Final = 3
"""A request that finds somebody's time up only removes them for that; the next one is carried out."""


def leave_everything(user: User) -> None:
    """Make somebody leave all that goes on as if they had asked for it, so that others are told as usual.

    Each step commits by itself and does nothing when it is done already.
    """
    for key in Wait.objects.current().filter(user=user).values_list("pk", flat=True):
        withdraw(user, key)
    _take_notes_back(user)
    leave_tables(user)
    leave_events(user)
    leave_clubs(user)
    for match_id in Invitation.objects.answerable().filter(user=user).values_list("match", flat=True):
        with suppress(RuleViolation):
            decline_invitation(match_id, user)
    for player in SeriesPlayer.objects.filter(user=user, series__ended_at=None):
        with suppress(RuleViolation):
            leave_series(player.series_id, user)
    for seat in Seat.objects.filter(user=user, match__status=Match.Status.RUNNING, left=None):
        for _try in range(_TRIES):
            with suppress(Stale):
                with suppress(RuleViolation):  # the match is over for them already
                    resign(seat.match_id, seat.number, secrets.token_hex(16))  # an id that no request of theirs has
                break
    _end_access(user)


def _end_access(user: User) -> None:
    """Log somebody out everywhere, and end the tokens of their programs."""
    log_out_everywhere(user)
    tokens.revoke_all(user)
    access.end_all(user)


def _take_notes_back(user: User) -> None:
    """Remove what somebody has written at tables that another host will have."""
    waiting = Match.objects.filter(host=user, status__in=[Match.Status.OPEN, Match.Status.PLANNED]).exclude(note="")
    for match_id in waiting.values_list("pk", flat=True):
        with writing():
            match = lock(match_id).match
            if match.host_id == user.pk:
                match.note = ""
                match.save(update_fields=["note"])


def forget_everything(user: User) -> None:
    """Remove what is not deleted with an account, inside the transaction that ends it.

    That is what they wrote, wherever it was; what names them to others; and findings that are about nobody else. Their
    names are reserved for a while, and those that moderators took away stay taken; nothing says whose they were.
    """
    Report.objects.filter(by=user).update(words="")
    Report.objects.filter(person=user).update(quote="")
    Finding.objects.filter(Q(first=user, second=None) | Q(first=None, second=user)).delete()
    count_without(user)  # among the unread messages of others
    Message.objects.filter(author=user).delete()
    # Letters that wait for the mail server, and notices of others.
    mail.forget_letters({user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)})
    notices = Notice.objects.filter(by=user)
    readers = list(notices.values_list("user", flat=True))
    notices.delete()
    notices_changed(readers)
    Promise.objects.filter(user=user).delete()  # at tables that have already opened
    Match.objects.filter(host=user).exclude(note="").update(note="")
    _blank_in_admin_log(User, [user.pk])
    for _name, field in relations_to_users():
        rows = field.model._base_manager.filter(**{field.name: user})  # noqa: SLF001  # Django's public way to all rows
        _blank_in_admin_log(field.model, rows.values_list("pk", flat=True))
    keep_names_taken_away(user)
    rest_names(user)
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    Registration.objects.filter(Q(guest=user) | Q(email__in=addresses)).delete()


# The admin's log keeps what a row was called when an administrator changed it, for instance an email address.


def _blank_in_admin_log(model: type[Model], keys: Iterable[Any]) -> None:
    """Remove from the admin's log what these rows were called; who changed them, and when, stays."""
    label = {"content_type__app_label": model._meta.app_label, "content_type__model": model._meta.model_name}  # noqa: SLF001  # as above
    logged = LogEntry.objects.filter(**label)
    if logged.exists():  # of most models there is none, and their rows need not be read
        logged.filter(object_id__in=[str(key) for key in keys]).update(object_repr="", change_message="")


def on_address_removed(instance: EmailAddress, **_more: Any) -> None:
    """Remove an email address from the admin's log as soon as it is deleted (`post_delete`)."""
    _blank_in_admin_log(EmailAddress, [instance.pk])


# --- the journal ------------------------------------------------------------------------------------------------------
# It consists of files outside the database, which restoring a backup does not change. A backup still contains the
# accounts that ended after it was made; once it is restored, `returned_accounts` finds those that the journal says have
# ended or were about to. The journal names nobody: an account is its key and the time it was created.

JOURNAL_KEPT: Final = timedelta(days=400)
"""How long the journal is kept; no older backup should be restored."""

_LONGEST: Final = 1000
"""How many bytes of a line are read, at most."""

_AT_A_TIME: Final = 500
"""How many accounts are looked up at once."""


class Entry(msgspec.Struct, frozen=True):
    """A line of the journal.

    Args:
        what: the end was confirmed, the account is kept after all, or it has ended.
        at: when that was.
        account: its key.
        joined: when it was created, because keys are used again after a restore.
        due: for "confirmed", when the account is to end.
    """

    what: Literal["confirmed", "kept", "ended"]
    at: datetime
    account: int
    joined: datetime
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """An account that a restored backup has brought back, and its last entry in the journal."""

    user: User
    entry: Entry


def write_journal(what: Literal["confirmed", "kept", "ended"], user: User, due: datetime | None = None) -> None:
    """Write an entry. If the disk is full or read-only, log that; the account ends all the same."""
    now = timezone.now()
    line = msgspec.json.encode(Entry(what, now, user.pk, user.date_joined, due))
    try:
        _append(Path(settings.DELETIONS_DIR), now, line)
    except OSError:
        log.exception("Account %s: “%s” cannot be written to the journal of deletions", user.pk, what)


def _append(folder: Path, now: datetime, line: bytes) -> None:
    """Append a line to the file of the month in one write, as several processes share it, and sync it to disk."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{now:%Y-%m}.jsonl"
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, b"\n" + line + b"\n")  # after an incomplete line this one begins anew
        os.fsync(file)
    finally:
        os.close(file)


def tidy_journal(now: datetime) -> None:
    """Delete the files of months that began more than `KEPT` ago."""
    for path in Path(settings.DELETIONS_DIR).glob("*.jsonl"):
        if path.stem <= f"{now - JOURNAL_KEPT:%Y-%m}":
            path.unlink(missing_ok=True)


def returned_accounts(folders: Iterable[Path]) -> Iterator[Returned]:
    """Yield the accounts that exist although the journal says that they have ended or were about to.

    Args:
        folders: of journals, of this machine and of others that have ended accounts.
    """
    last: dict[tuple[int, datetime], Entry] = {}
    for entry in sorted(_entries(folders), key=lambda entry: entry.at):
        last[entry.account, entry.joined] = entry
    gone = [entry for entry in last.values() if entry.what != "kept"]
    for begin in range(0, len(gone), _AT_A_TIME):
        batch = gone[begin : begin + _AT_A_TIME]
        here = User.objects.filter(deletion__confirmed_at=None).in_bulk([entry.account for entry in batch])
        for entry in batch:
            user = here.get(entry.account)
            if user is not None and user.date_joined == entry.joined:
                yield Returned(user, entry)


def _entries(folders: Iterable[Path]) -> Iterator[Entry]:
    """Yield the entries of all journals; skip incomplete lines."""
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        with path.open("rb") as file:
            while line := file.readline(_LONGEST):
                try:
                    yield decoder(Entry).decode(line)
                except msgspec.MsgspecError:
                    continue
