"""Who has been asked to sit down at a table. The tables themselves are matches that have not begun (`games.play`)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.play.models import Match


class Invitation(models.Model):
    """Lets one person see a private match and sit down at its table; asked once however often."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.match_id} → {self.user_id}"
