"""Where a socket is opened from."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from accounts.addresses import address_behind

_NETWORK = 64
"""Bits of an IPv6 address that identify a household."""


def address_of(scope: Mapping[str, Any]) -> str:
    """Return the address a socket comes from, as reported by the proxies in front; for IPv6 its /64 network."""
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for").decode("latin1")
    return network_of(address_behind(forwarded, str((scope.get("client") or ("",))[0])))


def network_of(address: str) -> str:
    """Return what counts as one address: an IPv4 address, the /64 of an IPv6 address, empty if it is neither."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return f"{IPv6Address(int(found) >> _NETWORK << _NETWORK)}/{_NETWORK}"
    return str(getattr(found, "ipv4_mapped", None) or found)
