"""Notices of what friends, and people whom somebody follows, do: written in the transaction of the event."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import chain, islice
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts import friends
from accounts.models import Friendship, User
from games.notifications.models import OF_PEOPLE, Kind, Notice
from games.notifications.notices.announcing import notices_changed
from games.play.models import Match

MOST_TOLD = 200
"""How many people are told of one table: friends first, then those who were here last."""

TABLES_EVERY = timedelta(hours=1)
"""The shortest time between two notices of tables of the same person; later tables take the place of the first."""

_TOLD_OF = (Match.Visibility.PUBLIC, Match.Visibility.FRIENDS)


def on_friend_asked(asker: User, asked: User, **_: Any) -> None:
    """Note a request for friendship (`accounts.signals.friend_asked`)."""
    _tell(Kind.FRIEND_ASKED, asked, asker)


def on_befriended(asker: User, asked: User, **_: Any) -> None:
    """Note that a request was accepted (`accounts.signals.befriended`)."""
    _tell(Kind.BEFRIENDED, asker, asked)


def _tell(kind: Kind, user: User, by: User) -> None:
    """Write a notice of a person, in place of an earlier one. Both people are locked."""
    now = timezone.now()
    Notice.objects.filter(user=user, kind=kind, by=by, match=None).delete()
    Notice.objects.create(user=user, kind=kind, by=by, created_at=now, due_at=now)
    notices_changed([user.pk])


def on_answered(asker: User, asked: User, state: str, **_: Any) -> None:
    """Mark a request as seen that was answered, and forget one that was taken back (`accounts.signals.answered`)."""
    requests = Notice.objects.filter(user=asked, kind=Kind.FRIEND_ASKED, by=asker)
    if state == Friendship.State.OVER:
        requests.delete()
    else:
        requests.filter(seen_at=None).update(seen_at=timezone.now())
    notices_changed([asked.pk])


def on_blocked(by: User, other: User, **_: Any) -> None:
    """Forget what somebody was told of a person they block (`accounts.signals.blocked`).

    To the other it looks as if a request had been taken back: what else they have been told stays, and is told to
    nobody any more who has not been (`standing`).
    """
    told = Q(user=by, by=other, kind__in=(*OF_PEOPLE, Kind.TABLE, Kind.CHAT))
    asked = Q(user=other, by=by, kind=Kind.FRIEND_ASKED)
    Notice.objects.filter(told | asked).delete()
    notices_changed([by.pk, other.pk])


def on_offered(match: Match, host: User, **_: Any) -> None:
    """Note that somebody opens or plans a table (`games.matchmaking.signals.offered`), unless few may know of it."""
    if match.visibility not in _TOLD_OF or match.previous_id is not None:
        return
    invited = set(match.invitations.values_list("user", flat=True))
    readers = list(islice((key for key in _readers(match, host) if key not in invited), MOST_TOLD))
    now = timezone.now()
    lately = Notice.objects.filter(kind=Kind.TABLE, by=host, user__in=readers, created_at__gt=now - TABLES_EVERY)
    told = set(lately.values_list("user", flat=True))
    lately.update(match=match)
    about = {"match": match, "kind": Kind.TABLE, "by": host, "created_at": now, "due_at": now}
    Notice.objects.bulk_create(Notice(user_id=key, **about) for key in readers if key not in told)
    notices_changed(key for key in readers if key not in told)


def _readers(match: Match, host: User) -> Iterable[int]:
    """Return whom to tell of a table, each once."""
    close = friends.friends_of(host)
    if match.visibility == Match.Visibility.FRIENDS:
        return _lately_here(close)
    return dict.fromkeys(chain(_lately_here(close), _lately_here(friends.followers_of(host))))


def _lately_here(people: QuerySet[User]) -> Iterable[int]:
    return people.order_by(F("sighting__at").desc(nulls_last=True), "pk").values_list("pk", flat=True)[:MOST_TOLD]
