"""What everybody is shown of a match played at random, without a database: every rendering after every action."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from games.engine import runner
from games.engine.codec import encode, encode_events
from games.engine.contract.playouts import Chooser, option_combinations
from games.engine.protocol import Seat as SeatNumber, Viewer
from games.play.access import ViewedMatch
from games.play.boards.fragments import match_page
from games.play.models import Action, Match, Seat
from games.titles import games
from games.titles.regions import Page

NAMES = ("Ann", "Bob", "Cleo", "Dai", "Eve")
BANK = timedelta(minutes=9)
BEGAN = datetime(2030, 1, 1, tzinfo=UTC)


def renderings(slug: str, seats: int, seed: bytes) -> Iterator[Mapping[Viewer, Page]]:
    """Yield what each viewer, None for a spectator, is shown at the start and after every action."""
    players = tuple(User(pk=number + 1, username=NAMES[number]) for number in range(seats))
    options = option_combinations(games()[slug], seats)[0]
    tail: tuple[Action, ...] = ()
    for play in _plays(slug, seats, options, seed):
        match = Match(
            pk=1,
            slug=f"{zlib.crc32(repr((slug, seats, seed)).encode()):010x}",
            game=slug,
            rules_version=games()[slug].version,
            options=options,
            seat_count=seats,
            clock="600+10/1200",
            status=Match.Status.RUNNING if play.outcome is None else Match.Status.OVER,
            version=play.number + 1,
            length=play.number,
            turn=play.position.turn,
            state=encode(play.state),
        )
        if play.seat is not None:
            tail = (_action(match, play), *tail)[:24]
        sitting = tuple(_seat(match, user, number, play) for number, user in enumerate(players))
        viewers: Sequence[Viewer] = (None, *map(SeatNumber, range(seats)))
        yield {viewer: match_page(ViewedMatch(match, sitting, viewer, tail)) for viewer in viewers}


def _plays(slug: str, seats: int, options: Mapping[str, Any], seed: bytes) -> Iterator[runner.Play[Any]]:
    game, free = games()[slug], Chooser(seed)
    play = runner.begin(game, seats, options, seed)
    yield play
    while play.outcome is None:
        seat = free.pick(sorted(play.to_move))
        action = free.pick(tuple(game.legal_actions(play.state, seat)))
        play = runner.act(game, play.position, seat, action, seed)
        yield play


def _action(match: Match, play: runner.Play[Any]) -> Action:
    return Action(
        match=match,
        number=play.number,
        seat=play.seat or 0,
        text=play.text,
        events=encode_events(play.events),
        reveals=play.reveals,
        seal="0123456789abcdef" * 4 if play.sealed else "",
    )


def _seat(match: Match, user: User, number: int, play: runner.Play[Any]) -> Seat:
    moves = number in play.to_move
    deadline = BEGAN + timedelta(seconds=20 * play.number) if moves else None
    place = play.outcome.places[number] if play.outcome else None
    return Seat(match=match, user=user, number=number, to_move=moves, bank=BANK, deadline=deadline, place=place)
