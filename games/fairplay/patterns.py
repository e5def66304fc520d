"""Rules for what looks unfair: pure functions of the matches of one or two people within `WINDOW`.

A finding is a reason to look, never a verdict. `tests/unit/fairplay/seasons.py` simulates players to measure how often
honest people are found (docs/fair-play.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import comb, sqrt
from typing import Final

WINDOW: Final = timedelta(days=60)
"""The period that the nightly search looks at."""

LEAST_MEETINGS: Final = 6
"""Pairs with fewer meetings in a pool are not looked at."""

LEAST_LOST: Final = 8
MOST_WON: Final = 0.1
LEAST_GAIN: Final = 50_000
LEAST_SHARE: Final = 0.6
EARLY: Final = 0.5
THROWN: Final = 0.5
SURPRISING: Final = -3.5
USUAL: Final = -1.0
LEAST_ELSEWHERE: Final = 8

LEAST_FED: Final = 100_000
FED_SHARE: Final = 0.5
LEAST_QUICK: Final = 2
LEAST_FEEDERS: Final = 5
ALONE: Final = 0.25
OFTEN: Final = 3
YOUNG: Final = timedelta(days=14)
"""An account that first met somebody within this time of its creation counts as young."""

SHORT: Final = 0.25
LEAST_SHORT: Final = 6
SHORT_SHARE: Final = 0.6
EACH_WON: Final = 0.3

STRONGER: Final = 100_000
LEAST_DODGED: Final = 5
DODGED_CHANCE: Final = 0.0001
LEAST_BEHIND: Final = 8
BEHIND_CHANCE: Final = 0.004


@dataclass(frozen=True, slots=True)
class Meeting:
    """A rated match of two people, from the side of one of them.

    Args:
        won: 1, a half if both share the first place, or 0.
        expected: the value of `won` that the ratings predicted.
        gain: the change of the rating, in thousandths.
        length: its number of actions, as a share of the usual one.
        left: whether it ended because somebody resigned or ran out of time.
    """

    won: float
    expected: float
    gain: int
    length: float
    left: bool

    @property
    def is_short(self) -> bool:
        """Return whether it ended early, because somebody left or without a winner."""
        return self.length < SHORT and (self.left or self.won == 0.5)  # noqa: PLR2004  # half a win


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people in one pool.

    Args:
        meetings: of the two, from the side of the one who lost more.
        gained: the sum of all gains of the other one's rating, in these and other matches, in thousandths.
        elsewhere: matches of the loser against everybody else.
    """

    meetings: Sequence[Meeting]
    gained: int
    elsewhere: Sequence[Meeting]


@dataclass(frozen=True, slots=True)
class Transfer:
    """How much rating went from one person to another, in how many matches."""

    lost: int
    of: int
    gain: int
    share: int
    early: int

    @property
    def points(self) -> int:
        return round(self.gain / 1000)


def transfer(pair: Pair) -> Transfer | None:
    """Return the rating transfer between two people, None if there is none.

    One lost at least `LEAST_LOST` matches to the other and won next to none; that gave the other a large gain, and most
    of everything they gained. This also happens between a beginner and a friend, so the losses must be odd as well:
    most of them left before they were half over, or far more than the ratings predict, by somebody who plays as
    predicted against everybody else.
    """
    lost = [each for each in pair.meetings if each.won == 0]
    won = sum(each.won for each in pair.meetings)
    gain = -sum(each.gain for each in lost)
    if len(lost) < LEAST_LOST or won > MOST_WON * len(pair.meetings) or gain < LEAST_GAIN:
        return None
    if gain < LEAST_SHARE * pair.gained:
        return None
    early = sum(each.left and each.length < EARLY for each in lost)
    usually_as_expected = len(pair.elsewhere) >= LEAST_ELSEWHERE and surprise(pair.elsewhere) >= USUAL
    on_purpose = usually_as_expected and surprise(pair.meetings) <= SURPRISING
    if early < THROWN * len(lost) and not on_purpose:
        return None
    return Transfer(len(lost), len(pair.meetings), gain, round(100 * gain / max(gain, pair.gained)), early)


def surprise(meetings: Sequence[Meeting]) -> float:
    """Return by how many standard deviations somebody won more than the ratings predicted.

    >>> round(surprise([Meeting(0, 0.5, -16_000, 1, False)] * 9), 2)
    -3.0
    """
    spread = sum(each.expected * (1 - each.expected) for each in meetings)
    return sum(each.won - each.expected for each in meetings) / sqrt(spread) if spread else 0.0


@dataclass(frozen=True, slots=True)
class Source:
    """What somebody gained from one other person, in all pools.

    Args:
        meetings: of the two, from the side of the one who gained.
        elsewhere: how many rated matches the other played with people who do not feed the same person.
        young: whether the other's account was new when they first met.
    """

    meetings: Sequence[Meeting]
    elsewhere: int
    young: bool

    @property
    def gain(self) -> int:
        return sum(each.gain for each in self.meetings)

    @property
    def wins(self) -> int:
        return sum(each.won == 1 for each in self.meetings)

    @property
    def early(self) -> int:
        return sum(each.won == 1 and each.left and each.length < EARLY for each in self.meetings)

    @property
    def only_loses(self) -> bool:
        """Return whether the other won next to nothing, like an account that exists to lose."""
        return self.wins > 0 and len(self.meetings) - sum(each.won for each in self.meetings) <= MOST_WON * self.wins

    @property
    def is_quick(self) -> bool:
        """Return whether the other left most of the matches early, with an account that looks made for that.

        Many people who try the site for a day leave one match early, so whoever also plays with others must leave two.
        """
        made_for_it = self.is_alone or (self.young and self.early > 1)
        return self.only_loses and self.early >= THROWN * self.wins and made_for_it

    @property
    def is_alone(self) -> bool:
        """Return whether the other plays with hardly anybody else."""
        return self.elsewhere <= ALONE * len(self.meetings)

    @property
    def feeds(self) -> bool:
        """Return whether the other looks like an account that exists to lose."""
        return self.is_quick or (self.only_loses and self.is_alone and self.wins >= OFTEN)


@dataclass(frozen=True, slots=True)
class Star:
    """How much rating one person gained from accounts that exist to lose.

    Attributes:
        feeders: how many accounts.
        young: how many of these were young.
        of: matches against them.
        early: how many they left before they were half over.
        gain: in thousandths.
        share: in a hundred of what the person gained in all.
    """

    feeders: int
    young: int
    of: int
    early: int
    gain: int
    share: int

    @property
    def points(self) -> int:
        return round(self.gain / 1000)


def star(sources: Sequence[Source]) -> Star | None:
    """Return the gain of one person from accounts that look as if they exist to lose, None if there is none.

    It takes two accounts that left most of their matches early, or five that lost often and play with hardly anybody
    else. Each pair may have met too seldom for `transfer`.
    """
    feeding = [each for each in sources if each.feeds]
    gain = sum(each.gain for each in feeding)
    total = sum(each.gain for each in sources)
    if gain < LEAST_FED or gain < FED_SHARE * total:
        return None
    if sum(each.is_quick for each in feeding) < LEAST_QUICK and len(feeding) < LEAST_FEEDERS:
        return None
    return Star(
        feeders=len(feeding),
        young=sum(each.young for each in feeding),
        of=sum(len(each.meetings) for each in feeding),
        early=sum(each.early for each in feeding),
        gain=gain,
        share=round(100 * gain / max(gain, total)),
    )


@dataclass(frozen=True, slots=True)
class Agreed:
    """How many of the meetings of two people ended early, and how many of those the first one won."""

    short: int
    of: int
    won: int


def agreed(meetings: Sequence[Meeting]) -> Agreed | None:
    """Return results that two people may have agreed on: quick resignations in turn, or matches without moves."""
    short = [each for each in meetings if each.is_short]
    won = sum(each.won for each in short)
    if len(short) < LEAST_SHORT or len(short) < SHORT_SHARE * len(meetings):
        return None
    if not EACH_WON * len(short) <= won <= (1 - EACH_WON) * len(short):
        return None
    return Agreed(len(short), len(meetings), round(won))


@dataclass(frozen=True, slots=True)
class Aborts:
    """Counts of somebody's rated matches within the window.

    Args:
        dodged_stronger, dodged_others: aborted by them alone, against opponents rated `STRONGER` higher, and others.
        played_stronger, played_others: played to the end, likewise.
        behind, unequal: aborted by agreement while they were behind, and while anybody was.
    """

    dodged_stronger: int = 0
    dodged_others: int = 0
    played_stronger: int = 0
    played_others: int = 0
    behind: int = 0
    unequal: int = 0


def dodges(found: Aborts) -> bool:
    """Return whether somebody aborts matches because the opponent is stronger or because they are losing.

    Aborting alone means nothing, as connections break and doorbells ring. It does if it depends on the opponent or on
    the score.
    """
    if found.dodged_stronger >= LEAST_DODGED:
        stronger = found.dodged_stronger + found.played_stronger
        others = found.dodged_others + found.played_others
        dodged = found.dodged_stronger + found.dodged_others
        if at_least(found.dodged_stronger, dodged, stronger, stronger + others) <= DODGED_CHANCE:
            return True
    ways = sum(comb(found.unequal, number) for number in range(found.behind, found.unequal + 1))
    return found.behind >= LEAST_BEHIND and ways / 2**found.unequal <= BEHIND_CHANCE


def at_least(drawn: int, draws: int, marked: int, total: int) -> float:
    """Return the probability that so many marked items or more are among those drawn (Fisher's exact test).

    >>> at_least(2, 2, 2, 4)
    0.16666666666666666
    """
    ways = sum(comb(marked, k) * comb(total - marked, draws - k) for k in range(drawn, min(draws, marked) + 1))
    return ways / comb(total, draws)
