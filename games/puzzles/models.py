"""The tries on puzzles of people with an account; for visitors their session holds them (`services`).

A puzzle is known by its game and its id there, and may be gone.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Attempt(models.Model):
    """The tries of one person on the puzzle of a game and a day; with kind and worth they can be told without it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_attempts")
    game = models.CharField(max_length=40)
    day = models.DateField(help_text="of the puzzle")
    puzzle = models.PositiveIntegerField(default=0, help_text="the id of the puzzle; 0: not known")
    kind = models.CharField(max_length=40, default="points", help_text="of the puzzle")
    tries = models.JSONField(default=list, help_text="each the actions and what they would bring")
    solved_on = models.DateField(null=True, help_text="the day of the site on which it was solved")

    class Meta:
        ordering = ["-day", "game"]
        constraints = [models.UniqueConstraint(fields=["user", "game", "day"], name="attempt_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game} {self.day}"


class FirstAnswer(models.Model):
    """How many people answered a puzzle with this at their first try; who they are is not kept."""

    game = models.CharField(max_length=40)
    puzzle = models.PositiveIntegerField(help_text="the id of the puzzle")
    essence = models.CharField(max_length=200, help_text="what matters of the answer")
    line = models.JSONField(help_text="the actions of the first who answered so")
    worth = models.IntegerField(help_text="what the answer would bring")
    count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-count", "essence"]
        constraints = [models.UniqueConstraint(fields=["game", "puzzle", "essence"], name="first_answer_once")]

    def __str__(self) -> str:
        return f"{self.game} {self.puzzle}: {self.essence} ({self.count})"
