"""Exports of somebody's data, and the ends of accounts."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils import timezone

LIFE: Final = timedelta(hours=24)
"""How long an export can be fetched; then it is deleted, and another can be requested."""


class Export(models.Model):
    """Everything that is kept about one person, in a file that the worker makes (`games.privacy.jobs`)."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="export")
    key = models.CharField(max_length=43, unique=True, default=secrets.token_urlsafe, help_text="of its address")
    language = models.CharField(max_length=8, help_text="of the readable page in it")
    asked_at = models.DateTimeField(default=timezone.now)
    steps = models.PositiveIntegerField(default=0, help_text="how many there are; 0 before it is begun")
    done = models.PositiveIntegerField(default=0, help_text="how many steps are done")
    token = models.CharField(max_length=32, default="", help_text="of the worker that makes it")
    lease_until = models.DateTimeField(null=True, help_text="after this another worker begins anew")
    made_at = models.DateTimeField(null=True)
    size = models.PositiveIntegerField(default=0, help_text="in bytes")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["asked_at"], condition=models.Q(made_at=None), name="export_wanted"),
        ]

    def __str__(self) -> str:
        return f"export of {self.user_id}: {self.done} of {self.steps}"

    @property
    def until(self) -> datetime:
        """Return when it is deleted, finished or not."""
        return (self.made_at or self.asked_at) + LIFE

    @property
    def is_ready(self) -> bool:
        return self.made_at is not None and self.until > timezone.now()


class Deletion(models.Model):
    """The requested end of an account, until nothing of the account is left (`games.privacy.deletions`)."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deletion")
    asked_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(null=True, help_text="null: the link in the email has not been used")
    due_at = models.DateTimeField(null=True, db_index=True, help_text="when the worker goes on with it")
    begun_at = models.DateTimeField(null=True, help_text="from then on it cannot be taken back")
    emptied_at = models.DateTimeField(null=True, help_text="the account names nobody; it waits for matches of others")

    def __str__(self) -> str:
        return f"end of {self.user_id}"

    @property
    def is_confirmed(self) -> bool:
        return self.confirmed_at is not None


class Piece(models.Model):
    """A piece of the file of an export, in the database because all processes have to read it."""

    export = models.ForeignKey(Export, models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["export", "number"], name="one_piece_each")]

    def __str__(self) -> str:
        return f"{self.export_id}: piece {self.number}"
