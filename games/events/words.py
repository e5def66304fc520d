"""What pages and files say about events."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from games.events.formats import WHOLE, Format
from games.events.models import Event
from games.play.clocks import control_in_words, read_control

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


def name_of(event: Event) -> str:
    """Return what an event is called, as “League of Shifting Stones”."""
    return str(_NAMES[Format(event.format)]) % {"game": event.title.game.name}


def short_name_of(event: Event) -> str:
    """Return what an event is called beside the name of its game."""
    return str(_SHORT[Format(event.format)])


def about(event: Event) -> str:
    """Return how an event is played, in a sentence or two."""
    return str(_ABOUT[event.played_format])


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
    return _("Matches that have begun go on; all others count as lost. You may not be able to come back.")
