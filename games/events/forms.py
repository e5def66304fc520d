"""The form with which organisers make and change an event of their club; `organising` decides what is accepted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import flatatt
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from games.engine.protocol import RuleViolation
from games.events.formats import Format
from games.events.models import Event
from games.events.organising import (
    ARENA_MINUTES,
    IN_ROUNDS,
    LIVES,
    ROUND_DAYS,
    ROUND_MINUTES,
    ROUNDS,
    SEASON_WEEKS,
    SPEEDS,
    Setup,
    check_setup,
)
from games.events.words import about_format, short_name_of_format
from games.matchmaking.fields import (
    MARK,
    ClockFields,
    OptionFields,
    clock_choice,
    clock_choices,
    option_field_name,
    option_word,
)
from games.play.models import Speed
from games.titles import Title

CLOCKS: Final[Mapping[Speed, tuple[str, ...]]] = {
    Speed.LIVE: ("600+10/1200", "300+5/600", "900+15/1800"),
    Speed.DAYS: ("86400+14400/259200", "86400+28800/259200", "172800+43200/432000"),
}
"""Clocks to choose from; the first is preselected, and fits the preselected lengths at a table of two."""

_PAIR: Final = 2
_MINUTE, _DAY, _WEEK = timedelta(minutes=1), timedelta(days=1), timedelta(weeks=1)

_LENGTHS: Final[Mapping[str, tuple[tuple[Format, ...], Speed, timedelta]]] = {
    "round_minutes": (IN_ROUNDS, Speed.LIVE, _MINUTE),
    "round_days": (IN_ROUNDS, Speed.DAYS, _DAY),
    "arena_minutes": ((Format.ARENA,), Speed.LIVE, _MINUTE),
    "season_weeks": ((Format.LEAGUE,), Speed.DAYS, _WEEK),
}
"""The fields for a length: of which formats, at which speed, and what is counted."""


def _length(label: Any, numbers: range, initial: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=numbers[0], max_value=numbers[-1], initial=initial, required=False)


class EventForm(OptionFields, ClockFields):
    """How an event of a club is played; `setup()` returns it once the form is valid."""

    format = forms.ChoiceField(label=_("Format"), initial=Format.SWISS, widget=forms.RadioSelect)
    starts_at = forms.DateTimeField(
        label=_("Starts"), widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )
    speed = forms.ChoiceField(
        label=_("Speed"), choices=Speed.choices, initial=Speed.LIVE, required=False, widget=forms.RadioSelect
    )
    rounds = _length(_("Rounds"), ROUNDS, 3)
    lives = forms.TypedChoiceField(
        label=_("Lives"),
        choices=[(LIVES[0], _("One: who is not in the better half is out")), (LIVES[-1], _("Two"))],
        coerce=int,
        required=False,
        empty_value=None,
    )
    round_minutes = _length(_("A round lasts at most, in minutes"), ROUND_MINUTES, 60)
    round_days = _length(_("A round lasts at most, in days"), ROUND_DAYS, 28)
    arena_minutes = _length(_("The arena lasts, in minutes"), ARENA_MINUTES, 90)
    season_weeks = _length(_("The season lasts, in weeks"), SEASON_WEEKS, 9)
    seats = forms.TypedChoiceField(label=_("Players at a table"), coerce=int, widget=forms.RadioSelect)
    least = forms.TypedChoiceField(
        label=_("At least"),
        coerce=int,
        required=False,
        empty_value=None,
        help_text=_("If it does not come out even, some tables have fewer players, but never fewer than this."),
    )
    rated = forms.BooleanField(
        label=_("Rated"), initial=True, required=False, help_text=_("The results change the ratings of all players.")
    )

    def __init__(self, title: Title, data: Any = None, event: Event | None = None) -> None:
        """Build the form of a title's event.

        Args:
            title: what is played.
            data: what was sent.
            event: the one that is changed; None for a new one.
        """
        super().__init__(data, initial={**_usual(), **(_chosen(event) if event is not None else {})})
        self.event = event
        counts = [count for count in title.game.seats if count >= _PAIR]
        self._offer(title, [option for option in title.game.options if any(map(option.exists_for, counts))])
        self._choices("format", [(each, short_name_of_format(each)) for each in SPEEDS])
        self._choices("seats", [(count, str(count)) for count in counts])
        self._choices("least", [(count, str(count)) for count in counts])
        for speed, usual in CLOCKS.items():
            self._choices(f"{speed}_clock", clock_choices(usual))
        self.fields["days_clock"].help_text = gettext("Nights stop a clock, vacations do not.")
        self.fields["starts_at"].help_text = gettext("In your time zone: %(zone)s.") % {
            "zone": timezone.get_current_timezone_name()
        }
        del self.fields["excludes_vacations"]
        for name in ("format", "speed") if event is not None else ():
            self.fields[name].disabled = True

    def _choices(self, name: str, choices: Any) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = choices

    def formats(self) -> list[tuple[Any, str]]:
        """Return the choices of a format, each with a sentence about it."""
        return [(choice, about_format(Format(choice.data["value"]))) for choice in self["format"]]

    def of_formats(self) -> list[tuple[forms.BoundField, str]]:
        """Return the fields that only some formats have, each marked with these and its speed."""
        found = [
            (self["rounds"], {"data-formats": Format.SWISS.value}),
            (self["lives"], {"data-formats": Format.KNOCKOUT.value}),
        ]
        for name, (formats, speed, _unit) in _LENGTHS.items():
            marks = {"data-formats": " ".join(formats), "data-speed": speed.value}
            found.append((self[name], marks))
        return [(field, flatatt(marks)) for field, marks in found]

    def least_marks(self) -> str:
        """Return the attribute that shows the fewest players only where there can be fewer than at a whole table."""
        return flatatt({MARK: " ".join(str(count) for count in self.title.game.seats if count > _PAIR)})

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "format" not in data or "seats" not in data:
            return data
        speeds = SPEEDS[Format(data["format"])]
        data["speed"] = data["speed"] if data.get("speed") in speeds else speeds[0]
        data["least"] = min(data.get("least") or _PAIR, data["seats"])
        self.check_clock(rated=True)
        if not self.errors:
            try:
                check_setup(Setup(**self.setup()))
            except RuleViolation as violation:
                self.refuse(violation)
        return data

    def refuse(self, violation: RuleViolation) -> None:
        """Say what is refused, beside the field that it is about."""
        self.add_error(self._field_of(violation.code), ValidationError(violation.text, violation.code))

    def _field_of(self, code: str) -> str | None:
        speed = self.cleaned_data.get("speed")
        length = self._length_field()
        fields = {"moment": "starts_at", "event-clock": f"{speed}_clock", "clock": f"{speed}_clock"}
        fields |= {"event-rounds": "rounds", "event-seats": "least"} | ({"event-length": length} if length else {})
        return fields.get(code)

    def _length_field(self) -> str | None:
        format_, speed = self.cleaned_data.get("format"), self.cleaned_data.get("speed")
        return next((it for it, (formats, at, _unit) in _LENGTHS.items() if format_ in formats and at == speed), None)

    def setup(self) -> dict[str, Any]:
        """Return the fields of `organising.Setup`."""
        data, length = self.cleaned_data, self._length_field()
        number = data.get(length) if length else None
        return {
            "game": self.title.slug,
            "format": data["format"],
            "speed": data["speed"],
            "starts_at": data["starts_at"],
            "clock": self.clock(),
            "length": number * _LENGTHS[length][2] if length and number else None,
            "want": data["seats"],
            "least": data["least"],
            "options": self.chosen_options(range(data["least"], data["seats"] + 1)),
            "rounds": data.get("rounds") if data["format"] == Format.SWISS else None,
            "lives": data.get("lives") or LIVES[0],
            "rated": data["rated"],
        }


def _usual() -> dict[str, Any]:
    """Return what is filled in of a new event: two at a table, tomorrow evening."""
    tomorrow = timezone.localdate() + timedelta(days=1)
    starts_at = datetime.combine(tomorrow, time(20), timezone.get_current_timezone())
    clocks = {f"{speed}_clock": usual[0] for speed, usual in CLOCKS.items()}
    return {"seats": _PAIR, "least": _PAIR, "starts_at": starts_at, **clocks}


def _chosen(event: Event) -> dict[str, Any]:
    """Return what is filled in of an event that is changed."""
    speed = Speed(event.speed)
    length = event.round_length or (event.ends_at - event.starts_at if event.ends_at else None)
    fields = {name: unit for name, (formats, at, unit) in _LENGTHS.items() if event.format in formats and at == speed}
    options = {option.name: option for option in event.title.game.options}
    return {
        "format": event.format,
        "speed": event.speed,
        "seats": event.want,
        "least": event.least,
        "starts_at": event.starts_at,
        "rounds": event.rounds,
        "lives": event.lives,
        "rated": event.rated,
        **{name: length // unit for name, unit in fields.items() if length is not None},
        **clock_choice(event.clock, speed, CLOCKS[speed]),
        **{
            option_field_name(options[name]): value if isinstance(value, bool) else option_word(value)
            for name, value in event.options.items()
            if name in options
        },
    }
