"""The forms for how somebody plays: hints, keys, and when their day clocks stop."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.forms import UserForm
from accounts.models import User
from accounts.sanctions import refusal_to_play
from games.play.clocks import LONGEST_SLEEP


class PlayForm(UserForm):
    """What boards show and keys do there, and when a person’s day clocks are stopped, every night and every week."""

    hints = forms.BooleanField(
        label=_("Highlight what you can do"), required=False, help_text=_("For example, cards you can score now glow.")
    )
    single_keys = forms.BooleanField(
        label=_("Shortcuts with single keys"),
        required=False,
        help_text=_("Letters, digits and signs act on the board. Arrows, Enter and Esc always do."),
    )
    sleep_from = forms.TimeField(
        label=_("Asleep from"), required=False, widget=forms.TimeInput({"type": "time"}, format="%H:%M")
    )
    sleep_until = forms.TimeField(
        label=_("Awake again at"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    free_weekends = forms.BooleanField(
        label=_("Stop my clocks on weekends"), required=False, help_text=_("All of Saturday and Sunday.")
    )

    class Meta:
        model = User
        fields = ("hints", "single_keys", "sleep_from", "sleep_until", "free_weekends")

    def clean(self) -> dict[str, Any]:
        """Refuse half a night ("half-a-night"), an empty one ("no-night") and one that is too long ("too-long").

        Clocks of suspended people go on as they are ("suspended").
        """
        data = super().clean() or {}
        if {*self.changed_data} - {"hints", "single_keys"} and (refusal := refusal_to_play(self.instance)):
            raise ValidationError(refusal, "suspended")
        to_bed, up = data.get("sleep_from"), data.get("sleep_until")
        if (to_bed is None) != (up is None):
            self.add_error("sleep_until", ValidationError(_("Enter both times, or neither."), "half-a-night"))
        if to_bed is None or up is None:
            return data
        night = datetime.combine(date.min, up) - datetime.combine(date.min, to_bed)  # of any one day
        if to_bed == up:
            self.add_error("sleep_until", ValidationError(_("Start and end must differ."), "no-night"))
        elif night % timedelta(days=1) > LONGEST_SLEEP:
            self.add_error("sleep_until", ValidationError(_("At most ten hours, please."), "too-long"))
        return data


class VacationForm(forms.Form):
    """How many days a vacation lasts."""

    days = forms.IntegerField(label=_("Days"), min_value=1)

    def __init__(self, left: int, data: Any = None) -> None:
        super().__init__(data, initial={"days": min(7, left)})
        self.fields["days"].widget.attrs["max"] = left
