"""How likely each seat is to end first: a small model, how its weights are fitted, and whether it tells the truth.

The model is a multinomial (conditional) logistic regression: a seat scores the sum of its features times their weights,
and its chance is its part of the exponentials of all scores (softmax). Alone, a seat plays against a score of 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from math import exp
from statistics import fmean
from typing import Final, NamedTuple, TypeAlias

Features: TypeAlias = Sequence[Mapping[str, float]]
"""For each seat what is said of it, by name; every seat has the same names."""

Weights: TypeAlias = Mapping[str, float]


def softmax(scores: Sequence[float]) -> list[float]:
    """Return for each seat its chance, adding up to 1; alone, its chance against a score of 0.

    >>> softmax([0.0, 0.0])
    [0.5, 0.5]
    """
    rivals = scores if len(scores) > 1 else (*scores, 0.0)
    highest = max(rivals)
    whole = sum(exp(score - highest) for score in rivals)
    return [exp(score - highest) / whole for score in scores]


def chances(features: Features, weights: Weights) -> list[float]:
    """Return for each seat its chance by the model."""
    return softmax([sum(weight * seat[name] for name, weight in weights.items()) for seat in features])


def shares(places: Sequence[int]) -> list[float]:
    """Return for each seat its part of the first place; alone, 1 for a win.

    >>> shares((1, 3, 1))
    [0.5, 0.0, 0.5]
    """
    return [(place == 1) / max(1, places.count(1)) for place in places]


# --- fitting ----------------------------------------------------------------------------------------------------------


class Example(NamedTuple):
    """A position to learn from: its features, and what came of it for each seat, as `shares`."""

    features: Features
    result: Sequence[float]


_STEPS: Final = 8
"""Steps of Newton's method; the likelihood has a single maximum, and half as many come near enough."""


def fit(examples: Sequence[Example], caution: float = 1.0) -> dict[str, float]:
    """Return the weights under which what happened is likeliest.

    Newton's method on the logarithm of the likelihood (D. McFadden, "Conditional logit analysis of qualitative choice
    behavior", 1974), less `caution` / 2 times the squares of the weights, which keeps them small where the examples say
    little.
    """
    weights = dict.fromkeys(examples[0].features[0], 0.0)
    rivals = [_against_nobody(example) if len(example.result) == 1 else example for example in examples]
    for _ in range(_STEPS):
        slope, curve = _derivatives(rivals, weights, caution)
        weights = {name: weights[name] + step for name, step in zip(weights, _solved(curve, slope), strict=True)}
    return weights


def _against_nobody(example: Example) -> Example:
    [alone], [won] = example
    return Example([alone, dict.fromkeys(alone, 0.0)], [won, 1 - won])


def _derivatives(
    examples: Sequence[Example], weights: Weights, caution: float
) -> tuple[list[float], list[list[float]]]:
    """Return the first derivatives of what is to be largest, and the second ones with their signs changed."""
    slope = [-caution * weight for weight in weights.values()]
    curve = [[caution * (row == column) for column in range(len(slope))] for row in range(len(slope))]
    for features, result in examples:
        said = chances(features, weights)
        means = [sum(p * seat[name] for p, seat in zip(said, features, strict=True)) for name in weights]
        for p, happened, seat in zip(said, result, features, strict=True):
            apart = [seat[name] - mean for name, mean in zip(weights, means, strict=True)]
            slope = [so_far + (happened - p) * x for so_far, x in zip(slope, apart, strict=True)]
            curve = [
                [so_far + p * x * y for so_far, y in zip(row, apart, strict=True)]
                for row, x in zip(curve, apart, strict=True)
            ]
    return slope, curve


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return x of matrix · x = right by Gaussian elimination, for a matrix that is positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        for other in rows:
            if other is not pivot:
                factor = other[at] / pivot[at]
                other[at:] = [x - factor * y for x, y in zip(other[at:], pivot[at:], strict=True)]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


# --- calibration ------------------------------------------------------------------------------------------------------


class Claim(NamedTuple):
    """What was said of a position, a chance for each seat, and what came of it, as `shares`."""

    said: Sequence[float]
    result: Sequence[float]


class Band(NamedTuple):
    """The claims between two tenths: what was said and what happened on average, and how many there were."""

    said: float
    happened: float
    cases: int


_BANDS: Final = 10


def brier(claims: Iterable[Claim]) -> float:
    """Return the mean squared difference between what was said and what happened, over positions and seats.

    0 is perfect; one half always, between two seats, brings a quarter. See G. W. Brier, "Verification of forecasts
    expressed in terms of probability" (1950), here divided by the number of seats.
    """
    return fmean(fmean((p - x) ** 2 for p, x in zip(claim.said, claim.result, strict=True)) for claim in claims)


def knowing_nothing(claims: Iterable[Claim]) -> list[Claim]:
    """Return the claims of somebody who says the same of each seat, alone one half."""
    return [Claim([1 / max(2, len(result))] * len(result), result) for _, result in claims]


def bands(claims: Iterable[Claim]) -> dict[int, Band]:
    """Return what happened where about the same was said, from 0 (a chance below a tenth) to 9; empty bands left out.

    >>> bands([Claim((0.75, 0.25), (1.0, 0.0)), Claim((0.75, 0.25), (0.0, 1.0))])[7]
    Band(said=0.75, happened=0.5, cases=2)
    """
    found: dict[int, list[tuple[float, float]]] = {}
    for claim in claims:
        for said, happened in zip(claim.said, claim.result, strict=True):
            found.setdefault(min(int(said * _BANDS), _BANDS - 1), []).append((said, happened))
    return {
        band: Band(fmean(said for said, _ in pairs), fmean(happened for _, happened in pairs), len(pairs))
        for band, pairs in sorted(found.items())
    }


def changes(said: Sequence[Sequence[float]], seats: Sequence[int]) -> list[float]:
    """Return by how much each turn, the actions of one seat after each other, changed the chance of that seat.

    Args:
        said: the chances of all seats at the start and after each action.
        seats: who acted, action by action.

    >>> changes([(0.5, 0.5), (0.25, 0.75), (1.0, 0.0), (0.0, 1.0)], [0, 0, 1])
    [0.5, 1.0]
    """
    turns = [(seat, len(list(actions))) for seat, actions in groupby(seats)]
    ends = accumulate((length for _, length in turns), initial=0)
    found = zip(turns, pairwise(ends), strict=True)
    return [said[after][seat] - said[before][seat] for (seat, _), (before, after) in found]
