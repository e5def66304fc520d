"""Clubs: who belongs to them and in which role, who wants to, and the tables that are theirs alone.

Lower levels ask `games.clubs.membership` about them; what is written stands in `games.clubs.services`.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.names import TITLE_LENGTH, isolated, skeleton
from accounts.questions import NOBODY
from games.play.clocks import control_in_words, read_control
from games.play.models import Match, Speed, new_slug
from games.titles import Title, titles

TEXT_LENGTH = 500
LINK_LENGTH = 22


def new_link() -> str:
    """Return the secret part of an invitation link (128 bits)."""
    return secrets.token_urlsafe(16)


class Club(models.Model):
    """People who play together. Of a private one nobody else learns that it exists.

    Its address is random, so that it stays as it is whatever the club is called, and reveals nothing.
    """

    class Joining(models.TextChoices):
        OPEN = "open", _("Anyone can join")
        REQUEST = "request", _("By request: owners and helpers decide")
        LINK = "link", _("By invitation link only")

    slug = models.CharField(max_length=20, unique=True, default=new_slug, editable=False)
    name = models.CharField(max_length=TITLE_LENGTH)
    skeleton = models.CharField(max_length=8 * TITLE_LENGTH, editable=False, help_text="what the name looks like")
    text = models.CharField(max_length=TEXT_LENGTH, default="", blank=True)
    joining = models.CharField(max_length=8, choices=Joining, default=Joining.REQUEST)
    private = models.BooleanField(default=False, help_text="for its members alone; it is joined by link")
    link = models.CharField(max_length=LINK_LENGTH, unique=True, default=new_link, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            # Private ones are left out: nobody may learn from a refused name that there is one.
            models.UniqueConstraint(fields=["skeleton"], condition=Q(private=False), name="club_looks_once"),
            models.CheckConstraint(condition=Q(private=False) | Q(joining="link"), name="private_club_by_link"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.skeleton = skeleton(self.name).replace(" ", "")
        if (fields := kwargs.get("update_fields")) is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "skeleton"}
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def shown_name(self) -> str:
        """The name as it is shown among other words (`accounts.names.isolated`)."""
        return isolated(self.name)


class Member(models.Model):
    """Somebody who belongs to a club, and what they may do there."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        HELPER = "helper", _("Helper")
        MEMBER = "member", _("Member")

    club = models.ForeignKey(Club, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["since", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.club_id}: {self.role}"

    @property
    def is_owner(self) -> bool:
        return self.role == self.Role.OWNER

    @property
    def leads(self) -> bool:
        """Return whether they are owner or helper."""
        return self.role in {self.Role.OWNER, self.Role.HELPER}


class JoinRequest(models.Model):
    """Somebody who asks to become a member, until that is accepted; a declined one keeps them from asking at once."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="requests", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_requests")
    at = models.DateTimeField(default=timezone.now)
    declined_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="club_asked_once")]

    def __str__(self) -> str:
        return f"{self.user_id} asks {self.club_id}"


class Removal(models.Model):
    """Keeps somebody out of a club who was removed from it, until an owner or helper lets them in again."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="removals", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_removals")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="club_removed_once")]

    def __str__(self) -> str:
        return f"{self.club_id} ✗ {self.user_id}"


class ClubTable(models.Model):
    """A table or match that only the members of a club can see and sit down at."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="of_club")
    club = models.ForeignKey(Club, models.CASCADE, related_name="tables")

    def __str__(self) -> str:
        return f"{self.match_id} of {self.club_id}"


# --- names on a list (`games.clubs.roster`) ---------------------------------------------------------------------------


class ClubInvitationQuerySet(models.QuerySet["ClubInvitation"]):
    def open_to(self, user: Any) -> ClubInvitationQuerySet:
        """Return those that somebody can accept."""
        return self.filter(user=user.pk or NOBODY, declined_at=None, withheld=False)


class ClubInvitation(models.Model):
    """Lets somebody join a club whoever may do so otherwise, until they have declined; one for each person and club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, db_index=True)
    declined_at = models.DateTimeField(null=True)
    withheld = models.BooleanField(default=False, help_text="the two are kept apart: the invited person never sees it")

    objects = ClubInvitationQuerySet.as_manager()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="club_invited_once")]

    def __str__(self) -> str:
        return f"{self.club_id} → {self.user_id}"


# --- the same evening each week (`games.clubs.evenings`) --------------------------------------------------------------


class Evening(models.Model):
    """A time of the week at which a club plays: a week ahead a job makes its next table, or its next tournament.

    The time is one of a wall clock, so it stays the same when summer time begins or ends.
    """

    class What(models.TextChoices):
        TABLE = "table", _("A planned table")
        SWISS = "swiss", _("A Swiss tournament")

    class Weekday(models.IntegerChoices):
        MONDAY = 0, _("Monday")
        TUESDAY = 1, _("Tuesday")
        WEDNESDAY = 2, _("Wednesday")
        THURSDAY = 3, _("Thursday")
        FRIDAY = 4, _("Friday")
        SATURDAY = 5, _("Saturday")
        SUNDAY = 6, _("Sunday")

    club = models.ForeignKey(Club, models.CASCADE, related_name="evenings")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    what = models.CharField(max_length=8, choices=What, default=What.TABLE)
    weekday = models.PositiveSmallIntegerField(choices=Weekday)
    at = models.TimeField()
    zone = models.CharField(max_length=64, help_text="whose wall clock shows that time")
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    seats = models.PositiveSmallIntegerField()
    speed = models.CharField(max_length=8, choices=Speed, default=Speed.LIVE)
    clock = models.CharField(max_length=40, help_text="a clocks.Control")
    rated = models.BooleanField(default=False)
    rounds = models.PositiveSmallIntegerField(null=True, help_text="of a tournament")
    round_length = models.DurationField(null=True, help_text="of a tournament: within which its clock ends a match")
    paused = models.BooleanField(default=False)
    next_day = models.DateField(help_text="the first that is not made yet")
    due_at = models.DateTimeField(help_text="when it is made")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["weekday", "at", "pk"]
        indexes = [models.Index(fields=["due_at"], condition=Q(paused=False), name="evening_due")]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.what} {self.game}, {self.get_weekday_display()} {self.at}"

    @property
    def title(self) -> Title | None:
        """The title it plays, None if the site has it no longer."""
        return titles().get(self.game)

    @property
    def game_name(self) -> str:
        return self.title.game.name if self.title else self.game

    @property
    def clock_in_words(self) -> str:
        return control_in_words(read_control(self.clock)) if self.clock else ""


class EveningDayQuerySet(models.QuerySet["EveningDay"]):
    def coming(self, club: Club) -> EveningDayQuerySet:
        """Return what a club can look forward to, the next first: made, ahead, and not called off."""
        ahead = self.filter(evening__club=club, begins_at__gt=timezone.now(), refusal="")
        stays = Q(match__status=Match.Status.PLANNED) | Q(event__state="open")
        return ahead.filter(stays).select_related("evening", "match", "event").order_by("begins_at", "pk")


class EveningDay(models.Model):
    """What was made for one day of an evening, once."""

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="days", db_index=False)
    day = models.DateField()
    begins_at = models.DateTimeField()
    match = models.OneToOneField(Match, models.SET_NULL, null=True, related_name="of_evening")
    # Events lie above, and know clubs.
    event = models.OneToOneField("events.Event", models.SET_NULL, null=True, related_name="of_evening")
    refusal = models.CharField(max_length=200, default="", blank=True, help_text="why it could not be made")
    made_at = models.DateTimeField(default=timezone.now)

    objects = EveningDayQuerySet.as_manager()

    class Meta:
        ordering = ["-day"]
        constraints = [models.UniqueConstraint(fields=["evening", "day"], name="evening_day_once")]

    def __str__(self) -> str:
        return f"{self.evening_id} on {self.day}"
