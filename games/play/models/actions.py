"""Actions: what was played. They are the truth; everything else about a match follows from them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine.fair import SALT_BYTES
from games.play.models.matches import Match


class Action(models.Model):
    """An action as a seat took it. It never changes, except that an undo withdraws it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="actions")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=500)
    client_id = models.CharField(  # noqa: DJ001  # unlike "", null is never equal to another
        max_length=40, null=True, help_text="chosen by the player's page; null: an action of the site itself"
    )
    at = models.DateTimeField(default=timezone.now)
    clock = models.DurationField(null=True, help_text="what the seat had left at it, before any increment")
    by_bot = models.BooleanField(default=False)
    reveals = models.BooleanField(default=True)
    events = models.TextField(default="", help_text="encoded events, each with who may see it")
    seal = models.CharField(max_length=64, default="", blank=True, help_text="of an action asked for in secret")
    salt = models.BinaryField(max_length=SALT_BYTES, default=b"", blank=True)
    withdrawn = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "number"], condition=Q(withdrawn=False), name="action_number_once"
            ),
            models.UniqueConstraint(fields=["match", "client_id"], name="action_client_id_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.number} {self.text}"
