"""The form of quick pairing for one game, filled in with what was chosen last."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from games.matchmaking.fields import option_word
from games.matchmaking.tables import USUAL_CLOCKS
from games.pairing.matching import waiting_by_game
from games.pairing.models import Habit
from games.pairing.search import Search, options_of, seats_of
from games.play.clocks import control_in_words, read_control
from games.play.models import Speed
from games.titles import Title, titles


class SearchForm(forms.Form):
    """What somebody wants to play of one game. `search()` returns it once the form is valid."""

    seats = forms.TypedMultipleChoiceField(
        label=_("Players"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose the number of players.")},
    )
    speed = forms.ChoiceField(label=_("Speed"), choices=Speed.choices, widget=forms.RadioSelect)
    rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(self, title: Title, user: Any, data: Any = None, habit: Habit | None = None, others: int = 0) -> None:
        """Build the form of a game.

        Args:
            title: the game.
            user: who looks for players.
            data: what was sent.
            habit: what they chose last.
            others: how many others wait for this game.
        """
        super().__init__(data, initial=_initial(title, user, habit), auto_id=f"pairing-{title.slug}-%s")
        self.title, self.casual, self.others = title, not user.is_authenticated or user.guest, others
        seats = self.fields["seats"]
        assert isinstance(seats, forms.TypedMultipleChoiceField)  # noqa: S101  # tells mypy which field it is
        seats.choices = [(count, str(count)) for count in seats_of(title)]
        for option in options_of(title):
            self.fields[f"option-{option.name}"] = forms.MultipleChoiceField(
                label=gettext(option.label),
                choices=[(option_word(value), gettext(label)) for value, label in option.choices],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
        if self.casual:
            del self.fields["rated"]

    def options(self) -> list[forms.BoundField]:
        """Return the fields of the game's own options."""
        return [self[f"option-{option.name}"] for option in options_of(self.title)]

    def search(self) -> Search:
        data = self.cleaned_data
        accepts = {option.name: tuple(data[f"option-{option.name}"]) for option in options_of(self.title)}
        return Search(self.title.slug, tuple(data["seats"]), data["speed"], data.get("rated", False), accepts)

    def preselected(self) -> list[tuple[str, Any]]:
        """Return the names and values that a browser sends of the form as it is."""
        chosen = ((name, self.initial[name]) for name in self.fields)
        return [(name, each) for name, value in chosen for each in (value if isinstance(value, list) else [value])]

    def in_words(self) -> str:
        """Return what is preselected, in short, with no-break spaces."""
        seats, speed = self.initial["seats"], Speed(self.initial["speed"])
        rated = gettext("rated") if self.initial["rated"] else gettext("casual")
        pace = gettext("live") if speed == Speed.LIVE else gettext("over days")
        whole = pace.replace(" ", "\N{NO-BREAK SPACE}")
        return f"{players_in_words(seats)}\N{NO-BREAK SPACE}· {whole}\N{NO-BREAK SPACE}· {rated}"


def players_in_words(seats: list[int]) -> str:
    """Return accepted numbers of players in words.

    >>> str(players_in_words([2])), str(players_in_words([2, 3]))
    ('2 players', '2 or 3 players')
    """
    numbers = get_text_list([str(count) for count in seats], gettext("or"))
    return ngettext("%(numbers)s player", "%(numbers)s players", max(seats)) % {"numbers": numbers}


def terms_in_words(seats: list[int], speed: Speed, rated: bool) -> str:
    """Return in sentences with how many others one plays, how long each has, and whether it is rated."""
    others = [count - 1 for count in seats]
    words = {"numbers": get_text_list([str(count) for count in others], gettext("or"))}
    return " ".join(
        (
            ngettext("You play with %(numbers)s other person.", "You play with %(numbers)s others.", max(others))
            % words,
            gettext("Each of you has %(clock)s.") % {"clock": control_in_words(read_control(USUAL_CLOCKS[speed][0]))},
            gettext("It counts for your rating.") if rated else gettext("It does not count for a rating."),
        )
    )


def _initial(title: Title, user: Any, habit: Habit | None) -> dict[str, Any]:
    """Return what somebody last chose for this game, or what is usual."""
    casual = not user.is_authenticated or user.guest
    seats = [count for count in habit.seats if count in seats_of(title)] if habit else []
    accepts = habit.accepts if habit else {}
    return {
        "seats": seats or seats_of(title)[:1],
        "speed": habit.speed if habit else Speed.LIVE,
        "rated": not casual and (habit.rated if habit else True),
        **{f"option-{it.name}": accepts.get(it.name) or [option_word(it.default)] for it in options_of(title)},
    }


def forms_for(user: Any) -> list[SearchForm]:
    """Return a form for each game, as this person left them."""
    known = Habit.objects.filter(user=user) if user.is_authenticated else Habit.objects.none()
    habits = {habit.game: habit for habit in known}
    others = waiting_by_game(user)
    return [SearchForm(it, user, habit=habits.get(slug), others=others[slug]) for slug, it in titles().items()]
