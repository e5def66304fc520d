"""What chat keeps about a person. What others wrote is theirs, and in nobody else’s export."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.chat.models import Message, Muted, Openness, Room, Unread
from games.chat.services import count_without


def _messages(user: User) -> Iterable[Row]:
    rows = Message.objects.filter(author=user).select_related("room__match", "room__one", "room__other")
    return [
        {
            **_where(user, row.room),
            "text": row.text,
            "phrase": row.phrase,
            "at": row.at,
            "deleted": row.deleted_at,
        }
        for row in rows
    ]


def _where(user: User, room: Room) -> Row:
    """Return where a room is: at a match, or with one other person."""
    other = room.other_than(user)
    return {"kind": room.kind, "match": room.match.slug if room.match else "", "to": other.username if other else ""}


def _unread(user: User) -> Iterable[Row]:
    rows = Unread.objects.filter(user=user).select_related("room__match", "room__one", "room__other").order_by("pk")
    return [{**_where(user, row.room), "unread": row.count} for row in rows]


def _muted(user: User) -> Iterable[Row]:
    rows = Muted.objects.filter(user=user).select_related("person", "room__match", "room__one", "room__other")
    return [
        {"name": row.person.username} if row.person else {"name": "", **(_where(user, row.room) if row.room else {})}
        for row in rows.order_by("pk")
    ]


def _openness(user: User) -> Iterable[Row]:
    return [{"setting": "who_may_write", "value": row.to} for row in Openness.objects.filter(user=user)]


PARTS = (
    Part("messages", _("Your messages"), _messages, ("chat.Message.author", "chat.Room.one", "chat.Room.other")),
    Part("unread", _("Unread messages"), _unread, ("chat.Unread.user",)),
    Part("muted", _("Who and what you have muted"), _muted, ("chat.Muted.user",)),
    Part("who_may_write", _("Who may write to you"), _openness, ("chat.Openness.user",)),
)

NOT_EXPORTED = {"chat.Muted.person": "nobody is told who has muted them"}

KEPT = {"chat.Message.author": "none is left: `forget` removes them"}


def forget(user: User) -> None:
    """Remove what somebody has written, wherever that was; nobody has it among their unread messages any more."""
    count_without(user)
    Message.objects.filter(author=user).delete()
