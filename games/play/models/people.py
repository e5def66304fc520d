"""What is kept of people for their matches: where they did not come, when they are away, and at what they look."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.play.models.matches import Match


class Absence(models.Model):
    """Somebody said they would come to a planned table, and did not."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="absences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="absences")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="absent_once")]
        indexes = [models.Index(fields=["user", "-at"], name="absences_of")]

    def __str__(self) -> str:
        return f"{self.user_id} not at {self.match_id}"


class Vacation(models.Model):
    """Days when somebody's day clocks are stopped; `end` moves if they come back early.

    The year is that of the person's zone when it began: it stays the same, in whatever zone they are later.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations")
    begin = models.DateTimeField()
    end = models.DateTimeField()
    year = models.PositiveSmallIntegerField(help_text="whose budget it is charged to")

    class Meta:
        ordering = ["begin"]
        indexes = [models.Index(fields=["user", "end"], name="vacation_of")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.begin:%Y-%m-%d} to {self.end:%Y-%m-%d}"


class Presence(models.Model):
    """When somebody last looked at a match: in a visible tab, not merely an open one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="presences")
    match = models.ForeignKey(Match, models.CASCADE, related_name="presences")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="one_presence_each")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.match_id}: {self.at:%Y-%m-%d %H:%M:%S}"
