"""Taking back what a moderator did, in this app or in others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from django.utils.translation import gettext as _

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.moderation.cases import reopen
from games.moderation.decisions import check_not_own, check_not_replaced
from games.moderation.matches import reinstate
from games.moderation.models import Case, Deed
from games.moderation.people import SANCTIONS, give_name_back, lift
from games.play.models import Ruling
from games.play.store import writing

Act = Deed.Act

Reversal: TypeAlias = Callable[[User | None, Deed, str], Deed]

_registered: dict[Deed.Act, Reversal] = {}


def register(act: Deed.Act, reversal: Reversal) -> None:
    """Register how another app takes back a deed: `reversal(by, deed, reason)` does it and returns a new deed."""
    _registered[act] = reversal


def undo(by: User | None, deed: Deed, reason: str) -> Deed:
    """Take back what a moderator did.

    Raises:
        RuleViolation: "own" if it is about them or a match of theirs; "final" if it cannot be taken back or no longer
            applies; and as the decision that reverses it.
    """
    act = deed.act
    check_not_own(by, deed.person, deed.match)
    if deed.sanction is not None and act in SANCTIONS:
        return lift(by, deed.sanction, reason, undone=deed)
    if act in _registered:
        return _registered[Act(act)](by, deed, reason)
    with writing():  # these locks keep others from deciding the same match or case meanwhile
        Ruling.objects.filter(match=deed.match_id).select_for_update().first()
        Case.objects.filter(pk=deed.case_id or 0).select_for_update().first()
        check_not_replaced(deed)
        if act == Act.RENAME and deed.person is not None:
            return give_name_back(by, deed.person, deed, reason)
        if act in {Act.ANNUL, Act.AWARD} and deed.match is not None:
            return reinstate(by, deed.match, reason, undone=deed)
        if act == Act.DECIDE and deed.case is not None:
            return reopen(by, deed.case, reason)
    raise RuleViolation("final", _("This can’t be taken back."))
