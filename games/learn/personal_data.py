"""What lessons keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.learn.models import Progress


def _progress(user: User) -> Iterable[Row]:
    return [
        {"game": row.game, "lesson": row.lesson, "steps": row.reached, "done": row.done_on}
        for row in Progress.objects.filter(user=user)
    ]


PARTS = (Part("lessons", _("Lessons"), _progress, ("learn.Progress.user",)),)
