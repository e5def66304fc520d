"""`manage.py arena`: let bots play each other, to find out how strong they are."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.play.management import check_bot, chosen_options, game_named, save
from games.titles.bots import Played, Strength, pairings, play_match, strengths

_BAR = 40


class Command(BaseCommand):
    """Bots change seats after each match, and play the same deal once from every seat."""

    help = "Let bots play each other and print how strong they are."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the slug of a game, e.g. shifting-stones")
        parser.add_argument("--seats", type=int, required=True, help="how many play")
        parser.add_argument(
            "--bots",
            nargs="+",
            required=True,
            metavar="BOT",
            help="of games.titles.bots, e.g. master or greedy, or module:function; the first takes the seats left",
        )
        parser.add_argument("--matches", type=int, required=True, help="how many matches are played")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
        parser.add_argument(
            "--seconds",
            type=float,
            default=2.0,
            help="for each decision of bots other than the levels, whose budgets are futures; 2 unless given",
        )
        parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many matches at a time")
        parser.add_argument("--out", type=Path, metavar="FILE", help="write everything, every match too, as JSON")

    def handle(self, **arguments: Any) -> None:
        game, seats = game_named(arguments["game"]), arguments["seats"]
        options = chosen_options(game, seats, arguments["option"])
        names = _names(arguments["bots"], seats)
        played = self._played(
            pairings(game.slug, options, names, arguments["matches"], arguments["seconds"]), arguments["processes"]
        )
        found = strengths(played)
        for name, strength in found.items():
            self.stdout.write(_told(name, strength))
        if arguments["out"]:
            settings = {"game": game.slug, "options": options, "seconds": arguments["seconds"]}
            save(arguments["out"], _as_json(settings, played, found))

    def _played(self, matches: Sequence[Any], processes: int) -> list[Played]:
        played = []
        with ProcessPoolExecutor(processes) as pool:
            for number, match in enumerate(pool.map(play_match, matches), start=1):
                played.append(match)
                filled = _BAR * number // len(matches)
                self.stderr.write(f"\r{'█' * filled}{'░' * (_BAR - filled)} {number}/{len(matches)}", ending="")
        self.stderr.write("")
        return played


def _names(given: Sequence[str], seats: int) -> list[str]:
    if len(given) > seats:
        raise CommandError(f"There are {seats} seats for {len(given)} bots.")
    for name in given:
        check_bot(name)
    return [*given, *[given[0]] * (seats - len(given))]


def _told(name: str, strength: Strength) -> str:
    elo, low, high = strength.elo
    place = f"{strength.place:.2f} ± {strength.place_margin:.2f}"
    firsts = f"{strength.firsts:.1%} ± {strength.firsts_margin:.1%}"
    return (
        f"{name}: {strength.share:.1%} ± {strength.margin:.1%} in {strength.matches} matches, mean place"
        f" {place}, first {firsts}, Elo {elo:+.0f} ({low:+.0f} to {high:+.0f}), {strength.seconds:.2f} s a decision,"
        f" {strength.most_seconds:.2f} s at the 95th percentile"
    )


def _finite(value: Any) -> Any:
    """Return a value of a table without what JSON cannot say: the rating of who wins always or never is null."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _as_json(settings: dict[str, Any], played: Sequence[Played], found: dict[str, Strength]) -> str:
    """Return everything as JSON with a line for each of its parts, and for each match."""
    table = {**settings, "bots": {name: asdict(strength) for name, strength in found.items()}}
    parts = [f"{json.dumps(name)}: {json.dumps(_finite(part))}" for name, part in table.items()]
    matches = ({"bots": it.bots, "places": it.places, "scores": it.scores, "seed": it.seed} for it in played)
    lines = ",\n".join(json.dumps(match, separators=(",", ":")) for match in matches)
    return "{" + ",\n".join((*parts, f'"matches": [\n{lines}\n]')) + "}\n"
