"""The forms for choosing what to be told, and for adding devices and webhooks."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric import ec
from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.notifications.channels import http, webhooks
from games.notifications.models import DAILY, Channel, Kind, Preferences, Webhook, not_wanted_at_first

if TYPE_CHECKING:
    _PreferencesForm = forms.ModelForm[Preferences]
    _WebhookForm = forms.ModelForm[Webhook]
else:
    _PreferencesForm = _WebhookForm = forms.ModelForm

_ANYWHERE = [kind for kind in Kind if kind not in {Kind.CHAT, Kind.SECURITY, *DAILY}]

OFFERED: dict[str, tuple[Kind, Channel]] = {
    **{f"{kind}.{channel}": (kind, channel) for kind in _ANYWHERE for channel in Channel},
    **{f"{Kind.CHAT}.{channel}": (Kind.CHAT, channel) for channel in (Channel.PUSH, Channel.WEBHOOK)},
    **{f"{kind}.{channel}": (kind, channel) for kind, channels in DAILY.items() for channel in channels},
}
"""What can be chosen, by the name under which it is sent and stored."""


class Volume(models.TextChoices):
    """How much somebody is told: one choice for all kinds and channels, or their own for each."""

    QUIET = "quiet", _("Quiet")
    NORMAL = "normal", _("Normal")
    EVERYTHING = "everything", _("Everything")
    OWN = "own", _("My own choice")


_WHAT_VOLUMES_MEAN = {
    Volume.QUIET: _(
        "Everything on the site; outside it only what cannot wait: your time runs out, a planned table opens, "
        "an event needs your answer, the moderators write to you."
    ),
    Volume.NORMAL: _("Also your turns, invitations and results, and what your friends ask of you."),
    Volume.EVERYTHING: _("Also tables of friends and clubs, the daily puzzle and a daily digest."),
    Volume.OWN: _("As chosen under “Details”."),
}

_CANNOT_WAIT = {Kind.DEADLINE, Kind.PLANNED, Kind.CONFIRM, Kind.MODERATION}

WANTED = {
    Volume.QUIET: frozenset(
        name for name, (kind, channel) in OFFERED.items() if channel == Channel.PAGE or kind in _CANNOT_WAIT
    ),
    Volume.NORMAL: frozenset(OFFERED).difference(not_wanted_at_first()),
    Volume.EVERYTHING: frozenset(OFFERED),
}
"""What somebody is told at each volume except their own, as names of `OFFERED`."""


def volume_of(wanted: Collection[str]) -> Volume:
    """Return the volume at which somebody is told exactly this (names of `OFFERED`)."""
    return next((volume for volume, names in WANTED.items() if names == set(wanted)), Volume.OWN)


_NOTES = {
    Kind.TURN: _(
        "By email if you have not visited the site for ten minutes; at most one email an hour for all your matches."
    ),
    Kind.DEADLINE: _(
        "In matches over days, when a fifth of your time is left, and again at a twentieth (then not by email)."
    ),
    Kind.PLANNED: _(
        "A day and ten minutes before a table opens at which a seat is kept for you, and when it is called off."
    ),
    Kind.PAIRED: _("For matches over days that quick pairing has found for you."),
    Kind.TABLE: _("When there is a seat for you; at most once an hour for each person."),
    Kind.CONFIRM: _("A day before, if you entered earlier: whoever does not confirm is not paired."),
    Kind.PAUSED: _("When you did not come to a match, or have not confirmed; one tap brings you back."),
    Kind.CLUB: _("When someone asks to join a club of yours, and what becomes of your own request."),
    Kind.CLUB_TABLE: _("When you could take part; at most once an hour for each club."),
    Kind.CHAT: _("When you have not read them for ten minutes; by email only in the daily digest."),
    Kind.PUZZLE: _("Unless you have solved one of the day’s puzzles already."),
    Kind.OVER: _("By email only as part of another email."),
}

_TIME = forms.TimeInput({"type": "time"}, format="%H:%M")

_SECRET_BYTES = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """A checkbox, or none where a channel does not carry a kind.

    Args:
        name: of the choice.
        channel: its channel, in words.
        label: what it is, for those who do not see the table.
        offered: whether there is a checkbox.
        checked: whether it is ticked.
        volumes: at which volumes it would be, separated by spaces.
    """

    name: str
    channel: str
    label: str
    offered: bool
    checked: bool
    volumes: str


@dataclass(frozen=True, slots=True)
class Line:
    """A kind with a cell for each channel."""

    label: str
    note: str
    cells: tuple[Cell, ...]


class PreferencesForm(_PreferencesForm):
    """What a person is told and through which channels, their quiet hours, and the times of what comes daily.

    Channels that do not reach them yet are not shown; what they want to be told there is kept for the day they do.
    """

    volume = forms.ChoiceField(
        label=_("How much do you want to hear?"), choices=Volume.choices, required=False, widget=forms.RadioSelect
    )
    told = forms.MultipleChoiceField(required=False, choices=[(name, name) for name in OFFERED])
    quiet_from = forms.TimeField(label=_("Quiet from"), required=False, widget=_TIME)
    quiet_until = forms.TimeField(label=_("Quiet until"), required=False, widget=_TIME)
    digest_at = forms.TimeField(
        label=_("Digest at"),
        widget=_TIME,
        help_text=_("In your time zone. No digest is sent when nothing is waiting for you."),
    )
    puzzle_at = forms.TimeField(
        label=_("Puzzle at"), widget=_TIME, help_text=_("In your time zone. New puzzles come at midnight UTC.")
    )

    class Meta:
        model = Preferences
        fields = ("quiet_from", "quiet_until", "digest_at", "puzzle_at")

    def __init__(self, *args: Any, channels: Collection[Channel] = tuple(Channel), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.channels = [channel for channel in Channel if channel in channels]
        self._wanted_before = frozenset(OFFERED).difference(self.instance.off)
        self.initial["volume"] = volume_of(self._wanted_before)

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
        self.instance.off = sorted(set(OFFERED) - self._wanted())
        return super().save(commit)

    def _wanted(self) -> frozenset[str]:
        """Return what they want: a volume they have just chosen, or else the boxes they ticked.

        Without a script the boxes do not follow the volume, so they count only if the volume is unchanged.
        """
        chosen = self.cleaned_data["volume"]
        if chosen in WANTED and chosen != self.initial["volume"]:
            return WANTED[Volume(chosen)]
        shown = {name for name, (_kind, channel) in OFFERED.items() if channel in self.channels}
        return self._wanted_before - shown | set(self.cleaned_data["told"])

    def volumes(self) -> list[tuple[Any, Any]]:
        """Return each volume as a radio button, and what it means."""
        return [(button, _WHAT_VOLUMES_MEAN[Volume(button.data["value"])]) for button in self["volume"]]

    def lines(self) -> list[Line]:
        """Return the table of boxes, ticked as sent, or else as stored."""
        wanted = set(self["told"].value() or ()) if self.is_bound else self._wanted_before
        lines = [
            Line(
                str(kind.label),
                str(_NOTES.get(kind, "")),
                tuple(_cell(kind, channel, wanted) for channel in self.channels),
            )
            for kind in Kind
        ]
        return [line for line in lines if any(cell.offered for cell in line.cells)]


def _cell(kind: Kind, channel: Channel, wanted: Collection[str]) -> Cell:
    name, label = f"{kind}.{channel}", f"{kind.label}: {channel.label}"
    volumes = " ".join(volume for volume, names in WANTED.items() if name in names)
    return Cell(name, str(channel.label), label, offered=name in OFFERED, checked=name in wanted, volumes=volumes)


def _validate_address(address: str) -> None:
    try:
        http.check(address)
    except http.Refused as refused:
        raise ValidationError(str(refused.reason), "address") from refused


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


class SubscriptionForm(forms.Form):
    """A PushSubscription of a browser (W3C Push API): where to send, and the keys to encrypt with."""

    endpoint = forms.CharField(max_length=1000, validators=[_validate_address])
    p256dh = forms.CharField(max_length=120)
    auth = forms.CharField(max_length=40)

    def clean_p256dh(self) -> str:
        """Refuse anything but a point of the curve P-256 ("key")."""
        text: str = self.cleaned_data["p256dh"]
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(text))
        except (ValueError, binascii.Error) as error:
            raise ValidationError(_("Invalid push key."), "key") from error
        return text

    def clean_auth(self) -> str:
        """Refuse anything but 16 bytes ("secret")."""
        text: str = self.cleaned_data["auth"]
        try:
            length = len(_bytes(text))
        except (ValueError, binascii.Error):
            length = 0
        if length != _SECRET_BYTES:
            raise ValidationError(_("Invalid push key."), "secret")
        return text


class WebhookForm(_WebhookForm):
    """A person's own address, and the style of the messages sent there."""

    style = forms.ChoiceField(label=_("Kind"), choices=Webhook.Style.choices)
    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        validators=[_validate_address],
        widget=forms.URLInput({"placeholder": "https://", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("An https:// address on the public internet."),
    )

    class Meta:
        model = Webhook
        fields = ("style", "address")

    def __init__(self, user: User, data: object = None) -> None:
        super().__init__(data, instance=Webhook(user=user), auto_id="webhook_%s")  # type: ignore[arg-type]  # a QueryDict or none

    def clean(self) -> dict[str, object]:
        """Refuse a known address ("twice") and more than `webhooks.MOST` webhooks ("many")."""
        data = super().clean() or {}
        theirs = Webhook.objects.filter(user=self.instance.user)
        if theirs.filter(address=data.get("address", "")).exists():
            self.add_error("address", ValidationError(_("You have already added this address."), "twice"))
        if theirs.count() >= webhooks.MOST:
            most = ValidationError(_("You can have at most %(most)d webhooks."), "many", {"most": webhooks.MOST})
            self.add_error(None, most)
        return data
