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

from django.db.models import F, QuerySet
from django.utils import timezone

from games.engine.insight import Plan
from games.play import jobs
from games.play.models import Match, Seat
from games.play.records import plays
from games.play.reducer.positions import AnyPlay, seed_of
from games.review.judge import Decision, Judge, Share, decisions, most_telling, takes_turns
from games.review.models import JUDGEMENT, Review

WEIGHED: Final = 6
"""How many decisions are weighed; the three that cost most are shown."""

_AT_A_TIME: Final = 0.25
"""Seconds after which a run ends, with the step it is in."""

_FOUND: Final = ("chances", "luck", "shares", "weighed")


def steps_of(match: Match) -> int:
    """Return how many steps the review of a match takes: one for each position and each decision to weigh."""
    return match.length + 1 + WEIGHED


class Reviews:
    """The duty of going on with reviews, the oldest first; then with those that are to be made anew."""

    name = "reviews"

    def run_due(self, now: datetime) -> int:
        found = next((key for under_way in _under_way(self.name, now) for key in under_way.values_list("pk")[:1]), None)
        return 0 if found is None else int(jobs.attempt(self.name, found[0], partial(go_on, found[0])))

    def next_due(self) -> datetime | None:
        now = timezone.now()
        return now if any(under_way.exists() for under_way in _under_way(self.name, now)) else None


def _under_way(name: str, now: datetime) -> list[QuerySet[Review]]:
    """Return the reviews that somebody waits for, and those that were made as none is made any more."""
    ordered = Review.objects.exclude(pk__in=jobs.waiting(name, now)).order_by("asked_at", "pk")
    return [ordered.filter(done__lt=F("steps"), judgement=JUDGEMENT), ordered.filter(judgement__lt=JUDGEMENT)]


def go_on(key: int, seconds: float = _AT_A_TIME) -> bool:
    """Take the next steps of a review, at least one; return whether there were any."""
    review = Review.objects.select_related("match").filter(pk=key).first()
    if review is None or review.is_done:
        return False
    if review.match.rules_version != review.match.rules.version:
        review.delete()  # nobody is shown it any more
        return True
    began, stored = monotonic(), {"done": review.done, "judgement": review.judgement}
    work = _Work(_anew(review))
    while not review.is_done:
        work.step()
        review.done += 1
        if monotonic() - began > seconds:
            break
    found = {name: getattr(review, name) for name in ("steps", "done", "judgement", *_FOUND)}
    Review.objects.filter(pk=key, **stored).update(**found)
    return True


def _anew(review: Review) -> Review:
    """Return a review, which begins again where it was made as none is made any more."""
    if review.is_outdated:
        review.done, review.steps, review.judgement = 0, steps_of(review.match), JUDGEMENT
        for name in _FOUND:
            setattr(review, name, [])
    return review


class _Work:
    """The next steps of a review. The match is played again from its record once for all of them."""

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
        review.chances.append(self._chances(play))
        review.luck.append(self._judge.luck(self._plays[number - 1], play) if number else 0.0)
        review.shares.append([[each.first, *self._share(each)] for each in self._decided if self._opens(each, number)])

    def _chances(self, play: AnyPlay) -> list[float]:
        """Return the chances after an action: as long as a secret turn is open to nobody, those at its beginning."""
        waits = play.outcome is None and play.position.turn < play.number
        return list(self._review.chances[play.position.turn]) if waits else self._judge.chances(play)

    def _opens(self, decision: Decision, number: int) -> bool:
        return decision.after == number and self._plays[decision.first].sealed

    def _share(self, decision: Decision) -> Share:
        before, opened = self._plays[decision.after - 1], self._plays[decision.after]
        return self._judge.share(self._start(decision), self._plan(decision), decision.seat, before, opened)

    def _plan(self, decision: Decision) -> Plan:
        game = self._judge.game
        return tuple(game.parse(play.text) for play in self._plays[decision.first : decision.last + 1])

    def _start(self, decision: Decision) -> AnyPlay:
        """Return the position in which a seat decided, as early as it could have: in secret, before others had."""
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
        """Return what a decision seems to have cost: in secret its plan alone, else by how the seat stood after it."""
        if self._plays[decision.first].sealed:
            shares = self._review.shares[decision.after]
            return -float(next(plan for first, plan, *_ in shares if first == decision.first))
        before, after = (self._review.chances[at][decision.seat] for at in (decision.first - 1, decision.after))
        return float(before - after)


def judge_of(match: Match, seats: tuple[Seat, ...], played: list[Any]) -> Judge:
    """Return the judge of a match, whose dice are seeded by its record."""
    record = sha256(seed_of(match, seats))
    for play in played:
        record.update(f"{play.seat} {play.text}\n".encode())
    return Judge(match.rules, match.title.insight, record.digest())


jobs.register(Reviews())
