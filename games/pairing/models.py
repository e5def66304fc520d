"""Who waits for a match, and the offers made to them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.play.models import SLUG_LENGTH, Match, Speed, new_slug
from games.titles import Title, titles


class Offer(models.Model):
    """A live match that begins when everybody has said that they are there. Its members are waits.

    The server seed of the match is drawn now, and its commitment is shown before anybody adds a nonce of their own.
    """

    slug = models.CharField(max_length=SLUG_LENGTH, default=new_slug, help_text="of the match it becomes")
    server_seed = models.BinaryField(max_length=32)
    commit = models.CharField(max_length=64)
    seats = models.PositiveSmallIntegerField(help_text="how many were asked")
    created_at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(db_index=True, help_text="when those who have not answered are withdrawn")

    def __str__(self) -> str:
        return f"offer {self.pk}"


class WaitQuerySet(models.QuerySet["Wait"]):
    def current(self) -> WaitQuerySet:
        """Return the waits that go on."""
        return self.filter(state=Wait.State.WAITING)

    def free(self) -> WaitQuerySet:
        """Return the waits that can be paired."""
        return self.current().filter(offer=None)


class Wait(models.Model):
    """Somebody who waits, or has waited, for others to play with.

    A person can wait for one live match, and for one over days of each game. Waits that have ended are kept for a
    while, to say how long one usually waits.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        PAIRED = "paired"
        WITHDRAWN = "withdrawn"  # by the person, because they were away, or because they did not answer

    class Why(models.TextChoices):
        """Why a wait was withdrawn without being asked to."""

        AWAY = "away"  # every page was closed
        LATE = "late"  # an offer was not answered in time
        DECLINED = "declined"  # for the second time
        REFUSED = "refused"  # a limit, or a rule of the site

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="waits")
    game = models.CharField(max_length=40)
    speed = models.CharField(max_length=8, choices=Speed)
    rated = models.BooleanField()
    seats = models.JSONField(help_text="the numbers of players they accept")
    accepts = models.JSONField(default=dict, help_text="by option, the values they accept")
    since = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now, help_text="when a page of theirs was open")
    address = models.CharField(max_length=45, default="", blank=True, help_text="whence, while it goes on")
    declined = models.PositiveSmallIntegerField(default=0)
    offer = models.ForeignKey(Offer, models.SET_NULL, null=True, related_name="waits")
    ready = models.BooleanField(default=False, help_text="they have said so to the offer")
    nonce = models.BinaryField(max_length=64, default=bytes, help_text="their share of the shuffle, with the answer")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    why = models.CharField(max_length=10, choices=Why, blank=True)
    refusal = models.CharField(max_length=300, blank=True, help_text="the sentence of a refusal")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="waits")
    ended_at = models.DateTimeField(null=True)

    objects = WaitQuerySet.as_manager()

    class Meta:
        ordering = ["since", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(state="waiting", speed="live"), name="waits_live_once"
            ),
            models.UniqueConstraint(
                fields=["user", "game"], condition=Q(state="waiting", speed="days"), name="waits_days_once"
            ),
        ]
        indexes = [
            models.Index(fields=["game", "speed", "rated"], condition=Q(state="waiting"), name="wait_pool"),
            models.Index(fields=["game", "speed", "rated", "-ended_at"], name="wait_ended"),
            models.Index(fields=["user", "-ended_at"], name="wait_of_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game} {self.speed} since {self.since:%H:%M:%S}"

    @property
    def title(self) -> Title:
        return titles()[self.game]

    @property
    def is_live(self) -> bool:
        return self.speed == Speed.LIVE

    @property
    def is_asked(self) -> bool:
        return self.offer_id is not None and not self.ready

    @property
    def waited(self) -> timedelta:
        return (self.ended_at or timezone.now()) - self.since

    def end(self, state: str, **fields: Any) -> None:
        """End a locked wait."""
        self.offer, self.ready, self.nonce, self.address = None, False, b"", ""
        self.state, self.ended_at = state, timezone.now()
        for name, value in fields.items():
            setattr(self, name, value)
        self.save()


class Lapse(models.Model):
    """Somebody did not take up an offer and kept another waiting; one row for each of the others.

    It is kept for a day, and counts for its network address even after the account has been deleted.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    address = models.CharField(max_length=45, default="", blank=True, help_text="network address, as of a wait")
    offer = models.CharField(max_length=SLUG_LENGTH, help_text="slug of the offer")
    passed = models.BooleanField(help_text="let pass, not declined soon")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["user", "at"], name="lapse_of_person"),
            models.Index(fields=["address", "at"], name="lapse_of_address"),
            models.Index(fields=["at"], name="lapse_age"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} let {self.other_id} wait"


class Habit(models.Model):
    """What somebody chose last when they looked for players of a game."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(max_length=40)
    speed = models.CharField(max_length=8, choices=Speed)
    rated = models.BooleanField()
    seats = models.JSONField()
    accepts = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="habit_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game}"
