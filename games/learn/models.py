"""How far people with an account have come in lessons; for visitors their session holds that (`services`)."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Progress(models.Model):
    """How far one person has come in one lesson or exercise of a game."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="lesson_progress")
    game = models.CharField(max_length=40)
    lesson = models.CharField(max_length=80, help_text="the name of its file")
    reached = models.PositiveSmallIntegerField(default=0, help_text="how many steps are done")
    done_on = models.DateField(null=True, help_text="the day on which the last step was done")

    class Meta:
        ordering = ["game", "lesson"]
        constraints = [models.UniqueConstraint(fields=["user", "game", "lesson"], name="progress_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game} {self.lesson}"
