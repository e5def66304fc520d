"""Reports, the cases that collect them, and the log of what moderators have done.

References to people, matches and messages become null when those are deleted; the rows remain.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction
from games.chat.models import Message
from games.clubs.models import Club
from games.play.models import Match

WORDS = 500
"""The most characters of a report, a reason or an answer."""

CLAIM = timedelta(minutes=30)
"""How long a case is reserved for the moderator who has claimed it."""


class Case(models.Model):
    """All reports about one person, one match or one club, decided together."""

    class Verdict(models.TextChoices):
        ACTED = "acted", _("We have done something about it.")
        NOTHING = "nothing", _("We found nothing that breaks the rules.")

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="cases")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="cases")
    club = models.ForeignKey(Club, models.SET_NULL, null=True, related_name="cases")
    opened_at = models.DateTimeField(default=timezone.now)
    claimed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    claimed_at = models.DateTimeField(null=True)
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True, help_text="empty while it is open")
    answer = models.CharField(max_length=WORDS, blank=True, help_text="told to those who reported")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["opened_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["person"], condition=Q(decided_at=None, match=None), name="one_open_case_of_a_person"
            ),
            models.UniqueConstraint(fields=["match"], condition=Q(decided_at=None), name="one_open_case_of_a_match"),
            models.UniqueConstraint(fields=["club"], condition=Q(decided_at=None), name="one_open_case_of_a_club"),
        ]
        indexes: ClassVar = [models.Index(fields=["opened_at"], condition=Q(decided_at=None), name="case_open")]

    def __str__(self) -> str:
        return f"case {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.decided_at is None

    @property
    def holder(self) -> Any:
        """Return the moderator for whom it is reserved, None if there is none."""
        held = self.claimed_at is not None and self.claimed_at <= timezone.now() < self.claimed_at + CLAIM
        return self.claimed_by if held and self.is_open else None


class Report(models.Model):
    """A report to the moderators, with a copy of what was reported."""

    class About(models.TextChoices):
        PERSON = "person", _("Person")
        NAME = "name", _("Name")
        MESSAGE = "message", _("Message")
        MATCH = "match", _("Match")
        CLUB = "club", _("Club")

    class Why(models.TextChoices):
        INSULT = "insult", _("Insults, threats or hatred")
        SPAM = "spam", _("Advertising or spam")
        CHEATING = "cheating", _("Cheating, or playing together in secret")
        STALLING = "stalling", _("Makes others wait or leaves on purpose")
        NAME = "name", _("An unsuitable name")
        OTHER = "other", _("Something else")

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reports")
    about = models.CharField(max_length=8, choices=About)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reported")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="reports")
    club = models.ForeignKey(Club, models.SET_NULL, null=True, related_name="reports")
    message = models.ForeignKey(Message, models.SET_NULL, null=True, related_name="reports")
    quote = models.CharField(max_length=WORDS, blank=True, help_text="the message, the name, or what the club said")
    why = models.CharField(max_length=8, choices=Why)
    words = models.CharField(max_length=WORDS, blank=True)
    at = models.DateTimeField(default=timezone.now)
    case = models.ForeignKey(Case, models.CASCADE, related_name="reports")

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["by", "-at"], name="reports_by")]

    def __str__(self) -> str:
        return f"report {self.pk} of a {self.about}: {self.why}"


class Unchangeable(TypeError):
    """Raised for attempts to change or delete the log of moderators."""


class DeedQuerySet(models.QuerySet["Deed"]):
    """Allows reading and inserting only; triggers in the database refuse the rest too (`games.moderation.triggers`)."""

    def update(self, **_values: Any) -> NoReturn:
        raise Unchangeable("The log is only written, never changed.")

    def bulk_update(self, *_args: Any, **_more: Any) -> NoReturn:
        raise Unchangeable("The log is only written, never changed.")

    def delete(self) -> NoReturn:
        raise Unchangeable("Nothing is deleted from the log.")


class By(models.TextChoices):
    """Who did something, stored in `Deed.details`, because `Deed.by` becomes null with the account."""

    COMMAND = "command"
    MODERATOR = "moderator"


class Deed(models.Model):
    """An entry in the log: what a moderator did, and why. It can neither be changed nor deleted."""

    class Act(models.TextChoices):
        WARN = "warn", _("Warned")
        SILENCE = "silence", _("Silenced")
        SUSPEND = "suspend", _("Suspended")
        CLOSE = "close", _("Closed the account")
        RENAME = "rename", _("Renamed")
        LIFT = "lift", _("Lifted")
        SHUT = "shut", _("Closed the table")
        ABORT = "abort", _("Aborted the match")
        ANNUL = "annul", _("Decided that the match does not count")
        AWARD = "award", _("Decided the result")
        REINSTATE = "reinstate", _("Let the result stand as played")
        DECIDE = "decide", _("Decided the case")
        REOPEN = "reopen", _("Opened the case again")
        CLUB_NAME = "club-name", _("Renamed the club")
        CLUB_TEXT = "club-text", _("Removed the text of the club")
        CLUB_SHUT = "club-shut", _("Closed the club")
        ROLE = "role", _("Changed the role")
        UNLOCK = "unlock", _("Removed the second factors")
        CONFIRM = "confirm", _("Confirmed the email address")
        SETTLE = "settle", _("Settled a finding")
        UNSETTLE = "unsettle", _("Opened a finding again")

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="deeds", help_text="null: see `By`"
    )
    act = models.CharField(max_length=10, choices=Act)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="deeds_about")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="deeds")
    case = models.ForeignKey(Case, models.SET_NULL, null=True, related_name="deeds")
    sanction = models.ForeignKey(Sanction, models.SET_NULL, null=True, related_name="deeds")
    reason = models.CharField(max_length=WORDS)
    details = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now)

    objects = DeedQuerySet.as_manager()

    REVERSIBLE: ClassVar = frozenset(
        {Act.WARN, Act.SILENCE, Act.SUSPEND, Act.CLOSE, Act.RENAME, Act.ANNUL, Act.AWARD, Act.DECIDE, Act.SETTLE}
    )

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.act}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk:
            raise Unchangeable("The log is only written, never changed.")
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise Unchangeable("Nothing is deleted from the log.")

    @property
    def is_by_command(self) -> bool:
        """Return whether it was a command of the operator, rather than a moderator whose account is gone."""
        return self.by is None and self.details.get("by") != By.MODERATOR

    @property
    def is_reversible(self) -> bool:
        """Return whether it can be taken back, unless it was replaced; sanctions only while they run."""
        return self.act in self.REVERSIBLE and (self.sanction is None or self.sanction.runs)
