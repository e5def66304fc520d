"""The way in for every write: messages, who is muted, and who may write to whom."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import LIMITS, TooMany, spend
from accounts.models import User
from accounts.names import tidy_text
from accounts.relations import lock_people
from accounts.sanctions import refusal_to_play, refusal_to_write
from games.chat.models import LENGTH, PHRASES, Message, Muted, Openness, Room
from games.chat.rooms import Place, To, filter_for, is_muted, openness
from games.chat.unread import count_message, read, uncount_message
from games.engine.protocol import RuleViolation
from games.play.live import pubsub
from games.play.models import Seat
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
            "no-such-phrase", "too-fast", "too-many-people"; "not-wanted" or "phrases-only" when nobody would read it.
    """
    message = Message(author=author, text="" if phrase else tidy_text(text), phrase=phrase, client_id=client_id)
    with writing():
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
        raise RuleViolation("no-such-phrase", _("Choose one of the phrases."))
    if not message.phrase and not message.text:
        raise RuleViolation("empty", _("Write something first."))
    if len(message.text) > LENGTH:
        text = _("A message can have at most %(most)d characters. Yours has %(count)d.")
        raise RuleViolation("too-long", text % {"most": LENGTH, "count": len(message.text)})


def _check_wanted(author: User, reader: User, message: Message) -> None:
    """Refuse what the only reader does not want; blocks and mutes are not revealed."""
    to = openness(reader)
    if to == To.PHRASES and not message.phrase:
        raise RuleViolation("phrases-only", _("%(name)s reads only the phrases.") % {"name": reader.shown_name})
    if to == To.NOBODY or (to == To.FRIENDS and author.pk not in filter_for(reader).friends):
        raise RuleViolation("not-wanted", _("%(name)s does not read messages from you.") % {"name": reader.shown_name})


def _create_room(place: Place, author: User) -> Room:
    if place.match is not None:
        return Room.objects.get_or_create(kind=place.kind, match=place.match)[0]
    check_new_room(author)
    one, other = sorted((author, place.other), key=lambda person: person.pk if person else 0)
    return Room.objects.get_or_create(kind=place.kind, one=one, other=other)[0]


def _readers(place: Place, author: User) -> list[User]:
    """Return the people for whom a message counts as unread: never spectators."""
    if place.other is not None:
        return [place.other]
    if place.kind != Room.Kind.PLAYERS:
        return []
    seats = Seat.objects.filter(match=place.match, user__guest=False).exclude(user=author).select_related("user")
    return [seat.user for seat in seats.order_by("number") if seat.user is not None]


def topic(room: Room) -> str:
    """Return the pub/sub topic of a room: one for all rooms of a match, or one for two people."""
    return match_topic(room.match.slug) if room.match else people_topic(room.one_id, room.other_id)


def match_topic(slug: str) -> str:
    return f"chat.match.{slug}"


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
        read(user, room)


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
            seconds = int((latest[-1] + within - now).total_seconds()) + 1
            text = _("You are writing too fast. Please wait %(seconds)d seconds.") % {"seconds": seconds}
            if seconds >= 60:  # noqa: PLR2004  # a minute
                text = _("You have written a great deal. You can write again in %(minutes)d minutes.")
                text %= {"minutes": -(-seconds // 60)}
            raise RuleViolation("too-fast", text)
    _spend("chat", author, "too-fast")


def _spend(what: str, author: User, code: str) -> None:
    try:
        spend(what, author)
    except TooMany as error:
        raise RuleViolation(code, error.text) from error


def check_new_room(author: User) -> None:
    """Refuse to begin writing to more people than `ROOMS` in a day: "too-many-people"."""
    since = timezone.now() - timedelta(days=1)
    own = Room.objects.filter(Q(one=author) | Q(other=author), kind=Room.Kind.DIRECT)
    if own.filter(messages__author=author, messages__at__gt=since).distinct().count() >= ROOMS:
        text = _("You have written to %(count)d people today. Please wait until tomorrow to write to others.")
        raise RuleViolation("too-many-people", text % {"count": ROOMS})
    _spend("conversation", author, "too-many-people")
