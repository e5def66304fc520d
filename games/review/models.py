"""Reviews of finished matches. A review follows from the record alone."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine.protocol import Seat
from games.play.models import Match
from games.review.judge import Change

JUDGEMENT: Final = 5
"""The version of the judge. Raise it when its results change; all reviews are then made again."""


def judgement() -> int:
    """Return the version of the judge for a new review; migrations name this function."""
    return JUDGEMENT


class Review(models.Model):
    """A review, done or under way, which is continued step by step (`jobs`)."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="review")
    # Nobody has asked for a review that began by itself.
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    taken_until = models.DateTimeField(null=True, help_text="a process is at it, unless it has died")
    steps = models.PositiveIntegerField(help_text="how many there are")
    done = models.PositiveIntegerField(default=0, help_text="how many steps are done")
    chances = models.JSONField(
        default=list, help_text="after the deal and each action those of every seat (judge.Chances)"
    )
    changes = models.JSONField(default=list, help_text="for the deal and each action a judge.Change, moves in pairs")
    weighed = models.JSONField(default=list, help_text="the decisions that were weighed")
    judgement = models.PositiveSmallIntegerField(default=judgement, help_text="which JUDGEMENT made it")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(done__lte=models.F("steps")), name="review_not_more_than_all"),
        ]
        indexes = [
            models.Index(fields=["asked_at"], condition=Q(done__lt=models.F("steps")), name="review_under_way"),
            models.Index(fields=["judgement"], name="review_judgement"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.done} of {self.steps}"

    @property
    def found_changes(self) -> list[Change]:
        """What the deal and each action changed."""
        return [Change(luck, {Seat(by): tuple(move) for by, move in moves}) for luck, moves in self.changes]

    @property
    def is_outdated(self) -> bool:
        """Whether an earlier version of the judge made it."""
        return self.judgement != JUDGEMENT

    @property
    def done_anew(self) -> int:
        """How many steps the present version of the judge has done."""
        return 0 if self.is_outdated else self.done

    @property
    def is_done(self) -> bool:
        return self.done >= self.steps and not self.is_outdated
