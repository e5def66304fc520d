"""What people are told, through which channels, and what they want to be told.

A `Notice` is written in the transaction of the event it tells about. When it is due, a worker creates a `Delivery` for
each channel; whether it is still wanted and true is checked again when it is sent.
"""

from __future__ import annotations

import secrets
import uuid
from datetime import time
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.clubs.models import Club
from games.play.models import Match


class Kind(models.TextChoices):
    TURN = "turn", _("Your turn")
    DEADLINE = "deadline", _("Your time is running out")
    INVITATION = "invitation", _("You are invited")
    STARTED = "started", _("A match has started")
    PAIRED = "paired", _("Players found")
    OVER = "over", _("A match has ended")
    AWAY = "away", _("An opponent goes on vacation")
    DECLINED = "declined", _("An offer of yours is declined")
    SERIES = "series", _("An opponent leaves a series")
    PLANNED = "planned", _("A planned table")
    FRIEND_ASKED = "friend-asked", _("Friend request")
    BEFRIENDED = "befriended", _("Friend request accepted")
    TABLE = "table", _("Tables of friends and people you follow")
    CONFIRM = "confirm", _("An event you entered starts soon")
    PAUSED = "paused", _("You are paused in an event")
    SEASON = "season", _("An event is over")
    CLUB = "club", _("Your clubs")
    CLUB_TABLE = "club-table", _("New tables and events of your clubs")
    CHAT = "chat", _("Messages")
    REPORT = "report", _("Your reports")
    MODERATION = "moderation", _("Messages from the moderators")
    PUZZLE = "puzzle", _("Daily puzzle")
    DIGEST = "digest", _("Daily digest")
    SECURITY = "security", _("Account security")


class Channel(models.TextChoices):
    PAGE = "page", _("On the site")
    PUSH = "push", _("Push")
    MAIL = "mail", _("Email")
    WEBHOOK = "webhook", _("Webhook")


DAILY = {
    Kind.PUZZLE: (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK),
    Kind.DIGEST: (Channel.MAIL,),
}
"""Kinds that come once a day and are about no match, with their channels."""

OF_PEOPLE = (Kind.FRIEND_ASKED, Kind.BEFRIENDED)
"""Kinds that are about another person (`Notice.by`) and no match."""

OF_NOBODY = (Kind.REPORT, Kind.MODERATION)
"""Kinds that need not be about a match or another person, and can be told repeatedly."""


OF_EVENTS = (Kind.CONFIRM, Kind.PAUSED, Kind.SEASON)
"""Kinds that are about an event, which `Notice.details` names."""


OF_CLUBS = (Kind.CLUB, Kind.CLUB_TABLE)
"""Kinds that are about a club, which `Notice.details` names, and can be told repeatedly."""


class Notice(models.Model):
    """Something to tell one person about one match or person; unique, so that it is told once."""

    # `told_once` finds them by user; each further index costs time at every move.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices", db_index=False)
    kind = models.CharField(max_length=12, choices=Kind)
    match = models.ForeignKey(
        Match, models.CASCADE, null=True, related_name="notices", help_text="null: it is about a person"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,
        help_text="of invitations: who invites; of friends: who they are; of tables: whose; of series: who left; "
        "of offers: who declined",
    )
    turn = models.PositiveIntegerField(
        default=0, help_text="of kinds about a turn: as Seat.turn; of offers: how many actions had been taken"
    )
    part = models.PositiveSmallIntegerField(
        default=0,
        help_text="turn: 1 for the last one missing; deadline: per cent of the time that are left; "
        "planned: minutes before it opens, 0 when it does not",
    )
    step = models.PositiveSmallIntegerField(default=0, help_text="how many of its ways have had their moment")
    details = models.JSONField(
        default=dict,
        help_text="what else its words need; of an answer to reports: the key of their `case`, `verdict` and `answer`; "
        "of events: the slug of the `event`, its `game`, and what `games.events.notices` says; "
        "of clubs: the slug of the `club`, and `what` happened there, as `games.clubs.notices` says, "
        "or the slug of its new `event`",
    )
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True, help_text="when to look at it again; null: never")
    seen_at = models.DateTimeField(null=True, help_text="when they saw the match, or this notice")

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "match", "kind", "turn", "part"], name="told_once"),
            models.UniqueConstraint(fields=["user", "kind", "by"], condition=Q(match=None), name="told_once_of_person"),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="notice_due"),
            models.Index(fields=["user", "-created_at"], name="notice_centre"),
            models.Index(fields=["user"], condition=Q(seen_at__isnull=True), name="notice_unseen"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.match_id}/{self.turn} → {self.user_id}"

    def get_absolute_url(self) -> str:
        if self.match is not None:
            page = {Kind.CHAT: "match_chat", Kind.SERIES: "series"}.get(Kind(self.kind))
            return reverse(page, args=[self.match.slug]) if page else self.match.get_absolute_url()
        if self.kind == Kind.CHAT:
            return reverse("conversation", args=[self.by.username]) if self.by else reverse("messages")
        if self.kind in {*OF_EVENTS, Kind.CLUB_TABLE}:
            return reverse("event", args=[self.details["event"]])
        if self.kind in OF_CLUBS:
            page_of = {"shut": "clubs", "invited": "club_invitation"}.get(self.details["what"], "club")
            return reverse(page_of, args=[] if page_of == "clubs" else [self.details["club"]])
        if self.kind in OF_NOBODY:
            return reverse("reports" if self.kind == Kind.REPORT else "standing")
        return self.by.get_absolute_url() if self.by and self.kind == Kind.BEFRIENDED else reverse("people")

    @property
    def about(self) -> Match:
        """Return the match it is about; only of kinds that are about one."""
        assert self.match is not None  # noqa: S101  # of all kinds but `OF_PEOPLE`
        return self.match


class Device(models.Model):
    """A browser that takes push messages (RFC 8030). It is deleted with the session that registered it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    session = models.CharField(max_length=40, db_index=True, help_text="key of the session; logging out ends both")
    endpoint = models.URLField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=120, help_text="the browser's public key, base64url")
    auth = models.CharField(max_length=40, help_text="the browser's secret, base64url")
    name = models.CharField(max_length=80, help_text="for instance Firefox, Linux")
    language = models.CharField(max_length=8, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"


class Webhook(models.Model):
    """An address that receives a person's notices, or the one of a club, which receives what happens there."""

    class Style(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        NTFY = "ntfy", "ntfy"
        JSON = "json", _("JSON, signed")

    class Disabled(models.TextChoices):
        GONE = "gone", _("This address no longer exists.")
        FAILING = "failing", _("It kept failing for more than a day.")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="webhooks", help_text="null: of a club"
    )
    club = models.OneToOneField(Club, models.CASCADE, null=True, related_name="webhook", help_text="null: of a person")
    language = models.CharField(_("language"), max_length=8, blank=True, help_text="of what a club is told")
    style = models.CharField(_("kind"), max_length=8, choices=Style)
    address = models.URLField(_("address"), max_length=500)
    secret = models.CharField(max_length=64, default=secrets.token_hex, help_text="key of the signature of JSON")
    failures = models.PositiveIntegerField(default=0, help_text="in a row")
    failing_since = models.DateTimeField(null=True, help_text="the first of these failures")
    not_before = models.DateTimeField(null=True, help_text="until then it asked to be left alone")
    disabled = models.CharField(max_length=8, choices=Disabled, blank=True, help_text="why it is told nothing any more")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "address"], name="webhook_once"),
            models.CheckConstraint(
                condition=Q(user=None, club__isnull=False) | Q(user__isnull=False, club=None), name="webhook_of_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id or f'club {self.club_id}'}: {self.style}"


class Delivery(models.Model):
    """One message through one channel. The worker that sends it holds a lease; when that ends, another may try."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        DROPPED = "dropped"  # it was outdated
        DEAD = "dead"  # failed too often

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="deliveries", help_text="null: it has content"
    )
    content = models.JSONField(
        null=True,
        help_text="of a letter (channels/mail.py), or of what a club is told (channels/webhooks.py); deleted when it "
        "is sent",
    )
    notice = models.ForeignKey(Notice, models.CASCADE, null=True, related_name="deliveries", help_text="null: daily")
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.DIGEST, help_text="of what comes daily")
    channel = models.CharField(max_length=8, choices=Channel)
    device = models.ForeignKey(Device, models.CASCADE, null=True)
    webhook = models.ForeignKey(Webhook, models.CASCADE, null=True)
    key = models.CharField(max_length=100, unique=True, help_text="what is sent once")
    uid = models.UUIDField(default=uuid.uuid4, editable=False, help_text="how receivers know a message sent again")
    host = models.CharField(max_length=255, blank=True, help_text="where it goes; each host has a budget")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, help_text="its first failure")
    sent_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state="waiting"), name="delivery_due"),
            models.Index(fields=["user", "-sent_at"], condition=Q(state="sent"), name="delivery_sent"),
            models.Index(fields=["lease_until"], condition=Q(lease_until__isnull=False), name="delivery_held"),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.state}"

    @property
    def reader(self) -> Any:
        """Whom it is for.

        Raises:
            ValueError: it has content, and is for an address.
        """
        if self.user is None:
            raise ValueError(f"{self} is for nobody with an account")
        return self.user

    @property
    def letter(self) -> dict[str, Any]:
        """The content of a letter; empty for everything else."""
        content: dict[str, Any] | None = self.content
        return content if content and self.channel == Channel.MAIL else {}

    @property
    def named(self) -> str:
        """What has content, as operators may see it: never a link or a secret address."""
        if not self.letter:
            return f"a message of a club to {self.host}"
        return f"the email {self.letter['subject']!r} to {', '.join(self.letter['to'])}"


MAIL_SERVER = "mail server"
"""The name of the `Host` that is our own mail server; no host name can contain a space."""


class Host(models.Model):
    """A host whose last message failed, and until when it is left alone. Hosts that work have no row."""

    name = models.CharField(max_length=255, unique=True)
    failures = models.PositiveIntegerField(default=0, help_text="in a row")
    failed_at = models.DateTimeField(default=timezone.now)
    not_before = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.failures}"


_LOUD = (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK)

_IF_ASKED_FOR = {
    **DAILY,
    Kind.BEFRIENDED: (Channel.MAIL,),
    Kind.TABLE: _LOUD,
    Kind.CLUB_TABLE: _LOUD,
    Kind.CHAT: (Channel.WEBHOOK,),
}


def not_wanted_at_first() -> list[str]:
    """Return what people are told only if they ask for it, each as "kind.channel"."""
    return [f"{kind}.{channel}" for kind, channels in _IF_ASKED_FOR.items() for channel in channels]


class Preferences(models.Model):
    """What a person wants to be told, how and when. Without a row, the defaults apply."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_preferences")
    off = models.JSONField(default=not_wanted_at_first, help_text='what is not wanted: "kind.channel"')
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    digest_at = models.TimeField(_("at"), default=time(18), help_text="on the wall clock of their zone")
    puzzle_at = models.TimeField(_("at"), default=time(8), help_text="on the wall clock of their zone")
    language = models.CharField(max_length=8, blank=True, help_text="of their browser when they made the calendar")
    feed_key = models.CharField(max_length=43, unique=True, default=secrets.token_urlsafe, help_text="of the calendar")

    def __str__(self) -> str:
        return f"{self.user_id}: without {', '.join(self.off) or 'nothing'}"

    def wants(self, kind: str, channel: str) -> bool:
        """Return whether this person wants to be told about a kind through a channel."""
        return f"{kind}.{channel}" not in self.off

    @classmethod
    def of(cls, user: Any) -> Preferences:
        """Return a person's own, or the defaults (not saved)."""
        return cls.objects.filter(user=user).first() or cls(user=user)


class Mute(models.Model):
    """A match that a person does not want to hear about."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mutes")
    match = models.ForeignKey(Match, models.CASCADE, related_name="mutes")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.user_id} × {self.match_id}"


class DailyHour(models.Model):
    """When a person is next sent what comes daily; a worker claims it by moving it to the next day."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="daily_hours")
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.DIGEST)
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="daily_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind} {self.due_at:%Y-%m-%d %H:%M}"
