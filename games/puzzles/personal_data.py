"""What puzzles keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.puzzles.models import Attempt


def _attempts(user: User) -> Iterable[Row]:
    return [
        {"game": row.game, "day": row.day, "tries": row.tries, "done": row.solved_on}
        for row in Attempt.objects.filter(user=user)
    ]


PARTS = (Part("puzzles", _("Puzzles"), _attempts, ("puzzles.Attempt.user",)),)
