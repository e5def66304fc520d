"""Visitors, who become guests by sitting down: what is asked before there is a guest, so that a refusal makes none."""

from __future__ import annotations

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import stale, uses
from games.matchmaking.admission import check_may_sit, closed
from games.matchmaking.models import Use
from games.play.models import Match


def newcomer() -> User:
    """Return the guest whom a visitor would become, of whom nothing is known or stored."""
    return User(pk=0, guest=True)


def check_welcome(match: Match) -> None:
    """Refuse a visitor who could not sit down as a guest: as `check_may_sit`, and "table-closed" for a stale table."""
    if stale.is_stale(match):
        raise closed()
    check_may_sit(match, match.seats.count(), newcomer())


def is_welcome(match: Match) -> bool:
    """Return whether a visitor could sit down as a guest."""
    try:
        check_welcome(match)
    except RuleViolation:
        return False
    return True


def check_uses(*what: Use.What) -> None:
    """Refuse a visitor from whose network address too much has been done (`accounts.limits.asked_from`)."""
    for use in what:
        uses.check(use, newcomer())
