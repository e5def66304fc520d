"""What lessons keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.personal_data import Part

PARTS = (
    Part.of_columns(
        "lessons", _("Lessons"), "learn.Progress.user", game="game", lesson="lesson", steps="reached", done="done_on"
    ),
)
