"""Who hides that they are online looks to everybody as if they were away: on every page that can be asked for."""

from __future__ import annotations

from typing import TypeAlias

import pytest
import time_machine
from django.core.cache import caches
from django.utils import timezone

from accounts import relations
from accounts.models import User
from accounts.services import record_presence, show_presence
from games.matchmaking.lobby import forget_lobby
from games.play.models import Match, Presence
from tests.site.config.doors import ROWS, expected
from tests.site.config.test_doors import CHANGING
from tests.site.config.world import World, undone

pytestmark = pytest.mark.django_db

READERS = ("nobody", "blocked", "mate")
"""A visitor; somebody whom `seat` has blocked; an opponent and friend."""

OWN = ("account_", "admin", "device_", "mfa_", "moderat", "settings")
"""How the names of addresses begin that show nobody but their reader, or that only moderators and staff get."""

NUMBERS = {"home", "lobby"}
"""The addresses that tell how many are here."""

SHOWING = {*NUMBERS, "lobby_news", "match_company", "people"}
"""And those that tell who is; every other page is read to find none."""


PAGES = {name for name, (get, _post) in ROWS.items() if not name.startswith(OWN) and get.strip() != "405"}

Shown: TypeAlias = dict[tuple[str, str, str], tuple[int, bytes]]
"""What pages show, by their name, the situation and the reader."""


def seen(world: World, names: set[str] = PAGES, readers: tuple[str, ...] = READERS) -> Shown:
    """Read what is a page to each reader: refusals, and what leads elsewhere, hold nothing of anybody."""
    found = {}
    for cache in caches.all():
        cache.clear()
    forget_lobby()
    for reader in readers:
        browser = world.client(reader)
        for name in sorted(names):
            for situation, path in world.paths(name).items():
                if expected(name, "GET", situation)[reader] != "200":
                    continue
                response = browser.get(path)
                content = response.getvalue() if response.streaming else response.content
                found[name, situation, reader] = (response.status_code, CHANGING.sub(b"", content))
    return found


def befriended() -> User:
    seat, mate = (User.objects.get(username=name) for name in ("seat", "mate"))
    relations.request_friendship(seat, mate)
    relations.accept_request(mate, seat)
    return seat


def arrive(seat: User) -> None:
    """Let `seat` have the public and the private match open now."""
    record_presence([seat.pk])
    for match in Match.objects.filter(seats__user=seat, status=Match.Status.RUNNING):
        Presence.objects.update_or_create(user=seat, match=match, defaults={"at": timezone.now()})


def test_whoever_hides_is_away_for_everybody_and_for_whom_they_have_blocked_anyway(world: World) -> None:
    with undone(), time_machine.travel(timezone.now(), tick=False):
        seat = befriended()
        show_presence(seat, False)
        away = seen(world)
        arrive(seat)
        hidden = seen(world)
        assert [key for key in away if away[key] != hidden[key]] == []

        show_presence(seat, True)  # who does not hide is seen: these pages would tell
        told = [key for key, page in seen(world, SHOWING, ("blocked", "mate")).items() if page != away[key]]
        assert {name for name, _situation, reader in told if reader == "mate"} == SHOWING
        assert {name for name, _situation, reader in told if reader == "blocked"} == NUMBERS
