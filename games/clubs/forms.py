"""The form with which a club is founded and changed; `services` decides what is accepted."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import TITLE_LENGTH
from games.clubs.models import TEXT_LENGTH, Club


class ClubForm(forms.Form):
    """What a club is called, what it is about, and who can join."""

    name = forms.CharField(
        label=_("Name"), max_length=TITLE_LENGTH, widget=forms.TextInput({"dir": "auto", "autocomplete": "off"})
    )
    text = forms.CharField(
        label=_("About the club"),
        required=False,
        max_length=TEXT_LENGTH,
        widget=forms.Textarea({"dir": "auto", "rows": 3}),
        help_text=_("A few sentences: who you are, when you meet, what you play."),
    )
    joining = forms.ChoiceField(
        label=_("Who can join"),
        choices=Club.Joining.choices,
        initial=Club.Joining.REQUEST,
        widget=forms.RadioSelect,
        help_text=_("Whoever has the invitation link of the club can always join."),
    )
    private = forms.BooleanField(
        label=_("Private"),
        required=False,
        help_text=_(
            "For a school or a family: nobody else sees the club or who belongs to it, and it is joined by link only."
        ),
    )


FIELD_OF = {"club-name": "name", "name-taken": "name", "long-text": "text", "joining": "joining"}
"""The field beside which a refusal is shown, by its code; others stand above the form."""
