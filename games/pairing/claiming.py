"""The waits of a guest who logs in to an account: whoever pairs them has them first, or finds them moved."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from accounts.signals import guest_is_claimed
from games.pairing.models import Wait


def _waits(guest: User, *, locking: bool, **_: Any) -> list[int]:
    """Return a guest's waits, locked in their order."""
    waits = Wait.objects.filter(user=guest).order_by("pk")
    return list((waits.select_for_update() if locking else waits).values_list("pk", flat=True))


guest_is_claimed.connect(_waits)
