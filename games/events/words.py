"""What pages and files say about events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from games.events.formats import WHOLE, Format
from games.events.models import Event
from games.play.clocks import control_in_words, read_control, span_in_words

_NAMES: Final[Mapping[Format, Promise]] = MappingProxyType(
    {
        Format.LEAGUE: gettext_lazy("League of %(game)s"),
        Format.LADDER: gettext_lazy("Ladder of %(game)s"),
        Format.SWISS: gettext_lazy("Swiss tournament of %(game)s"),
        Format.ROBIN: gettext_lazy("Round robin of %(game)s"),
        Format.KNOCKOUT: gettext_lazy("Knockout of %(game)s"),
        Format.ARENA: gettext_lazy("Arena of %(game)s"),
    }
)

_SHORT: Final[Mapping[Format, Promise]] = MappingProxyType(
    {
        Format.LEAGUE: gettext_lazy("League"),
        Format.LADDER: gettext_lazy("Ladder"),
        Format.SWISS: gettext_lazy("Swiss tournament"),
        Format.ROBIN: gettext_lazy("Round robin"),
        Format.KNOCKOUT: gettext_lazy("Knockout"),
        Format.ARENA: gettext_lazy("Arena"),
    }
)

_ABOUT: Final[Mapping[Format, Promise]] = MappingProxyType(
    {
        Format.LEAGUE: gettext_lazy(
            "You play everyone in your division once. The best two go up, the last two go down, and newcomers begin in"
            " the lowest."
        ),
        Format.LADDER: gettext_lazy(
            "Every night you are paired with someone near you on the ladder. The winner takes the higher rung."
        ),
        Format.SWISS: gettext_lazy("In each round you meet people with about as many points as you."),
        Format.ROBIN: gettext_lazy("Everyone plays everyone."),
        Format.KNOCKOUT: gettext_lazy("The better half of each match goes on, until one is left."),
        Format.ARENA: gettext_lazy("As soon as your match is over, you are paired again."),
    }
)


def short_name_of_format(format_: Format) -> str:
    """Return what a format is called."""
    return str(_SHORT[format_])


def about_format(format_: Format) -> str:
    """Return how a format is played, in a sentence or two."""
    return str(_ABOUT[format_])


def name_of(event: Event) -> str:
    """Return what an event is called, as “League of Shifting Stones”."""
    return str(_NAMES[Format(event.format)]) % {"game": event.title.game.name}


def short_name_of(event: Event) -> str:
    """Return what an event is called beside the name of its game."""
    return str(_SHORT[Format(event.format)])


def about(event: Event) -> str:
    """Return how an event is played, in a sentence or two."""
    said = str(_ABOUT[event.played_format])
    if event.played_format is Format.KNOCKOUT and event.lives > 1:
        return f"{said} {_('You are out when you have not been in the better half twice.')}"
    return said


def plan_in_words(event: Event) -> list[tuple[str, str]]:
    """Return what an event of its format has besides, each as a name and a value in words."""
    found = []
    if event.want > 2:  # noqa: PLR2004  # of two, nobody needs to be told
        seats = str(event.want) if event.least == event.want else f"{event.least}–{event.want}"
        found.append((_("Players at a table"), seats))
    if event.rounds is not None and event.is_open:
        found.append((_("Rounds"), str(event.rounds)))
    if event.round_length is not None:
        found.append((_("A round lasts"), _("at most %(span)s") % {"span": span_in_words(event.round_length)}))
    if event.format == Format.KNOCKOUT:
        found.append((_("Lives"), str(event.lives)))
    return found


def season_name_of(event: Event) -> str:
    """Return what an event is called with the number of its season or evening, if it has one."""
    if event.season is None:
        return name_of(event)
    told = _("%(name)s, evening %(number)s") if event.is_evening else _("%(name)s, season %(number)s")
    return told % {"name": name_of(event), "number": event.season}


def result_in_words(event: Event, best: Sequence[tuple[int, str]]) -> str:
    """Return how an event ended in lines to pass on; empty if nobody has a place.

    Args:
        event: that is over.
        best: places and names.
    """
    return "\n".join([season_name_of(event), *(f"{place}. {name}" for place, name in best)]) if best else ""


def clock_of(event: Event) -> str:
    """Return what each player has for a match."""
    return control_in_words(read_control(event.clock))


class Described:
    """What says of its `event` how it is called and played, for templates."""

    __slots__ = ()

    event: Event

    @property
    def name(self) -> str:
        return name_of(self.event)

    @property
    def short_name(self) -> str:
        return short_name_of(self.event)

    @property
    def about(self) -> str:
        return about(self.event)

    @property
    def clock(self) -> str:
        return clock_of(self.event)


@dataclass(frozen=True, slots=True)
class Named(Described):
    """An event, for a template that says how it is called."""

    event: Event


def points_in_words(points: int) -> str:
    """Return points, which are counted in 120ths, as a decimal number with at most two decimals.

    >>> [points_in_words(points) for points in (0, 60, 120, 200)]
    ['0', '0.5', '1', '1.67']
    """
    hundredths = round(points * 100 / WHOLE)
    decimals = 2 if hundredths % 10 else 1 if hundredths % 100 else 0
    return str(number_format(hundredths / 100, decimal_pos=decimals))


def cost_of_leaving(event: Event) -> str:
    """Return what somebody loses who leaves an event now."""
    if event.is_open:
        return _("Leaving before the start costs nothing.")
    if event.played_format is Format.LADDER:
        return _("Matches that have begun go on. You are off the ladder until you enter again.")
    if event.played_format is Format.ARENA:
        return _("A match that has begun goes on. You can enter again until the arena ends.")
    if event.played_format is Format.SWISS:
        return _("A match that has begun goes on; you miss the rounds that follow. You may not be able to come back.")
    return _("Matches that have begun go on; all others count as lost. You may not be able to come back.")
