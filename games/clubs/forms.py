"""The form with which a club is founded and changed; `services` decides what is accepted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import TITLE_LENGTH
from games.clubs.models import TEXT_LENGTH, Club

_TURNING_PRIVATE = _(
    "Nobody else will see the club, its events or who belongs to it any more. Requests to join end, and there is a new "
    "invitation link. Matches that were public stay in the histories of their players, without club and event; "
    "whatever people have copied or been sent stays with them."
)
_TURNING_PUBLIC = _(
    "If you make it public, everyone will see the club, its events and who belongs to it. Tables and matches that only "
    "members could see stay as they are."
)


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

    def __init__(self, *args: Any, club: Club | None = None, **named: Any) -> None:
        """Build the form of a new club, or of `club`, where it says what comes of turning it private or public."""
        super().__init__(*args, **named)
        if club is not None:
            self.fields["private"].help_text = _TURNING_PUBLIC if club.private else _TURNING_PRIVATE


FIELD_OF = {"club-name": "name", "name-taken": "name", "long-text": "text", "joining": "joining"}
"""The field beside which a refusal is shown, by its code; others stand above the form."""
