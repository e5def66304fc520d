"""Boards as sockets show them: rendered for each viewer, and the messages that carry what changed of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

import msgspec
from django.utils import timezone, translation

from accounts.moments import zone
from games.play.boards.fragments import match_rendering
from games.play.matches.viewed import ViewedMatch
from games.titles.regions import Rendering

Board: TypeAlias = tuple[int, Rendering]
"""A board with its version."""


def board_for(viewed: ViewedMatch, user: Any, language: str, notice: str = "") -> Board:
    """Return what a person's page shows of a match, in their time zone and in the language of the page."""
    own_zone = user.time_zone if user.is_authenticated else "UTC"
    with translation.override(language), timezone.override(zone(own_zone)):
        return viewed.match.version, match_rendering(viewed, user, notice)


@lru_cache(maxsize=256)
def message(board: Board, before: Board | None, answer: str = "", status: str = "") -> str:
    """Return what is sent: the same for all sockets that show the same, and did so before.

    Args:
        board: what is to be shown.
        before: what the page shows, None if that is not known.
        answer: the id of the request that this answers.
        status: how that ended; empty in a push.
    """
    version, rendering = board
    told: dict[str, Any] = {"answer": answer, "status": status} if answer else {}
    parts = None if before is None else rendering.since(before[1])
    if before is None or parts is None:
        return msgspec.json.encode({**told, "version": version, "content": rendering.html}).decode()
    return msgspec.json.encode({**told, "version": version, "base": before[0], "content": parts}).decode()
