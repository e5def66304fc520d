"""Who thinks about what, so that no two processes think about the same turn; hints; who comes next; bot accounts."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.play.models import Match


class Lease(models.Model):
    """A process is thinking about what a seat should do; after `until` another one may."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    seat = models.PositiveSmallIntegerField()
    token = models.CharField(max_length=40, help_text="of the claim: what it leads to is played under this name")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_lease_each")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} until {self.until:%Y-%m-%d %H:%M:%S}"


class Hint(models.Model):
    """What a player asked for, and what a process found: one for each version of a match."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="hints_asked", db_index=False)
    seat = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()
    language = models.CharField(max_length=8, help_text="of the sentence")
    asked_at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, help_text="a process is thinking about it; after this another one may")
    text = models.CharField(max_length=500, default="", blank=True, help_text="the action; empty until it is found")
    why = models.CharField(max_length=1000, default="", blank=True, help_text="a few sentences, or nothing")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat", "version"], name="one_hint_each")]
        indexes = [models.Index(fields=["asked_at"], condition=models.Q(text=""), name="hint_wanted")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} at version {self.version}"


class Share(models.Model):
    """When a process last began to think for somebody; see `services`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="share")
    network = models.CharField(
        max_length=32, default="", blank=True, db_index=True, help_text="a keyed hash of where a guest came from"
    )
    served_at = models.DateTimeField(null=True, help_text="null: never yet")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.served_at}"


MOST_AT_ONCE = 8
"""How many matches a bot account plays at once, at most."""


class Conditions(models.Model):
    """What a bot account plays; `games.bots.conditions` enforces it. An empty list leaves everything open."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="bot_conditions"
    )
    games = models.JSONField(default=list, blank=True, help_text="slugs of titles")
    seats = models.JSONField(default=list, blank=True, help_text="numbers of players")
    speeds = models.JSONField(default=list, blank=True, help_text="values of play.models.Speed")
    clocks = models.JSONField(default=list, blank=True, help_text="texts of clocks.Control; empty: no clock")
    people = models.BooleanField(default=True, help_text="plays with people")
    bots = models.BooleanField(default=True, help_text="plays with bots: other accounts, and those of the site")
    at_once = models.PositiveSmallIntegerField(default=MOST_AT_ONCE, help_text="matches at once, tables included")

    def __str__(self) -> str:
        return f"conditions of {self.user_id}"
