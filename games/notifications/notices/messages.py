"""What people are told: a notice or several, as one message in their language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import friends
from accounts.mail import in_words_of
from accounts.models import User
from games.notifications.models import Kind, Notice
from games.notifications.notices import digests, standing
from games.notifications.notices.wording import against, joined, own_seat, words_of
from games.play.models import Match, Speed


@dataclass(frozen=True, slots=True)
class Message:
    """What a person is told, in their language and time zone. Nothing hidden in a match may appear in it.

    Args:
        kind: a `Kind`.
        title: a few words, for instance “Your turn in Small Islands”.
        text: one sentence.
        subject: what an email says in its subject; the title when empty.
        url: absolute, of the page to which it leads.
        topic: equal for messages of which the later replaces the earlier: one per match.
        match: slug of the match; empty for what comes daily.
        deadline: when something must be done by, None when nothing must.
        waiting: how many matches wait for this person.
        urgent: worth waking a phone for.
    """

    kind: str
    title: str
    text: str
    url: str
    topic: str
    match: str = ""
    deadline: datetime | None = None
    waiting: int = 0
    urgent: bool = False
    subject: str = ""


def message_of(notice: Notice) -> Message:
    """Return what a notice says now, in its reader's language and time zone."""
    kind = Kind(notice.kind)
    with in_words_of(notice.user):
        title, text = words_of(notice)
        seat = own_seat(notice)
        subject = _subject(notice, title)
        return Message(
            kind=kind,
            title=title,
            text=text,
            url=absolute(notice.get_absolute_url()),
            topic=_topic(notice),
            match=notice.match.slug if notice.match else "",
            deadline=seat.deadline if seat and kind in {Kind.TURN, Kind.DEADLINE, Kind.STARTED, Kind.PAIRED} else None,
            waiting=Match.objects.waiting_for(notice.user).count(),
            urgent=kind == Kind.DEADLINE or (kind == Kind.TURN and notice.about.speed == Speed.LIVE),
            subject=subject,
        )


def _topic(notice: Notice) -> str:
    if notice.match is None or notice.kind == Kind.CHAT:
        return f"{notice.kind} {notice.match.slug if notice.match else notice.by_id}"
    return notice.match.slug


def turns_for(user: User) -> Message:
    """Return what an email about all of a person's turns says above its list, in their language."""
    seats = list(standing.waiting(user))
    first = seats[0]
    notice = Notice(user=user, match=first.match, kind=Kind.TURN, turn=first.turn)
    message = message_of(notice)
    if len(seats) == 1:
        return message
    with in_words_of(user):
        title, url = _many_wait(len(seats)), absolute(reverse("my_matches"))
        return replace(message, title=title, subject="", text="", url=url, match="", waiting=len(seats))


def digest_for(user: User) -> Message:
    """Return what a person's daily digest says above its lists, in their language."""
    waiting = standing.waiting(user).count()
    with in_words_of(user):
        more = digests.lines_for(user)
        text = joined(_("This is your daily digest."), _requests(friends.asking(user).count()), *more)
        url, title = (
            absolute(reverse("my_matches")),
            _many_wait(waiting) if waiting or not more else more[0].rstrip("."),
        )
        subject = _("Your daily digest: %(title)s") % {"title": title}
        return Message(Kind.DIGEST, title, text, url, "digest", waiting=waiting, subject=subject)


def _many_wait(count: int) -> str:
    return ngettext("%(n)d match is waiting for you", "%(n)d matches are waiting for you", count) % {"n": count}


def _requests(count: int) -> str:
    """Return how many people ask to be friends; empty when nobody does."""
    words = ngettext("%(n)d friend request is waiting for you.", "%(n)d friend requests are waiting for you.", count)
    return words % {"n": count} if count else ""


def absolute(path: str) -> str:
    """Return the absolute address of a page, for use outside the site."""
    return f"{settings.SITE_URL}{path}"


def _subject(notice: Notice, title: str) -> str:
    """Return the subject of an email: for a turn it names the opponents, as lists of emails show only the subject."""
    if notice.kind not in {Kind.TURN, Kind.DEADLINE}:
        return title
    words = {"game": notice.about.rules.name, "names": against(notice.about, notice.user)}
    if not words["names"]:
        return title
    if notice.kind == Kind.TURN and notice.part:
        return _("Everybody is waiting for you: %(game)s with %(names)s") % words
    if notice.kind == Kind.TURN:
        return _("Your turn: %(game)s with %(names)s") % words
    return _("Your time is running out: %(game)s with %(names)s") % words
