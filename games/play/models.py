"""Matches, their seats and actions, and what is kept beside them."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games.engine.fair import SALT_BYTES
from games.engine.protocol import AnyGame
from games.play.clocks import Control, control_in_words, longest_turn_in_words, pace_in_words, read_control
from games.titles import Title, rules_of, titles

SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no characters that look alike
SLUG_LENGTH = 10


def new_slug() -> str:
    """Return a part of an address that nobody can guess (49 bits)."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(SLUG_LENGTH))


class Speed(models.TextChoices):
    LIVE = "live", _("Live")
    DAYS = "days", _("Over days")


class Level(models.TextChoices):
    """How well a bot plays: the names of `games.titles.bots`."""

    NOVICE = "novice", _("Novice")
    COMPANION = "companion", _("Companion")
    MASTER = "master", _("Master")
    GRANDMASTER = "grandmaster", _("Grandmaster")


class AbortReason(StrEnum):
    """Why a match was aborted, as stored in `Match.reason`; older matches say "aborted"."""

    NO_SHOW = "no-show"  # time was up before everybody had acted
    CALLED_OFF = "called-off"  # by one player, before anybody had acted
    AGREED = "agreed"
    FAULT = "fault"  # of the game: a player wanted to leave a match that can no longer be read
    MODERATORS = "moderators"  # while it ran, or it does not count since


AWARDED = "awarded"
"""`Match.reason` of a match whose places moderators have decided."""


class MatchQuerySet(models.QuerySet["Match"]):
    def waiting_for(self, user: Any) -> MatchQuerySet:
        """Return the running matches in which this person is to move, by deadline and then by waiting time."""
        seats = Seat.objects.filter(user=user, to_move=True)
        until = models.Subquery(seats.filter(match=models.OuterRef("pk")).values("deadline")[:1])
        waiting = self.filter(status=Match.Status.RUNNING, pk__in=seats.values("match"))
        return waiting.order_by(until.asc(nulls_last=True), "moved_at", "pk")

    def of(self, user: Any) -> MatchQuerySet:
        return self.filter(pk__in=Seat.objects.filter(user=user).values("match"))

    def seen_by(self, user: Any) -> MatchQuerySet:
        """Return what this person can find in lists: public matches and their own."""
        public = Q(visibility=Match.Visibility.PUBLIC)
        if not user.is_authenticated:
            return self.filter(public)
        return self.filter(public | Q(pk__in=Seat.objects.filter(user=user).values("match")))


class Match(models.Model):
    """One play of a game, from the open table to the end."""

    class Status(models.TextChoices):
        PLANNED = "planned", _("Planned table")  # opens at `opens_at`
        OPEN = "open", _("Open table")
        RUNNING = "running", _("Running")
        OVER = "over", _("Over")
        ABORTED = "aborted", _("Aborted")
        CLOSED = "closed", _("Closed")  # a table that never began

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("Public")
        LINK = "link", _("Anyone with the link")
        FRIENDS = "friends", _("Friends of the host")
        CLUB = "club", _("Members of a club")
        PRIVATE = "private", _("Invited players only")

    class SeatOrder(models.TextChoices):
        RANDOM = "random", _("Random")
        AS_SAT = "as-sat", _("In the order players sit down")

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    game = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField()
    speed = models.CharField(max_length=8, choices=Speed, default=Speed.LIVE)
    clock = models.CharField(max_length=40, default="", blank=True, help_text="a clocks.Control; empty: no clock")
    excludes_vacations = models.BooleanField(default=False, help_text="day clocks run on while their players are away")
    rated = models.BooleanField(default=True)
    has_bots = models.BooleanField(default=False, help_text="a seat belongs to a bot: the match is casual")
    practice = models.BooleanField(default=False, help_text="decisions against bots were taken back")
    hints = models.BooleanField(default=False, help_text="a player was shown what to do")
    one_device = models.BooleanField(default=False, help_text="two seats were played from one: it is not rated")
    reliability = models.PositiveSmallIntegerField(default=0, help_text="turns in a hundred who sits down came to")
    rating_from = models.PositiveSmallIntegerField(null=True, help_text="the lowest rating of who sits down")
    rating_to = models.PositiveSmallIntegerField(null=True, help_text="the highest rating of who sits down")
    kept = models.PositiveSmallIntegerField(default=0, help_text="how many seats are kept for friends of the host")
    note = models.CharField(max_length=100, default="", blank=True, help_text="of the host")
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    seat_order = models.CharField(max_length=8, choices=SeatOrder, default=SeatOrder.RANDOM)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="hosted")
    previous = models.OneToOneField("self", models.SET_NULL, null=True, related_name="rematch")

    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    server_seed = models.BinaryField(max_length=32)
    commit = models.CharField(max_length=64)
    version = models.PositiveIntegerField(default=0, help_text="raised by whatever changes what somebody sees")
    length = models.PositiveIntegerField(default=0, help_text="number of actions not taken back")
    turn = models.PositiveIntegerField(null=True, help_text="the action that ended the previous turn, as in Position")
    turn_version = models.PositiveIntegerField(default=0, help_text="version with which the turn began")
    opened = models.PositiveIntegerField(default=0, help_text="actions up to this one are secret no more")
    state = models.TextField(default="", blank=True)
    reason = models.CharField(max_length=200, default="", blank=True)

    opens_at = models.DateTimeField(null=True, help_text="when a planned table opens, or opened")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    moved_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["-ended_at", "-id"], condition=Q(status="over", visibility="public"), name="match_ended"
            ),
            # With filters the archive asks for each (game, speed, rated) and merges, so one index serves all of them.
            models.Index(
                fields=["status", "visibility", "game", "speed", "rated", "-ended_at", "-id"], name="match_archive"
            ),
            models.Index(fields=["-created_at"], condition=Q(status="open"), name="match_open"),
            models.Index(fields=["opens_at"], condition=Q(status="planned"), name="match_planned"),
            models.Index(fields=["-moved_at"], condition=Q(status="running"), name="match_running"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.slug])

    @property
    def title(self) -> Title:
        return titles()[self.game]

    @property
    def rules(self) -> AnyGame:
        """The rules by which this match is played: those of the version it began with."""
        return rules_of(self.game, self.rules_version)

    @property
    def control(self) -> Control | None:
        return read_control(self.clock) if self.clock else None

    @property
    def clock_in_words(self) -> str:
        words = control_in_words(self.control) if self.control else ""
        runs_on = words and self.excludes_vacations and self.speed == Speed.DAYS
        return gettext("%(clock)s, no vacations") % {"clock": words} if runs_on else words

    @property
    def pace_in_words(self) -> str:
        return pace_in_words(self.control) if self.control else ""

    @property
    def longest_turn(self) -> str:
        """Return how long one turn can last at worst, in words; empty without a clock: for ever."""
        return longest_turn_in_words(self.control, self.speed == Speed.DAYS, not self.excludes_vacations)

    @property
    def is_secluded(self) -> bool:
        """Return whether only some people may see the match, whatever link they have."""
        return self.visibility in {self.Visibility.FRIENDS, self.Visibility.CLUB, self.Visibility.PRIVATE}

    @property
    def is_planned(self) -> bool:
        return self.status == self.Status.PLANNED

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.OVER

    @property
    def has_ended(self) -> bool:
        return self.status in {self.Status.OVER, self.Status.ABORTED}


PLAYED_BY_BOT = Q(left__isnull=False) | Q(bot__isnull=False)
"""Condition on a seat: it belongs to a bot, or its player has left and a bot plays on for it."""

STAND_IN = Level.COMPANION
"""Plays on for players who have left."""


# Where a constraint begins with the match, its index serves for the match alone, too. Hence `db_index=False`, here and
# in other apps.


class Seat(models.Model):
    """A place in a match, and who sits there. Its number is final once the match has begun.

    The seat of a bot has a level and no user.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats")
    bot = models.CharField(  # noqa: DJ001  # unlike "", null needs no value in the condition of an index
        max_length=12, choices=Level, null=True, help_text="null: the seat of a person"
    )
    namesake = models.PositiveSmallIntegerField(default=0, help_text="how many bots of its level sat down before it")
    nonce = models.BinaryField(max_length=64, default=b"", blank=True)
    joined = models.PositiveSmallIntegerField(null=True, help_text="order of sitting down, from 0; null: the number")
    to_move = models.BooleanField(default=False)
    turn = models.PositiveIntegerField(default=0, help_text="the action that began their turn, as Match.turn")
    turns = models.PositiveIntegerField(default=0, help_text="ended in time")
    timed_out = models.BooleanField(default=False, help_text="ran out of time, which ended the match for them")
    no_show = models.BooleanField(default=False, help_text="left before it could count, and let others down")
    left = models.PositiveSmallIntegerField(null=True, help_text="order of leaving, from 1; null while seated")
    acted = models.BooleanField(default=False, help_text="the player has acted, even if it was taken back")
    offers_abort = models.BooleanField(default=False)
    declined_by = models.PositiveSmallIntegerField(
        null=True, help_text="the seat that declined its offer to abort; null once somebody has acted, or it is read"
    )
    asked = models.CharField(
        max_length=60, default="", blank=True, help_text="kind and client_id of the latest request that was no action"
    )
    bank = models.DurationField(null=True, help_text="time left when the clock last stood; null without a clock")
    running_since = models.DateTimeField(null=True, help_text="null while the clock is stopped")
    deadline = models.DateTimeField(null=True, help_text="when the running clock will have spent the bank")
    rest = models.CharField(max_length=120, default="", blank=True, help_text="of day clocks: a clocks.Rest")
    away_until = models.DateTimeField(null=True, help_text="end of the vacation that moved the deadline")
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)
    solo_rank = models.IntegerField(null=True, help_text="for the table of best solo results; higher is better")
    counts = models.JSONField(default=dict, blank=True, help_text="what the game counted, for statistics")
    ended_at = models.DateTimeField(null=True, help_text="as the match's, so that a person's history is one index")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["match", "user"], name="nobody_in_two_seats"),
        ]
        indexes = [
            models.Index(fields=["user"], condition=Q(to_move=True), name="seat_to_move"),
            models.Index(fields=["user", "-ended_at", "-match"], name="seat_history"),
            models.Index(fields=["deadline"], condition=Q(deadline__isnull=False), name="seat_deadline"),
            models.Index(fields=["user", "-ended_at"], condition=Q(no_show=True), name="seat_no_show"),
            models.Index(fields=["bot", "-ended_at"], condition=Q(bot__isnull=False), name="seat_bot_history"),
            models.Index(fields=["match"], condition=Q(to_move=True) & PLAYED_BY_BOT, name="seat_of_bot"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"

    @property
    def name(self) -> str:
        return name_at(self.bot, self.namesake, self.user)

    @property
    def is_bot(self) -> bool:
        return self.bot is not None

    @property
    def is_guest(self) -> bool:
        return self.user is not None and self.user.guest

    @property
    def has_left(self) -> bool:
        return self.left is not None


def name_at(bot: str | None, namesake: int, user: User | None) -> str:
    """Return the name shown at a seat; the arguments are as in `Seat`."""
    if bot is not None:
        return f"{Level(bot).label} {namesake + 1}" if namesake else str(Level(bot).label)
    return user.shown_name if user else "—"


def enough_acted(seats: Collection[Seat]) -> bool:
    """Return whether enough players have acted for a match to be rated: of two both, of more at least two.

    Those who did not come to a match of three or more are placed last, and it counts for the others.
    """
    return sum(seat.acted for seat in seats) >= min(len(seats), 2)


def in_company(seats: Iterable[Seat]) -> bool:
    """Return whether several people play; nobody is let down in a match alone, or against bots alone."""
    return sum(not seat.is_bot for seat in seats) > 1


class Action(models.Model):
    """An action as a seat took it. It never changes, except that an undo withdraws it."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="actions", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=500)
    client_id = models.CharField(  # noqa: DJ001  # unlike "", null is never equal to another
        max_length=40, null=True, help_text="chosen by the player's page; null: an action of the site itself"
    )
    at = models.DateTimeField(default=timezone.now)
    clock = models.DurationField(null=True, help_text="what the seat had left at it, before any increment")
    by_bot = models.BooleanField(default=False)
    reveals = models.BooleanField(default=True)
    events = models.TextField(default="", help_text="encoded events, each with who may see it")
    seal = models.CharField(max_length=64, default="", blank=True, help_text="of an action asked for in secret")
    salt = models.BinaryField(max_length=SALT_BYTES, default=b"", blank=True)
    withdrawn = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "number"], condition=Q(withdrawn=False), name="action_number_once"
            ),
            models.UniqueConstraint(fields=["match", "client_id"], name="action_client_id_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.number} {self.text}"


class Absence(models.Model):
    """Somebody promised to come to a planned table, and did not."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="absences", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="absences")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="absent_once")]
        indexes = [models.Index(fields=["user", "-at"], name="absences_of")]

    def __str__(self) -> str:
        return f"{self.user_id} not at {self.match_id}"


class Vacation(models.Model):
    """Days when somebody's day clocks are stopped; `end` moves if they come back early.

    The year is that of the person's zone when it began: it stays the same, in whatever zone they are later.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="vacations")
    begin = models.DateTimeField()
    end = models.DateTimeField()
    year = models.PositiveSmallIntegerField(help_text="whose budget it is charged to")

    class Meta:
        ordering = ["begin"]
        indexes = [models.Index(fields=["user", "end"], name="vacation_of")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.begin:%Y-%m-%d} to {self.end:%Y-%m-%d}"


class Presence(models.Model):
    """When somebody last looked at a match: in a visible tab, not merely an open one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="presences")
    match = models.ForeignKey(Match, models.CASCADE, related_name="presences")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="one_presence_each")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.match_id}: {self.at:%Y-%m-%d %H:%M:%S}"


class Ruling(models.Model):
    """What moderators decided about a match that was over: other places, or that it does not count.

    The actions remain the truth of what was played; `played` is what comes of them.
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="ruling")
    places = models.JSONField(null=True, help_text="by seat; null: the match does not count")
    played = models.JSONField(help_text="how the match had ended: places by seat, and the reason")
    why = models.CharField(max_length=500, help_text="told to everybody who sees the match")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.match_id}: {self.places or 'does not count'}"


class Explanation(models.Model):
    """Why moderators closed a table, stopped a match that ran, or took a ruling back."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="explanation")
    why = models.CharField(max_length=500, help_text="told to everybody who sees the match")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.match_id}: {self.why}"


class Setback(models.Model):
    """Due work that failed: tried again later, and left to an operator after too many failures."""

    job = models.CharField(max_length=40)
    key = models.PositiveBigIntegerField(help_text="of what is due, for instance a match")
    failures = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, help_text="null: dead, tried no more")
    error = models.TextField(default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "key"], name="one_setback_each")]

    def __str__(self) -> str:
        return f"{self.job} {self.key}: {self.failures} failures"


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
