"""Open a table, sit down, get up, add bots, start, close, play again (`planned` has tables for a later time).

A table is a match that has not begun. Every function here that takes the key of a match locks it: however many people
sit down at once, as many succeed as there are seats; unique constraints make sure of it. The seats of an open table
are numbered from 0 without gaps, in the order in which people sat down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from accounts.names import tidy_text
from accounts.sanctions import refusal_to_write
from games.bots.conditions import check_bots_play, conditions_of, games_for_two, speed_and_clock
from games.clubs.membership import club_of, is_member, lock_club, put_in_club
from games.clubs.models import Club
from games.engine.protocol import OptionValue, RuleViolation, complete_options
from games.matchmaking import requirements
from games.matchmaking.invitations import accept_invitation, invite
from games.matchmaking.limits import check_wait, have_played_enough, is_expired
from games.matchmaking.seats import (
    begin_now,
    check_host,
    check_may_invite,
    check_may_play,
    check_may_sit,
    check_open,
    give_first_nonce,
    own_seat,
    seat_bot,
    seat_of,
    sent_away,
    sit_down,
    table_changed,
    table_is_closed,
    vacate,
)
from games.matchmaking.series import (
    begin_series,
    check_all_there,
    continue_series,
    remove_from_series,
    tell_players,
)
from games.matchmaking.signals import called_off, offered
from games.play.clocks import ClockError, Control, read_control
from games.play.commands import prepare_match
from games.play.models import Level, Match, Seat, Speed, in_company
from games.play.store import lock, writing
from games.titles import Title

NOTE_LENGTH = 100
"""Characters in a note."""

USUAL_CLOCKS = {
    Speed.LIVE: ("300+10/600", "600+15/1200", "1800+30/3600"),
    Speed.DAYS: ("259200+86400/259200", "432000+172800/432000", "604800+259200/604800", "1209600+604800/1209600"),
}
"""Clocks to choose from; the first is preselected."""

_SECOND, _MINUTE, _HOUR, _DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))

MINUTES, SECONDS = range(1, 181), range(301)
"""Of a clock for live matches: at the start, and added for each turn."""

HOURS, SAVED = range(1, 337), range(1, 61)
"""Of a clock over days: hours for each turn, and days that can be saved up."""

SHARED = (Match.Visibility.PUBLIC, Match.Visibility.LINK)
"""At tables of these kinds others than friends and invited players can sit down."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What a player wants to play.

    Args:
        game: slug of the title.
        seats: how many players.
        options: chosen values by name; what is left out takes its default.
        speed, visibility, seat_order: values of the enumerations of `Match`.
        clock: text of a `clocks.Control`; empty for none, None for the usual one. A match alone has none.
        excludes_vacations: whether day clocks run on while their players are on vacation.
        rated: whether ratings change; a match alone is never rated, nor is one opened by a guest.
        reliability: the percentage of turns that players must have finished on time to sit down.
        rating_from, rating_to: the lowest and the highest rating of those who sit down; None for any.
        kept: how many seats are only for friends of the host and invited players.
        note: one line of plain text by the host, for everybody who sees the table.
        first_to: how many matches win a series; 0 for a single match.
        club: the one whose members alone can see the table and sit down; the visibility is `CLUB` then.
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
    club: Club | None = None
    invited: tuple[Any, ...] = ()
    bots: str = ""


# --- opening ----------------------------------------------------------------------------------------------------------


def new_table(host: Any, setup: TableSetup) -> Match:
    """Return a new table that is not saved yet; raises as `open_table`."""
    clock, note = _clock(setup), tidy_text(setup.note)
    check_may_invite(host, setup.invited)
    _check_note(host, note)
    _check_club(host, setup)
    requirements.check_window(setup.rating_from, setup.rating_to)
    requirements.check_kept(setup.kept, setup.seats)
    return prepare_match(
        setup.game,
        setup.options,
        setup.seats,
        host=host,
        speed=setup.speed,
        clock=clock,
        excludes_vacations=setup.excludes_vacations and setup.speed == Speed.DAYS and bool(clock),
        rated=setup.rated and setup.seats > 1 and not setup.bots and not host.guest,
        has_bots=bool(setup.bots),
        reliability=setup.reliability,
        rating_from=setup.rating_from,
        rating_to=setup.rating_to,
        kept=setup.kept,
        note=note,
        visibility=setup.visibility,
        seat_order=setup.seat_order,
    )


def _clock(setup: TableSetup) -> str:
    """Return the clock of a table; refuse an invalid clock, and a rated match without a clock."""
    if setup.seats == 1:
        return ""
    clock = USUAL_CLOCKS[Speed(setup.speed)][0] if setup.clock is None else setup.clock
    if setup.rated and not setup.bots and not clock:
        raise RuleViolation("clock-needed", _("A rated match needs a clock."))
    try:
        return str(read_control(clock)) if clock else ""
    except ClockError as error:
        raise RuleViolation("clock", _("There is no such clock.")) from error


def check_clock(control: Control, speed: Speed) -> None:
    """Refuse a clock that no table offers: "clock"."""
    start, increment, cap = control.start, control.increment, control.cap
    if speed == Speed.LIVE:
        in_time = MINUTES[0] * _MINUTE <= start <= MINUTES[-1] * _MINUTE and cap <= 2 * MINUTES[-1] * _MINUTE
        offered = in_time and increment <= SECONDS[-1] * _SECOND
    else:
        in_time = HOURS[0] * _HOUR <= increment <= HOURS[-1] * _HOUR and cap <= SAVED[-1] * _DAY
        offered = in_time and increment <= start
    if not offered:
        raise RuleViolation("clock", _("There is no such clock."))


def check_invited(visibility: str, seats: int, invited: Sequence[Any], bots: str) -> None:
    """Refuse a private table to which nobody is invited, "nobody-invited", and bots in seats of those who are, "bots".

    Args:
        visibility: a value of `Match.Visibility`.
        seats: how many players.
        invited: who is.
        bots: the level of those that take all free seats; empty for none.
    """
    if bots and invited:
        raise RuleViolation("bots", _("Leave the seats free for the players you invite."))
    if seats > 1 and not bots and visibility == Match.Visibility.PRIVATE and not invited:
        raise RuleViolation("nobody-invited", _("Name at least one other player."))


def _check_note(user: Any, note: str) -> None:
    """Refuse a note by a guest ("guest-note"), by somebody silenced ("silenced"), and one too long ("long-note")."""
    if note and user.guest:
        raise RuleViolation("guest-note", _("Guests can’t write a note. Register to add one."))
    if note and (refusal := refusal_to_write(user)):
        raise RuleViolation("silenced", refusal)
    if len(note) > NOTE_LENGTH:
        raise RuleViolation("long-note", _("A note has at most %(most)d characters.") % {"most": NOTE_LENGTH})


def _check_club(host: Any, setup: TableSetup) -> None:
    """Refuse a table for a club without one, or for one to which its host does not belong: "club"."""
    is_for_club = setup.visibility == Match.Visibility.CLUB
    if is_for_club != (setup.club is not None) or (setup.club and not is_member(setup.club, host)):
        raise RuleViolation("club", _("Choose a club to which you belong."))


def open_table(host: Any, setup: TableSetup) -> Match:
    """Open a table and sit its host down.

    The host has not seen the commitment yet, so their nonce comes later: by `add_nonce`, or at a table for one person,
    alone or with bots, by `start`, which also begins the match.

    Raises:
        RuleViolation: as `seats.sit_down` and `invitations.invite`; "guest-invites"; "clock-needed" for a rated match,
            "clock" when there is no such clock, "series" for one alone or with bots, "option" when the game does not
            offer this, "guest-note", "silenced", "long-note" or "club"; as `requirements.check_window` and
            `check_kept`.
    """
    check_may_play(host)
    match = new_table(host, setup)
    with writing():
        if setup.club is not None:
            lock_club(pk=setup.club.pk)
        match.save()
        put_in_club(match, setup.club)
        if setup.first_to:
            begin_series(match, setup.first_to)
        invite(match, setup.invited, by=host)
        seats: list[Seat] = []
        sit_down(match, seats, host)
        while setup.bots and len(seats) < match.seat_count:
            seat_bot(match, seats, Level(setup.bots))
        if len(seats) < match.seat_count:
            offered.send(Match, match=match, host=host, comes=True)
    return match


# --- people at a table ------------------------------------------------------------------------------------------------


def join(match_id: int, user: Any, nonce: bytes = b"") -> Match:
    """Sit down at a table; the match begins when the last seat is taken.

    Somebody who sits there already stays, with the nonce they gave first.

    Raises:
        RuleViolation: as `seats.check_may_sit` and `limits.count_seat`.
    """
    try:
        with writing():
            match, seats = _lock(match_id)
            mine = seat_of(user, seats)
            if expired := is_expired(match):
                close_locked(match)
            elif mine is not None:
                give_first_nonce(match, mine, nonce)
            else:
                check_may_sit(match, len(seats), user)
                sit_down(match, seats, user, nonce)
                accept_invitation(match, user)
    except RuleViolation as violation:
        if violation.code in {"rated-enough", "invited-only", "blocked"}:
            with writing():  # it is not their fault, so their promise ends and does not count as a no-show
                match, seats = _lock(match_id)
                if match.is_open and requirements.is_coming(match, user):
                    requirements.end_promises(match, [user])
                    _hand_over(match, user, seats)
        raise
    if expired:
        raise table_is_closed()
    return match


def _lock(match_id: int) -> tuple[Match, list[Seat]]:
    locked = lock(match_id)
    return locked.match, locked.seats


def add_nonce(match_id: int, user: Any, nonce: bytes) -> None:
    """Store the nonce of the host, who sat down before seeing the commitment. Idempotent.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-seated", or "nonce-given" when there is another one already,
            for instance from another device.
    """
    with writing():
        match, seats = _lock(match_id)
        check_open(match)
        mine = own_seat(user, seats)
        give_first_nonce(match, mine, nonce)
        if bytes(mine.nonce) != nonce:
            raise RuleViolation("nonce-given", _("You have already joined from another browser."))


def leave(match_id: int, user: Any) -> None:
    """Get up from an open table. If the host does, the first of the others becomes host; the last one closes it.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-seated".
    """
    with writing():
        match, seats = _lock(match_id)
        check_open(match)
        get_up(match, user, seats)


def get_up(match: Match, user: Any, seats: list[Seat]) -> None:
    """Free somebody's seat at a locked open table; see `leave`."""
    vacate(own_seat(user, seats), seats)
    _hand_over(match, user, seats)


def _hand_over(match: Match, leaving: Any, seats: list[Seat]) -> None:
    """Make somebody else host if the host has left a locked table; close it if nobody is there or coming."""
    people = [seat for seat in seats if not seat.is_bot]
    if not people and not requirements.count_promises(match):
        close_locked(match)
        return
    if people and match.host_id == leaving.pk:
        match.host, match.kept = people[0].user, 0
    table_changed(match)


def start(match_id: int, user: Any, nonce: bytes = b"") -> Match:
    """Begin with the people who sit there, as a match for that many.

    The nonce is the host's, unless they have given one already. The table stays open if somebody has to get up first
    (`seats.sent_away`).

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "still-coming" while seats are kept for others,
            "too-few" when the game is not made for so few, "must-wait" with others after no-shows, "series" when
            somebody of a series is missing, "option" when an option would have to be chosen anew for so many, or as
            `check_bots_play` when a bot account there does not play with so many.
    """
    with writing():
        match, seats = _lock(match_id)
        check_host(match, user)
        if requirements.count_promises(match):
            raise RuleViolation("still-coming", _("Please wait for the players who said they would come."))
        if len(seats) not in match.rules.seats:
            raise RuleViolation("too-few", _("There are not enough players for this game."))
        check_all_there(match, len(seats))
        if in_company(seats):
            check_wait(user)
        if sent_away(match, seats):
            table_changed(match)
            return match
        give_first_nonce(match, next(seat for seat in seats if seat.user_id == user.pk), nonce)
        exist = {option.name for option in match.rules.options if option.exists_for(len(seats))}
        chosen = {name: value for name, value in match.options.items() if name in exist}
        match.options, match.seat_count = complete_options(match.rules, len(seats), chosen), len(seats)
        check_bots_play(match, [seat.user for seat in seats], programs=any(seat.is_bot for seat in seats))
        match.save(update_fields=["options", "seat_count"])
        begin_now(match, seats)
    return match


# --- closing ----------------------------------------------------------------------------------------------------------


def close_table(match_id: int, user: Any) -> None:
    """Close a table that has not begun; a planned one is called off, and those who wanted to come are told.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-host".
    """
    with writing():
        match, _seats = _lock(match_id)
        check_host(match, user, also_planned=True)
        if match.is_planned:
            call_off(match, user)
        else:
            close_locked(match)


def close_for_moderators(match_id: int) -> set[int]:
    """Close a table for moderators; return the keys of its host and of all who sit there, are coming or are invited.

    Raises:
        RuleViolation: "table-begun" or "table-closed".
    """
    with writing():
        match, seats = _lock(match_id)
        if not match.is_planned:
            check_open(match)
        invited = match.invitations.answerable().values_list("user", flat=True)
        people = {match.host_id, *requirements.promised_to(match), *invited, *(seat.user_id for seat in seats)}
        close_locked(match)
    return {key for key in people if key is not None}


def call_off(match: Match, by: Any = None) -> None:
    """Close a locked table that was planned, and tell those who wanted to come.

    Args:
        match: planned.
        by: who called it off; None when too few wanted to come.
    """
    people = [person for person in requirements.end_all_promises(match) if by is None or person.pk != by.pk]
    called_off.send(Match, match=match, people=people, by=by)
    close_locked(match)


def close_locked(match: Match) -> None:
    """Close a locked table; if it was for a rematch, another can be opened."""
    requirements.end_all_promises(match)
    if match.previous_id is not None:
        tell_players(match)
    match.status = Match.Status.CLOSED
    match.previous = None
    remove_from_series(match)
    table_changed(match)


# --- bots -------------------------------------------------------------------------------------------------------------

BOT_MATCH_SEATS = 2
"""How many play in a match against a bot, where the game allows it."""


def add_bot(match_id: int, host: Any, level: str, nonce: bytes = b"") -> Match:
    """Give the next free seat of a table to a bot, which makes the match casual and begins it if it was the last one.

    The nonce is the host's, unless they have given one already.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "table-full", "must-wait" with others after no-shows,
            or "level" when there is no such bot.
    """
    if level not in Level.values:
        raise RuleViolation("level", _("There is no such bot."))
    with writing():
        match, seats = _lock(match_id)
        check_host(match, host)
        if len(seats) + requirements.count_promises(match) >= match.seat_count:
            raise RuleViolation("table-full", _("All seats at this table are taken."))
        if in_company(seats):
            check_wait(host)
        give_first_nonce(match, own_seat(host, seats), nonce)
        seat_bot(match, seats, Level(level))
        if len(seats) == match.seat_count and not sent_away(match, seats):
            begin_now(match, seats)
        else:
            table_changed(match)
    return match


def remove_bot(match_id: int, host: Any, number: int | None) -> Match:
    """Free the seat of a bot. The match stays casual, as its players expect; only a new table is rated.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "not-a-bot" when no bot sits there, or "must-wait"
            for a host who may not sit down with others after no-shows.
    """
    with writing():
        match, seats = _lock(match_id)
        check_host(match, host)
        check_wait(host)
        bot = next((seat for seat in seats if seat.number == number and seat.is_bot), None)
        if bot is None:
            raise RuleViolation("not-a-bot", _("No bot is sitting there."))
        vacate(bot, seats)
        match.has_bots = any(seat.is_bot for seat in seats)
        match.save(update_fields=["has_bots"])
        table_changed(match)
    return match


def usual_level(user: Any) -> Level:
    """Return the level of the bot against which somebody played last, at first Companion."""
    seats = Seat.objects.filter(match__host=user, bot__isnull=False).order_by("-match")
    return Level(seats.values_list("bot", flat=True).first() or Level.COMPANION)


def play_now(user: Any, title: Title, level: Level) -> Match:
    """Open a table for a match against bots of one level, with every seat taken; `start` begins it.

    It is not listed anywhere: anybody with the link may watch. Guests have the first turn. Raises as `open_table`.
    """
    setup = TableSetup(
        game=title.slug,
        seats=BOT_MATCH_SEATS if BOT_MATCH_SEATS in title.game.seats else max(2, title.game.seats[0]),
        options=_options_for_two(title),
        clock="",
        rated=False,
        visibility=Match.Visibility.LINK,
        seat_order=Match.SeatOrder.AS_SAT if user.guest else Match.SeatOrder.RANDOM,
        bots=level,
    )
    return open_table(user, setup)


def _options_for_two(title: Title) -> dict[str, OptionValue]:
    offered = [option for option in title.game.options if option.exists_for(BOT_MATCH_SEATS)]
    required = {option.name: option.default for option in offered if option.required}
    return required | {option.name: option.quick for option in offered if option.quick is not None}


def challenge_bot(user: Any, bot: Any, title: Title) -> Match:
    """Open a casual table for two that fits the conditions of a bot account, and invite it.

    It is not listed anywhere, and the match begins when the bot sits down.

    Raises:
        RuleViolation: "not-bot" for somebody else, "bot-game" for a game that the bot does not play with one other, or
            as `open_table`.
    """
    conditions = conditions_of(bot)
    if title.slug not in games_for_two(conditions):
        text = _("%(name)s does not play this game with one other player.")
        raise RuleViolation("bot-game", text % {"name": bot.shown_name})
    usual = [(speed, clock) for speed, clocks in USUAL_CLOCKS.items() for clock in clocks]
    speed, clock = speed_and_clock(conditions, usual)
    setup = TableSetup(
        game=title.slug,
        seats=BOT_MATCH_SEATS,
        options=_options_for_two(title),
        speed=speed,
        clock=clock,
        rated=False,
        visibility=Match.Visibility.LINK,
        invited=(bot,),
    )
    return open_table(user, setup)


# --- rematches --------------------------------------------------------------------------------------------------------


def rematch(match_id: int, user: Any, *, sits: bool = True) -> Match:
    """Return the one table that follows a finished match, or the match that it has become.

    The first player to ask opens it, sits there and becomes its host, and the others are invited. Each of them who asks
    sits down, and the match begins when the last of them has. The player who sat in seat 1 begins this time, whatever
    the order of sitting down. A rematch alone waits for `start`. It is the next match of a series, if the finished one
    belongs to one; after an aborted match of a series the seats stay the same. It is casual if two of them have reached
    the limit of rated matches with each other.

    Args:
        match_id: of the finished match.
        user: who asks.
        sits: whether they sit down at a table that is open already. A page that adds a number to the shuffle shows the
            commitment first, and then calls `join`.

    Raises:
        RuleViolation: "not-over", "not-a-player", "table-begun" when it has begun without this person, "option"
            when today's rules no longer offer the old options, or as `join`.
    """
    with writing():
        former, seats = _lock(match_id)
        if seat_of(user, seats) is None:
            raise RuleViolation("not-a-player", _("Only the players of this match can ask for a rematch."))
        if not former.has_ended:
            raise RuleViolation("not-over", _("This match is not over yet."))
        following = Match.objects.filter(previous=former).select_for_update().first()
        if following is not None and is_expired(following):
            close_locked(following)
            following = None
        if following is None:
            return _open_rematch(former, seats, user)
    if all(seat.user_id != user.pk for seat in following.seats.all()):
        check_open(following)
        if sits:
            return join(following.pk, user)
    return following


def _open_rematch(former: Match, seats: list[Seat], user: Any) -> Match:
    people = [seat.user for seat in seats if seat.user]
    match = prepare_match(
        former.game,
        former.options,
        len(seats),
        host=user,
        previous=former,
        speed=former.speed,
        clock=former.clock,
        excludes_vacations=former.excludes_vacations,
        rated=former.rated and not have_played_enough(people),
        visibility=former.visibility,
        seat_order=Match.SeatOrder.AS_SAT,
        has_bots=former.has_bots,
    )
    club = club_of(former)
    if club is not None:
        lock_club(pk=club.pk)
    match.save()
    put_in_club(match, club)
    continue_series(former, match)
    invite(match, people, by=user)
    seated: list[Seat] = []
    sit_down(match, seated, user)
    for bot in sorted((seat for seat in seats if seat.is_bot), key=lambda seat: seat.namesake):
        seat_bot(match, seated, Level(str(bot.bot)))
    tell_players(match)
    return match
