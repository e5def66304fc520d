"""`manage.py simulate`: play random legal matches without a database and write them as records."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from games.engine import fair
from games.engine.contract.playouts import Chooser, Match, random_match
from games.engine.fair import SALT_BYTES, seal
from games.engine.protocol import AnyGame, OptionValue
from games.engine.record import FORMAT, ActionEntry, OutcomeEntry, Record, SeatEntry, write
from games.play.management import chosen_options, game_named, save

_START = datetime(1970, 1, 1, tzinfo=UTC)


class Command(BaseCommand):
    """Equal arguments, with a seed, give equal files: their times are one second apart, starting in 1970."""

    help = "Play random legal matches without a database and write them as records (tessera-record-1)."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the slug of a game, e.g. shifting-stones")
        parser.add_argument("--seats", type=int, required=True, help="how many play")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
        parser.add_argument("--seed", metavar="HEX", help="the server seed of the first match, 64 hex digits")
        parser.add_argument("--out", type=Path, metavar="FILE", help="else the records are printed")
        parser.add_argument("--matches", type=int, default=1, help="with --out, FILE-1, FILE-2 and so on are written")

    def handle(self, **arguments: Any) -> None:
        game = game_named(arguments["game"])
        options = chosen_options(game, arguments["seats"], arguments["option"])
        server_seed, matches = _seed(arguments["seed"]), arguments["matches"]
        if matches < 1:
            raise CommandError("At least one match is played.")
        for path in _paths(arguments["out"], matches):
            text = write(_play(game, arguments["seats"], options, server_seed))
            if path is None:
                self.stdout.write(text, ending="")
            else:
                save(path, text)
                self.stdout.write(str(path))
            server_seed = sha256(server_seed).digest()


def _seed(text: str | None) -> bytes:
    if text is None:
        return secrets.token_bytes(fair.SERVER_SEED_BYTES)
    try:
        seed = bytes.fromhex(text)
    except ValueError as error:
        raise CommandError("The seed is not written in hex digits.") from error
    if len(seed) != fair.SERVER_SEED_BYTES:
        raise CommandError(f"The seed has {2 * fair.SERVER_SEED_BYTES} hex digits.")
    return seed


def _paths(out: Path | None, matches: int) -> list[Path | None]:
    if out is None or matches == 1:
        return [out] * matches
    return [out.with_name(f"{out.stem}-{number}{out.suffix}") for number in range(1, matches + 1)]


def _play(game: AnyGame, seats: int, options: dict[str, OptionValue], server_seed: bytes) -> Record:
    seed = fair.final_seed(server_seed, [b""] * seats)
    match = random_match(game, seats, options, seed, Chooser(seed))
    outcome = match.plays[-1].outcome
    return Record(
        format=FORMAT,
        game=game.slug,
        rules_version=game.version,
        options=options,
        seats=tuple(SeatEntry(f"random {seat + 1}") for seat in range(seats)),
        speed="live",
        rated=False,
        commit=fair.commitment(server_seed),
        server_seed=server_seed.hex(),
        nonces=("",) * seats,
        actions=tuple(_actions(match, server_seed)),
        outcome=None if outcome is None else OutcomeEntry.of(outcome),
    )


def _actions(match: Match, server_seed: bytes) -> Iterable[ActionEntry]:
    commit = fair.commitment(server_seed)
    for before, play in pairwise(match.plays):
        at = (_START + timedelta(seconds=play.number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        entry = ActionEntry(play.number, play.seat or 0, play.text, at)
        if play.sealed:
            # Without secrets a salt may be predictable, so that equal arguments give equal files.
            salt = sha256(b"tessera-simulate-salt\0%d\0" % play.number + server_seed).digest()[:SALT_BYTES]
            sealed = seal(commit, before.position.turn, entry.seat, entry.text, salt)
            entry = msgspec.structs.replace(entry, seal=sealed, salt=salt.hex())
        yield entry
