"""Requests to addresses that people gave us: only to the public internet, and with a time limit.

A host name is resolved once, and the connection is made to exactly the address that was checked, so that it cannot
change in between. Redirects are not followed, only the head of an answer is read, and proxies of the environment are
ignored.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Event, Thread, Timer
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

ANSWER_WITHIN = 3.0
"""Seconds to wait for the name to be looked up, and for each piece of an answer; all of it may take twice as long."""

_HTTPS = 443
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_FOUR_BYTES = 0xFFFFFFFF


class Refused(Exception):
    """Nothing is sent to this address; `reason` says why, for the person who gave it."""

    def __init__(self, reason: Promise) -> None:
        super().__init__(reason)
        self.reason = reason


class Unanswered(Exception):
    """A message was not accepted, but may be if it is sent again.

    Args:
        words: what happened.
        retry_after: how long the receiver asked us to wait.
        blames_host: the host itself failed, not only this address there.
    """

    def __init__(self, words: str, retry_after: timedelta | None = None, *, blames_host: bool = True) -> None:
        super().__init__(words)
        self.retry_after = retry_after
        self.blames_host = blames_host


@dataclass(frozen=True, slots=True)
class Answer:
    """The status a server answered, and how long it asked us to wait (`Retry-After`, RFC 9110)."""

    status: int
    retry_after: timedelta | None = None


def check(address: str) -> SplitResult:
    """Return the parts of an address, if it may be one of the public internet.

    Raises:
        Refused: it is not https, has another port, a user name, or a private address.
    """
    if not address.isascii() or not address.isprintable() or " " in address or "\\" in address:
        raise Refused(_("This is not a valid address."))
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise Refused(_("This is not a valid address.")) from None
    if parts.scheme != "https" and not (settings.SEND_TO_LOOPBACK and parts.scheme == "http"):
        raise Refused(_("The address must begin with https://."))
    if "@" in parts.netloc or not host:
        raise Refused(_("The address needs a host name and must not contain a user name."))
    if port not in {None, _HTTPS} and not settings.SEND_TO_LOOPBACK:
        raise Refused(_("Only port 443 is allowed."))
    with suppress(ValueError):  # a name is looked up when something is sent
        _demand_public(ip_address(host))
    return parts


def host_of(address: str) -> str:
    """Return the host of an address that `check` has accepted, as budgets name it."""
    return (urlsplit(address).hostname or "").rstrip(".")


def post(address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a POST request.

    Raises:
        Refused: the address is not one of the public internet.
        Unanswered: nobody answered.
    """
    parts = check(address)
    try:
        with _connected(parts) as connection:
            target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            headers = {"Host": parts.netloc, "User-Agent": f"Tessera ({settings.SITE_URL})", **headers}
            connection.request("POST", target, body, headers, preload_content=False)
            response = connection.getresponse()
            return Answer(response.status, _wait_in(response.headers.get("Retry-After", "")))
    except (OSError, HTTPException, HTTPError, UnicodeError) as error:
        raise Unanswered(gettext("no answer (%(error)s)") % {"error": type(error).__name__}) from error


def _wait_in(header: str) -> timedelta | None:
    """Return the wait a header asks for, in seconds or as a date; None when it asks for none.

    >>> _wait_in("120"), _wait_in(""), _wait_in("soon"), _wait_in("-5")
    (datetime.timedelta(seconds=120), None, None, None)
    """
    if header.isascii() and header.isdigit():
        return timedelta(seconds=int(header[:9]))
    try:
        wait = parsedate_to_datetime(header) - timezone.now()
    except (TypeError, ValueError):
        return None
    return wait if wait > timedelta() else None


@contextmanager
def _connected(parts: SplitResult) -> Iterator[HTTPConnection]:
    """Connect to the address of a host, whose certificate must be for its name; cut after twice `ANSWER_WITHIN`."""
    host, late = parts.hostname or "", Event()
    port = parts.port or (_HTTPS if parts.scheme == "https" else 80)
    where = str(_look_up(host, port))
    if parts.scheme == "http":
        connection = HTTPConnection(where, port, timeout=ANSWER_WITHIN)
    else:
        connection = HTTPSConnection(where, port, timeout=ANSWER_WITHIN, server_hostname=host.rstrip("."))
    end = Timer(2 * ANSWER_WITHIN, _cut, [connection, late])
    end.daemon = True
    end.start()
    try:
        connection.connect()
        yield connection
        if late.is_set():
            raise TimeoutError  # what arrived is half an answer
    finally:
        end.cancel()
        connection.close()


def _look_up(host: str, port: int) -> IPv4Address | IPv6Address:
    """Return the address of a host. The system's resolver has no timeout, so it runs in a thread that is abandoned."""
    answer: Future[list[Any]] = Future()
    Thread(target=_ask_resolver, args=(answer, host, port), name="resolver", daemon=True).start()
    found = [ip_address(it[4][0]) for it in answer.result(ANSWER_WITHIN)]
    for address in found:
        _demand_public(address)
    return found[0]


def _ask_resolver(answer: Future[list[Any]], host: str, port: int) -> None:
    try:
        answer.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError) as error:
        answer.set_exception(error)


def _demand_public(address: IPv4Address | IPv6Address) -> None:
    if not is_public(address) and not (settings.SEND_TO_LOOPBACK and address.is_loopback):
        raise Refused(_("This address belongs to a private network; nothing is sent there."))


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address belongs to the public internet, and so does one embedded in it.

    >>> [is_public(ip_address(it)) for it in ("1.1.1.1", "169.254.169.254", "::ffff:10.0.0.1", "2606:4700::1111")]
    [True, False, False, True]
    """
    if isinstance(address, IPv6Address):
        inner = IPv4Address(int(address) & _FOUR_BYTES) if address in _NAT64 else None
        inner = inner or address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        return is_public(inner) if inner else address in _GLOBAL_UNICAST and address.is_global
    return address.is_global and not address.is_multicast and not address.is_reserved


def _cut(connection: HTTPConnection, late: Event) -> None:
    """End a connection from another thread; the thread that waits for it wakes up and finds `late` set."""
    late.set()
    if connection.sock is not None:
        with suppress(OSError):
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)


@register("tessera")  # as in `config.checks`
def check_loopback(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse a setting for tests, which lets push messages and webhooks go to this machine itself."""
    if not settings.SEND_TO_LOOPBACK:
        return []
    return [Error("SEND_TO_LOOPBACK is for tests: anybody could reach what listens here.", id="tessera.E020")]
