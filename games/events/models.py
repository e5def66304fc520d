"""Events: leagues, ladders and tournaments; who takes part, and the heats in which they meet.

A season of a league is an event, and the next one names it as `before`. Standings are computed from heats
(`games.events.formats`), and so is who meets whom, from the seed to which an event is committed before anybody enters.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from games.clubs.models import Club
from games.engine.fair import SERVER_SEED_BYTES, commitment
from games.events import formats
from games.play.models import Match, Speed, new_slug
from games.titles import Title, titles


class Event(models.Model):
    """A league, a ladder or a tournament in one game.

    `next_at` is when the job looks at it again: when the time has come for something, or as something has happened.
    """

    class State(models.TextChoices):
        OPEN = "open"  # people enter; nothing is drawn yet
        RUNNING = "running"
        OVER = "over"
        CANCELLED = "cancelled"  # too few had come, or whoever made it called it off

    slug = models.CharField(max_length=20, unique=True, default=new_slug, editable=False)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    speed = models.CharField(max_length=8, choices=Speed, default=Speed.DAYS)
    clock = models.CharField(max_length=40, help_text="a clocks.Control")
    want = models.PositiveSmallIntegerField(help_text="seats of a heat")
    least = models.PositiveSmallIntegerField(help_text="fewest seats of a heat")
    rated = models.BooleanField(default=True)
    format = models.CharField(max_length=8, choices=[(each.value, each.value) for each in formats.Format])
    rounds = models.PositiveSmallIntegerField(null=True)
    round_length = models.DurationField(null=True, help_text="within which the clock ends every match of a round")
    lives = models.PositiveSmallIntegerField(default=1)
    opens_at = models.DateTimeField(default=timezone.now)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, related_name="events", help_text="whose members can enter"
    )
    server_seed = models.BinaryField(max_length=SERVER_SEED_BYTES)
    commit = models.CharField(max_length=64, help_text="of the seed, shown before anybody enters")
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    next_at = models.DateTimeField(null=True)
    season = models.PositiveSmallIntegerField(null=True, help_text="its number among the site's own, from 1")
    before = models.OneToOneField("self", models.SET_NULL, null=True, related_name="after")
    played_as = models.CharField(max_length=8, default="", blank=True, help_text="another format than was announced")
    drawn = models.JSONField(default=list, help_text="of each round: when it was drawn, who was in, and who was out")

    class Meta:
        ordering = ["starts_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "format", "season"], condition=Q(season__isnull=False), name="season_once"
            )
        ]
        indexes = [
            models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="event_due"),
            models.Index(fields=["state", "starts_at"], name="event_listed"),
        ]

    def __str__(self) -> str:
        return f"{self.format} {self.game} {self.season or self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.slug])

    @property
    def title(self) -> Title:
        return titles()[self.game]

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_live(self) -> bool:
        return self.speed == Speed.LIVE

    @property
    def is_evening(self) -> bool:
        """Return whether it is one of the evenings that the site has every week."""
        return self.season is not None and self.is_live

    @property
    def has_ended(self) -> bool:
        return self.state in {self.State.OVER, self.State.CANCELLED}

    @property
    def played_format(self) -> formats.Format:
        """The format in which it is played, which can be another than was announced."""
        return formats.Format(self.played_as or self.format)

    @property
    def confirm_from(self) -> datetime:
        """When those who had entered before are asked whether they still want to play."""
        return self.starts_at - timedelta(days=1)

    def lacks_confirmation(self, entry: Entry) -> bool:
        """Return whether it pauses somebody at its start, unless they confirm: they entered before `confirm_from`."""
        return self.is_open and entry.is_in and entry.confirmed_at < self.confirm_from

    def asks_to_confirm(self, entry: Entry, now: datetime) -> bool:
        """Return whether somebody can confirm now, and has not."""
        return self.confirm_from <= now and self.lacks_confirmation(entry)

    def unconfirmed(self) -> models.QuerySet[Entry]:
        """Return the entries of those who were in before `confirm_from` and have not confirmed."""
        return self.entries.filter(state=Entry.State.IN, confirmed_at__lt=self.confirm_from)


def committed_event(**fields: Any) -> Event:
    """Return an event that is not saved yet, with its secret seed and the commitment to it."""
    seed = secrets.token_bytes(SERVER_SEED_BYTES)
    return Event(server_seed=seed, commit=commitment(seed), **fields)


class Entry(models.Model):
    """Somebody who takes part in an event, or did; nobody any more once they have deleted their account."""

    class State(models.TextChoices):
        IN = formats.State.IN
        PAUSED = formats.State.PAUSED
        OUT = formats.State.OUT

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="entries")
    number = models.PositiveIntegerField(help_text="in the order of entering, from 0; heats name people by it")
    nonce = models.BinaryField(max_length=32, default=b"", blank=True)
    rating = models.SmallIntegerField(help_text="the highest of the last 90 days when they entered, in points")
    joined_round = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=6, choices=State, default=State.IN)
    division = models.PositiveSmallIntegerField(null=True)
    at_a_time = models.PositiveSmallIntegerField(default=1, help_text="most heats of theirs that run together")
    # Also when they were paused as they did not come: what had begun by then belongs to the same absence.
    confirmed_at = models.DateTimeField(default=timezone.now)
    no_shows = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveIntegerField(null=True, help_text="where they stood when the event went on last")
    drawn = models.PositiveSmallIntegerField(default=0, help_text="how many heats of theirs there were by then")
    over = models.PositiveSmallIntegerField(default=0, help_text="how many of these were over")
    barred_at = models.DateTimeField(null=True, help_text="when it ended for the second heat they did not come to")

    filler = models.OneToOneField(
        Match, models.SET_NULL, null=True, related_name="fills", help_text="against a bot, as nobody was free"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once"),
            models.UniqueConstraint(fields=["event", "user"], name="entered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}#{self.number}: {self.user_id}, {self.state}"

    @property
    def name(self) -> str:
        return self.user.shown_name if self.user else "—"

    @property
    def is_in(self) -> bool:
        return self.state == self.State.IN

    @property
    def is_paused(self) -> bool:
        return self.state == self.State.PAUSED

    @property
    def is_out(self) -> bool:
        return self.state == self.State.OUT


class Heat(models.Model):
    """People who meet at one table, or one alone, who has a bye; see `games.events.formats.Heat`."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="heats", db_index=False)
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    people = models.JSONField(help_text="numbers of entries, in the order of seats")
    places = models.JSONField(null=True, help_text="for each seat; null: not over, or it does not count")
    match = models.OneToOneField(Match, models.SET_NULL, null=True, related_name="heat")
    drawn_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    counted = models.BooleanField(default=False, help_text="the event has gone on since it was over")

    class Meta:
        ordering = ["round", "number"]
        constraints = [models.UniqueConstraint(fields=["event", "round", "number"], name="heat_once")]
        indexes = [models.Index(fields=["event"], condition=Q(over_at__isnull=False, counted=False), name="heat_new")]

    def __str__(self) -> str:
        return f"{self.event_id}, round {self.round}, heat {self.number}: {self.people}"

    @property
    def is_bye(self) -> bool:
        return len(self.people) == 1
