"""Taking back what a moderator did, also in other apps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from django.db.models import QuerySet
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


def register(act: Deed.Act, undoing: Reversal) -> None:
    """Take back what another app lets moderators do (`act`) by this from now on."""
    _registered[act] = undoing


def undo(by: User | None, deed: Deed, reason: str) -> Deed:
    """Take back what a moderator did, where that is possible.

    Raises:
        RuleViolation: "own" if it is about them or a match of theirs; "final" where it is not possible, or no longer
            applies; and as what is done instead.
    """
    act = deed.act
    check_not_own(by, deed.person, deed.match)
    if deed.sanction is not None and act in SANCTIONS:
        return lift(by, deed.sanction, reason, undone=deed)
    if act in _registered:
        return _registered[Act(act)](by, deed, reason)
    with writing():
        _hold(deed)
        check_not_replaced(deed)
        return _undo_latest(by, deed, reason)


def _hold(deed: Deed) -> None:
    """Let nobody decide the same match or case anew until the transaction ends."""
    rulings, cases = Ruling.objects.filter(match=deed.match_id), Case.objects.filter(pk=deed.case_id or 0)
    held: QuerySet[Any] = cases if deed.act == Act.DECIDE else rulings
    held.select_for_update().first()


def _undo_latest(by: User | None, deed: Deed, reason: str) -> Deed:
    if deed.act == Act.RENAME and deed.person is not None:
        return give_name_back(by, deed.person, deed, reason)
    if deed.act in {Act.ANNUL, Act.AWARD} and deed.match is not None:
        return reinstate(by, deed.match, reason, undone=deed)
    if deed.act == Act.DECIDE and deed.case is not None:
        return reopen(by, deed.case, reason)
    raise RuleViolation("final", _("This can’t be taken back."))
