"""What somebody reads of what others write: a block, a mute or their own choice can keep it from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Q

from accounts import blocks, friends
from games.chat.models import Message, Muted, Openness

To = Openness.To

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Ear:
    """What one reader wants to read.

    Args:
        reader: their key.
        deaf_to: keys of people of whom they read nothing.
        kept_from: keys of people who have blocked them, and since when. They read what was written before, as it would
            tell them of the block if that went away.
        to: who may write to them.
        friends: keys of their friends; empty unless these alone may write to them.
    """

    reader: int
    deaf_to: frozenset[int]
    to: To
    friends: frozenset[int] = frozenset()
    kept_from: Mapping[int, datetime] = field(default_factory=dict)

    def hears(self, message: Message) -> bool:
        """Return whether they read a message; their own ones always."""
        author = message.author_id
        if author == self.reader:
            return True
        if author in self.deaf_to or message.at >= self.kept_from.get(author or 0, _NEVER):
            return False
        return self.to == To.EVERYBODY or self._wants(author, bool(message.phrase))

    def kept_away(self) -> Q:
        """Return the condition on messages that blocks of others keep from them: they are not to know of them."""
        found = Q(pk__in=())
        for author, at in self.kept_from.items():
            found |= Q(author=author, at__gte=at)
        return found

    def _wants(self, author: int | None, phrase: bool) -> bool:
        return (self.to == To.FRIENDS and author in self.friends) or (self.to == To.PHRASES and phrase)


def ear_of(reader: Any) -> Ear:
    """Return what somebody wants to read."""
    muted = Muted.objects.filter(user=reader, room=None).values_list("person", flat=True)
    to = openness(reader)
    known = friends.friends_of(reader).values_list("pk", flat=True) if to == To.FRIENDS else ()
    blocked, kept_from = blocks.sides_of(reader)
    return Ear(reader.pk, frozenset([*blocked, *muted]), to, frozenset(known), kept_from)


def openness(user: Any) -> To:
    """Return who may write to somebody."""
    row = Openness.objects.filter(user=user).first()
    return To(row.to) if row else To.EVERYBODY
