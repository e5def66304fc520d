"""The one way to wait, to answer an offer and to be paired.

Whoever changes waits locks them, always in the order of their ids, and sees only what is still so: two workers that
pair the same people, or an answer that comes while a worker withdraws it, make one match or none.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.limits import asking_network
from accounts.models import User
from accounts.relations import blocked_pairs, lock_people
from accounts.signals import guest_is_claimed
from games.engine.fair import SERVER_SEED_BYTES, commitment
from games.engine.protocol import RuleViolation
from games.matchmaking.fields import USUAL_CLOCKS
from games.matchmaking.limits import check_use, count_paired, no_show_wait_in_words
from games.matchmaking.models import Use
from games.matchmaking.seats import begin_now, check_may_play, check_may_still_play, guest_rated_in_words
from games.matchmaking.tables import TableSetup
from games.notifications.models import Kind, Notice
from games.pairing.models import Habit, Offer, Wait
from games.pairing.search import DECLINED_SOON, Search, agreed_options, checked_search, cooling_down, record_lapse
from games.play import jobs
from games.play.commands import prepare_match
from games.play.live import pubsub
from games.play.models import Match, Seat, Speed
from games.play.signals import pages_open
from games.play.store import writing

ANSWER_WITHIN = timedelta(seconds=30)
"""How long an offer waits for everybody to say that they are there."""

AWAY_AFTER = timedelta(seconds=30)
"""How long somebody who waits for a live match can have every page closed."""

CHANGED = "pairing.changed"
"""What pages are told (`games.play.live.sockets`)."""


def wait(user: Any, search: Search) -> Wait:
    """Wait for others; another search for a live match, or for the same game over days, takes the place of the last.

    Who asks for the same again goes on waiting.

    Raises:
        RuleViolation: "suspended", "guest-rated", "seats" when the game is not for so many, "option", "must-wait"
            after no-shows, or "too-many-seats": an offer to somebody who cannot sit down would be in vain.
    """
    check_may_play(user)
    asked = checked_search(search)
    if asked["rated"] and user.guest:
        raise RuleViolation("guest-rated", guest_rated_in_words())
    if words := no_show_wait_in_words(user):
        raise RuleViolation("must-wait", words)
    check_use(Use.What.SEAT, user)
    with writing():
        Habit.objects.update_or_create(user=user, game=search.game, defaults=_without_game(asked))
        found = _standing(user, asked)
        lock_people([user.pk])  # after their waits, as whoever pairs people does
        check_may_still_play(user)
        found = found or _begun(user, asked)
    jobs.wake_for(timezone.now())
    return found


def _without_game(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name != "game"}


def _standing(user: Any, asked: Mapping[str, Any]) -> Wait | None:
    """Return the wait for exactly this; end one whose place this takes."""
    rivals = Wait.objects.current().filter(user=user, speed=asked["speed"])
    if asked["speed"] == Speed.DAYS:
        rivals = rivals.filter(game=asked["game"])
    rival = rivals.first()
    former = _own(user, rival.pk) if rival else None
    if former is None or all(getattr(former, name) == value for name, value in asked.items()):
        return former
    _leave(former, Wait.State.WITHDRAWN)
    return None


def _begun(user: Any, asked: Mapping[str, Any]) -> Wait:
    try:
        with transaction.atomic():
            made = Wait.objects.create(user=user, address=asking_network(), **asked)
    except IntegrityError:  # from another tab at the same moment: one of them is enough
        return Wait.objects.current().filter(user=user, speed=asked["speed"]).latest("pk")
    _tell([made])
    return made


def withdraw(user: Any, key: int) -> None:
    """Stop waiting; an offer is thereby declined. Whoever was asked together with them waits on. Idempotent."""
    with writing():
        if mine := _own(user, key):
            _leave(mine, Wait.State.WITHDRAWN)


def decline(user: Any, key: int, offer: int) -> None:
    """Decline an offer: the first time one waits on, and rests; the second time one has stopped waiting."""
    with writing():
        mine = _own(user, key)
        if mine is None or mine.offer_id != offer:
            return
        if mine.declined:
            _leave(mine, Wait.State.WITHDRAWN, why=Wait.Why.DECLINED)
            return
        mine.declined = 1
        mine.save(update_fields=["declined"])
        _break_off(mine, offer)


def go(user: Any, key: int, offer: int, nonce: bytes = b"") -> None:
    """Say that one is there; the match begins when everybody has. Nothing happens if the offer is gone. Idempotent."""
    with writing():
        members = _locked(Wait.objects.current().filter(offer=offer))
        mine = next((it for it in members if it.pk == key and it.user_id == user.pk), None)
        if mine is None or mine.ready:
            return
        mine.ready, mine.nonce = True, nonce
        mine.save(update_fields=["ready", "nonce"])
        if all(it.ready for it in members):
            _begin(members, Offer.objects.get(pk=offer))
        _tell(members)


# --- what the worker does ---------------------------------------------------------------------------------------------


def unite(keys: Collection[int]) -> bool:
    """Pair these waits: begin their match over days, or ask all of them whether they are there. Exactly once.

    Returns whether that was still possible: none of them has been paired, withdrawn or changed, or is locked.
    """
    seats = len(keys)
    with writing():
        free = Wait.objects.free().filter(pk__in=keys, user__is_active=True)
        members = _locked(free, skip=True)
        if len(members) != seats or _must_not_meet(members) or (members[0].is_live and cooling_down(members)):
            return False
        if not members[0].is_live:
            return _begin(members, None)
        seed = secrets.token_bytes(SERVER_SEED_BYTES)
        until = timezone.now() + ANSWER_WITHIN
        offer = Offer.objects.create(server_seed=seed, commit=commitment(seed), seats=seats, until=until)
        Wait.objects.filter(pk__in=keys).update(offer=offer, ready=False)
        _tell(members)
    return True


def expire(offer: int) -> bool:
    """Withdraw those who did not answer an offer in time; the others wait on. Returns whether it was time."""
    with writing():
        members = _locked(Wait.objects.current().filter(offer=offer))
        due = Offer.objects.filter(pk=offer, until__lte=timezone.now()).first()
        if due is None:
            return False
        _dissolve(offer)
        for late in (it for it in members if not it.ready):
            record_lapse(late, [it.user_id for it in members if it is not late], due.slug, passed=True)
            late.end(Wait.State.WITHDRAWN, why=Wait.Why.LATE)
    return True


def unseen(now: datetime) -> Q:
    """Return the condition on waits of which no page was open of late; in the future none was seen."""
    return ~Q(seen_at__range=(now - AWAY_AFTER, now + AWAY_AFTER))


def leave_behind(key: int) -> bool:
    """Withdraw somebody whose every page is closed; return whether they still are away."""
    with writing():
        away = Wait.objects.current().filter(unseen(timezone.now()), pk=key, speed=Speed.LIVE)
        first = away.first()
        found = first and _own(first.user, key)
        if not found or not away.exists():
            return False
        _leave(found, Wait.State.WITHDRAWN, why=Wait.Why.AWAY)
    return True


# --- locked waits -----------------------------------------------------------------------------------------------------


def _locked(waits: Any, skip: bool = False) -> list[Wait]:
    rows = waits.select_for_update(of=("self",), skip_locked=skip).select_related("user")
    return list(rows.order_by("pk"))


def _own(user: Any, key: int) -> Wait | None:
    """Return somebody's wait, locked together with those that are asked with it.

    When it has been asked or let go meanwhile, the locks are given back and taken anew in their order.
    """
    waits = Wait.objects.current()
    while (seen := waits.filter(pk=key, user=user).first()) is not None:
        together = waits.filter(offer=seen.offer_id) if seen.offer_id else waits.filter(pk=key)
        with transaction.atomic():
            found = next((it for it in _locked(together) if it.pk == key), None)
            if found is not None and found.offer_id == seen.offer_id:
                return found
            transaction.set_rollback(True)
    return None


def _must_not_meet(members: Sequence[Wait]) -> bool:
    people = {it.user_id for it in members}
    return len(people) < len(members) or bool(blocked_pairs(people))


def _leave(mine: Wait, state: str, **fields: Any) -> None:
    """End a locked wait; those who were asked with it wait on."""
    if mine.offer_id is not None:
        _break_off(mine, mine.offer_id, away=fields.get("why") == Wait.Why.AWAY)
    mine.end(state, **fields)
    _tell([mine])


def _break_off(mine: Wait, key: int, away: bool = False) -> None:
    """Take back the offer of a locked wait whose player does not take it up, and note that.

    Somebody whose every page is closed has not answered. If they had, before, only the others were silent.
    """
    offer = Offer.objects.get(pk=key)
    if not (away and mine.ready):
        others = Wait.objects.filter(offer=offer).exclude(pk=mine.pk).values_list("user", flat=True)
        record_lapse(mine, others, offer.slug, passed=away or timezone.now() - offer.created_at > DECLINED_SOON)
    _dissolve(offer.pk)


def _dissolve(offer: int) -> None:
    """Take back an offer: its members wait on, from when they came."""
    members = Wait.objects.filter(offer=offer)
    _tell(list(members))
    members.update(offer=None, ready=False, nonce=b"")
    Offer.objects.filter(pk=offer).delete()


def _begin(members: Sequence[Wait], offer: Offer | None) -> bool:
    """Begin a match of locked waits; when somebody may not sit down they are withdrawn, and the others wait on."""
    if _must_not_meet(members) or (offer and len(members) < offer.seats):  # somebody has deleted their account
        _dissolve_if(offer)
        return False
    announced = Announced(offer.slug, bytes(offer.server_seed)) if offer else None
    try:
        match = begin_together(_wish(members), [(it.user, bytes(it.nonce)) for it in members], announced)
    except Refused as refused:
        _dissolve_if(offer)
        _turn_away(members, refused)
        return False
    for member in members:
        member.end(Wait.State.PAIRED, match=match)
    _dissolve_if(offer)
    tell_paired(match)
    _tell(members)
    return True


def _dissolve_if(offer: Offer | None) -> None:
    if offer is not None:
        _dissolve(offer.pk)


def _turn_away(members: Iterable[Wait], refused: Refused) -> None:
    """Withdraw the one who may not sit down; people who only must not meet wait on for others."""
    if refused.violation.code in {"rated-enough", KEPT_APART}:
        return
    culprit = next(it for it in members if it.user_id == refused.user_id)
    culprit.end(Wait.State.WITHDRAWN, why=Wait.Why.REFUSED, refusal=refused.violation.text[:300])
    _tell([culprit])


def _wish(members: Sequence[Wait]) -> TableSetup:
    first = members[0]
    options = agreed_options(first.title, len(members), [it.accepts for it in members])
    return TableSetup(first.game, len(members), options=options, speed=first.speed, rated=first.rated)


def _tell(waits: Iterable[Wait]) -> None:
    pubsub.to_people([it.user_id for it in waits], CHANGED)


KEPT_APART = "kept-apart"
"""The code of a refusal that nobody is told."""


class Refused(Exception):
    """One of these people may not sit down.

    Args:
        user_id: who.
        violation: why.
    """

    def __init__(self, user_id: int, violation: RuleViolation) -> None:
        super().__init__(user_id, violation.code)
        self.user_id = user_id
        self.violation = violation


@dataclass(frozen=True, slots=True)
class Announced:
    """A match whose fingerprint its players have been shown: its slug and its secret number."""

    slug: str
    server_seed: bytes


def begin_together(wish: TableSetup, people: Sequence[tuple[Any, bytes]], announced: Announced | None = None) -> Match:
    """Seat people, each with a nonce, in a match without a host, and begin it; all of it or nothing.

    Args:
        wish: game, seats, options, speed and whether it is rated, with the usual clock; nothing else of it matters.
        people: as many as there are seats.
        announced: what its players have been shown of the match, if anything.

    Raises:
        Refused: somebody may not sit down, as `counting.count_paired` says, or is "suspended"; `KEPT_APART` when one
            blocked another.
    """
    with writing():
        match = prepare_match(
            wish.game,
            wish.options,
            wish.seats,
            speed=wish.speed,
            clock=USUAL_CLOCKS[Speed(wish.speed)][0],
            rated=wish.rated,
        )
        if announced is not None:
            match.slug, match.server_seed = announced.slug, announced.server_seed
            match.commit = commitment(announced.server_seed)
        match.save()
        lock_people([user.pk for user, _nonce in people])
        _check_together([user.pk for user, _nonce in people])
        seats: list[Seat] = []
        for user, nonce in people:
            _seat(match, seats, user, nonce)
        begin_now(match, seats)
    return match


def _check_together(keys: Sequence[int]) -> None:
    """Refuse people who are to be kept apart. They are locked, so nobody blocks anybody of them meanwhile."""
    if apart := blocked_pairs(keys):
        raise Refused(min(apart)[0], RuleViolation(KEPT_APART, ""))


def _seat(match: Match, seats: list[Seat], user: Any, nonce: bytes) -> None:
    try:
        check_may_still_play(user)
        count_paired(match, seats, user)
    except RuleViolation as violation:
        raise Refused(user.pk, violation) from violation
    seats.append(Seat.objects.create(match=match, number=len(seats), user=user, nonce=nonce))


def tell_paired(match: Match) -> None:
    """Tell the players of a match over days, whose pages may have been closed for long, that they were paired.

    The notice that it has begun says so: nobody is told twice.
    """
    if match.speed == Speed.DAYS:
        Notice.objects.filter(match=match, kind=Kind.STARTED).update(kind=Kind.PAIRED)


SEEN_LATELY = timedelta(seconds=6)
"""A wait that was heard of this recently need not be written down again."""


def mark_seen(people: Collection[int], **_: Any) -> None:
    """Note that these people have a page open (`games.play.signals.pages_open`)."""
    now = timezone.now()
    fresh = Q(
        seen_at__gte=now - SEEN_LATELY, seen_at__lte=now + SEEN_LATELY
    )  # not one of a clock that has been put back since
    stale = Wait.objects.current().filter(~fresh, user__in=people, speed=Speed.LIVE)
    if not stale.exists():
        return
    with writing():  # whoever is being paired at this moment is left out, so that nobody waits for anybody
        keys = list(stale.select_for_update(skip_locked=True).values_list("pk", flat=True))
        Wait.objects.filter(pk__in=keys).update(seen_at=now)


pages_open.connect(mark_seen, dispatch_uid="pairing")


def _waits_of_guest(guest: User, *, locking: bool, **_: Any) -> list[int]:
    """Return a guest's waits, locked in their order."""
    waits = Wait.objects.filter(user=guest).order_by("pk")
    return list((waits.select_for_update() if locking else waits).values_list("pk", flat=True))


guest_is_claimed.connect(_waits_of_guest)
