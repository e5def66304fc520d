"""Exact numbers about the grids: how many show a pattern, and how few actions make one.

Nothing is sampled. Counting takes every set of placements that fit together (inclusion and exclusion). The least
number of actions splits into flips and swaps, which are independent: given which tile goes to which cell of the
pattern, the flips are the tiles that show the wrong side, and the swaps are the shortest way to move those few tiles to
their cells (a search over at most 9 * 8 * 7 * 6 positions).
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain, combinations, product
from math import factorial, prod
from typing import TypeAlias

from games.titles.shifting_stones.rules.patterns import ADJACENT, CARDS, CELLS, TILE_SET, TILES, Placement

Cells: TypeAlias = tuple[int, ...]
Shape: TypeAlias = tuple[tuple[tuple[int, int, int], ...], ...]
"""Placements of a pattern; of each cell it asks for its index, the kind of tile and the side."""
Problem: TypeAlias = tuple[Shape, tuple[int, ...]]
"""A shape and how many tiles there are of each of its kinds."""
Ways: TypeAlias = dict[tuple[int, int], list[tuple[Cells, Mapping[Cells, int]]]]
"""Bits of the tiles taken and of the sides they must show, to the tiles in the order of the cells and their swaps."""

SYMMETRIES: tuple[Cells, ...] = tuple(
    tuple(3 * y + x for y, x in (((r, c) if not turn else (c, r)) for r in rows for c in columns))
    for turn in (False, True)
    for rows in ((0, 1, 2), (2, 1, 0))
    for columns in ((0, 1, 2), (2, 1, 0))
)
"""Where each cell goes when the grid is turned or mirrored."""

COPIES: Mapping[int, int] = Counter(TILE_SET)
KIND_AND_SIDE = {face: (kind, side) for kind, sides in TILES.items() for side, face in enumerate(sides)}


def all_grids() -> int:
    """Return the number of different grids."""
    return _grids_with({})


def grids_showing(card: int) -> int:
    """Return on how many grids the card's pattern lies."""
    placements = CARDS[card].placements
    groups = chain.from_iterable(combinations(placements, n) for n in range(1, len(placements) + 1))
    return sum((-1) ** (len(group) + 1) * _grids_with_all(group) for group in groups)


def _grids_with_all(group: Sequence[Placement]) -> int:
    union: dict[int, str] = {}
    for cell, face in chain.from_iterable(group):
        if union.setdefault(cell, face) != face:
            return 0
    return _grids_with(union)


def _grids_with(faces: Mapping[int, str]) -> int:
    """Return how many grids show these faces in these cells."""
    used = Counter(KIND_AND_SIDE[face][0] for face in faces.values())
    left = {kind: copies - used[kind] for kind, copies in COPIES.items()}
    if min(left.values()) < 0:
        return 0
    free = len(CELLS) - len(faces)
    orders = factorial(free) // prod(factorial(count) for count in left.values())
    return int(orders * 2**free)


def least_actions(card: int) -> Mapping[int, Fraction]:
    """Return how likely each number of shifts and flips is the least to make the card's pattern on a random grid."""
    wanted = [tuple((cell, *KIND_AND_SIDE[face]) for cell, face in placement) for placement in CARDS[card].placements]
    return _distribution(min(_seen_from(wanted, symmetry) for symmetry in SYMMETRIES))


def _seen_from(wanted: Sequence[Sequence[tuple[int, int, int]]], cells: Cells) -> Problem:
    """Return the problem with the grid turned or mirrored, and kinds and sides renumbered in order of appearance.

    Equivalent problems then look the same, and each is solved only once.
    """
    placements = sorted(sorted((cells[cell], kind, side) for cell, kind, side in placement) for placement in wanted)
    kinds = list(dict.fromkeys(kind for _, kind, _ in placements[0]))
    first_side = {kind: side for _, kind, side in reversed(placements[0])}
    shape = tuple(
        tuple((cell, kinds.index(kind), side ^ first_side[kind]) for cell, kind, side in placement)
        for placement in placements
    )
    return shape, tuple(COPIES[kind] for kind in kinds)


@cache
def _distribution(problem: Problem) -> Mapping[int, Fraction]:
    shape, copies = problem
    ways = _ways(shape, copies)
    costs = Counter(_costs(ways, cells) for cells in _arrangements(copies))
    total: Counter[int] = Counter()
    for swaps, count in costs.items():
        for actions, times in _over_all_sides(tuple(ways), swaps, sum(copies)).items():
            total[actions] += count * times
    everything = sum(total.values())
    return {actions: Fraction(times, everything) for actions, times in sorted(total.items())}


def _arrangements(copies: Sequence[int], free: Cells = tuple(range(9))) -> Iterator[Cells]:
    """Yield the cells of all tiles, kind by kind, in every way the kinds can lie."""
    if not copies:
        yield ()
        return
    for cells in combinations(free, copies[0]):
        rest = tuple(cell for cell in free if cell not in cells)
        yield from (cells + others for others in _arrangements(copies[1:], rest))


def _ways(shape: Shape, copies: Sequence[int]) -> Ways:
    """Return which tiles can make the pattern, with the sides they must show, and how: placement by placement."""
    last = list(accumulate(copies))
    tiles = [range(end - count, end) for end, count in zip(last, copies, strict=True)]
    ways: Ways = defaultdict(list)
    for placement in shape:
        swaps = _swaps(tuple(cell for cell, _, _ in placement))
        for chosen in product(*(tiles[kind] for _, kind, _ in placement)):
            if len(set(chosen)) == len(chosen):
                mask = sum(1 << tile for tile in chosen)
                sides = sum(side << tile for tile, (_, _, side) in zip(chosen, placement, strict=True))
                ways[mask, sides].append((chosen, swaps))
    return ways


def _costs(ways: Ways, cells: Cells) -> Cells:
    """Return the least number of swaps for each way, the tiles lying in these cells."""
    return tuple(
        min(swaps[tuple([cells[tile] for tile in chosen])] for chosen, swaps in options) for options in ways.values()
    )


@cache
def _over_all_sides(masks: tuple[tuple[int, int], ...], swaps: Cells, tiles: int) -> Mapping[int, int]:
    """Return, of all the sides the tiles can show, for how many each number of actions is the least."""
    cheapest = sorted(zip(swaps, masks, strict=True))
    return Counter(_least(cheapest, sides) for sides in range(1 << tiles))


def _least(cheapest: Sequence[tuple[int, tuple[int, int]]], sides: int) -> int:
    least = 99
    for swaps, (mask, wanted) in cheapest:
        if swaps >= least:
            break  # all others take more swaps
        least = min(least, swaps + ((sides ^ wanted) & mask).bit_count())
    return least


@cache
def _swaps(goal: Cells) -> Mapping[Cells, int]:
    """Return for every position of some tiles how many swaps take them to their goal."""
    found, waiting = {goal: 0}, deque([goal])
    while waiting:
        cells = waiting.popleft()
        for after in _swapped(cells):
            if after not in found:
                found[after] = found[cells] + 1
                waiting.append(after)
    return found


def _swapped(cells: Cells) -> Iterator[Cells]:
    for one, other in ADJACENT:
        if one in cells or other in cells:
            there = {one: other, other: one}
            yield tuple(there.get(cell, cell) for cell in cells)
