"""Two seats of one match from one device: noticed with the action that shows it, inside its transaction.

From then on a rated match is not rated, which its page says. It happens in families too, so nobody is accused of
anything. Of casual matches moderators are shown it (`casual`), and nothing else follows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

from django.db import transaction

from accounts.marks import acting, mark_of
from games.fairplay.models import Finding, Use
from games.play.models import Action, Match, Seat, in_company

MOST_NOTED: Final = 10_000
_noted: OrderedDict[tuple[str, int, str], None] = OrderedDict()
"""What this process has stored: a person plays hundreds of actions of a match from one device."""
_lock = Lock()


def on_action(match: Match, seats: Sequence[Seat], action: Action, **_: Any) -> None:
    """Receive an action of a person (`games.play.signals.action_committed`)."""
    token, user = acting(), seats[action.seat].user_id
    if not token or user is None or action.by_bot or action.client_id is None or not in_company(seats):
        return
    key = (match.slug, user, token)
    if key in _noted:
        return
    _note(match, user, mark_of(token))
    transaction.on_commit(lambda: _remember(key))


def _remember(key: tuple[str, int, str]) -> None:
    with _lock:
        _noted[key] = None
        while len(_noted) > MOST_NOTED:
            _noted.popitem(last=False)


def _note(match: Match, user: int, mark: str) -> None:
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
