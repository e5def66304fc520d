"""The forms of tables: a new table (built from a game's declaration), a challenge, an invitation, a quick match."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, cast

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from accounts.names import NAME_LENGTH, name_key
from games.clubs.membership import clubs_of
from games.clubs.models import Club
from games.engine.protocol import RuleViolation
from games.matchmaking.fields import (
    ClockFields,
    OptionFields,
    chosen_option,
    clock_choice,
    option_field_name,
)
from games.matchmaking.finding import PeopleInput
from games.matchmaking.limits import AHEAD, INVITED, RATED, check_moment, have_played_enough
from games.matchmaking.requirements import OPEN_SEATS, RATINGS, check_kept, check_window
from games.matchmaking.series import GOALS
from games.matchmaking.tables import NOTE_LENGTH, SHARED, TableSetup, check_invited, new_table
from games.play.models import Level, Match, Speed
from games.titles import Title, titles

# --- naming people ----------------------------------------------------------------------------------------------------


def people_named(text: str, by: Any) -> tuple[Any, ...]:
    """Return the players named in a text, each once, without `by`.

    Raises:
        ValidationError: "too-many", or "unknown-name".
    """
    named = {name_key(word): word for word in re.split(r"[\s,;]+", text) if word}
    named.pop(by.name_key, None)
    if len(named) > INVITED:
        raise ValidationError(_("Please invite at most %(most)d players."), "too-many", {"most": INVITED})
    found = get_user_model().objects.filter(name_key__in=named, is_active=True)
    if unknown := sorted(named[key] for key in named.keys() - {user.name_key for user in found}):
        raise ValidationError(_("There is no player called %(names)s."), "unknown-name", {"names": ", ".join(unknown)})
    return tuple(found)


class InviteForm(forms.Form):
    """More players to invite to an open table."""

    invited = forms.CharField(
        label=_("Invite"),
        max_length=1000,
        widget=PeopleInput(many=True),
        help_text=_("Player names, separated by spaces. They will be notified at once."),
    )

    def __init__(self, user: Any, data: Any = None) -> None:
        super().__init__(data)
        self.user = user

    def clean_invited(self) -> tuple[Any, ...]:
        people = people_named(self.cleaned_data["invited"], self.user)
        if not people:
            raise ValidationError(_("Name at least one other player."), "nobody-invited")
        return people


# --- a new table ------------------------------------------------------------------------------------------------------

USUAL_SEATS = 2
"""Number of players preselected, where the game allows it."""

RELIABILITIES = (0, 80, 90, 95)
"""What a table can require: the percentage of turns on time; 0 requires nothing."""


def _reliabilities() -> list[tuple[int, str]]:
    text = gettext("at least %(least)s %% of turns on time")
    return [(least, text % {"least": least} if least else gettext("Anyone")) for least in RELIABILITIES]


def _goals() -> list[tuple[int | str, str]]:
    text = gettext("First to win %(goal)d matches")
    return [("", gettext("A single match")), *((goal, text % {"goal": goal}) for goal in GOALS)]


_VISIBILITIES = [
    (Match.Visibility.PUBLIC, _("Everyone in the lobby")),
    (Match.Visibility.LINK, _("Anyone with the link")),
    (Match.Visibility.FRIENDS, _("My friends")),
    (Match.Visibility.PRIVATE, _("Only players I invite")),
]
_OF_GUESTS = _VISIBILITIES[:2]
_OF_CLUB = "club:"
"""How the value of a choice begins that is followed by the address of a club."""


_FIRST = ("opens_at", "seats", "speed")
"""The fields that everybody sees; the others are behind *More options*, but for what a game must be told."""

_FOR_A_LINK: Mapping[str, Any] = {
    "visibility": Match.Visibility.LINK,
    "rated": False,
    "bots": "",
    "kept": 0,
    "reliability": 0,
    "rating_from": None,
    "rating_to": None,
}
"""A table opened for a link (the field `by_link`, a button) lets in whoever has it, even guests."""


class TableForm(OptionFields, ClockFields):
    """What to play, with whom and how. `setup()` returns it once the form is valid."""

    seats = forms.TypedChoiceField(label=_("Players"), coerce=int, widget=forms.RadioSelect)
    speed = forms.ChoiceField(
        label=_("Speed"),
        choices=Speed.choices,
        initial=Speed.LIVE,
        widget=forms.RadioSelect,
        help_text=_("Live: everyone stays at the table. Over days: you move now and then."),
    )
    bots = forms.ChoiceField(
        label=_("Free seats"),
        choices=[("", _("Wait for players")), *Level.choices],
        required=False,
        help_text=_("Bots take all free seats at once. A match with bots is casual."),
    )
    first_to = forms.TypedChoiceField(
        label=_("Series"),
        choices=_goals,
        coerce=int,
        required=False,
        help_text=_("The same players go on until one of them has won that many matches. Seats change each time."),
    )
    rated = forms.BooleanField(label=_("Rated"), initial=True, required=False)
    reliability = forms.TypedChoiceField(
        label=_("Turns on time"),
        choices=_reliabilities,
        coerce=int,
        required=False,
        help_text=_("Players who missed more turns can join only if invited."),
    )
    rating_from = forms.IntegerField(
        label=_("Lowest rating"), min_value=RATINGS[0], max_value=RATINGS[-1], required=False
    )
    rating_to = forms.IntegerField(
        label=_("Highest rating"), min_value=RATINGS[0], max_value=RATINGS[-1], required=False
    )
    opens_at = forms.DateTimeField(
        label=_("When"), widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.TextInput({"dir": "auto"}),
        help_text=_("One line for everyone who sees the table, for instance: Beginners welcome."),
    )
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        choices=_VISIBILITIES,
        initial=Match.Visibility.PUBLIC,
    )
    kept = forms.TypedChoiceField(
        label=_("Seats kept for friends"),
        coerce=int,
        required=False,
        help_text=_("Only your friends and players you invite can take these. You can open them to everyone later."),
    )
    invited = forms.CharField(
        label=_("Invite"),
        required=False,
        max_length=1000,
        widget=PeopleInput(many=True),
        help_text=_("Player names, separated by spaces. They will find the table among their matches."),
    )
    seat_order = forms.ChoiceField(
        label=_("Order of play"),
        choices=[
            (Match.SeatOrder.RANDOM, _("Drawn at random when the match begins")),
            (Match.SeatOrder.AS_SAT, _("In the order players join")),
        ],
        initial=Match.SeatOrder.RANDOM,
    )
    by_link = forms.BooleanField(required=False, widget=forms.HiddenInput)

    clubs: Mapping[str, Club] = MappingProxyType({})
    """The clubs that can be chosen, by the value of the field `visibility`."""

    def __init__(self, title: Title, user: Any, data: Any = None, plan: bool = False) -> None:
        """Build the form of a title's table.

        Args:
            title: what to play.
            user: who opens or plans the table.
            data: what was sent.
            plan: whether the table is planned for a time, rather than opened now.
        """
        usual = {"seats": USUAL_SEATS if USUAL_SEATS in title.game.seats else title.game.seats[0]}
        super().__init__(data, initial=usual | last_choice(title, user))
        self._offer(title, title.game.options)
        self.user = user
        rated = gettext(
            "The result changes the ratings of all players. Two players can have up to %(count)d rated matches with "
            "each other in 24 hours."
        )
        alone = gettext("A match for one player is never rated.") if 1 in title.game.seats else ""
        self.fields["rated"].help_text = f"{rated % {'count': RATED.most}} {alone}".strip()
        seats = cast("forms.TypedChoiceField", self.fields["seats"])
        seats.choices = [(count, _players(count)) for count in title.game.seats if count > 1 or not plan]
        kept = cast("forms.TypedChoiceField", self.fields["kept"])
        kept.choices = [(count, _kept(count)) for count in range(max(1, max(title.game.seats) - OPEN_SEATS + 1))]
        self.order_fields(["seats", *map(option_field_name, title.game.options)])
        del self.fields["bots" if plan else "opens_at"]
        if plan:
            text = gettext("In your time zone: %(zone)s. From %(minutes)d minutes to %(days)d days ahead.")
            limits = {"minutes": AHEAD[0] // timedelta(minutes=1), "days": AHEAD[1].days}
            self.fields["opens_at"].help_text = text % {"zone": timezone.get_current_timezone_name(), **limits}
            if self.initial.get("seats") == 1:
                self.initial["seats"] = USUAL_SEATS
        if user.guest:
            self._restrict_to_guests()
        else:
            self._offer_clubs()

    def _offer_clubs(self) -> None:
        """Offer a table for each club to which the user belongs."""
        self.clubs = {f"{_OF_CLUB}{club.slug}": club for club in clubs_of(self.user)}
        named = [(value, gettext("Members of %(club)s") % {"club": it.shown_name}) for value, it in self.clubs.items()]
        cast("forms.ChoiceField", self.fields["visibility"]).choices = [*_VISIBILITIES[:2], *named, *_VISIBILITIES[2:]]

    def for_club(self, slug: str) -> None:
        """Fill in the club that the table is for, if it is one of the user's."""
        if (value := f"{_OF_CLUB}{slug}") in self.clubs:
            self.initial["visibility"] = value

    def _restrict_to_guests(self) -> None:
        """Disable what a guest cannot choose, and say why."""
        rated, invited, visibility = self.fields["rated"], self.fields["invited"], self.fields["visibility"]
        self.initial["rated"] = False
        del self.fields["kept"]
        rated.disabled = invited.disabled = self.fields["note"].disabled = True
        self.fields["note"].help_text = gettext("Guests can’t write a note. Register to add one.")
        rated.help_text = gettext("Guests play casual matches. Register to play rated ones.")
        invited.help_text = gettext("Guests invite by sharing the link to their table. Register to invite by name.")
        assert isinstance(visibility, forms.ChoiceField)  # noqa: S101  # tells mypy which field it is
        visibility.choices = _OF_GUESTS

    def invite(self, name: str) -> None:
        """Fill in whom to invite; the table is then for invited players only."""
        if name and not self.user.guest:
            self.initial.update(invited=name[:NAME_LENGTH], visibility=Match.Visibility.PRIVATE)

    def options(self, required: bool = False) -> list[tuple[forms.BoundField, str]]:
        """Return the fields of the game's own options, each marked with the numbers of players it applies to.

        Args:
            required: those that must be chosen, instead of those that have a default.
        """
        marked = zip(self.offered, self.marked_options(), strict=True)
        return [field for option, field in marked if option.required == required]

    def required_options(self) -> list[tuple[forms.BoundField, str]]:
        """Return the fields of what a game must be told."""
        return self.options(required=True)

    @property
    def shows_more(self) -> bool:
        """Return whether *More options* are open: something in them is wrong, or has just been filled in."""
        first = {*_FIRST, NON_FIELD_ERRORS, *(field.name for field, _marks in self.required_options())}
        return bool(self.errors.keys() - first or (not self.is_bound and self.initial.get("invited")))

    def in_short(self) -> dict[str, str]:
        """Return what is chosen of the options that matter most, in words; new_table.js keeps them current."""
        rated = self["rated"].value() and self["visibility"].value() != Match.Visibility.LINK
        clocks = {name: dict(self.fields[name].choices) for name in ("live_clock", "days_clock")}  # type: ignore[attr-defined]  # both are choices
        joins = cast("forms.ChoiceField", self.fields["visibility"])
        return {
            **{name: str(words.get(self[name].value(), "")) for name, words in clocks.items()},
            "rated": gettext("rated") if rated else gettext("casual"),
            "visibility": str(dict(joins.choices).get(self["visibility"].value(), "")),  # type: ignore[arg-type]  # no groups
        }

    def clean_invited(self) -> tuple[Any, ...]:
        return people_named(self.cleaned_data["invited"], self.user)

    def clean_opens_at(self) -> datetime:
        """Refuse a time that is too near or too far away ("moment")."""
        opens_at: datetime = self.cleaned_data["opens_at"]
        try:
            check_moment(opens_at)
        except RuleViolation as violation:
            raise ValidationError(violation.text, violation.code) from violation
        return opens_at

    def clean(self) -> dict[str, Any]:
        """Check the options against the number of players, and that somebody is invited to a private table."""
        data = super().clean() or {}
        if data.get("by_link"):
            data.update({name: it for name, it in _FOR_A_LINK.items() if name in self.fields})
        data["club"] = self.clubs.get(data.get("visibility", ""))
        if data["club"] is not None:
            data["visibility"] = Match.Visibility.CLUB
        seats = data.get("seats")
        if seats is None:
            return data
        bots = data.get("bots") or ""
        self.check_clock(data["rated"] and not bots)
        checks = {
            "rating_to": partial(check_window, data.get("rating_from"), data.get("rating_to")),
            "kept": partial(check_kept, self._kept(), seats),
        }
        for field, check in checks.items():
            try:
                check()
            except RuleViolation as violation:
                self.add_error(field, ValidationError(violation.text, violation.code))
        self._check_invited(seats, bots)
        self.check_options(seats)
        return data

    def _check_invited(self, seats: int, bots: str) -> None:
        """Refuse a private table to which nobody is invited, and bots in the seats of those who are."""
        if "visibility" not in self.cleaned_data or "invited" not in self.cleaned_data:
            return
        try:
            check_invited(self.cleaned_data["visibility"], seats, self.cleaned_data["invited"], bots)
        except RuleViolation as violation:
            field = "bots" if violation.code == "bots" else "invited"
            self.add_error(field, ValidationError(violation.text, violation.code))

    def _kept(self) -> int:
        """Return how many seats are kept for friends, where others can sit down too."""
        data = self.cleaned_data
        shared = data.get("visibility") in SHARED and data["seats"] > 1 and not data.get("bots")
        return (data.get("kept") or 0) if shared and not self.user.guest else 0

    def setup(self) -> TableSetup:
        """Return what was asked for, with the options that apply to this number of players."""
        data, seats = self.cleaned_data, self.cleaned_data["seats"]
        return TableSetup(
            game=self.title.slug,
            seats=seats,
            options=self.chosen_options([seats]),
            speed=data["speed"],
            clock=self.clock(),
            excludes_vacations=data["excludes_vacations"],
            rated=data["rated"],
            reliability=data["reliability"] or 0,
            rating_from=data["rating_from"],
            rating_to=data["rating_to"],
            kept=self._kept(),
            note=data["note"],
            visibility=data["visibility"],
            seat_order=data["seat_order"],
            first_to=(data["first_to"] or 0) if seats > 1 and not data.get("bots") else 0,
            club=data["club"],
            invited=data["invited"],
            bots=data.get("bots", "") if seats > 1 else "",
        )


def _kept(count: int) -> str:
    return ngettext("%(n)d seat", "%(n)d seats", count) % {"n": count} if count else gettext("none")


def _players(count: int) -> str:
    return gettext("alone") if count == 1 else ngettext("%(n)d player", "%(n)d players", count) % {"n": count}


def last_choice(title: Title, user: Any) -> dict[str, Any]:
    """Return what a person chose for the last table of a game they opened, as far as it is still offered.

    Whom they invited is left out, and a table for invited players or for a club becomes one for everybody. Tables for a
    link, which are casual, and matches against bots, which have no clock, say nothing of what somebody plays with
    others.
    """
    opened = Match.objects.filter(host=user, game=title.slug, previous=None).order_by("-pk")
    opened = opened.exclude(visibility=Match.Visibility.LINK)
    last = opened.defer("state", "server_seed").first()
    if last is None or last.seat_count not in title.game.seats:
        return {}
    chosen = {option_field_name(it): chosen_option(it, last) for it in title.game.options}
    with_others = last.seat_count > 1 and not last.has_bots
    several = {"rated": last.rated, **clock_choice(last.clock, Speed(last.speed))} if with_others else {}
    was_private = last.visibility in {Match.Visibility.PRIVATE, Match.Visibility.CLUB}
    return {
        **{name: value for name, value in chosen.items() if value is not None},
        **several,
        "seats": last.seat_count,
        "speed": last.speed,
        "excludes_vacations": last.excludes_vacations,
        "reliability": last.reliability,
        "rating_from": last.rating_from,
        "rating_to": last.rating_to,
        "kept": last.kept,
        "visibility": Match.Visibility.PUBLIC if was_private else last.visibility,
        "seat_order": last.seat_order,
    }


# --- a challenge ------------------------------------------------------------------------------------------------------

_CHALLENGE_SEATS = 2


@dataclass(frozen=True, slots=True)
class ChallengeOffer:
    """A game to challenge somebody to.

    Args:
        title: the game.
        match: the table as it would be opened; None if something must be chosen first.
    """

    title: Title
    match: Match | None


def challenge_offers(user: Any, other: Any) -> list[ChallengeOffer]:
    """Return the games for two, each with the settings that the user chose last."""
    offers = []
    for title in titles().values():
        if _CHALLENGE_SEATS in title.game.seats:
            form = challenge_form(title, user, other)
            offers.append(ChallengeOffer(title, new_table(user, form.setup()) if form.is_valid() else None))
    return offers


def challenge_form(title: Title, user: Any, other: Any, first_to: str = "") -> TableForm:
    """Return the form of a new table, filled in for a challenge: what was chosen last, for two, for the other alone.

    It is casual once they have played enough rated matches with each other, as a rematch is, and between a person and a
    bot.
    """
    empty = TableForm(title, user)
    filled = {name: empty.get_initial_for_field(field, name) for name, field in empty.fields.items()}
    chosen = {"seats": _CHALLENGE_SEATS, "visibility": Match.Visibility.PRIVATE, "invited": other.username, "bots": ""}
    open_to_all = {"kept": 0, "reliability": 0, "rating_from": "", "rating_to": "", "note": ""}
    data = {**filled, **open_to_all, **chosen, "first_to": first_to}
    if have_played_enough([user, other]) or user.is_bot != other.is_bot:
        data["rated"] = False
    return TableForm(title, user, {name: value for name, value in data.items() if value is not None})


# --- a match against a bot --------------------------------------------------------------------------------------------


class PlayNowForm(forms.Form):
    """The game and the level of a match against a bot."""

    game = forms.ChoiceField(label=_("Game"))
    level = forms.ChoiceField(label=_("Bot"), choices=Level.choices, initial=Level.COMPANION, widget=forms.RadioSelect)

    def __init__(self, data: Any = None, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}), auto_id="play-now-%s")
        cast("forms.ChoiceField", self.fields["game"]).choices = [
            (slug, title.game.name) for slug, title in titles().items()
        ]
