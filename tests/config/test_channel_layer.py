"""The channel layer of the single process: what Channels promises, without the cost of its scan."""

from __future__ import annotations

import asyncio

import pytest
from channels.exceptions import ChannelFull

from config import channel_layer
from config.channel_layer import SingleProcessLayer


@pytest.fixture
def layer() -> SingleProcessLayer:
    return SingleProcessLayer(capacity=3)


async def received(layer: SingleProcessLayer, channel: str) -> object:
    return await asyncio.wait_for(layer.receive(channel), timeout=1)


async def test_a_message_arrives_as_it_was_and_belongs_to_its_reader(layer: SingleProcessLayer) -> None:
    sent = {"type": "a", "list": [1]}
    await layer.send("one", sent)
    sent["list"] = [2]
    assert await received(layer, "one") == {"type": "a", "list": [1]}


async def test_a_group_hears_in_order_until_it_is_left(layer: SingleProcessLayer) -> None:
    for channel in ("one", "two"):
        await layer.group_add("group", channel)
    for number in (1, 2):
        await layer.group_send("group", {"type": "a", "number": number})
    await layer.group_discard("group", "two")
    await layer.group_send("group", {"type": "a", "number": 3})
    assert [(await received(layer, "one"))["number"] for _ in range(3)] == [1, 2, 3]  # type: ignore[index]
    assert [(await received(layer, "two"))["number"] for _ in range(2)] == [1, 2]  # type: ignore[index]
    assert layer.channels.get("two") is None or layer.channels["two"].empty()


async def test_readers_of_a_group_do_not_share_a_message(layer: SingleProcessLayer) -> None:
    for channel in ("one", "two"):
        await layer.group_add("group", channel)
    await layer.group_send("group", {"type": "a", "list": [1]})
    one, two = [await received(layer, channel) for channel in ("one", "two")]
    assert one == two
    assert one is not two


async def test_a_full_reader_misses_messages_and_holds_up_nobody(layer: SingleProcessLayer) -> None:
    for channel in ("slow", "quick"):
        await layer.group_add("group", channel)
    for number in range(5):
        await layer.group_send("group", {"type": "a", "number": number})
        assert await received(layer, "quick") == {"type": "a", "number": number}
    assert layer.channels["slow"].qsize() == 3
    with pytest.raises(ChannelFull):
        await layer.send("slow", {"type": "a"})


async def test_an_empty_group_may_be_told_anything(layer: SingleProcessLayer) -> None:
    await layer.group_send("nobody", {"type": "a"})
    assert layer.groups.get("nobody") is None


async def test_a_bad_group_name_is_refused(layer: SingleProcessLayer) -> None:
    with pytest.raises(TypeError):
        await layer.group_send("not a name!", {"type": "a"})


async def test_what_nobody_reads_is_swept_out_but_not_at_every_message(
    layer: SingleProcessLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer.expiry = 0
    await layer.send("gone", {"type": "a"})
    await asyncio.sleep(0.01)
    await layer.group_send("group", {"type": "a"})
    assert "gone" in layer.channels
    monkeypatch.setattr(channel_layer, "SWEEP_EVERY", 0)
    await layer.group_send("group", {"type": "a"})
    assert "gone" not in layer.channels


async def test_a_socket_stays_in_its_group_for_longer_than_a_day(layer: SingleProcessLayer) -> None:
    await layer.group_add("group", "one")
    layer.groups["group"]["one"] -= 2 * 86_400
    layer._swept -= channel_layer.SWEEP_EVERY
    await layer.group_send("group", {"type": "a"})
    assert await received(layer, "one") == {"type": "a"}
