"""The form of a new token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import tidy_text
from games.api.models import NAME_LENGTH, Scope

DAYS = [(30, _("30 days")), (90, _("90 days")), (365, _("A year"))]


class TokenForm(forms.Form):
    """What a program is called, what it may do, and for how long."""

    name = forms.CharField(
        label=_("Name of the program"), max_length=NAME_LENGTH, widget=forms.TextInput({"dir": "auto"})
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"), choices=Scope.choices, initial=[Scope.READ], widget=forms.CheckboxSelectMultiple
    )
    days = forms.TypedChoiceField(label=_("Valid for"), choices=DAYS, coerce=int, initial=90, widget=forms.RadioSelect)

    def clean_name(self) -> str:
        return tidy_text(self.cleaned_data["name"])

    def asked(self) -> dict[str, Any]:
        """Return the arguments of `tokens.make`."""
        data = self.cleaned_data
        return {"name": data["name"], "scopes": [Scope(it) for it in data["scopes"]], "days": data["days"]}
