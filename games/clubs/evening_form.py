"""The form of an evening: when, and what is played."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _, ngettext

from accounts.models import User
from accounts.moments import known_zone, zone_groups
from games.clubs.evenings import Plan, check
from games.clubs.models import Evening
from games.engine.protocol import RuleViolation
from games.events import organising
from games.matchmaking.fields import ClockFields, OptionFields, clock_choice, option_field_name, option_word
from games.matchmaking.forms import USUAL_SEATS
from games.play.models import Speed
from games.titles import Title

_USUAL_TIME = "20:00"
_FIELD_OF: Final = {
    "evening-days": "speed",
    "event-rounds": "rounds",
    "event-length": "round_minutes",
    "event-clock": "round_minutes",
    "clock": "live_clock",
}
_THURSDAY = Evening.Weekday.THURSDAY


class EveningForm(OptionFields, ClockFields):
    """When a club plays a game every week, and how. `plan()` returns it once the form is valid."""

    weekday = forms.TypedChoiceField(
        label=_("Day"), coerce=int, choices=Evening.Weekday.choices, initial=_THURSDAY.value
    )
    at = forms.TimeField(label=_("Time"), widget=forms.TimeInput({"type": "time"}, format="%H:%M"), initial=_USUAL_TIME)
    zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_groups,
        help_text=_("On the clock of this place, in summer as in winter."),
    )
    what = forms.ChoiceField(
        label=_("What"), choices=Evening.What.choices, initial=Evening.What.TABLE, widget=forms.RadioSelect
    )
    rounds = forms.IntegerField(label=_("Rounds"), min_value=2, max_value=9, initial=3, required=False)
    round_minutes = forms.IntegerField(
        label=_("Minutes for a round"),
        min_value=organising.ROUND_MINUTES[0],
        max_value=organising.ROUND_MINUTES[-1],
        initial=45,
        required=False,
        help_text=_("By then the clock has ended every match of the round."),
    )
    seats = forms.TypedChoiceField(label=_("Players"), coerce=int, widget=forms.RadioSelect)
    speed = forms.ChoiceField(label=_("Speed"), choices=Speed.choices, initial=Speed.LIVE, widget=forms.RadioSelect)
    rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(self, title: Title, user: User, data: Any = None, evening: Evening | None = None) -> None:
        """Build the form of an evening.

        Args:
            title: what is played.
            user: who plans it, in their time zone.
            data: what was sent.
            evening: the one that is changed, perhaps to another game; None for a new one.
        """
        counts = [count for count in title.game.seats if count > 1]
        usual = {"seats": USUAL_SEATS if USUAL_SEATS in counts else counts[0], "zone": known_zone(user.time_zone)}
        super().__init__(data, initial=usual | (_chosen(evening, title, counts) if evening is not None else {}))
        self.evening = evening
        self._offer(title, title.game.options)
        del self.fields["excludes_vacations"]
        seats = cast("forms.TypedChoiceField", self.fields["seats"])
        seats.choices = [(count, ngettext("%(n)d player", "%(n)d players", count) % {"n": count}) for count in counts]

    def clean(self) -> dict[str, Any]:
        """Refuse a clock that is incomplete, and an option that must be chosen and is not ("option")."""
        data = super().clean() or {}
        if data.get("seats") is None or "speed" not in data:
            return data
        self.check_clock(data["rated"])
        self.check_options(data["seats"])
        if not self.errors:
            self._check_tournament()
        return data

    def _check_tournament(self) -> None:
        try:
            check(self.plan())
        except RuleViolation as violation:
            field = _FIELD_OF.get(violation.code, "what")
            self.add_error(field, ValidationError(violation.text, violation.code))

    def plan(self) -> Plan:
        """Return what was asked for, with the options that apply to this number of players."""
        data = self.cleaned_data
        return Plan(
            weekday=data["weekday"],
            at=data["at"].replace(second=0, microsecond=0),
            zone=data["zone"],
            game=self.title.slug,
            seats=data["seats"],
            clock=self.clock(),
            options=self.chosen_options([data["seats"]]),
            speed=data["speed"],
            rated=data["rated"],
            **self._rounds(),
        )

    def _rounds(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data["what"] != Evening.What.SWISS:
            return {}
        length = timedelta(minutes=data["round_minutes"]) if data["round_minutes"] else None
        return {"what": Evening.What.SWISS, "rounds": data["rounds"], "round_length": length}


def _chosen(evening: Evening, title: Title, counts: Collection[int]) -> dict[str, Any]:
    """Return what is filled in of an evening that is changed; of another game only what that has, too."""
    options = {option.name: option for option in title.game.options if evening.game == title.slug}
    return {
        **{name: getattr(evening, name) for name in ("weekday", "at", "zone", "what", "speed", "rated")},
        **({"seats": evening.seats} if evening.seats in counts else {}),
        **({"rounds": evening.rounds} if evening.rounds else {}),
        **({"round_minutes": evening.round_length // timedelta(minutes=1)} if evening.round_length else {}),
        **clock_choice(evening.clock, Speed(evening.speed)),
        **{
            option_field_name(options[name]): value if isinstance(value, bool) else option_word(value)
            for name, value in evening.options.items()
            if name in options
        },
    }
