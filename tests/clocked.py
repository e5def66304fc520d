"""Shared by tests of clocks: time that passes only on request, and a game of secret simultaneous turns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest
import time_machine

from games.engine.protocol import AnyGame
from games.titles import Title, games, titles
from tests.unit.engine.toys import Sealed

MONDAY = datetime(2026, 3, 9, 12, tzinfo=UTC)
LIVE = "300+10/600"
DAYS = "259200+86400/259200"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stop time at noon on a Monday until a test lets it pass."""
    with time_machine.travel(MONDAY, tick=False) as traveller:
        yield traveller


@pytest.fixture
def sealed_game(monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a game in which all players pick in secret; return its slug."""
    board = SimpleNamespace(solo_result=lambda _scene: None, counts=lambda _scene: ())
    title = Title("tests.clocked", cast("AnyGame", Sealed()))
    vars(title).update(board=board, art="")
    monkeypatch.setitem(cast("dict[str, Title]", titles()), title.slug, title)
    monkeypatch.setitem(cast("dict[str, AnyGame]", games()), title.slug, title.game)
    return title.slug
