"""The job that reviews finished matches, a little at a time, so that it never delays anything else for long.

A step judges one position, or weighs one decision. What it finds depends on nothing but the record, and is stored by a
conditional update: if two workers take the same step, one of them stores it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property, partial
from hashlib import sha256
from time import monotonic
from typing import Final

from django.db.models import F
from django.utils import timezone

from games.history.replay import is_checkable
from games.play import jobs
from games.play.models import Match, Seat
from games.play.records import plays
from games.play.reducer.positions import AnyPlay, seed_of
from games.review.judge import Decision, Judge, decisions, judged, steps_of, takes_turns, telling
from games.review.models import JUDGEMENT, Review

_AT_A_TIME: Final = 0.25
"""Seconds after which a run ends once its current step is done."""

_FOUND: Final = ("chances", "changes", "weighed")


class Reviews:
    """Continues the reviews that people wait for, the oldest first, and then redoes outdated ones."""

    name = "reviews"

    def run_due(self, now: datetime) -> int:
        key = self._next(now)
        return 0 if key is None else int(jobs.attempt(self.name, key, partial(go_on, key)))

    def next_due(self) -> datetime | None:
        now = timezone.now()
        return None if self._next(now) is None else now

    def _next(self, now: datetime) -> int | None:
        """Return the key of the review to continue."""
        ordered = Review.objects.exclude(pk__in=jobs.waiting(self.name, now)).order_by("asked_at", "pk")
        under_way = ordered.filter(done__lt=F("steps"), judgement=JUDGEMENT).first()
        found = under_way or ordered.filter(judgement__lt=JUDGEMENT).first()
        return None if found is None else found.pk


def go_on(key: int, seconds: float = _AT_A_TIME) -> bool:
    """Take the next steps of a review, at least one; return whether there were any."""
    review = Review.objects.select_related("match").filter(pk=key).first()
    if review is None or review.is_done:
        return False
    if not is_checkable(review.match):
        review.delete()  # it is not shown any more
        return True
    began, stored = monotonic(), {"done": review.done, "judgement": review.judgement}
    if review.is_outdated:
        review.done, review.steps, review.judgement = 0, steps_of(review.match.length), JUDGEMENT
        for name in _FOUND:
            setattr(review, name, [])
    work = _Work(review)
    while not review.is_done:
        work.step()
        review.done += 1
        if monotonic() - began > seconds:
            break
    found = {name: getattr(review, name) for name in ("steps", "done", "judgement", *_FOUND)}
    Review.objects.filter(pk=key, **stored).update(**found)
    return True


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


jobs.register(Reviews())
