"""What bot accounts play, and the one place where that is enforced (`check_bots_play`).

Whatever seats somebody, or asks them to sit down, calls it for all who would sit together: so it makes no difference
who came first, or whether a bot accepts, joins, opens a table or is challenged. `docs/bots.md` says what is promised.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from itertools import product
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games.bots.models import MOST_AT_ONCE, Conditions
from games.engine.protocol import RuleViolation
from games.play.clocks import ClockError, control_in_words, read_control
from games.play.models import Match, Seat, Speed
from games.play.refusals import TooOften
from games.titles import games, titles

_DAY: Final = timedelta(days=1)

WITH_BOTS: Final = 100
"""How many matches with other bots an account begins within 24 hours."""


def conditions_of(bot: Any) -> Conditions:
    """Return what a bot account plays.

    Raises:
        RuleViolation: "not-bot" for anybody else.
    """
    if not bot.is_bot:
        raise RuleViolation("not-bot", _("This account is not a bot."))
    return Conditions.objects.get(user=bot.pk)


# --- said by the bot --------------------------------------------------------------------------------------------------


def set_conditions(
    bot: Any,
    *,
    games: Collection[str] = (),
    seats: Collection[int] = (),
    speeds: Collection[str] = (),
    clocks: Collection[str] = (),
    people: bool = True,
    bots: bool = True,
    at_once: int = MOST_AT_ONCE,
) -> Conditions:
    """Set all conditions of a bot account; an empty collection leaves everything open. Matches that run go on.

    Args:
        bot: the account.
        games: slugs of titles.
        seats: numbers of players.
        speeds: values of `Speed`.
        clocks: texts of `clocks.Control`; an empty one for no clock.
        people: whether it plays with people.
        bots: whether it plays with bots, those of the site included.
        at_once: how many matches it plays at once, tables at which it waits included: 1 to `MOST_AT_ONCE`.

    Raises:
        RuleViolation: "not-bot", or "conditions" with what is wrong with them.
    """
    found = conditions_of(bot)
    if unknown := sorted(set(games) - set(titles())):
        raise _wrong(_("There is no such game: %(name)s.") % {"name": unknown[0]})
    possible = {number for title in titles().values() for number in title.game.seats}
    if strange := sorted(set(seats) - possible):
        raise _wrong(_("No game is for %(count)d players.") % {"count": strange[0]})
    if unknown := sorted(set(speeds) - set(Speed.values)):
        raise _wrong(_("There is no such speed: %(name)s.") % {"name": unknown[0]})
    if not people and not bots:
        raise _wrong(_("A bot plays with people, with bots, or with both."))
    if not 1 <= at_once <= MOST_AT_ONCE:
        raise _wrong(_("A bot plays 1 to %(most)d matches at once.") % {"most": MOST_AT_ONCE})
    found.games, found.seats = [slug for slug in titles() if slug in games], sorted(set(seats))
    found.speeds, found.clocks = [it.value for it in Speed if it.value in speeds], _read_clocks(clocks)
    found.people, found.bots, found.at_once = people, bots, at_once
    found.save()
    return found


def _read_clocks(texts: Iterable[str]) -> list[str]:
    try:
        return list(dict.fromkeys(str(read_control(text)) if text else "" for text in texts))
    except ClockError as error:
        raise _wrong(_("There is no such clock.")) from error


def _wrong(text: str) -> RuleViolation:
    return RuleViolation("conditions", text)


# --- enforced by the site ---------------------------------------------------------------------------------------------


def check_bots_play(match: Match, people: Iterable[User | None], *, programs: bool = False) -> None:
    """Check that every bot account among those who would sit together plays such a match.

    Args:
        match: as it would be played.
        people: all who would sit together, in any order; nobody is None.
        programs: whether bots of the site sit there, too.

    Raises:
        RuleViolation: "bot-rated" for people and bots in a rated match; of one bot "bot-game", "bot-seats",
            "bot-speed", "bot-clock", "bot-people", "bot-bots", "too-many-matches" at once, or "too-many-with-bots"
            within 24 hours.
    """
    everybody = [person for person in people if person is not None]
    bots = [person for person in everybody if person.is_bot]
    if bots and match.rated and len(bots) < len(everybody):
        raise RuleViolation("bot-rated", _("Bots play rated matches only with each other. Make this one casual."))
    for bot in bots:
        with_people, with_bots = len(bots) < len(everybody), programs or len(bots) > 1
        wanted = conditions_of(bot)
        _check_terms(bot, wanted, match, with_people, with_bots)
        _check_at_once(bot, wanted, match)
        if with_bots:
            _check_day(bot, match)


def _check_terms(bot: User, wanted: Conditions, match: Match, with_people: bool, with_bots: bool) -> None:
    name = {"name": bot.shown_name}
    if wanted.games and match.game not in wanted.games:
        raise RuleViolation("bot-game", _("%(name)s does not play this game.") % name)
    if wanted.seats and match.seat_count not in wanted.seats:
        raise RuleViolation("bot-seats", _("%(name)s does not play with this number of players.") % name)
    if wanted.speeds and match.speed not in wanted.speeds:
        raise RuleViolation("bot-speed", _("%(name)s does not play at this speed.") % name)
    if wanted.clocks and match.seat_count > 1 and match.clock not in wanted.clocks:
        raise RuleViolation("bot-clock", _("%(name)s does not play with this clock.") % name)
    if with_people and not wanted.people:
        raise RuleViolation("bot-people", _("%(name)s plays only with bots.") % name)
    if with_bots and not wanted.bots:
        raise RuleViolation("bot-bots", _("%(name)s plays only with people.") % name)


def _check_at_once(bot: User, wanted: Conditions, match: Match) -> None:
    """Refuse another match besides those it plays now, tables at which it waits included."""
    going_on = (Match.Status.OPEN, Match.Status.RUNNING)
    seats = Seat.objects.filter(user=bot, left=None, match__status__in=going_on).exclude(match=match.pk)
    if seats.count() >= wanted.at_once:
        text = _("%(name)s is already playing as many matches as it can. Please try again later.")
        raise RuleViolation("too-many-matches", text % {"name": bot.shown_name})


def _check_day(bot: User, match: Match) -> None:
    """Refuse another match with bots besides those it has begun within 24 hours, or is about to begin."""
    since = timezone.now() - _DAY
    begun = Q(match__status=Match.Status.OPEN) | Q(match__started_at__gt=since)
    other_bot = Q(bot__isnull=False) | Q(user__bot_since__isnull=False)
    beside = Seat.objects.filter(other_bot, match=OuterRef("match")).exclude(number=OuterRef("number"))
    lately = Seat.objects.filter(begun, Exists(beside), user=bot).exclude(match=match.pk)
    moments = [moment or timezone.now() for moment in lately.values_list("match__started_at", flat=True)]
    if len(moments) >= WITH_BOTS:
        text = _("%(name)s has begun %(count)d matches with bots in the last 24 hours, which is the limit.")
        words = text % {"name": bot.shown_name, "count": WITH_BOTS}
        raise TooOften("too-many-with-bots", words, min(moments) - since)


# --- a table that fits ------------------------------------------------------------------------------------------------


def games_for_two(conditions: Conditions) -> list[str]:
    """Return the slugs of the games that a bot plays with one other player."""
    pair = 2
    if conditions.seats and pair not in conditions.seats:
        return []
    return [slug for slug, game in games().items() if pair in game.seats and slug in (conditions.games or games())]


def speed_and_clock(conditions: Conditions, usual: Sequence[tuple[Speed, str]]) -> tuple[str, str]:
    """Return a speed and a clock that a bot plays with.

    Args:
        conditions: of the bot.
        usual: those to choose from, the first one that it plays is taken; if it plays none, its own first ones are.
    """
    speeds = conditions.speeds or Speed.values
    own = product(speeds, conditions.clocks)
    fitting = ((speed, clock) for speed, clock in usual if speed in speeds and clock in (conditions.clocks or [clock]))
    speed, clock = next(fitting, None) or next(own)
    return str(speed), clock


# --- in words ---------------------------------------------------------------------------------------------------------


def terms_in_words(conditions: Conditions) -> list[str]:
    """Return what a bot plays, but for its games, each condition in a few words."""
    seats, speeds = ", ".join(map(str, conditions.seats)), conditions.speeds or Speed.values
    clocks = [control_in_words(read_control(clock)) if clock else _("no clock") for clock in conditions.clocks]
    if conditions.people and conditions.bots:
        with_whom = _("with people and bots")
    else:
        with_whom = _("with people") if conditions.people else _("with bots")
    return [
        _("%(numbers)s players") % {"numbers": seats} if seats else _("any number of players"),
        " · ".join(str(Speed(speed).label) for speed in speeds),
        " · ".join(clocks) or _("any clock"),
        with_whom,
    ]
