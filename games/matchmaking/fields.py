"""Fields of the form of a new table: the options of a game, each for some numbers of players, and the clock."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import flatatt
from django.utils.translation import gettext, gettext_lazy as _

from games.engine.protocol import Option, OptionValue
from games.matchmaking.tables import HOURS, MINUTES, SAVED, SECONDS, USUAL_CLOCKS
from games.play.clocks import Control, control_in_words, longest_turn_in_words, read_control
from games.play.models import Match, Speed
from games.titles import Title

FEW = 5
"""Up to this many choices are radio buttons; more are a drop-down list."""

MARK = "data-for-seats"
"""The attribute of a choice that names the numbers of players it is for; a rule in tables.css hides the others."""

_WORDS = {True: "yes", False: "no"}


# --- options of a game ------------------------------------------------------------------------------------------------


def option_field_name(option: Option) -> str:
    """Return the name of the field of an option."""
    return f"option-{option.name}"


def option_marks(option: Option, title: Title) -> str:
    """Return the attribute that marks the field of an option."""
    counts = (str(count) for count in title.game.seats if option.exists_for(count))
    return flatatt({MARK: " ".join(counts)})


def chosen_option(option: Option, match: Match) -> OptionValue | None:
    """Return the value of an option's field for what was played in a match; None if that is no longer offered."""
    value = match.options.get(option.name)
    if not any(value == offered for offered, _label in option.choices):
        return None
    return value if _is_switch(option) else option_word(value)


def setup_query(title: Title, seats: int, options: Mapping[str, OptionValue]) -> dict[str, str]:
    """Return the query of an address whose form of a new table is filled in with this (`setup_from_query`)."""
    known = (option for option in title.game.options if option.name in options)
    return {"seats": str(seats), **{option_field_name(it): option_word(options[it.name]) for it in known}}


def setup_from_query(title: Title, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the initial values of the form of a new table that an address asks for and the game offers."""
    counts = [count for count in title.game.seats if str(count) == fields.get("seats")]
    asked: dict[str, Any] = {"seats": counts[0]} if counts else {}
    for option in title.game.options:
        for value, _label in option.choices:
            if option_word(value) == fields.get(option_field_name(option)):
                asked[option_field_name(option)] = value if _is_switch(option) else option_word(value)
    return asked


def option_field(option: Option, title: Title) -> forms.Field:
    """Return the field of an option: a checkbox if it is true or false, otherwise a choice."""
    label, text = _translated(option.label), _translated(option.help)
    if option.seats is not None and not option.seats.issuperset(title.game.seats):
        counts = ", ".join(str(count) for count in sorted(option.seats))
        text = f"{text} {gettext('Only for this number of players: %(counts)s.') % {'counts': counts}}".strip()
    if _is_switch(option):
        return forms.BooleanField(label=label, required=False, initial=option.default, help_text=text)
    choices = [(option_word(value), _translated(name)) for value, name in option.choices]
    few = len(choices) <= FEW
    widget = RadioSelect if few else Select
    counts_of = [count for count in title.game.seats if option.exists_for(count)]
    for_seats = {
        option_word(value): " ".join(str(count) for count in counts_of if option.offers(value, count))
        for value, _idle in option.idle
    }
    values = {option_word(value): value for value, _label in option.choices}
    return forms.TypedChoiceField(
        label=label,
        required=False,
        choices=choices if few or not option.required else [("", "—"), *choices],
        initial=None if option.required else option_word(option.default),
        coerce=values.__getitem__,
        empty_value="" if option.required else option.default,  # type: ignore[arg-type]  # the stub forbids booleans
        widget=widget(for_seats),
        help_text=text,
    )


class _MarksChoices(forms.widgets.ChoiceWidget):
    """Marks choices with the numbers of players they are for; a rule in tables.css hides the others.

    Args:
        for_seats: those numbers, for choices that are not for all of them.
    """

    def __init__(self, for_seats: dict[str, str]) -> None:
        super().__init__()
        self.for_seats = for_seats

    def create_option(self, name: str, value: Any, *arguments: Any, **named: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *arguments, **named)
        if for_seats := self.for_seats.get(value):
            option["attrs"][MARK] = for_seats
            option["marks"] = flatatt({MARK: for_seats})
        return option


class RadioSelect(_MarksChoices, forms.RadioSelect):
    """Has the name of Django's class, by which templates tell widgets apart; so has `Select`."""


class Select(_MarksChoices, forms.Select):
    """See `RadioSelect`."""


def _is_switch(option: Option) -> bool:
    return not option.required and {value for value, _label in option.choices} == {True, False}


def option_word(value: OptionValue) -> str:
    """Return the value of an option as forms send it."""
    return _WORDS[value] if isinstance(value, bool) else value


def _translated(text: str) -> str:
    return gettext(text) if text else ""  # gettext("") is the catalogue's header


class OptionFields(forms.Form):
    """The options of a game, each in a field of its own; `chosen_options()` returns them once the form is valid."""

    title: Title
    offered: Sequence[Option]

    def _offer(self, title: Title, options: Sequence[Option]) -> None:
        """Add the fields of some options of a title."""
        self.title, self.offered = title, options
        for option in options:
            self.fields[option_field_name(option)] = option_field(option, title)

    def marked_options(self) -> list[tuple[forms.BoundField, str]]:
        """Return the fields of the options, each marked with the numbers of players it applies to."""
        return [(self[option_field_name(option)], option_marks(option, self.title)) for option in self.offered]

    def check_options(self, seats: int) -> None:
        """Refuse that an option is not chosen which a match of so many has to be told: "option"."""
        for option in self.offered:
            name = option_field_name(option)
            if option.required and option.exists_for(seats) and self.cleaned_data.get(name) == "":
                self.add_error(name, ValidationError(_("Please choose one."), "option"))

    def chosen_options(self, counts: Collection[int]) -> dict[str, OptionValue]:
        """Return what is chosen of the options that apply to any of these numbers of players."""
        chosen = ((option, self.cleaned_data[option_field_name(option)]) for option in self.offered)
        return {
            option.name: value
            for option, value in chosen
            if value != "" and any(option.offers(value, count) for count in counts)
        }


# --- the clock --------------------------------------------------------------------------------------------------------


OTHER = "other"
NONE = "none"

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def clock_choices(usual: Iterable[str]) -> list[tuple[str, Any]]:
    """Return the choices of some usual clocks, and of another one."""
    return [*((text, control_in_words(read_control(text))) for text in usual), (OTHER, _("Another clock"))]


def _choices(speed: Speed) -> list[tuple[str, Any]]:
    return [*clock_choices(USUAL_CLOCKS[speed]), (NONE, _("No clock"))]


def _number(label: Any, numbers: range) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=numbers[0], max_value=numbers[-1], required=False)


def clock_choice(clock: str, speed: Speed, usual: Collection[str] = ()) -> dict[str, Any]:
    """Return the values of the fields with which this clock is chosen.

    Args:
        clock: whichever; empty for none.
        speed: of the match.
        usual: those that can be chosen; empty for `USUAL_CLOCKS`.
    """
    name = f"{speed}_clock"
    if not clock or clock in (usual or USUAL_CLOCKS[speed]):
        return {name: clock or NONE}
    control = read_control(clock)
    if speed == Speed.LIVE:
        return {name: OTHER, "minutes": control.start // _MINUTE, "seconds": control.increment // timedelta(seconds=1)}
    return {name: OTHER, "hours": control.increment // _HOUR, "saved": control.cap // _DAY}


class ClockFields(forms.Form):
    """The choice of a clock; `clock()` returns it once the form is valid."""

    live_clock = forms.ChoiceField(label=_("Clock"), choices=partial(_choices, Speed.LIVE), required=False)
    minutes = _number(_("Minutes at the start"), MINUTES)
    seconds = _number(_("Seconds added per turn"), SECONDS)
    days_clock = forms.ChoiceField(label=_("Clock"), choices=partial(_choices, Speed.DAYS), required=False)
    hours = _number(_("Hours per turn"), HOURS)
    saved = _number(_("Most you can save up, in days"), SAVED)
    excludes_vacations = forms.BooleanField(
        label=_("No vacations"),
        required=False,
        help_text=_("Clocks run on while their players are on vacation. Nights and weekends still stop them."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        text = gettext(
            "Nights of ten hours and free weekends can stretch a turn, vacations even more: 3 days saved up "
            "can become %(usual)s; 60 days can become %(most)s. The table’s page shows it for the clock you choose."
        )
        controls = {
            "usual": read_control(USUAL_CLOCKS[Speed.DAYS][0]),
            "most": Control(SAVED[-1] * _DAY, _DAY, SAVED[-1] * _DAY),
        }
        spans = {name: longest_turn_in_words(control, True, True) for name, control in controls.items()}
        self.fields["days_clock"].help_text = text % spans
        for speed, usual in USUAL_CLOCKS.items():
            self.initial.setdefault(f"{speed}_clock", usual[0])

    def clock(self) -> str:
        """Return the clock chosen for the speed, empty for none."""
        chosen, data = self._clock_choice(), self.cleaned_data
        if chosen != OTHER:
            return "" if chosen == NONE else chosen
        if data["speed"] == Speed.LIVE:
            start = data["minutes"] * _MINUTE
            return str(Control(start, timedelta(seconds=data["seconds"]), 2 * start))
        saved = data["saved"] * _DAY
        return str(Control(saved, data["hours"] * _HOUR, saved))

    def _clock_choice(self) -> str:
        speed = Speed(self.cleaned_data["speed"])
        return self.cleaned_data.get(f"{speed}_clock") or USUAL_CLOCKS[speed][0]

    def check_clock(self, rated: bool) -> None:
        """Refuse an incomplete clock, and a rated table without one."""
        if "speed" not in self.cleaned_data or "seats" not in self.cleaned_data:
            return
        chosen = self._clock_choice()
        if chosen == OTHER:
            wanted = ("minutes", "seconds") if self.cleaned_data["speed"] == Speed.LIVE else ("hours", "saved")
            self._check_complete(wanted)
        if chosen == NONE and rated and self.cleaned_data["seats"] > 1:
            field = f"{self.cleaned_data['speed']}_clock"
            self.add_error(field, ValidationError(_("A rated match needs a clock."), "clock-needed"))

    def _check_complete(self, wanted: tuple[str, str]) -> None:
        for name in wanted:
            if name not in self.errors and self.cleaned_data.get(name) is None:
                self.add_error(name, ValidationError(_("Enter a number."), "clock"))
        hours, saved = self.cleaned_data.get("hours"), self.cleaned_data.get("saved")
        if "hours" in wanted and hours and saved and hours * _HOUR > saved * _DAY:
            self.add_error("saved", ValidationError(_("This must be at least the time for one turn."), "clock"))
