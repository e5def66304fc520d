"""The channel mail: notices as text and HTML, threaded by match; and letters, which no notice is about.

Letters are emails about accounts, data and decisions. They are written in the transaction of what they are about, go
first in the same queue, and are deleted once sent, as there are links in them.
"""

from __future__ import annotations

import smtplib
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from email.utils import make_msgid, parseaddr
from typing import Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.core.mail.utils import DNS_NAME
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.mail import in_words_of, verified_address
from accounts.models import User
from accounts.moments import with_zone
from games.matchmaking.invitations import invitation_url
from games.matchmaking.models import Invitation
from games.notifications import validity
from games.notifications.channels import Target, Undeliverable
from games.notifications.channels.http import Unanswered
from games.notifications.messages import Message, absolute, against, message_of
from games.notifications.models import MAIL_SERVER, Channel, Delivery, Kind, Mute, Notice, Preferences
from games.notifications.services import RESULT_MAILED, RESULT_PUSHED
from games.play import jobs
from games.play.models import Match, Speed
from games.play.store import writing
from games.titles import art

_LISTING = {Kind.TURN, Kind.DEADLINE, Kind.DIGEST}
"""Kinds whose emails also list the other matches that wait."""

_FINAL = 500
"""Reply codes of a mail server from here on are final (RFC 5321)."""

UNREACHABLE = "invalid"
"""The top-level domain of addresses that never get email (RFC 6761): those of the demo's people."""


@dataclass(frozen=True, slots=True)
class Row:
    """A match in the list of an email."""

    title: str
    text: str
    url: str
    mute: str = ""


class Mail:
    """The channel mail, to the address a person has verified."""

    def targets(self, user: Any) -> Sequence[Target]:
        return [Target("mail", {"host": MAIL_SERVER})] if _address(user) else []

    def send(self, delivery: Delivery, message: Message) -> None:
        """Send an email, which also lists the results since the last one.

        Raises:
            Undeliverable: there is no verified address any more.
            Unanswered: our mail server does not answer.
        """
        address = _address(delivery.reader)
        if address is None:
            raise Undeliverable("no verified address")
        with in_words_of(delivery.reader):
            results = list(results_for(delivery.reader))
            letter = compose(delivery, message, results)
            letter.to = [address]
            _hand_over(letter)
        Notice.objects.filter(pk__in=[notice.pk for notice in results]).update(step=RESULT_MAILED)

    def send_letter(self, delivery: Delivery) -> None:
        """Send a letter as it was written.

        Raises:
            Undeliverable: our mail server refuses it for good.
            Unanswered: it does not answer.
        """
        content = {name: value for name, value in delivery.letter.items() if name != "alternatives"}
        email = EmailMultiAlternatives(**content)
        for text, kind in delivery.letter["alternatives"]:
            email.attach_alternative(text, kind)
        try:
            _hand_over(email)
        except smtplib.SMTPRecipientsRefused as error:
            if all(code >= _FINAL for code, _text in error.recipients.values()):
                raise Undeliverable(repr(error)) from error
            raise
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
            if error.smtp_code >= _FINAL:
                raise Undeliverable(repr(error)) from error
            raise


def _hand_over(letter: EmailMultiAlternatives) -> None:
    """Give an email to our mail server.

    Raises:
        Unanswered: it is away.
        smtplib.SMTPException: it refuses this email.
    """
    try:
        letter.send()
    except (smtplib.SMTPConnectError, smtplib.SMTPServerDisconnected, smtplib.SMTPHeloError) as error:
        raise Unanswered(repr(error)) from error
    except smtplib.SMTPException:
        raise
    except OSError as error:
        raise Unanswered(repr(error)) from error


class Letter(EmailMultiAlternatives):
    """An email with unbroken header lines: newer Pythons would encode an address that is too long for one line."""

    def message(self, **options: Any) -> Any:
        made = super().message(**options)
        made.policy = made.policy.clone(max_line_length=0)
        return made


def compose(delivery: Delivery, message: Message, results: Sequence[Notice] = ()) -> Letter:
    """Return an email, not yet addressed, in the active language and time zone.

    Args:
        delivery: what is sent; what comes daily has no notice.
        message: what it says first.
        results: notices of matches that are over.
    """
    token = unsubscribe_token(delivery.reader, message.kind)
    context = {
        "message": message,
        "picture": _picture(message),
        "person": delivery.reader.shown_name,
        "action": _action(message),
        "waiting": _waiting(delivery.reader, message),
        "results": [Row(it.about.rules.name, message_of(it).text, absolute(it.get_absolute_url())) for it in results],
        "answer": _answer(delivery),
        "mute": mute_address(delivery.reader, message.match) if message.match else "",
        "unsubscribe": unsubscribe_address(token),
        "preferences": absolute(reverse("settings_notices")),
        "site_url": settings.SITE_URL,
        "language": translation.get_language(),
    }
    subject = " ".join(f"Tessera: {message.subject or message.title}".split())  # one line, whatever the names contain
    letter = Letter(subject, render_to_string("notifications/email/notice.txt", context))
    letter.attach_alternative(render_to_string("notifications/email/notice.html", context), "text/html")
    letter.extra_headers = {**_headers(delivery, message), **unsubscribe_headers(token)}
    return letter


def _answer(delivery: Delivery) -> dict[str, str]:
    """Return the addresses at which an invitation is accepted and declined; empty if there is none to answer."""
    notice = delivery.notice
    if notice is None or notice.kind != Kind.INVITATION:
        return {}
    found = Invitation.objects.answerable().filter(match=notice.match_id, user=delivery.user_id).first()
    return {answer: invitation_url(found, answer) for answer in ("accept", "decline")} if found else {}


def _picture(message: Message) -> str:
    """Return the address of the picture of the game; empty if there is none."""
    match = Match.objects.filter(slug=message.match).only("game").first() if message.match else None
    try:
        return art.address(match.title, "mail") if match else ""
    except ValueError:  # the static files of this version have not been collected
        return ""


def _headers(delivery: Delivery, message: Message) -> dict[str, str]:
    """Return the headers that identify an email and its thread."""
    host = _host()
    thread = f"<{message.topic}@match.{host}>"
    return {
        "Message-ID": message_id(delivery),
        "In-Reply-To": thread,
        "References": thread,
        "List-Id": f"Tessera <notices.{host}>",
        "Auto-Submitted": "auto-generated",
        "Content-Language": translation.get_language(),
    }


def message_id(delivery: Delivery) -> str:
    """Return the Message-ID of an email: the same when it is sent again, and never that of another email.

    Keys start from 1 again in a new database, so there is a random part.
    """
    return f"<{delivery.key}.{delivery.uid.hex}@{_host()}>"


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def _action(message: Message) -> str:
    otherwise = _("Play") if message.match else _("All my matches")
    return {
        Kind.PUZZLE: _("Solve them"),
        Kind.INVITATION: _("Look at the table"),
        Kind.PLANNED: _("Look at the table"),
        Kind.SERIES: _("Look at the series"),
        Kind.STARTED: _("Go to the match"),
        Kind.PAIRED: _("Go to the match"),
        Kind.FRIEND_ASKED: _("Answer"),
        Kind.BEFRIENDED: _("Look at the profile"),
        Kind.TABLE: _("Look at the table"),
        Kind.CONFIRM: _("Confirm"),
        Kind.PAUSED: _("Look at the event"),
        Kind.SEASON: _("Look at the event"),
        Kind.CLUB: _("Look at the club"),
        Kind.CLUB_TABLE: _("Look at the table") if message.match else _("Look at the event"),
        Kind.REPORT: _("Read it"),
        Kind.MODERATION: _("Read it"),
    }.get(Kind(message.kind), otherwise)


def _waiting(user: User, message: Message) -> list[Row]:
    """Return the other matches that wait for a person, those with the least time first."""
    if message.kind not in _LISTING:
        return []
    rows = []
    for seat in validity.waiting(user).exclude(match__slug=message.match):
        match, text = seat.match, _("with %(names)s") % {"names": against(seat.match, user)}
        if seat.deadline is not None and match.speed == Speed.DAYS:
            text = _("%(text)s, until %(moment)s") % {"text": text, "moment": with_zone(seat.deadline)}
        url, mute = absolute(match.get_absolute_url()), mute_address(user, match.slug)
        rows.append(Row(match.rules.name, text, url, mute))
    return rows


def results_for(user: User) -> QuerySet[Notice]:
    """Return the results that a person has neither seen nor been mailed, if they want them by email."""
    if not Preferences.of(user).wants(Kind.OVER, Channel.MAIL):
        return Notice.objects.none()
    mine = Notice.objects.filter(user=user, kind=Kind.OVER, step=RESULT_PUSHED, created_at__lte=timezone.now())
    unseen = mine.exclude(validity.looked_at()).exclude(match__in=Mute.objects.filter(user=user).values("match"))
    return unseen.select_related("match", "user").order_by("created_at", "pk")


def _address(user: User) -> str | None:
    """Return the address to send notices to; None for closed and demo accounts, and without a verified address."""
    if not user.is_active:
        return None
    address = verified_address(user)
    return None if address is None or address.endswith(f".{UNREACHABLE}") else address


def on_letter_written(email: EmailMultiAlternatives, **_: Any) -> None:
    """Queue an email; the worker sends it as soon as the transaction is committed."""
    email.extra_headers.setdefault("Message-ID", make_msgid(domain=DNS_NAME))  # the same when it is sent again
    now, uid = timezone.now(), uuid.uuid4()
    content = {
        "subject": str(email.subject),
        "body": str(email.body),
        "from_email": email.from_email,
        "to": list(email.to),
        "headers": dict(email.extra_headers),
        "alternatives": [[str(content), kind] for content, kind in email.alternatives],
    }
    where = {"channel": Channel.MAIL, "host": MAIL_SERVER}
    Delivery.objects.create(**where, kind="", key=f"letter.{uid}", uid=uid, due_at=now, content=content)
    jobs.wake_for(now)


def unsent_letters() -> QuerySet[Delivery]:
    """Return the letters that the mail server has not taken."""
    return Delivery.objects.filter(content__isnull=False, channel=Channel.MAIL)


def describe_unsent_letters() -> list[str]:
    """Return a line for each unsent letter, for an operator, the oldest first."""
    return [
        f"{timezone.localtime(it.failing_since or it.due_at):%Y-%m-%d %H:%M}  {it.attempts} failures  {it.named}"
        for it in unsent_letters().order_by("pk")
    ]


def forget_letters(addresses: Collection[str]) -> None:
    """Remove the unsent letters to any of these addresses."""
    for letter in unsent_letters().iterator():
        if any(address.lower() in addresses for address in letter.letter["to"]):
            letter.delete()


# --- links to hear less, without login (RFC 8058) ---------------------------------------------------------------------

MAILED = tuple(kind for kind in Kind if kind != Kind.SECURITY)
"""Kinds of email that can be switched off."""

_unsubscribe_signer = signing.Signer(salt="games.notifications.unsubscribe")
_mute_signer = signing.Signer(salt="games.notifications.mute")


def mute_address(user: User, slug: str) -> str:
    """Return the address of a page on which anybody who has it can mute this match for this person."""
    return absolute(reverse("mute_by_token", args=[_mute_signer.sign(f"{user.pk}-{slug}")]))


def read_mute_token(token: str) -> tuple[User, Match] | None:
    """Return which match a token mutes, and for whom; None if the token is invalid."""
    try:
        key, _dash, slug = _mute_signer.unsign(token).partition("-")
        return User.objects.get(pk=int(key)), Match.objects.get(slug=slug)
    except (signing.BadSignature, ValueError, User.DoesNotExist, Match.DoesNotExist):
        return None


def unsubscribe_token(user: User, kind: str) -> str:
    """Return a token that can switch off a kind of email to a person, and nothing else; it never expires."""
    return _unsubscribe_signer.sign(f"{user.pk}-{kind}")


def read_unsubscribe_token(token: str) -> tuple[User, Kind] | None:
    """Return which kind of email a token is about, and whose; None if the token is invalid."""
    try:
        key, _dash, kind = _unsubscribe_signer.unsign(token).partition("-")
        return User.objects.get(pk=int(key)), Kind(kind)
    except (signing.BadSignature, ValueError, User.DoesNotExist):
        return None


def unsubscribe(user: User, *kinds: Kind) -> None:
    """Switch off a person's email of these kinds. Idempotent."""
    with writing():
        Preferences.objects.get_or_create(user=user)
        preferences = Preferences.objects.select_for_update().get(user=user)
        preferences.off = sorted({*preferences.off, *(f"{kind}.{Channel.MAIL}" for kind in kinds)})
        preferences.save(update_fields=["off"])


def on_becomes_bot(user: User, **_: Any) -> None:
    """Switch off the emails of an account for which a program is to play (`accounts.signals.becomes_bot`)."""
    unsubscribe(user, *MAILED)


def unsubscribe_address(token: str) -> str:
    """Return the address of the page for unsubscribing."""
    return absolute(reverse("unsubscribe", args=[token]))


def unsubscribe_headers(token: str) -> dict[str, str]:
    """Return the headers that let mail programs offer a button to unsubscribe (RFC 2369, RFC 8058)."""
    mailto = f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}?subject={quote(f'unsubscribe {token}')}"
    return {
        "List-Unsubscribe": f"<{unsubscribe_address(token)}>, <{mailto}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
