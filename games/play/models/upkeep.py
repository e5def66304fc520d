"""What the worker keeps: what failed, and when it was running."""

from __future__ import annotations

from django.db import models


class Setback(models.Model):
    """Due work that failed: tried again later, and left to a person after too many failures."""

    duty = models.CharField(max_length=40)
    key = models.PositiveBigIntegerField(help_text="of what is due, for instance a match")
    failures = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, help_text="null: dead, tried no more")
    error = models.TextField(default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["duty", "key"], name="one_setback_each")]

    def __str__(self) -> str:
        return f"{self.duty} {self.key}: {self.failures} failures"


class Outage(models.Model):
    """Time in which no worker was running."""

    begin = models.DateTimeField(unique=True)
    end = models.DateTimeField()
    pending = models.BooleanField(default=False, help_text="not all clocks have been told yet")

    def __str__(self) -> str:
        return f"{self.begin:%Y-%m-%d %H:%M:%S} to {self.end:%Y-%m-%d %H:%M:%S}"


class Watch(models.Model):
    """When a worker was last running: one row."""

    name = models.CharField(max_length=20, unique=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}: {self.seen_at:%Y-%m-%d %H:%M:%S}"
