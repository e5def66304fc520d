"""What somebody reads of what others write: a block, a mute or their own choice can keep it from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts import blocks, friends
from games.chat.models import Message, Muted, Openness

To = Openness.To


@dataclass(frozen=True, slots=True)
class Ear:
    """What one reader wants to read.

    Args:
        reader: their key.
        deaf_to: keys of people of whom they read nothing.
        to: who may write to them.
        friends: keys of their friends; empty unless these alone may write to them.
    """

    reader: int
    deaf_to: frozenset[int]
    to: To
    friends: frozenset[int] = frozenset()

    def hears(self, message: Message) -> bool:
        """Return whether they read a message; their own ones always."""
        author = message.author_id
        if author == self.reader:
            return True
        if author in self.deaf_to:
            return False
        return self.to == To.EVERYBODY or self._wants(author, bool(message.phrase))

    def _wants(self, author: int | None, phrase: bool) -> bool:
        return (self.to == To.FRIENDS and author in self.friends) or (self.to == To.PHRASES and phrase)


def ear_of(reader: Any) -> Ear:
    """Return what somebody wants to read."""
    muted = Muted.objects.filter(user=reader, room=None).values_list("person", flat=True)
    to = openness(reader)
    known = friends.friends_of(reader).values_list("pk", flat=True) if to == To.FRIENDS else ()
    return Ear(reader.pk, frozenset([*blocks.blocked_with(reader), *muted]), to, frozenset(known))


def openness(user: Any) -> To:
    """Return who may write to somebody."""
    row = Openness.objects.filter(user=user).first()
    return To(row.to) if row else To.EVERYBODY
