"""Which open tables the lobby lists: the filters somebody chose, and the query.

Every query reads open tables alone, in an index. Even what only few of ten thousand tables fit is found in ten
milliseconds; an index for the filters would cost more in putting the question than it saves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias
from urllib.parse import urlencode

from django import forms
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext_lazy as _, ngettext

from accounts.requests import keep_for_a_year
from games.matchmaking.limits import OPEN_TABLES, fresh_tables
from games.matchmaking.models import LobbyFilter, Promise
from games.matchmaking.requirements import Reader, joinable
from games.play.models import Match, MatchQuerySet, Seat, Speed
from games.titles import titles

COOKIE = "tessera_lobby"
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """Which open tables to list, as the address of the lobby says it; "" means "any".

    Args:
        game: slug of a title.
        speed: a `Speed`.
        rated: "yes" or "no".
        seats: number of players.
        vacations: "no" for tables at which nobody's vacation stops a clock.
        joinable: "yes" for tables at which the reader could sit down.
    """

    game: str = ""
    speed: str = ""
    rated: str = ""
    seats: str = ""
    vacations: str = ""
    joinable: str = ""

    @property
    def any_set(self) -> bool:
        return self != Filters()

    @property
    def query(self) -> str:
        """Return the filters as the query of an address; without filters, every field is there and empty.

        >>> Filters("card-chess", rated="no").query
        'game=card-chess&rated=no'
        """
        given = {name: text for name, text in asdict(self).items() if text}
        return urlencode(given or asdict(self))


# --- choosing them ----------------------------------------------------------------------------------------------------


def _games() -> list[tuple[str, Any]]:
    several = (title for title in titles().values() if any(count > 1 for count in title.game.seats))
    return [("", _("Every game")), *((title.slug, title.game.name) for title in several)]


def _seats() -> list[tuple[str, Any]]:
    counts = sorted({count for title in titles().values() for count in title.game.seats if count > 1})
    in_words = ((str(count), ngettext("%(n)d player", "%(n)d players", count) % {"n": count}) for count in counts)
    return [("", _("Any number")), *in_words]


class FilterForm(forms.Form):
    """The filters as a form. Everything is optional."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=_games)
    speed = forms.ChoiceField(label=_("Speed"), required=False, choices=[("", _("Any speed")), *Speed.choices])
    rated = forms.ChoiceField(
        label=_("Rated"), required=False, choices=[("", _("Rated or casual")), ("yes", _("Rated")), ("no", _("Casual"))]
    )
    seats = forms.ChoiceField(label=_("Players"), required=False, choices=_seats)
    vacations = forms.ChoiceField(
        label=_("Vacations"), required=False, choices=[("", _("With or without vacations")), ("no", _("No vacations"))]
    )
    joinable = forms.ChoiceField(
        label=_("Open to me"), required=False, choices=[("", _("Every table")), ("yes", _("I can join"))]
    )

    def chosen(self) -> Filters:
        """Return what was asked for, without choices that do not exist."""
        self.is_valid()
        return Filters(**self.cleaned_data)


NAMES = tuple(FilterForm.base_fields)


def read_filters(fields: Mapping[str, Any]) -> Filters:
    """Return the filters in the fields of an address."""
    return FilterForm(fields).chosen()


def filter_form(filters: Filters, known: bool) -> FilterForm:
    """Return the form filled in; visitors cannot filter by what they could join."""
    form = FilterForm(QueryDict(filters.query))
    if not known:
        del form.fields["joinable"]
    return form


def filters_in_words(filters: Filters) -> list[str]:
    """Return each filter that is set in a few words."""
    fields: dict[str, Any] = FilterForm().fields
    return [str(dict(fields[name].choices)[text]) for name, text in asdict(filters).items() if text]


# --- remembering them -------------------------------------------------------------------------------------------------


def asked_filters(request: HttpRequest) -> Filters | None:
    """Return the filters in the address, None if it says nothing about them."""
    return read_filters(request.GET) if any(name in request.GET for name in NAMES) else None


def remembered_filters(request: HttpRequest) -> Filters:
    """Return the filters that somebody used last: a member anywhere, a visitor in this browser."""
    if request.user.is_authenticated:
        query = LobbyFilter.objects.filter(user=request.user).values_list("query", flat=True).first() or ""
    else:
        query = request.COOKIES.get(COOKIE, "")
    return read_filters(QueryDict(query)) if 0 < len(query) <= _LONGEST else Filters()


def remember_filters(request: HttpRequest, response: HttpResponse, filters: Filters) -> None:
    """Remember the filters somebody has chosen."""
    if request.user.is_authenticated:
        LobbyFilter.objects.update_or_create(user=request.user, defaults={"query": filters.query})
    else:
        keep_for_a_year(request, response, COOKIE, filters.query)


# --- the tables that fit ----------------------------------------------------------------------------------------------

HOST_SHARE = 3
"""How many tables of one host are listed, the newest ones, so that a few people cannot fill the first page."""

_SPARE = -(-OPEN_TABLES // HOST_SHARE)
"""How many times more tables to load than are listed: enough, as nobody hosts more than `OPEN_TABLES`."""

Keys: TypeAlias = "QuerySet[Any, Any]"
"""Rows of `host`, `since` (when it was opened) and `key` (its id)."""


def listed_tables(filters: Filters, most: int, reader: Reader | None = None) -> list[int]:
    """Return the keys of the newest public tables that fit, at most the share of each host.

    Args:
        filters: what to list.
        most: how many.
        reader: who looks; needed for what they could join.
    """
    shown: Counter[int | None] = Counter()
    keys: list[int] = []
    for row in newest_tables(filters, most * _SPARE, reader):
        shown[row["host"]] += 1
        if shown[row["host"]] <= HOST_SHARE:
            keys.append(row["key"])
    return keys[:most]


def number_listed() -> int:
    """Return how many tables the lobby lists on all its pages while nothing is filtered."""
    of_hosts = _waiting().order_by().values_list("host").annotate(Count("pk"))
    return sum(min(number, HOST_SHARE) for _host, number in of_hosts)


def newest_tables(filters: Filters, most: int, reader: Reader | None = None) -> Keys:
    """Return the query for the newest tables that fit."""
    tables = _waiting().filter(_fits(filters))
    if filters.joinable and reader is not None:
        tables = joinable(tables, reader)
    return tables.values("host", since=F("created_at"), key=F("pk")).order_by("-since", "-key")[:most]


def _waiting() -> MatchQuerySet:
    """Return the public tables that wait for people.

    Left out are tables for one, those whose seats bots have filled, those at which bot accounts wait for each other,
    and those that were planned and wait for their players; the latter are on the page of planned tables.
    """
    public = fresh_tables().filter(visibility=Match.Visibility.PUBLIC, previous=None, seat_count__gt=1)
    among_bots = Q(host__bot_since__isnull=False) & (Q(rated=True) | Q(host__bot_conditions__people=False))
    last = Seat.objects.filter(match=OuterRef("pk"), number=OuterRef("seat_count") - 1)
    return (
        public.exclude(among_bots).exclude(Exists(last)).exclude(Exists(Promise.objects.filter(match=OuterRef("pk"))))
    )


def _fits(filters: Filters) -> Q:
    """Return the condition on open tables to fit the filters, but for who could join them."""
    wanted = Q()
    if filters.game:
        wanted &= Q(game=filters.game)
    if filters.speed:
        wanted &= Q(speed=filters.speed)
    if filters.rated:
        wanted &= Q(rated=filters.rated == "yes")
    if filters.seats:
        wanted &= Q(seat_count=int(filters.seats))
    if filters.vacations:
        wanted &= ~Q(speed=Speed.DAYS) | Q(excludes_vacations=True)
    return wanted
