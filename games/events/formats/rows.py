"""Rounds at tables of three or more in which nearly everybody meets everybody once: constructed, not searched for.

People stand in as many rows as a table has seats, and each table takes one of every row. From round to round every row
moves on by a number of places of its own, chosen so that nobody meets the same people again; as many rounds later as
a row is long everybody has met those of all other rows. Then people of the same row meet, all rows alike: who of a row
sit together is found in the same way.

What does not come out even is mended: tables that are too large give people to those that are too small, and from when
rows play among themselves on, people who would meet again change places where that helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import itemgetter

from games.events.formats.sizes import sizes

Table = tuple[int, ...]
"""People of a round who sit together, by number."""

_STARTS = 8
"""How many ways to move rows are tried where no simple one will do."""
_SWEEPS = 10
"""How often the moves are gone through to make them better."""
_THIRD = 6
"""How much worse it is to meet for the third time than for the second."""


def rounds(people: int, want: int, least: int, count: int) -> list[list[Table]]:
    """Return so many rounds of people from 0 to `people` - 1.

    Args:
        people: how many there are; at least two.
        want: seats of a table; at least three.
        least: fewest seats of a table.
        count: of the rounds.

    Returns:
        for each round its tables, with the sizes that `sizes` says; who sits at none rests, nobody twice before all
        have once.
    """
    each = [size for size in sizes(people, want, least) if size > 1]
    seats, rested, met = sum(each), [0] * people, _Met(people)
    length, found = -(-seats // want), list[list[Table]]()
    for number, planned in enumerate(_in_rows(seats, want, count) if each else [[]] * count):
        tables = _fitted(_substituted(planned, range(seats, people), rested, met), each)
        if number >= length or length < 2 * want:
            _mend(tables, met)
        met.note(tables)
        found.append([tuple(table) for table in tables])
    return found


class _Met:
    """Who has met whom, once and more often, as bits: whether two have met again is asked a million times."""

    def __init__(self, people: int) -> None:
        self.once, self.again = [0] * people, [0] * people

    def load(self, person: int, there: int) -> int:
        """Return how bad it is that somebody meets those whose bits are set."""
        return (self.once[person] & there).bit_count() + _THIRD * (self.again[person] & there).bit_count()

    def note(self, tables: Iterable[Sequence[int]]) -> None:
        for table in tables:
            all_ = _bits(table)
            for person in table:
                others = all_ ^ 1 << person
                self.again[person] |= self.once[person] & others
                self.once[person] |= others


def _bits(people: Iterable[int]) -> int:
    return sum(1 << person for person in people)


# --- rows that move ---------------------------------------------------------------------------------------------------


def _in_rows(people: int, want: int, count: int) -> list[list[Table]]:
    """Return rounds of tables whose sizes need not come out: at the end of the last row there can be gaps."""
    length = -(-people // want)
    if length == 1:
        return [[tuple(range(people))]] * count
    places = [*range(people), *[None] * (-people % length)]
    rows = [places[start : start + length] for start in range(0, people, length)]
    found = [
        _without_gaps(zip(*(row[move:] + row[:move] for row, move in zip(rows, moves, strict=False)), strict=True))
        for moves in _moves(length, want)[:count]
    ]
    while len(found) < count:
        found += _within(rows, length, want, count - len(found))
    return found


def _without_gaps(tables: Iterable[tuple[int | None, ...]]) -> list[Table]:
    return [tuple(person for person in table if person is not None) for table in tables]


def _within(rows: Sequence[list[int | None]], length: int, want: int, count: int) -> list[list[Table]]:
    """Return rounds in which people of the same row meet; who is left over in each row meets the same of others."""
    found, least = [], length if length < want else want - (length % want == want - 1)
    for tables in rounds(length, want, least, count):
        left = sorted(set(range(length)).difference(*tables))
        across = [tuple(row[place] for row in rows) for place in left]
        found.append(_without_gaps([*(itemgetter(*table)(row) for table in tables for row in rows), *across]))
    return found


def _moves(length: int, want: int) -> list[list[int]]:
    """Return for each round how far each row has moved.

    Two rows meet alike in two rounds in which one is as far ahead of the other. Best is that this never happens, as
    where row i moves by i places a round, if the length of a row has no divisor below `want`.
    """
    found = min((_moved(length, want, step) for step in range(1, min(_STARTS, length - 1) + 1)), key=_alike)
    for _ in range(_SWEEPS):
        if not _alike(found):
            break
        _improve(found, length)
    return found


def _moved(length: int, want: int, step: int) -> list[list[int]]:
    """Return moves that are made up round by round, each row as far ahead as it seldom was before."""
    ahead = {two: [0] * length for two in combinations(range(want), 2)}
    found = []
    for number in range(length):
        moves = [0]
        for row in range(1, want):
            ways = ((row * number + k * step) % length for k in range(length))
            moves.append(_least(ways, [(ahead[other, row], moves[other]) for other in range(row)], length))
            for other in range(row):
                ahead[other, row][(moves[row] - moves[other]) % length] += 1
        found.append(moves)
    return found


def _least(ways: Iterator[int], ahead: Sequence[tuple[list[int], int]], length: int) -> int:
    """Return the move by which a row is as far ahead of the others as it has been least often."""
    best, fewest = 0, -1
    for move in ways:
        often = sum(times[(move - other) % length] for times, other in ahead)
        if fewest < 0 or often < fewest:
            best, fewest = move, often
        if not often:
            break
    return best


def _alike(found: Sequence[Sequence[int]]) -> int:
    """Return how often two rows meet as they have before."""
    length = len(found)
    pairs = combinations(range(len(found[0])), 2)
    return sum(length - len({(moves[row] - moves[other]) % length for moves in found}) for other, row in pairs)


def _improve(found: list[list[int]], length: int) -> None:
    """Let every row that meets another as before move otherwise in that round, as well as it can."""
    want = len(found[0])
    ahead = {(one, other): [0] * length for one in range(want) for other in range(want)}
    for moves in found:
        for (one, other), times in ahead.items():
            times[(moves[other] - moves[one]) % length] += 1
    for moves in found:
        for row in range(1, want):
            others = [other for other in range(want) if other != row]
            if all(ahead[other, row][(moves[row] - moves[other]) % length] == 1 for other in others):
                continue
            before = moves[row]
            for other in others:
                ahead[other, row][(before - moves[other]) % length] -= 1
                ahead[row, other][(moves[other] - before) % length] -= 1
            ways = ((before + k) % length for k in range(1, length + 1))
            moves[row] = _least(ways, [(ahead[other, row], moves[other]) for other in others], length)
            for other in others:
                ahead[other, row][(moves[row] - moves[other]) % length] += 1
                ahead[row, other][(moves[other] - moves[row]) % length] += 1


# --- what does not come out even --------------------------------------------------------------------------------------


def _substituted(tables: Sequence[Table], spare: Sequence[int], rested: list[int], met: _Met) -> list[list[int]]:
    """Return the tables with those who have no place of their own at the places of those who rest now.

    Of those who have rested least often it is they themselves, else whoever's place suits them best.
    """
    found = [list(table) for table in tables]
    bits = [_bits(table) for table in tables] if spare else []
    for person in spare:
        fewest = min(rested)
        if rested[person] == fewest:
            rested[person] += 1
            continue
        once, can = met.once[person], _bits(other for other, times in enumerate(rested) if times == fewest)
        here = min((k for k, all_ in enumerate(bits) if all_ & can), key=lambda k: (once & bits[k]).bit_count())
        place = next(k for k, other in enumerate(found[here]) if rested[other] == fewest)
        rested[found[here][place]] += 1
        found[here][place] = person
        bits[here] = _bits(found[here])
    return found


def _fitted(tables: Sequence[list[int]], each: list[int]) -> list[list[int]]:
    """Return tables of these sizes, the largest first: those too large give people to those too small."""
    largest_first = sorted(tables, key=len, reverse=True)
    if [*map(len, largest_first)] == each:
        return largest_first
    found = [table[:size] for table, size in zip(largest_first, each, strict=False)]
    found += [[] for _ in each[len(found) :]]
    over = [person for table, size in zip(largest_first, each, strict=False) for person in table[size:]]
    over += [person for table in largest_first[len(each) :] for person in table]
    for table, size in zip(found, each, strict=True):
        while len(table) < size:
            table.append(over.pop())
    return found


def _mend(tables: list[list[int]], met: _Met) -> None:
    """Let everybody who meets somebody again change places with another if fewer do then."""
    bits = [_bits(table) for table in tables]
    for here, table in enumerate(tables):
        for seat, person in enumerate(table):
            if met.once[person] & bits[here] and (way := _way(person, here, tables, bits, met)):
                there, place = way
                other = tables[there][place]
                table[seat], tables[there][place] = other, person
                both = 1 << person | 1 << other
                bits[here], bits[there] = bits[here] ^ both, bits[there] ^ both


def _way(
    person: int, here: int, tables: Sequence[Sequence[int]], bits: Sequence[int], met: _Met
) -> tuple[int, int] | None:
    """Return the table and place of whoever comes here instead so that fewest meet again; None if none helps."""
    best, most, load, left = None, 0, met.load(person, bits[here]), bits[here] ^ 1 << person
    once = met.once[person]
    for there, all_ in enumerate(bits):
        if there == here or (once & all_).bit_count() > load:  # even with one of them gone it would help nobody
            continue
        for place, other in enumerate(tables[there]):
            gain = load + met.load(other, all_) - met.load(person, all_ ^ 1 << other)
            if gain > most and (gain := gain - met.load(other, left)) > most:
                best, most = (there, place), gain
        if most >= load:
            break
    return best
