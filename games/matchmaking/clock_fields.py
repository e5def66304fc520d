"""The clock fields of the table form: the usual clocks, a custom one, or none."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.play.clocks.arithmetic import Control, read_control
from games.play.clocks.wording import control_in_words, longest_turn_in_words
from games.play.models import Speed

USUAL = {
    Speed.LIVE: ("300+10/600", "600+15/1200", "1800+30/3600"),
    Speed.DAYS: ("259200+86400/259200", "432000+172800/432000", "604800+259200/604800", "1209600+604800/1209600"),
}
"""Clocks to choose from; the first is preselected."""

MOST_SAVED = 60
"""Days that can be saved up at most."""

OTHER = "other"
NONE = "none"

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def _longest_in_words() -> str:
    """Return how long one turn can last at worst with the usual clocks over days, and with the slowest one."""
    text = gettext(
        "Nights of ten hours and free weekends can stretch a turn, vacations even more. "
        "With 3 days saved up it lasts %(usual)s at worst, with 60 days %(most)s. The table says it for your clock."
    )
    most = Control(MOST_SAVED * _DAY, _DAY, MOST_SAVED * _DAY)
    spans = [longest_turn_in_words(each, True, True) for each in (read_control(USUAL[Speed.DAYS][0]), most)]
    return text % {"usual": spans[0], "most": spans[1]}


def _choices(speed: Speed) -> list[tuple[str, Any]]:
    usual = [(text, control_in_words(read_control(text))) for text in USUAL[speed]]
    return [*usual, (OTHER, _("Another clock")), (NONE, _("No clock"))]


def _live() -> list[tuple[str, Any]]:
    return _choices(Speed.LIVE)


def _days() -> list[tuple[str, Any]]:
    return _choices(Speed.DAYS)


def clock_choice(clock: str, speed: Speed) -> dict[str, Any]:
    """Return the values of the fields with which this clock is chosen."""
    name = f"{speed}_clock"
    if not clock or clock in USUAL[speed]:
        return {name: clock or NONE}
    control = read_control(clock)
    if speed == Speed.LIVE:
        return {name: OTHER, "minutes": control.start // _MINUTE, "seconds": control.increment // timedelta(seconds=1)}
    return {name: OTHER, "hours": control.increment // _HOUR, "saved": control.cap // _DAY}


class ClockFields(forms.Form):
    """The choice of a clock; `clock()` returns it once the form is valid."""

    live_clock = forms.ChoiceField(label=_("Clock"), choices=_live, required=False, widget=forms.RadioSelect)
    minutes = forms.IntegerField(label=_("Minutes at the start"), min_value=1, max_value=180, required=False)
    seconds = forms.IntegerField(label=_("Seconds added per turn"), min_value=0, max_value=300, required=False)
    days_clock = forms.ChoiceField(label=_("Clock"), choices=_days, required=False, widget=forms.RadioSelect)
    hours = forms.IntegerField(label=_("Hours per turn"), min_value=1, max_value=336, required=False)
    saved = forms.IntegerField(
        label=_("Most you can save up, in days"), min_value=1, max_value=MOST_SAVED, required=False
    )
    excludes_vacations = forms.BooleanField(
        label=_("No vacations"),
        required=False,
        help_text=_("Clocks run on while their players are on vacation. Nights and weekends still stop them."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days_clock"].help_text = _longest_in_words()
        for speed, usual in USUAL.items():
            self.initial.setdefault(f"{speed}_clock", usual[0])

    def clock(self) -> str:
        """Return the clock chosen for the speed, empty for none."""
        chosen = self._clock_choice()
        if chosen == NONE:
            return ""
        return str(self._other()) if chosen == OTHER else chosen

    def _clock_choice(self) -> str:
        speed = Speed(self.cleaned_data["speed"])
        return self.cleaned_data.get(f"{speed}_clock") or USUAL[speed][0]

    def _other(self) -> Control:
        data = self.cleaned_data
        if data["speed"] == Speed.LIVE:
            start = data["minutes"] * _MINUTE
            return Control(start, timedelta(seconds=data["seconds"]), 2 * start)
        saved = data["saved"] * _DAY
        return Control(saved, data["hours"] * _HOUR, saved)

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
