"""The deals of a day, the one try that everybody has, and the places of those who have finished theirs."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db import IntegrityError
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.moments import today
from accounts.relations import friends_of
from games.deals.kinds import kinds, points_of, result_in_words
from games.deals.models import Deal, Try
from games.engine import fair
from games.engine.protocol import RuleViolation
from games.matchmaking.seats import begin_now, check_may_play, seat_bot, sit_down
from games.play.commands import prepare_match
from games.play.models import Match, Seat
from games.play.store import writing

_ENDED: Final = (Match.Status.OVER, Match.Status.ABORTED)


# --- the deals --------------------------------------------------------------------------------------------------------


def make_deal(game: str, day: date) -> Deal:
    """Return the deal of a game and a day, which is made with a new seed if there is none yet."""
    seed = secrets.token_bytes(fair.SERVER_SEED_BYTES)
    defaults = {"seed": seed, "commit": fair.commitment(seed)}
    return Deal.objects.get_or_create(game=game, day=day, defaults=defaults)[0]


def deals_of(day: date) -> Sequence[Deal]:
    """Return the deals of a day in the order of games; one that is not made yet has no seed and no commitment."""
    made = {deal.game: deal for deal in Deal.objects.filter(day=day).defer("seed")}
    return [made.get(game) or Deal(game=game, day=day) for game in kinds()]


def deal_of(game: str, day: date) -> Deal | None:
    """Return the deal of a game and a day; None if there was none, or its day has not come."""
    if game not in kinds() or day > today():
        return None
    found = Deal.objects.filter(game=game, day=day).defer("seed").first()
    return found or (Deal(game=game, day=day) if day == today() else None)


# --- the try ----------------------------------------------------------------------------------------------------------


def begin(user: Any, game: str) -> Match:
    """Return the match in which somebody plays today's deal of a game; it begins unless they had begun it before.

    The match has the seed of the deal, and no browser adds to it: so everybody gets the same. Nobody else can see it
    (`may_watch_try`) until the deal is over.

    Raises:
        RuleViolation: "deal-bot" for an account that is a bot; as `matchmaking.seats.check_may_play` and `sit_down`.
    """
    day = today()
    if (known := try_of(user, game, day)) is not None:
        return known.match
    if user.is_bot:
        raise RuleViolation("deal-bot", _("Deals of the day are for people."))
    check_may_play(user)
    try:
        with writing():
            return _begun(user, make_deal(game, day))
    except IntegrityError:  # they began it in another window at the same moment
        known = try_of(user, game, day)
        if known is None:
            raise
        return known.match


def _begun(user: Any, deal: Deal) -> Match:
    kind = kinds()[deal.game]
    match = prepare_match(
        deal.game,
        kind.options,
        kind.seats,
        host=user,
        rated=False,
        has_bots=kind.bot is not None,
        visibility=Match.Visibility.PRIVATE,
    )
    match.server_seed, match.commit = bytes(deal.seed), deal.commit
    match.save()
    Try.objects.create(deal=deal, user=user, match=match)
    seats: list[Seat] = []
    sit_down(match, seats, user)
    if kind.bot is not None:
        seat_bot(match, seats, kind.bot)
    begin_now(match, seats)
    return match


def try_of(user: Any, game: str, day: date) -> Try | None:
    """Return somebody's try at a deal; visitors have none."""
    found = Try.objects.filter(user=user.pk, deal__game=game, deal__day=day)
    return found.select_related("match").first() if user.is_authenticated else None


def tries_of(user: Any, day: date) -> Mapping[str, Try]:
    """Return somebody's tries at the deals of a day, by game."""
    if not user.is_authenticated:
        return {}
    found = Try.objects.filter(user=user.pk, deal__day=day).select_related("match", "deal")
    return {each.deal.game: each for each in found}


def may_watch_try(match: Match, user: Any) -> bool:
    """Return whether somebody may watch a match because it is a finished try, and they have finished their own."""
    of_match = Q(match=match, match__status__in=_ENDED)
    of_reader = Q(deal__everybodys_tries__user=user.pk, deal__everybodys_tries__match__status__in=_ENDED)
    return Try.objects.filter(of_match & of_reader).exists()


def keep_result(match: Match, **_: Any) -> None:
    """Keep what decides the place of a try that has ended, inside the transaction (`match_over`, `match_ruled`).

    There is no place with help (hints, decisions taken back), for leaving, after the deal is over, and for a match that
    does not count any more.
    """
    tried = Try.objects.filter(match=match).select_related("deal").first() if not match.rated else None
    if tried is None:
        return
    seat = Seat.objects.filter(match=match, user=tried.user_id).first()
    in_time = match.ended_at is not None and match.ended_at < tried.deal.closes_at
    counts = match.is_over and in_time and not (match.practice or match.hints)
    tried.points = points_of(match, seat) if seat is not None and seat.left is None and counts else None
    tried.save(update_fields=["points"])


# --- places -----------------------------------------------------------------------------------------------------------

SHORT: Final = 10
"""How many of the best are listed."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of a table: somebody's place, shared by equals, and their result in words."""

    place: int
    tried: Try
    result: str


@dataclass(frozen=True, slots=True)
class Results:
    """How a deal went.

    Args:
        tried: how many have begun it.
        placed: how many have a place.
        best: the first of all.
        friends: the reader and their friends.
        mine: the reader's own line; None without a place.
    """

    tried: int
    placed: int
    best: Sequence[Placed]
    friends: Sequence[Placed]
    mine: Placed | None


def results(deal: Deal, reader: Any) -> Results:
    """Return how a deal went so far. The caller checks that its reader may know."""
    everybody = Try.objects.filter(deal=deal)
    placed = everybody.filter(points__isnull=False).select_related("match", "user").order_by("-points", "id")
    around = Q(user__in=friends_of(reader).values("pk")) | Q(user=reader.pk)
    friends = _lines(deal, placed.filter(around)[:_MOST_FRIENDS]) if reader.is_authenticated else []
    mine = next((line for line in friends if line.tried.user_id == reader.pk), None)
    if mine is None and reader.is_authenticated:
        mine = next(iter(_lines(deal, placed.filter(user=reader.pk))), None)
    best = _lines(deal, placed[:SHORT])
    return Results(everybody.count(), placed.count(), best, friends if len(friends) > 1 else [], mine)


_MOST_FRIENDS: Final = 50


def _lines(deal: Deal, ordered: Any) -> list[Placed]:
    seats = {
        seat.match_id: seat
        for seat in Seat.objects.filter(match__in=[each.match_id for each in ordered], user__isnull=False)
    }
    found, places = [], dict[int, int]()
    for each in ordered:
        if each.points not in places:
            places[each.points] = 1 + Try.objects.filter(deal=deal, points__gt=each.points).count()
        seat = seats[each.match_id]
        seat.user = each.user
        found.append(Placed(places[each.points], each, result_in_words(each.match, seat)))
    return found


def text_to_share(deal: Deal, found: Results, address: str) -> str:
    """Return how the reader did, with nothing about the deal itself; empty without a place."""
    if found.mine is None:
        return ""
    words = {"game": deal.title.game.name, "place": found.mine.place, "count": found.placed}
    return "\n".join(
        [
            _("Tessera deal of the day, %(date)s") % {"date": deal.date},
            _("%(game)s: place %(place)s of %(count)s") % words,
            address,
        ]
    )


# --- what is due ------------------------------------------------------------------------------------------------------


def open_matches(deal: Deal) -> int:
    """Let whoever has the link watch the matches of a deal that is over; return how many there are."""
    with writing():
        found = Match.objects.filter(deal_try__deal=deal, visibility=Match.Visibility.PRIVATE)
        count = Match.objects.filter(pk__in=list(found.values_list("pk", flat=True))).update(
            visibility=Match.Visibility.LINK
        )
        Deal.objects.filter(pk=deal.pk).update(opened=True)
    return count


def refuse_earlier(deal: Deal) -> None:
    """Refuse to begin a deal whose day has passed.

    Raises:
        RuleViolation: "deal-over".
    """
    if not deal.is_todays:
        raise RuleViolation("deal-over", _("The day of this deal is over. Play today’s."))


def is_open_to(deal: Deal, tried: Try | None) -> bool:
    """Return whether somebody with this try may know how a deal went: it is over, or they have finished theirs."""
    return deal.is_over or (tried is not None and tried.match.has_ended)


def seed_of(deal: Deal) -> str:
    """Return the seed of a deal in hex, empty before it is made. The caller checks `is_open_to`."""
    return bytes(deal.seed).hex() if deal.pk else ""
