"""The duty that reviews finished matches, a little at a time, so that it never delays anything else for long.

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

from games.play import duties
from games.play.course.positions import AnyPlay, seed_of
from games.play.matches.actions import plays
from games.play.models import Match, Seat
from games.review.models import Review
from games.review.weighing import Judge, decisions, most_telling, takes_turns
from games.titles.insights import insight_of

WEIGHED: Final = 6
"""How many decisions are weighed; the three that cost most are shown."""

_AT_A_TIME: Final = 0.25
"""Seconds after which a run ends, with the step it is in."""


def steps_of(match: Match) -> int:
    """Return how many steps the review of a match takes: one for each position and each decision to weigh."""
    return match.length + 1 + WEIGHED


class Reviews:
    """The duty of going on with reviews, the oldest first."""

    name = "reviews"

    def run_due(self, now: datetime) -> int:
        found = _under_way(self.name, now).values_list("pk", flat=True).first()
        return 0 if found is None else int(duties.attempt(self.name, found, partial(go_on, found)))

    def next_due(self) -> datetime | None:
        now = timezone.now()
        return now if _under_way(self.name, now).exists() else None


def _under_way(name: str, now: datetime) -> QuerySet[Review]:
    waiting = duties.waiting(name, now)
    return Review.objects.filter(done__lt=F("steps")).exclude(pk__in=waiting).order_by("asked_at", "pk")


def go_on(key: int, seconds: float = _AT_A_TIME) -> bool:
    """Take the next steps of a review, at least one; return whether there were any."""
    review = Review.objects.select_related("match").filter(pk=key, done__lt=F("steps")).first()
    if review is None:
        return False
    began, done, work = monotonic(), review.done, _Work(review)
    while not review.is_done:
        work.step()
        review.done += 1
        if monotonic() - began > seconds:
            break
    found = {"done": review.done, "chances": review.chances, "luck": review.luck, "weighed": review.weighed}
    Review.objects.filter(pk=key, done=done).update(**found)
    return True


class _Work:
    """The next steps of a review. The match is played again from its record once for all of them."""

    def __init__(self, review: Review) -> None:
        match = review.match
        seats = tuple(Seat.objects.filter(match=match).order_by("number"))
        self._review = review
        self._plays: list[AnyPlay] = list(plays(match, seats))
        self._judge = judge_of(match, seats, self._plays)

    def step(self) -> None:
        number = self._review.done
        if number < len(self._plays):
            self._judge_position(number)
        else:
            self._weigh(number - len(self._plays))

    def _judge_position(self, number: int) -> None:
        play = self._plays[number]
        self._review.chances.append(self._judge.chances(play))
        self._review.luck.append(self._judge.luck(self._plays[number - 1], play) if number else 0.0)

    def _weigh(self, number: int) -> None:
        found = decisions(self._plays, takes_turns(self._judge, self._plays[0]))
        telling = most_telling(found, self._review.chances.__getitem__, WEIGHED)
        if number >= len(telling):
            return
        decision, game = telling[number], self._judge.game
        texts = [play.text for play in self._plays[decision.first : decision.last + 1]]
        played = tuple(game.parse(text) for text in texts)
        best, cost = self._judge.weigh(self._plays[decision.first - 1], decision.seat, played)
        found_here = {"seat": decision.seat, "first": decision.first, "last": decision.last, "cost": cost}
        self._review.weighed.append({**found_here, "played": texts, "better": [game.notate(each) for each in best]})


def judge_of(match: Match, seats: tuple[Seat, ...], played: list[Any]) -> Judge:
    """Return the judge of a match, whose dice are seeded by its record."""
    record = sha256(seed_of(match, seats))
    for play in played:
        record.update(f"{play.seat} {play.text}\n".encode())
    return Judge(match.rules, insight_of(match.game), record.digest())


duties.register(Reviews())
