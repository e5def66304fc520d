"""The messages of boardgame.io as text frames of Socket.IO 5 on Engine.IO 4, over a plain WebSocket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

GAME = "tic-tac-toe"
PATH = "/socket.io/?EIO=4&transport=websocket"
PING, PONG = "2", "3"
JOIN = f"40/{GAME},"
"""Asks to speak about this game; the answer begins with the same."""

_EVENT = f"42/{GAME},"


class Said(NamedTuple):
    """An event by its name, and what came with it."""

    name: str
    arguments: list[Any]


def event(name: str, *arguments: object) -> str:
    """Return the frame of an event."""
    return _EVENT + msgspec.json.encode([name, *arguments]).decode()


def read(frame: str) -> Said | None:
    """Return the event in a frame; None if it is something else, such as a ping."""
    if not frame.startswith(_EVENT):
        return None
    name, *arguments = msgspec.json.decode(frame.removeprefix(_EVENT))
    return Said(name, arguments)


def sync(match: str, player: int, credentials: str) -> str:
    """Return the frame with which a player begins to follow a match."""
    return event("sync", match, str(player), credentials)


def click(match: str, player: int, credentials: str, cell: int, state: Mapping[str, Any]) -> str:
    """Return the frame with which a player fills a cell of the board that they see."""
    payload = {"type": "clickCell", "args": [cell], "playerID": str(player), "credentials": credentials}
    return event("update", {"type": "MAKE_MOVE", "payload": payload}, state["_stateID"], match, str(player))
