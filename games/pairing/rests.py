"""Offers that somebody did not take up: for how long they rest, and whom they are not offered to again.

An offer that is not answered keeps others waiting for half a minute, and whoever lets one pass could ask for the next
at once. So they rest for a growing time, whatever wait they begin; guests, who can begin anew, rest with all guests of
their network address. Declining soon is an answer, and milder. Going away from an offer is declining it, at best.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.pairing.matching import Pair, pair_of
from games.pairing.models import Lapse, Wait
from games.play.models import Seat

SOON = timedelta(seconds=10)
"""Whoever declines an offer within this time has answered it; later it counts as let pass."""

PASSED = (timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10))
"""How long somebody rests after the first offer they let pass, the second, and each one from the third on."""

DECLINED = (timedelta(minutes=1), timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=10))
"""How long somebody is left alone after declining for the first time, the second and so on."""

FORGOTTEN = timedelta(hours=2)
"""After this time without another one, or once they have played a match they were paired for, rests begin anew."""

APART = timedelta(days=1)
"""How long two people are not offered to each other of whom one has let the other wait in vain, or declined twice."""


@dataclass(frozen=True, slots=True)
class Rest:
    """How long somebody is not asked.

    Args:
        until: when it ends.
        network: whether only others at their network address are the reason.
    """

    until: datetime
    network: bool = False

    @property
    def seconds(self) -> int:
        """Return the seconds left, rounded up."""
        return -int(-(self.until - timezone.now()).total_seconds() // 1)

    @property
    def minutes(self) -> int:
        """Return the minutes left, rounded up; 0 when they are better told in seconds."""
        return -(-self.seconds // 60) if self.seconds > 60 else 0  # noqa: PLR2004  # a minute


def note(mine: Wait, others: Iterable[int], offer: str, *, passed: bool) -> None:
    """Note that somebody did not take up an offer.

    Args:
        mine: their wait.
        others: the keys of those who were asked with them.
        offer: its slug.
        passed: whether they let it pass; otherwise they declined soon.
    """
    fields = {"user_id": mine.user_id, "address": mine.address, "offer": offer, "passed": passed}
    Lapse.objects.bulk_create([Lapse(**fields, other_id=other) for other in others])


def rest_of(user: Any, address: str = "") -> Rest | None:
    """Return how long somebody still rests, None if they do not.

    Args:
        user: who.
        address: the network address they wait from; it counts for guests.
    """
    now = timezone.now()
    until = _after(lapses_of(user), now)
    there = _after(_fresh(Q(address=address)), now) if user.guest and address else None
    if there and (until is None or until < there):
        return Rest(there, network=True)
    return Rest(until) if until else None


def lapses_of(user: Any) -> list[Lapse]:
    """Return what counts for the rests of somebody, of each offer one, the latest last."""
    return _fresh(Q(user=user))


def at_rest(waits: Collection[Wait]) -> set[int]:
    """Return the keys of those waits whose people rest now; their users are loaded."""
    people, addresses = {it.user_id for it in waits}, {it.address for it in waits if it.user.guest} - {""}
    by_person: dict[int | None, list[Lapse]] = {}
    by_address: dict[str, list[Lapse]] = {}
    for lapse in _fresh(Q(user__in=people) | Q(address__in=addresses)):
        by_person.setdefault(lapse.user_id, []).append(lapse)
        by_address.setdefault(lapse.address, []).append(lapse)
    now = timezone.now()
    tired = {person for person in people if _after(by_person.get(person, ()), now)}
    there = {address for address in addresses if _after(by_address.get(address, ()), now)}
    return {it.pk for it in waits if it.user_id in tired or (it.user.guest and it.address in there)}


def apart(waits: Collection[Wait]) -> set[Pair]:
    """Return which of these people, whose users are loaded, are not offered to each other for a day."""
    by_person = {it.user_id: it for it in waits}
    by_address: dict[str, list[int]] = {}
    for wait in waits:
        if wait.user.guest and wait.address:
            by_address.setdefault(wait.address, []).append(wait.user_id)
    since = timezone.now() - APART
    theirs = Q(user__in=by_person) | Q(address__in=by_address)
    lapses = Lapse.objects.filter(theirs, at__gt=since, other__in=by_person)
    declined: dict[Pair, set[str]] = {}
    found: set[Pair] = set()
    for lapse in lapses:
        for person in {lapse.user_id, *by_address.get(lapse.address, ())} & by_person.keys() - {lapse.other_id}:
            pair = pair_of(person, lapse.other_id)
            declined.setdefault(pair, set()).add(lapse.offer)
            if lapse.passed or len(declined[pair]) > 1:
                found.add(pair)
    return found


def _fresh(whose: Q) -> list[Lapse]:
    """Return the lapses that count for rests, the latest last, of each person and offer one."""
    played = Seat.objects.filter(match__waits=OuterRef("pk"), user=OuterRef("user"), acted=True)
    later = Wait.objects.filter(
        Exists(played), user=OuterRef("user"), state=Wait.State.PAIRED, ended_at__gt=OuterRef("at")
    )
    rows = Lapse.objects.filter(whose, ~Exists(later), at__gt=timezone.now() - FORGOTTEN).order_by("at", "pk")
    return list({(row.user_id, row.offer): row for row in rows}.values())


def _after(lapses: Sequence[Lapse], now: datetime) -> datetime | None:
    """Return when the rest after these ends, None if it has."""
    ends = [now]
    for passed, rests in ((True, PASSED), (False, DECLINED)):
        if these := [it for it in lapses if it.passed == passed]:
            ends.append(these[-1].at + rests[min(len(these), len(rests)) - 1])
    return max(ends) if max(ends) > now else None
