"""Where a socket is opened from: the connection itself, or what the trusted proxies say."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings

from accounts.requests import address_of, network_of


def scope(client: str, *forwarded: str) -> dict[str, Any]:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"client": (client, 1234), "headers": [(b"host", b"tessera.example"), *headers]}


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, [], "10.0.0.1"),
        (0, ["192.0.2.7"], "10.0.0.1"),
        (1, ["192.0.2.7"], "192.0.2.7"),
        (1, ["203.0.113.9, 192.0.2.7"], "192.0.2.7"),
        (1, ["203.0.113.9", "192.0.2.7"], "192.0.2.7"),
        (2, ["203.0.113.9, 192.0.2.7"], "203.0.113.9"),
        (2, ["192.0.2.7"], "192.0.2.7"),
        (1, [], "10.0.0.1"),
        (1, ["unknown"], "10.0.0.1"),
        (2, ["unknown", "192.0.2.7"], "192.0.2.7"),
    ],
)
def test_only_trusted_proxies_are_believed(
    monkeypatch: pytest.MonkeyPatch, proxies: int, forwarded: list[str], address: str
) -> None:
    monkeypatch.setattr(settings, "TRUSTED_PROXIES", proxies)
    assert address_of(scope("10.0.0.1", *forwarded)) == address


def test_of_ipv6_the_network_of_one_customer_counts() -> None:
    networks = {network_of(address_of(scope(it))) for it in ("2001:db8:1:2:3::4", "2001:db8:1:2::9")}
    assert networks == {"2001:db8:1:2::/64"}
    assert network_of("2001:db8:1:2::/64") == "2001:db8:1:2::/64"
    assert network_of(address_of(scope("2001:db8:1:3::4"))) not in networks


def test_an_ipv4_address_in_an_ipv6_one_is_that_address() -> None:
    assert address_of(scope("::ffff:192.0.2.7")) == "192.0.2.7"
    assert address_of(scope("::ffff:192.0.2.8")) != address_of(scope("::ffff:192.0.2.7"))


def test_a_socket_without_an_address_counts_as_one() -> None:
    assert address_of({"client": None, "headers": []}) == ""
