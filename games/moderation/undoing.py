"""The way in for taking back what a moderator did, also in other apps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from django.utils.translation import gettext as _

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.moderation.cases import reopen
from games.moderation.deciding import check_not_own
from games.moderation.matches import reinstate
from games.moderation.models import Deed
from games.moderation.people import SANCTIONS, lift, rename

Act = Deed.Act


Undoing: TypeAlias = Callable[[User | None, Deed, str], Deed]

_undoings: dict[Deed.Act, Undoing] = {}


def undo_by(act: Deed.Act, undoing: Undoing) -> None:
    """Take back what another app lets moderators do (`act`) by this from now on."""
    _undoings[act] = undoing


def undo(by: User | None, deed: Deed, reason: str) -> Deed:
    """Take back what a moderator did, where that is possible.

    Raises:
        RuleViolation: "own" if it is about them or a match of theirs; "final" where it is not possible; and as what is
            done instead.
    """
    act, person, match = deed.act, deed.person, deed.match
    check_not_own(by, person, match)
    if deed.sanction is not None and act in SANCTIONS:
        return lift(by, deed.sanction, reason, undone=deed)
    if act == Act.RENAME and person is not None:
        former = person.former_names.filter(pk=deed.details["former_name"]).first()
        if former is not None:
            return rename(by, person, former.name, reason, undone=deed)
    if act in {Act.ANNUL, Act.AWARD} and match is not None:
        return reinstate(by, match, reason, undone=deed)
    if act == Act.DECIDE and deed.case is not None:
        return reopen(by, deed.case, reason)
    if act in _undoings:
        return _undoings[Act(act)](by, deed, reason)
    raise RuleViolation("final", _("This can’t be taken back."))
