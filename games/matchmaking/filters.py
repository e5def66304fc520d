"""The filters of the lobby: which open tables somebody wants to see, as written in the address and remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.matchmaking.models import LobbyFilter
from games.play.models import Speed
from games.titles import titles

COOKIE = "tessera_lobby"
_YEAR = 365 * 24 * 3600
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """Which open tables to list; None means "any".

    Args:
        game: slug of a title.
        speed: a `Speed`.
        rated: rated or casual.
        seats: number of players.
        joinable: only those at which the reader could sit down.
        prompt: only those at which nobody's vacation stops a clock.
    """

    game: str | None = None
    speed: str | None = None
    rated: bool | None = None
    seats: int | None = None
    joinable: bool = False
    prompt: bool = False

    @property
    def any_set(self) -> bool:
        return self != Filters()

    @property
    def query(self) -> str:
        """Return the filters as part of an address; with none at all every field is there, empty.

        >>> Filters("card-chess", rated=False).query
        'game=card-chess&rated=no'
        """
        given = {name: text for name, text in self._texts().items() if text}
        return urlencode(given or self._texts())

    def _texts(self) -> Mapping[str, str]:
        rated = {None: "", True: "yes", False: "no"}[self.rated]
        return {
            "game": self.game or "",
            "speed": self.speed or "",
            "rated": rated,
            "seats": str(self.seats or ""),
            "vacations": "no" if self.prompt else "",
            "joinable": "yes" if self.joinable else "",
        }


def _games() -> list[tuple[str, Any]]:
    return [("", _("Every game")), *((slug, title.game.name) for slug, title in titles().items() if _seats_of(slug))]


def _seats_of(slug: str) -> list[int]:
    return [count for count in titles()[slug].game.seats if count > 1]


def _seats() -> list[tuple[str, Any]]:
    counts = sorted({count for slug in titles() for count in _seats_of(slug)})
    return [("", _("Any number")), *((str(count), _players(count)) for count in counts)]


def _players(count: int) -> str:
    return ngettext("%(n)d player", "%(n)d players", count) % {"n": count}


class FilterForm(forms.Form):
    """The filters as a form. Everything is optional."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=_games)
    speed = forms.ChoiceField(label=_("Speed"), required=False, choices=[("", _("Any speed")), *Speed.choices])
    rated = forms.ChoiceField(
        label=_("Rated"), required=False, choices=[("", _("Rated or casual")), ("yes", _("Rated")), ("no", _("Casual"))]
    )
    seats = forms.ChoiceField(label=_("Players"), required=False, choices=_seats)
    vacations = forms.ChoiceField(
        label=_("Vacations"), required=False, choices=[("", _("Vacations or not")), ("no", _("No vacations"))]
    )
    joinable = forms.ChoiceField(
        label=_("Open to me"), required=False, choices=[("", _("Every table")), ("yes", _("I can join"))]
    )

    def chosen(self) -> Filters:
        """Return what was asked for. A choice that does not exist is none: addresses may be old."""
        self.is_valid()
        data = self.cleaned_data
        return Filters(
            game=data.get("game") or None,
            speed=data.get("speed") or None,
            rated={"yes": True, "no": False}.get(data.get("rated", "")),
            seats=int(data["seats"]) if data.get("seats") else None,
            joinable=data.get("joinable") == "yes",
            prompt=data.get("vacations") == "no",
        )


NAMES = tuple(FilterForm.base_fields)


def read(fields: Mapping[str, Any]) -> Filters:
    """Return the filters in the fields of an address."""
    return FilterForm(fields).chosen()


def form_of(filters: Filters, known: bool) -> FilterForm:
    """Return the form filled in; only to who is known it offers the tables that are open to them."""
    form = FilterForm(QueryDict(filters.query))
    if not known:
        del form.fields["joinable"]
    return form


def in_words(filters: Filters) -> list[str]:
    """Return what is asked for, each filter in a few words."""
    words = [titles()[filters.game].game.name] if filters.game else []
    words += [str(Speed(filters.speed).label)] if filters.speed else []
    words += [gettext("Rated") if filters.rated else gettext("Casual")] if filters.rated is not None else []
    words += [_players(filters.seats)] if filters.seats else []
    words += [gettext("No vacations")] if filters.prompt else []
    return [*words, *([gettext("I can join")] if filters.joinable else [])]


# --- remembering them -------------------------------------------------------------------------------------------------


def asked(request: HttpRequest) -> Filters | None:
    """Return the filters in the address, None if it says nothing about them."""
    return read(request.GET) if any(name in request.GET for name in NAMES) else None


def remembered(request: HttpRequest) -> Filters:
    """Return the filters that somebody used last: a member anywhere, a visitor in this browser."""
    if request.user.is_authenticated:
        query = LobbyFilter.objects.filter(user=request.user).values_list("query", flat=True).first() or ""
    else:
        query = request.COOKIES.get(COOKIE, "")
    return read(QueryDict(query)) if 0 < len(query) <= _LONGEST else Filters()


def remember(request: HttpRequest, response: HttpResponse, filters: Filters) -> None:
    """Remember the filters somebody has chosen."""
    if request.user.is_authenticated:
        LobbyFilter.objects.update_or_create(user=request.user, defaults={"query": filters.query})
    else:
        response.set_cookie(
            COOKIE, filters.query, max_age=_YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
        )
