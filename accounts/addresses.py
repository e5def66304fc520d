"""Where a request or a socket comes from."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from django.http.request import split_domain_port


def address_behind(forwarded: str, peer: str) -> str:
    """Return what the outermost trusted proxy saw, of what `X-Forwarded-For` says; empty if nobody names an address.

    If one of the proxies was passed by, or does not tell an address, the one behind it counts, and at last that of the
    connection itself (`peer`).
    """
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    trusted = hops[-settings.TRUSTED_PROXIES :] if settings.TRUSTED_PROXIES else []
    return next(filter(None, map(_read, [*trusted, peer])), "")


def _read(told: str) -> str:
    """Return an address without port and zone, IPv4 written as IPv6 as what it is; empty if it is none."""
    host, port = split_domain_port(told)
    try:
        found = ip_address((host if port else told).strip("[]").partition("%")[0])
    except ValueError:
        return ""
    return str(getattr(found, "ipv4_mapped", None) or found)
