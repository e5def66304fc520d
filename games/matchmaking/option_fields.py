"""The options of a game as fields of a form, each marked with the numbers of players it is for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.translation import gettext

from games.engine.protocol import Option, OptionValue
from games.play.models import Match
from games.titles import Title

FEW = 5
"""Up to this many choices are radio buttons; more are a drop-down list."""

MARK = "data-for-seats"
"""The attribute of a choice that names the numbers of players it is for; a rule in tables.css hides the others."""

_WORDS = {True: "yes", False: "no"}


def name_of(option: Option) -> str:
    """Return the name of the field of an option."""
    return f"option-{option.name}"


def marked(option: Option, title: Title) -> str:
    """Return the attribute that marks the field of an option."""
    counts = (str(count) for count in title.game.seats if option.exists_for(count))
    return flatatt({MARK: " ".join(counts)})


def chosen_for(option: Option, match: Match) -> OptionValue | None:
    """Return what a form has in this field for what a match is played with; None if that is not offered today."""
    value = match.options.get(option.name)
    if not any(value == offered for offered, _label in option.choices):
        return None
    return value if _is_switch(option) else _word(value)


def as_asked(title: Title, seats: int, options: Mapping[str, OptionValue]) -> dict[str, str]:
    """Return the fields of an address at which the form of a new table begins with this; see `asked_for`."""
    own = {name_of(option): _word(options[option.name]) for option in title.game.options if option.name in options}
    return {"seats": str(seats), **own}


def asked_for(title: Title, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return what the form of a new table begins with, as far as an address asks for it and the game offers it."""
    counts = [count for count in title.game.seats if str(count) == fields.get("seats")]
    asked: dict[str, Any] = {"seats": counts[0]} if counts else {}
    for option in title.game.options:
        for value, _label in option.choices:
            if _word(value) == fields.get(name_of(option)):
                asked[name_of(option)] = value if _is_switch(option) else _word(value)
    return asked


def field_of(option: Option, title: Title) -> forms.Field:
    """Return the field of an option: a checkbox if it is true or false, otherwise a choice."""
    label, text = _translated(option.label), _help(option, title)
    if _is_switch(option):
        return forms.BooleanField(label=label, required=False, initial=option.default, help_text=text)
    choices = [(_word(value), _translated(name)) for value, name in option.choices]
    few = len(choices) <= FEW
    widget = RadioSelect if few else Select
    return forms.TypedChoiceField(
        label=label,
        required=False,
        choices=choices if few or not option.required else [("", "—"), *choices],
        initial=None if option.required else _word(option.default),
        coerce=_value_of(option),
        empty_value="" if option.required else option.default,  # type: ignore[arg-type]  # the stub forbids booleans
        widget=widget(for_seats=_offered(option, title)),
        help_text=text,
    )


def _offered(option: Option, title: Title) -> dict[str, str]:
    """Return the numbers of players for those choices that matter only with some numbers."""
    counts = [count for count in title.game.seats if option.exists_for(count)]
    return {
        _word(value): " ".join(str(count) for count in counts if option.offers(value, count))
        for value, _idle in option.idle
    }


class _MarksChoices(forms.widgets.ChoiceWidget):
    """Marks choices with the numbers of players they are for; a rule in tables.css hides the others.

    Args:
        for_seats: those numbers by choice.
    """

    def __init__(self, for_seats: dict[str, str]) -> None:
        super().__init__()
        self.for_seats = for_seats

    def create_option(self, name: str, value: Any, *arguments: Any, **named: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *arguments, **named)
        if for_seats := self.for_seats.get(value):
            option["attrs"][MARK] = for_seats
            option["marks"] = flatatt({MARK: for_seats})
        return option


class RadioSelect(_MarksChoices, forms.RadioSelect):
    """Named as Django's, since templates ask for the type of a widget by its name; so is the next one."""


class Select(_MarksChoices, forms.Select):
    """See `RadioSelect`."""


def _is_switch(option: Option) -> bool:
    return not option.required and {value for value, _label in option.choices} == {True, False}


def _word(value: OptionValue) -> str:
    return _WORDS[value] if isinstance(value, bool) else value


def _value_of(option: Option) -> Callable[[str], OptionValue]:
    values = {_word(value): value for value, _label in option.choices}
    return values.__getitem__


def _translated(text: str) -> str:
    return gettext(text) if text else ""  # gettext("") is the catalogue's header


def _help(option: Option, title: Title) -> str:
    """Return the option's help, with the numbers of players it applies to unless it applies to all."""
    text = _translated(option.help)
    if option.seats is None or option.seats.issuperset(title.game.seats):
        return text
    counts = ", ".join(str(count) for count in sorted(option.seats))
    return f"{text} {gettext('Number of players: %(counts)s only.') % {'counts': counts}}".strip()
