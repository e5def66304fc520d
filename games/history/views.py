"""The archive, profiles, the replay of a match and its record. Nothing here writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import select_template
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.questions import NOBODY, Prepared
from accounts.requests import HtmxRequest
from accounts.services import access_player
from games.history.archive import ArchivePage, Filters, archive_page, findable_by
from games.history.endings import result_in_words
from games.history.forms import ArchiveForm
from games.history.ratings import LATEST, chosen_of, history_of, pools_of
from games.history.replay import Replay, draws_of, is_checkable, record_file, record_name, replay_of, seals_of
from games.play.access import access_match
from games.play.models import Match, Seat
from games.play.reducer.positions import nonces_of, seed_of
from games.play.reliability import reliability_of
from games.ratings.leaderboards import solo_text
from games.ratings.models import WON, RatingChange, SoloBest
from games.titles import Title, titles

# --- the numbers of a profile -----------------------------------------------------------------------------------------

# Numbers and lists count only the matches that the reader can find (public ones and their own), so nothing on the page
# reveals a private match to others.


@dataclass(slots=True)
class Tally:
    """Counts of results: of all matches, of a game with one number of players, or of a game on one seat."""

    title: Title | None
    seats: int | None = None
    seat: int | None = None
    won: int = 0
    shared: int = 0
    lost: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.shared + self.lost

    @property
    def rate(self) -> int:
        """Return the share of matches won, in per cent; a shared first place counts half."""
        return round((100 * self.won + 50 * self.shared) / self.matches) if self.matches else 0

    def count(self, place: int, tied: bool) -> None:
        if place > 1:
            self.lost += 1
        elif tied:
            self.shared += 1
        else:
            self.won += 1


@dataclass(frozen=True, slots=True)
class Counted:
    """Totals of what a game counts in a person's matches, with their labels."""

    title: Title
    totals: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class BestAlone:
    """A person's best public solo result in a game."""

    title: Title
    match: Match
    text: str


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match, as the numbers of one of its players need it.

    Args:
        game: slug of its title.
        seats: how many there were.
        seat: the number of the player's own.
        place: the player's.
        tied: whether somebody else shares the first place.
        counts: what the game counted for the player.
        others: the places of the other people, by their keys.
    """

    game: str
    seats: int
    seat: int
    place: int
    tied: bool
    counts: Mapping[str, int]
    others: Mapping[int, int]


def latest_of(reader: Any, person: Any) -> list[Played]:
    """Return a person's `LATEST` finished matches without bots that the reader can find, in one query."""
    rows = _SEATS.of([person.pk, reader.pk or NOBODY], most=LATEST)
    return [_played(person, list(of_match)) for _match, of_match in groupby(rows, key=itemgetter(0))]


def _seats(people: Collection[int], *, most: int) -> QuerySet[Any, Any]:
    """Return the query for the seats in the latest matches of the first of two people that the second can find."""
    person, reader = people
    found = Match.objects.filter(findable_by(User(pk=reader)), has_bots=False)
    fitting = found.filter(pk=OuterRef("match"), status=Match.Status.OVER)
    own = Seat.objects.filter(Exists(fitting), user=person, ended_at__isnull=False, place__isnull=False)
    latest = own.order_by("-ended_at", "-match").values("match")[:most]
    seats = Seat.objects.filter(match__in=latest, place__isnull=False).order_by("match")
    return seats.values_list("match", "match__game", "match__seat_count", "user", "number", "place", "counts")


_SEATS = Prepared(_seats)


def _played(person: Any, rows: Sequence[tuple[Any, ...]]) -> Played:
    places = {user: place for _match, _game, _seats, user, _number, place, _counts in rows if user is not None}
    own = next(row for row in rows if row[3] == person.pk)
    _match, game, seats, user, number, place, counts = own
    tied = any(row[5] == 1 for row in rows if row is not own)
    return Played(
        game,
        seats,
        number,
        place,
        tied,
        msgspec.json.decode(counts),
        {key: places[key] for key in places if key != user},
    )


@dataclass(frozen=True, slots=True)
class Statistics:
    """A person's results: all matches with others, by game and number of players, and by game and seat."""

    total: Tally
    by_players: Sequence[Tally]
    by_seat: Sequence[Tally]

    @property
    def matches(self) -> int:
        return sum(tally.matches for tally in self.by_players)


def statistics(latest: Iterable[Played]) -> Statistics:
    """Return a person's results. Solo matches are counted by number of players only."""
    total = Tally(None)
    by_players, by_seat = dict[tuple[str, int], Tally](), dict[tuple[str, int], Tally]()
    for it in latest:
        if it.game not in titles():
            continue
        title = titles()[it.game]
        by_players.setdefault((it.game, it.seats), Tally(title, seats=it.seats)).count(it.place, it.tied)
        if it.seats > 1:
            by_seat.setdefault((it.game, it.seat), Tally(title, seat=it.seat)).count(it.place, it.tied)
            total.count(it.place, it.tied)
    return Statistics(total, _in_order(by_players), _in_order(by_seat))


def _in_order(tallies: Mapping[tuple[str, int], Tally]) -> list[Tally]:
    order = list(titles())
    return [tallies[key] for key in sorted(tallies, key=lambda key: (order.index(key[0]), key[1]))]


def counts_of(latest: Iterable[Played]) -> list[Counted]:
    """Return the totals of what games count in a person's matches, in the order of games."""
    sums: dict[str, Counter[str]] = {}
    for it in latest:
        if it.counts:
            sums.setdefault(it.game, Counter()).update(it.counts)
    return [
        Counted(title, [(str(label), sums[slug][key]) for key, label in title.board.COUNTED])
        for slug, title in titles().items()
        if slug in sums
    ]


def best_alone(person: Any) -> list[BestAlone]:
    """Return the best public solo matches that a person has won, in the order of games."""
    won = {match.game: match for match in _ALONE.instances(Match, [person.pk])}
    known = [(title, won[slug]) for slug, title in titles().items() if slug in won]
    return [BestAlone(title, match, solo_text(match, person)) for title, match in known]


def _alone(people: Collection[int]) -> QuerySet[Any, Any]:
    """Return the query for somebody's best public solo matches of those they have won."""
    return Match.objects.filter(pk__in=SoloBest.objects.filter(WON, user__in=people).values("match"))


_ALONE = Prepared(_alone)


# --- its matches and opponents ----------------------------------------------------------------------------------------

FORM = 20
"""Matches in a person's form."""

FREQUENT = 5
"""Opponents on a profile."""


@dataclass(frozen=True, slots=True)
class Against:
    """How often somebody finished ahead of, level with and behind one opponent."""

    opponent: User
    won: int
    drawn: int
    lost: int

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost


def opponents_of(latest: Iterable[Played], known: Mapping[int, User]) -> list[Against]:
    """Return the opponents a person has met most often, the most frequent first.

    Args:
        latest: the person's matches.
        known: people who are loaded already, by key.
    """
    met: dict[int, Counter[int]] = {}
    for it in latest:
        for key, place in it.others.items():
            met.setdefault(key, Counter())[_sign(place - it.place)] += 1
    frequent = sorted(met, key=lambda key: (-met[key].total(), key))[:FREQUENT]
    missing = [key for key in frequent if key not in known]
    people = {**known, **(User.objects.in_bulk(missing) if missing else {})}
    return [_against(people[key], met[key]) for key in frequent if people[key].is_active]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _against(opponent: User, results: Mapping[int, int]) -> Against:
    return Against(opponent, results.get(1, 0), results.get(0, 0), results.get(-1, 0))


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """How the reader's matches with somebody went, match by match, for the reader: in all, and in each game."""

    total: Against
    games: Sequence[tuple[Title, Against]]
    may_challenge: bool

    @property
    def words(self) -> str:
        """Say who leads."""
        total = self.total
        words = {
            "name": total.opponent.shown_name,
            "more": max(total.won, total.lost),
            "less": min(total.won, total.lost),
        }
        if total.won == total.lost:
            return _("You and %(name)s are level, %(more)s : %(less)s") % words
        if total.won > total.lost:
            return _("You lead against %(name)s, %(more)s : %(less)s") % words
        return _("%(name)s leads %(more)s : %(less)s") % words


def scoreboard(reader: Any, person: User, latest: Sequence[Played]) -> Scoreboard | None:
    """Return how the reader's matches with a person went, None if there are none.

    If the person has too many matches, it starts from the reader's latest.

    Args:
        reader: who looks.
        person: the other.
        latest: the person's matches.
    """
    if not reader.is_authenticated or reader.pk == person.pk:
        return None
    ahead: dict[str, Counter[int]] = {}
    if len(latest) < LATEST:
        for it in latest:
            if reader.pk in it.others:
                ahead.setdefault(it.game, Counter())[_sign(it.place - it.others[reader.pk])] += 1
    else:
        for it in latest_of(reader, reader):
            if person.pk in it.others:
                ahead.setdefault(it.game, Counter())[_sign(it.others[person.pk] - it.place)] += 1
    if not ahead:
        return None
    total = _against(person, sum(ahead.values(), Counter()))
    games = [(title, _against(person, ahead[slug])) for slug, title in titles().items() if slug in ahead]
    return Scoreboard(total, games, person.is_active and not reader.guest and not person.guest)


# --- the pages --------------------------------------------------------------------------------------------------------

LISTED = 10
"""Matches on a profile; the rest is in the archive."""


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Show the finished matches that fit the filters; invalid filters are explained beside them."""
    form = ArchiveForm(request.GET)
    page = ArchivePage((), None, None)
    if form.is_valid():
        data = form.cleaned_data
        page = archive_page(request.user, form.filters(), data["before"], data["after"])
    status = HTTPStatus.OK if form.is_valid() else HTTPStatus.BAD_REQUEST
    player = form.cleaned_data.get("player")
    context = {"form": form, "page": page, "rows": page.rows, "player": player}
    return TemplateResponse(request, "history/archive.html", context, status=status)


@require_safe
def profile(request: HtmxRequest, username: str) -> HttpResponse:
    """Show a person: ratings, numbers, latest matches. Other spellings of the name redirect to the right one.

    `pool` chooses the chart; htmx gets only that.
    """
    person = access_player(username)
    if person.username != username:
        return redirect("profile", person.username)
    pools = pools_of(person)
    pool = chosen_of(pools, request.GET.get("pool", ""))
    context = {
        "person": person,
        "pools": pools,
        "pool": pool,
        "history": None if pool is None else history_of(request.user, pool),
    }
    if request.htmx and pool is None:
        raise Http404
    if request.htmx:
        return TemplateResponse(request, "history/pool.html", context)
    return TemplateResponse(request, "history/profile.html", context | _numbers(request.user, person))


def _numbers(reader: Any, person: User) -> dict[str, Any]:
    """Return what a profile shows besides the ratings."""
    latest = latest_of(reader, person)
    results = statistics(latest)
    rows = archive_page(reader, Filters(player=person), size=FORM).rows
    form = [row for row in rows if row.result is not None][::-1]
    known = {seat.user.pk: seat.user for row in rows for seat in row.seats if seat.user is not None}
    return {
        "head": select_template(["accounts/profile_head.html", "history/person.html"]),
        "player": person,
        "reliability": reliability_of(person, reader),
        "statistics": results,
        "bounded": results.matches == LATEST,
        "counted_over": LATEST,
        "form": form,
        "form_results": Counter(row.result for row in form),
        "between": scoreboard(reader, person, latest),
        "opponents": opponents_of(latest, known),
        "alone": best_alone(person),
        "counted": counts_of(latest),
        "rows": rows[:LISTED],
    }


@require_safe
def replay(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show a position of a match that has begun; htmx gets the part of the page that changes."""
    viewed = access_match(request.user, slug)
    if viewed.match.started_at is None:
        return redirect(viewed.match)
    if not is_checkable(viewed.match):
        return TemplateResponse(request, "history/old_rules.html", {"match": viewed.match})
    spot = replay_of(viewed, request.GET.get("at", ""), request.GET.get("seat", ""))
    context = {"replay": spot, "match": viewed.match, "title": viewed.match.title}
    if request.htmx:
        return TemplateResponse(request, "history/position.html", context, status=spot.status)
    return TemplateResponse(request, "history/replay.html", context | _about(spot), status=spot.status)


def _about(spot: Replay) -> dict[str, object]:
    """Return what is shown besides the positions: result, rating changes and what proves the draws."""
    viewed = spot.viewed
    changes = {change.seat: change for change in RatingChange.objects.filter(match=viewed.match)}
    nonces = [(seat, bytes(seat.nonce).hex()) for seat in viewed.seats]
    own = viewed.mine
    return {
        "results": [
            (seat, changes.get(seat.number)) for seat in sorted(viewed.seats, key=lambda seat: seat.place or 0)
        ],
        "outcome": result_in_words(viewed.match, viewed.seats),
        "rating_changed": bool(changes),
        "nonces": nonces if viewed.match.has_ended else [],
        "own_nonce": "" if own is None else own.number if own.joined is None else own.joined,
        "server_seed": bytes(viewed.match.server_seed).hex() if viewed.match.has_ended else "",
        "may_download": viewed.match.has_ended or viewed.viewer is not None,
    }


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve a match as a file: to its players, without the seed until it has ended, and then to all who can see it."""
    viewed = access_match(request.user, slug)
    if viewed.match.started_at is None:
        raise Http404(_("This match has not begun."))
    if not viewed.match.has_ended and viewed.viewer is None:
        raise PermissionDenied(_("While a match runs, only its players get its record."))
    disposition = f'attachment; filename="{record_name(viewed)}"'
    return HttpResponse(
        record_file(viewed), content_type="application/json", headers={"Content-Disposition": disposition}
    )


@require_safe
def seals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seals of a match, with what was sealed unless that is still secret."""
    viewed = access_match(request.user, slug)
    if viewed.match.started_at is None:
        raise Http404(_("This match has not begun."))
    context = {"match": viewed.match, "seals": seals_of(viewed)}
    return TemplateResponse(request, "history/seals.html", context)


@require_safe
def draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the seeds and every draw of a match that has ended, for the check in the browser.

    `joined` has for each seat its player's place in the order of sitting down, null if the seats were not drawn.
    """
    viewed = access_match(request.user, slug)
    if not viewed.match.has_ended:
        raise Http404(_("While a match runs, its seed is secret."))
    if not is_checkable(viewed.match):
        raise Http404(_("This match was played under a different version of the rules."))
    return JsonResponse(
        {
            "commit": viewed.match.commit,
            "server_seed": bytes(viewed.match.server_seed).hex(),
            "nonces": [nonce.hex() for nonce in nonces_of(viewed.seats)],
            "joined": [seat.joined for seat in viewed.seats],
            "final_seed": seed_of(viewed.match, viewed.seats).hex(),
            "draws": msgspec.to_builtins(list(draws_of(viewed))),
            "seals": [msgspec.to_builtins(seal) for seal in seals_of(viewed) if not seal.withdrawn],
        }
    )
