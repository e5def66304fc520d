"""Where a socket is opened from."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings

_IPV4 = 4


def address_of(scope: Mapping[str, Any]) -> str:
    """Return the address a socket comes from, as reported by the proxies in front; for IPv6 its /64 network."""
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for").decode("latin1")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    proxies = settings.TRUSTED_PROXIES
    told = hops[-proxies] if 0 < proxies <= len(hops) else str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(told)
    except ValueError:
        return told
    return told if address.version == _IPV4 else str(ip_network((address, 64), strict=False))
