"""Devices that were used in matches, aborts of rated matches, and findings."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.logins import MARK_LENGTH
from games.moderation.models import Deed
from games.play.models import Match, Speed


class Use(models.Model):
    """Somebody played in a match with others from a device, of which a keyed hash is stored (`accounts.logins`)."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    mark = models.CharField(max_length=MARK_LENGTH)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "mark", "user"], name="device_used_once")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.match_id}"


class Abort(models.Model):
    """Somebody ended a rated match without a result, alone or by agreement."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    alone = models.BooleanField(help_text="by not playing, or before anybody had; otherwise all agreed")
    above = models.IntegerField(help_text="how far the strongest opponent was rated above them, in thousandths")
    behind = models.BooleanField(null=True, help_text="in the score; null: nobody was")
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="aborted_once")]

    def __str__(self) -> str:
        return f"{self.user_id} aborted {self.match_id}"


class Finding(models.Model):
    """Something that looks unfair, for moderators to look at; it is not a verdict.

    If the account of one of two people is deleted, the finding stays without their name, because of the other.
    """

    class Kind(models.TextChoices):
        DEVICE = "device", _("Two seats from one device")
        TRANSFER = "transfer", _("Rating transfer")
        STAR = "star", _("Gain from throw-away accounts")
        AGREED = "agreed", _("Agreed results")
        DODGING = "dodging", _("Dodging by aborting")

    kind = models.CharField(max_length=8, choices=Kind)
    first = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    others = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+", help_text="of a star: who lost to it")
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="+")
    game = models.CharField(max_length=40, blank=True, default="")
    speed = models.CharField(max_length=8, choices=Speed, blank=True, default="")
    facts = models.JSONField(default=dict, help_text="numbers from which the page makes a sentence")
    found_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    deed = models.ForeignKey(
        Deed, models.SET_NULL, null=True, related_name="+", help_text="with which it was settled: why is in the log"
    )

    class Meta:
        indexes = [
            models.Index(fields=["-found_at"], condition=models.Q(settled_at=None), name="finding_open"),
            models.Index(fields=["kind", "first", "second"], name="finding_of"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.first_id} {self.second_id}"


class Night(models.Model):
    """A day (UTC) whose nightly search is complete."""

    day = models.DateField(unique=True)
    found = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{date.isoformat(self.day)}: {self.found}"
