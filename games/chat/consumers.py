"""The sockets of pages on which people write to each other: the match page, and the pages of two friends and of a club.

A page that shows messages is pushed all of them whenever they change, as its reader may see them; any other page only
the number of unread ones.
"""

from __future__ import annotations

import logging
from typing import Any

from channels.db import database_sync_to_async
from django.db import Error
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation

from accounts.models import User
from accounts.moments import zone
from games.chat import conversations
from games.chat.rooms import Place, access_other, place_of_club, place_with, places
from games.chat.services import author_of, club_topic, match_topic, people_topic, say, words_in
from games.clubs.membership import access_club
from games.engine.protocol import RuleViolation
from games.play.access import access_match
from games.play.live import consumers
from games.play.live.consumers import MatchConsumer
from games.play.live.frames import Close, form_in
from games.play.live.sockets import Socket

log = logging.getLogger(__name__)

KINDS = ("chat", "say", "hush")
"""What a page can ask for: to open the messages, to write one, and to close them again."""


class ChatSocket(Socket):
    """A socket with messages; a subclass says which rooms its reader may read."""

    open = False
    pushed: dict[str, Any] | None = None

    def rooms(self) -> list[Place]:
        """Return the rooms that the reader may read now; asks the database.

        Raises:
            Http404: the page itself may no longer be seen.
        """
        raise NotImplementedError

    def chat_changed(self, hint: dict[str, Any]) -> None:
        """Push what has been written (a hint of pub/sub)."""
        if self.user.is_authenticated and not self.user.guest:
            self.push_soon()

    async def push_news(self) -> None:
        """Push what the reader may see, if it has changed: nothing reveals that somebody they ignore has written."""
        try:
            messages = await database_sync_to_async(self._messages)()
            if messages != self.pushed:
                self.pushed = messages
                self.say(**messages)
        except Http404:
            await self.close(Close.NO_ACCESS)
        except Error as error:  # the database is away: the page asks again when its reader opens the messages
            log.warning("push of messages failed: %s", error)

    def _messages(self) -> dict[str, Any]:
        with translation.override(self.language), timezone.override(zone(self.user.time_zone)):
            return conversations.news(self.user, self.rooms(), self.open)

    async def hear(self, told: dict[str, Any]) -> bool:
        kind = str(told.get("kind"))
        if kind not in KINDS or not self.user.is_authenticated or self.user.guest:
            return await super().hear(told)
        if kind == "say":
            await self._answer(form_in(told))
        else:
            self.open, self.pushed = kind == "chat", None
            await self.push_news()
        return True

    def forget(self) -> None:
        super().forget()
        self.pushed = None

    async def _answer(self, form: QueryDict) -> None:
        """Write a message and answer whether it was accepted; the message itself is pushed to everybody."""
        try:
            refusal = await database_sync_to_async(self._say)(form)
        except consumers.SessionEnded:
            await self.close(Close.SESSION_ENDED)
        except Error as error:
            log.warning("a message has to wait for the database: %s", error)
            self.say(said=form.get("client_id", ""), status=consumers.AWAY)
        else:
            self.say(said=form.get("client_id", ""), refused=refusal)

    def _say(self, form: QueryDict) -> str:
        consumers.check_session(self.user, self.scope["session"].session_key)
        with translation.override(self.language):
            try:
                found = [place for place in self.rooms() if place.name == form.get("room")]
                say(author_of(self.user), found[0], **words_in(form)) if found else None
            except RuleViolation as violation:
                return translation.gettext(violation.text)
            return "" if found else translation.gettext("You can’t write here.")


class MatchChatConsumer(ChatSocket, MatchConsumer):
    """The socket of the match page, with the rooms of its match."""

    def topics(self) -> tuple[str, ...]:
        return (*super().topics(), match_topic(self.scope["url_route"]["kwargs"]["slug"]))

    def rooms(self) -> list[Place]:
        return places(access_match(self.user, self.slug), self.user)


class ConversationConsumer(ChatSocket):
    """The socket of the page on which two people write to each other."""

    async def enter(self) -> bool:
        if not self.user.is_authenticated or self.user.guest:
            return False
        self.other = await database_sync_to_async(self._other)()
        return self.other is not None

    def _other(self) -> User | None:
        try:
            other = access_other(self.user, self.scope["url_route"]["kwargs"]["username"])
            return other if place_with(self.user, other) else None
        except Http404:
            return None

    def topics(self) -> tuple[str, ...]:
        return (people_topic(*sorted((self.user.pk, self.other.pk if self.other else 0))),)

    def rooms(self) -> list[Place]:
        if self.other is None:
            raise Http404
        return [place_with(self.user, get_object_or_404(User, pk=self.other.pk))]  # it can have been closed since


class ClubConsumer(ChatSocket):
    """The socket of the page on which the members of a club write."""

    async def enter(self) -> bool:
        if not self.user.is_authenticated:
            return False
        try:
            return bool(await database_sync_to_async(self.rooms)())
        except Http404:
            return False

    def topics(self) -> tuple[str, ...]:
        return (club_topic(self.scope["url_route"]["kwargs"]["club"]),)

    def rooms(self) -> list[Place]:
        return [place_of_club(access_club(self.user, self.scope["url_route"]["kwargs"]["club"]), self.user)]
