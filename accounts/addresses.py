"""Where a request or a socket comes from."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

NETWORK: Final = 64
"""Bits of an IPv6 address that identify a household."""


def address_of(source: HttpRequest | Mapping[str, Any]) -> str:
    """Return the address of a request or of the scope of a socket, as reported by the proxies in front.

    It is empty where nobody names one, as behind a Unix socket.
    """
    if isinstance(source, HttpRequest):
        return address_behind(source.headers.get("X-Forwarded-For", ""), source.META.get("REMOTE_ADDR", ""))
    headers = source.get("headers", ())
    forwarded = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin1")
    return address_behind(forwarded, str((source.get("client") or ("",))[0]))


def address_behind(forwarded: str, peer: str) -> str:
    """Return what the outermost trusted proxy saw, of what `X-Forwarded-For` says; empty if nobody names an address.

    If one of the proxies was passed by, or does not tell an address, the one behind it counts, and at last that of the
    connection itself (`peer`).
    """
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    trusted = hops[-settings.TRUSTED_PROXIES :] if settings.TRUSTED_PROXIES else []
    return next(filter(None, map(_read, [*trusted, peer])), "")


def network_of(address: str) -> str:
    """Return what every limit counts as one address: an IPv4 address, the /64 of an IPv6 address, or empty."""
    try:
        found = ip_address(address.removesuffix(f"/{NETWORK}"))
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return f"{IPv6Address(int(found) >> NETWORK << NETWORK)}/{NETWORK}"
    return str(getattr(found, "ipv4_mapped", None) or found)


def _read(told: str) -> str:
    """Return an address without port and zone, IPv4 written as IPv6 as what it is; empty if it is none."""
    host, port = split_domain_port(told)
    try:
        found = ip_address((host if port else told).strip("[]").partition("%")[0])
    except ValueError:
        return ""
    return str(getattr(found, "ipv4_mapped", None) or found)
