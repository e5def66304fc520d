"""Bots at tables: added and removed by the host, and matches against bots alone."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.engine.protocol import OptionValue, RuleViolation
from games.matchmaking import promises, seating, services
from games.matchmaking.admission import check_host, own_seat
from games.matchmaking.counting import check_wait
from games.matchmaking.wishes import Wish
from games.play.matches.locking import lock
from games.play.matches.transactions import writing
from games.play.models import Level, Match, in_company
from games.titles import Title

PLAYERS = 2
"""How many play in a match against a bot, where the game allows it."""


def add(match_id: int, host: Any, level: str, nonce: bytes = b"") -> Match:
    """Give the next free seat of a table to a bot, which makes the match casual and begins it if it was the last one.

    The nonce is the host's, unless they have given one already.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "table-full", "must-wait" with others after no-shows,
            or "level" when there is no such bot.
    """
    if level not in Level.values:
        raise RuleViolation("level", _("There is no such bot."))
    with writing():
        locked = lock(match_id)
        match, seats = locked.match, locked.seats
        check_host(match, host)
        if len(seats) + promises.count(match) >= match.seat_count:
            raise RuleViolation("table-full", _("All seats at this table are taken."))
        if in_company(seats):
            check_wait(host)
        seating.give_first_nonce(match, own_seat(host, seats), nonce)
        seating.seat_bot(match, seats, Level(level))
        if len(seats) == match.seat_count and not seating.sent_away(match, seats):
            seating.begin_now(match, seats)
        else:
            seating.changed(match)
    return match


def remove(match_id: int, host: Any, number: int) -> Match:
    """Free the seat of a bot. The match stays casual; so that nobody is surprised, only a new table is rated.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "not-a-bot" when no bot sits there, or "must-wait"
            for a host who may not sit down with others after no-shows.
    """
    with writing():
        locked = lock(match_id)
        match, seats = locked.match, locked.seats
        check_host(match, host)
        check_wait(host)
        bot = next((seat for seat in seats if seat.number == number and seat.is_bot), None)
        if bot is None:
            raise RuleViolation("not-a-bot", _("No bot is sitting there."))
        seating.vacate(bot, seats)
        match.has_bots = any(seat.is_bot for seat in seats)
        match.save(update_fields=["has_bots"])
        seating.changed(match)
    return match


def play_now(user: Any, title: Title, level: Level) -> Match:
    """Open a table at which everything is ready for a match against one level; `services.start` begins it.

    It is not listed anywhere: whoever has the link may watch. Raises as `services.open_table`.
    """
    wish = Wish(
        game=title.slug,
        seats=PLAYERS if PLAYERS in title.game.seats else max(2, title.game.seats[0]),
        options=_usual_options(title),
        clock="",
        rated=False,
        visibility=Match.Visibility.LINK,
        bots=level,
    )
    return services.open_table(user, wish)


def _usual_options(title: Title) -> dict[str, OptionValue]:
    """Return the first choice for every option that has no default."""
    return {
        option.name: option.default for option in title.game.options if option.required and option.exists_for(PLAYERS)
    }
