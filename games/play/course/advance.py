"""The one step of a match: what it is, what is asked, what time it is; and what comes of that."""

from __future__ import annotations

import logging
from datetime import datetime

from django.utils.translation import gettext as _

from games.engine import runner
from games.engine.protocol import RuleViolation
from games.play.course import clockwork, positions, recording, timeouts
from games.play.course.draft import Change, Draft, Snapshot
from games.play.course.requests import Request, Stale
from games.play.models import AbortReason, Match
from games.play.signals import match_started

log = logging.getLogger(__name__)


def advance(before: Snapshot, request: Request, now: datetime) -> Change:
    """Return what a request does to a match, unless somebody's time is up: then that is all that happens.

    A timeout that fails, by a mistake of ours, is left out, and a match that nobody can leave is aborted: nobody may be
    locked into one.

    Args:
        before: the match.
        request: what a seat asks for.
        now: the moment that counts.

    Raises:
        RuleViolation: the rules, or the state of the match, refuse it; "out-of-time" without a timeout to store.
        Stale: the player saw an older version.
    """
    draft = Draft(before, now)
    try:
        late = timeouts.time_out(draft)
    except Exception:
        log.exception("the timeout in match %s failed", before.match.slug)
        return despite_timeouts(before, request, now)
    return draft.change(late) if late else _asked(draft, request)


def _asked(draft: Draft, request: Request) -> Change:
    try:
        request.change(draft)
    except (RuleViolation, Stale):
        raise
    except Exception:
        if not request.leaves:
            raise
        log.exception("match %s is broken", draft.match.slug)
        return give_up(draft.before, draft.now)
    return draft.change()


def give_up(before: Snapshot, now: datetime) -> Change:
    """Return a match aborted because a player wants to leave it and, by a mistake of ours, cannot."""
    log.error("match %s is aborted, as a player wants to leave it", before.match.slug)
    draft = Draft(before, now)
    recording.abort(draft, AbortReason.FAULT)
    return draft.change()


def despite_timeouts(before: Snapshot, request: Request, now: datetime) -> Change:
    """Return what a request does to a match whose timeouts cannot be handled; raises as `advance`."""
    draft = Draft(before, now)
    if not request.leaves and clockwork.overdue(draft.seats[request.seat], draft.now):
        raise out_of_time()
    return _asked(draft, request)


def out_of_time() -> RuleViolation:
    """Return the refusal of a request by somebody whose time is up."""
    return RuleViolation("out-of-time", _("Your time was up before this arrived."))


def wait(before: Snapshot, now: datetime) -> Change | None:
    """Return what time alone does to a match: timeouts; None when nobody's time is up."""
    draft = Draft(before, now)
    late = timeouts.time_out(draft)
    return draft.change(late) if late or draft.happened else None


def begin(before: Snapshot, now: datetime) -> Change:
    """Return a match that begins: dealt, with clocks that run. Its seats are numbered in the order of play."""
    draft = Draft(before, now)
    match = draft.match
    play = runner.begin(match.rules, match.seat_count, match.options, positions.seed_of(match, draft.seats))
    match.status, match.started_at = Match.Status.RUNNING, draft.now
    clockwork.wind_up(match, draft.seats)
    recording.set_position(draft, play)
    draft.tell(match_started, seats=draft.seats)
    return draft.change()


def forgive(before: Snapshot, since: datetime, now: datetime) -> Change:
    """Return a match whose clocks go on after an outage; see `timeouts.forgive`."""
    draft = Draft(before, now)
    timeouts.forgive(draft, since)
    return draft.change()


def reckon(before: Snapshot, user_id: int, now: datetime) -> Change:
    """Return a match with a person's deadlines computed again; see `timeouts.reckon`."""
    draft = Draft(before, now)
    timeouts.reckon(draft, user_id)
    return draft.change()
