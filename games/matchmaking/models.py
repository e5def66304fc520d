"""Invitations to tables, removals from them, series of matches, and what limits count.

The tables themselves are matches that have not begun (`games.play`).
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.play.models import Match


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def answerable(self, now: datetime | None = None) -> InvitationQuerySet:
        """Return those to open or planned tables that are neither declined nor expired (`now`: at this moment)."""
        fresh = self.filter(withheld=False, declined_at=None, expires_at__gt=now or timezone.now())
        return fresh.filter(match__status__in=[Match.Status.OPEN, Match.Status.PLANNED])


class Invitation(models.Model):
    """Lets one user see a private match and, until it expires, sit down at its table; one for each user and match.

    Somebody who has declined may still change their mind and sit down.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="invitations", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)
    declined_at = models.DateTimeField(null=True)
    withheld = models.BooleanField(default=False, help_text="the two are kept apart: the invited person never sees it")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.match_id} → {self.user_id}"

    @property
    def has_expired(self) -> bool:
        return self.expires_at <= timezone.now()


class Removal(models.Model):
    """Keeps a user away from a table after the host removed them; an invitation lifts it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="removals", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="removals")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="removed_once")]

    def __str__(self) -> str:
        return f"{self.match_id} ✗ {self.user_id}"


class Promise(models.Model):
    """Keeps a seat at a planned table for somebody who said they would come, until they sit down or are too late."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="promises", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="promises")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="promised_once")]

    def __str__(self) -> str:
        return f"{self.user_id} comes to {self.match_id}"


class Series(models.Model):
    """Matches of the same people, until somebody has won `goal` of them, or somebody leaves the series."""

    goal = models.PositiveSmallIntegerField()
    ended_at = models.DateTimeField(null=True)
    left_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"series {self.pk}: first to {self.goal}"


class SeriesMatch(models.Model):
    """A match of a series, or the table for one; an aborted one is played again and has the next number."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="matches")
    match = models.OneToOneField(Match, models.CASCADE, related_name="in_series")
    number = models.PositiveSmallIntegerField(help_text="from 1")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["series", "number"], name="series_number_once")]

    def __str__(self) -> str:
        return f"{self.series_id}#{self.number}: {self.match_id}"


class SeriesPlayer(models.Model):
    """Somebody who plays a series, and how many of its matches they have won; fixed when the first match begins."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    place = models.PositiveSmallIntegerField(help_text="their seat in the first match")
    wins = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["series", "user"], name="once_in_a_series")]

    def __str__(self) -> str:
        return f"{self.series_id}: {self.user_id}, {self.wins}"

    @property
    def name(self) -> str:
        return self.user.shown_name if self.user else "—"


class Use(models.Model):
    """Something a user did that is limited; kept for as long as limits look back."""

    class What(models.TextChoices):
        TABLE = "table"
        SEAT = "seat"
        INVITATION = "invitation"

    what = models.CharField(max_length=10, choices=What)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    address = models.CharField(max_length=45, default="", blank=True, help_text="see `accounts.requests.network_of`")
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
