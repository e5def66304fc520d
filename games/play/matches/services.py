"""The one way to change a match.

Each service locks the match, asks `games.play.course` what comes of the request, and stores that, with everything that
listens (ratings, notices), in one transaction; what changed is announced on commit.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import fair
from games.engine.protocol import Options, RuleViolation, complete_options
from games.play import database_errors
from games.play.course import advance
from games.play.course.draft import Change, Snapshot
from games.play.course.requests import Act, BotAct, GoBack, OfferAbort, Request, Resign, Stale, TakeBack
from games.play.matches import actions, recent
from games.play.matches.locking import Locked, lock
from games.play.matches.snapshots import of_locked, with_actions
from games.play.matches.storing import store
from games.play.matches.transactions import writing
from games.play.matches.viewed import ViewedMatch
from games.play.models import Action, Match, Seat

log = logging.getLogger(__name__)

CLIENT_ID_LENGTHS = range(8, 41)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a request.

    Args:
        viewed: the match as it was committed.
        repeated: this had been done before.
        changed: the request made another match of it, so that everybody who watches has to be shown it.
    """

    viewed: ViewedMatch
    repeated: bool = False
    changed: bool = True

    @property
    def version(self) -> int:
        return self.viewed.match.version


def prepare_match(game: str, options: Options, seats: int, **settings: object) -> Match:
    """Return a match not yet saved, with its secret seed and the commitment to it.

    Raises:
        OptionError: the game does not offer this.
    """
    match = Match(game=game, seat_count=seats, **settings)
    match.options = complete_options(match.rules, seats, options)
    match.rules_version = match.rules.version
    match.server_seed = secrets.token_bytes(32)
    match.commit = fair.commitment(match.server_seed)
    return match


def begin(match: Match, seats: list[Seat]) -> None:
    """Deal and start a match whose seats are final, inside the caller's transaction.

    Args:
        match: locked, open.
        seats: saved, numbered from 0 in the order of play.
    """
    store(advance.begin(Snapshot(match, tuple(seats)), timezone.now()))
    match.refresh_from_db()


def submit(  # noqa: PLR0917  # what a request says, in the order it is checked
    match_id: int, seat: int, text: str, version: int, client_id: str, seen: ViewedMatch | None = None
) -> Receipt:
    """Take an action.

    Args:
        match_id: the match.
        seat: who acts.
        text: the action in the game's notation.
        version: of the match the player saw.
        client_id: chosen by the page, the same when it sends the same request again.
        seen: as in `lock`.

    Raises:
        RuleViolation: the rules, or the state of the match, refuse it, and nothing has changed; or "out-of-time".
        Stale: the player saw an older version.
    """
    check_client_id(client_id)
    try:
        return _handle(match_id, Act(seat, text, version, client_id), seen)
    except IntegrityError:
        if not _is_done(match_id, client_id):
            raise
        with writing():  # an old request, sent again with the current version
            return _repeated(match_id)


def submit_for_bot(  # noqa: PLR0917  # as above
    match_id: int, seat: int, text: str, version: int, client_id: str, seen: ViewedMatch | None = None
) -> Receipt:
    """Take an action that a bot chose, for a seat of its own or of a player who has left.

    Args:
        match_id: the match.
        seat: for which it was chosen.
        text: the action in the game's notation.
        version: of the match that was thought about.
        client_id: as in `submit`.
        seen: as in `lock`.

    Raises:
        RuleViolation: the rules refuse it, and nothing has changed.
        Stale: the match is another one by now.
    """
    return _handle(match_id, BotAct(seat, text, version, client_id), seen)


def undo(match_id: int, seat: int, version: int, client_id: str = "") -> Receipt:
    """Take back the seat's latest action, as long as nothing was revealed and no chance was used since.

    Time goes on as if the action had not been taken: none is given back, and what it earned is lost. The same
    `client_id` again takes nothing more back; so do those of `restart_turn`, `go_back` and `offer_abort`.

    Raises:
        RuleViolation: "nothing-to-undo", "undo-limit", "no-time-left", "out-of-time".
        Stale: the player saw an older version.
    """
    return _handle(match_id, TakeBack(seat, version, 1, _name("undo", client_id)))


def restart_turn(match_id: int, seat: int, version: int, client_id: str = "") -> Receipt:
    """Take back everything in this turn that can be taken back; raises as `undo`."""
    return _handle(match_id, TakeBack(seat, version, None, _name("restart", client_id)))


def go_back(match_id: int, seat: int, version: int, number: int | None = None, client_id: str = "") -> Receipt:
    """Go back to a decision of a seat in a match against bots alone, which is practice from then on.

    Args:
        match_id: the match.
        seat: who asks.
        version: of the match the player saw.
        number: the decision is the first one after so many actions; None for the latest one.
        client_id: as in `undo`.

    Raises:
        RuleViolation: "no-practice", "nothing-to-undo", "match-over".
        Stale: the player saw an older version.
    """
    with writing():
        receipt = _handle(match_id, GoBack(seat, version, number, _name("back", client_id)))
        # Only what was taken back within a turn is told from its seal; the turns of these do not exist any more.
        Action.objects.filter(match=match_id, withdrawn=True).exclude(seal="").delete()
    return receipt


def resign(match_id: int, seat: int, client_id: str) -> Receipt:
    """Leave a running match for good: last place; with three or more players the others go on.

    Raises:
        RuleViolation: "match-over", "has-left", "out-of-time".
    """
    check_client_id(client_id)
    return _handle(match_id, Resign(seat, client_id))


def offer_abort(match_id: int, seat: int, offered: bool = True, client_id: str = "") -> Receipt:
    """Offer to end the match without a result, or take the offer back; when all who play agree it ends.

    A single offer is enough while nobody has acted, and then counts against whoever made it, or when somebody
    has kept the others waiting too long (see `course.aborting`).

    Raises:
        RuleViolation: "match-over", "has-left", "out-of-time".
    """
    return _handle(match_id, OfferAbort(seat, offered, _name("abort", client_id)))


def _handle(match_id: int, request: Request, seen: ViewedMatch | None = None) -> Receipt:
    """Do what is asked, unless somebody's time is up: then only the timeout is handled.

    Raises:
        RuleViolation: "out-of-time" when the time of the seat that asks is up; what the request raises.
        Stale: the time of another seat was up; what the request raises.
    """
    with writing():
        locked, now = lock(match_id, seen), timezone.now()  # the time counts that it is once others have finished
        before = _snapshot(locked, request, now)
        if _was_done(before, request):
            return _repeated(match_id)
        change = _stored(before, request, now)
        viewed = _viewed(change)
        transaction.on_commit(lambda: recent.remember(viewed))
    if request.seat in change.late:
        raise advance.out_of_time()
    if change.late:
        raise Stale
    return Receipt(viewed, changed=change.match.version != change.before.match.version)


def _snapshot(locked: Locked, request: Request, now: datetime) -> Snapshot:
    before = of_locked(locked, now)
    return with_actions(before, request.seat, now) if isinstance(request, (TakeBack, GoBack)) else before


def _was_done(before: Snapshot, request: Request) -> bool:
    """Say whether this very request was handled before; a player who saw the current version sends a new one."""
    if isinstance(request, (Act, BotAct)):
        return before.match.version != request.version and _is_done(before.match.pk, request.client_id)
    if isinstance(request, Resign):
        return _is_done(before.match.pk, request.client_id)
    if isinstance(request, (TakeBack, GoBack, OfferAbort)):
        return bool(request.name) and before.seats[request.seat].asked == request.name
    return False


def _is_done(match_id: int, client_id: str) -> bool:
    return Action.objects.filter(match=match_id, client_id=client_id).exists()


def _repeated(match_id: int) -> Receipt:
    locked = lock(match_id)
    return Receipt(ViewedMatch(locked.match, tuple(locked.seats), None), repeated=True, changed=False)


def _stored(before: Snapshot, request: Request, now: datetime) -> Change:
    """Store what a request does, or what can be stored in spite of a mistake of ours: nobody is locked in.

    A timeout is left out then, and a match that somebody wants to leave is aborted.
    """
    change = advance.advance(before, request, now)
    if change.late:
        if _could_store(change):
            return change
        change = advance.despite_timeouts(before, request, now)
    if request.leaves:
        if _could_store(change):
            return change
        change = advance.give_up(before, now)
    store(change)
    return change


def _could_store(change: Change) -> bool:
    """Store a change; return False, with nothing stored, if a mistake of ours prevents that."""
    try:
        with transaction.atomic():
            store(change)
    except Exception as error:
        if database_errors.is_passing(error):
            raise  # no mistake of ours
        log.exception("what happens in match %s cannot be stored", change.before.match.slug)
        return False
    return True


def _viewed(change: Change) -> ViewedMatch:
    """Return the match as it is about to be committed: the pushes that follow need not load it."""
    tail = actions.tail(change.match) if change.tail is None else change.tail
    return ViewedMatch(change.match, change.seats, None, tail)


def _name(kind: str, client_id: str) -> str:
    """Return the name of a request that is no action; it need not have one, and is then never taken for another."""
    if not client_id:
        return ""
    check_client_id(client_id)
    return f"{kind} {client_id}"


def check_client_id(client_id: str) -> None:
    """Refuse a request that does not name itself; "client-id"."""
    if not (len(client_id) in CLIENT_ID_LENGTHS and client_id.isascii() and client_id.isprintable()):
        raise RuleViolation("client-id", _("The page sent an incomplete request. Please reload it."))
