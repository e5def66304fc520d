"""Matches that are played for tests and kept as records, one for each way in which a match can end.

    python -m tests.unit.titles.recording [card_chess] [shifting_stones] [small_islands]

plays those of a game again, when a change of its rules alters matches. For each recording matches are played, by
players who steer towards it, until one has what is wanted; `recordings` in the folder of a game says what that is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from itertools import count, pairwise
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from games.engine import record, runner
from games.engine.fair import SALT_BYTES, commitment, final_seed, seal
from games.engine.protocol import AnyGame, Options, OptionValue, Seat
from games.engine.record import FORMAT, ActionEntry, OutcomeEntry, Record, SeatEntry

NAMES = ("ann", "bob", "cleo", "dan", "eve")
NONCES = (b"ann", b"", b"cleo", b"dan", b"eve")
"""What the browser of each seat adds to the chance of a match; one adds nothing."""

AnyPlays = Sequence[runner.Play[Any]]
Leaves: TypeAlias = Sequence[tuple[int, int, str]]
"""The number of actions after which a seat leaves, the seat, and how: "resign" or "timeout"."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A recording to be made.

    Args:
        name: of the file.
        choosers: one per seat.
        shows: whether a match is what is wanted.
        options: those that differ from the default.
        leaves: who leaves, and when.
    """

    name: str
    choosers: Sequence[Any]
    shows: Callable[[Any], bool]
    options: dict[str, OptionValue] = field(default_factory=dict)
    leaves: Leaves = ()


def reason_of(plays: AnyPlays) -> str | None:
    """Return why a match ended."""
    outcome = plays[-1].outcome
    return None if outcome is None else outcome.reason


def ended_with(reason: str) -> Callable[[AnyPlays], bool]:
    """Return whether the match ended for this reason."""
    return lambda plays: reason_of(plays) == reason


# --- playing --------------------------------------------------------------------------------------------------------


def server_seed(name: str) -> bytes:
    """Return the seed of a match that a test calls by this name."""
    return sha256(name.encode()).digest()


def seed_of(name: str, seats: int) -> bytes:
    """Return the final seed of a match that a test calls by this name."""
    return final_seed(server_seed(name), NONCES[:seats])


def played(  # noqa: PLR0917  # all that decides a match
    game: AnyGame,
    name: str,
    seats: int,
    choose: Callable[[Any, Seat], Any],
    options: Options | None = None,
    leaves: Leaves = (),
) -> list[runner.Play[Any]]:
    """Play a whole match and return its positions, the start first.

    Args:
        game: what is played.
        name: decides all chance, see `server_seed`; the players add `NONCES`.
        seats: how many play.
        choose: given a state and the lowest seat that is to move, returns its action.
        options: those that differ from the default.
        leaves: who leaves, and when.
    """
    seed, due = seed_of(name, seats), list(leaves)
    plays: list[runner.Play[Any]] = [runner.begin(game, seats, options or {}, seed)]
    while plays[-1].outcome is None:
        now = plays[-1]
        if due and now.number >= due[0][0]:
            _, seat, text = due.pop(0)
            plays.append(runner.leave(game, now.position, Seat(seat), text))
        else:
            seat = min(now.to_move)
            plays.append(runner.act(game, now.position, Seat(seat), choose(now.state, Seat(seat)), seed))
    return plays


# --- recording ------------------------------------------------------------------------------------------------------


def recorded(game: AnyGame, wanted: Wanted, play: Callable[..., AnyPlays]) -> Record:
    """Play until a match shows what is wanted and return it.

    Args:
        game: what is played.
        wanted: the recording.
        play: plays a match, given its name, the choosers, the options and who leaves.
    """
    for attempt in count():
        name = f"{wanted.name} {attempt}"
        plays = play(name, wanted.choosers, wanted.options, wanted.leaves)
        if wanted.shows(plays):
            return record_of(game, plays, server_seed(name), NONCES, wanted.options)
    raise AssertionError


def record_of(game: AnyGame, plays: AnyPlays, server: bytes, nonces: Sequence[bytes], options: Options) -> Record:
    """Return the record of a match that has ended, one action a second.

    Args:
        game: what was played.
        plays: all of it, the beginning first.
        server: the server's seed.
        nonces: of the players, and perhaps of more.
        options: as chosen.
    """
    outcome = plays[-1].outcome
    assert outcome is not None
    seats = len(outcome.places)
    return Record(
        format=FORMAT,
        game=game.slug,
        rules_version=game.version,
        options={**options},
        seats=tuple(SeatEntry(person) for person in NAMES[:seats]),
        speed="live",
        rated=False,
        commit=commitment(server),
        server_seed=server.hex(),
        nonces=tuple(nonce.hex() for nonce in nonces[:seats]),
        actions=tuple(_entries(plays, commitment(server))),
        outcome=OutcomeEntry.of(outcome),
    )


def _entries(plays: AnyPlays, commit: str) -> Iterator[ActionEntry]:
    for before, play in pairwise(plays):
        assert play.seat is not None
        at = f"2026-11-20T{10 + play.number // 3600:02}:{play.number // 60 % 60:02}:{play.number % 60:02}Z"
        by_bot = play.seat in before.position.leavers
        entry = ActionEntry(play.number, play.seat, play.text, at, by="bot" if by_bot else None)
        yield _sealed(entry, before.position.turn, commit) if play.sealed else entry


def _sealed(entry: ActionEntry, turn: int, commit: str) -> ActionEntry:
    """Return a secret action with its seal; the salt follows from its number, so that recordings can be repeated."""
    salt = entry.n.to_bytes(SALT_BYTES, "big")
    sealed = seal(commit, turn, entry.seat, entry.text, salt)
    return msgspec.structs.replace(entry, seal=sealed, salt=salt.hex())


def replay(game: AnyGame, path: Path) -> list[runner.Play[Any]]:
    """Replay a recording under today's rules."""
    match = record.read(path.read_text(encoding="utf-8"))
    assert match.server_seed is not None
    seed = final_seed(bytes.fromhex(match.server_seed), [bytes.fromhex(nonce) for nonce in match.nonces])
    actions = [(Seat(action.seat), action.text) for action in match.actions]
    return list(runner.replay(game, len(match.seats), match.options, seed, actions))


def main(folders: Sequence[str]) -> None:
    for folder in folders:
        found = import_module(f"tests.unit.titles.{folder}.recordings")
        for wanted in found.WANTED:
            text = record.write(recorded(found.GAME, wanted, found.play_match))
            (found.FOLDER / f"{wanted.name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or ["card_chess", "shifting_stones", "small_islands"])
