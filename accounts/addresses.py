"""Where a request or a socket comes from, and who asks."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.functional import SimpleLazyObject

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


@dataclass(frozen=True, slots=True)
class Asked:
    """What is being asked, for the log.

    Args:
        number: of the request or the socket: the one nginx gave it, or one of our own.
        asker: the request, or whatever has the person as its `user`.
    """

    number: str
    asker: Any

    @property
    def person(self) -> int | None:
        """Return the number of who asks; None for visitors, and as long as nobody has looked who it is."""
        user = getattr(self.asker, "user", None)
        return None if type(user) is SimpleLazyObject else getattr(user, "pk", None)


ASKED: Final[ContextVar[Asked | None]] = ContextVar("asked", default=None)
"""What this thread or task is busy with."""

_NUMBER: Final = re.compile(r"[A-Za-z0-9-]{8,64}")


def number_of(told: str) -> str:
    """Return the number of a request: what a trusted proxy says it is (`X-Request-ID`), otherwise a new one."""
    return told if settings.TRUSTED_PROXIES and _NUMBER.fullmatch(told) else secrets.token_hex(16)
