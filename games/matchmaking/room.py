"""What one person can do at an open table: which controls its page offers, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine.protocol import RuleViolation
from games.matchmaking.admission import guest_rated_in_words, is_kept_apart, is_open_to
from games.matchmaking.limits import wait_in_words
from games.matchmaking.requirements import check_meets
from games.play.matches.viewed import ViewedMatch
from games.play.models import Level, Match


@dataclass(frozen=True, slots=True)
class Room:
    """An open table as one person sees it.

    Args:
        known: logged in.
        hosts: hosts the table.
        awaited: may have one of the seats, if one is free.
        removed: was removed by the host and has not been invited since.
        wait: why they cannot sit down now, and for how long; empty if they can.
    """

    known: bool
    hosts: bool
    awaited: bool
    removed: bool = False
    wait: str = ""

    @property
    def levels(self) -> list[Level]:
        """Return the bots that a host can give a free seat to."""
        return list(Level)

    @property
    def may_sit(self) -> bool:
        return self.awaited and not self.removed and not self.wait


def room_of(table: ViewedMatch, user: Any) -> Room:
    """Return a table as this person (None or anonymous: a visitor) sees it."""
    match = table.match
    if user is None or not user.is_authenticated:
        return Room(known=False, hosts=False, awaited=False)
    if table.viewer is not None or not match.is_open:
        return Room(known=True, hosts=match.host_id == user.pk, awaited=False)
    return Room(
        known=True,
        hosts=False,
        awaited=_is_awaited(table, user),
        removed=match.removals.filter(user=user).exists(),
        wait=guest_rated_in_words() if match.rated and user.guest else wait_in_words(user) or _outside(match, user),
    )


def _is_awaited(table: ViewedMatch, user: Any) -> bool:
    match = table.match
    wanted = is_open_to(match, user) or match.invitations.filter(user=user).exists()
    return wanted and not is_kept_apart(match, table.seats, user)


def _outside(match: Match, user: Any) -> str:
    """Return why a table is not for somebody, empty if it is."""
    if match.invitations.filter(user=user).exists():
        return ""
    try:
        check_meets(match, user)
    except RuleViolation as violation:
        return violation.text
    return ""


def was_made_casual(match: Match) -> bool:
    """Return whether a rematch is casual although the match before it was rated."""
    return match.previous is not None and match.previous.rated and not match.rated and match.seat_count > 1
