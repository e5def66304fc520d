"""What people write to each other: in the rooms of a match, and to friends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.clubs.models import Club
from games.play.models import Match

LENGTH = 500
"""Characters of the longest message."""


class Room(models.Model):
    """Where messages are written. It is made with its first message.

    Two people who write to each other have one room, `one` being whoever has the smaller key. A club has one, too.
    """

    class Kind(models.TextChoices):
        PLAYERS = "players", _("Players")
        WATCHERS = "watchers", _("Spectators")
        DIRECT = "direct", _("Messages")
        CLUB = "club", _("Members")

    kind = models.CharField(max_length=8, choices=Kind)
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="rooms")
    club = models.OneToOneField(Club, models.CASCADE, null=True, related_name="room")
    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "kind"], condition=Q(match__isnull=False), name="one_room_each"),
            models.UniqueConstraint(fields=["one", "other"], condition=Q(one__isnull=False), name="one_room_for_two"),
            models.CheckConstraint(
                condition=Q(kind="direct", match=None, club=None, one__lt=F("other"))
                | Q(kind="club", match=None, club__isnull=False, one=None, other=None)
                | Q(~Q(kind__in=["direct", "club"]), match__isnull=False, club=None, one=None, other=None),
                name="room_of_a_match_or_club_or_of_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.match_id or self.club_id or f'{self.one_id}, {self.other_id}'}"

    def other_than(self, user: Any) -> Any:
        """Return the other one of the two people who write to each other here; None for other rooms."""
        return self.other if self.one_id == user.pk else self.one


class Message(models.Model):
    """One message: either a text of its author, or one of `PHRASES`, which everybody reads in their own language."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="messages")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="messages")
    text = models.CharField(max_length=LENGTH, blank=True)
    phrase = models.CharField(max_length=16, blank=True)
    client_id = models.CharField(max_length=64, help_text="names the request: sent again, it writes nothing twice")
    at = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True, help_text="taken back by its author; nobody is shown its text")

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["author", "client_id"], name="written_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["room", "-id"], name="message_latest"),
            models.Index(fields=["author", "-at"], name="message_pace"),
        ]

    def __str__(self) -> str:
        return f"{self.author_id} in {self.room_id}: {self.phrase or self.text[:40]}"

    @property
    def words(self) -> str:
        """Return its text, or the ready-made phrase in the reader's language."""
        return str(PHRASES.get(self.phrase, "")) if self.phrase else self.text


class Unread(models.Model):
    """How many messages of a room somebody has not read. Without a row, none."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    room = models.ForeignKey(Room, models.CASCADE, related_name="unread")
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "room"], name="unread_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.count} in {self.room_id}"


class Muted(models.Model):
    """A person or a room from which somebody does not want to read anything. Nobody else is told."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="muted")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    room = models.ForeignKey(Room, models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "person"], condition=Q(room=None), name="person_muted_once"),
            models.UniqueConstraint(fields=["user", "room"], condition=Q(person=None), name="room_muted_once"),
            models.CheckConstraint(
                condition=Q(person=None, room__isnull=False) | Q(person__isnull=False, room=None),
                name="muted_person_or_room",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} does not hear {self.person_id or f'room {self.room_id}'}"


class Openness(models.Model):
    """Who may write to somebody. Without a row it is everybody."""

    class To(models.TextChoices):
        EVERYBODY = "everybody", _("Everyone I play with")
        FRIENDS = "friends", _("My friends")
        PHRASES = "phrases", _("Ready-made phrases only, from anyone")
        NOBODY = "nobody", _("Nobody")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="openness")
    to = models.CharField(max_length=10, choices=To, default=To.EVERYBODY)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.to}"


PHRASES: Final[Mapping[str, str | Promise]] = {
    "hello": _("Hello!"),
    "good-luck": _("Good luck!"),
    "have-fun": _("Have fun!"),
    "thinking": _("I need a moment to think."),
    "nice": _("Nice move!"),
    "oops": _("Oops!"),
    "sorry": _("Sorry, I was away."),
    "back-soon": _("I’ll be right back."),
    "thanks": _("Thank you!"),
    "well-played": _("Well played!"),
    "again": _("Shall we play again?"),
    "goodbye": _("Goodbye!"),
}
"""By the key that is stored."""
