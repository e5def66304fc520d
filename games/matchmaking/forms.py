"""The form of a new table, built from a game's declaration. Options for other numbers of players are ignored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.names import name_key
from games.engine.protocol import OptionValue, RuleViolation
from games.matchmaking import notes
from games.matchmaking.clock_fields import ClockFields, clock_choice
from games.matchmaking.limits import AHEAD, INVITED, RATED, check_moment
from games.matchmaking.option_fields import chosen_for, field_of, marked, name_of
from games.matchmaking.requirements import RATINGS, check_window
from games.matchmaking.services import Wish
from games.play.models import Level, Match, Speed
from games.titles import Title, titles

USUAL = 2
"""Number of players preselected, where the game allows it."""

RELIABILITIES = (0, 80, 90, 95)
"""What a table can require: the percentage of turns on time; 0 requires nothing."""


def _reliabilities() -> list[tuple[int, str]]:
    return [(least, _at_least(least) if least else gettext("Anyone")) for least in RELIABILITIES]


def _rated_help() -> str:
    text = gettext(
        "The result changes the ratings of all players. Two players can have up to %(count)d rated matches with "
        "each other in 24 hours. A match for one player is never rated."
    )
    return text % {"count": RATED.most}


def _at_least(least: int) -> str:
    return gettext("at least %(least)s %% of turns on time") % {"least": least}


def people_named(text: str, by: Any) -> tuple[Any, ...]:
    """Return the players named in a text, each once, without the one who names them.

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


_VISIBILITIES = [
    (Match.Visibility.PUBLIC, _("Everyone; the table is listed in the lobby")),
    (Match.Visibility.LINK, _("Anyone with the link")),
    (Match.Visibility.FRIENDS, _("My friends")),
    (Match.Visibility.PRIVATE, _("Only players I invite")),
]
_OF_GUESTS = _VISIBILITIES[:2]


class TableForm(ClockFields):
    """What to play, with whom and how. `wish()` returns it once the form is valid."""

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
        widget=forms.RadioSelect,
        help_text=_("Bots take all free seats at once. A match with bots is casual."),
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        initial=True,
        required=False,
    )
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
        max_length=notes.MOST,
        help_text=_("One line for everybody who sees the table, for instance: Beginners welcome."),
    )
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        choices=_VISIBILITIES,
        initial=Match.Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    invited = forms.CharField(
        label=_("Invite"),
        required=False,
        max_length=1000,
        help_text=_("Player names, separated by spaces. They will find the table among their matches."),
    )
    seat_order = forms.ChoiceField(
        label=_("Order of play"),
        choices=[
            (Match.SeatOrder.RANDOM, _("Drawn at random when the match begins")),
            (Match.SeatOrder.AS_SAT, _("In the order players join")),
        ],
        initial=Match.SeatOrder.RANDOM,
        widget=forms.RadioSelect,
    )

    def __init__(self, title: Title, user: Any, data: Any = None, plan: bool = False) -> None:
        """Build the form of a title's table.

        Args:
            title: what to play.
            user: who opens or plans the table.
            data: what was sent.
            plan: whether the table is planned for a time, rather than opened now.
        """
        usual = {"seats": USUAL if USUAL in title.game.seats else title.game.seats[0]}
        super().__init__(data, initial=usual | last_choice(title, user))
        self.title = title
        self.user = user
        self.fields["rated"].help_text = _rated_help()
        seats = cast("forms.TypedChoiceField", self.fields["seats"])
        seats.choices = [(count, _players(count)) for count in title.game.seats if count > 1 or not plan]
        for option in title.game.options:
            self.fields[name_of(option)] = field_of(option, title)
        self.order_fields(["seats", *map(name_of, title.game.options)])
        self._ask_when(plan)
        if user.guest:
            self._keep_to_what_guests_can()

    def _ask_when(self, plan: bool) -> None:
        """Leave out what belongs to tables planned for a time only, or to those that open now."""
        del self.fields["bots" if plan else "opens_at"]
        if plan:
            text = gettext("On your clock: %(zone)s. From %(minutes)d minutes to %(days)d days ahead.")
            limits = {"minutes": AHEAD[0] // timedelta(minutes=1), "days": AHEAD[1].days}
            self.fields["opens_at"].help_text = text % {"zone": timezone.get_current_timezone_name(), **limits}
            if self.initial.get("seats") == 1:
                self.initial["seats"] = USUAL

    def _keep_to_what_guests_can(self) -> None:
        """Switch off what a guest cannot choose, and say why."""
        rated, invited, visibility = self.fields["rated"], self.fields["invited"], self.fields["visibility"]
        self.initial["rated"] = False
        rated.disabled = invited.disabled = self.fields["note"].disabled = True
        self.fields["note"].help_text = gettext("Guests can't write a note. Register to add one.")
        rated.help_text = gettext("Guests play casual matches. Register to play rated ones.")
        invited.help_text = gettext("Guests invite by sharing the link to their table. Register to invite by name.")
        assert isinstance(visibility, forms.ChoiceField)  # noqa: S101  # tells mypy which field it is
        visibility.choices = _OF_GUESTS

    def options(self) -> list[tuple[forms.BoundField, str]]:
        """Return the fields of the game's own options, each marked with the numbers of players it applies to."""
        return [(self[name_of(option)], marked(option, self.title)) for option in self.title.game.options]

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
        seats = data.get("seats")
        if seats is None:
            return data
        bots = data.get("bots") or ""
        self.check_clock(data["rated"] and not bots)
        self._check_window(data.get("rating_from"), data.get("rating_to"))
        alone = seats == 1
        if bots and data.get("invited"):
            self.add_error("bots", ValidationError(_("Leave the seats free for the players you invite."), "bots"))
        if not alone and not bots and data.get("visibility") == Match.Visibility.PRIVATE and data.get("invited") == ():
            self.add_error("invited", ValidationError(_("Name at least one other player."), "nobody-invited"))
        for option in self.title.game.options:
            if option.required and option.exists_for(seats) and data.get(name_of(option)) == "":
                self.add_error(name_of(option), ValidationError(_("Please choose one."), "option"))
        return data

    def _check_window(self, least: int | None, most: int | None) -> None:
        try:
            check_window(least, most)
        except RuleViolation as violation:
            self.add_error("rating_to", ValidationError(violation.text, violation.code))

    def wish(self) -> Wish:
        """Return what was asked for, with the options that apply to this number of players."""
        data = self.cleaned_data
        return Wish(
            game=self.title.slug,
            seats=data["seats"],
            options=self._chosen(data["seats"]),
            speed=data["speed"],
            clock=self.clock(),
            rated=data["rated"],
            reliability=data["reliability"] or 0,
            rating_from=data["rating_from"],
            rating_to=data["rating_to"],
            note=data["note"],
            visibility=data["visibility"],
            seat_order=data["seat_order"],
            invited=data["invited"],
            bots=data.get("bots", "") if data["seats"] > 1 else "",
        )

    def _chosen(self, seats: int) -> dict[str, OptionValue]:
        chosen: dict[str, OptionValue] = {}
        for option in self.title.game.options:
            value = self.cleaned_data[name_of(option)]
            if value != "" and option.offers(value, seats):
                chosen[option.name] = value
        return chosen


class PlayNowForm(forms.Form):
    """A game and a level: all that a match against a bot needs."""

    game = forms.ChoiceField(label=_("Game"))
    level = forms.ChoiceField(label=_("Bot"), choices=Level.choices, initial=Level.COMPANION, widget=forms.RadioSelect)

    def __init__(self, data: Any = None, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}), auto_id="play-now-%s")
        cast("forms.ChoiceField", self.fields["game"]).choices = [
            (slug, title.game.name) for slug, title in titles().items()
        ]


def last_choice(title: Title, user: Any) -> dict[str, Any]:
    """Return what this person chose for the last table of this game they opened, as far as it is offered today.

    Whom they invited is not part of it, and what was for those people alone is open to everybody again.
    """
    tables = Match.objects.filter(host=user, game=title.slug, previous=None).order_by("-pk")
    last = tables.defer("state", "server_seed").first()
    if last is None or last.seat_count not in title.game.seats:
        return {}
    public = last.visibility == Match.Visibility.PRIVATE
    known = {name_of(it): chosen_for(it, last) for it in title.game.options}
    chosen = {name: value for name, value in known.items() if value is not None}
    alone = {} if last.seat_count == 1 else {"rated": last.rated, **clock_choice(last.clock, Speed(last.speed))}
    return (
        chosen
        | alone
        | {
            "seats": last.seat_count,
            "speed": last.speed,
            "reliability": last.reliability,
            "rating_from": last.rating_from,
            "rating_to": last.rating_to,
            "visibility": Match.Visibility.PUBLIC if public else last.visibility,
            "seat_order": last.seat_order,
        }
    )


def _players(count: int) -> str:
    return gettext("alone") if count == 1 else ngettext("%(n)d player", "%(n)d players", count) % {"n": count}
