"""The rules by which matches look unfair: pure functions of what two people, or one, did within a while.

A finding is a reason to look, never a verdict. How often honest people are found is measured by
`manage.py simulate_seasons`, which plays seasons made up for it through these very functions ([Fair play] in docs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import comb, sqrt
from typing import Final

WINDOW: Final = timedelta(days=60)
"""How far back a night looks."""

LEAST_MEETINGS: Final = 6
"""Two people who have met less often in one pool within the window are not looked at."""

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
"""An account that met somebody within this time of its beginning is young."""

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
    """A rated match of two people, as one of them saw it.

    Args:
        won: 1, or a half where both share the first place, or 0.
        expected: the share of a win that the ratings before it promised.
        gain: what it did to the rating, in thousandths.
        length: as a part of how many actions such matches usually have.
        left: it ended because somebody resigned or ran out of time.
    """

    won: float
    expected: float
    gain: int
    length: float
    left: bool

    @property
    def is_short(self) -> bool:
        """Return whether it ended before it had really begun, by leaving or without a winner."""
        return self.length < SHORT and (self.left or self.won == 0.5)  # noqa: PLR2004  # half a win


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people in one pool within the window.

    Args:
        meetings: of the two, as the one saw them who lost more.
        gained: what the other one's rating gained in all matches in which it gained, these included, in thousandths.
        elsewhere: what the loser did against everybody else.
    """

    meetings: Sequence[Meeting]
    gained: int
    elsewhere: Sequence[Meeting]


@dataclass(frozen=True, slots=True)
class Transfer:
    """One lost so many matches to the other, who gained so much by it."""

    lost: int
    of: int
    gain: int
    share: int
    early: int

    @property
    def points(self) -> int:
        return round(self.gain / 1000)


def transfer(pair: Pair) -> Transfer | None:
    """Find rating that flows from one person to another.

    One lost at least `LEAST_LOST` matches to the other and won next to none; the other's rating gained a lot by it,
    and most of what it gained at all. That alone happens between a beginner and a friend, so the losses have to be odd
    as well: most of them left before they were half over, or far from what the ratings promise, by somebody who plays
    as the ratings promise against everybody else.
    """
    lost = [each for each in pair.meetings if each.won == 0]
    won = sum(each.won for each in pair.meetings)
    gain = -sum(each.gain for each in lost)
    if len(lost) < LEAST_LOST or won > MOST_WON * len(pair.meetings) or gain < LEAST_GAIN:
        return None
    if gain < LEAST_SHARE * pair.gained:
        return None
    early = sum(each.left and each.length < EARLY for each in lost)
    if early < THROWN * len(lost) and not _loses_on_purpose(pair):
        return None
    return Transfer(len(lost), len(pair.meetings), gain, round(100 * gain / max(gain, pair.gained)), early)


def _loses_on_purpose(pair: Pair) -> bool:
    others = pair.elsewhere
    return len(others) >= LEAST_ELSEWHERE and surprise(pair.meetings) <= SURPRISING and surprise(others) >= USUAL


def surprise(meetings: Sequence[Meeting]) -> float:
    """Return by how many standard deviations somebody won more than the ratings promised.

    >>> round(surprise([Meeting(0, 0.5, -16_000, 1, False)] * 9), 2)
    -3.0
    """
    spread = sum(each.expected * (1 - each.expected) for each in meetings)
    return sum(each.won - each.expected for each in meetings) / sqrt(spread) if spread else 0.0


@dataclass(frozen=True, slots=True)
class Source:
    """What somebody had from one other person, in all pools.

    Args:
        meetings: of the two, as the one saw them whose gains are looked at.
        elsewhere: how many rated matches the other played with people who are no such sources.
        young: the other's account was when they first met.
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
        """Return whether the other won next to nothing, so that it can be one of many who feed one person."""
        return self.wins > 0 and len(self.meetings) - sum(each.won for each in self.meetings) <= MOST_WON * self.wins

    @property
    def is_quick(self) -> bool:
        """Return whether the other left most of the matches early, with an account that looks made for it.

        Many who try it for a day leave one match early, so more than one count for those who play with others as well.
        """
        made_for_it = self.is_alone or (self.young and self.early > 1)
        return self.only_loses and self.early >= THROWN * self.wins and made_for_it

    @property
    def is_alone(self) -> bool:
        """Return whether the other plays next to nobody else."""
        return self.elsewhere <= ALONE * len(self.meetings)

    @property
    def feeds(self) -> bool:
        """Return whether the other looks like an account that is there to lose."""
        return self.is_quick or (self.only_loses and self.is_alone and self.wins >= OFTEN)


@dataclass(frozen=True, slots=True)
class Star:
    """So many accounts lost so many matches to one person, who gained so much by it.

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
    """Find rating that flows to one person from several accounts that look as if they were there to lose.

    The pair of each may have met too seldom for `transfer`. Two such accounts are enough that left most of their
    matches early, or five that lost often and play with nobody else.
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
    """So many of the meetings of two people were over before they had begun, and each won some of them."""

    short: int
    of: int
    won: int


def agreed(meetings: Sequence[Meeting]) -> Agreed | None:
    """Find results that two people may have agreed on: quick resignations by turns, and matches without moves."""
    short = [each for each in meetings if each.is_short]
    won = sum(each.won for each in short)
    if len(short) < LEAST_SHORT or len(short) < SHORT_SHARE * len(meetings):
        return None
    if not EACH_WON * len(short) <= won <= (1 - EACH_WON) * len(short):
        return None
    return Agreed(len(short), len(meetings), round(won))


@dataclass(frozen=True, slots=True)
class Aborts:
    """How somebody's matches within the window ended before they were over.

    Args:
        dodged_stronger, dodged_others: ended by them alone, against opponents rated `STRONGER` above them, and others.
        played_stronger, played_others: rated matches that were played to an end.
        behind, unequal: ended with everybody's agreement while they were behind; while anybody was.
    """

    dodged_stronger: int = 0
    dodged_others: int = 0
    played_stronger: int = 0
    played_others: int = 0
    behind: int = 0
    unequal: int = 0


def dodges(found: Aborts) -> bool:
    """Find people who end matches against stronger opponents, or those they would lose, without a result.

    Aborting itself is not a sign: connections break and doorbells ring, whoever the opponent is. What is looked for is
    that it depends on the opponent, or on the score.
    """
    return _dodges_the_strong(found) or _dodges_defeat(found)


def _dodges_the_strong(found: Aborts) -> bool:
    stronger = found.dodged_stronger + found.played_stronger
    others = found.dodged_others + found.played_others
    dodged = found.dodged_stronger + found.dodged_others
    enough = found.dodged_stronger >= LEAST_DODGED
    return enough and at_least(found.dodged_stronger, dodged, stronger, stronger + others) <= DODGED_CHANCE


def _dodges_defeat(found: Aborts) -> bool:
    ways = sum(comb(found.unequal, number) for number in range(found.behind, found.unequal + 1))
    return found.behind >= LEAST_BEHIND and ways / 2**found.unequal <= BEHIND_CHANCE


def at_least(drawn: int, draws: int, marked: int, total: int) -> float:
    """Return the chance of so many marked ones, or more, among some drawn from all of them (Fisher's exact test).

    >>> at_least(2, 2, 2, 4)
    0.16666666666666666
    """
    ways = sum(comb(marked, k) * comb(total - marked, draws - k) for k in range(drawn, min(draws, marked) + 1))
    return ways / comb(total, draws)
