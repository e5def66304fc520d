"""The form of a match against a bot that begins at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from games.play.models import Level
from games.titles import titles


class PlayNowForm(forms.Form):
    """A game and a level: all that a match against a bot needs."""

    game = forms.ChoiceField(label=_("Game"))
    level = forms.ChoiceField(label=_("Bot"), choices=Level.choices, initial=Level.COMPANION, widget=forms.RadioSelect)

    def __init__(self, data: Any = None, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}), auto_id="play-now-%s")
        cast("forms.ChoiceField", self.fields["game"]).choices = [
            (slug, title.game.name) for slug, title in titles().items()
        ]
