"""What can be chosen of a game for quick pairing, and what a group has in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from games.engine.protocol import Option, OptionError, OptionValue, RuleViolation
from games.play.models import Speed
from games.titles import Title, titles

_WORDS = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class Search:
    """What somebody wants to play.

    Args:
        game: slug of the title.
        seats: the numbers of players they accept.
        speed: of `Speed`.
        rated: whether ratings change; never for guests.
        accepts: by option, the values they accept; what is left out is played as usual.
    """

    game: str
    seats: tuple[int, ...]
    speed: str = Speed.LIVE
    rated: bool = True
    accepts: Mapping[str, Sequence[str]] = field(default_factory=dict)


def seats_of(title: Title) -> list[int]:
    """Return the numbers of players for which people can be paired."""
    return [count for count in title.game.seats if count > 1]


def options_of(title: Title) -> list[Option]:
    """Return the options that exist for several players."""
    return [option for option in title.game.options if any(option.exists_for(count) for count in seats_of(title))]


def word_of(value: OptionValue) -> str:
    """Return the value of an option as forms and waits have it."""
    return _WORDS[value] if isinstance(value, bool) else value


def usual(option: Option) -> str:
    """Return what is played unless somebody chooses otherwise."""
    return word_of(option.default)


def checked(search: Search) -> dict[str, Any]:
    """Return a search as the fields of a wait, complete and in one order, so that equal ones are equal.

    Raises:
        RuleViolation: "game", "speed", "seats" or "option": nothing like this is offered.
    """
    title = titles().get(search.game)
    if title is None or search.speed not in Speed.values:
        raise RuleViolation("game", _("This is not offered."))
    seats = sorted(set(search.seats) & set(seats_of(title)))
    if not seats or set(search.seats) - set(seats):
        raise RuleViolation("seats", _("Choose for how many players."))
    return {
        "game": search.game,
        "speed": search.speed,
        "rated": search.rated,
        "seats": seats,
        "accepts": {option.name: _accepted(option, search.accepts) for option in options_of(title)},
    }


def _accepted(option: Option, accepts: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what somebody accepts of an option, in its own order."""
    offered = [word_of(value) for value, _label in option.choices]
    wanted = accepts.get(option.name) or [usual(option)]
    if set(wanted) - set(offered):
        raise OptionError(_("This is not offered."))
    return [word for word in offered if word in wanted]


def agreed(title: Title, seats: int, accepted: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, OptionValue]:
    """Return the options of a match for people who accept these: of each the first value that all of them do.

    What is not offered today, or makes no difference for so many players, is played as usual.
    """
    everybody = list(accepted)
    chosen: dict[str, OptionValue] = {}
    for option in title.game.options:
        fitting = [value for value, _label in option.choices if _suits_all(option, value, everybody)]
        if option.exists_for(seats):
            chosen[option.name] = next((it for it in fitting if option.offers(it, seats)), option.default)
    return chosen


def _suits_all(option: Option, value: OptionValue, everybody: Iterable[Mapping[str, Sequence[str]]]) -> bool:
    return all(word_of(value) in accepts.get(option.name, [usual(option)]) for accepts in everybody)
