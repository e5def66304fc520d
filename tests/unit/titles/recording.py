"""Shared by the recordings of all titles: turning a played match into a record, and replaying a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from games.engine import record, runner
from games.engine.fair import SALT_BYTES, commitment, final_seed, seal
from games.engine.protocol import AnyGame, Options, Seat
from games.engine.record import FORMAT, ActionEntry, OutcomeEntry, Record, SeatEntry

NAMES = ("ann", "bob", "cleo", "dan", "eve")

AnyPlays = Sequence[runner.Play[Any]]


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
