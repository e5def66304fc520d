"""Series: matches of the same people until somebody has won as many as were agreed.

A series begins as a table (`begin_series`) and goes on by rematches (`continue_series`): the same people, with seats
rotated. Its players are those of its first match. A draw counts for nobody, and an aborted match is played again. Any
match can have a rematch: `tables.rematch` opens its table, and what the players see of it is at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.matchmaking.limits import is_expired
from games.matchmaking.models import Series, SeriesMatch, SeriesPlayer
from games.matchmaking.signals import series_left
from games.play.live import pubsub
from games.play.models import Match, MatchQuerySet, Seat, in_company
from games.play.store import writing

GOALS = (2, 3, 4, 5)
"""How many wins a series can need."""


# --- tables -----------------------------------------------------------------------------------------------------------


def begin_series(match: Match, goal: int) -> None:
    """Make a new table the first of a series.

    Raises:
        RuleViolation: "series": there is no such series, or the table is not for several people.
    """
    if goal not in GOALS or match.seat_count == 1 or match.has_bots:
        raise only_for_people()
    SeriesMatch.objects.create(series=Series.objects.create(goal=goal), match=match, number=1)


def only_for_people() -> RuleViolation:
    """Return the refusal of a series alone or with bots."""
    return RuleViolation("series", _("A series is played by at least two people, without bots."))


def check_all_there(match: Match, taken: int) -> None:
    """Refuse to begin a later match of a series without all of its players: "series"."""
    place = place_in_series(match)
    if place is not None and taken < place.series.players.count():
        raise RuleViolation("series", _("Everyone who plays the series plays each of its matches."))


def continue_series(former: Match, match: Match) -> None:
    """Make the table that follows a match the next one of its series, unless that has ended."""
    before = place_in_series(former)
    if before is not None and before.series.ended_at is None:
        SeriesMatch.objects.create(series=before.series, match=match, number=before.number + 1)


def remove_from_series(match: Match) -> None:
    """Take out of its series a table that never becomes a match; delete the series if it was the only one."""
    gone = SeriesMatch.objects.filter(match=match).select_related("series").first()
    if gone is None:
        return
    gone.delete()
    if not gone.series.matches.exists():
        gone.series.delete()


def is_played_again(match: Match) -> bool:
    """Return whether a match replaces an aborted one of its series; everybody has the same seat again."""
    former = match.previous
    return former is not None and former.status == Match.Status.ABORTED and place_in_series(match) is not None


def place_in_series(match: Match) -> SeriesMatch | None:
    """Return a match's place in a series, None if it is in none."""
    return SeriesMatch.objects.filter(match=match).select_related("series").first()


# --- matches ----------------------------------------------------------------------------------------------------------


def on_match_started(match: Match, seats: Sequence[Seat], **_more: Any) -> None:
    """Record who plays a series when its first match begins (`games.play.signals.match_started`)."""
    place = place_in_series(match)
    if place is None or place.series.players.exists():
        return
    if not in_company(seats):
        remove_from_series(match)
        return
    SeriesPlayer.objects.bulk_create(
        [SeriesPlayer(series=place.series, user=seat.user, place=seat.number) for seat in seats]
    )


def on_match_over(match: Match, seats: Sequence[Seat], **_more: Any) -> None:
    """Count a match that one player has won (`games.play.signals.match_over`); end the series at its goal."""
    place = place_in_series(match)
    winners = [seat.user_id for seat in seats if seat.place == 1]
    if place is None or len(winners) != 1:
        return
    series = Series.objects.select_for_update().get(pk=place.series_id)
    if series.ended_at is None:
        series.players.filter(user=winners[0]).update(wins=F("wins") + 1)
        if series.players.filter(wins__gte=series.goal).exists():
            series.ended_at = timezone.now()
            series.save(update_fields=["ended_at"])


def on_match_ruled(match: Match, **_more: Any) -> None:
    """Recount a series when moderators have decided one of its matches (`games.play.signals.match_ruled`)."""
    place = place_in_series(match)
    if place is None:
        return
    series = Series.objects.select_for_update().get(pk=place.series_id)
    won: Counter[int | None] = Counter()
    for played in matches_of_series(series):
        if len(played.winners) == 1 and played.winners[0].user_id is not None:
            won[played.winners[0].user_id] += 1
    for player in series.players.exclude(user=None):
        series.players.filter(pk=player.pk).update(wins=won[player.user_id])
    if series.left_by_id is None:
        reached = max(won.values(), default=0) >= series.goal
        series.ended_at = (series.ended_at or timezone.now()) if reached else None
        series.save(update_fields=["ended_at"])


def leave_series(series_id: int, user: Any) -> None:
    """End a series before its goal; a match in progress goes on. Idempotent for the one who leaves.

    Raises:
        RuleViolation: "not-in-series", or "series-over".
    """
    with writing():
        series = Series.objects.select_for_update().get(pk=series_id)
        if not series.players.filter(user=user).exists():
            raise RuleViolation("not-in-series", _("Only the players of a series can leave it."))
        if series.ended_at is not None and series.left_by_id != user.pk:
            raise RuleViolation("series-over", _("This series is over."))
        if series.ended_at is None:
            series.ended_at, series.left_by = timezone.now(), user
            series.save(update_fields=["ended_at", "left_by"])
            others = series.players.exclude(user=user).exclude(user=None).select_related("user")
            latest = series.matches.select_related("match").latest("number").match
            series_left.send(Series, match=latest, people=[player.user for player in others], by=user)


# --- scores -----------------------------------------------------------------------------------------------------------

_DUEL = 2


@dataclass(frozen=True)
class Score:
    """The score of a series now, seen from one of its matches."""

    place: SeriesMatch

    @property
    def series(self) -> Series:
        return self.place.series

    @cached_property
    def players(self) -> Sequence[SeriesPlayer]:
        """Return who plays, in the order of their first seats; nobody before the first match has begun."""
        return list(self.series.players.all())

    @property
    def short(self) -> str:
        """Return the numbers alone, for instance “2 : 1”; empty before the first match has begun."""
        return " : ".join(str(player.wins) for player in self.players)

    @property
    def in_words(self) -> str:
        """Return names and numbers; empty before the first match has begun."""
        if len(self.players) == _DUEL:
            one, other = self.players
            return f"{one.name} {one.wins} : {other.wins} {other.name}"
        return ", ".join(f"{player.name} {player.wins}" for player in self.players)

    @property
    def terms(self) -> str:
        """Return what it takes to win the series, or how it ended."""
        if self.series.ended_at is None:
            return _("The first to win %(goal)d matches wins the series.") % {"goal": self.series.goal}
        winner = next((player for player in self.players if player.wins >= self.series.goal), None)
        if winner is not None:
            return _("%(name)s has won the series.") % {"name": winner.name}
        name = self.series.left_by.shown_name if self.series.left_by else "—"
        return _("%(name)s has left the series.") % {"name": name}

    @property
    def goes_on(self) -> bool:
        return self.series.ended_at is None

    def is_played_by(self, user: Any) -> bool:
        """Return whether somebody is one of its players."""
        return user.is_authenticated and any(player.user_id == user.pk for player in self.players)


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a series, with its winners once it is over."""

    number: int
    match: Match
    winners: Sequence[Seat]

    @property
    def is_drawn(self) -> bool:
        return len(self.winners) > 1


def score_of(match: Match) -> Score | None:
    """Return the score of the series a match belongs to, None if it belongs to none."""
    place = place_in_series(match)
    return None if place is None else Score(place)


def with_scores(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with the scores of their series: one more query if there are any."""
    return matches.select_related("in_series__series").prefetch_related("in_series__series__players")


def loaded_score_of(match: Match) -> Score | None:
    """Return the score of a match that was loaded `with_scores`."""
    place = getattr(match, "in_series", None)
    return None if place is None else Score(place)


def scores_of(places: Mapping[int, tuple[int, int]]) -> dict[int, Score]:
    """Return the scores of matches by their keys, without a query if there are none.

    Args:
        places: the key of the series of each match, and the number of the match in it.
    """
    if not places:
        return {}
    series = Series.objects.prefetch_related("players").in_bulk({key for key, _number in places.values()})
    return {
        match: Score(SeriesMatch(series=series[key], match_id=match, number=number))
        for match, (key, number) in places.items()
    }


def matches_of_series(shown: Series) -> list[Played]:
    """Return the matches of a series, and the table for the next one, in their order."""
    played = []
    for place in shown.matches.select_related("match").prefetch_related("match__seats__user"):
        winners = [seat for seat in place.match.seats.all() if seat.place == 1] if place.match.is_over else []
        played.append(Played(place.number, place.match, winners))
    return played


# --- rematches --------------------------------------------------------------------------------------------------------

REMATCH_CHANGED = "rematch.changed"
"""The hint to pages (`games.play.live.sockets`): the players of a finished match look again."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The rematch of a finished match, as one of its players sees it.

    Args:
        table: where it is played, or will be.
        mine: whether the reader sits there already; otherwise they are asked.
    """

    table: Match
    mine: bool

    @property
    def by(self) -> str:
        return self.table.host.shown_name if self.table.host else "—"


def offer_of(former: Match, user: Any) -> Offer | None:
    """Return the rematch that waits for a player or that they play; None if nobody wants one, or they have declined."""
    table = Match.objects.filter(previous=former).select_related("host").first()
    if table is None or is_expired(table):
        return None
    if table.seats.filter(user=user).exists():
        return Offer(table, mine=True)
    asked = table.invitations.answerable().filter(user=user).exists()
    return Offer(table, mine=False) if asked else None


def tell_players(table: Match) -> None:
    """Let the pages of those who are invited to a rematch look again, once committed."""
    asked = table.invitations.filter(withheld=False).values_list("user", flat=True)
    pubsub.to_people(list(asked), REMATCH_CHANGED)
