"""Commands: what can be asked of a match, and the only way to change one.

Each command locks the match, asks the reducer what comes of the request, and stores that, with everything that listens
(ratings, notices), in one transaction; what changed is announced on commit.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db import IntegrityError, transaction
from django.db.models import F
from django.dispatch import receiver
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.requests import whole_number
from accounts.signals import guest_claimed, guest_is_claimed
from games.engine import fair
from games.engine.protocol import Options, RuleViolation, Seat as SeatNumber, complete_options
from games.play import access, database
from games.play.access import ViewedMatch, newest_actions
from games.play.live import pubsub
from games.play.models import Action, Match, MatchQuerySet, Seat
from games.play.reducer import advance
from games.play.reducer.actions import (
    Act,
    DeclineAbort,
    GoBack,
    OfferAbort,
    ReadDeclined,
    Request,
    Resign,
    Stale,
    TakeBack,
)
from games.play.reducer.draft import Change, Snapshot
from games.play.reducer.positions import NEWEST, decode_state
from games.play.store import before_undo, lock, save_change, snapshot_of, with_actions, writing
from games.titles import Doubt

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
    save_change(advance.begin(Snapshot(match, tuple(seats)), timezone.now()))
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
    return _handle(match_id, Act(seat, text, version, client_id, by_bot=True), seen)


def undo(match_id: int, seat: int, version: int, client_id: str = "", seen: ViewedMatch | None = None) -> Receipt:
    """Take back the seat's latest action, as long as nothing was revealed and no chance was used since.

    Time goes on as if the action had not been taken: none is given back, and what it earned is lost. The same
    `client_id` again takes nothing more back; so do those of `restart_turn`, `go_back` and `offer_abort`. `seen` is as
    in `lock`.

    Raises:
        RuleViolation: "nothing-to-undo", "undo-limit", "no-time-left", "out-of-time".
        Stale: the player saw an older version.
    """
    return _handle(match_id, TakeBack(seat, version, 1, _name("undo", client_id)), seen)


def restart_turn(
    match_id: int, seat: int, version: int, client_id: str = "", seen: ViewedMatch | None = None
) -> Receipt:
    """Take back everything in this turn that can be taken back; raises as `undo`."""
    return _handle(match_id, TakeBack(seat, version, None, _name("restart", client_id)), seen)


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
    has kept the others waiting too long (see `reducer.results`).

    Raises:
        RuleViolation: "match-over", "has-left", "out-of-time".
    """
    return _handle(match_id, OfferAbort(seat, offered, _name("abort", client_id)))


def answer_abort(match_id: int, seat: int, offer: str, client_id: str = "") -> Receipt:
    """Do what a button about aborting says: offer it or agree ("1"), "declined", or take one's own offer back.

    "read" puts away that one's offer was declined.

    Raises:
        RuleViolation: as `offer_abort`.
    """
    if offer == "declined":
        return decline_abort(match_id, seat, client_id)
    if offer == "read":
        return _handle(match_id, ReadDeclined(seat, _name("abort", client_id)))
    return offer_abort(match_id, seat, offer == "1", client_id)


def decline_abort(match_id: int, seat: int, client_id: str = "") -> Receipt:
    """Decline to end the match without a result, whoever of the others has offered it.

    Raises:
        RuleViolation: "match-over", "has-left", "out-of-time".
    """
    return _handle(match_id, DeclineAbort(seat, _name("abort", client_id)))


def _handle(match_id: int, request: Request, seen: ViewedMatch | None = None) -> Receipt:
    """Do what is asked, unless somebody's time is up: then only the timeout is handled.

    Raises:
        RuleViolation: "out-of-time" when the time of the seat that asks is up; what the request raises.
        Stale: the time of another seat was up; what the request raises.
    """
    with writing():
        locked, now = lock(match_id, seen), timezone.now()  # in this order: waiting for the lock takes time
        before = snapshot_of(locked, now)
        if isinstance(request, (TakeBack, GoBack)):
            before = before_undo(before, request.seat, now)
        if _was_done(before, request):
            return _repeated(match_id)
        if request.needs_all_actions(before):
            before = with_actions(before)
        change = _stored(before, request, now)
        newest = newest_actions(change.match, NEWEST) if change.newest is None else change.newest
        viewed = ViewedMatch(change.match, change.seats, None, newest, change.past)  # pushes need not load it
        transaction.on_commit(lambda: access.remember(viewed))
    if request.seat in change.late:
        raise advance.out_of_time()
    if change.late:
        raise Stale
    return Receipt(viewed, changed=change.match.version != change.before.match.version)


def _was_done(before: Snapshot, request: Request) -> bool:
    """Return whether this very request was handled before; one made with the current version is new."""
    if isinstance(request, Act):
        return before.match.version != request.version and _is_done(before.match.pk, request.client_id)
    if isinstance(request, Resign):
        return _is_done(before.match.pk, request.client_id)
    if isinstance(request, (TakeBack, GoBack, OfferAbort, DeclineAbort, ReadDeclined)):
        return bool(request.name) and before.seats[request.seat].asked == request.name
    return False


def _is_done(match_id: int, client_id: str) -> bool:
    return Action.objects.filter(match=match_id, client_id=client_id).exists()


def _repeated(match_id: int) -> Receipt:
    locked = lock(match_id)
    return Receipt(ViewedMatch(locked.match, tuple(locked.seats), None), repeated=True, changed=False)


def _stored(before: Snapshot, request: Request, now: datetime) -> Change:
    """Store what a request does and return it.

    A timeout that a bug keeps from being stored is left out; if somebody cannot leave, the match is aborted.
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
    save_change(change)
    return change


def _could_store(change: Change) -> bool:
    """Store a change; return False, with nothing stored, if a bug prevents that."""
    try:
        with transaction.atomic():
            save_change(change)
    except Exception as error:
        if database.is_passing(error):
            raise  # no bug
        log.exception("a change of match %s cannot be stored", change.before.match.slug)
        return False
    return True


def _name(kind: str, client_id: str) -> str:
    """Return the name under which `Seat.asked` keeps a request that is no action; empty if the page gave it none."""
    if not client_id:
        return ""
    check_client_id(client_id)
    return f"{kind} {client_id}"


def check_client_id(client_id: str) -> None:
    """Raise `RuleViolation`, "client-id", for a request that does not name itself."""
    if not (len(client_id) in CLIENT_ID_LENGTHS and client_id.isascii() and client_id.isprintable()):
        raise RuleViolation("client-id", _("The page sent an incomplete request. Please reload it."))


class Unsure(RuleViolation):
    """Something that may be a mistake: its player is asked before it is done.

    Args:
        doubt: what is asked.
        field: name and value with which the button that answers it sends the form again.
        address: to which that button sends it; empty for that of the form.
    """

    def __init__(self, doubt: Doubt, field: tuple[str, str], address: str = "") -> None:
        super().__init__("unsure", doubt.question)
        self.doubt, self.field, self.address = doubt, field, address


Command: TypeAlias = Callable[[ViewedMatch, Seat, QueryDict], Receipt]
"""Does what the fields of a form say, for a player's seat."""


def _version_in(form: QueryDict) -> int:
    """Return the version the player saw; a page that does not say counts as stale."""
    version = whole_number(form.get("version", ""))
    return -1 if version is None else version


def _act(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> Receipt:
    """Take an action given by the board's fields, or by `action` in the game's notation.

    Raises:
        Unsure: what the fields make up may be a mistake.
    """
    match, seen = viewed.match, _version_in(form)
    text = form.get("action")
    if not text:
        text = match.title.board.compose(dict(form.lists()))
        if seen != match.version:  # what this process knows may be older than the page
            match = Match.objects.get(pk=match.pk)
        if match.is_running and seen == match.version:
            view = match.rules.view_for(decode_state(match), SeatNumber(seat.number))
            if doubt := match.title.board.doubt(text, view):
                raise Unsure(doubt, ("action", text))
    return submit(match.pk, seat.number, text, seen, form.get("client_id", ""), seen=viewed)


def _take_back(viewed: ViewedMatch, seat: Seat, form: QueryDict) -> Receipt:
    """Go back to a decision: to the one first after `after` actions, or else to the latest.

    Raises:
        Unsure: the latest, in a match that is not practice yet.
    """
    match, seen, after = viewed.match, _version_in(form), whole_number(form.get("after", ""))
    is_first = viewed.may_practise and not match.practice and seen == match.version
    if is_first and after is None and "sure" not in form:
        question = _("Take back your turn? The match counts as practice from then on.")
        raise Unsure(Doubt(question, _("Take back")), ("sure", "1"), reverse("match_back", args=[match.slug]))
    return go_back(match.pk, seat.number, seen, after, form.get("client_id", ""))


KINDS: Mapping[str, Command] = {
    "act": _act,
    "undo": lambda viewed, seat, form: undo(
        viewed.match.pk, seat.number, _version_in(form), form.get("client_id", ""), viewed
    ),
    "restart": lambda viewed, seat, form: restart_turn(
        viewed.match.pk, seat.number, _version_in(form), form.get("client_id", ""), viewed
    ),
    "back": _take_back,
    "abort": lambda viewed, seat, form: answer_abort(
        viewed.match.pk, seat.number, form.get("offer", "1"), form.get("client_id", "")
    ),
}
"""By the last part of the address to which the form is posted, which is also the kind of the socket's message."""


def ask(kind: str, viewed: ViewedMatch, seat: Seat, form: QueryDict) -> Receipt:
    """Do what a player's form asks for.

    Args:
        kind: one of `KINDS`.
        viewed: the match as the player meets it, perhaps not its newest version.
        seat: the player's.
        form: the fields.

    Raises:
        RuleViolation: it is refused, and nothing has changed.
        Stale: the player saw an older version.
    """
    return KINDS[kind](viewed, seat, form)


def done_in_words(kind: str) -> str:
    """Return the sentence for somebody whose request, one of `KINDS`, was done; empty where the board says it."""
    return _("You took back your turn. This is a practice match now.") if kind == "back" else ""


def refusal_in_words(error: Stale | RuleViolation) -> str:
    """Return the sentence for somebody whose request was refused; a question comes with the button that answers it."""
    if isinstance(error, Stale):
        return _("Something else happened in the meantime. This is the current position.")
    if isinstance(error, Unsure):
        address = format_html(' formaction="{}" formnovalidate', error.address) if error.address else ""
        buttons = (
            '{} <button class="button small" form="act" id="sure" name="{}" value="{}"{}>{}</button>'
            ' <a class="button small" id="not-sure" href="..">{}</a>'
        )
        doubt = error.doubt
        return format_html(buttons, doubt.question, *error.field, address, doubt.answer, _("Cancel"))
    return _(error.text)


def _matches_of(guest: User) -> MatchQuerySet:
    return Match.objects.filter(pk__in=Seat.objects.filter(user=guest).values("match")).order_by("pk")


@receiver(guest_is_claimed)
def _lock_matches_of(guest: User, *, locking: bool, **_: Any) -> list[int]:
    """Return a guest's matches, locked in their order."""
    matches = _matches_of(guest)
    return list((matches.select_for_update() if locking else matches).values_list("pk", flat=True))


@receiver(guest_claimed)
def _raise_versions(guest: User, **_: Any) -> None:
    """Raise the versions of a guest's matches, which are locked, as everything does that changes a match."""
    for slug, version in _matches_of(guest).values_list("slug", "version"):
        Match.objects.filter(slug=slug).update(version=F("version") + 1)
        pubsub.match_changed(slug, version + 1)
