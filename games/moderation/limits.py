"""How much one person, and one network, can report: as the table of all limits has it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import LIMITS, TooMany, spend
from games.engine.protocol import RuleViolation
from games.moderation.models import Report

ROW: Final = LIMITS["report"]


def check_reports(by: Any) -> None:
    """Refuse more reports than the table allows: "too-many"."""
    most = (ROW.guest if by.guest else ROW.person)[0].most
    if Report.objects.filter(by=by, at__gt=timezone.now() - timedelta(days=1)).count() >= most:
        text = _("You have sent %(count)d reports today. Please wait until tomorrow.")
        raise RuleViolation("too-many", text % {"count": most})


def count_report(by: Any) -> None:
    """Count a report that is about to be stored for its network address, or refuse it: "too-many"."""
    try:
        spend("report", by)
    except TooMany as error:
        raise RuleViolation("too-many", error.text) from error
