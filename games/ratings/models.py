"""Ratings: one pool per game and speed, in thousandths of a point, and every change with what it was computed from."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.engine.elo import PROVISIONAL_GAMES, START
from games.play.models import Match, Speed


def points(rating: int) -> int:
    """Return a rating in thousandths as whole points, halves up.

    >>> points(1523499), points(1523500)
    (1523, 1524)
    """
    return (rating + 500) // 1000


def shown(rating: int, games: int) -> str:
    """Return a rating as shown to players: rounded to whole points, provisional ones with a question mark.

    >>> shown(1523499, 12), shown(1523500, 9)
    ('1523', '1524?')
    """
    return str(points(rating)) if games >= PROVISIONAL_GAMES else f"{points(rating)}?"


def signed(gain: int) -> str:
    """Return whole points won or lost with a sign.

    >>> signed(16), signed(-4), signed(0)
    ('+16', '−4', '±0')
    """
    return f"+{gain}" if gain > 0 else f"−{-gain}" if gain else "±0"


class Rating(models.Model):
    """The strength of a player in one pool."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ratings")
    game = models.CharField(max_length=40)
    speed = models.CharField(max_length=8, choices=Speed)
    rating = models.IntegerField(default=START, help_text="in thousandths")
    games = models.PositiveIntegerField(default=0, help_text="rated matches finished")
    met = models.PositiveIntegerField(default=0, help_text="different opponents; not counted beyond what lists want")
    opponents = models.PositiveIntegerField(default=0, help_text="those of them who have met others, too; likewise")
    updated = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game", "speed"], name="rating_once_per_pool")]
        indexes = [models.Index(fields=["game", "speed", "-rating", "user"], name="rating_leaderboard")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game} {self.speed} {self.shown}"

    @property
    def is_placed(self) -> bool:
        return self.games >= PROVISIONAL_GAMES

    @property
    def shown(self) -> str:
        return shown(self.rating, self.games)

    @property
    def shown_gain(self) -> str:
        """Return the points gained in a season, for a row of a `SeasonBoard`, which adds `gain` in thousandths."""
        return signed(points(vars(self)["gain"]))


class RatingChange(models.Model):
    """What one match did to one player's rating.

    The rows of a match hold everything its changes were computed from: `before`, `games_before` and `place` of every
    seat. A row outlives its account (`user` is then null), so that opponents keep their history.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="rating_changes", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="rating_changes")
    seat = models.PositiveSmallIntegerField()
    game = models.CharField(max_length=40)
    speed = models.CharField(max_length=8, choices=Speed)
    before = models.IntegerField(help_text="in thousandths")
    after = models.IntegerField(help_text="in thousandths")
    games_before = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="rated_once_per_person"),
            models.UniqueConstraint(fields=["match", "seat"], name="rated_once_per_seat"),
        ]
        # Rows are written while the ratings are locked, so ids show the order in which they were applied.
        indexes = [
            models.Index(fields=["user", "game", "speed", "id"], name="rating_history"),
            models.Index(fields=["game", "speed", "at"], name="rating_season"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {self.before} -> {self.after}"

    @property
    def gain(self) -> int:
        """Return the change in thousandths."""
        return self.after - self.before

    @property
    def shown(self) -> str:
        return shown(self.after, self.games_before + 1)

    @property
    def shown_before(self) -> str:
        return shown(self.before, self.games_before)

    @property
    def shown_gain(self) -> str:
        """Return the change as shown, so that the two shown ratings differ by it: "+16", "−4", "±0"."""
        return signed(points(self.after) - points(self.before))


class Basis(models.Model):
    """The rating of a seat before a match that moderators have annulled.

    It is kept because the account may be deleted before the result stands again.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="bases", db_index=False)
    seat = models.PositiveSmallIntegerField()
    before = models.IntegerField(help_text="as RatingChange.before")
    games_before = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_basis_per_seat")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {self.before}"


class SoloBest(models.Model):
    """A player's best solo result in one game, among the matches that everyone can see."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="solo_bests")
    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    game = models.CharField(max_length=40)
    rank = models.IntegerField(help_text="Seat.solo_rank: higher is better")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="solo_best_once_per_game")]
        indexes = [models.Index(fields=["game", "-rank", "at", "id"], name="solo_leaderboard")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game} {self.rank}"


WON = Q(match__seats__place=1)
"""The best solo results that are worth telling: those of matches that were won."""

RATED = Q(status=Match.Status.OVER, rated=True, seat_count__gt=1)
"""The finished matches that count, if there is a person on each seat and each of them has acted."""
