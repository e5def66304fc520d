"""The rules by which matches look unfair, and what a night finds with them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.fairplay import findings, jobs, patterns
from games.fairplay.models import Abort, Finding, Night
from games.fairplay.patterns import Aborts, Meeting, Pair, Source, Star
from games.play import commands, jobs as play_jobs
from games.play.models import Match
from games.ratings.models import Rating, RatingChange
from tests.clocked import LIVE
from tests.people import client_of, person, running_match
from tests.site.moderation.moderators import moderator
from tests.site.ratings.finishing import end, finished, resigned

LOST = Meeting(won=0, expected=0.5, gain=-10_000, length=1, left=False)
LEFT = Meeting(won=0, expected=0.5, gain=-10_000, length=0.2, left=True)
WON = Meeting(won=1, expected=0.5, gain=10_000, length=1, left=False)
QUICK_WIN = Meeting(won=1, expected=0.5, gain=10_000, length=0.2, left=True)

pytestmark = pytest.mark.django_db


# --- the rules ------------------------------------------------------------------------------------------------------


def test_losses_that_were_left_early_are_a_transfer() -> None:
    found = patterns.transfer(Pair((LEFT,) * 8, 80_000, ()))
    assert found is not None
    assert (found.lost, found.points, found.share, found.early) == (8, 80, 100, 8)


@pytest.mark.parametrize(
    "pair",
    [
        Pair((LEFT,) * 7, 70_000, ()),
        Pair((*(LEFT,) * 8, WON), 80_000, ()),
        Pair((LEFT,) * 8, 200_000, ()),
        Pair((LOST,) * 9, 90_000, ()),
        Pair((LOST,) * 20, 200_000, (LOST,) * 20),
    ],
    ids=["too few", "won as well", "gained elsewhere", "a weaker friend", "weaker everywhere"],
)
def test_who_is_weaker_transfers_nothing(pair: Pair) -> None:
    assert patterns.transfer(pair) is None


def test_who_loses_to_one_alone_against_all_odds_transfers_rating() -> None:
    assert patterns.transfer(Pair((LOST,) * 13, 130_000, (WON, LOST) * 5))


FED = Meeting(won=1, expected=0.5, gain=20_000, length=0.1, left=True)
PLAYED = Meeting(won=1, expected=0.5, gain=20_000, length=1, left=False)
BACK = Meeting(won=0, expected=0.5, gain=-20_000, length=1, left=False)


def source(*meetings: Meeting, elsewhere: int = 0, young: bool = True) -> Source:
    return Source(meetings, elsewhere, young)


def test_accounts_that_are_there_to_lose_make_a_star() -> None:
    found = patterns.star([source(*(FED,) * 5)] * 4)
    assert found == Star(feeders=4, young=4, of=20, early=20, gain=400_000, share=100)
    assert found.points == 400


@pytest.mark.parametrize(
    ("sources", "is_found"),
    [
        ([source(FED, FED, FED)] * 2, True),
        ([source(*(FED,) * 10)], False),
        ([source(FED, FED)] * 2, False),
        ([source(*(FED,) * 5, elsewhere=9)] * 2, True),
        ([source(*(FED,) * 5, elsewhere=9, young=False)] * 9, False),
        ([source(FED, elsewhere=4)] * 9, False),
        ([source(FED)] * 9, True),
        ([source(*(PLAYED,) * 5, young=False)] * 5, True),
        ([source(*(PLAYED,) * 5)] * 4, False),
        ([source(*(PLAYED,) * 5, elsewhere=9)] * 9, False),
        ([source(PLAYED, PLAYED)] * 9, False),
        ([source(*(FED,) * 3, BACK)] * 9, False),
        ([source(*(FED,) * 5)] * 2 + [source(*(PLAYED,) * 5, elsewhere=40)] * 2, True),
        ([source(*(FED,) * 5)] * 2 + [source(*(PLAYED,) * 5, elsewhere=40)] * 3, False),
        ([source(*(FED,) * 5)] * 2 + [source(*(BACK,) * 9, elsewhere=40)] * 3, True),
    ],
    ids=[
        "two that leave early", "one is a pair", "too little", "young, and some honest matches", "regulars who resign",
        "newcomers who leave once", "many that lose once", "old and played on, with nobody else", "four pupils",
        "played on, and with others", "beginners who come once", "they win as well", "half of the gain",
        "less than half of the gain", "all the rest is lost again",
    ],
)  # fmt: skip
def test_what_makes_a_star(sources: list[Source], is_found: bool) -> None:
    assert (patterns.star(sources) is not None) == is_found


def test_quick_results_by_turns_look_agreed() -> None:
    found = patterns.agreed((LEFT, QUICK_WIN) * 3)
    assert found is not None
    assert (found.short, found.of, found.won) == (6, 6, 3)
    assert patterns.agreed((LEFT,) * 6) is None  # one of them just gives up
    assert patterns.agreed((LEFT, QUICK_WIN) * 3 + (LOST, WON) * 3) is None
    level = Meeting(won=0.5, expected=0.5, gain=0, length=0.05, left=False)
    assert patterns.agreed((level,) * 6)


def test_aborting_alone_is_no_sign_only_that_it_depends_on_the_opponent_or_the_score() -> None:
    assert patterns.dodges(Aborts(dodged_stronger=6, played_stronger=2, played_others=30))
    assert not patterns.dodges(Aborts(dodged_stronger=6, dodged_others=24, played_stronger=6, played_others=24))
    assert not patterns.dodges(Aborts(dodged_stronger=4, played_others=200))
    assert patterns.dodges(Aborts(behind=9, unequal=9))
    assert not patterns.dodges(Aborts(behind=9, unequal=14))


# --- what is stored -------------------------------------------------------------------------------------------------


@pytest.fixture
def pair() -> tuple[User, User]:
    return person("ann"), person("ben")


def test_a_night_finds_rating_that_flows_to_one_person(pair: tuple[User, User]) -> None:
    finished([person(), person()])  # tells how long such matches are
    Match.objects.update(length=40)
    for _ in range(8):
        resigned(pair)
    looked, found = jobs.search_now(timezone.now())
    assert (looked, found) == (2, 1)  # the pair, and whoever gained
    one = Finding.objects.get()
    assert (one.kind, one.first, one.second, one.game) == (Finding.Kind.TRANSFER, pair[1], pair[0], "shifting-stones")
    assert (one.facts["lost"], one.facts["of"], one.facts["share"], one.facts["early"]) == (8, 8, 100, 8)
    gains = [change.gain for change in RatingChange.objects.filter(user=pair[0])]
    assert one.facts["points"] == round(sum(gains) / 1000)


def test_the_same_is_found_once_and_not_again_after_it_was_settled(pair: tuple[User, User]) -> None:
    finished([person(), person()])
    Match.objects.update(length=40)
    for number in range(8):
        resigned(pair, loser=number % 2)
    for _ in range(2):
        jobs.search_now(timezone.now())
    one = Finding.objects.get()
    assert (one.kind, one.facts) == (Finding.Kind.AGREED, {"short": 8, "of": 8, "won": 4})
    Finding.objects.update(settled_at=timezone.now())
    assert jobs.search_now(timezone.now())[1] == 0
    for number in range(6):
        resigned(pair, loser=number % 2)
    assert jobs.search_now(timezone.now())[1] == 1
    assert Finding.objects.get(settled_at=None).facts["of"] == 6


def fed(star: User, accounts: int, rounds: int = 5, game: str = "shifting-stones") -> list[User]:
    """Let new accounts lose to one person, each so many times, by resigning after the first turn."""
    feeders = [person() for _ in range(accounts)]
    for feeder in feeders:
        for _ in range(rounds):
            resigned([star, feeder], game=game)
    return feeders


@pytest.fixture
def usual() -> None:
    """Tell how long matches are: one has been played to its end."""
    finished([person(), person()])
    finished([person(), person()], game="card-chess")
    Match.objects.update(length=40)


@pytest.mark.usefixtures("usual")
def test_a_night_finds_what_new_accounts_lost_to_one_person(monkeypatch: pytest.MonkeyPatch) -> None:
    star = person("star")
    feeders = fed(star, 5)
    assert Rating.objects.get(user=star).rating > 1_600_000
    with monkeypatch.context() as without_the_rule:  # five matches each are too few for a pair
        without_the_rule.setattr(patterns, "star", lambda _sources: None)
        assert jobs.search_now(timezone.now()) == (1, 0)
        assert not Finding.objects.exists()
    assert jobs.search_now(timezone.now()) == (1, 1)
    one = Finding.objects.get()
    assert (one.kind, one.first, one.second, set(one.others.all())) == (Finding.Kind.STAR, star, None, set(feeders))
    assert (one.facts["feeders"], one.facts["of"], one.facts["early"], one.facts["share"]) == (5, 25, 25, 100)
    page = client_of(moderator()).get("/moderation/fair-play/").content.decode()
    assert "star gained" in page
    assert feeders[0].username in page
    Finding.objects.update(settled_at=timezone.now())
    assert jobs.search_now(timezone.now()) == (1, 0)


def in_two_pools(star: User) -> None:
    fed(star, 3, 2)
    fed(star, 3, 2, game="card-chess")


def in_a_ring(star: User) -> None:
    feeders = fed(star, 4)
    for one, other in itertools.pairwise([*feeders, feeders[0]]):
        finished([one, other])


def among_honest_matches(star: User) -> None:
    for feeder in fed(star, 4):
        finished([feeder, person()])
        finished([person(), feeder])
    for _ in range(6):
        finished([star, person()])
        finished([person(), star])


def by_timeouts(star: User) -> None:
    fed(star, 4)
    Match.objects.filter(reason="resign").update(reason="timeout")


def at_tables_for_three(star: User) -> None:
    feeders = [person() for _ in range(4)]
    for number in range(12):
        match = running_match([star, feeders[number % 4], feeders[(number + 1) % 4]], rated=True, clock=LIVE)
        match.seats.update(acted=True)
        for seat in (1, 2):
            commands.resign(match.pk, seat, f"resigning-{seat}")
        end(Match.objects.get(pk=match.pk), [1, 3, 2])


def by_accounts_that_are_gone(star: User) -> None:
    for feeder in fed(star, 4):
        feeder.delete()


def played_to_the_end(star: User) -> None:
    for _ in range(5):
        feeder = person(date_joined=timezone.now() - timedelta(days=300))
        for _round in range(4):
            finished([star, feeder])


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(
    "feed",
    [
        in_two_pools, in_a_ring, among_honest_matches, by_timeouts, at_tables_for_three, by_accounts_that_are_gone,
        played_to_the_end,
    ],
)  # fmt: skip
def test_other_ways_to_feed_somebody_are_found_too(feed: Callable[[User], None]) -> None:
    star = person("star")
    feed(star)
    jobs.search_now(timezone.now())
    assert [it.first for it in Finding.objects.filter(kind=Finding.Kind.STAR)] == [star]


@pytest.mark.usefixtures("usual")
def test_who_beats_many_honest_people_is_no_star() -> None:
    strong, others = person("strong"), [person() for _ in range(6)]
    for other in others:
        for _ in range(3):
            finished([strong, other])
            finished([other, person()])
        resigned([strong, other])
    jobs.search_now(timezone.now())
    assert not Finding.objects.exists()


@pytest.mark.usefixtures("usual")
def test_a_moderator_who_lost_to_a_star_neither_reads_nor_settles_that() -> None:
    star = person("star")
    reader = moderator()
    for _round in range(5):
        resigned([star, reader])
    fed(star, 4)
    jobs.search_now(timezone.now())
    assert "star gained" not in client_of(reader).get("/moderation/fair-play/").content.decode()
    with pytest.raises(RuleViolation) as refused:
        findings.settle(Finding.objects.get(), reader, "it was nothing")
    assert refused.value.code == "own"


def test_matches_from_before_the_window_are_forgotten(pair: tuple[User, User]) -> None:
    for number in range(8):
        resigned(pair, loser=number % 2)
    assert jobs.search_now(timezone.now() + patterns.WINDOW + timedelta(hours=1)) == (0, 0)


def test_aborting_against_the_strong_is_noted_and_found(pair: tuple[User, User]) -> None:
    dodger, strong = pair
    for _ in range(12):
        finished([person(), dodger], [2, 1])
    dodger.ratings.update(rating=1_500_000)
    strong.ratings.create(game="shifting-stones", speed="live", rating=1_700_000, games=20)
    for _ in range(6):
        match = running_match([dodger, strong], rated=True, clock=LIVE)
        commands.offer_abort(match.pk, 0)
    assert set(Abort.objects.values_list("user", "alone", "above", "behind")) == {(dodger.pk, True, 200_000, None)}
    jobs.search_now(timezone.now())
    one = Finding.objects.get()
    assert (one.kind, one.first, one.second) == (Finding.Kind.DODGING, dodger, None)
    assert one.facts["dodged_stronger"] == 6


def test_who_was_behind_when_all_agreed_to_abort_is_noted(pair: tuple[User, User]) -> None:
    match = running_match(pair, rated=True, clock=LIVE)
    match.seats.update(acted=True)
    for seat in range(2):
        commands.offer_abort(match.pk, seat)
    match.refresh_from_db()
    assert match.status == Match.Status.ABORTED
    assert set(Abort.objects.values_list("user", "alone", "behind")) == {(user.pk, False, None) for user in pair}


def test_casual_matches_can_be_aborted_by_anybody(pair: tuple[User, User]) -> None:
    commands.offer_abort(running_match(pair).pk, 0)
    assert not Abort.objects.exists()


# --- the night ------------------------------------------------------------------------------------------------------


def test_a_night_is_looked_through_once(pair: tuple[User, User]) -> None:
    for number in range(8):
        resigned(pair, loser=number % 2)
    job, day = jobs.Nightly(), timezone.now().astimezone(UTC).date() + timedelta(days=1)
    before = datetime(day.year, day.month, day.day, jobs.HOUR - 1, 59, tzinfo=UTC)
    after = before + timedelta(minutes=2)
    assert job.run_due(before) == 0
    assert job.run_due(after) == 1
    assert Night.objects.get().day == day
    assert job.run_due(after) == jobs.Nightly().run_due(after) == 0


def test_the_worker_does_it() -> None:
    assert any(isinstance(job, jobs.Nightly) for job in play_jobs._jobs)


def test_the_command_says_what_waits_for_a_moderator(pair: tuple[User, User]) -> None:
    finished([person(), person()])
    Match.objects.update(length=40)
    for number in range(8):
        resigned(pair, loser=number % 2)
    said = StringIO()
    call_command("fair_play", stdout=said)
    assert "Looked at 1 pairs" in said.getvalue()
    assert "agreed: ben and ann" in said.getvalue() or "agreed: ann and ben" in said.getvalue()
