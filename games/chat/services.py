"""The way in for every write: messages, who is muted, who may write to whom, and what each reader has not read."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

from django.db.models import Q, QuerySet, Sum
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, ngettext

from accounts.limits import LIMITS, TooMany, in_words, spend
from accounts.models import User
from accounts.names import tidy_text
from accounts.relations import lock_people
from accounts.sanctions import refusal_to_play, refusal_to_write
from games.chat.models import LENGTH, PHRASES, Message, Muted, Openness, Room, Unread
from games.chat.rooms import Place, To, filter_for, is_muted, openness
from games.clubs.membership import lock_club
from games.engine.protocol import RuleViolation
from games.notifications import validity
from games.notifications.messages import register_digest_line, register_words
from games.notifications.models import Kind, Notice
from games.notifications.planning import UNREAD_AFTER
from games.play.live import news, pubsub
from games.play.models import Seat
from games.play.refusals import TooOften
from games.play.store import writing

REGRET: Final = timedelta(minutes=2)
"""How long an author can take a message back."""

PACE: Final = LIMITS["chat"].person
"""At most so many messages of one person within each of these times."""

ROOMS: Final = LIMITS["conversation"].person[0].most
"""Friends whom one person can begin to write to within a day."""

LINKS_AFTER: Final = timedelta(days=7)
LINKS_MATCHES: Final = 5
"""The links of an account can be clicked once it is that old and has finished so many matches."""

_ID_LENGTH: Final = 64


def say(author: User, place: Place, *, text: str = "", phrase: str = "", client_id: str) -> Message:
    """Write a message, a text or a phrase, and return it. The same `client_id` again returns the first one.

    Raises:
        RuleViolation: "guest", "not-here" where one can only read, "silenced", "empty", "too-long",
            "no-such-phrase", "too-fast", "too-many-people"; "not-wanted" or "phrases-only" when nobody would read it;
            "club-gone" when its club has been closed.
    """
    message = Message(author=author, text="" if phrase else tidy_text(text), phrase=phrase, client_id=client_id)
    with writing():
        if place.club is not None:
            lock_club(pk=place.club.pk)
        lock_people([author.pk])
        if (said := Message.objects.filter(author=author, client_id=client_id).first()) is not None:
            return said
        _check(author, place, message)
        message.room = place.room or _create_room(place, author)
        message.save()
        count_message(message, [reader for reader in _readers(place, author) if not is_muted(reader, message.room)])
        pubsub.to_topic(topic(message.room), "chat.changed")
    return message


def author_of(user: Any) -> User:
    """Return the author as stored now: what they may do can have changed since their socket was opened."""
    return User.objects.get(pk=user.pk)


def words_in(form: QueryDict) -> dict[str, str]:
    """Return the arguments of `say` in a form; the id of the request is random if the page has sent none."""
    client_id = form.get("client_id", "")
    if not (client_id.isascii() and client_id.isalnum() and len(client_id) <= _ID_LENGTH):
        client_id = secrets.token_hex(16)
    return {"text": form.get("text", ""), "phrase": form.get("phrase", ""), "client_id": client_id}


def _check(author: User, place: Place, message: Message) -> None:
    if author.guest:
        raise RuleViolation("guest", _("Register to write messages. You keep your matches."))
    if not place.writes:
        raise RuleViolation("not-here", place.why_not)
    if refusal := refusal_to_play(author) if message.phrase else refusal_to_write(author):
        raise RuleViolation("silenced", refusal)
    _check_words(message)
    readers = _readers(place, author)
    if len(readers) == 1:
        _check_wanted(author, readers[0], message)
    check_pace(author)


def _check_words(message: Message) -> None:
    if message.phrase and message.phrase not in PHRASES:
        raise RuleViolation("no-such-phrase", _("Choose one of the ready-made phrases."))
    if not message.phrase and not message.text:
        raise RuleViolation("empty", _("Write something first."))
    if len(message.text) > LENGTH:
        text = _("A message can have at most %(most)d characters. Yours has %(count)d.")
        raise RuleViolation("too-long", text % {"most": LENGTH, "count": len(message.text)})


def _check_wanted(author: User, reader: User, message: Message) -> None:
    """Refuse what the only reader does not want; blocks and mutes are not revealed."""
    to = openness(reader)
    if to == To.PHRASES and not message.phrase:
        raise RuleViolation("phrases-only", _("%(name)s reads only ready-made phrases.") % {"name": reader.shown_name})
    if to == To.NOBODY or (to == To.FRIENDS and author.pk not in filter_for(reader).friends):
        raise RuleViolation("not-wanted", _("%(name)s does not read messages from you.") % {"name": reader.shown_name})


def _create_room(place: Place, author: User) -> Room:
    if place.match is not None:
        return Room.objects.get_or_create(kind=place.kind, match=place.match)[0]
    if place.club is not None:
        return Room.objects.get_or_create(kind=place.kind, club=place.club)[0]
    check_new_room(author)
    one, other = sorted((author, place.other), key=lambda person: person.pk if person else 0)
    return Room.objects.get_or_create(kind=place.kind, one=one, other=other)[0]


def _readers(place: Place, author: User) -> list[User]:
    """Return the people for whom a message counts as unread: never spectators, and never all members of a club."""
    if place.other is not None:
        return [place.other]
    if place.kind != Room.Kind.PLAYERS:
        return []
    seats = Seat.objects.filter(match=place.match, user__guest=False).exclude(user=author).select_related("user")
    return [seat.user for seat in seats.order_by("number") if seat.user is not None]


def topic(room: Room) -> str:
    """Return the pub/sub topic of a room: one for all rooms of a match, one for a club, or one for two people."""
    if room.club is not None:
        return club_topic(room.club.slug)
    return match_topic(room.match.slug) if room.match else people_topic(room.one_id, room.other_id)


def match_topic(slug: str) -> str:
    return f"chat.match.{slug}"


def club_topic(slug: str) -> str:
    return f"chat.club.{slug}"


def people_topic(one: int | None, other: int | None) -> str:
    return f"chat.people.{one}.{other}"


def take_back(author: User, message: Message) -> None:
    """Take one's own message back. Idempotent.

    Raises:
        RuleViolation: "not-yours", or "too-late" after `REGRET`.
    """
    if message.author_id != author.pk:
        raise RuleViolation("not-yours", _("You can delete only your own messages."))
    if message.deleted_at is None and timezone.now() > message.at + REGRET:
        raise RuleViolation("too-late", _("You can delete a message only within two minutes."))
    with writing():
        if Message.objects.filter(pk=message.pk, deleted_at=None).update(deleted_at=timezone.now()):
            uncount_message(message)
        pubsub.to_topic(topic(message.room), "chat.changed")


def mute_person(user: User, person: User, *, muted: bool) -> None:
    """Mute somebody, or unmute them. Idempotent.

    Raises:
        RuleViolation: "self".
    """
    if user.pk == person.pk:
        raise RuleViolation("self", _("That is you."))
    _mute(muted, user=user, person=person)


def mute_room(user: User, room: Room, *, muted: bool) -> None:
    """Mute a room, or unmute it. Idempotent."""
    _mute(muted, user=user, room=room)
    if muted:
        mark_as_read(user, room)


def _mute(muted: bool, **what: Any) -> None:
    if muted:
        Muted.objects.get_or_create(**what)
    else:
        Muted.objects.filter(**what).delete()


def open_to(user: User, to: Openness.To) -> None:
    """Choose who may write to somebody."""
    Openness.objects.update_or_create(user=user, defaults={"to": to})


# --- limits -----------------------------------------------------------------------------------------------------------


def check_pace(author: User) -> None:
    """Refuse more messages than `PACE`: "too-fast"."""
    now = timezone.now()
    for most, within in PACE:
        times = Message.objects.filter(author=author, at__gt=now - within).order_by("-at").values_list("at", flat=True)
        if len(latest := list(times[:most])) == most:
            wait = latest[-1] + within - now
            seconds = int(wait.total_seconds()) + 1
            text = ngettext(
                "You are writing too fast. Please wait %(seconds)d second.",
                "You are writing too fast. Please wait %(seconds)d seconds.",
                seconds,
            ) % {"seconds": seconds}
            if wait > timedelta(minutes=1):
                text = _("You have written a great deal. You can write again in %(wait)s.") % {"wait": in_words(wait)}
            raise TooOften("too-fast", text, wait)
    _spend("chat", author, "too-fast")


def _spend(what: str, author: User, code: str) -> None:
    try:
        spend(what, author)
    except TooMany as error:
        raise TooOften(code, error.text, error.wait) from error


def check_new_room(author: User) -> None:
    """Refuse to begin writing to more people than `ROOMS` in a day: "too-many-people"."""
    since = timezone.now() - timedelta(days=1)
    own = Room.objects.filter(Q(one=author) | Q(other=author), kind=Room.Kind.DIRECT)
    if own.filter(messages__author=author, messages__at__gt=since).distinct().count() >= ROOMS:
        text = _("You have written to %(count)d people today. Please wait until tomorrow to write to others.")
        raise TooOften("too-many-people", text % {"count": ROOMS}, timedelta(days=1))
    _spend("conversation", author, "too-many-people")


# --- unread messages --------------------------------------------------------------------------------------------------
# They are counted for each reader and room, shown on every page, and told by a notice and in the digest.


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


def mark_as_read(user: Any, room: Room | None) -> None:
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


def _unread_counts(people: Collection[int]) -> QuerySet[Any, Any]:
    return Unread.objects.filter(user__in=people).values_list("user").annotate(Sum("count"))


news.register_count("messages", _unread_counts)


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
