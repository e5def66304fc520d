"""Shared by tests of tables: a game with every kind of option, and short ways to open tables."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.engine.protocol import AnyGame, Option
from games.matchmaking.models import Use
from games.matchmaking.tables import TableSetup, open_table
from games.play.models import Match
from games.titles import Title, games, titles
from games.titles.shifting_stones.rules import ShiftingStones

Opened = Callable[..., Match]


class WithOptions(ShiftingStones):
    """Shifting Stones, pretending to have one option of every kind."""

    slug = "with-options"
    name = "Shifting Options"
    seats = range(2, 6)
    options: tuple[Option, ...] = (
        Option("open-hands", "Open hands", ((False, "no"), (True, "yes"))),
        Option("length", "Length", (("short", "Short"), ("long", "Long")), help="How long it takes."),
        Option("colour", "Colour", tuple((name, name) for name in ("red", "blue", "green", "black", "white", "grey"))),
        Option("teams", "Teams", (("none", "No teams"), ("pairs", "Two pairs")), seats=frozenset({4})),
        Option("deck", "Deck", (("a", "Deck A"), ("b", "Deck B")), seats=frozenset({3}), required=True),
    )


@pytest.fixture
def with_options(monkeypatch: pytest.MonkeyPatch) -> str:
    """Install the game with options beside the real ones; return its slug."""
    title = Title("games.titles.shifting_stones", WithOptions())
    monkeypatch.setitem(cast("dict[str, Title]", titles()), WithOptions.slug, title)
    monkeypatch.setitem(cast("dict[str, AnyGame]", games()), WithOptions.slug, title.game)
    return WithOptions.slug


@pytest.fixture
def opened(db: None) -> Opened:
    """Return a function that opens a table."""

    def open_for(host: User, seats: int = 2, game: str = "shifting-stones", **wish: Any) -> Match:
        return open_table(host, TableSetup(game=game, seats=seats, **wish))

    return open_for


def aged(match: Match, **age: int) -> Match:
    """Make a table this old, and everything counted before that much older."""
    Use.objects.update(at=F("at") - timedelta(**age))
    Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - timedelta(**age))
    match.refresh_from_db()
    return match


@pytest.fixture
def age() -> Callable[..., Match]:
    return aged
