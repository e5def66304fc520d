"""Events of a club: made, changed and cancelled by its owners and helpers, before they start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

from django.utils.translation import gettext as _

from games.clubs.membership import check_leads, lock_club
from games.clubs.models import Club
from games.engine.protocol import OptionError, OptionValue, RuleViolation, complete_options
from games.events import notices
from games.events.formats import Format
from games.events.formats.clock import Clock, fits, fitting, longest
from games.events.models import Event, committed_event
from games.events.signals import event_changed, event_made
from games.matchmaking.limits import check_moment
from games.matchmaking.seats import check_may_play
from games.notifications.models import Kind
from games.notifications.services import withdraw_of_event
from games.play.clocks import ClockError, Control, read_control, span_in_words
from games.play.models import Speed
from games.play.store import writing
from games.titles import Title, titles

SPEEDS: Final[Mapping[Format, Sequence[Speed]]] = {
    Format.SWISS: (Speed.LIVE, Speed.DAYS),
    Format.ROBIN: (Speed.LIVE, Speed.DAYS),
    Format.KNOCKOUT: (Speed.LIVE, Speed.DAYS),
    Format.ARENA: (Speed.LIVE,),
    Format.LEAGUE: (Speed.DAYS,),
    Format.LADDER: (Speed.DAYS,),
}
"""The formats, and at which speeds each is played."""

IN_ROUNDS: Final = (Format.SWISS, Format.ROBIN, Format.KNOCKOUT)
"""Formats of which `Setup.length` is that of a round; of an arena and a league it is that of the whole."""

ROUNDS: Final = range(1, 16)
LIVES: Final = range(1, 3)
ROUND_MINUTES: Final = range(5, 241)
ROUND_DAYS: Final = range(1, 91)
ARENA_MINUTES: Final = range(20, 481)
SEASON_WEEKS: Final = range(1, 53)

MOST: Final = 20
"""How many events a club can have that are not over."""

_IN_A_SEASON: Final = 2.5
"""How many matches after each other a season of a league has: five for each, two at a time."""

_PAIR: Final = 2
_SECOND, _MINUTE, _HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Setup:
    """How an event of a club is played.

    Args:
        game: a title.
        format: how people are paired.
        starts_at: 15 minutes to 60 days from now.
        clock: what each seat has for a match, as of a table: `str(clocks.Control)`.
        speed: live or over days, as the format allows (`SPEEDS`).
        length: of a round; of an arena and a league how long all of it takes; a ladder has none.
        want, least: seats of a heat, and the fewest.
        options: of the game, as far as chosen.
        rounds: of a Swiss.
        lives: in a knockout, 1 or 2.
        rated: whether results change ratings.
    """

    game: str
    format: str
    starts_at: datetime
    clock: str
    speed: str = Speed.LIVE
    length: timedelta | None = None
    want: int = 2
    least: int = 2
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    rounds: int | None = None
    lives: int = 1
    rated: bool = True


def make_event(club: Club, by: Any, *, told: bool = False, **fields: Any) -> Event:
    """Make an event, which the members of a club can enter from now on.

    Args:
        club: whose.
        by: an owner or helper of it.
        told: whether its members are told of it already.
        fields: of `Setup`.

    Raises:
        RuleViolation: "suspended", "not-leader", "too-many-events"; "event-game", "event-format", "event-seats",
            "option", "event-rounds", "event-lives", "event-speed", "event-length" out of bounds, "clock", "moment" of
            its start, and "event-clock" if a match could take too long, which says what would fit.
    """
    setup = Setup(**fields)
    check_may_play(by)
    check_setup(setup)
    event = committed_event(club=club, game=setup.game, format=setup.format, speed=setup.speed, **_planned(setup))
    with writing():
        lock_club(pk=club.pk)
        check_leads(by, club)
        if club.events.filter(state__in=[Event.State.OPEN, Event.State.RUNNING]).count() >= MOST:
            text = _("A club can have at most %(most)d events that are not over.")
            raise RuleViolation("too-many-events", text % {"most": MOST})
        event.save()
        if not told:
            event_made.send(Event, event=event, by=by)
    return event


def change_event(event: Event, by: Any, **fields: Any) -> Event:
    """Change an event that has not started. Whoever has entered is asked again whether they play.

    Args:
        event: of a club.
        by: an owner or helper of it.
        fields: of `Setup`; game, format and speed stay as they are.

    Raises:
        RuleViolation: "event-begun", and as `make_event`.
    """
    setup = Setup(**{**fields, "game": event.game, "format": event.format, "speed": event.speed})
    check_may_play(by)
    check_setup(setup)
    with writing():
        locked = _locked(event, by)
        for name, value in _planned(setup).items():
            setattr(locked, name, value)
        locked.save()
        event_changed(locked)
        notices.ask_again(locked)
    return locked


def cancel_event(event: Event, by: Any) -> None:
    """Cancel an event that has not started, and tell whoever has entered; if nobody has, nothing is left of it.

    Raises:
        RuleViolation: "event-begun", "not-leader".
    """
    with writing():
        locked = _locked(event, by)
        withdraw_of_event(Kind.CLUB_TABLE, locked.slug)
        if not locked.entries.exists():
            locked.delete()
            return
        locked.state, locked.next_at = Event.State.CANCELLED, None
        locked.save(update_fields=["state", "next_at"])
        event_changed(locked)
        notices.tell_called_off(locked)


def _locked(event: Event, by: Any) -> Event:
    """Lock an event that somebody organises and that has not started."""
    locked = Event.objects.select_for_update(no_key=True).filter(pk=event.pk).first()
    if locked is None or not locked.is_open:
        raise RuleViolation("event-begun", _("This event has begun or was called off, and can no longer be changed."))
    check_leads(by, locked.club)
    return locked


def _planned(setup: Setup) -> dict[str, Any]:
    """Return the fields of an event that follow from a setup and can be changed."""
    rounds = setup.rounds if setup.format == Format.SWISS else None
    return {
        "options": dict(setup.options),
        "clock": setup.clock,
        "want": setup.want,
        "least": setup.least,
        "rated": setup.rated,
        "rounds": rounds,
        "lives": setup.lives if setup.format == Format.KNOCKOUT else 1,
        "round_length": setup.length if setup.format in IN_ROUNDS else None,
        "starts_at": setup.starts_at,
        "next_at": setup.starts_at,
        "ends_at": _end_of(setup),
    }


def _end_of(setup: Setup) -> datetime | None:
    """Return when it is over in any case; of a robin that is known when it starts, and a knockout needs none."""
    if setup.length is None or setup.format in {Format.LADDER, Format.ROBIN, Format.KNOCKOUT}:
        return None
    return setup.starts_at + setup.length * ((setup.rounds or 1) if setup.format == Format.SWISS else 1)


# --- what can be played -----------------------------------------------------------------------------------------------


def check_setup(setup: Setup) -> None:
    """Refuse what cannot be played, or might not end; raises as `make_event`."""
    if setup.game not in titles():
        raise RuleViolation("event-game", _("There is no such game."))
    if setup.format not in list(Format):
        raise RuleViolation("event-format", _("Choose a format."))
    title, format_ = titles()[setup.game], Format(setup.format)
    if not _PAIR <= setup.least <= setup.want or not {setup.least, setup.want} <= set(title.game.seats):
        raise RuleViolation("event-seats", _("Choose from two players to as many as are to sit at a table."))
    _check_options(setup, title)
    if setup.speed not in SPEEDS[format_]:
        raise RuleViolation("event-speed", _("This format is not played at this speed."))
    if format_ is Format.SWISS and setup.rounds not in ROUNDS:
        raise RuleViolation("event-rounds", _("Choose from one to %(most)d rounds.") % {"most": ROUNDS[-1]})
    if setup.lives not in LIVES:
        raise RuleViolation("event-lives", _("Choose one life or two."))
    check_moment(setup.starts_at)
    _check_length(setup)
    _check_clock(setup, title, _control(setup))


def _check_options(setup: Setup, title: Title) -> None:
    """Refuse options that the game does not offer at any of its tables, which may have fewer seats."""
    existing = {it.name: it for it in title.game.options}
    for seats in range(setup.least, setup.want + 1):
        chosen = {
            name: it for name, it in setup.options.items() if name not in existing or existing[name].exists_for(seats)
        }
        try:
            complete_options(title.game, seats, chosen)
        except OptionError as error:
            raise RuleViolation("option", _("The game does not offer this.")) from error


def _control(setup: Setup) -> Control:
    try:
        return read_control(setup.clock)
    except ClockError as error:
        raise RuleViolation("clock", _("There is no such clock.")) from error


def _bounds_of(setup: Setup) -> tuple[timedelta, timedelta]:
    """Return the shortest and the longest that can be chosen."""
    numbers, unit = {
        (Format.ARENA, Speed.LIVE): (ARENA_MINUTES, _MINUTE),
        (Format.LEAGUE, Speed.DAYS): (SEASON_WEEKS, _WEEK),
    }.get(
        (Format(setup.format), Speed(setup.speed)),
        (ROUND_MINUTES, _MINUTE) if setup.speed == Speed.LIVE else (ROUND_DAYS, _DAY),
    )
    return numbers[0] * unit, numbers[-1] * unit


def _check_length(setup: Setup) -> None:
    least, most = _bounds_of(setup)
    if setup.format != Format.LADDER and (setup.length is None or not least <= setup.length <= most):
        words = {"least": span_in_words(least), "most": span_in_words(most)}
        raise RuleViolation("event-length", _("Choose from %(least)s to %(most)s.") % words)


def _check_clock(setup: Setup, title: Title, control: Control) -> None:
    """Refuse a clock with which a match, at a table of any size, could take longer than there is time."""
    if setup.length is None or setup.format == Format.LADDER:
        return
    clock, nights = Clock(control.start, control.increment), setup.speed == Speed.DAYS
    length = setup.length / _IN_A_SEASON if setup.format == Format.LEAGUE else setup.length
    turns_at = {seats: title.insight.turns_of_a_seat(seats) for seats in range(setup.least, setup.want + 1)}
    seats = max(turns_at, key=lambda count: longest(count, turns_at[count], clock, nights=nights))
    if fits(seats, turns_at[seats], clock, length, nights=nights):
        return
    takes = longest(seats, turns_at[seats], clock, nights=nights)
    would = fitting(seats, turns_at[seats], clock, length, nights=nights)
    ways = [*_other_clocks(would.start, would.increment, nights=nights), _other_length(setup, takes)]
    text = _("With this clock a match can take %(span)s, which is too long. What would fit: %(ways)s.")
    words = {"span": span_in_words(_up(takes, _DAY if nights else _MINUTE)), "ways": "; ".join(ways)}
    raise RuleViolation("event-clock", text % words)


def _other_clocks(start: timedelta | None, increment: timedelta | None, *, nights: bool) -> list[str]:
    """Return in words the longest start and increment that fit, if there is one that can be chosen."""
    found = []
    if start is not None and (whole := start // (_DAY if nights else _MINUTE)):
        found.append(
            _("at most %(span)s at the start") % {"span": span_in_words(whole * (_DAY if nights else _MINUTE))}
        )
    if increment is not None and (whole := increment // (_HOUR if nights else _SECOND)):
        span = span_in_words(whole * (_HOUR if nights else _SECOND))
        found.append(_("at most %(span)s for each turn") % {"span": span})
    return found


def _other_length(setup: Setup, takes: timedelta) -> str:
    """Return in words the shortest length that fits."""
    if setup.format == Format.LEAGUE:
        return _("a season of %(span)s") % {"span": span_in_words(_up(takes * _IN_A_SEASON, _WEEK))}
    span = span_in_words(_up(takes, _DAY if setup.speed == Speed.DAYS else 5 * _MINUTE))
    return (_("an arena of %(span)s") if setup.format == Format.ARENA else _("rounds of %(span)s")) % {"span": span}


def _up(span: timedelta, unit: timedelta) -> timedelta:
    return ceil(span / unit) * unit
