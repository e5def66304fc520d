"""What tests of push messages and webhooks share: a server to which they are sent, and names that lead where we say."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings

from tests.site.notifications.listening import Listener, listening

Names = Callable[..., list[str]]


@pytest.fixture
def listener(settings: Settings) -> Iterator[Listener]:
    """A server on loopback, which this test may send to."""
    settings.SEND_TO_LOOPBACK = True
    with listening() as found:
        yield found


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Let a host name lead to these addresses, the next one at each lookup (the last one for ever).

    Returns:
        A function of the name and its answers, each a list of addresses; it returns a list that grows with each lookup.
    """
    real = socket.getaddrinfo

    def lead(name: str, *answers: list[str]) -> list[str]:
        looks: list[str] = []

        def look_up(host: Any, port: Any, *arguments: Any, **options: Any) -> Any:
            if host != name:
                return real(host, port, *arguments, **options)
            looks.append(name)
            addresses = answers[min(len(looks), len(answers)) - 1]
            return [found for it in addresses for found in real(it, port, *arguments, **options)]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return looks

    return lead
