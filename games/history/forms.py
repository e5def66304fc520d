"""The filters of the archive, as its address has them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.history.archive import Cursor, Filters
from games.history.endings import Result
from games.matchmaking.finding import PeopleInput
from games.play.models import Speed
from games.titles import titles

CURSORS = ("before", "after")


def _games() -> list[tuple[str, Any]]:
    return [("", _("Every game")), *((slug, title.game.name) for slug, title in titles().items())]


class _Day(forms.DateField):
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    default_validators = [
        MinValueValidator(date(1970, 1, 2), _("There were no matches then.")),
        MaxValueValidator(date(9999, 12, 30), _("There were no matches then.")),
    ]


class ArchiveForm(forms.Form):
    """Which finished matches to look for. Everything is optional."""

    player = forms.CharField(label=_("Player"), required=False, max_length=64, widget=PeopleInput)
    result = forms.ChoiceField(label=_("Player’s result"), required=False, choices=[("", _("Any")), *Result.choices])
    game = forms.ChoiceField(label=_("Game"), required=False, choices=_games)
    speed = forms.ChoiceField(label=_("Speed"), required=False, choices=[("", _("Any")), *Speed.choices])
    rated = forms.ChoiceField(
        label=_("Rated"), required=False, choices=[("", _("Any")), ("yes", _("Rated")), ("no", _("Casual"))]
    )
    since = _Day(label=_("From"), required=False)
    until = _Day(label=_("To"), required=False)
    before = forms.CharField(required=False, widget=forms.HiddenInput)
    after = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_player(self) -> User | None:
        """Find the player, however the name is written."""
        name = self.cleaned_data["player"]
        if not name:
            return None
        user = User.objects.named(name)
        if user is None or not user.is_active:
            raise forms.ValidationError(_("There is no player with this name."), code="nobody")
        return user

    def clean_before(self) -> Cursor | None:
        return self._cursor("before")

    def clean_after(self) -> Cursor | None:
        return self._cursor("after")

    def clean(self) -> dict[str, Any]:
        """A result needs a player, and the first day must not be after the last."""
        data = self.cleaned_data
        if data.get("result") and not data.get("player") and "player" not in self.errors:
            self.add_error("player", _("Enter a player to filter by result."))
        if data.get("since") and data.get("until") and data["since"] > data["until"]:
            self.add_error("until", _("The last day must not be before the first."))
        return data

    def filters(self) -> Filters:
        """Return what a valid form asks for; days are those of the reader's time zone."""
        data = self.cleaned_data
        return Filters(
            player=data["player"],
            result=Result(data["result"]) if data["result"] else None,
            game=data["game"] or None,
            speed=Speed(data["speed"]) if data["speed"] else None,
            rated={"yes": True, "no": False}.get(data["rated"]),
            since=_midnight(data["since"]) if data["since"] else None,
            until=_midnight(data["until"] + timedelta(days=1)) if data["until"] else None,
        )

    @property
    def query(self) -> str:
        """Return the filters as part of an address, without the place in the list."""
        given = {name: self.data.get(name, "") for name in self.fields if name not in CURSORS}
        return urlencode({name: value for name, value in given.items() if value})

    def _cursor(self, name: str) -> Cursor | None:
        text = self.cleaned_data[name]
        try:
            return Cursor.read(text) if text else None
        except ValueError:
            raise forms.ValidationError(_("This link to the archive is broken."), code="cursor") from None


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
