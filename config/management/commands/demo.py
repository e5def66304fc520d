"""`manage.py demo`: people, and some weeks of matches and events, so that every page has something to show.

All of it is played through the services that pages use, by the policies of the titles, with the clock set back. A story
is a generator: people sit down, think, act, and sometimes give up or are late. It yields when it wants to go on, and
does the next thing when it is resumed at that time.
"""

from __future__ import annotations

import secrets
import string
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum
from heapq import heapify, heappop, heappush
from itertools import cycle
from typing import Any, TypeAlias
from unittest import mock
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.chat.rooms import place_of_club
from games.chat.services import say
from games.clubs import services as clubs
from games.clubs.models import Club, Member
from games.engine.contract.playouts import Chooser, option_combinations
from games.engine.insight import any_action, choose
from games.engine.protocol import AnyGame, OptionValue, Seat as SeatNumber
from games.events import rounds, services as events
from games.events.formats import Format
from games.events.jobs import Seasons
from games.events.models import Event
from games.events.organising import make_event
from games.matchmaking import tables as matchmaking
from games.matchmaking.invitations import make_casual
from games.matchmaking.limits import have_played_enough
from games.matchmaking.tables import USUAL_CLOCKS, TableSetup
from games.notifications.channels.mail import UNREACHABLE
from games.notifications.models import Kind, Notice
from games.play import commands, timekeeping
from games.play.access import ViewedMatch
from games.play.live import pubsub
from games.play.models import Match, Seat, Speed
from games.play.reducer import positions
from games.play.store import writing
from games.titles import games


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays here.

    Args:
        care: how many of a hundred actions follow the title's policy; the others are any legal ones.
        days: how many days ago they registered.
        often: how often they play, compared with others.
    """

    name: str
    care: int
    days: int
    often: int = 1
    time_zone: str = "UTC"
    language: str = "en"
    sleeps: bool = False


PEOPLE = (
    Person("Ann", 97, 58, 6, "Europe/London"),
    Person("Bruno", 94, 57, 6, "Europe/Lisbon"),
    Person("Chiara", 99, 55, 6, "Europe/Rome", sleeps=True),
    Person("Daiki", 98, 54, 5, "Asia/Tokyo", sleeps=True),
    Person("Esra", 90, 53, 5, "Europe/Istanbul"),
    Person("Fiete", 92, 52, 5, "Europe/Berlin", "de"),
    Person("Grace", 100, 51, 5, "America/New_York", sleeps=True),
    Person("Henrik", 85, 50, 1, "Europe/Copenhagen"),
    Person("Ines", 96, 49, 1, "America/Sao_Paulo"),
    Person("Jonas", 88, 48, 1, "Europe/Vienna", "de", sleeps=True),
    Person("Keiko", 93, 47, 1, "Asia/Tokyo"),
    Person("Zoë", 95, 46, 1, "America/Montreal"),
)


def register(password: str, now: datetime) -> list[User]:
    """Register everybody with the same password, and with addresses to which nothing is sent."""
    hashed = make_password(password)  # once for all of them, because it is slow
    users = []
    for number, person in enumerate(PEOPLE, start=1):
        user = User(
            username=person.name,
            email=f"demo-{number}@demo.{UNREACHABLE}",
            password=hashed,
            date_joined=now - timedelta(days=person.days, hours=person.care % 9),
            time_zone=person.time_zone,
            language=person.language,
        )
        if person.sleeps:
            user.sleep_from, user.sleep_until = time(23), time(7)
        user.save()
        users.append(user)
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users]
    )
    return users


Story: TypeAlias = Iterator[datetime]


class End(StrEnum):
    """How a match ends."""

    PLAYED = "played"  # to its end
    RESIGNED = "resigned"  # by whoever is behind
    LATE = "late"  # somebody runs out of time
    ABORTED = "aborted"  # by agreement
    NO_SHOW = "no-show"  # somebody never acts


@dataclass(frozen=True, slots=True)
class Plan:
    """A table, and how the match ends that is played there.

    Args:
        at: when the table is opened.
        people: the host, then who joins; if they are fewer than the seats, the table stays open.
        wish: the setup of the table.
        end: how the match ends.
        actions: after so many actions somebody resigns, is late, or wants to abort the match.
        waits_for: it has been this person's turn since yesterday.
        pace: how many times as long as usual people take over days.
    """

    at: datetime
    people: tuple[User, ...]
    wish: TableSetup
    end: End = End.PLAYED
    actions: int = 30
    waits_for: User | None = None
    pace: int = 1


_LIVE = (2, 3, 4, 5, 6, 7, 9, 12, 15, 20, 30, 45)
"""Seconds somebody thinks in a live match."""
_DAYS = (5, 12, 25, 40, 60, 90, 150, 240, 360, 480, 660, 900)
"""Minutes until somebody returns to a match over days."""
_SHARE = 0.5
"""The largest share of the remaining time that somebody uses."""
_WAITED = timedelta(hours=26)
"""How long `Plan.waits_for` has not acted: longer than anybody takes for an action."""
_WAKING = range(7, 23)


def tell(plan: Plan, chooser: Chooser, now: datetime) -> Story:
    """Open a table, let people sit down one after the other, and play until now."""
    yield plan.at
    host, *guests = plan.people
    match = matchmaking.open_table(host, plan.wish)
    if plan.wish.seats == 1:
        match = matchmaking.start(match.pk, host, _nonce())
    else:
        matchmaking.add_nonce(match.pk, host, _nonce())
    for guest in guests:
        # A table that was opened today fills up quickly.
        longest = 60 if plan.wish.speed == Speed.DAYS and now - plan.at > timedelta(days=1) else 3
        minutes, seconds = chooser.pick(range(1, longest + 1)), chooser.pick(range(60))
        yield timezone.now() + timedelta(minutes=minutes, seconds=seconds)
        if have_played_enough(plan.people):
            make_casual(match.pk, host)
        match = matchmaking.join(match.pk, guest, _nonce())
    if match.is_running:
        yield from _play(plan, match, chooser, now)


def _nonce() -> bytes:
    return secrets.token_bytes(16)


def _play(plan: Plan, match: Match, chooser: Chooser, now: datetime) -> Story:
    viewed = ViewedMatch(match, tuple(match.seats.select_related("user").order_by("number")), None)
    while viewed.match.is_running:
        seat = chooser.pick([seat for seat in viewed.seats if seat.to_move])
        if plan.end != End.PLAYED and _has_come(plan, viewed):
            yield from _end(plan, viewed, chooser)
            return
        moment = timezone.now() + _thinking(viewed, seat, chooser, plan.pace)
        if plan.waits_for is not None and plan.waits_for == seat.user and now - moment < _WAITED:
            return
        yield moment
        text = _choice(viewed.match, seat, chooser)
        version, client_id = viewed.match.version, secrets.token_hex(16)
        viewed = commands.submit(match.pk, seat.number, text, version, client_id, seen=viewed).viewed


def _has_come(plan: Plan, viewed: ViewedMatch) -> bool:
    """Return whether it is time for the planned end; all have acted before somebody is late."""
    if plan.end == End.NO_SHOW:
        return any(seat.acted for seat in viewed.seats)
    return viewed.match.length >= plan.actions and all(seat.acted for seat in viewed.seats)


def _thinking(viewed: ViewedMatch, seat: Seat, chooser: Chooser, pace: int) -> timedelta:
    """Return how long it takes until somebody acts: seconds within a turn, whatever the speed.

    If several are to move they think at the same time, and nobody takes so long that somebody else runs out of time.
    """
    now, waiting = timezone.now(), [other for other in viewed.seats if other.to_move]
    last = viewed.tail[0].seat if viewed.tail else None
    if viewed.match.speed == Speed.LIVE or last == seat.number:
        wait = timedelta(seconds=chooser.pick(_LIVE), milliseconds=chooser.pick(range(1000))) / len(waiting)
    else:
        wait = timedelta(minutes=pace * chooser.pick(_DAYS), seconds=chooser.pick(range(60))) / len(waiting)
        hour = (now + wait).astimezone(ZoneInfo(seat.user.time_zone if seat.user else "UTC")).hour
        if hour not in _WAKING:
            wait += timedelta(hours=(_WAKING.start - hour) % 24)
    return _in_time(viewed, wait)


def _in_time(viewed: ViewedMatch, wait: timedelta) -> timedelta:
    """Return this time, or less if somebody's clock would run out before."""
    now = timezone.now()
    return min([wait, *((seat.deadline - now) * _SHARE for seat in viewed.seats if seat.deadline)])


def _choice(match: Match, seat: Seat, chooser: Chooser) -> str:
    """Return what a person does: mostly what the policy says, sometimes anything legal."""
    care = next((person.care for person in PEOPLE if seat.user and person.name == seat.user.username), 100)
    considered = match.seat_count == 1 or chooser.pick(range(100)) < care  # alone nobody hurries
    policy = match.title.insight.policy if considered else any_action(match.rules)
    state, seed = positions.decode_state(match), secrets.token_bytes(32)
    return match.rules.notate(choose(match.rules, policy, state, SeatNumber(seat.number), seed))


def _end(plan: Plan, viewed: ViewedMatch, chooser: Chooser) -> Story:
    match = viewed.match
    if plan.end == End.RESIGNED:
        yield timezone.now() + _in_time(viewed, timedelta(seconds=chooser.pick(_LIVE)))
        scores: Sequence[int] = match.rules.standing(positions.decode_state(match))
        people = [other.number for other in viewed.seats if not other.is_bot]
        commands.resign(match.pk, min(people, key=scores.__getitem__), secrets.token_hex(16))
    elif plan.end == End.ABORTED:
        for offering in viewed.seats:
            yield timezone.now() + _in_time(viewed, timedelta(seconds=1))
            commands.offer_abort(match.pk, offering.number)
    else:
        late = min(other.deadline or timezone.now() for other in viewed.seats if other.to_move)
        yield late + timedelta(seconds=1)
        timekeeping.expire(match.pk)


_IN_THE_CLUB = ("Chiara", "Fiete", "Grace", "Ines")
_SAID = (
    ("Ann", "Welcome! Thursday at eight, as always?"),
    ("Grace", "I’ll be there. Small Islands again?"),
    ("Chiara", "With five of us, gladly."),
)


def meet(users: Sequence[User], now: datetime) -> Story:
    """Let some of them start a club, join it and write there; one more waits to be let in."""
    people = {user.username: user for user in users}
    yield now - timedelta(days=9)
    ann, text = people["Ann"], "We play every Thursday at eight, and over days in between. Beginners are welcome."
    club = clubs.found(ann, "Thursday players", text, Club.Joining.REQUEST)
    for name in _IN_THE_CLUB:
        yield timezone.now() + timedelta(minutes=25)
        clubs.ask(people[name], club.slug)
        clubs.accept(ann, club.slug, name)
    clubs.give_role(ann, club.slug, _IN_THE_CLUB[0], Member.Role.HELPER)
    for name, said in _SAID:
        yield timezone.now() + timedelta(hours=1)
        say(people[name], place_of_club(club, people[name]), text=said, client_id=secrets.token_hex(16))
    yield now - timedelta(hours=3)
    clubs.ask(people["Zoë"], club.slug)


# --- events -----------------------------------------------------------------------------------------------------------

_CLIMBERS, _ENTERING = 4, 5
"""How many people are on the ladder of each game, and enter its next league."""
_CONTESTANTS = ("Ann", "Chiara", "Fiete", "Grace")
_ROUND = timedelta(days=80)
"""In a round over days with this clock every match ends in time."""
_SLOW = "259200+86400/259200"


def climb(users: Sequence[User], chooser: Chooser, now: datetime) -> Story:
    """Let some people enter a ladder of each game when it opens, and play there until now."""
    monday = datetime.combine(now.date() - timedelta(days=now.weekday()), time(18), now.tzinfo)
    start = monday if now - monday > timedelta(days=4) else monday - timedelta(weeks=1)
    yield start - timedelta(days=4)
    with mock.patch.object(settings, "EVENTS", [row for row in settings.EVENTS if row["format"] == Format.LADDER]):
        Seasons().look(timezone.now())
    ladders = list(Event.objects.filter(season__isnull=False))
    entering = [(user, event.slug) for event in ladders for user in chooser.some(users, _CLIMBERS)]
    for user, slug in entering:
        yield timezone.now() + timedelta(minutes=chooser.pick(range(10, 200)))
        events.enter(user, slug)
    yield start - timedelta(hours=9)
    for user, slug in entering:
        events.confirm(user, slug)
    yield start
    yield from _compete(ladders, chooser, pace=3)


def look_forward(users: Sequence[User], chooser: Chooser, now: datetime) -> Story:
    """Let some people enter what starts soon: leagues and the live evening."""
    yield now - timedelta(hours=20)
    Seasons().look(timezone.now())
    for event in Event.objects.filter(season__isnull=False, state=Event.State.OPEN):
        for user in chooser.some(users, _ENTERING):
            yield timezone.now() + timedelta(minutes=chooser.pick(range(1, 40)))
            events.enter(user, event.slug)


def contest(users: Sequence[User], chooser: Chooser, now: datetime) -> Story:
    """Let members of the club play a Swiss in one evening to its end, and then another over days until now."""
    people = {user.username: user for user in users}
    yield now - timedelta(days=8)
    club, by = Club.objects.get(members__user=people["Ann"]), people["Ann"]
    how: dict[str, Any] = {"game": "shifting-stones", "format": Format.SWISS}
    evening, lately = (now - timedelta(days=7)).replace(hour=19, minute=0, second=0), now - timedelta(days=3)
    live: dict[str, Any] = {"rounds": 2, "length": timedelta(minutes=40), "clock": "600+10/1200"}
    over_days: dict[str, Any] = {"rounds": 5, "length": _ROUND, "clock": _SLOW, "speed": Speed.DAYS}
    for starts_at, more in ((evening, live), (lately, over_days)):
        yield starts_at - timedelta(hours=20)
        event = make_event(club, by, starts_at=starts_at, **how, **more)
        for name in _CONTESTANTS:
            yield timezone.now() + timedelta(minutes=chooser.pick(range(5, 60)))
            events.enter(people[name], event.slug)
        yield starts_at
        yield from _compete([event], chooser, pace=5)


def _compete(those: Sequence[Event], chooser: Chooser, pace: int) -> Story:
    """Let events go on, and play their matches, until they are over."""
    keys, begun = [event.pk for event in those], set[int]()
    playing: list[Step] = []
    while True:
        for key in list(rounds.due(timezone.now()).filter(pk__in=keys).values_list("pk", flat=True)):
            rounds.go_on(key)
            for match in _running(key).exclude(pk__in=begun):
                begun.add(match.pk)
                story = _play(_short(match, chooser, pace), match, chooser, timezone.now())
                heappush(playing, (next(story), match.pk, story))
        due = Event.objects.filter(pk__in=keys).aggregate(first=Min("next_at"))["first"]
        moments = [*([due] if due else []), *(step[0] for step in playing[:1])]
        if not moments:
            return
        yield max(min(moments), timezone.now())
        while playing and playing[0][0] <= timezone.now():
            _moment, key, story = heappop(playing)
            if (following := next(story, None)) is not None:
                heappush(playing, (following, key, story))


def _running(key: int) -> QuerySet[Match]:
    """Return the matches of an event that run, those included in which somebody plays a bot as nobody is free."""
    return Match.objects.filter(Q(heat__event=key) | Q(fills__event=key), status=Match.Status.RUNNING)


def _short(match: Match, chooser: Chooser, pace: int) -> Plan:
    """Return how a match of an event goes: somebody gives up early."""
    wish = TableSetup(match.game, match.seat_count)
    return Plan(timezone.now(), (), wish, End.RESIGNED, chooser.pick(EARLY), pace=pace)


@contextmanager
def travelling_to(moment: datetime) -> Iterator[None]:
    """Let `timezone.now` return this moment in the whole process, which therefore must not serve anybody."""

    class Then(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # no need of its own class
            return moment.astimezone(tz)

    with mock.patch.object(timezone, "datetime", Then):
        yield


UNREAD = 3
"""How many of the newest notices people of the demo have not seen."""

_IN_ONE_GO = 200
"""Steps in one transaction: with fewer it takes longer, with more it locks the database for too long."""

Step: TypeAlias = tuple[datetime, int, Story]


def happen(stories: Iterable[Story], now: datetime) -> None:
    """Continue stories in the order of time until the present."""
    queue: list[Step] = [(next(story), number, story) for number, story in enumerate(stories)]
    heapify(queue)
    while queue:
        with pubsub.asked_by(""), writing():
            for _step in range(_IN_ONE_GO):
                if not queue:
                    break
                moment, number, story = heappop(queue)
                if moment >= now:
                    continue
                with travelling_to(moment):
                    following = next(story, None)
                if following is not None:
                    heappush(queue, (following, number, story))


def tidy_notices(users: Sequence[User], now: datetime) -> None:
    """Delete notices about turns that are over, and mark all as seen but the newest, none as still to be sent."""
    awaited = Seat.objects.filter(match=OuterRef("match"), user=OuterRef("user"), turn=OuterRef("turn"), to_move=True)
    with writing():
        Notice.objects.filter(~Exists(awaited), kind__in=(Kind.TURN, Kind.DEADLINE), user__in=users).delete()
        for user in users:
            mine = Notice.objects.filter(user=user, created_at__lte=now)
            unread = list(mine.order_by("-created_at", "-pk").values_list("pk", flat=True)[:UNREAD])
            mine.exclude(pk__in=unread).update(seen_at=F("created_at"), due_at=None)


# --- the plan ---------------------------------------------------------------------------------------------------------

_EVENINGS = ((16, 10), (18, 30), (20, 15), (21, 40))
"""Hours and minutes (UTC) around which live matches begin."""
_SEATS = (2, 2, 2, 2, 3, 4, 2, 3, 2, 5)
"""Numbers of players to choose from."""
_LIVE_ENDS = (End.PLAYED, End.RESIGNED, End.PLAYED, End.PLAYED, End.LATE, *[End.PLAYED] * 4, End.RESIGNED, End.PLAYED)
_DAYS_ENDS = (*[End.PLAYED] * 4, End.RESIGNED)
_RARE = {4: End.ABORTED, 7: End.NO_SHOW}
"""How the live matches with these numbers end."""
EARLY, _LATER = range(4, 8), range(16, 44)
"""After how many actions a match ends early; those that are aborted or run out of time must not be over by then."""
_WAITED_FOR = 4
"""How many people have a match of each game in which it is their turn."""


class Planner:
    """Plans everything that happens on the demo site, from some weeks ago until now.

    Args:
        users: the people of the demo.
        now: the present; nothing happens later.
        chooser: the source of chance.
        days: how long ago the first match began.
    """

    def __init__(self, users: Sequence[User], now: datetime, chooser: Chooser, days: int) -> None:
        self._users, self._now, self._chooser, self._days = users, now, chooser, days
        self._often = [user for user, person in zip(users, PEOPLE, strict=True) for _time in range(person.often)]
        self._games = cycle(games().values())

    def plans(self) -> Iterator[Plan]:
        """Yield everything that happens, in no particular order."""
        yield from self._live()
        yield from self._alone()
        yield from self._over_days()
        yield from self._waiting()
        yield from self._tables()

    def _live(self) -> Iterator[Plan]:
        """Yield a few live matches each evening."""
        ends, number = cycle(_LIVE_ENDS), 0
        for day in range(self._days, 0, -1):
            for hour, minute in _EVENINGS[: self._chooser.pick((3, 4, 4))]:
                number += 1
                begin = self._now.replace(hour=hour, minute=minute, second=0) - timedelta(days=day)
                begin += timedelta(seconds=self._chooser.pick(range(2400)))
                end = _RARE.get(number, next(ends))
                yield self._plan(begin, self._game_for(2), Speed.LIVE, end, rated=number % 8 != 0)

    def _alone(self) -> Iterator[Plan]:
        for game in games().values():
            if 1 in game.seats:
                for user in self._chooser.some(self._users, 7):
                    ago = timedelta(minutes=self._chooser.pick(range(120, self._days * 1440)))
                    yield Plan(self._now - ago, (user,), TableSetup(game.slug, 1, self._options(game, 1)))

    def _over_days(self) -> Iterator[Plan]:
        ends = cycle(_DAYS_ENDS)
        for day in range(self._days, 2, -2):
            begin = self._now - timedelta(days=day, minutes=self._chooser.pick(range(900)))
            yield self._plan(begin, self._game_for(2), Speed.DAYS, next(ends), rated=day % 8 != 0)

    def _waiting(self) -> Iterator[Plan]:
        """Yield matches in which it is the turn of the first people, begun too recently to have run out of time."""
        for user in self._users[:_WAITED_FOR]:
            for game in games().values():
                if max(game.seats) > 1:
                    begin = self._now - timedelta(minutes=self._chooser.pick(range(30 * 60, 42 * 60)))
                    yield self._plan(begin, game, Speed.DAYS, user=user, seats=2)

    def _tables(self) -> Iterator[Plan]:
        """Yield tables with free seats: two of each game for everybody, one for invited people."""
        hosts = cycle(self._users[::-1])
        for game in games().values():
            most = max(game.seats)
            if most > 1:
                minutes = self._chooser.pick(range(2, 40))
                yield self._table(game, next(hosts), Speed.LIVE, minutes, min(2, most), [])
                yield self._table(game, next(hosts), Speed.DAYS, 25 * minutes, most, [next(hosts)][: most - 2])
        first = next(iter(games().values()))
        yield self._table(first, next(hosts), Speed.DAYS, 95, min(2, max(first.seats)), [], tuple(self._users[:2]))

    def _table(  # noqa: PLR0917  # what a table is, in the order in which it is said
        self,
        game: AnyGame,
        host: User,
        speed: Speed,
        minutes: int,
        seats: int,
        guests: list[User],
        invited: tuple[User, ...] = (),
    ) -> Plan:
        wish = TableSetup(
            game.slug,
            seats,
            self._options(game, seats),
            speed=speed,
            clock=self._chooser.pick(USUAL_CLOCKS[speed][:2]),
            rated=speed == Speed.LIVE,
            visibility=Match.Visibility.PRIVATE if invited else Match.Visibility.PUBLIC,
            invited=invited,
        )
        return Plan(self._now - timedelta(minutes=minutes), (host, *guests), wish)

    def _plan(
        self,
        begin: datetime,
        game: AnyGame,
        speed: Speed,
        end: End = End.PLAYED,
        *,
        rated: bool = True,
        user: User | None = None,
        seats: int = 0,
    ) -> Plan:
        """Return a match between people who play often; `user`, if given, is one of them."""
        if end != End.PLAYED:
            seats = 2  # with more the others would play on
        wanted = self._chooser.pick(_SEATS)
        seats = seats or (wanted if wanted in game.seats else max(2, min(game.seats)))
        clock = self._chooser.pick(USUAL_CLOCKS[speed][1:] if user else USUAL_CLOCKS[speed][:2])
        wish = TableSetup(game.slug, seats, self._options(game, seats), speed=speed, clock=clock, rated=rated)
        actions = self._chooser.pick(EARLY if end in {End.ABORTED, End.LATE} else _LATER)
        return Plan(begin, self._people(seats, user), wish, end, actions, waits_for=user)

    def _game_for(self, seats: int) -> AnyGame:
        return next(game for game in self._games if max(game.seats) >= seats)

    def _people(self, seats: int, user: User | None) -> tuple[User, ...]:
        order = self._chooser.some(self._often, len(self._often))
        people = dict.fromkeys([user, *order] if user else order)
        return tuple(self._chooser.some(list(people)[:seats], seats))

    def _options(self, game: AnyGame, seats: int) -> dict[str, OptionValue]:
        """Return the usual options, now and then others."""
        found = option_combinations(game, seats)
        return self._chooser.pick([found[0]] * 5 + [self._chooser.pick(found)])


DAYS = 35


class Command(BaseCommand):
    help = "Add people with some weeks of history, matches and events that are running, a club, and open tables."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=DAYS, help="of history, %(default)s by default")

    def handle(self, *_: Any, **options: Any) -> None:
        if timekeeping.is_watched(timezone.now()):  # a worker would end matches whose times lie in the past
            raise CommandError("The site is running. Stop it, and try again in half a minute.")
        names = [person.name for person in PEOPLE]
        if any(User.objects.named(name) for name in names):
            raise CommandError("The demo people are there already.")
        password = "".join(secrets.choice(string.ascii_lowercase) for _ in range(14))
        now, chooser = timezone.now(), Chooser(secrets.token_bytes(32))
        users = register(password, now)
        plans = Planner(users, now, chooser, options["days"]).plans()
        matches = (tell(plan, chooser, now) for plan in plans)
        meetings = (climb(users, chooser, now), look_forward(users, chooser, now), contest(users, chooser, now))
        happen([*matches, meet(users, now), *meetings], now)
        tidy_notices(users, now)
        self.stdout.write(f"People: {', '.join(names)}. Password of each: {password}")
