"""The cards: missions, rewards, and the objectives that print one of each.

Missions and rewards are numbered from 1 in the order of the data file. In normal mode an objective card is a number
from 1 to 12; in advanced mode a mission (1 to 12) and a reward (1 to 12) are chosen apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.titles.small_islands.tiles import COMPONENTS, RESOURCES, Symbols

DISCOVERY = "discovery"

MISSIONS: Mapping[int, Mapping[str, Any]] = dict(enumerate(COMPONENTS["missions"], start=1))
"""Every mission by number, as the data file has it."""

REWARDS: Mapping[int, Mapping[str, Any]] = dict(enumerate(COMPONENTS["rewards"], start=1))
"""Every reward by number, as the data file has it."""

DISCOVERY_TOKENS: tuple[int, ...] = tuple(sorted(COMPONENTS["discovery_tokens"]))
"""The values of the discovery tokens, ascending."""


class Objective(NamedTuple):
    """What a seat plays for in a round: the numbers of a mission and of a reward."""

    mission: int
    reward: int


def _number(cards: Mapping[int, Mapping[str, Any]], name: str) -> int:
    return next(number for number, card in cards.items() if card["id"] == name)


OBJECTIVES: Mapping[int, Objective] = {
    card: Objective(_number(MISSIONS, mission), _number(REWARDS, reward))
    for card, (mission, reward) in enumerate(COMPONENTS["objectives"], start=1)
}
"""The mission and the reward of each objective card."""

_NORMAL = {"objectives": tuple(OBJECTIVES)}
_ADVANCED = {
    "missions": tuple(number for number, mission in MISSIONS.items() if not mission.get("normal_only")),
    "rewards": tuple(REWARDS),
}


def decks(advanced: bool) -> Mapping[str, tuple[int, ...]]:
    """Return the stacks of cards of a mode: their names, which label chance, and their cards, ascending."""
    return _ADVANCED if advanced else _NORMAL


def objective_of(cards: Sequence[int]) -> Objective:
    """Return what the chosen cards say: one objective card, or a mission and a reward."""
    return OBJECTIVES[cards[0]] if len(cards) == 1 else Objective(*cards)


def fulfils(mission: int, symbols: Symbols) -> bool:
    """Return whether an island with these symbols fulfils a mission.

    >>> fulfils(1, Symbols(flower=1)), fulfils(13, Symbols(flower=1, fruit=2))
    (True, False)
    """
    card = MISSIONS[mission]
    match card["kind"]:
        case "more":
            return symbols.of(card["more"]) > symbols.of(card["less"])
        case "at_least":
            return all(symbols.of(name) >= least for name, least in card["needs"].items())
        case "equal_named":
            return _equals_another(card["resource"], symbols)
        case _:
            return any(_equals_another(name, symbols) for name in RESOURCES)


def _equals_another(resource: str, symbols: Symbols) -> bool:
    count = symbols.of(resource)
    return count > 0 and symbols.resources.count(count) > 1


def points(reward: int, size: int, symbols: Symbols) -> int:
    """Return the points a reward gives for an island of this size with these symbols; 0 for `discovery`.

    >>> points(8, 3, Symbols(flower=2, fruit=1)), points(10, 7, Symbols())
    (4, 6)
    """
    card, present = REWARDS[reward], [count for count in symbols.resources if count]
    match card["kind"]:
        case "per_symbol":
            return int(sum(each * symbols.of(name) for name, each in card["each"].items()) + card["plus"])
        case "lowest_present":
            return int(card["each"] * min(present, default=0) + card["plus"])
        case "chosen":
            return int(card["each"] * max(present, default=0) + card["plus"])
        case "flat":
            return int(card["points"])
        case "size":
            return max((gain for tiles, gain in card["steps"] if size >= tiles), default=0)
        case _:
            return 0


def is_discovery(reward: int) -> bool:
    """Return whether a reward is paid in discovery tokens."""
    return bool(REWARDS[reward]["kind"] == DISCOVERY)
