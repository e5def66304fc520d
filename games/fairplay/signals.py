"""Receivers of the signals of matches: devices that several seats share, and aborted rated matches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Final

from django.db import transaction

from accounts.logins import acting_device, device_mark
from games.engine.elo import START
from games.fairplay.models import Abort, Finding, Use
from games.play.models import AbortReason, Action, Match, Seat, in_company
from games.play.reducer import positions
from games.ratings.models import Rating

MOST_REMEMBERED: Final = 10_000
_remembered: OrderedDict[tuple[str, int, str], None] = OrderedDict()
"""What this process has stored: a person plays hundreds of actions of a match from one device."""
_lock = Lock()


def on_action(match: Match, seats: Sequence[Seat], action: Action, **_: Any) -> None:
    """Receive an action of a person (`games.play.signals.action_committed`)."""
    token, user = acting_device(), seats[action.seat].user_id
    if not token or user is None or action.by_bot or action.client_id is None or not in_company(seats):
        return
    key = (match.slug, user, token)
    if key in _remembered:
        return
    _record_use(match, user, device_mark(token))
    transaction.on_commit(lambda: _remember(key))


def _remember(key: tuple[str, int, str]) -> None:
    with _lock:
        _remembered[key] = None
        while len(_remembered) > MOST_REMEMBERED:
            _remembered.popitem(last=False)


def _record_use(match: Match, user: int, mark: str) -> None:
    """Store from which device somebody played; if somebody else did too, a rated match is not rated."""
    Use.objects.bulk_create([Use(match=match, user_id=user, mark=mark)], ignore_conflicts=True)
    if not match.rated:
        return
    others = Use.objects.filter(match=match, mark=mark).exclude(user=user)
    if (other := others.values_list("user", flat=True).first()) is not None:
        _unrate(match, other, user)


def _unrate(match: Match, other: int, user: int) -> None:
    """Say in the match that it is not rated; whatever else is stored with this action sees it."""
    match.rated, match.one_device = False, True
    match.save(update_fields=["rated", "one_device"])
    about = {"game": match.game, "speed": match.speed, "facts": {"action": match.length}}
    Finding.objects.create(kind=Finding.Kind.DEVICE, first_id=other, second_id=user, match=match, **about)


def on_match_aborted(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Receive a match that was aborted (`games.play.signals.match_aborted`)."""
    if not match.rated or not in_company(seats):
        return
    agreed = match.reason == AbortReason.AGREED
    enders = {seat.user_id: seat for seat in seats if seat.user_id and (seat.acted if agreed else seat.no_show)}
    if not enders:
        return
    ratings, behind = _ratings(match, seats), _behind(match, seats) if agreed else {}
    Abort.objects.bulk_create(
        [
            Abort(
                match=match,
                user_id=user,
                alone=not agreed,
                above=max(ratings[other.number] for other in seats if other is not seat) - ratings[seat.number],
                behind=behind.get(seat.number),
            )
            for user, seat in enders.items()
        ]
    )


def _ratings(match: Match, seats: Sequence[Seat]) -> Mapping[int, int]:
    people = [seat.user_id for seat in seats if seat.user_id]
    found = Rating.objects.filter(user__in=people, game=match.game, speed=match.speed)
    known = dict(found.values_list("user", "rating"))
    return {seat.number: known.get(seat.user_id, START) if seat.user_id else START for seat in seats}


def _behind(match: Match, seats: Sequence[Seat]) -> Mapping[int, bool | None]:
    """Return whether somebody is ahead of each seat; None for everybody while all are level."""
    scores = match.rules.standing(positions.decode_state(match))
    level = len(set(scores)) == 1
    return {seat.number: None if level else scores[seat.number] < max(scores) for seat in seats}
