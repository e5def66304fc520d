"""The forms of reporters and moderators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import NAME_LENGTH, TITLE_LENGTH
from games.moderation.access import is_administrator
from games.moderation.models import WORDS, Case, Deed, Report
from games.play.models import Match, Seat

Act = Deed.Act


def _words(label: Any, required: bool = True, help_text: Any = "") -> forms.CharField:
    area = forms.Textarea({"rows": 3, "dir": "auto"})
    return forms.CharField(label=label, required=required, max_length=WORDS, widget=area, help_text=help_text)


class ReportForm(forms.Form):
    """Why something is reported."""

    why = forms.ChoiceField(label=_("What is wrong?"), choices=Report.Why, widget=forms.RadioSelect)
    words = _words(_("In your words"), required=False, help_text=_("What should the moderators know?"))

    def __init__(self, *args: Any, of_person: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not of_person:
            field = self.fields["why"]
            field.choices = [choice for choice in Report.Why.choices if choice[0] != Report.Why.NAME]  # type: ignore[attr-defined]  # a ChoiceField


class WarningForm(forms.Form):
    """The warning that somebody has read; there may be a newer one by now."""

    warning = forms.IntegerField(min_value=1)


TERMS: Mapping[str, Any] = {
    "1": _("One day"),
    "3": _("Three days"),
    "7": _("A week"),
    "30": _("Thirty days"),
    "365": _("A year"),
    "0": _("Until it is lifted"),
}
"""For how long, in days."""


def until_of(days: str) -> datetime | None:
    """Return when a term of `TERMS` ends that begins now, None for one without end."""
    return timezone.now() + timedelta(days=int(days)) if days != "0" else None


_OF_PEOPLE = {
    Act.WARN: _("Warn: they must confirm it"),
    Act.SILENCE: _("Silence: may write only phrases"),
    Act.SUSPEND: _("Suspend: may only read and leave"),
    Act.CLOSE: _("Close the account"),
    Act.RENAME: _("Give another name"),
}


_BUTTONS = {
    Act.WARN: _("Warn %(name)s"),
    Act.SILENCE: _("Silence %(name)s"),
    Act.SUSPEND: _("Suspend %(name)s"),
    Act.CLOSE: _("Close the account of %(name)s"),
    Act.RENAME: _("Rename %(name)s"),
    Act.UNLOCK: _("Remove the second factors of %(name)s"),
    Act.CONFIRM: _("Confirm the address of %(name)s"),
}
"""What the button says when a decision is chosen."""

_WARNINGS: Mapping[str, Any] = {
    Report.Why.INSULT: _("Please stay friendly: insults and threats have no place here."),
    Report.Why.SPAM: _("Please do not advertise or keep writing the same thing."),
    Report.Why.CHEATING: _("Please play every match on your own, and to win."),
    Report.Why.STALLING: _("Please play your matches to the end, or resign: others are waiting for you."),
    Report.Why.NAME: _("Please choose another name: this one may offend others."),
}
"""Words to warn somebody with, by what was reported."""

ANSWERS = (
    _("Thank you for telling us."),
    _("We will keep an eye on it."),
    _("You can block people you do not want to meet."),
)
"""Answers to those who report, to choose from or to change."""


_OF_LOGINS = {
    Act.UNLOCK: _("Remove the second factors (they have lost them)"),
    Act.CONFIRM: _("Confirm the email address (emails do not arrive)"),
}


class PersonForm(forms.Form):
    """What a moderator does about a person; for administrators also help with logging in."""

    act = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    days = forms.ChoiceField(label=_("For how long"), choices=list(TERMS.items()), initial="7")
    name = forms.CharField(label=_("New name"), required=False, max_length=NAME_LENGTH)
    reason = _words(_("Reason"), help_text=_("The person reads it."))

    def __init__(self, *args: Any, by: User, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        acts = {**_OF_PEOPLE, **(_OF_LOGINS if is_administrator(by) else {})}
        self.fields["act"].initial = Act.WARN.value
        self.buttons = [(str(act), _BUTTONS[act] % {"name": person.shown_name}) for act in acts]
        self.fields["act"].choices = [(str(act), label) for act, label in acts.items()]  # type: ignore[attr-defined]  # a ChoiceField


class MatchForm(forms.Form):
    """What a moderator does about a match or a table in its present state."""

    act = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    reason = _words(_("Reason"), help_text=_("Everyone who sees the match reads it."))

    def __init__(self, *args: Any, match: Match, seats: Sequence[Seat], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = acts_for(match, seats)
        self.buttons = choices
        self.fields["act"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["act"].initial = choices[0][0] if choices else ""
        self.places: list[str] = []
        if any(act == Act.AWARD for act, _label in choices):
            self._add_places(seats)
        self.order_fields(["act", *self.places, "reason"])

    def _add_places(self, seats: Sequence[Seat]) -> None:
        for seat in seats:
            name = f"place{seat.number}"
            field = forms.IntegerField(min_value=1, max_value=len(seats), required=False, initial=seat.place)
            field.label = _("Place of %(name)s") % {"name": seat.name}
            self.fields[name] = field
            self.places.append(name)

    def chosen_places(self) -> list[int]:
        """Return the places in the order of seats, 0 for one that was left empty."""
        return [self.cleaned_data.get(name) or 0 for name in self.places]


def acts_for(match: Match, seats: Sequence[Seat]) -> list[tuple[str, Any]]:
    """Return what can be done about a match in its present state."""
    if match.is_open or match.is_planned:
        return [(Act.SHUT.value, _("Close the table"))]
    if match.is_running:
        return [(Act.ABORT.value, _("Abort the match"))]
    ruled = hasattr(match, "ruling")
    if not (match.is_over or ruled) or sum(not seat.is_bot for seat in seats) < 2:  # noqa: PLR2004  # company
        return []
    award = [(Act.AWARD.value, _("Decide the places"))]
    annul = [(Act.ABORT.value, _("Do not count the match"))] if match.is_over else []
    back = [(Act.REINSTATE.value, _("Let the result stand as played"))] if ruled else []
    return [*award, *annul, *back]


_OF_CLUBS = {
    Act.CLUB_NAME: _("Give the club another name"),
    Act.CLUB_TEXT: _("Remove the text"),
    Act.CLUB_SHUT: _("Close the club"),
}


class ClubForm(forms.Form):
    """What a moderator does about a club."""

    act = forms.ChoiceField(
        label=_("Decision"),
        widget=forms.RadioSelect,
        choices=[(str(act), label) for act, label in _OF_CLUBS.items()],
        initial=Act.CLUB_NAME.value,
    )
    name = forms.CharField(label=_("New name"), required=False, max_length=TITLE_LENGTH)
    reason = _words(_("Reason"), help_text=_("The owners of the club read it."))

    @property
    def buttons(self) -> list[tuple[str, Any]]:
        """What the button says when a decision is chosen."""
        return [(str(act), label) for act, label in _OF_CLUBS.items()]


class DecideForm(forms.Form):
    """How a case is decided."""

    verdict = forms.ChoiceField(label=_("How do you decide?"), choices=Case.Verdict, widget=forms.RadioSelect)
    answer = forms.CharField(
        label=_("Answer"),
        required=False,
        max_length=WORDS,
        widget=forms.TextInput({"list": "answers", "dir": "auto", "autocomplete": "off"}),
        help_text=_("Those who reported read it."),
    )
    reason = _words(_("Reason"), help_text=_("For the log of moderators."))


class WarnForm(forms.Form):
    """The words with which somebody is warned as their case is closed; prepared by what was reported."""

    reason = _words(_("Reason"), help_text=_("The person reads it."))

    def __init__(self, report: Report | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fields["reason"].initial = _WARNINGS.get(report.why, "") if report else ""


class ReasonForm(forms.Form):
    """Why a moderator takes something back."""

    reason = _words(_("Reason"))
