"""Hints that cannot be published never make a request fail, and are logged."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext, suppress
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from pytest_django import Settings

from config.redis_layer import RedisLayer
from games.play.live import pubsub
from games.play.models import Action
from tests.people import act, person, running_match
from tests.serving import Served

pytestmark = pytest.mark.django_db(transaction=True)

OTHERS = {"default": {"BACKEND": "config.redis_layer.RedisLayer", "CONFIG": {"url": "redis://127.0.0.1:1/0"}}}
"""The channel layer of several processes; nobody answers there."""


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message.split(":")[0] for record in caplog.records if record.name == pubsub.__name__]


@pytest.mark.parametrize("serving", [Served, nullcontext], ids=["of the server", "of a command"])
def test_a_layer_that_is_away_costs_no_move(
    serving: type[Served], settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CHANNEL_LAYERS = OTHERS
    match = running_match([person(), person()])
    with serving():
        for _ in range(4):
            act(match, "end")
    assert Action.objects.count() == 4
    assert set(told(caplog)) == {"an announcement is lost, pages learn of changes by their heartbeat"}
    assert "Traceback" not in caplog.text


@pytest.fixture
def spoken(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Note what is said to other processes, each time."""
    said: list[list[str]] = []
    settings.CHANNEL_LAYERS = OTHERS

    async def send(_: object, group: str, message: dict[str, Any]) -> None:
        assert group == pubsub.EVERYBODY
        said.append([hint["type"] for _, hint in message["hints"]])

    monkeypatch.setattr(RedisLayer, "group_send", send, raising=False)
    return said


def test_what_a_page_has_asked_for_is_announced_when_it_has_its_answer(spoken: list[list[str]]) -> None:
    match = running_match([person(), person()])
    spoken.clear()
    with pubsub.asked_by("page"):
        act(match, "end")
        assert spoken == []
    assert [sorted(said) for said in spoken] == [["match.changed", "waiting.changed", "waiting.changed"]]


def test_a_server_that_ends_meanwhile_costs_no_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = running_match([person(), person()])
    loop = asyncio.new_event_loop()
    loop.close()
    monkeypatch.setattr(loop, "is_running", lambda: True)  # as it was when somebody looked
    monkeypatch.setattr(pubsub, "_loop", loop)
    with pubsub.asked_by("page"):
        act(match, "end")
    assert Action.objects.count() == 1
    assert set(told(caplog)) == {"an announcement is lost, pages learn of changes by their heartbeat"}


def test_what_was_committed_is_announced_though_the_answer_fails(spoken: list[list[str]]) -> None:
    match = running_match([person(), person()])
    spoken.clear()
    with suppress(ZeroDivisionError), pubsub.asked_by("page"):
        act(match, "end")
        raise ZeroDivisionError
    assert [kind for said in spoken for kind in said if kind == "match.changed"] == ["match.changed"]


def test_a_process_that_is_alone_says_nothing_to_others(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    monkeypatch.setattr(InMemoryChannelLayer, "group_send", None)
    match = running_match([person(), person()])
    act(match, "end")
    assert Action.objects.count() == 1
