"""A process receives the hints of others, and never its own a second time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer, get_channel_layer
from pytest_django import Settings

from games.play.live import pubsub

TOPIC = "match.abc"
HINT = {"type": "match.changed", "version": 2, "page": ""}


class Noting:
    """Notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def on_hint(self, hint: dict[str, Any]) -> None:
        self.heard.append(hint)


@pytest.fixture(autouse=True)
def _with_others(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have a layer that other processes are thought to share."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    monkeypatch.setattr(pubsub, "has_others", lambda: True)
    yield
    pubsub._subscribers.clear()


async def said_by(process: str) -> None:
    for _ in range(5):  # until this process listens
        await asyncio.sleep(0)
    said = {"type": "hints", "process": process, "hints": [(TOPIC, HINT)]}
    await get_channel_layer().group_send(pubsub.EVERYBODY, said)
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_what_another_process_says_is_passed_on_to_whom_it_concerns() -> None:
    concerned, other = Noting(), Noting()
    pubsub.subscribe(concerned, [TOPIC])
    pubsub.subscribe(other, ["match.other"])
    await said_by("another")
    assert (concerned.heard, other.heard) == ([HINT], [])


@pytest.mark.asyncio
async def test_what_this_process_has_said_is_not_heard_again() -> None:
    ear = Noting()
    pubsub.subscribe(ear, [TOPIC])
    await said_by(pubsub.PROCESS)
    assert ear.heard == []


@pytest.mark.asyncio
async def test_who_has_stopped_hears_nothing_more() -> None:
    ear = Noting()
    pubsub.subscribe(ear, [TOPIC])
    pubsub.unsubscribe(ear, [TOPIC])
    pubsub.pass_on([(TOPIC, HINT)])
    assert ear.heard == []
    assert TOPIC not in pubsub._subscribers


@pytest.mark.asyncio
async def test_a_layer_that_fails_for_a_while_is_listened_to_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub, "PAUSE", 0)
    receive, failures = InMemoryChannelLayer.receive, [OSError("away"), OSError("away")]

    async def failing(layer: InMemoryChannelLayer, channel: str) -> Any:
        if failures:
            raise failures.pop()
        return await receive(layer, channel)

    monkeypatch.setattr(InMemoryChannelLayer, "receive", failing)
    ear = Noting()
    pubsub.subscribe(ear, [TOPIC])
    await said_by("another")
    assert ear.heard == [HINT]
