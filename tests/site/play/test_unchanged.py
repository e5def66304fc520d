"""A request that changes nothing changes no version, stores nothing and is told to nobody, whatever it asks for."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.matchmaking.models import Invitation, Promise, Removal
from games.matchmaking.requirements import promise_seat
from games.play import commands
from games.play.live import pubsub
from games.play.models import Action, Match, Seat
from games.play.reducer import positions
from games.play.reducer.draft import Draft
from games.titles import games
from tests.people import bot_takes_turn, client_of, open_table, person, running_match
from tests.site.bots.test_turns import against_bots
from tests.site.config.doors import ROWS

pytestmark = pytest.mark.django_db

ROUNDS = 25
"""Requests to a kind of match."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Hear every announcement when it is made, committed or not."""
    heard: list[object] = []
    monkeypatch.setattr(pubsub, "match_changed", lambda slug, version: heard.append((slug, version)))
    monkeypatch.setattr(pubsub, "lobby_changed", lambda: heard.append("lobby"))
    monkeypatch.setattr(pubsub, "waiting_changed", heard.extend)
    return heard


def stored(match: Match) -> tuple[Any, ...]:
    """Return everything that is stored of a match but its version, and what was asked of it last."""
    rows = [Match.objects.filter(pk=match.pk), Seat.objects.filter(match=match).order_by("number")]
    rows += [model.objects.filter(match=match).order_by("pk") for model in (Action, Invitation, Promise, Removal)]
    return tuple(
        {name: value for name, value in row.items() if name not in {"version", "hints", "asked"}}
        for found in rows
        for row in found.values()
    )


def version_of(match: Match) -> int:
    return Match.objects.values_list("version", flat=True).get(pk=match.pk)


def ask_anything(match: Match, clients: list[Client], chance: random.Random) -> str:
    """Let somebody ask for something, allowed or not; return what."""
    match.refresh_from_db()
    seat = chance.randrange(len(clients))
    kind = chance.choice([*commands.KINDS, "abort", "abort", "act"])
    legal = positions.legal_texts(match, seat) if match.is_running else []
    fields = {
        "version": str(match.version - chance.choice([0, 0, 0, 1])),
        "client_id": f"request-{chance.randrange(30)}",
        "offer": chance.choice("01"),
        "after": chance.choice(["", "0", "3"]),
        "action": chance.choice(legal) if legal and chance.random() < 0.8 else "nonsense",
    }
    clients[seat].post(f"/match/{match.slug}/{kind}/", fields)
    return f"{kind} {fields['offer']}" if kind == "abort" else kind


def check_requests(make: Callable[[], Match], people: list[User], told: list[object], seed: int) -> Counter[str]:
    """Check many requests; return how often each kind left the match as it was, and how often one changed it."""
    clients, chance, seen = [client_of(user) for user in people], random.Random(seed), Counter[str]()
    match = make()
    for _ in range(ROUNDS):
        before, version = stored(match), version_of(match)
        told.clear()
        kind = ask_anything(match, clients, chance)
        if stored(match) == before:
            assert (kind, version_of(match) - version, told) == (kind, 0, [])
            seen[kind] += 1
        else:
            assert version_of(match) > version, kind
            seen["changed"] += 1
        match.refresh_from_db()
        if match.has_ended and chance.random() < 0.5:
            match = make()
        while match.is_running and bot_takes_turn(match):
            match.refresh_from_db()
    return seen


def test_whatever_leaves_a_match_as_it_is_raises_no_version(told: list[object]) -> None:
    ann, bob = person(), person()
    seen = check_requests(lambda: against_bots([ann]), [ann], told, 2)
    for slug in sorted(games()):
        seen += check_requests(partial(running_match, [ann, bob], game=slug), [ann, bob], told, 1)
    assert seen["changed"] > ROUNDS / 4
    assert seen["abort 0"] > 1, seen
    assert seen["abort 1"] > 1, seen
    assert set(commands.KINDS) - {"abort"} <= set(seen), seen


def test_the_check_finds_a_version_that_is_raised_in_vain(told: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: every change counts as one."""
    monkeypatch.setattr(Draft, "_differs", lambda _draft: True)
    people = [person(), person()]
    with pytest.raises(AssertionError, match="abort"):
        check_requests(lambda: running_match(people), people, told, 1)


def test_whoever_has_left_can_offer_nothing(told: list[object]) -> None:
    people = [person(), person(), person()]
    match = running_match(people)
    client = client_of(people[0])
    client.post(f"/match/{match.slug}/resign/", {"client_id": "resigning"})
    before, version = stored(match), version_of(match)
    told.clear()
    answers = [client.post(f"/match/{match.slug}/abort/", {"offer": offer}).status_code for offer in "1010"]
    assert (answers, stored(match), version_of(match), told) == ([422] * 4, before, version, [])


def test_what_changes_nothing_is_pushed_to_nobody() -> None:
    match = running_match([person(), person()])
    commands.submit(match.pk, 0, "end", match.version, "request-one")
    offers = [commands.offer_abort(match.pk, 1, offered).changed for offered in (False, True, True, False, False)]
    assert offers == [False, True, False, True, False]


# --- tables -----------------------------------------------------------------------------------------------------------

NEVER_AGAIN = {"table_new", "table_plan", "table_calendar", "table_start"}
"""Other tables than this one, no change at all, and the end of the table."""


GOING = ("table_bot_add", "table_take_back", "table_leave", "table_close")


def addresses_of(match: Match) -> list[str]:
    """Return every address of a table to which something is posted; the last ones make it begin, or people leave."""
    names = [name for name in ROWS if name.startswith("table_") and name not in (*NEVER_AGAIN, *GOING)]
    return [reverse(name, args=[match.slug]) for name in (*names, *GOING)]


@pytest.mark.parametrize("planned", [False, True])
def test_whatever_leaves_a_table_as_it_is_raises_no_version(told: list[object], planned: bool) -> None:
    host, mate, other = person(), person("mate"), person("other")
    match = open_table([host, mate], seats=4, game="card-chess", rated=True)
    if planned:
        match.seats.all().delete()
        match.status, match.opens_at = Match.Status.PLANNED, timezone.now() + timedelta(days=1)
        match.save()
        promise_seat(match, host)
        promise_seat(match, mate)
    form = {"name": "nobody", "seat": "9", "invited": "other", "level": "novice", "nonce": "00" * 16}
    clients, unchanged = [client_of(user) for user in (other, mate, host)], 0
    for address in addresses_of(match):
        for client in clients:
            for _twice in range(2):
                before, version = stored(match), version_of(match)
                told.clear()
                client.post(address, form)
                if stored(match) == before:
                    assert (address, version_of(match) - version, told) == (address, 0, [])
                    unchanged += 1
    assert unchanged > len(addresses_of(match))
