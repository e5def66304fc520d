"""All rate limits: how often one person, one guest, and everybody at one network address can do something.

Whatever is counted for people is also counted for network addresses (`accounts.requests.network_of`), or several guests
could do what one may not. Addresses are allowed a multiple, so that a club of thirty people in one room meets no limit.

The settings import `ALLAUTH`, so this module must not import models. Limits on what exists at one time, such as open
tables, stand where they are checked.
"""

from __future__ import annotations

import logging
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from django.core.cache import cache
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _, ngettext

from accounts import buckets
from accounts.buckets import Allowance
from accounts.requests import network_of

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

log = logging.getLogger(__name__)

_SECOND, _MINUTE, _HOUR, _DAY = (timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1))


class Limit(NamedTuple):
    """How many uses are allowed within a period."""

    most: int
    within: timedelta

    def times(self, factor: int) -> Limit:
        """Return the limit for this many people together."""
        return Limit(self.most * factor, self.within)


@dataclass(frozen=True, slots=True)
class Row:
    """The limits of one action; of several limits of a kind, all hold.

    Attributes:
        person: for one member.
        guest: for one guest.
        guests: for all guests and visitors at one network address together.
        address: for everybody at one network address together.
        stored: uses of one person are counted elsewhere, by the rows they have stored; `spend` counts only addresses.
    """

    person: tuple[Limit, ...] = ()
    guest: tuple[Limit, ...] = ()
    guests: tuple[Limit, ...] = ()
    address: tuple[Limit, ...] = ()
    stored: bool = False


def _row(
    *person: Limit,
    guest: tuple[Limit, ...] | None = None,
    guests: tuple[Limit, ...] = (),
    together: int = 10,
    stored: bool = False,
) -> Row:
    """Return a row whose limit for an address is what `together` people may do."""
    return Row(person, person if guest is None else guest, guests, tuple(it.times(together) for it in person), stored)


LIMITS: Final[Mapping[str, Row]] = {
    # --- tables and matches: games.matchmaking counts these itself, with the transaction that makes them -------------
    "table": _row(Limit(20, _HOUR), guest=(Limit(10, _HOUR),), together=5, stored=True),
    "seat": _row(Limit(40, _HOUR), guest=(Limit(20, _HOUR),), together=5, stored=True),
    "invitation": _row(Limit(60, _HOUR), together=5, stored=True),
    # --- what makes the server work --------------------------------------------------------------------------------
    "pairing": _row(Limit(60, _HOUR), guest=(Limit(30, _HOUR),), guests=(Limit(300, _HOUR),)),
    "hint": _row(Limit(30, 5 * _MINUTE), Limit(300, _HOUR), guests=(Limit(150, 5 * _MINUTE),)),
    "review": _row(Limit(20, _HOUR), Limit(60, _DAY)),
    "lesson": _row(Limit(60, _MINUTE), Limit(1_000, _HOUR), guests=(Limit(300, _MINUTE),)),
    "puzzle": _row(Limit(60, _MINUTE), Limit(600, _HOUR), guests=(Limit(300, _MINUTE),)),
    "visit": Row(  # new sessions of people who are not logged in
        guests=(Limit(300, 10 * _MINUTE), Limit(1_000, _DAY)), address=(Limit(300, 10 * _MINUTE), Limit(1_000, _DAY))
    ),
    "export": _row(Limit(5, _DAY)),
    "records": _row(Limit(10, _MINUTE), guests=(Limit(10, _MINUTE),)),
    # Twice as often as twenty pages poll that have no socket.
    "poll": _row(Limit(160, 20 * _SECOND), together=5),
    # Suggestions while somebody types names.
    "find": _row(Limit(120, _MINUTE), guests=(Limit(300, _MINUTE),), together=5),
    # --- what reaches other people ---------------------------------------------------------------------------------
    "chat": _row(Limit(8, 20 * _SECOND), Limit(60, 10 * _MINUTE), Limit(400, _DAY), stored=True),
    "conversation": _row(Limit(30, _DAY), stored=True),
    "friend-request": _row(Limit(20, _DAY), stored=True),
    "follow": _row(Limit(60, _HOUR), Limit(200, _DAY)),
    "block": _row(Limit(100, _HOUR), guests=(Limit(100, _HOUR),)),
    "club": _row(Limit(3, _DAY)),
    "club-join": _row(Limit(30, _DAY), together=30),
    "report": _row(Limit(10, _DAY), guest=(Limit(3, _DAY),), guests=(Limit(6, _DAY),), together=6, stored=True),
    "club-invitation": _row(Limit(200, _DAY), stored=True),
    # --- notices outside the site ----------------------------------------------------------------------------------
    "device": _row(Limit(30, _HOUR), guests=(Limit(150, _HOUR),)),
    "webhook": _row(Limit(20, _HOUR)),
    "test-message": _row(Limit(6, _MINUTE), guests=(Limit(20, _MINUTE),), together=5),
    "calendar": _row(Limit(20, _HOUR)),
    # --- programs: who asks is known only afterwards, so the network is counted. A device asks every five seconds -----
    "application": _row(Limit(20, _HOUR)),
    "token": Row(address=(Limit(600, _MINUTE),)),
    "device-code": Row(address=(Limit(60, _MINUTE),)),
}
"""By the name of the action."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something can be done all the time, and how much oftener for a moment.

    Attributes:
        person: for one member.
        visitors: for all visitors at one network address together.
        address: for everybody at one network address together.
    """

    person: Allowance
    visitors: Allowance
    address: Allowance


PROGRAM: Final = Allowance(60, 20)
"""Requests of one person’s programs: 20 a second, and 60 at once."""

RATES: Final[Mapping[str, Rate]] = {"api": Rate(PROGRAM, PROGRAM, PROGRAM.times(10))}
"""By the name of the action."""


@dataclass(frozen=True, slots=True)
class AtOnce:
    """How many of something can be open at one time in one process; fields as in `Row`."""

    person: int
    guests: int
    address: int


SOCKETS: Final = AtOnce(person=20, guests=50, address=1_000)
"""A school of 300 members needs 600."""

STREAMS: Final = 8
"""Streams of one account that can be open at one time."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """What may go over sockets: frames from the browser, bytes from the browser, and bytes to it."""

    frames: Allowance
    received: Allowance
    sent: Allowance

    @property
    def comes_back_within(self) -> float:
        """Return after how many seconds without traffic all of it can be used again."""
        return max(2 * each.most / each.per_second for each in (self.frames, self.received, self.sent))


SOCKET_TRAFFIC: Final = Traffic(Allowance(150, 6), Allowance(256_000, 16_000), Allowance(4_000_000, 200_000))
"""For one socket. A page sends a frame every ten seconds, and one for each move or message."""

ADDRESS_TRAFFIC: Final = Traffic(Allowance(3_000, 200), Allowance(2_000_000, 200_000), Allowance(50e6, 4e6))
"""For all sockets of one network address in one process: enough for a school of 300."""

ALLAUTH: Final[Mapping[str, str]] = {
    "login": "60/m/ip",
    "login_failed": "20/m/ip,300/d/ip",
    "signup": "20/m/ip,100/h/ip",
    "guest": "10/m/ip,60/h/ip",
    "confirm_email": "1/3m/key,100/h/ip",
    "reset_password": "10/m/ip,60/h/ip,5/h/key",
    "reset_password_from_key": "20/m/ip",
    "change_password": "5/m/user,50/m/ip",
    "manage_email": "10/m/user,30/h/user,100/m/ip,300/h/ip",
    "reauthenticate": "10/m/user,100/m/ip",
    "delete_account": "5/h/user,50/h/ip",
}
"""Limits that allauth counts, in its own notation: by network address ("ip"), by person, or by a key.

Nobody but its owner can use up a key: emails to reset a password that were sent before stay valid.
"""

ALLAUTH_IDP: Final[Mapping[str, str]] = {"device_user_code": "30/m/ip"}
"""As `ALLAUTH`: codes of devices that are entered."""

GUESSES: Final = (Limit(10, 5 * _MINUTE), Limit(50, _DAY))
"""Failed logins as one person from one network address: a stranger elsewhere cannot lock that person out."""

REQUESTS, PERIOD = LIMITS["friend-request"].person[0]
"""Requests for friendship from one person within a period."""

AGAIN: Final = timedelta(days=7)
"""How long to wait before asking the same person again to be friends."""

FOLLOWED: Final = 500
"""How many people one person can follow."""

BLOCKED: Final = 2_000
"""How many people one person can block."""


class TooMany(Exception):
    """A person, or everybody at their network address, has done something too often.

    Attributes:
        what: the name of the action in `LIMITS` or `RATES`.
        limit: the one that is reached.
        wait: how long until they can do it again, at most.
        by_address: whether the limit is that of their network address.
    """

    def __init__(self, what: str, limit: Limit | Allowance, wait: timedelta, *, by_address: bool) -> None:
        super().__init__(f"too many: {what}")
        self.what, self.limit, self.wait, self.by_address = what, limit, wait, by_address

    @property
    def text(self) -> str:
        """Return a sentence for whoever has to wait, in the active language."""
        if self.by_address:
            return from_network_in_words(self.wait)
        return _("You have done this too often. Please try again in %(wait)s.") % {"wait": in_words(self.wait)}


def from_network_in_words(wait: timedelta) -> str:
    """Return the sentence for somebody whose network has reached a limit."""
    text = _("Too many requests have come from your network. Please try again in %(wait)s.")
    return text % {"wait": in_words(wait)}


_FEW: Final = timedelta(seconds=10)


def in_words(wait: timedelta) -> str:
    """Return a time to wait in words, rounded up to minutes; a few seconds as such."""
    if wait <= _FEW:
        seconds = max(1, math.ceil(wait.total_seconds()))
        return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    now = timezone.now()
    return timeuntil(now + wait + timedelta(seconds=59), now, depth=1)


_network: ContextVar[str] = ContextVar("network", default="")


@contextmanager
def asked_from(address: str) -> Iterator[None]:
    """Count what is done within the block for this network address; empty if there is none."""
    before = _network.set(network_of(address))
    try:
        yield
    finally:
        _network.reset(before)


def asking_network() -> str:
    """Return the network address of the current request or socket as limits count it; empty if there is none."""
    return _network.get()


def spend(what: str, person: User | AnonymousUser | None, address: str | None = None) -> None:
    """Count one use of an action for a person and for their network address, or refuse it and count nothing.

    A period begins with the first use that is counted in it. Counts are kept in Django's cache.

    Args:
        what: the name of the action in `LIMITS`.
        person: who does it; None, or somebody without a key, for a visitor.
        address: by default that of the current request or socket (`asked_from`). Without one only the person is
            counted.

    Raises:
        TooMany: somebody has done it too often.
    """
    with going_on_without_redis("limits are not counted"):
        _spend(what, _scopes(LIMITS[what], person, asking_network() if address is None else address))


def draw(what: str, person: User | None) -> None:
    """Use something once that comes back steadily, for a person and for their network address, or refuse it.

    Args:
        what: the name of the action in `RATES`.
        person: who does it; None for a visitor.

    Raises:
        TooMany: somebody has done it too often; nothing is used up then.
    """
    rate, network = RATES[what], asking_network()
    scopes = [] if person is None else [(str(person.pk), rate.person, False)]
    if network:
        scopes += [(f"guests@{network}", rate.visitors, True)] if person is None else []
        scopes += [(f"@{network}", rate.address, True)]
    with going_on_without_redis("limits are not counted"):
        _draw(what, scopes)


def _draw(what: str, scopes: Iterable[tuple[str, Allowance, bool]]) -> None:
    drawn: list[tuple[str, Allowance]] = []
    for who, allowance, by_address in scopes:
        key = f"limit:{what}:{who}"
        if wait := buckets.draw(key, allowance):
            for earlier in drawn:
                buckets.draw(*earlier, uses=-1)
            raise TooMany(what, allowance, timedelta(seconds=wait), by_address=by_address)
        drawn.append((key, allowance))


def is_of_redis(error: Exception) -> bool:
    """Return whether Redis has failed; its errors exist only once its client has been imported."""
    known = sys.modules.get("redis.exceptions")
    return known is not None and isinstance(error, known.RedisError)


@contextmanager
def going_on_without_redis(meanwhile: str) -> Iterator[None]:
    """Skip the rest of the block if Redis fails in it: the site works without, so it goes on, with a warning.

    Args:
        meanwhile: what is so then, for the log.
    """
    try:
        yield
    except Exception as error:
        if not is_of_redis(error):
            raise
        log.warning("%s, as Redis has failed: %s", meanwhile, error)


def spend_guess(who: str) -> None:
    """Count an attempt to log in as a failed one.

    Args:
        who: a key for the person and the network address.

    Raises:
        TooMany: there were too many (`GUESSES`).
    """
    _spend("guess", [(who, limit, False) for limit in GUESSES])


def return_guess(who: str) -> None:
    """Stop counting an attempt that succeeded."""
    for limit in GUESSES:
        _give_back(_key("guess", who, limit))


def forget_guesses(who: str) -> None:
    """Stop counting all failed attempts of somebody."""
    cache.delete_many([_key("guess", who, limit) for limit in GUESSES])


def _key(what: str, who: str, limit: Limit) -> str:
    return f"limit:{what}:{who}:{limit.within // _SECOND}"


def _spend(what: str, scopes: Iterable[tuple[str, Limit, bool]]) -> None:
    spent: list[str] = []
    for who, limit, by_address in scopes:
        key = _key(what, who, limit)
        if _count(key, limit) <= limit.most:
            spent.append(key)
            continue
        for counted in (*spent, key):
            _give_back(counted)
        over = cache.get(f"{key}:over")
        wait = limit.within if over is None else timedelta(seconds=max(0.0, over - time.time()))
        raise TooMany(what, limit, wait, by_address=by_address)


def _scopes(row: Row, person: User | AnonymousUser | None, address: str) -> Iterator[tuple[str, Limit, bool]]:
    """Yield the limits that apply: for whom uses are counted, the limit, and whether it is that of an address."""
    key = None if person is None else person.pk
    is_guest = key is None or bool(getattr(person, "guest", True))
    if key is not None and not row.stored:
        for limit in row.guest if is_guest else row.person:
            yield str(key), limit, False
    if network := network_of(address):
        for limit in row.guests if is_guest else ():
            yield f"guests@{network}", limit, True
        for limit in row.address:
            yield f"@{network}", limit, True


def _count(key: str, limit: Limit) -> int:
    """Count one use and return how many there are in the current period, which begins with the first."""
    seconds = limit.within.total_seconds()
    while True:
        if cache.add(key, 0, seconds):
            cache.set(f"{key}:over", time.time() + seconds, seconds)
        try:
            return int(cache.incr(key))
        except ValueError:  # the period ended between the two
            continue


def _give_back(key: str) -> None:
    try:
        cache.decr(key)
    except ValueError:  # the period has ended
        return
