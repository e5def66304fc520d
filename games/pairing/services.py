"""Wait for others, answer offers, be paired.

Every change locks the waits in the order of their keys and checks again what it relies on: two workers that pair the
same people, or an answer that comes while a worker withdraws the offer, make one match or none.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import asking_network
from accounts.models import User
from accounts.relations import blocked_pairs, lock_people
from accounts.signals import becomes_bot, guest_is_claimed
from games.engine.fair import SERVER_SEED_BYTES, commitment
from games.engine.protocol import RuleViolation
from games.matchmaking.limits import check_use, check_wait, count_paired
from games.matchmaking.models import Use
from games.matchmaking.seats import begin_now, check_may_play, check_may_still_play, guest_rated_in_words
from games.matchmaking.tables import USUAL_CLOCKS
from games.notifications.models import Kind, Notice
from games.pairing.models import Habit, Offer, Wait, WaitQuerySet
from games.pairing.search import DECLINED_SOON, Search, agreed_options, checked_search, cooling_down, record_lapse
from games.play import jobs
from games.play.commands import prepare_match
from games.play.live import news, pubsub
from games.play.models import Match, Seat, Speed
from games.play.signals import pages_open
from games.play.store import writing

ANSWER_WITHIN = timedelta(seconds=30)
"""How long an offer waits for everybody to say that they are there."""

AWAY_AFTER = timedelta(seconds=30)
"""How long somebody who waits for a live match can have every page closed."""

CHANGED = "pairing.changed"
"""The hint to pages (`games.play.live.sockets`)."""


def wait(user: Any, search: Search) -> Wait:
    """Wait for others; another search for a live match, or for the same game over days, replaces the last one.

    Somebody who asks for the same again goes on waiting.

    Raises:
        RuleViolation: "suspended", "bot-pairing" for a bot, "guest-rated", "seats" when the game is not for so many,
            "option"; and, as they could not sit down, "must-wait" after no-shows, or "too-many-seats".
    """
    check_may_play(user)
    if user.is_bot:
        raise RuleViolation("bot-pairing", _("Quick pairing is for people. Bots are challenged, or open a table."))
    asked = checked_search(search)
    if asked["rated"] and user.guest:
        raise RuleViolation("guest-rated", guest_rated_in_words())
    check_wait(user)
    check_use(Use.What.SEAT, user)
    with writing():
        habit = {name: value for name, value in asked.items() if name != "game"}
        Habit.objects.update_or_create(user=user, game=search.game, defaults=habit)
        found = _replaced(user, asked)
        lock_people([user.pk])  # after their waits, as whoever pairs people does
        check_may_still_play(user)
        if found is None:
            try:
                with transaction.atomic():
                    found = Wait.objects.create(user=user, address=asking_network(), **asked)
                _tell([found])
            except IntegrityError:  # from another tab at the same moment: one of them is enough
                found = Wait.objects.current().filter(user=user, speed=asked["speed"]).latest("pk")
    jobs.wake_for(timezone.now())
    return found


def _replaced(user: Any, asked: Mapping[str, Any]) -> Wait | None:
    """Return the wait for exactly this search; end another whose place it takes."""
    rivals = Wait.objects.current().filter(user=user, speed=asked["speed"])
    if asked["speed"] == Speed.DAYS:
        rivals = rivals.filter(game=asked["game"])
    rival = rivals.first()
    former = _own(user, rival.pk) if rival else None
    if former is None or all(getattr(former, name) == value for name, value in asked.items()):
        return former
    _leave(former, Wait.State.WITHDRAWN)
    return None


def withdraw(user: Any, key: int) -> None:
    """Stop waiting, which also declines an offer; those who were asked with them wait on. Idempotent."""
    with writing():
        if mine := _own(user, key):
            _leave(mine, Wait.State.WITHDRAWN)


def decline(user: Any, key: int, offer: int) -> None:
    """Decline an offer: the first time one waits on, after a cooldown; the second time one stops waiting."""
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
    """Accept an offer; the match begins when everybody has. Nothing happens if the offer is gone. Idempotent."""
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
    """Pair these waits, exactly once: begin their match over days, or ask all of them whether they are there.

    Returns whether that was still possible: none of them has been paired, withdrawn or changed, or is locked.
    """
    seats = len(keys)
    with writing():
        free = Wait.objects.free().filter(pk__in=keys, user__is_active=True, user__bot_since=None)
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
        _dissolve(due)
        for late in (it for it in members if not it.ready):
            record_lapse(late, [it.user_id for it in members if it is not late], due.slug, passed=True)
            late.end(Wait.State.WITHDRAWN, why=Wait.Why.LATE)
    return True


def live_waits(people: Collection[int]) -> WaitQuerySet:
    """Return the waits of people that the bar of every page shows."""
    return Wait.objects.current().filter(user__in=people, speed=Speed.LIVE)


news.register_count(
    "searching", lambda people: live_waits(people).values_list("user").annotate(Count("pk")), told=False
)


def unseen(now: datetime) -> Q:
    """Return the condition on waits whose people had no page open lately; a time in the future does not count."""
    return ~Q(seen_at__range=(now - AWAY_AFTER, now + AWAY_AFTER))


def leave_behind(key: int) -> bool:
    """Withdraw somebody whose every page is closed; return whether they are still away."""
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

    If it was given an offer, or lost one, before it was locked, the locks are released and taken again in their order.
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
    """Take back the offer of a locked wait whose player does not take it up, and record that.

    Somebody whose every page is closed has let it pass, unless they had answered and only the others have not.
    """
    offer = Offer.objects.get(pk=key)
    if not (away and mine.ready):
        others = Wait.objects.filter(offer=offer).exclude(pk=mine.pk).values_list("user", flat=True)
        record_lapse(mine, others, offer.slug, passed=away or timezone.now() - offer.created_at > DECLINED_SOON)
    _dissolve(offer)


def _dissolve(offer: Offer | None) -> None:
    """Take back an offer, if there is one: its members wait on, as long as before."""
    if offer is None:
        return
    members = Wait.objects.filter(offer=offer)
    _tell(list(members))
    members.update(offer=None, ready=False, nonce=b"")
    offer.delete()


def _tell(waits: Iterable[Wait]) -> None:
    pubsub.to_people([it.user_id for it in waits], CHANGED)


# --- beginning --------------------------------------------------------------------------------------------------------

KEPT_APART = "kept-apart"
"""The code of a refusal that is shown to nobody."""


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


def _begin(members: Sequence[Wait], offer: Offer | None) -> bool:
    """Begin a match of locked waits; when somebody may not sit down they are withdrawn, and the others wait on."""
    if _must_not_meet(members) or (offer and len(members) < offer.seats):  # somebody has deleted their account
        _dissolve(offer)
        return False
    try:
        match = _seat_all(members, offer)
    except Refused as refused:
        _dissolve(offer)
        if refused.violation.code not in {"rated-enough", KEPT_APART}:  # those who only must not meet wait for others
            culprit = next(it for it in members if it.user_id == refused.user_id)
            culprit.end(Wait.State.WITHDRAWN, why=Wait.Why.REFUSED, refusal=refused.violation.text[:300])
            _tell([culprit])
        return False
    for member in members:
        member.end(Wait.State.PAIRED, match=match)
    _dissolve(offer)
    if match.speed == Speed.DAYS:  # one notice is enough: that of the start says that they were paired
        Notice.objects.filter(match=match, kind=Kind.STARTED).update(kind=Kind.PAIRED)
    _tell(members)
    return True


def _seat_all(members: Sequence[Wait], offer: Offer | None) -> Match:
    """Seat people in a match without a host, with the usual clock, and begin it; all of it or nothing.

    Raises:
        Refused: somebody may not sit down, as `limits.count_paired` says, or is "suspended"; `KEPT_APART` when one
            blocked another.
    """
    first, people = members[0], [it.user_id for it in members]
    options = agreed_options(first.title, len(members), [it.accepts for it in members])
    clock = USUAL_CLOCKS[Speed(first.speed)][0]
    with writing():
        match = prepare_match(first.game, options, len(members), speed=first.speed, clock=clock, rated=first.rated)
        if offer is not None:  # its players have seen the fingerprint
            match.slug, match.server_seed = offer.slug, bytes(offer.server_seed)
            match.commit = commitment(match.server_seed)
        match.save()
        lock_people(people)
        if apart := blocked_pairs(people):  # they are locked: nobody can block anybody any more
            raise Refused(min(apart)[0], RuleViolation(KEPT_APART, ""))
        seats: list[Seat] = []
        for number, member in enumerate(members):
            try:
                check_may_still_play(member.user)
                count_paired(match, seats, member.user)
            except RuleViolation as violation:
                raise Refused(member.user_id, violation) from violation
            nonce = bytes(member.nonce)
            seats.append(Seat.objects.create(match=match, number=number, user=member.user, nonce=nonce))
        begin_now(match, seats)
    return match


# --- signals ----------------------------------------------------------------------------------------------------------

SEEN_LATELY = timedelta(seconds=6)
"""A wait that was seen this recently is not written again."""


@receiver(pages_open)
def mark_seen(people: Collection[int], **_: Any) -> None:
    """Record that these people have a page open (`games.play.signals.pages_open`)."""
    now = timezone.now()
    lately = Q(seen_at__range=(now - SEEN_LATELY, now + SEEN_LATELY))  # the clock may have been put back since
    unmarked = Wait.objects.current().filter(~lately, user__in=people, speed=Speed.LIVE)
    if not unmarked.exists():
        return
    with writing():  # those who are being paired at this moment are skipped: this waits for no lock
        keys = list(unmarked.select_for_update(skip_locked=True).values_list("pk", flat=True))
        Wait.objects.filter(pk__in=keys).update(seen_at=now)


@receiver(becomes_bot)
def _stop_waiting(user: User, **_more: Any) -> None:
    """End the waits of an account before a program plays for it (`accounts.signals.becomes_bot`)."""
    for key in Wait.objects.current().filter(user=user).values_list("pk", flat=True):
        withdraw(user, key)


@receiver(guest_is_claimed)
def _waits_of_guest(guest: User, *, locking: bool, **_: Any) -> list[int]:
    """Return a guest's waits, locked in their order, so that they are paired before the guest registers, or after."""
    waits = Wait.objects.filter(user=guest).order_by("pk")
    return list((waits.select_for_update() if locking else waits).values_list("pk", flat=True))
