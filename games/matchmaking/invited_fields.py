"""The field in which players name whom they invite; it completes the names of people they know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.names import name_key
from accounts.relations import blocked_by, friends_of
from games.matchmaking.limits import INVITED
from games.play.models import Seat

RECENT_MATCHES = 50
"""Matches whose players are offered."""

MOST_NAMES = 100


class NamesInput(forms.TextInput):
    """A text field with a list of names to choose from, which browsers offer while one types."""

    names: Iterable[str] = ()

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """Return the field followed by its list; invited.js completes the second name and those after it."""
        field = super().render(name, value, {**(attrs or {}), "list": "known-names", "autocomplete": "off"}, renderer)
        options = format_html_join("", '<option value="{}"></option>', ((it,) for it in self.names))
        return format_html('{}<datalist id="known-names">{}</datalist>', field, options)


def offer_names(form: forms.Form, user: Any) -> None:
    """Let the field `invited` of a form offer the people its user knows."""
    widget = form.fields["invited"].widget
    assert isinstance(widget, NamesInput)  # noqa: S101  # tells mypy which widget it is
    widget.names = [] if user.guest else known_names(user)


def known_names(user: Any) -> list[str]:
    """Return the names of somebody's friends, and of those they played with lately, the latest first.

    Only whom they have blocked is left out: they are not to notice that somebody has blocked them.
    """
    apart = blocked_by(user).order_by().values("pk")
    friends = friends_of(user).filter(is_active=True).exclude(pk__in=apart).values_list("username", flat=True)
    lately = Seat.objects.filter(user=user).order_by("-match").values_list("match", flat=True)[:RECENT_MATCHES]
    beside = Seat.objects.filter(match__in=list(lately), user__is_active=True, user__guest=False)
    others = beside.exclude(user=user).exclude(user__in=apart).values_list("user__username")
    recent = others.annotate(last=Max("match")).order_by("-last").values_list("user__username", flat=True)
    return list(dict.fromkeys([*friends, *recent]))[:MOST_NAMES]


def people_named(text: str, by: Any) -> tuple[Any, ...]:
    """Return the players named in a text, each once, without the one who names them.

    Raises:
        ValidationError: "too-many", or "unknown-name".
    """
    named = {name_key(word): word for word in re.split(r"[\s,;]+", text) if word}
    named.pop(by.name_key, None)
    if len(named) > INVITED:
        raise ValidationError(_("Please invite at most %(most)d players."), "too-many", {"most": INVITED})
    found = get_user_model().objects.filter(name_key__in=named, is_active=True)
    if unknown := sorted(named[key] for key in named.keys() - {user.name_key for user in found}):
        raise ValidationError(_("There is no player called %(names)s."), "unknown-name", {"names": ", ".join(unknown)})
    return tuple(found)


class InviteForm(forms.Form):
    """More players to invite to an open table."""

    invited = forms.CharField(
        label=_("Invite"),
        max_length=1000,
        widget=NamesInput,
        help_text=_("Player names, separated by spaces. They will be notified at once."),
    )

    def __init__(self, user: Any, data: Any = None) -> None:
        super().__init__(data)
        self.user = user
        offer_names(self, user)

    def clean_invited(self) -> tuple[Any, ...]:
        people = people_named(self.cleaned_data["invited"], self.user)
        if not people:
            raise ValidationError(_("Name at least one other player."), "nobody-invited")
        return people
