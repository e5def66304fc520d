"""The stream of one match: the whole of it, then each change, what is written there, and how it ends."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import Error
from django.http import Http404
from django.utils import translation

from games.api.authentication import Caller
from games.api.models import Scope
from games.api.streams.stream import Stream, line_of
from games.api.v1.chat import said_of
from games.api.v1.states import events_since, full_of, presence_of, state_of
from games.chat.conversations import lines_of
from games.chat.models import Message
from games.chat.rooms import places
from games.chat.services import match_topic as chat_topic
from games.play.access import ViewedMatch, access_match, known_match
from games.play.live import presence, pubsub, workers

log = logging.getLogger(__name__)


class MatchStream(Stream):
    """Tells of a match as its reader may see it: `full`, then `state` and `chat` lines, at last `over`.

    What is told is made on the worker of the match, one thing after the other.

    Args:
        caller: who listens.
        viewed: the match, as it is when the stream is opened.
        language: as of `Stream`.
    """

    __slots__ = ("here", "latest_message", "length", "reads", "seated", "slug", "told")

    address = "/stream/matches/{slug}"

    def __init__(self, caller: Caller, viewed: ViewedMatch, language: str = "") -> None:
        super().__init__(caller, language)
        self.slug = viewed.match.slug
        self.topics = (pubsub.match_topic(self.slug),)
        self.reads = Scope.CHAT in caller.scopes
        if self.reads:
            self.topics += (chat_topic(self.slug),)
        self.told: tuple[int, int] | None = None
        self.length = 0
        self.latest_message = 0
        self.here: list[int] = []
        self.seated = viewed.mine is not None

    def begin(self) -> None:
        self._on_worker(self._tell_all)

    def on_hint(self, hint: dict[str, Any]) -> None:
        if hint["type"] == "chat.changed":
            self._on_worker(self._tell_messages)
        elif hint["type"] == "match.changed":
            self._on_worker(partial(self._tell_state, hint["version"]))

    def shown_version(self) -> tuple[int, int] | None:
        return self.told

    async def beat(self, version: int | None) -> None:
        """Make up for a lost hint, and tell who has come or gone, which would cost too much for each state."""
        if self.told is None:
            self.begin()
            return
        if self.seated:
            presence.report(self.user.pk, self.told[0])
        if version is not None and version > self.told[1]:
            self._on_worker(partial(self._tell_state, version))
        else:
            self._on_worker(self._tell_presence)

    # --- on the worker of the match -----------------------------------------------------------------------------------
    def _on_worker(self, task: Callable[[], None]) -> None:
        workers.post(self.slug, partial(self._try, task))

    def _try(self, task: Callable[[], None]) -> None:
        try:
            with translation.override(self.language):
                task()
        except Http404:  # for instance a private table that its reader has left
            pubsub.deliver([self.end])
        except Error as error:  # the database is away: the heartbeat will try again
            log.warning("a stream has to wait for the database: %s", error)

    def _tell_all(self) -> None:
        if self.told is not None:
            return
        viewed = access_match(self.user, self.slug)
        if self.reads:
            found = [line.message for place in places(viewed, self.user) for line in lines_of(self.user, place).lines]
            self.latest_message = max((message.pk for message in found), default=0)
        full = full_of(viewed, self.user)
        self.here = full["presence"]
        self._tell(viewed, line_of("full", **full))

    def _tell_state(self, version: int) -> None:
        if self.told is None or self.told[1] >= version:
            return
        viewed = known_match(self.user, self.slug, version) or access_match(self.user, self.slug)
        if not viewed.match.is_running:
            self.here = []
        events = events_since(viewed, self.length) if viewed.match.length > self.length else []
        self._tell(viewed, line_of("state", **state_of(viewed), events=events, presence=self.here))

    def _tell_presence(self) -> None:
        viewed = known_match(self.user, self.slug) or access_match(self.user, self.slug)
        here = presence_of(viewed, self.user)
        if self.told == (viewed.match.pk, viewed.match.version) and here != self.here:
            self.here = here
            self._tell(viewed, line_of("state", **state_of(viewed), events=[], presence=self.here))

    def _tell(self, viewed: ViewedMatch, line: bytes) -> None:
        """Write what tells this version; after that of a match that has ended nothing follows but `over`."""
        match = viewed.match
        self.told, self.length, self.seated = (match.pk, match.version), match.length, viewed.mine is not None
        written: list[Callable[[], None]] = [partial(self.write, line)]
        if match.has_ended:
            written += [partial(self.write, line_of("over", result=state_of(viewed)["result"])), self.end]
        pubsub.deliver(written)

    def _tell_messages(self) -> None:
        if self.told is None:
            return
        viewed = access_match(self.user, self.slug)
        for place in places(viewed, self.user):
            for line in lines_of(self.user, place).lines:
                if line.message.pk > self.latest_message:
                    self._tell_message(place.name, line.message)

    def _tell_message(self, room: str, message: Message) -> None:
        self.latest_message = message.pk
        pubsub.deliver([partial(self.write, line_of("chat", room=room, **said_of(message)))])
