"""Bots for every title, and matches between them to find out how strong they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import import_module
from math import inf, log10, sqrt
from statistics import fmean
from time import thread_time
from typing import Any, Final, TypeAlias, cast

from games.engine import runner
from games.engine.bots import (
    COMPANION,
    GRANDMASTER,
    MASTER,
    NOVICE,
    Level,
    Search,
    SoFar,
    choose as choose_at,
    utilities,
)
from games.engine.chances import shares
from games.engine.contract.playouts import LONGEST_MATCH
from games.engine.dice import Dice, dice_from
from games.engine.fair import FairChance
from games.engine.insight import NoInsight
from games.engine.protocol import AnyGame, Chance, Options, OptionValue, Outcome, Seat
from games.titles.registry import games, title_of

Bot: TypeAlias = Callable[[AnyGame, Any, Seat, Chance, float], Any]
"""Given a game, the view of a seat that is to move, this seat, chance of its own and seconds, return an action."""


@dataclass(frozen=True, slots=True)
class AtLevel:
    """A bot of a level: a `Bot` that is also told how far its turn has come, for its slips."""

    level: Level

    def __call__(  # noqa: PLR0917  # a bot, and its turn
        self, game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float, turn: SoFar | None = None
    ) -> Any:
        """Return an action; without a turn, the first of one."""
        search = Search(game, title_of(game.slug).insight, view, seat, dice_from(chance))
        return choose_at(self.level, search, turn or SoFar(view, (), _seed_from(search.dice)), seconds)


def _seed_from(dice: Dice) -> bytes:
    return bytes(dice.many_below("turn", 256, 32))


novice, companion, master, grandmaster = map(AtLevel, (NOVICE, COMPANION, MASTER, GRANDMASTER))
tenfold = AtLevel(replace(GRANDMASTER, name="tenfold", effort=10.0))
"""Grandmaster with more of its budget, to measure what that would bring."""


def greedy(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
    """Take the action after which one's own standing is best at once, in a world that fits the view."""
    dice = dice_from(chance)
    state = game.imagine(view, dice)
    actions = dice.shuffle("greedy", list(game.legal_actions(state, seat)))
    return max(actions, key=lambda action: game.standing(game.apply(state, seat, action, dice).state)[seat])


def sensible(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
    """Do what the game's policy does in a world that fits the view."""
    dice = dice_from(chance)
    return title_of(game.slug).insight.policy(game.imagine(view, dice), seat, dice)


_SAMPLED, _PLAYED_ON = 60, 40


def flat(game: AnyGame, view: Any, seat: Seat, chance: Chance, seconds: float) -> Any:
    """Try actions in turn while there is time, playing on at random each time in a world that fits the view.

    Time is processor time, so that other programs take none of it. Take the action with the best average result: Monte
    Carlo without a tree, and without any insight. Of very many actions only some are tried, and play is cut off after
    some more actions and judged by the scores then.
    """
    dice, end = dice_from(chance), thread_time() + seconds
    legal = list(game.legal_actions(game.imagine(view, dice), seat))
    actions = dice.shuffle("flat", legal)[:_SAMPLED] if len(legal) > 1 else legal
    total, tries = [0.0] * len(actions), 0
    while len(actions) > 1 and thread_time() < end:
        tried = tries % len(actions)
        total[tried] += _luck(game, game.imagine(view, dice), seat, actions[tried], dice)
        tries += 1
    means = [each / max(1, (tries - number - 1) // len(actions) + 1) for number, each in enumerate(total)]
    return actions[means.index(max(means))]


def _luck(game: AnyGame, state: Any, seat: Seat, action: Any, dice: Dice) -> float:
    """Return how a seat stands after an action and some more that are random."""
    usual = NoInsight(game)
    state = game.apply(state, seat, action, dice).state
    for _ in range(_PLAYED_ON):
        movers = sorted(game.to_move(state))
        if not movers:
            break
        state = game.apply(state, movers[0], usual.policy(state, movers[0], dice), dice).state
    outcome = game.outcome(state)
    return usual.evaluate(state, seat) if outcome is None else utilities(outcome.places)[seat]


_CONFIDENCE: Final = 1.96
"""Standard deviations on both sides that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played.

    Args:
        bots: by seat, by name.
        seed: it is played with, 32 bytes.
        seconds: for bots that think as long as they may; levels imagine a fixed number of futures.
    """

    game: str
    options: Options
    bots: tuple[str, ...]
    seed: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class Played:
    """How a match between bots ended, and the seconds of a processor that each seat spent on its decisions."""

    bots: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    seed: str
    thought: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Strength:
    """How a bot did against the others. Where it has several seats, the mean of these counts once for each match.

    Args:
        matches: how many it played.
        share: of its opponents that it left behind, a tie counting half: with two seats its share of wins.
        margin: the 95 % interval of `share` reaches so far on both sides.
        place: its mean place.
        place_margin: the 95 % interval of `place` reaches so far on both sides.
        firsts: how often one seat of it ended first, as a share of the matches; a shared first place is shared.
        firsts_margin: the 95 % interval of `firsts` reaches so far on both sides.
        elo: the difference in rating that such a share stands for, with the bounds of the interval.
        seconds: of a processor for a decision, on average.
        most_seconds: the 95th percentile of them.
    """

    matches: int
    share: float
    margin: float
    place: float
    place_margin: float
    firsts: float
    firsts_margin: float
    elo: tuple[float, float, float]
    seconds: float
    most_seconds: float


def bot_named(name: str) -> Bot:
    """Return a bot of this module, or the function "module:function".

    Raises:
        LookupError: there is no such bot.
    """
    module, found, function = name.rpartition(":")
    try:
        return cast("Bot", getattr(import_module(module if found else __name__), function))
    except (ImportError, AttributeError) as error:
        raise LookupError(f"There is no bot “{name}”.") from error


def pairings(
    game: str, options: dict[str, OptionValue], names: Sequence[str], matches: int, seconds: float
) -> list[Pairing]:
    """Return matches in which the bots change seats after each; as many as there are seats share a seed."""
    seats = len(names)
    return [
        Pairing(
            game,
            options,
            (*names[number % seats :], *names[: number % seats]),
            sha256(b"arena %d" % (number // seats)).digest(),
            seconds,
        )
        for number in range(matches)
    ]


def play_match(pairing: Pairing) -> Played:
    """Play a match between bots."""
    thought: list[list[float]] = [[] for _ in pairing.bots]
    for play, seconds in playing(pairing):  # the last one says how the match ended
        if play.seat is not None:
            thought[play.seat].append(seconds)
    outcome = cast("Outcome", play.outcome)
    return Played(pairing.bots, outcome.places, outcome.scores, pairing.seed.hex(), tuple(map(tuple, thought)))


def playing(pairing: Pairing) -> Iterator[tuple[runner.Play[Any], float]]:
    """Yield every position of a match between bots, and the seconds of a processor that led to it.

    Each bot has a source of chance of its own, that of the match aside.
    """
    game: AnyGame = games()[pairing.game]
    turns: dict[Seat, SoFar] = {}
    reached: runner.Play[Any] = runner.begin(game, len(pairing.bots), pairing.options, pairing.seed)
    yield reached, 0.0
    while reached.outcome is None and reached.number < LONGEST_MATCH:
        seat = min(reached.to_move)
        name, view = pairing.bots[seat], game.view_for(reached.state, seat)
        turn = turns.setdefault(seat, SoFar(view, (), _own_seed(b"turn", seat, reached.number, pairing.seed)))
        chance = FairChance(_own_seed(b"bot", seat, reached.number, pairing.seed), 0)
        began = thread_time()
        action = _action(name, (game, view, seat, chance), turn, pairing.seconds)
        seconds = thread_time() - began
        reached = runner.act(game, reached.position, seat, action, pairing.seed)
        yield reached, seconds
        turns[seat] = replace(turn, done=(*turn.done, action))
        turns = {mover: begun for mover, begun in turns.items() if mover in reached.to_move and not reached.sealed}
    if reached.outcome is None:
        raise runner.BrokenRulesError(f"{pairing.bots} still play after {LONGEST_MATCH} actions.")


def _own_seed(purpose: bytes, seat: Seat, number: int, seed: bytes) -> bytes:
    return sha256(b"%s %d %d" % (purpose, seat, number) + seed).digest()


def _action(name: str, asked: tuple[AnyGame, Any, Seat, Chance], turn: SoFar, seconds: float) -> Any:
    """Return what a bot does; those of levels may think as long as they like, as they count futures."""
    bot = bot_named(name)
    return bot(*asked, inf, turn) if isinstance(bot, AtLevel) else bot(*asked, seconds)


def strengths(played: Sequence[Played]) -> dict[str, Strength]:
    """Return how each bot did, by name."""
    found: dict[str, Strength] = {}
    for name in dict.fromkeys(name for match in played for name in match.bots):
        own = [(match, [seat for seat, bot in enumerate(match.bots) if bot == name]) for match in played]
        own = [(match, seats) for match, seats in own if seats]
        share, margin = _mean([fmean(utilities(match.places)[seat] for seat in seats) for match, seats in own])
        place, place_margin = _mean([fmean(match.places[seat] for seat in seats) for match, seats in own])
        firsts, firsts_margin = _mean([fmean(shares(match.places)[seat] for seat in seats) for match, seats in own])
        thought = sorted(second for match, seats in own for seat in seats for second in match.thought[seat]) or [0.0]
        found[name] = Strength(
            matches=len(own),
            share=share,
            margin=margin,
            place=place,
            place_margin=place_margin,
            firsts=firsts,
            firsts_margin=firsts_margin,
            elo=(_elo(share), _elo(share - margin), _elo(share + margin)),
            seconds=sum(thought) / len(thought),
            most_seconds=thought[int(0.95 * len(thought))],
        )
    return found


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return a mean, and how far its interval reaches on both sides."""
    mean = sum(values) / len(values)
    variance = sum((each - mean) ** 2 for each in values) / max(1, len(values) - 1)
    return mean, _CONFIDENCE * sqrt(variance / len(values))


def _elo(share: float) -> float:
    """Return the difference in rating at which this share is expected."""
    if share <= 0:
        return -inf
    return inf if share >= 1 else 400 * log10(share / (1 - share))
