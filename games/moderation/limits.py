"""How much one person can report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.moderation.models import Report

REPORTS: Final = 10
"""Reports of one person within a day."""

OF_GUESTS: Final = 3
"""Reports of one guest within a day."""


def check_reports(by: Any) -> None:
    """Refuse more reports than these: "too-many"."""
    most = OF_GUESTS if by.guest else REPORTS
    if Report.objects.filter(by=by, at__gt=timezone.now() - timedelta(days=1)).count() >= most:
        text = _("You have sent %(count)d reports today. Please wait until tomorrow.")
        raise RuleViolation("too-many", text % {"count": most})
