"""Requests and sockets: address, number and user, forms and cookies, and whether their text and numbers are valid.

Valid text is UTF-8 without NUL, which PostgreSQL cannot store. The same holds for HTTP and for sockets.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.utils.functional import SimpleLazyObject
from django_htmx.middleware import HtmxDetails

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

YEAR: Final = 365 * 24 * 3600
"""In seconds."""

NETWORK: Final = 64
"""How many bits of an IPv6 address identify a household."""


class HtmxRequest(HttpRequest):
    """A request after django-htmx's middleware: `request.htmx` is true when htmx sent it."""

    htmx: HtmxDetails


def posted(request: HttpRequest) -> Any:
    """Return what a form is bound to: what was posted, None while it is only shown."""
    return request.POST if request.method == "POST" else None


def keep_for_a_year(request: HttpRequest, response: HttpResponse, name: str, value: str) -> None:
    """Let a browser keep, for a year, what somebody has chosen in it; scripts cannot read it."""
    response.set_cookie(name, value, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure())


def address_of(source: HttpRequest | Mapping[str, Any]) -> str:
    """Return the address of a request or of the scope of a socket, as the proxies in front report it.

    It is empty if nobody reports one, for instance behind a Unix socket.
    """
    if isinstance(source, HttpRequest):
        return address_behind(source.headers.get("X-Forwarded-For", ""), source.META.get("REMOTE_ADDR", ""))
    headers = source.get("headers", ())
    forwarded = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin1")
    return address_behind(forwarded, str((source.get("client") or ("",))[0]))


def address_behind(forwarded: str, peer: str) -> str:
    """Return the address that the outermost trusted proxy saw; empty if nobody reports one.

    If a proxy was bypassed or reports no address, the one behind it counts, and at last the connection itself.

    Args:
        forwarded: the header `X-Forwarded-For`.
        peer: the address of the connection.
    """
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    trusted = hops[-settings.TRUSTED_PROXIES :] if settings.TRUSTED_PROXIES else []
    return next(filter(None, map(_read, [*trusted, peer])), "")


def network_of(address: str) -> str:
    """Return what limits count as one address: an IPv4 address, the /64 of an IPv6 address, or empty."""
    try:
        found = ip_address(address.removesuffix(f"/{NETWORK}"))
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return f"{IPv6Address(int(found) >> NETWORK << NETWORK)}/{NETWORK}"
    return str(getattr(found, "ipv4_mapped", None) or found)


def _read(text: str) -> str:
    """Return an address without port and zone, an IPv4-mapped one as IPv4; empty if it is not an address."""
    host, port = split_domain_port(text)
    try:
        found = ip_address((host if port else text).strip("[]").partition("%")[0])
    except ValueError:
        return ""
    return str(getattr(found, "ipv4_mapped", None) or found)


class Middleware:
    """The base of our middleware: passes each request on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


@dataclass(frozen=True, slots=True)
class Asked:
    """The current request or socket, for the log.

    Args:
        number: given by nginx, or by us.
        asker: the request, or anything else with a `user`.
    """

    number: str
    asker: Any

    @property
    def person(self) -> int | None:
        """Return the key of the user; None for visitors, and before the user is loaded."""
        user = getattr(self.asker, "user", None)
        return None if type(user) is SimpleLazyObject else getattr(user, "pk", None)


ASKED: Final[ContextVar[Asked | None]] = ContextVar("asked", default=None)
"""The request that this thread or task works for."""

_NUMBER: Final = re.compile(r"[A-Za-z0-9-]{8,64}")


def number_of(given: str) -> str:
    """Return the number of a request: that of a trusted proxy (`X-Request-ID`), or else a new one."""
    return given if settings.TRUSTED_PROXIES and _NUMBER.fullmatch(given) else secrets.token_hex(16)


_CHARSETS: Final = frozenset({"", "utf-8", "utf8", "us-ascii", "ascii"})
_OTHERWISE: Final = re.compile(
    rb"^content-(?:transfer-encoding[ \t]*:|(?:type|disposition)[ \t]*:.*(?:charset[ \t]*=|\*[ \t]*=))",
    re.IGNORECASE | re.MULTILINE,
)
"""A line in a part of a form that declares another encoding, of the part or of a name in the line."""


def is_text(data: bytes | str) -> bool:
    """Return whether bytes or a string are valid text.

    >>> is_text("Zoë"), is_text("\\ud800"), is_text(b"\\xff"), is_text("a\\0b")
    (True, False, False, False)
    """
    try:
        return b"\0" not in (data.encode() if isinstance(data, str) else data.decode().encode())
    except UnicodeError:
        return False


def is_form(data: bytes | str) -> bool:
    """Return whether the fields of a form or a query are valid text, both as they are and with escapes decoded.

    >>> is_form("text=Zo%C3%AB"), is_form("text=%ED%A0%80"), is_form("text=%00"), is_form(b"\\xff")
    (True, False, False, False)
    """
    return is_text(data) and is_text(unquote_to_bytes(data))


def is_json(data: bytes | str) -> bool:
    """Return whether this is JSON in which all strings are valid text.

    >>> is_json('["Zo\\\\u00eb"]'), is_json('["\\\\ud800"]'), is_json('{"\\\\u0000": 1}'), is_json("[")
    (True, False, False, False)
    """
    try:
        return is_text(data) and all_text(json.loads(data))
    except (ValueError, RecursionError):
        return False


def all_text(read: object) -> bool:
    """Return whether all strings in decoded JSON are valid text: its escapes can stand for anything.

    Raises:
        RecursionError: it is nested too deeply.
    """
    if isinstance(read, str):
        return is_text(read)
    if isinstance(read, dict):
        return all(is_text(name) and all_text(value) for name, value in read.items())
    return not isinstance(read, list) or all(map(all_text, read))


def is_body(request: HttpRequest) -> bool:
    """Return whether the body of a request is valid text, whatever its content type.

    A form of several parts may not declare another charset or a transfer encoding, which could hide what is refused
    elsewhere; browsers never declare one.
    """
    if (request.content_params or {}).get("charset", "").strip("\"' ").lower() not in _CHARSETS:
        return False
    body = request.body
    if request.content_type == "application/x-www-form-urlencoded":
        return is_form(body)
    if request.content_type == "application/json":
        return is_json(body)
    if request.content_type == "multipart/form-data" and _OTHERWISE.search(body):
        return False
    return is_text(body)


INTEGER: Final = 9
"""How many digits fit into an integer of PostgreSQL, whatever they are."""

KEY: Final = 18
"""How many fit into the key of a row."""


def whole_number(text: str, digits: int = INTEGER) -> int | None:
    """Return the number that a text of digits is; None for any other text, or if there are more digits.

    `int` also reads signs, spaces, underscores and the digits of every script, and takes long for long numbers.

    >>> whole_number("12"), whole_number("-1"), whole_number("1_0"), whole_number("²"), whole_number("123", 2)
    (12, None, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
