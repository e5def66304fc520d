"""Invitations to tables, removals from them, and what limits count.

The tables themselves are matches that have not begun (`games.play`).
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.play.models import Match


class Invitation(models.Model):
    """Lets one user see a private match and sit down at its table; one for each user and match."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.match_id} → {self.user_id}"


class Removal(models.Model):
    """Keeps a user away from a table after the host removed them; an invitation lifts it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="removals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="removals")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="removed_once")]

    def __str__(self) -> str:
        return f"{self.match_id} ✗ {self.user_id}"


class Promise(models.Model):
    """Keeps a seat at a planned table for somebody who said they would come, until they sit down or are too late."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="promises")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="promises")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="promised_once")]

    def __str__(self) -> str:
        return f"{self.user_id} comes to {self.match_id}"


class Use(models.Model):
    """Something a user did that is limited; kept for as long as limits look back."""

    class What(models.TextChoices):
        TABLE = "table"
        SEAT = "seat"
        INVITATION = "invitation"

    what = models.CharField(max_length=10, choices=What)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    address = models.CharField(max_length=45, default="", blank=True, help_text="whence, see `limits.network_of`")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["user", "what", "at"], name="use_of_person"),
            models.Index(fields=["address", "what", "at"], name="use_of_address"),
            models.Index(fields=["at"], name="use_age"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.what} at {self.at:%Y-%m-%d %H:%M:%S}"


class LobbyFilter(models.Model):
    """Which open tables somebody last wanted to see in the lobby."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    query = models.CharField(max_length=200, help_text="as in the address of the lobby")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.query}"
