"""What only those who lead a club may do, each while they may play here at all."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.clubs.membership import member_of
from games.clubs.models import Club
from games.engine.protocol import RuleViolation
from games.matchmaking.seats import check_may_play


def check_leads(by: Any, club: Club) -> None:
    """Refuse whoever is neither owner nor helper of a club: "not-leader", or as `seats.check_may_play`."""
    mine = member_of(club, by)
    if mine is None or not mine.leads:
        raise RuleViolation("not-leader", _("Only owners and helpers of this club can do that."))
    check_may_play(by)
