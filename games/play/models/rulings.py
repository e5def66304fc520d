"""What moderators decided about a match."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from games.play.models.matches import Match


class Ruling(models.Model):
    """What moderators decided about a match that was over: other places, or that it does not count.

    The actions remain the truth of what was played; `played` is what comes of them.
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="ruling")
    places = models.JSONField(null=True, help_text="by seat; null: the match does not count")
    played = models.JSONField(help_text="how the match had ended: places by seat, and the reason")
    why = models.CharField(max_length=500, help_text="told to everybody who sees the match")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.match_id}: {self.places or 'does not count'}"


class Explanation(models.Model):
    """Why moderators closed a table, stopped a match that ran, or took a ruling back."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="explanation")
    why = models.CharField(max_length=500, help_text="told to everybody who sees the match")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.match_id}: {self.why}"
