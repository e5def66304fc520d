"""The forms for adding devices and webhooks."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric import ec
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.notifications.channels import outside, webhooks
from games.notifications.models import Webhook

if TYPE_CHECKING:
    _WebhookForm = forms.ModelForm[Webhook]
else:
    _WebhookForm = forms.ModelForm

_SECRET_BYTES = 16


def _demand_outside(address: str) -> None:
    try:
        outside.check(address)
    except outside.Refused as refused:
        raise ValidationError(str(refused.reason), "address") from refused


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


class SubscriptionForm(forms.Form):
    """A PushSubscription of a browser (W3C Push API): where to send, and the keys to encrypt with."""

    endpoint = forms.CharField(max_length=1000, validators=[_demand_outside])
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
        validators=[_demand_outside],
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
