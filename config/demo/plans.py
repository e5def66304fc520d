"""Plans everything that happens on the demo site, from some weeks ago until now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import cycle

from accounts.models import User
from config.demo.stories import PEOPLE, End, Plan
from games.engine.contract.playouts import Chooser, option_combinations
from games.engine.protocol import AnyGame, OptionValue
from games.matchmaking.tables import USUAL_CLOCKS, TableSetup
from games.play.models import Match, Speed
from games.titles import games

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
    """Makes up plans.

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
