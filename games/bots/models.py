"""Who is thinking about what: the row that keeps two processes from thinking about the same turn."""

from __future__ import annotations

from django.db import models

from games.play.models import Match


class Lease(models.Model):
    """A process is thinking about what a seat should do; after `until` another one may."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    token = models.CharField(max_length=40, help_text="of the claim: what it leads to is played under this name")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_lease_each")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} until {self.until:%Y-%m-%d %H:%M:%S}"
