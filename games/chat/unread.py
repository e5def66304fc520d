"""Unread messages: counted for each reader and room, shown on every page, told by a notice and in the digest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.chat.models import Message, Room, Unread
from games.chat.rooms import Place, filter_for
from games.notifications import validity
from games.notifications.messages import register_digest_line, register_words
from games.notifications.models import Kind, Notice
from games.notifications.planning import UNREAD_AFTER
from games.play.live import news, pubsub
from games.play.sql import Prepared
from games.play.store import writing


def count_message(message: Message, readers: Iterable[User]) -> None:
    """Count a new message as unread for those of these people who read it; the first one also writes a notice."""
    reading = sorted((reader for reader in readers if filter_for(reader).passes(message)), key=lambda reader: reader.pk)
    for reader in reading:
        row, _new = Unread.objects.select_for_update().get_or_create(user=reader, room=message.room)
        row.count += 1
        row.save(update_fields=["count"])
        if row.count == 1 and message.author is not None:
            _write_notice(reader, message.room, message.author)
    pubsub.to_people([reader.pk for reader in reading], "notices.changed")


def read(user: Any, room: Room | None) -> None:
    """Mark a room as read."""
    if room is not None and Unread.objects.filter(user=user, room=room).exists():
        with writing():
            Unread.objects.filter(user=user, room=room).delete()
            _forget_notice(user, room)
            pubsub.to_people([user.pk], "notices.changed")


def uncount_message(taken: Message) -> None:
    """Stop counting a message that was taken back as unread.

    As many of the latest messages that a reader sees are unread as are counted.
    """
    changed = []
    rows = Unread.objects.select_for_update().filter(room=taken.room).exclude(user=taken.author)
    for row in rows.order_by("user_id"):
        reads = filter_for(row.user)
        later = Message.objects.filter(room=taken.room, pk__gt=taken.pk, deleted_at=None)
        if reads.passes(taken) and sum(reads.passes(message) for message in later.exclude(author=row.user)) < row.count:
            changed.append(row.user_id)
            _count_as(row, row.count - 1)
    pubsub.to_people(changed, "notices.changed")


def count_without(author: User) -> None:
    """Stop counting what somebody has written as unread, before it is removed; inside a transaction."""
    rooms = Message.objects.filter(author=author).values("room")
    rows = Unread.objects.select_for_update().filter(room__in=rooms).exclude(user=author).order_by("user_id", "pk")
    for row in rows:
        reads = filter_for(row.user)
        others = Message.objects.filter(room=row.room, deleted_at=None).exclude(author=row.user)
        unread = islice(filter(reads.passes, others.iterator()), row.count)
        _count_as(row, sum(message.author_id != author.pk for message in unread))
    pubsub.to_people([row.user_id for row in rows], "notices.changed")


def _count_as(row: Unread, count: int) -> None:
    row.count = count
    if count:
        row.save(update_fields=["count"])
    else:
        row.delete()
        _forget_notice(row.user, row.room)


def unread_count(reader: Any, places: Iterable[Place]) -> int:
    """Return how many messages of some rooms somebody has not read."""
    rooms = [place.room for place in places if place.room is not None]
    counts = Unread.objects.filter(user=reader, room__in=rooms).values_list("count", flat=True) if rooms else ()
    return sum(counts)


def counts(people: Collection[int]) -> Mapping[int, int]:
    """Return how many messages each of these people has not read; those who have read all are left out."""
    return dict(_UNREAD.of(people))


_UNREAD = Prepared(lambda people: Unread.objects.filter(user__in=people).values_list("user").annotate(Sum("count")))


news.register_count("messages", counts)


# --- notices and the digest -------------------------------------------------------------------------------------------

MOST_NAMES: Final = 3


def _write_notice(reader: User, room: Room, author: User) -> None:
    """Write a notice of the first unread message of a room; it also tells of those that follow."""
    now = timezone.now()
    _forget_notice(reader, room)
    by = None if room.match_id else author
    Notice.objects.create(
        user=reader, kind=Kind.CHAT, match=room.match, by=by, created_at=now, due_at=now + UNREAD_AFTER
    )


def _forget_notice(reader: Any, room: Room) -> None:
    """Remove the notice of a room that somebody has read."""
    notices = Notice.objects.filter(user=reader, kind=Kind.CHAT)
    if room.match_id:
        notices.filter(match=room.match_id).delete()
    else:
        notices.filter(match=None, by=room.other_id if room.one_id == reader.pk else room.one_id).delete()


def _unread(notice: Notice) -> list[Unread]:
    """Return what is unread of the rooms a notice is about."""
    rows = Unread.objects.filter(user=notice.user, count__gt=0).select_related("room")
    if notice.match_id:
        return list(rows.filter(room__match=notice.match_id))
    both = sorted((notice.user_id, notice.by_id or 0))
    return list(rows.filter(room__one=both[0], room__other=both[1]))


def _is_unread(notice: Notice, now: datetime) -> bool:
    rows = _unread(notice)
    return bool(rows) and bool(_names(notice.user, rows))


def _words(notice: Notice) -> tuple[str, str]:
    """Return from whom there are messages, and how many; never what they say."""
    rows = _unread(notice)
    names = _names(notice.user, rows)
    title = _("New messages from %(names)s") % {"names": names} if names else _("New messages")
    count = sum(row.count for row in rows)
    return title, ngettext("%(n)d unread message.", "%(n)d unread messages.", count) % {"n": count}


def _names(reader: User, rows: list[Unread]) -> str:
    """Return who wrote the unread messages, the latest first."""
    reads, found = filter_for(reader), []
    written = Message.objects.filter(room__in=[row.room_id for row in rows], deleted_at=None).exclude(author=reader)
    for message in written.select_related("author")[: sum(row.count for row in rows)]:
        if message.author is not None and reads.passes(message) and message.author.shown_name not in found:
            found.append(message.author.shown_name)
    return str(get_text_list(found[:MOST_NAMES], _("and")))


def digest_line(reader: User) -> str:
    """Return what the digest says of unread messages; empty when there are none."""
    rows = list(Unread.objects.filter(Q(count__gt=0), user=reader).select_related("room"))
    count, names = sum(row.count for row in rows), _names(reader, rows)
    if not names:
        return ""
    text = ngettext("%(n)d unread message from %(names)s.", "%(n)d unread messages from %(names)s.", count)
    return text % {"n": count, "names": names}


validity.register(Kind.CHAT, _is_unread)
register_words(Kind.CHAT, _words)
register_digest_line(digest_line)
