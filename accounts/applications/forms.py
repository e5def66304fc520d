"""The form for an application of one's own."""

from __future__ import annotations

from typing import Any

from allauth.idp.oidc.models import Client
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy as _

from accounts.applications.clients import MOST_ADDRESSES, check_address
from accounts.names import tidy_text

NAME_LENGTH = 60


class ApplicationForm(forms.Form):
    """An application: what it is called, and where people are sent back to."""

    name = forms.CharField(
        label=_("Name"), max_length=NAME_LENGTH, help_text=_("People see it when your application asks them.")
    )
    addresses = forms.CharField(
        label=_("Redirect addresses"),
        required=False,
        strip=True,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false", "autocapitalize": "none", "dir": "ltr"}),
        help_text=_(
            "Where people are sent back to, one on each line: https, or http on 127.0.0.1 or localhost. A program that "
            "shows a code instead (device flow) needs none."
        ),
    )

    def clean_name(self) -> str:
        """Return the name as it can be seen; refuse one of which nothing can be seen, or that speaks for the site."""
        name = tidy_text(self.cleaned_data["name"])
        if not name:
            raise ValidationError(self.fields["name"].error_messages["required"], "required")
        if "tessera" in name.casefold():
            raise ValidationError(gettext("The name must not sound as if it came from Tessera."), "ours")
        return name

    def clean_addresses(self) -> list[str]:
        """Return the addresses, each once."""
        addresses = list(
            dict.fromkeys(line.strip() for line in self.cleaned_data["addresses"].splitlines() if line.strip())
        )
        if len(addresses) > MOST_ADDRESSES:
            raise ValidationError(gettext("At most %(most)s addresses.") % {"most": MOST_ADDRESSES}, "most")
        for address in addresses:
            check_address(address)
        return addresses


class NewApplicationForm(ApplicationForm):
    """An application that is about to be registered; later its kind cannot be changed."""

    kind = forms.ChoiceField(
        label=_("Where does it run?"),
        choices=[
            (Client.Type.PUBLIC, _("With people: in a browser, as an app, as a program on their machine")),
            (Client.Type.CONFIDENTIAL, _("On a server of yours, which can keep a secret")),
        ],
        initial=Client.Type.PUBLIC,
        widget=forms.RadioSelect,
    )

    def clean(self) -> dict[str, Any]:
        """Refuse an application on a server that nobody could be sent back to."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == Client.Type.CONFIDENTIAL and not cleaned.get("addresses", True):
            self.add_error("addresses", ValidationError(gettext("On a server it needs an address."), "required"))
        return cleaned
