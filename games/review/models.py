"""What a review of a finished match has found so far. It follows from the record alone and is kept once it is done."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.play.models import Match


class Review(models.Model):
    """A review, which the worker goes on with step by step (`duty`)."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="review")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    steps = models.PositiveIntegerField(help_text="how many there are")
    done = models.PositiveIntegerField(default=0, help_text="how many steps are done")
    chances = models.JSONField(default=list, help_text="after each action those of every seat, from 0 to 1")
    luck = models.JSONField(default=list, help_text="for each action what chance gave the seat that acted")
    weighed = models.JSONField(default=list, help_text="the decisions that were weighed")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(done__lte=models.F("steps")), name="review_not_more_than_all"),
        ]
        indexes = [models.Index(fields=["asked_at"], condition=Q(done__lt=models.F("steps")), name="review_under_way")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.done} of {self.steps}"

    @property
    def is_done(self) -> bool:
        return self.done >= self.steps
