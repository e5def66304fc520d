"""What exports and ends of accounts keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.privacy.models import Deletion, Export


def _exports(user: User) -> Iterable[Row]:
    return [{"at": row.asked_at, "language": row.language} for row in Export.objects.filter(user=user)]


def _end(user: User) -> Iterable[Row]:
    rows = Deletion.objects.filter(user=user)
    return [{"at": row.asked_at, "confirmed": row.confirmed_at, "until": row.due_at} for row in rows]


PARTS = (
    Part("exports", _("Exports of your data"), _exports, ("privacy.Export.user",)),
    Part("deletion", _("Deletion of your account"), _end, ("privacy.Deletion.user",)),
)
