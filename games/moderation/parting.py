"""What a suspended person is taken out of: open and planned tables, and quick pairing. Matches that run go on."""

from __future__ import annotations

from accounts.models import User
from games.matchmaking import departing
from games.pairing import services as pairing
from games.pairing.models import Wait


def part(person: User) -> None:
    """Let somebody get up from every table that has not begun, and stop waiting for others."""
    departing.leave_tables(person)
    for key in Wait.objects.current().filter(user=person).values_list("pk", flat=True):
        pairing.withdraw(person, key)
