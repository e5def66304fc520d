"""What the page of somebody's own data says about them."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from accounts.models import FormerName, User
from accounts.services import KEPT
from games.play.models import Seat


def own_of(user: User) -> dict[str, Any]:
    """Return how much there is about somebody."""
    recent = timezone.now() - KEPT
    return {
        "finished": Seat.objects.filter(user=user, ended_at__isnull=False).count(),
        "former": FormerName.objects.filter(user=user, given_up_at__gt=recent),
        "kept": KEPT.days,
    }
