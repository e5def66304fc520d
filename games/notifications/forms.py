"""The forms for choosing what to be told, and for adding devices and webhooks."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric import ec
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.notifications.channels import http, webhooks
from games.notifications.models import DAILY, Channel, Kind, Preferences, Webhook

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

_TIME = forms.TimeInput({"type": "time"}, format="%H:%M")

_SECRET_BYTES = 16


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
    """What a person is told and through which channels, their quiet hours, and the times of what comes daily."""

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
