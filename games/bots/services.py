"""The turns of bots: found in the database, claimed by a lease, thought about without a lock, and played exactly once.

A turn is due while a seat that a bot plays for is to move: nothing else has to be stored for it. A process claims it by
writing a lease under the match's lock, and the answer is played, there or in another process, in the transaction that
deletes this very lease. If the process dies, the lease runs out and another one begins anew; if it was only slow, its
lease is gone when it comes back.

People come in turn: whoever was thought for longest ago comes first, however many matches they play and whatever they
ask for. Guests who came from one network address count as one: making more of them makes no more shares.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import DateTimeField, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import OrderBy
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from accounts.requests import address_of, network_of
from games.bots import thinking
from games.bots.models import Lease, Share
from games.bots.thinking import Begun, Question
from games.engine.bots import LEVELS, Level as EngineLevel
from games.engine.protocol import RuleViolation, Seat as SeatNumber
from games.engine.runner import LEAVING
from games.play import access, commands, jobs, sql
from games.play.live import pubsub
from games.play.models import PLAYED_BY_BOT, STAND_IN, Match, Seat
from games.play.records import replay, standing_actions
from games.play.reducer import positions
from games.play.reducer.actions import Stale
from games.play.store import try_lock, writing

IN_TURN: OrderBy = F("served_at").asc(nulls_first=True)
"""The order of turns and hints that are annotated with `served_at`."""

WANTED = "bots"
"""The topic (`pubsub`) of which processes that think are told when there may be work for them."""

JOB = "bots"
"""The name of this work among what can be set back."""

PACE = timedelta(seconds=0.7)
"""How long after the latest action a bot acts, so that people can follow. Secret actions need no pace."""

SPARE = timedelta(seconds=4)
"""How much longer a lease lasts than a bot may think: room for the pace, and for a busy machine."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A claimed turn.

    Args:
        match_id: the match.
        slug: of the match.
        version: that is thought about.
        token: of the lease.
        due: when the answer is to be played, at the earliest.
        question: what the bot is asked.
    """

    match_id: int
    slug: str
    version: int
    token: str
    due: datetime
    question: Question

    def answered(self, text: str) -> Answer:
        """Return an action in the game's notation as the answer."""
        return Answer(self.match_id, self.slug, self.version, self.token, self.question.seat, text)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot does in a claimed turn; it can be handed to another process."""

    match_id: int
    slug: str
    version: int
    token: str
    seat: int
    text: str


def on_changed(match: Match, seats: Iterable[Seat], **_: Any) -> None:
    """Call for bots if they are to move (`turns_began`, `action_committed`)."""
    if any(seat.to_move and (seat.is_bot or seat.has_left) for seat in seats):
        call()


def call() -> None:
    """Tell processes that think, once committed, that there may be work."""
    pubsub.to_topic(WANTED, "bots.wanted")


def awaited_turns(now: datetime) -> QuerySet[Seat]:
    """Return the seats for which nobody thinks yet, those first whose people come first.

    Matches that are set back are left out; of one person's matches the longest awaited comes first.
    """
    seats = _to_move()
    leased = _held(now).filter(match=OuterRef("match"), seat=OuterRef("number"))
    free = seats.filter(~Exists(leased)).exclude(match__in=jobs.waiting(JOB, now))
    in_turn = free.annotate(served_at=served_at())
    return in_turn.order_by(IN_TURN, "match__moved_at", "match", "number")


def is_any_to_move() -> bool:
    """Return whether a bot is to move in any match, even if a process thinks for it already."""
    return _to_move().exists()


def _to_move() -> QuerySet[Seat]:
    return Seat.objects.filter(PLAYED_BY_BOT, to_move=True, match__status=Match.Status.RUNNING)


def _held(now: datetime) -> QuerySet[Lease]:
    """Return the leases that hold; one longer than any was given by a clock that has been put back since."""
    return Lease.objects.filter(until__gt=now, until__lte=now + 2 * _term())


def _term() -> timedelta:
    return timedelta(seconds=settings.BOT_SECONDS) + SPARE


def claim_next_turn(now: datetime) -> Turn | None:
    """Claim the turn of those who come first; None if there is none, or other processes were quicker."""
    claimed: list[Turn] = []

    def claim(match_id: int, number: int) -> bool:
        if turn := claim_turn(match_id, number):
            claimed.append(turn)
        return False  # done only when the turn is played

    for match_id, number in list(awaited_turns(now).values_list("match", "number")[:10]):
        jobs.attempt(JOB, match_id, partial(claim, match_id, number))
        if claimed:
            return claimed[0]
    return None


def claim_turn(match_id: int, number: int) -> Turn | None:
    """Claim the turn of a seat; None if it is another's, or not a bot's to take."""
    now, seat = timezone.now(), _seat(match_id, number)
    match = seat.match
    if not (match.is_running and seat.to_move and (seat.is_bot or seat.has_left)):
        return None
    sealed = match.rules.is_sealed(positions.decode_state(match))
    due = now if sealed else max(now, (match.moved_at or now) + PACE)
    turn = Turn(match.pk, match.slug, match.version, secrets.token_hex(16), due, _question(seat))
    return turn if _lease(turn, now) else None


def _seat(match_id: int, number: int) -> Seat:
    """Return a seat with its match, read at once."""
    return Seat.objects.select_related("match").get(match=match_id, number=number)


def _question(seat: Seat) -> Question:
    match, number, level = seat.match, SeatNumber(seat.number), seat.bot or STAND_IN
    state, begun = positions.decode_state(match), _begun(seat, LEVELS[level])
    return thinking.question_about(match.rules, state, number, level, settings.BOT_SECONDS, str(match), begun)


def _begun(seat: Seat, level: EngineLevel) -> Begun:
    """Return how a seat's turn began; what it has done since only for levels that slip, as no other needs it."""
    match, name = seat.match, f"{seat.match_id} {seat.number} {seat.turn}"
    seed = salted_hmac("games.bots.turns", name, algorithm="sha256").digest()
    done: list[str] = []
    if level.slips and match.length > seat.turn:
        acted = standing_actions(match).filter(seat=seat.number, number__gt=seat.turn)
        done = list(acted.exclude(text__in=LEAVING).values_list("text", flat=True))
    if not done:
        return Begun(positions.decode_state(match), (), seed)
    state = replay(match, list(match.seats.all()), seat.turn).state
    return Begun(state, tuple(map(match.rules.parse, done)), seed)


def _lease(turn: Turn, now: datetime) -> bool:
    """Write the lease, unless others were quicker or the match has changed since the turn was read.

    What takes time has been done before, as nobody can write to the match meanwhile, and on SQLite to no match.
    """
    match_id, number = turn.match_id, turn.question.seat
    until = now + _term()
    with writing():
        if not try_lock(match_id) or sql.locked_version(match_id) != turn.version:
            return False
        if _held(now).filter(match=match_id, seat=number).exists():
            return False
        Lease.objects.update_or_create(match_id=match_id, seat=number, defaults={"token": turn.token, "until": until})
        note_served(match_id, now)
        return True


def play_answer(answer: Answer) -> bool:
    """Play the answer to a claimed turn, unless the match has changed or the claim has passed to another process."""
    return jobs.attempt(JOB, answer.match_id, partial(_try_answer, answer))


def _try_answer(answer: Answer) -> bool:
    try:
        return _submit(answer)
    except RuleViolation:
        question = _question(_seat(answer.match_id, answer.seat))
        thinking.complain(question)
        return _submit(replace(answer, text=thinking.by_policy(question)))


def _submit(answer: Answer) -> bool:
    """Submit an action in the transaction that ends the lease; raises RuleViolation, which keeps the lease."""
    with writing():
        sql.locked_version(answer.match_id)  # first the match, then the lease: as in `claim_turn`
        deleted, _rows = Lease.objects.filter(match=answer.match_id, seat=answer.seat, token=answer.token).delete()
        if not deleted:
            return False
        seen = access.recall(answer.slug)
        try:
            commands.submit_for_bot(answer.match_id, answer.seat, answer.text, answer.version, answer.token, seen)
        except Stale:
            return False
        return True


def give_back_turns(turns: Iterable[Turn]) -> None:
    """Give up claims, so that other processes need not wait for them to run out."""
    Lease.objects.filter(token__in=[turn.token for turn in turns]).delete()


# --- who comes first --------------------------------------------------------------------------------------------------

KEPT = timedelta(hours=1)
"""For how long it is kept when somebody with an account was last thought for."""


def served_at() -> Subquery:
    """Return when somebody in the row's `match` was last thought for, longest ago of several; null for never."""
    people = Seat.objects.filter(match=OuterRef("match"), user__isnull=False, left__isnull=True)
    moments = people.order_by(F("user__share__served_at").asc(nulls_first=True)).values("user__share__served_at")
    return Subquery(moments[:1], output_field=DateTimeField())


def note_guest(request: HttpRequest, user: User, **_: Any) -> None:
    """Note the network from which a guest came, when they begin (`user_logged_in`)."""
    if user.guest and (network := network_of(address_of(request))):
        name = salted_hmac("games.bots.shares", network, algorithm="sha256").hexdigest()[:32]
        Share.objects.get_or_create(user=user, defaults={"network": name})


def note_served(match_id: int, now: datetime) -> None:
    """Note that a process begins to think for the people in a match, inside the transaction of its claim."""
    seats = Seat.objects.filter(match=match_id, user__isnull=False, left__isnull=True)
    people = list(seats.order_by("user").values_list("user", "user__guest", "user__share__network"))
    new = [Share(user_id=key, served_at=now) for key, _guest, network in people if network is None]
    if new:
        Share.objects.bulk_create(new, ignore_conflicts=True)
        old = Share.objects.select_for_update(skip_locked=True).filter(network="", served_at__lt=now - KEPT)
        Share.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()  # they make no difference any more
    networks = {network for _key, guest, network in people if guest and network}
    themselves = Q(user__in=[key for key, _guest, _network in people])
    together = Share.objects.filter(themselves | Q(user__guest=True, network__in=networks))
    locked = list(together.select_for_update(of=["self"]).order_by("pk").values_list("pk", flat=True))
    Share.objects.filter(pk__in=locked).update(served_at=now)
