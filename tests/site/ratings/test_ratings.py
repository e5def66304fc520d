"""Ratings: once per person and match, in the transaction that ends the match, and reproducible by anybody."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.engine.elo import START
from games.engine.protocol import RuleViolation
from games.play import commands
from games.play.models import Match, Seat, Speed
from games.play.signals import match_over
from games.play.store import writing
from games.ratings.models import Rating, RatingChange, SoloBest
from tests.meeting import together
from tests.people import act, person, play_out, running_match
from tests.site.ratings.finishing import end, finished, resigned

pytestmark = pytest.mark.django_db


def _gains(match: Match) -> list[int]:
    return [change.gain for change in match.rating_changes.order_by("seat")]


def _set(user: User, rating: int, games: int) -> None:
    Rating.objects.create(user=user, game="shifting-stones", speed=Speed.LIVE, rating=rating, games=games)


def test_a_finished_rated_match_changes_both_ratings() -> None:
    ann, bob = person("ann"), person("bob")
    match = finished([ann, bob])
    assert _gains(match) == [20_000, -20_000]
    assert [(row.rating, row.games) for row in Rating.objects.order_by("-rating")] == [
        (START + 20_000, 1),
        (START - 20_000, 1),
    ]


def test_the_published_case_of_four_players() -> None:
    people = [person() for _ in range(4)]
    for user, points in zip(people, (1700, 1550, 1500, 1350), strict=True):
        _set(user, 1000 * points, 15)
    assert _gains(finished(people, [2, 1, 3, 4])) == [-3685, 14637, -3970, -6982]


def test_changes_add_up_to_nothing_with_any_number_of_players() -> None:
    for seats in range(2, 6):
        match = finished([person() for _ in range(seats)], [1] * 2 + list(range(3, seats + 1)))
        assert sum(_gains(match)) == 0
        assert match.rating_changes.count() == seats


def test_a_change_keeps_the_inputs_it_was_computed_from() -> None:
    ann, bob = person(), person()
    finished([ann, bob])
    second = RatingChange.objects.get(match=finished([bob, ann], [2, 1]), user=ann)
    assert (second.seat, second.before, second.games_before, second.place) == (1, START + 20_000, 1, 1)


def test_who_resigns_is_rated_as_the_loser() -> None:
    match = resigned([person(), person()], loser=0)
    assert _gains(match) == [-20_000, 20_000]


def test_every_game_and_speed_is_a_pool_of_its_own() -> None:
    ann, bob = person(), person()
    finished([ann, bob], speed=Speed.LIVE)
    finished([ann, bob], speed=Speed.DAYS)
    assert {(row.speed, row.games) for row in Rating.objects.filter(user=ann)} == {("live", 1), ("days", 1)}


def test_casual_matches_change_nothing() -> None:
    assert _gains(finished([person(), person()], rated=False)) == []


def test_aborted_matches_change_nothing() -> None:
    match = running_match([person(), person()], rated=True)
    commands.offer_abort(match.pk, 0)
    match.refresh_from_db()
    assert (match.status, RatingChange.objects.count()) == (Match.Status.ABORTED, 0)


def test_a_match_in_which_somebody_never_acted_is_not_rated_now_or_later() -> None:
    match = running_match([person(), person()], rated=True)
    act(match, "end")
    commands.resign(match.pk, 1, "resigning-now")
    assert RatingChange.objects.count() == 0
    call_command("recompute_ratings", "--check")
    call_command("recompute_ratings")
    assert RatingChange.objects.count() == 0


def test_matches_alone_change_no_rating() -> None:
    assert _gains(finished([person()], rated=True)) == []


def test_matches_with_a_seat_without_a_person_change_nothing() -> None:
    match = running_match([person(), person()], rated=True)
    match.seats.filter(number=1).update(user=None)
    assert _gains(end(match, [1, 2])) == []


def test_hearing_of_the_end_twice_rates_once() -> None:
    match = finished([person(), person()])
    seats = list(match.seats.order_by("number"))
    with writing():
        match_over.send(Match, match=match, seats=seats)
    assert _gains(match) == [20_000, -20_000]
    assert set(Rating.objects.values_list("games", flat=True)) == {1}


def test_nothing_is_rated_when_the_transaction_fails() -> None:
    match = running_match([person(), person()], rated=True)

    def fail(**_: object) -> None:
        raise RuntimeError("somebody else who listens fails")

    match_over.connect(fail)
    try:
        commands.resign(match.pk, 0, "resigning-now")
    finally:
        match_over.disconnect(fail)
    match.refresh_from_db()
    assert (match.status, RatingChange.objects.count(), Rating.objects.count()) == (Match.Status.ABORTED, 0, 0)


def test_a_rating_has_a_question_mark_until_ten_matches() -> None:
    ann, bob = person(), person()
    for _ in range(9):
        finished([ann, bob], [1, 1])
    assert Rating.objects.get(user=ann).shown == "1500?"
    finished([ann, bob], [1, 1])
    assert Rating.objects.get(user=ann).shown == "1500"


# --- alone --------------------------------------------------------------------------------------------------------


def test_the_best_public_result_alone_is_kept() -> None:
    ann = person()
    ranks = [_alone(ann, seed).seats.get().solo_rank or 0 for seed in range(3)]
    assert [best.rank for best in SoloBest.objects.filter(user=ann)] == [max(ranks)]


def test_a_private_result_alone_is_not_on_the_table() -> None:
    _alone(person(), 1, visibility=Match.Visibility.PRIVATE)
    assert not SoloBest.objects.exists()


def _alone(user: User, seed: int, **fields: Any) -> Match:
    return play_out(running_match([user], seed=bytes([seed] * 32), **fields))


# --- computed again -------------------------------------------------------------------------------------------------


@pytest.fixture
def some_matches() -> list[Match]:
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    return [
        finished([ann, bob]),
        finished([bob, cid], [1, 1]),
        finished([cid, ann, bob], [2, 1, 3]),
        finished([ann, cid], speed=Speed.DAYS),
        finished([ann, cid], rated=False),
        resigned([ann, bob]),
    ]


def test_the_check_passes_on_what_was_applied(some_matches: list[Match], capsys: pytest.CaptureFixture[str]) -> None:
    call_command("recompute_ratings", "--check")
    assert "All ratings are right: 11 changes from 5 matches." in capsys.readouterr().out


@pytest.mark.parametrize("field", ["before", "after", "games_before", "place"])
def test_the_check_catches_a_tampered_change(some_matches: list[Match], field: str) -> None:
    change = RatingChange.objects.get(match=some_matches[2], seat=1)
    setattr(change, field, getattr(change, field) + 1)
    change.save()
    with pytest.raises(CommandError, match=rf"match {some_matches[2].slug}, seat 1, {field}: .* is stored"):
        call_command("recompute_ratings", "--check")


def test_the_check_catches_a_tampered_rating(some_matches: list[Match]) -> None:
    Rating.objects.filter(user__username="cid", speed="days").update(rating=2_000_000)
    with pytest.raises(CommandError, match="2000000"):
        call_command("recompute_ratings", "--check")


def test_the_check_catches_a_match_that_was_not_applied(some_matches: list[Match]) -> None:
    RatingChange.objects.filter(match=some_matches[-1]).delete()
    with pytest.raises(CommandError, match=f"match {some_matches[-1].slug}, seat 0: no change is stored"):
        call_command("recompute_ratings", "--check")


def test_the_check_catches_a_change_of_a_casual_match(some_matches: list[Match]) -> None:
    RatingChange.objects.filter(match=some_matches[-1]).update(match=some_matches[4])
    with pytest.raises(CommandError):
        call_command("recompute_ratings", "--check")


def test_the_check_writes_nothing(some_matches: list[Match]) -> None:
    Rating.objects.filter(user__username="cid").update(rating=1)
    with pytest.raises(CommandError):
        call_command("recompute_ratings", "--check")
    assert set(Rating.objects.filter(user__username="cid").values_list("rating", flat=True)) == {1}


def test_recomputing_mends_what_was_tampered_with(some_matches: list[Match]) -> None:
    before = sorted(RatingChange.objects.values_list("match", "user", "before", "after", "games_before"))
    standing = sorted(Rating.objects.values_list("user", "speed", "rating", "games"))
    RatingChange.objects.filter(match=some_matches[0]).delete()
    Rating.objects.filter(user__username="ann").update(rating=1, games=99)
    call_command("recompute_ratings")
    assert sorted(RatingChange.objects.values_list("match", "user", "before", "after", "games_before")) == before
    assert sorted(Rating.objects.values_list("user", "speed", "rating", "games")) == standing
    call_command("recompute_ratings", "--check")


def test_deleted_accounts_leave_their_opponents_ratings_checkable(some_matches: list[Match]) -> None:
    some_matches[0].seats.get(number=0).user.delete()  # type: ignore[union-attr]  # ann sits there
    call_command("recompute_ratings", "--check")
    assert RatingChange.objects.filter(user=None).count() == 4


# --- at the same time -------------------------------------------------------------------------------------------------


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_fifty_finishes_in_parallel_rate_each_person_once_per_match() -> None:
    people = [person() for _ in range(4)]
    matches = [running_match([people[i % 4], people[(i + 1 + i // 4 % 3) % 4]], rated=True) for i in range(10)]
    Seat.objects.update(acted=True)  # a match counts once everybody has acted
    jobs = [(match.pk, seat, f"finish-{n:04}") for match in matches for n, seat in enumerate((0, 1, 0, 1, 0))]

    def run(*job: Any) -> bool:
        try:
            commands.resign(*job)
        except RuleViolation:
            return False
        return True

    ends = together(partial(run, *job) for job in jobs)
    assert ends.count(True) == len(matches)
    assert RatingChange.objects.count() == 2 * len(matches)
    assert sum(Rating.objects.values_list("rating", flat=True)) == 4 * START
    call_command("recompute_ratings", "--check")
