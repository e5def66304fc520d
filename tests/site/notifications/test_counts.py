"""Hundreds of turns in several matches, people coming and going: exactly as much is told as a second count says.

The count knows nothing of notices, steps and deliveries. It is made from a diary: whose turn began and ended when,
who looked at which match when, and what the table of kinds and channels says about that.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.notifications.models import Kind, Mute, Notice
from games.play.models import Match
from games.play.reducer import positions
from tests.clocked import MONDAY
from tests.people import act, person, running_match
from tests.site.notifications.telling import Post, look_at, prefer

pytestmark = pytest.mark.django_db

TURNS = int(os.environ.get("TESSERA_TURNS", "250"))
"""How many turns begin; the nightly run asks for 3,000."""

TICK = 10
"""Seconds between two looks of the worker; every moment of the diary is a multiple of it."""

LOOKING = (0.1, 0.2, 0.04, 0.02, 0.002, 0.002)
MOVING = (0.08, 0.3, 0.04, 0.01, 0.005, 0.004)
"""How likely each person is to look at a match in which they are to move, or to act, in such a time."""

AWAY, PRESENT, MAIL_AFTER, MAIL_AFTER_SEEN, MAIL_EVERY = 20, 60, 600, 3600, 3600


@dataclass
class Turn:
    """Somebody's turn: when it began and ended, in seconds."""

    match: str
    user: str
    begin: int
    end: int | None = None

    def is_open(self, at: int) -> bool:
        """Say whether it is still theirs when the worker looks, which is after everything else in the same moment."""
        return self.begin <= at and (self.end is None or at < self.end)


@dataclass
class Diary:
    """All that happened, in seconds since the beginning."""

    turns: list[Turn] = field(default_factory=list)
    looks: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    muted: set[tuple[str, str]] = field(default_factory=set)
    quiet: dict[str, tuple[int, int]] = field(default_factory=dict)
    last: int = 0

    def ends(self, match: str, at: int) -> None:
        """Note that the latest turn of a match has ended."""
        next(turn for turn in reversed(self.turns) if turn.match == match).end = at

    def expected(self) -> Counter[tuple[str, str]]:
        """Return how often each channel tells each person of their turns."""
        told: Counter[tuple[str, str]] = Counter()
        pushed: list[tuple[Turn, int]] = []
        for turn in self.turns:
            if (turn.match, turn.user) in self.muted:
                continue
            at = self._first_moment(turn, turn.begin + AWAY)
            if at is not None:
                told["push", turn.user] += 1
                told["webhook", turn.user] += 1
                pushed.append((turn, at))
        for user in {turn.user for turn, _at in pushed}:
            told["mail", user] = self._mails([(turn, at) for turn, at in pushed if turn.user == user])
        return +told

    def _first_moment(self, turn: Turn, earliest: int) -> int | None:
        """Return when something about a turn is told: at the first look when nothing holds it back."""
        for at in range(-(-earliest // TICK) * TICK, self.last + 1, TICK):
            if not turn.is_open(at):
                return None
            if not self._looked(turn, at - PRESENT + 1, at) and not self._is_quiet(turn.user, at):
                return at
        return None

    def _looked(self, turn: Turn, since: int, until: int) -> bool:
        return any(since <= look <= until for look in self.looks.get((turn.match, turn.user), ()))

    def _is_quiet(self, user: str, at: int) -> bool:
        begin, end = self.quiet.get(user, (0, 0))
        return begin <= at < end

    def _mails(self, turns: list[tuple[Turn, int]]) -> int:
        """Return how many emails somebody gets: for turns old enough and in no email yet, at most one an hour."""
        count, sent = 0, None
        for at in range(0, self.last + 1, TICK):
            if sent is not None and at < sent + MAIL_EVERY:
                continue
            worth = [turn for turn, pushed in turns if pushed <= at and self._is_worth_a_mail(turn, at)]
            if any(sent is None or turn.begin > sent for turn in worth):
                count, sent = count + 1, at
        return count

    def _is_worth_a_mail(self, turn: Turn, at: int) -> bool:
        age = MAIL_AFTER_SEEN if self._looked(turn, turn.begin, at) else MAIL_AFTER
        is_away = not self._looked(turn, at - PRESENT + 1, at)
        return at >= turn.begin + age and turn.is_open(at) and is_away and not self._is_quiet(turn.user, at)


class Play:
    """Several matches played at random by people with different habits."""

    def __init__(self, clock: Traveller, post: Post) -> None:
        self.clock, self.post, self.chance = clock, post, random.Random(5)
        self.diary = Diary()
        self.people = [person(f"p{number}") for number in range(6)]
        groups = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 3), (1, 4, 5)]
        self.matches = [running_match([self.people[number] for number in group]) for group in groups]
        self.moving = {match: self.people[group[0]] for match, group in zip(self.matches, groups, strict=True)}
        Notice.objects.filter(kind=Kind.STARTED).delete()
        self._habits()
        for match in self.matches:
            self._begins(match)

    def _habits(self) -> None:
        """One person has quiet hours, one has muted a match."""
        begin, end = MONDAY + timedelta(hours=1), MONDAY + timedelta(hours=2)
        prefer(self.people[4], quiet_from=begin.time(), quiet_until=end.time())
        self.diary.quiet["p4"] = (3600, 2 * 3600)
        Mute.objects.create(user=self.people[2], match=self.matches[1])
        self.diary.muted.add((self.matches[1].slug, "p2"))

    @property
    def now(self) -> int:
        return round((timezone.now() - MONDAY).total_seconds())

    def go(self, turns: int) -> None:
        while len(self.diary.turns) < turns + len(self.matches):
            self.clock.shift(TICK)
            for match, user in list(self.moving.items()):
                self._something_happens(match, user)
            self.post.work()
        self.diary.last = self.now

    def _something_happens(self, match: Match, user: User) -> None:
        number = self.people.index(user)
        if self.chance.random() < LOOKING[number]:
            look_at(match, user)
            self.diary.looks.setdefault((match.slug, user.username), []).append(self.now)
        if self.chance.random() < MOVING[number]:
            self._moves(match)

    def _moves(self, match: Match) -> None:
        """Take any action, mostly the one that ends the turn."""
        seat = match.seats.get(to_move=True).number
        texts = positions.legal_texts(match, seat)
        act(match, "end" if "end" in texts and self.chance.random() < 0.9 else self.chance.choice(texts))
        after = match.seats.filter(to_move=True).select_related("user").first()
        if after is None or after.number != seat:
            self.diary.ends(match.slug, self.now)
            del self.moving[match]
        if after is not None and after.number != seat and after.user is not None:
            self.moving[match] = after.user
            self._begins(match)

    def _begins(self, match: Match) -> None:
        self.diary.turns.append(Turn(match.slug, self.moving[match].username, self.now))


def told(post: Post) -> Counter[tuple[str, str]]:
    return Counter(
        (str(channel), user.username)
        for channel, toy in post.toys.items()
        for user, message in toy.told
        if message.kind == Kind.TURN
    )


def test_turns_are_told_exactly_as_often_as_the_table_says(clock: Traveller, post: Post) -> None:
    play = Play(clock, post)
    play.go(TURNS)
    found = told(post)
    assert found == play.diary.expected()
    assert all(found["push", f"p{number}"] > 5 for number in range(6))
    assert sum(found["mail", f"p{number}"] for number in range(6)) > 5
