"""What somebody can look for, and who is not asked for a while after offers they did not take up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.protocol import Option, OptionError, OptionValue, RuleViolation
from games.matchmaking.fields import option_word
from games.matchmaking.limits import pair_of
from games.pairing.models import Lapse, Wait
from games.play.models import Seat, Speed
from games.titles import Title, titles


@dataclass(frozen=True, slots=True)
class Search:
    """What somebody wants to play.

    Args:
        game: slug of the title.
        seats: the numbers of players they accept.
        speed: of `Speed`.
        rated: whether ratings change; never for guests.
        accepts: by option, the values they accept; what is left out is played as usual.
    """

    game: str
    seats: tuple[int, ...]
    speed: str = Speed.LIVE
    rated: bool = True
    accepts: Mapping[str, Sequence[str]] = field(default_factory=dict)


def seats_of(title: Title) -> list[int]:
    """Return the numbers of players for which people can be paired."""
    return [count for count in title.game.seats if count > 1]


def options_of(title: Title) -> list[Option]:
    """Return the options that exist for several players."""
    return [option for option in title.game.options if any(option.exists_for(count) for count in seats_of(title))]


def checked_search(search: Search) -> dict[str, Any]:
    """Return a search as the fields of a wait, complete and sorted, so that equal searches are equal.

    Raises:
        RuleViolation: "game", "speed", "seats" or "option": nothing like this is offered.
    """
    title = titles().get(search.game)
    if title is None or search.speed not in Speed.values:
        raise RuleViolation("game", _("This choice is not available."))
    seats = sorted(set(search.seats) & set(seats_of(title)))
    if not seats or set(search.seats) - set(seats):
        raise RuleViolation("seats", _("Choose the number of players."))
    return {
        "game": search.game,
        "speed": search.speed,
        "rated": search.rated,
        "seats": seats,
        "accepts": {option.name: _accepted(option, search.accepts) for option in options_of(title)},
    }


def _accepted(option: Option, accepts: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what somebody accepts of an option, in its own order."""
    offered = [option_word(value) for value, _label in option.choices]
    wanted = accepts.get(option.name) or [option_word(option.default)]
    if set(wanted) - set(offered):
        raise OptionError(_("This choice is not available."))
    return [word for word in offered if word in wanted]


def agreed_options(title: Title, seats: int, accepted: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, OptionValue]:
    """Return the options of a match for people who accept these: of each the first value that all of them accept.

    What is no longer offered is played as usual.
    """
    everybody = list(accepted)
    chosen: dict[str, OptionValue] = {}
    for option in title.game.options:
        words = [accepts.get(option.name, [option_word(option.default)]) for accepts in everybody]
        fitting = (it for it, _label in option.choices if all(option_word(it) in accepted for accepted in words))
        if option.exists_for(seats):
            chosen[option.name] = next((it for it in fitting if option.offers(it, seats)), option.default)
    return chosen


# --- cooldowns, after offers that were not taken up -------------------------------------------------------------------

# An offer that is not answered keeps others waiting for half a minute, and somebody who lets one pass could ask for the
# next at once. So each time they are not asked for longer, whatever wait they begin. Guests, who can come back as new
# guests, share this with all guests at their network address. Declining soon is an answer, and costs less. Closing
# every page while an offer waits counts as letting it pass.

DECLINED_SOON = timedelta(seconds=10)
"""Declining an offer within this time is an answer; later it counts as letting it pass."""

COOLDOWN_AFTER_PASSING = (timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10))
"""How long somebody is not asked after the first offer they let pass, the second, and each one from the third on."""

COOLDOWN_AFTER_DECLINING = (timedelta(minutes=1), timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=10))
"""How long somebody is not asked after declining for the first time, the second and so on."""

LAPSES_COUNT_FOR = timedelta(hours=2)
"""After this time without another lapse, or after a match from pairing, cooldowns start from the first again."""

APART_FOR = timedelta(days=1)
"""How long two people are not paired after one has let an offer with the other pass, or declined two."""


@dataclass(frozen=True, slots=True)
class Cooldown:
    """How long somebody is not asked.

    Args:
        until: when it ends.
        network: whether others at their network address are the reason.
    """

    until: datetime
    network: bool = False

    @property
    def seconds(self) -> int:
        """Return the seconds left, rounded up."""
        return -int(-(self.until - timezone.now()).total_seconds() // 1)

    @property
    def minutes(self) -> int:
        """Return the minutes left, rounded up; 0 up to one minute, which is told in seconds."""
        return -(-self.seconds // 60) if self.seconds > 60 else 0  # noqa: PLR2004  # a minute


def record_lapse(mine: Wait, others: Iterable[int], offer: str, *, passed: bool) -> None:
    """Record that somebody did not take up an offer.

    Args:
        mine: their wait.
        others: the keys of those who were asked with them.
        offer: its slug.
        passed: whether they let it pass; otherwise they declined soon.
    """
    fields = {"user_id": mine.user_id, "address": mine.address, "offer": offer, "passed": passed}
    Lapse.objects.bulk_create([Lapse(**fields, other_id=other) for other in others])


def cooldown_of(user: Any, address: str = "") -> Cooldown | None:
    """Return how long somebody is not asked yet, None if they can be.

    Args:
        user: who.
        address: the network address they wait from, which counts for guests.
    """
    now = timezone.now()
    until = _cooldown_ends(lapses_of(user), now)
    there = _cooldown_ends(_counting_lapses(Q(address=address)), now) if user.guest and address else None
    if there and (until is None or until < there):
        return Cooldown(there, network=True)
    return Cooldown(until) if until else None


def lapses_of(user: Any) -> list[Lapse]:
    """Return the lapses that count for somebody's cooldown, one for each offer, the latest last."""
    return _counting_lapses(Q(user=user))


def cooling_down(waits: Collection[Wait]) -> set[int]:
    """Return the keys of those of these waits, loaded with their users, whose people are not asked now."""
    people, addresses = {it.user_id for it in waits}, {it.address for it in waits if it.user.guest} - {""}
    by_person: dict[int | None, list[Lapse]] = {}
    by_address: dict[str, list[Lapse]] = {}
    for lapse in _counting_lapses(Q(user__in=people) | Q(address__in=addresses)):
        by_person.setdefault(lapse.user_id, []).append(lapse)
        by_address.setdefault(lapse.address, []).append(lapse)
    now = timezone.now()
    resting = {person for person in people if _cooldown_ends(by_person.get(person, ()), now)}
    there = {address for address in addresses if _cooldown_ends(by_address.get(address, ()), now)}
    return {it.pk for it in waits if it.user_id in resting or (it.user.guest and it.address in there)}


def apart_after_lapses(waits: Collection[Wait]) -> set[tuple[int, int]]:
    """Return which people of these waits, loaded with their users, are not paired because of lapses."""
    by_person = {it.user_id: it for it in waits}
    by_address: dict[str, list[int]] = {}
    for wait in waits:
        if wait.user.guest and wait.address:
            by_address.setdefault(wait.address, []).append(wait.user_id)
    since = timezone.now() - APART_FOR
    theirs = Q(user__in=by_person) | Q(address__in=by_address)
    lapses = Lapse.objects.filter(theirs, at__gt=since, other__in=by_person)
    declined: dict[tuple[int, int], set[str]] = {}
    found: set[tuple[int, int]] = set()
    for lapse in lapses:
        for person in {lapse.user_id, *by_address.get(lapse.address, ())} & by_person.keys() - {lapse.other_id}:
            pair = pair_of(person, lapse.other_id)
            declined.setdefault(pair, set()).add(lapse.offer)
            if lapse.passed or len(declined[pair]) > 1:
                found.add(pair)
    return found


def _counting_lapses(whose: Q) -> list[Lapse]:
    """Return the lapses that count for cooldowns, one for each person and offer, the latest last."""
    played = Seat.objects.filter(match__waits=OuterRef("pk"), user=OuterRef("user"), acted=True)
    later = Wait.objects.filter(
        Exists(played), user=OuterRef("user"), state=Wait.State.PAIRED, ended_at__gt=OuterRef("at")
    )
    rows = Lapse.objects.filter(whose, ~Exists(later), at__gt=timezone.now() - LAPSES_COUNT_FOR).order_by("at", "pk")
    return list({(row.user_id, row.offer): row for row in rows}.values())


def _cooldown_ends(lapses: Sequence[Lapse], now: datetime) -> datetime | None:
    """Return when the cooldown after these ends, None if it has."""
    ends = [now]
    for passed, cooldowns in ((True, COOLDOWN_AFTER_PASSING), (False, COOLDOWN_AFTER_DECLINING)):
        if these := [it for it in lapses if it.passed == passed]:
            ends.append(these[-1].at + cooldowns[min(len(these), len(cooldowns)) - 1])
    return max(ends) if max(ends) > now else None
