"""The form of a new table, built from a game's declaration. Options for other numbers of players are ignored."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.names import NAME_LENGTH
from games.engine.protocol import OptionValue, RuleViolation
from games.matchmaking import notes
from games.matchmaking.clock_fields import ClockFields
from games.matchmaking.counting import check_moment
from games.matchmaking.invited_fields import NamesInput, offer_names, people_named
from games.matchmaking.kept import OTHERS, check_kept
from games.matchmaking.limits import AHEAD, RATED
from games.matchmaking.option_fields import field_of, marked, name_of
from games.matchmaking.remembered import last_choice
from games.matchmaking.requirements import RATINGS, check_window
from games.matchmaking.series import GOALS
from games.matchmaking.wishes import Wish
from games.play.models import Level, Match, Speed
from games.titles import Title

USUAL = 2
"""Number of players preselected, where the game allows it."""

RELIABILITIES = (0, 80, 90, 95)
"""What a table can require: the percentage of turns on time; 0 requires nothing."""


def _reliabilities() -> list[tuple[int, str]]:
    return [(least, _at_least(least) if least else gettext("Anyone")) for least in RELIABILITIES]


def _rated_help(alone: bool) -> str:
    text = gettext(
        "The result changes the ratings of all players. Two players can have up to %(count)d rated matches with "
        "each other in 24 hours."
    ) % {"count": RATED.most}
    return f"{text} {gettext('A match for one player is never rated.')}" if alone else text


def _goals() -> list[tuple[int | str, str]]:
    return [("", gettext("A single match")), *((goal, first_to_in_words(goal)) for goal in GOALS)]


def first_to_in_words(goal: int) -> str:
    """Return how long a series goes on."""
    return gettext("First to win %(goal)d matches") % {"goal": goal}


def _at_least(least: int) -> str:
    return gettext("at least %(least)s %% of turns on time") % {"least": least}


_VISIBILITIES = [
    (Match.Visibility.PUBLIC, _("Everyone; the table is listed in the lobby")),
    (Match.Visibility.LINK, _("Anyone with the link")),
    (Match.Visibility.FRIENDS, _("My friends")),
    (Match.Visibility.PRIVATE, _("Only players I invite")),
]
SHARED = (Match.Visibility.PUBLIC, Match.Visibility.LINK)
"""Tables of these kinds are for everybody who finds them; at others all seats are for people the host knows."""

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
    first_to = forms.TypedChoiceField(
        label=_("Series"),
        choices=_goals,
        coerce=int,
        required=False,
        help_text=_("The same players go on until one of them has won that many matches. Seats change each time."),
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
        widget=forms.TextInput({"dir": "auto"}),
        help_text=_("One line for everybody who sees the table, for instance: Beginners welcome."),
    )
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        choices=_VISIBILITIES,
        initial=Match.Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    kept = forms.TypedChoiceField(
        label=_("Seats kept for friends"),
        coerce=int,
        required=False,
        help_text=_("Only your friends and players you invite can take these. You can open them to everybody later."),
    )
    invited = forms.CharField(
        label=_("Invite"),
        required=False,
        max_length=1000,
        widget=NamesInput,
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
        offer_names(self, user)
        self.fields["rated"].help_text = _rated_help(alone=1 in title.game.seats)
        seats = cast("forms.TypedChoiceField", self.fields["seats"])
        seats.choices = [(count, _players(count)) for count in title.game.seats if count > 1 or not plan]
        kept = cast("forms.TypedChoiceField", self.fields["kept"])
        kept.choices = [(count, _kept(count)) for count in range(max(1, max(title.game.seats) - OTHERS + 1))]
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
        del self.fields["kept"]
        rated.disabled = invited.disabled = self.fields["note"].disabled = True
        self.fields["note"].help_text = gettext("Guests can’t write a note. Register to add one.")
        rated.help_text = gettext("Guests play casual matches. Register to play rated ones.")
        invited.help_text = gettext("Guests invite by sharing the link to their table. Register to invite by name.")
        assert isinstance(visibility, forms.ChoiceField)  # noqa: S101  # tells mypy which field it is
        visibility.choices = _OF_GUESTS

    def invite(self, name: str) -> None:
        """Fill in whom to invite, before the player sees the form; the table is for them alone then."""
        if name and not self.user.guest:
            self.initial.update(invited=name[:NAME_LENGTH], visibility=Match.Visibility.PRIVATE)

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
        self._check_kept(seats)
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

    def _check_kept(self, seats: int) -> None:
        try:
            check_kept(self._kept(), seats)
        except RuleViolation as violation:
            self.add_error("kept", ValidationError(violation.text, violation.code))

    def _kept(self) -> int:
        """Return how many seats are kept for friends, where others can sit down too."""
        data = self.cleaned_data
        shared = data.get("visibility") in SHARED and data["seats"] > 1 and not data.get("bots")
        return (data.get("kept") or 0) if shared and not self.user.guest else 0

    def wish(self) -> Wish:
        """Return what was asked for, with the options that apply to this number of players."""
        data = self.cleaned_data
        return Wish(
            game=self.title.slug,
            seats=data["seats"],
            options=self._chosen(data["seats"]),
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
            first_to=(data["first_to"] or 0) if data["seats"] > 1 and not data.get("bots") else 0,
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


def _kept(count: int) -> str:
    return ngettext("%(n)d seat", "%(n)d seats", count) % {"n": count} if count else gettext("none")


def _players(count: int) -> str:
    return gettext("alone") if count == 1 else ngettext("%(n)d player", "%(n)d players", count) % {"n": count}
