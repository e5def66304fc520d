"""The one way in which a change of a match is stored, signalled and announced."""

from __future__ import annotations

from django.db.models import Model

from games.play import duties
from games.play.course.draft import Change
from games.play.matches import announce, statements
from games.play.models import Action, Match

UNDONE_KEPT = 50
"""How many actions taken back are kept per match, to recognise repeated requests; seals stay."""


def store(change: Change) -> None:
    """Store a change of a locked match: each row once, and in it only what differs.

    Higher levels hear of it inside the transaction; open pages and the worker once it is committed.
    """
    before, match = change.before, change.match
    _update(before.match, match)
    for old, new in zip(before.seats, change.seats, strict=True):
        _update(old, new)
    _store_actions(change)
    for happened in change.happened:
        happened.signal.send(Match, match=match, **happened.about)
    _announce(change)


def _update(old: Model, new: Model) -> None:
    names = statements.differing(old, new)
    if names:
        statements.update(new, *names)


def _store_actions(change: Change) -> None:
    """Store the actions: those taken back first, since numbers that count are unique."""
    for action in change.taken_back:
        action.save(update_fields=["withdrawn"])
    for action in change.renumbered:
        action.save(update_fields=["number"])
    for action in change.added:
        statements.insert(action)
    if change.taken_back:
        _forget(change.match)


def _forget(match: Match) -> None:
    """Delete all but the latest of the withdrawn actions without a seal: nothing needs them any more."""
    undone = Action.objects.filter(match=match, withdrawn=True, seal="").order_by("-pk")
    if (old := undone.values_list("pk", flat=True)[UNDONE_KEPT : UNDONE_KEPT + 1].first()) is not None:
        undone.filter(pk__lte=old).delete()


def _announce(change: Change) -> None:
    pairs = list(zip(change.before.seats, change.seats, strict=True))
    announce.waiting_changed(new.user_id for old, new in pairs if old.to_move != new.to_move)
    for old, new in pairs:
        if new.deadline is not None and new.deadline != old.deadline:
            duties.wake_for(new.deadline)
    if change.match.version != change.before.match.version:
        announce.match_changed(change.match.slug, change.match.version)
