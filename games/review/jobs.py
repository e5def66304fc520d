"""How finished matches are reviewed: a little at a time, by processes that think for bots, when no bot is to move.

So there are never more reviews in the making than such processes, running matches come first, and what is thought has a
low priority. A process claims a review by a lease, which it renews with each step; if it dies, the lease runs out and
another one goes on.

A step judges one position, or weighs one decision. What it finds depends on nothing but the record, and is stored by a
conditional update: if two processes take the same step, one of them stores it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cached_property, partial
from hashlib import sha256
from time import monotonic
from typing import Final, TypeAlias

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.history.replay import is_checkable
from games.play import jobs
from games.play.models import Match, Seat, Speed
from games.play.records import plays
from games.play.reducer.positions import AnyPlay, seed_of
from games.review.judge import Decision, Judge, decisions, judged, steps_of, takes_turns, telling
from games.review.models import JUDGEMENT, Review

_AT_A_TIME: Final = 0.25
"""Seconds after which thinking ends once its current step is done: so long a bot's turn may wait for it."""

_LEASE: Final = timedelta(seconds=30)
"""How long a process has for its next step."""

_FOUND: Final = ("chances", "changes", "weighed")

Think: TypeAlias = Callable[[Callable[[], None]], None]
"""Does some work that takes long and touches no database."""


def at_once(work: Callable[[], None]) -> None:
    """Do some work here and now."""
    work()


class Reviews:
    """The reviews as one process makes them.

    Those that somebody has asked for come first, the oldest before others. Then come those that began with the end of a
    match, live ones before those over days, the latest first, as its players may still be there; then outdated ones.
    """

    name = "reviews"

    def __init__(self) -> None:
        self._own: int | None = None

    def go_on(self, think: Think = at_once) -> bool:
        """Take the next steps of a review; return whether there were any."""
        key = self._claimed(timezone.now())
        return key is not None and jobs.attempt(self.name, key, partial(go_on, key, think=think))

    def _claimed(self, now: datetime) -> int | None:
        """Return the key of the review to continue; None if there is none, or another process was quicker."""
        free = Review.objects.filter(Q(taken_until=None) | Q(taken_until__lte=now) | Q(pk=self._own))
        key = self._next(free.exclude(pk__in=jobs.waiting(self.name, now)))
        if key is not None and key != self._own:
            taken = free.filter(pk=key).update(taken_until=now + _LEASE)
            self._own = key if taken else None
            return self._own
        return key

    def _next(self, free: QuerySet[Review]) -> int | None:
        under_way = free.filter(done__lt=F("steps"), judgement=JUDGEMENT)
        found = (
            under_way.exclude(asked_by=None).order_by("asked_at", "pk").first()
            or under_way.filter(match__speed=Speed.LIVE).order_by("-asked_at", "-pk").first()
            or under_way.order_by("-asked_at", "-pk").first()
            or free.filter(judgement__lt=JUDGEMENT).order_by("asked_at", "pk").first()
        )
        return None if found is None else found.pk


def go_on(key: int, seconds: float = _AT_A_TIME, think: Think = at_once) -> bool:
    """Take the next steps of a review, at least one; return whether there were any.

    Args:
        key: of the review.
        seconds: after which no other step begins.
        think: does the steps.
    """
    review = Review.objects.select_related("match").filter(pk=key).first()
    if review is None or review.is_done:
        return False
    if not is_checkable(review.match):
        review.delete()  # it is not shown any more
        return True
    stored = {"done": review.done, "judgement": review.judgement}
    if review.is_outdated:
        review.done, review.steps, review.judgement = 0, steps_of(review.match.length), JUDGEMENT
        for name in _FOUND:
            setattr(review, name, [])
    think(partial(_take_steps, _Work(review), review, seconds))
    found = {name: getattr(review, name) for name in ("steps", "done", "judgement", *_FOUND)}
    until = None if review.is_done else timezone.now() + _LEASE
    Review.objects.filter(pk=key, **stored).update(**found, taken_until=until)
    return True


def _take_steps(work: _Work, review: Review, seconds: float) -> None:
    began = monotonic()
    while not review.is_done:
        work.step()
        review.done += 1
        if monotonic() - began > seconds:
            break


class _Work:
    """The next steps of a review, for which the match is replayed once."""

    def __init__(self, review: Review) -> None:
        match = review.match
        seats = tuple(Seat.objects.filter(match=match).order_by("number"))
        self._review = review
        played = list(plays(match, seats))
        self._plays: Sequence[AnyPlay] = judged(played)
        self._judge = judge_of(match, seats, played)
        self._decided = decisions(self._plays, takes_turns(self._judge.insight, played[0]))

    def step(self) -> None:
        number = self._review.done
        if number < len(self._plays):
            self._judge_position(number)
        else:
            self._weigh(number - len(self._plays))

    def _judge_position(self, number: int) -> None:
        review, judge = self._review, self._judge
        if number == 0:
            chances, change = judge.deal(self._plays[0], review.match.options)
        else:
            chances, change = judge.position(self._plays, number, tuple(review.chances[-1]))
        review.chances.append(chances)
        review.changes.append([change.luck, list(change.moves.items())])
        if number == len(self._plays) - 1:
            review.steps = len(self._plays) + len(self._telling)

    @cached_property
    def _telling(self) -> Sequence[Decision]:
        return telling(self._decided, self._review.found_changes)

    def _weigh(self, number: int) -> None:
        decision, game, judge = self._telling[number], self._judge.game, self._judge
        plan = tuple(game.parse(play.text) for play in self._plays[decision.first : decision.last + 1])
        best, cost = judge.weigh(self._plays[decision.begun], decision.seat, plan)
        found_here = {
            "seat": decision.seat,
            "begun": decision.begun,
            "last": decision.last,
            "after": decision.after,
            "cost": cost,
        }
        played, better = ([game.notate(action) for action in each] for each in (plan, best))
        self._review.weighed.append({**found_here, "played": played, "better": better})


def judge_of(match: Match, seats: tuple[Seat, ...], played: Sequence[AnyPlay]) -> Judge:
    """Return the judge of a match, with dice seeded by the record."""
    record = sha256(seed_of(match, seats))
    for play in played:
        record.update(f"{play.seat} {play.text}\n".encode())
    return Judge(match.rules, match.title.insight, record.digest())
