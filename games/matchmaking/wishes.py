"""What somebody wants to play, and the table that comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from accounts.texts import tidy_text
from games.engine.protocol import OptionValue, RuleViolation
from games.matchmaking.admission import check_may_invite
from games.matchmaking.clock_fields import USUAL
from games.matchmaking.kept import check_kept
from games.matchmaking.notes import check_may_note
from games.matchmaking.requirements import check_window
from games.play.clocks.arithmetic import ClockError, read_control
from games.play.matches.services import prepare_match
from games.play.models import Match, Speed


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player wants to play.

    Args:
        game: slug of the title.
        seats: how many players.
        options: chosen values by name; what is left out takes its default.
        speed, visibility, seat_order: values of the enumerations of `Match`.
        clock: a `clocks.Control`; empty for none, None for the usual one. A match alone has none.
        excludes_vacations: whether day clocks run on while their players are on vacation.
        rated: whether ratings change; a match alone is never rated, nor is one opened by a guest.
        reliability: the percentage of turns that players must have finished on time to sit down.
        rating_from, rating_to: the lowest and the highest rating of those who sit down; None for any.
        kept: how many seats are for friends of the host and whoever is invited alone; see `kept`.
        note: of the host, for everybody who sees the table; see `notes`.
        first_to: how many matches win a series; 0 for a single match.
        invited: people who can see the table whatever its visibility.
        bots: the level of the bots that take all free seats; empty for none. The match is casual then.
    """

    game: str
    seats: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    speed: str = "live"
    clock: str | None = None
    excludes_vacations: bool = False
    rated: bool = True
    reliability: int = 0
    rating_from: int | None = None
    rating_to: int | None = None
    kept: int = 0
    note: str = ""
    visibility: str = Match.Visibility.PUBLIC
    seat_order: str = Match.SeatOrder.RANDOM
    first_to: int = 0
    invited: tuple[Any, ...] = ()
    bots: str = ""


def prepared(host: Any, wish: Wish) -> Match:
    """Return a table as somebody wants it, not yet saved; raises as `services.open_table`."""
    clock, note = _clock(wish), tidy_text(wish.note)
    check_may_invite(host, wish.invited)
    check_may_note(host, note)
    check_window(wish.rating_from, wish.rating_to)
    check_kept(wish.kept, wish.seats)
    return prepare_match(
        wish.game,
        wish.options,
        wish.seats,
        host=host,
        speed=wish.speed,
        clock=clock,
        excludes_vacations=wish.excludes_vacations and wish.speed == Speed.DAYS and bool(clock),
        rated=wish.rated and wish.seats > 1 and not wish.bots and not host.guest,
        has_bots=bool(wish.bots),
        reliability=wish.reliability,
        rating_from=wish.rating_from,
        rating_to=wish.rating_to,
        kept=wish.kept,
        note=note,
        visibility=wish.visibility,
        seat_order=wish.seat_order,
    )


def _clock(wish: Wish) -> str:
    """Return the clock of a table; refuse an invalid clock, and a rated match without a clock."""
    if wish.seats == 1:
        return ""
    clock = USUAL[Speed(wish.speed)][0] if wish.clock is None else wish.clock
    if wish.rated and not wish.bots and not clock:
        raise RuleViolation("clock-needed", _("A rated match needs a clock."))
    try:
        return str(read_control(clock)) if clock else ""
    except ClockError as error:
        raise RuleViolation("clock", _("There is no such clock.")) from error
