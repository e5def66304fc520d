"""The job that reviews finished matches, a little at a time, so that it never delays anything else for long.

A step judges one position, or weighs one decision. What it finds depends on nothing but the record, and is stored by a
conditional update: if two workers take the same step, one of them stores it.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Any, Final

from django.db.models import F
from django.utils import timezone

from games.engine.insight import Plan
from games.history.replay import is_checkable
from games.play import jobs
from games.play.models import Match, Seat
from games.play.records import plays
from games.play.reducer.positions import AnyPlay, seed_of
from games.review.judge import WEIGHED, Decision, Judge, decisions, most_telling, steps_of, takes_turns
from games.review.models import JUDGEMENT, Review

_AT_A_TIME: Final = 0.25
"""Seconds after which a run ends once its current step is done."""

_FOUND: Final = ("chances", "luck", "shares", "weighed")


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
        self._plays: list[AnyPlay] = list(plays(match, seats))
        self._judge = judge_of(match, seats, self._plays)
        self._decided = decisions(self._plays, takes_turns(self._judge.insight, self._plays[0]))

    def step(self) -> None:
        number = self._review.done
        if number < len(self._plays):
            self._judge_position(number)
        else:
            self._weigh(number - len(self._plays))

    def _judge_position(self, number: int) -> None:
        play, review = self._plays[number], self._review
        is_secret = play.outcome is None and play.position.turn < play.number  # a turn that has not been opened yet
        review.chances.append(list(review.chances[play.position.turn]) if is_secret else self._judge.chances(play))
        review.luck.append(self._judge.luck(self._plays[number - 1], play) if number else 0.0)
        shares = []
        for each in self._decided:
            if each.after == number and self._plays[each.first].sealed:
                before = self._plays[number - 1]
                share = self._judge.share(self._start(each), self._plan(each), each.seat, before, play)
                shares.append([each.first, *share])
        review.shares.append(shares)

    def _plan(self, decision: Decision) -> Plan:
        game = self._judge.game
        return tuple(game.parse(play.text) for play in self._plays[decision.first : decision.last + 1])

    def _start(self, decision: Decision) -> AnyPlay:
        """Return the earliest position in which a seat could have decided: in secret, before others had."""
        at = decision.first - 1
        while at > self._plays[at].position.turn and self._plays[at].seat != decision.seat:
            at -= 1
        return self._plays[at]

    def _weigh(self, number: int) -> None:
        telling = most_telling(self._decided, self._cost, WEIGHED)
        if number >= len(telling):
            return
        decision, game = telling[number], self._judge.game
        best, cost = self._judge.weigh(self._start(decision), decision.seat, self._plan(decision))
        texts = [play.text for play in self._plays[decision.first : decision.last + 1]]
        found_here = {"seat": decision.seat, "first": decision.first, "last": decision.last, "cost": cost}
        self._review.weighed.append({**found_here, "played": texts, "better": [game.notate(each) for each in best]})

    def _cost(self, decision: Decision) -> float:
        """Return what a decision seems to have cost: in secret by its plan alone, otherwise by the chances after it."""
        if self._plays[decision.first].sealed:
            shares = self._review.shares[decision.after]
            return -float(next(plan for first, plan, *_ in shares if first == decision.first))
        before, after = (self._review.chances[at][decision.seat] for at in (decision.first - 1, decision.after))
        return float(before - after)


def judge_of(match: Match, seats: tuple[Seat, ...], played: list[Any]) -> Judge:
    """Return the judge of a match, with dice seeded by the record."""
    record = sha256(seed_of(match, seats))
    for play in played:
        record.update(f"{play.seat} {play.text}\n".encode())
    return Judge(match.rules, match.title.insight, record.digest())


jobs.register(Reviews())
