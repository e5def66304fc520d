"""What exports and deletions keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.personal_data import Part

PARTS = (
    Part.of_columns("exports", _("Exports of your data"), "privacy.Export.user", at="asked_at", language="language"),
    Part.of_columns(
        "deletion",
        _("Deletion of your account"),
        "privacy.Deletion.user",
        at="asked_at",
        confirmed="confirmed_at",
        until="due_at",
    ),
)
