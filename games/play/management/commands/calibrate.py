"""`manage.py calibrate`: whether the chances that reviews show come true, and the weights that make them."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from itertools import chain, cycle, islice, product
from math import inf
from statistics import fmean
from types import ModuleType
from typing import Any, Final, TypeAlias

from django.core.management.base import BaseCommand, CommandError

from games.engine.chances import Claim, Example, Weights, bands, brier, changes, fit, knowing_nothing, shares
from games.engine.insight import Insight
from games.engine.protocol import AnyGame, OptionValue, Outcome
from games.engine.runner import Play
from games.play.management import check_bot, chosen_options, game_named
from games.titles import titles
from games.titles.bots import Pairing, playing
from games.titles.registry import Title

Plays: TypeAlias = Sequence[Play[Any]]
"""A match that is over, from its start to its end."""

_EVERY: Final = 7
"""Of so many positions of a match one is learnt from: those next to each other say nearly the same."""


class Command(BaseCommand):
    """Matches that weights are fitted to and those that test them are dealt differently; both are always the same."""

    help = "Play matches between Masters, and print whether the chances said during them came true."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the slug of a game, e.g. shifting-stones")
        parser.add_argument("--seats", type=int, required=True, help="how many play")
        parser.add_argument("--matches", type=int, required=True, help="how many matches are played")
        parser.add_argument("--after", type=int, default=0, metavar="NUMBER", help="leave out so many before them")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
        parser.add_argument("--bot", default="master", help="of games.titles.bots, who plays; master unless given")
        parser.add_argument("--fit", action="store_true", help="print the weights for the title's module “insight”")
        parser.add_argument(
            "--tested", type=int, default=0, metavar="NUMBER", help="fit to so many of the first matches that test too"
        )

    def handle(self, **arguments: Any) -> None:
        game, seats = game_named(arguments["game"]), arguments["seats"]
        title = titles()[game.slug]
        check_bot(arguments["bot"])
        bots = (arguments["bot"],) * seats

        def played(purpose: bytes, first: int, end: int) -> Iterator[Plays]:
            for number, options in islice(enumerate(_options(game, seats, arguments["option"])), first, end):
                pairing = Pairing(game.slug, options, bots, sha256(b"%s %d" % (purpose, number)).digest(), inf)
                yield [play for play, _ in playing(pairing)]

        first, end = arguments["after"], arguments["after"] + arguments["matches"]
        if arguments["fit"]:
            matches = chain(played(b"fitting", first, end), played(b"calibration", 0, arguments["tested"]))
            self.stdout.write(_as_code(seats, fit(list(_examples(_model(title), matches)))))
        else:
            self.stdout.write("\n".join(_told(title.insight, list(played(b"calibration", first, end)))))


def _options(game: AnyGame, seats: int, chosen: Sequence[str]) -> Iterator[dict[str, OptionValue]]:
    """Yield the options of one match after another: what must be chosen and was not takes turns."""
    named = {text.partition("=")[0] for text in chosen}
    open_ = [
        option for option in game.options if option.required and option.exists_for(seats) and option.name not in named
    ]
    for values in cycle(product(*([value for value, _ in option.choices] for option in open_))):
        yield chosen_options(
            game, seats, [*chosen, *(f"{it.name}={value}" for it, value in zip(open_, values, strict=True))]
        )


def _model(title: Title) -> ModuleType:
    model = import_module(f"{title.package}.insight")
    if not hasattr(model, "features"):
        raise CommandError(f"{title.game.name} has no “features” in its module “insight”.")
    return model


def _examples(model: ModuleType, matches: Iterator[Plays]) -> Iterator[Example]:
    """Yield positions with what came of them: first places, unless the model says something else."""
    for number, plays in enumerate(matches):
        end = plays[-1]
        for play in plays[number % _EVERY : -1 : _EVERY]:
            result = model.result(play.state, end.state) if hasattr(model, "result") else _result(plays)
            yield Example(model.features(play.state), result)


def _result(plays: Plays) -> list[float]:
    outcome: Outcome | None = plays[-1].outcome
    return shares(outcome.places) if outcome else []


def _as_code(seats: int, weights: Weights) -> str:
    return f"{seats}: {{" + ", ".join(f'"{name}": {weight:.2f}' for name, weight in weights.items()) + "},"


def _told(insight: Insight, matches: Sequence[Plays]) -> Iterator[str]:
    """Yield the lines that say how well the chances in these matches came true."""
    said = [[*(insight.chances(play.state) for play in plays[:-1]), _result(plays)] for plays in matches]
    claims = [[Claim(each, told[-1]) for each in told[:-1]] for told in said]
    every = list(chain.from_iterable(claims))
    late = list(chain.from_iterable(each[len(each) // 2 :] for each in claims))
    for when, some in (("", every), (" after half the match", late)):
        nothing = brier(knowing_nothing(some))
        yield f"Brier score{when}: {brier(some):.3f} in {len(some)} positions; the same for all would be {nothing:.3f}"
    for band, (mean, happened, cases) in bands(every).items():
        yield f"{band}0 to {band + 1}0 %: said {mean:5.1%}, happened {happened:5.1%}, {cases} times"
    turns = [
        change
        for plays, told in zip(matches, said, strict=True)
        for change in changes(told, [play.seat for play in plays if play.seat is not None])
    ]
    yield f"Mean change over a turn of one’s own: {fmean(turns):+.3f} in {len(turns)} turns"
