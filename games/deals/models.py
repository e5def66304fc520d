"""The deals of days, and everybody's one try at each."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from accounts.moments import today
from games.engine.fair import SERVER_SEED_BYTES
from games.play.models import Match
from games.titles import Title, titles

TO_FINISH: Final = timedelta(hours=1)
"""How long after its day a try can be finished and still have a place."""


class Deal(models.Model):
    """The deal of a game and a day: the seed with which everybody's match begins, secret until it is over."""

    game = models.CharField(max_length=40)
    day = models.DateField()
    seed = models.BinaryField(max_length=SERVER_SEED_BYTES)
    commit = models.CharField(max_length=64, help_text="of the seed, shown before anybody plays")
    opened = models.BooleanField(default=False, help_text="it is over, and whoever has the link may watch its matches")

    class Meta:
        ordering = ["-day", "game"]
        constraints = [models.UniqueConstraint(fields=["day", "game"], name="deal_once")]

    def __str__(self) -> str:
        return f"{self.game} {self.day}"

    def get_absolute_url(self) -> str:
        return reverse("deal", args=[self.game, self.day.isoformat()])

    @property
    def title(self) -> Title:
        return titles()[self.game]

    @property
    def date(self) -> str:
        """The day in words."""
        return date_format(self.day, "DATE_FORMAT")

    @property
    def closes_at(self) -> datetime:
        """Until when a try has to be finished to have a place; from then on everything is open."""
        return datetime.combine(self.day + timedelta(days=1), time(), UTC) + TO_FINISH

    @property
    def is_todays(self) -> bool:
        return self.day == today()

    @property
    def is_over(self) -> bool:
        return timezone.now() >= self.closes_at


class Try(models.Model):
    """Somebody's only try at a deal: the match in which they play it."""

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="everybodys_tries", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deal_tries")
    match = models.OneToOneField(Match, models.CASCADE, related_name="deal_try")
    begun_at = models.DateTimeField(default=timezone.now)
    points = models.IntegerField(null=True, help_text="higher is better; null: no place (yet)")

    class Meta:
        ordering = ["-deal__day", "deal__game"]
        constraints = [models.UniqueConstraint(fields=["deal", "user"], name="one_try_each")]
        indexes = [models.Index(fields=["deal", "-points", "id"], name="deal_places")]

    def __str__(self) -> str:
        return f"{self.deal_id}: {self.user_id}, {self.points}"
