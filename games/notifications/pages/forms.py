"""The form for choosing what to hear about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.notifications.models import DAILY, Channel, Kind, Preferences

if TYPE_CHECKING:
    _PreferencesForm = forms.ModelForm[Preferences]
else:
    _PreferencesForm = forms.ModelForm

_ANYWHERE = (
    Kind.TURN,
    Kind.DEADLINE,
    Kind.INVITATION,
    Kind.STARTED,
    Kind.PAIRED,
    Kind.OVER,
    Kind.AWAY,
    Kind.SERIES,
    Kind.PLANNED,
    Kind.FRIEND_ASKED,
    Kind.BEFRIENDED,
    Kind.TABLE,
    Kind.REPORT,
    Kind.MODERATION,
)

OFFERED: dict[str, tuple[Kind, Channel]] = {
    **{f"{kind}.{channel}": (kind, channel) for kind in _ANYWHERE for channel in Channel},
    **{f"{Kind.CHAT}.{channel}": (Kind.CHAT, channel) for channel in (Channel.PUSH, Channel.WEBHOOK)},
    **{f"{kind}.{channel}": (kind, channel) for kind, channels in DAILY.items() for channel in channels},
}
"""What can be chosen, by the name it is sent and stored under."""

_NOTES = {
    Kind.TURN: _(
        "By email if you have not visited the site for ten minutes; at most one email an hour for all your matches."
    ),
    Kind.DEADLINE: _(
        "In matches over days, when a fifth and a twentieth of your time is left (the second not by email)."
    ),
    Kind.PLANNED: _(
        "A day and ten minutes before a table opens at which a seat is kept for you, and when it is called off."
    ),
    Kind.PAIRED: _("In matches over days that quick pairing has found for you."),
    Kind.TABLE: _("When there is a seat for you; at most once an hour for each of them."),
    Kind.CHAT: _("When you have not read them for ten minutes; by email only in the daily digest."),
    Kind.PUZZLE: _("Unless you have solved one of the day’s puzzles already."),
    Kind.OVER: _("By email only as part of another email."),
    Kind.SECURITY: _("Always sent."),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A checkbox, or none where a channel does not carry a kind."""

    name: str
    channel: str
    label: str
    offered: bool
    checked: bool
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A kind with a cell for each channel."""

    label: str
    note: str
    cells: tuple[Cell, ...]


class PreferencesForm(_PreferencesForm):
    """What a person hears about and through which channels, their quiet hours, and the hours of what comes daily."""

    told = forms.MultipleChoiceField(required=False, choices=[(name, name) for name in OFFERED])
    quiet_from = forms.TimeField(
        label=_("Quiet from"), required=False, widget=forms.TimeInput({"type": "time"}, format="%H:%M")
    )
    quiet_until = forms.TimeField(
        label=_("Quiet until"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    digest_at = forms.TimeField(
        label=_("Digest at"),
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        help_text=_("In your time zone. No digest is sent when nothing is waiting for you."),
    )

    puzzle_at = forms.TimeField(
        label=_("Puzzle at"),
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        help_text=_("In your time zone. New puzzles come at midnight UTC."),
    )

    class Meta:
        model = Preferences
        fields = ("quiet_from", "quiet_until", "digest_at", "puzzle_at")

    def clean(self) -> dict[str, Any]:
        """Refuse quiet hours with one end missing, or with equal ends ("quiet")."""
        data = super().clean() or {}
        begin, end = data.get("quiet_from"), data.get("quiet_until")
        if (begin is None) != (end is None):
            self.add_error("quiet_until", ValidationError(_("Enter both times, or neither."), "quiet"))
        elif begin is not None and begin == end:
            self.add_error("quiet_until", ValidationError(_("Start and end must differ."), "quiet"))
        return data

    def save(self, commit: bool = True) -> Preferences:
        self.instance.off = sorted(set(OFFERED) - set(self.cleaned_data["told"]))
        return super().save(commit)

    def lines(self) -> list[Line]:
        """Return the table of boxes, ticked as sent, or else as stored."""
        wanted = set(self["told"].value() or ()) if self.is_bound else set(OFFERED) - set(self.instance.off)
        return [
            Line(str(kind.label), str(_NOTES.get(kind, "")), tuple(_cell(kind, channel, wanted) for channel in Channel))
            for kind in Kind
        ]


def _cell(kind: Kind, channel: Channel, wanted: set[str]) -> Cell:
    name, words = f"{kind}.{channel}", (str(channel.label), f"{kind.label}: {channel.label}")
    if kind == Kind.SECURITY:
        return Cell(name, *words, offered=channel == Channel.MAIL, checked=True, fixed=True)
    return Cell(name, *words, offered=name in OFFERED, checked=name in wanted)
