"""Waiting, being asked, answering: through the services, with a worker that looks when the test says so."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.joining import guests
from accounts.models import User
from accounts.relations import block
from games.engine import fair
from games.engine.protocol import RuleViolation
from games.matchmaking.limits import PERSON, RATED
from games.matchmaking.models import Use
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from games.pairing import services
from games.pairing.matching import prospect
from games.pairing.models import Habit, Lapse, Offer, Wait
from games.pairing.search import COOLDOWN_AFTER_DECLINING, Search
from games.play.models import Match
from games.play.reducer import positions
from games.play.signals import pages_open
from games.ratings.models import Rating
from tests.people import open_table, person, running_match
from tests.site.pairing.waits import GAME, all_go, waiting, work

pytestmark = pytest.mark.django_db


def elapse(wait: Wait, **fields: int) -> None:
    """Make everything about a wait so much older."""
    ago = timedelta(**fields)
    wait.refresh_from_db()
    Wait.objects.filter(pk=wait.pk).update(since=wait.since - ago, seen_at=wait.seen_at - ago)
    Offer.objects.filter(waits=wait).update(until=timezone.now() + services.ANSWER_WITHIN - ago)


# --- a live match -----------------------------------------------------------------------------------------------------


def test_two_who_wait_are_asked_and_play_when_both_are_there() -> None:
    ann, bob = waiting(person()), waiting(person())
    assert work() == 1
    all_go(ann, bob)
    match = Match.objects.get()
    assert ann.match == bob.match == match
    assert match.is_running
    assert {seat.user for seat in match.seats.all()} == {ann.user, bob.user}
    assert {ann.state, bob.state} == {Wait.State.PAIRED}
    assert not Offer.objects.exists()
    assert work() == 0


def test_nothing_begins_before_everybody_has_answered() -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    ann.refresh_from_db()
    services.go(ann.user, ann.pk, ann.offer_id or 0)
    assert not Match.objects.exists()
    bob.refresh_from_db()
    assert bob.is_asked


def test_answering_twice_begins_one_match() -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    ann.refresh_from_db()
    offer = ann.offer_id or 0
    all_go(ann, bob)
    services.go(ann.user, ann.pk, offer)
    assert Match.objects.count() == 1


def test_the_luck_that_players_add_counts_and_the_fingerprint_they_saw_is_that_of_the_match() -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    offer = Offer.objects.get()
    services.go(ann.user, ann.pk, offer.pk, b"ann's luck")
    services.go(bob.user, bob.pk, offer.pk, b"bob's luck")
    match = Match.objects.get()
    assert match.commit == offer.commit == fair.commitment(bytes(offer.server_seed))
    assert {bytes(seat.nonce) for seat in match.seats.all()} == {b"ann's luck", b"bob's luck"}


def test_who_declines_once_waits_on_and_is_left_alone_for_a_while() -> None:
    ann, bob = waiting(person()), waiting(person(), 50)
    work()
    ann.refresh_from_db()
    services.decline(ann.user, ann.pk, ann.offer_id or 0)
    ann.refresh_from_db()
    bob.refresh_from_db()
    assert (ann.offer, bob.offer, ann.state) == (None, None, Wait.State.WAITING)
    assert work() == 0
    Lapse.objects.update(at=timezone.now() - COOLDOWN_AFTER_DECLINING[0])
    assert work() == 1


def test_who_declines_again_is_withdrawn_and_the_other_waits_on_from_when_they_came() -> None:
    ann, bob = waiting(person()), waiting(person(), 50)
    since = bob.since
    for _round in range(2):
        Lapse.objects.update(at=timezone.now() - COOLDOWN_AFTER_DECLINING[0])
        work()
        ann.refresh_from_db()
        services.decline(ann.user, ann.pk, ann.offer_id or 0)
    ann.refresh_from_db()
    bob.refresh_from_db()
    assert (ann.state, ann.why) == (Wait.State.WITHDRAWN, Wait.Why.DECLINED)
    assert (bob.state, bob.since, bob.declined) == (Wait.State.WAITING, since, 0)


def test_who_does_not_answer_in_time_is_withdrawn_and_who_did_waits_on() -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    ann.refresh_from_db()
    services.go(ann.user, ann.pk, ann.offer_id or 0)
    Offer.objects.update(until=timezone.now() - timedelta(seconds=1))
    work()
    ann.refresh_from_db()
    bob.refresh_from_db()
    assert (ann.state, ann.ready) == (Wait.State.WAITING, False)
    assert (bob.state, bob.why) == (Wait.State.WITHDRAWN, Wait.Why.LATE)
    assert not Match.objects.exists()


def test_an_answer_to_an_offer_that_is_gone_does_nothing() -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    ann.refresh_from_db()
    old = ann.offer_id or 0
    services.withdraw(bob.user, bob.pk)
    services.go(ann.user, ann.pk, old)
    services.decline(ann.user, ann.pk, old)
    ann.refresh_from_db()
    assert (ann.state, ann.declined, ann.ready) == (Wait.State.WAITING, 0, False)


def test_somebody_elses_wait_cannot_be_answered_or_withdrawn() -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    ann.refresh_from_db()
    services.go(bob.user, ann.pk, ann.offer_id or 0)
    services.decline(bob.user, ann.pk, ann.offer_id or 0)
    services.withdraw(bob.user, ann.pk)
    ann.refresh_from_db()
    assert (ann.state, ann.is_asked, ann.declined) == (Wait.State.WAITING, True, 0)


def test_three_play_while_a_fourth_withdraws() -> None:
    waits = [waiting(person(), 10 - number, seats=(3,)) for number in range(4)]
    work()
    asked = [it for it in waits if Wait.objects.filter(pk=it.pk).exclude(offer=None).exists()]
    assert asked == waits[:3]
    services.withdraw(waits[0].user, waits[0].pk)
    work()
    all_go(*waits[1:])
    assert Match.objects.get().seat_count == 3


# --- every page closed ------------------------------------------------------------------------------------------------


def test_with_every_page_closed_for_half_a_minute_one_has_stopped_waiting() -> None:
    ann, bob = waiting(person()), waiting(person(), seats=(3,))
    elapse(ann, seconds=31)
    elapse(bob, seconds=29)
    work()
    ann.refresh_from_db()
    bob.refresh_from_db()
    assert (ann.state, ann.why) == (Wait.State.WITHDRAWN, Wait.Why.AWAY)
    assert bob.state == Wait.State.WAITING


def test_an_open_page_keeps_one_waiting() -> None:
    ann = waiting(person())
    elapse(ann, seconds=29)
    pages_open.send(Match, people={ann.user_id})
    ann.refresh_from_db()
    assert ann.seen_at > timezone.now() - timedelta(seconds=10)


def test_over_days_one_waits_without_a_page() -> None:
    ann = waiting(person(), speed="days")
    elapse(ann, days=3)
    work()
    ann.refresh_from_db()
    assert ann.state == Wait.State.WAITING


# --- over days --------------------------------------------------------------------------------------------------------


def test_over_days_the_match_begins_at_once_and_both_are_told() -> None:
    ann, bob = waiting(person(), speed="days"), waiting(person(), speed="days")
    work()
    match = Match.objects.get()
    assert match.is_running
    assert match.speed == "days"
    assert match.clock
    notices = Notice.objects.filter(match=match, kind__in=[Kind.PAIRED, Kind.STARTED])
    assert {(it.user, it.kind) for it in notices} == {(ann.user, "paired"), (bob.user, "paired")}
    told = message_of(notices.get(user=ann.user))
    assert told.title == "Players found: Shifting Stones"
    assert bob.user.username in told.text


def test_a_live_match_is_told_as_any_other() -> None:
    waits = waiting(person()), waiting(person())
    work()
    all_go(*waits)
    assert set(Notice.objects.values_list("kind", flat=True)) <= {"started", "turn"}


# --- what one waits for -----------------------------------------------------------------------------------------------


def test_asking_again_for_the_same_keeps_the_place_in_the_queue() -> None:
    ann = person()
    first = waiting(ann, 40)
    assert services.wait(ann, Search(GAME, (2,), rated=False)).since == first.since


def test_a_live_search_takes_the_place_of_the_last_one_and_days_wait_beside_it() -> None:
    ann = person()
    days, first = waiting(ann, speed="days"), waiting(ann)
    second = waiting(ann, game="card-chess")
    current = set(Wait.objects.current().values_list("pk", flat=True))
    assert current == {days.pk, second.pk}
    first.refresh_from_db()
    assert first.state == Wait.State.WITHDRAWN


def test_what_was_chosen_is_remembered_for_each_game() -> None:
    ann = person()
    waiting(ann, seats=(2, 3), speed="days", rated=True)
    habit = Habit.objects.get(user=ann, game=GAME)
    assert (habit.seats, habit.speed, habit.rated) == ([2, 3], "days", True)


@pytest.mark.parametrize(
    ("search", "code"),
    [
        ({"seats": ()}, "seats"),
        ({"seats": (1,)}, "seats"),
        ({"seats": (2, 9)}, "seats"),
        ({"game": "nothing"}, "game"),
        ({"speed": "slow"}, "game"),
        ({"game": "small-islands", "accepts": {"table": ["round"]}}, "option"),
    ],
)
def test_what_is_not_offered_is_refused(search: dict[str, object], code: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        waiting(person(), **search)  # type: ignore[arg-type]  # some of them are wrong on purpose
    assert refusal.value.code == code


def test_guests_wait_for_casual_matches_alone() -> None:
    guest = User.objects.create_user("Guest-Quiet-Otter", guest=True)
    with pytest.raises(RuleViolation) as refusal:
        waiting(guest, rated=True)
    assert refusal.value.code == "guest-rated"
    waits = waiting(guest), waiting(person())
    work()
    all_go(*waits)
    assert not Match.objects.get().rated


def test_rated_and_casual_speeds_and_games_do_not_mix() -> None:
    waiting(person())
    waiting(person(), rated=True)
    waiting(person(), speed="days")
    waiting(person(), game="card-chess")
    assert work() == 0


def test_everybody_plays_what_all_of_them_accept() -> None:
    choosy = waiting(person(), game="small-islands", accepts={"table": ["small"]})
    usual = waiting(person(), game="small-islands")
    assert work() == 0
    open_ = waiting(person(), game="small-islands", accepts={"table": ["large", "small"], "mode": ["normal"]})
    services.withdraw(usual.user, usual.pk)
    work()
    all_go(choosy, open_)
    assert Match.objects.get().options["table"] == "small"


# --- limits -----------------------------------------------------------------------------------------------------------


def test_whoever_may_not_sit_down_any_more_is_told_why_and_the_other_waits_on() -> None:
    ann, bob = waiting(person()), waiting(person())
    seats = PERSON[Use.What.SEAT].most
    Use.objects.bulk_create([Use(what=Use.What.SEAT, user=bob.user) for _ in range(seats)])
    work()
    all_go(ann, bob)
    assert (ann.state, bob.state, bob.why) == (Wait.State.WAITING, Wait.State.WITHDRAWN, Wait.Why.REFUSED)
    assert "sat down" in bob.refusal
    assert not Match.objects.exists()


def test_nobody_is_asked_together_with_somebody_who_could_not_sit_down() -> None:
    ann = person()
    seats = PERSON[Use.What.SEAT].most
    Use.objects.bulk_create([Use(what=Use.What.SEAT, user=ann) for _ in range(seats)])
    with pytest.raises(RuleViolation) as refusal:
        waiting(ann)
    assert refusal.value.code == "too-many-seats"


def test_two_who_have_played_enough_rated_matches_wait_for_others() -> None:
    ann, bob = person(), person()
    for _ in range(RATED.most):
        running_match([ann, bob], rated=True)
    waiting(ann, 200, rated=True)
    waiting(bob, 200, rated=True)
    assert work() == 0
    waiting(person(), rated=True)
    assert work() == 1


def test_a_rated_match_about_to_begin_counts_before_two_are_asked() -> None:
    ann, bob = person(), person()
    for _ in range(RATED.most - 1):
        running_match([ann, bob], rated=True)
    open_table([ann, bob], seats=3, rated=True)
    waiting(ann, 200, rated=True)
    waiting(bob, 200, rated=True)
    assert work() == 0
    cid = waiting(person(), rated=True)
    assert work() == 1
    cid.refresh_from_db()
    assert cid.is_asked


def test_pairing_counts_as_sitting_down_and_not_as_opening_a_table() -> None:
    waits = waiting(person()), waiting(person())
    work()
    all_go(*waits)
    assert list(Use.objects.values_list("what", flat=True)) == ["seat", "seat"]


# --- who meets whom ---------------------------------------------------------------------------------------------------


def rate(user: User, rating: int) -> None:
    Rating.objects.create(user=user, game=GAME, speed="live", rating=rating * 1000, games=20)


def test_ratings_far_apart_wait_until_the_window_is_wide_enough() -> None:
    ann, bob = person(), person()
    rate(ann, 1200)
    rate(bob, 1500)
    waits = [waiting(ann, rated=True), waiting(bob, rated=True)]
    assert work() == 0
    for wait in waits:
        elapse(wait, seconds=45)
        pages_open.send(Match, people={wait.user_id})
    assert work() == 1


def test_an_honest_word_about_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = person(), person()
    rate(ann, 1640)
    mine = waiting(ann, 20, rated=True)
    waiting(bob, rated=True, seats=(4,))
    moment = mine.since + timedelta(seconds=20)
    monkeypatch.setattr(timezone, "now", lambda: moment)  # a fifth of a second widens the window
    told = prospect(mine)
    assert (told.others, told.usual, told.lowest, told.highest) == (1, None, 1490, 1790)
    now = timezone.now()
    for seconds in (10, 20, 30, 40, 50):
        Wait.objects.create(
            user=bob, game=GAME, speed="live", rated=True, seats=[2],
            state=Wait.State.PAIRED, since=now - timedelta(seconds=seconds), ended_at=now,
        )  # fmt: skip
    told = prospect(mine)
    assert (told.usual, told.counted) == (timedelta(seconds=30), 5)
    elapse(mine, minutes=3)
    assert prospect(Wait.objects.get(pk=mine.pk)).window is None


def test_people_kept_apart_are_never_asked_together_whoever_blocked_whom() -> None:
    ann, bob = waiting(person(), 500), waiting(person(), 500)
    block(bob.user, ann.user)
    assert work() == 0
    eve = waiting(person())
    assert work() == 1
    eve.refresh_from_db()
    assert eve.offer is not None


def test_a_block_while_both_are_asked_leaves_them_waiting_and_untold() -> None:
    ann, bob = waiting(person()), waiting(person())
    work()
    block(ann.user, bob.user)
    all_go(ann, bob)
    assert not Match.objects.exists()
    assert Wait.objects.free().count() == 2
    assert {ann.why, bob.why, ann.refusal, bob.refusal} == {""}


def test_somebody_who_deletes_their_account_leaves_no_match_for_fewer() -> None:
    waits = [waiting(person(), seats=(3,)) for _ in range(3)]
    work()
    waits[0].user.delete()
    for wait in waits[1:]:
        wait.refresh_from_db()
        services.go(wait.user, wait.pk, wait.offer_id or 0)
    assert not Match.objects.exists()
    assert Wait.objects.free().count() == Wait.objects.count() == 2


def test_a_guest_who_logs_in_to_an_account_goes_on_waiting_as_that_person() -> None:
    guest, ann = User.objects.create_user("Guest-Brave-Heron", guest=True), person()
    mine = waiting(guest)
    guests.take_over(guest, ann)
    mine.refresh_from_db()
    assert mine.user == ann


def test_the_dealt_match_can_be_played_at_once() -> None:
    waits = waiting(person()), waiting(person())
    work()
    all_go(*waits)
    match = Match.objects.get()
    assert positions.legal_texts(match, match.seats.get(to_move=True).number)
