"""A player's line to a match: the socket of their page, as tests of other processes move over it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection

PATIENCE = 60.0
"""Seconds within which everything is answered, on a busy machine too."""


class Unanswered(Exception):
    """The socket was lost, or could not be opened, before the answer came."""


@dataclass
class Line:
    """Opens its socket when it is first needed, and anew after it was lost; closes it at the end of the block."""

    dial: Callable[[], ClientConnection]
    socket: ClientConnection | None = None
    opened: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()

    def ask(self, kind: str, fields: Mapping[str, str]) -> dict[str, Any]:
        """Send the form of the board; return the answer.

        Raises:
            Unanswered: it may have been done nevertheless.
        """
        try:
            self.socket = self.socket or self.opened.enter_context(self.dial())
            self.socket.send(json.dumps({"kind": kind, "form": urlencode(fields)}))
            return _answer(self.socket, fields["client_id"])
        except (OSError, WebSocketException) as error:
            self.hang_up()
            raise Unanswered from error

    def hang_up(self) -> None:
        """Close the socket, if one is open."""
        self.opened.close()
        self.socket = None


def _answer(socket: ClientConnection, name: str) -> dict[str, Any]:
    """Return the answer to the request of this name; read over what else is pushed."""
    deadline = time.monotonic() + PATIENCE
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=max(0.0, deadline - time.monotonic())))
        assert "error" not in message, message
        if message.get("answer") == name:
            return message
