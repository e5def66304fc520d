"""The same evening every week: when it is, that it is made once and a week ahead, and who may set it up."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.clubs import evenings, services
from games.clubs.evenings import Evenings, Plan
from games.clubs.models import Club, Evening, EveningDay
from games.matchmaking import planned
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from games.play.models import Match
from tests.people import client_of, person
from tests.site.clubs.clubs import Role, club_of, put_in, refused

pytestmark = pytest.mark.django_db

THURSDAY = 3
PLAN = Plan(THURSDAY, time(20), "Europe/Berlin", "shifting-stones", 2, "300+10/600")
AUTUMN = datetime(2026, 10, 12, 9, tzinfo=UTC)
"""A Monday; summer time ends on the 25th."""


@pytest.fixture(autouse=True)
def autumn(clock: Traveller) -> Traveller:
    clock.move_to(AUTUMN)
    return clock


def run(clock: Traveller, until: datetime) -> None:
    """Let a worker do what is due, each when it is."""
    job = Evenings()
    while (due := job.next_due()) and due < until:
        clock.move_to(max(due, timezone.now()))
        job.run_due(timezone.now())


def opened(club: Club) -> list[datetime]:
    found = Match.objects.filter(of_club__club=club).order_by("opens_at")
    return [match.opens_at for match in found if match.opens_at]


# --- when -------------------------------------------------------------------------------------------------------
def test_the_wall_clock_counts_when_summer_time_ends(ann: User, club: Club, autumn: Traveller) -> None:
    evenings.add(ann, club, PLAN)
    run(autumn, AUTUMN + timedelta(days=12))
    assert opened(club) == [
        datetime(2026, 10, 15, 18, tzinfo=UTC),
        datetime(2026, 10, 22, 18, tzinfo=UTC),
        datetime(2026, 10, 29, 19, tzinfo=UTC),
    ]
    made = list(EveningDay.objects.order_by("day").values_list("made_at", "begins_at"))
    assert made[0][0] == AUTUMN, "the first is made at once"
    assert made[1][1] - made[1][0] == timedelta(weeks=1)


def test_one_that_is_too_near_is_left_out(ann: User, club: Club, autumn: Traveller) -> None:
    autumn.move_to(datetime(2026, 10, 15, 17, 50, tzinfo=UTC))
    evening = evenings.add(ann, club, PLAN)
    assert evening.next_day == date(2026, 10, 22)


def test_days_without_a_worker_are_not_made_up_for(ann: User, club: Club, autumn: Traveller) -> None:
    evenings.add(ann, club, PLAN)
    autumn.shift(timedelta(days=30))
    Evenings().run_due(datetime(2026, 11, 11, 9, tzinfo=UTC))
    Evenings().run_due(datetime(2026, 11, 11, 9, tzinfo=UTC))
    assert opened(club) == [datetime(2026, 11, 12, 19, tzinfo=UTC)]


# --- what is made -----------------------------------------------------------------------------------------------
def test_a_table_of_the_club_is_made_once_and_members_are_told(ann: User, club: Club, autumn: Traveller) -> None:
    bob = put_in(club, user=person("bob"))
    evening = evenings.add(ann, club, PLAN)
    assert evenings.make(evening.pk)
    assert not evenings.make(evening.pk), "another worker has done it"
    match = Match.objects.get(of_club__club=club)
    assert (match.host, match.visibility, match.seat_count) == (ann, Match.Visibility.CLUB, 2)
    assert match.clock == "300+10/600"
    assert not match.promises.exists(), "the host need not play"
    message = message_of(Notice.objects.get(user=bob, kind=Kind.CLUB))
    assert message.title == f"{club.name} plays on Thu, 15 Oct, 18:00"
    assert Notice.objects.filter(user=bob).count() == 1, "of the table itself there is no other"
    assert "Shifting Stones" in message.text
    planned.come(match.pk, bob)
    planned.take_back(match.pk, bob)
    match.refresh_from_db()
    assert match.is_planned, "others can still come"
    planned.come(match.pk, bob)
    planned.come(match.pk, put_in(club, user=person("carl")))
    autumn.move_to(datetime(2026, 10, 15, 18, tzinfo=UTC))
    assert planned.open_planned(match.pk)


def test_a_tournament_is_made_every_week(ann: User, club: Club, autumn: Traveller) -> None:
    bob = put_in(club, user=person("bob"))
    swiss = replace(PLAN, what="swiss", rounds=3, round_length=timedelta(minutes=45))
    evenings.add(ann, club, swiss)
    run(autumn, AUTUMN + timedelta(days=2))
    event = club.events.get()
    assert (event.format, event.rounds, event.starts_at) == ("swiss", 3, datetime(2026, 10, 15, 18, tzinfo=UTC))
    assert "plays on Thu, 15 Oct" in message_of(Notice.objects.get(user=bob, kind=Kind.CLUB)).title
    assert event.get_absolute_url() in client_of(ann).get(f"/clubs/{club.slug}/evenings/").content.decode()
    run(autumn, AUTUMN + timedelta(days=4))
    assert club.events.count() == 2


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"speed": "days"}, "evening-days"),
        ({"rounds": None}, "event-rounds"),
        ({"round_length": timedelta(minutes=6)}, "event-clock"),
        ({"round_length": None}, "event-length"),
        ({"clock": ""}, "clock"),
    ],
)
def test_tournaments_that_are_refused(ann: User, club: Club, wrong: dict[str, Any], code: str) -> None:
    swiss = replace(PLAN, what="swiss", rounds=3, round_length=timedelta(minutes=45))
    assert refused(evenings.add, ann, club, replace(swiss, **wrong)) == code
    evening = evenings.add(ann, club, swiss)
    assert refused(evenings.change, ann, evening, replace(swiss, **wrong)) == code


def test_an_owner_hosts_when_whoever_set_it_up_does_not_lead_any_more(ann: User, club: Club) -> None:
    helper = put_in(club, Role.HELPER, person("helper"))
    evening = evenings.add(helper, club, PLAN)
    services.give_role(ann, club.slug, "helper", Role.MEMBER)
    evenings.make(evening.pk)
    assert Match.objects.get(of_club__club=club).host == ann


def test_what_cannot_be_made_says_why(ann: User, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.matchmaking.limits.PLANNED_TABLES", 0)
    evening = evenings.add(ann, club, PLAN)
    assert evenings.make(evening.pk)
    assert not Match.objects.exists()
    assert not Notice.objects.exists()
    page = client_of(ann).get(f"/clubs/{club.slug}/evenings/").content.decode()
    assert "Nothing could be made for" in page
    assert "You already have 0 planned tables." in page
    evening.refresh_from_db()
    assert evening.next_day == date(2026, 10, 22)


# --- who sets it up ---------------------------------------------------------------------------------------------
FORM = {
    "weekday": "3",
    "at": "20:00",
    "zone": "Europe/Rome",
    "what": "table",
    "seats": "2",
    "speed": "live",
    "live_clock": "600+15/1200",
    "days_clock": "none",
}


def test_a_helper_sets_up_pauses_and_removes_an_evening(club: Club) -> None:
    helper = client_of(put_in(club, Role.HELPER, person("helper")))
    page = f"/clubs/{club.slug}/evenings/"
    assert helper.get(f"{page}new/?game=shifting-stones").status_code == 200
    assert helper.get(f"{page}new/?game=chess")["Location"] == page
    assert helper.post(f"{page}new/?game=shifting-stones", FORM | {"zone": "Mars/Base"}).status_code == 422
    assert helper.post(f"{page}new/?game=shifting-stones", FORM).status_code == 302
    evening = Evening.objects.get()
    assert (evening.zone, evening.at, evening.clock) == ("Europe/Rome", time(20), "600+15/1200")
    assert "Every Thursday at 20:00" in helper.get(page).content.decode()
    helper.post(f"{page}{evening.pk}/", {"do": "pause"})
    assert not evenings.make(evening.pk)
    assert "paused" in helper.get(page).content.decode()
    helper.post(f"{page}{evening.pk}/", {"do": "go-on"})
    assert evenings.make(evening.pk)
    tournament = FORM | {"what": "swiss", "rounds": "3", "round_minutes": "5"}
    refusal = helper.post(f"{page}new/?game=shifting-stones", tournament).content.decode()
    assert "rounds of" in refusal, "the form says what would fit"
    helper.post(f"{page}new/?game=shifting-stones", tournament | {"round_minutes": "60"})
    assert Evening.objects.get(what="swiss").round_length == timedelta(hours=1)
    Evening.objects.filter(what="swiss").delete()
    helper.post(f"{page}{evening.pk}/", {"do": "remove"})
    assert not Evening.objects.exists()
    assert Match.objects.get(of_club__club=club).is_planned, "what is planned stays"


def test_a_pause_is_not_made_up_for_and_nothing_is_made_twice(ann: User, club: Club, autumn: Traveller) -> None:
    evening = evenings.add(ann, club, PLAN)
    evenings.make(evening.pk)
    evenings.pause(ann, evening)
    evenings.go_on(ann, evening)
    evening.refresh_from_db()
    assert evening.next_day == date(2026, 10, 22)
    evenings.pause(ann, evening)
    autumn.shift(timedelta(days=30))
    evenings.go_on(ann, evening)
    evening.refresh_from_db()
    assert evening.next_day == date(2026, 11, 12)


def test_a_helper_edits_an_evening_in_a_form_that_is_filled_in(ann: User, club: Club) -> None:
    helper = client_of(put_in(club, Role.HELPER, person("helper")))
    evening = evenings.add(
        ann, club, replace(PLAN, what="swiss", rounds=4, round_length=timedelta(minutes=70), clock="420+7/840")
    )
    page = f"/clubs/{club.slug}/evenings/{evening.pk}/change/"
    assert page in helper.get(f"/clubs/{club.slug}/evenings/").content.decode()
    form = helper.get(page).context["form"]
    shown = {name: form[name].value() for name in form.fields}
    assert shown | {"rounds": 4, "round_minutes": 70, "live_clock": "other", "minutes": 7, "seconds": 7} == shown
    assert (shown["weekday"], shown["at"], shown["zone"], shown["what"]) == (3, time(20), "Europe/Berlin", "swiss")
    refusal = helper.post(page, FORM | {"live_clock": "none", "rated": "on"})
    assert (refusal.status_code, b"A rated match needs a clock." in refusal.content) == (422, True)
    evening.refresh_from_db()
    assert evening.rounds == 4, "nothing has changed"
    other = helper.get(f"{page}?game=small-islands").context["form"]
    assert (other.title.slug, other["seats"].value(), other["weekday"].value()) == ("small-islands", 2, 3)
    sent = FORM | {"weekday": "4", "at": "19:30", "seats": "3", "game": "ignored"}
    assert helper.post(f"{page}?game=small-islands", sent).status_code == 302
    changed = Evening.objects.get()
    assert (changed.pk, changed.game, changed.what, changed.seats) == (evening.pk, "small-islands", "table", 3)
    assert (changed.weekday, changed.at, changed.rounds, changed.round_length) == (4, time(19, 30), None, None)
    assert (changed.by, changed.next_day) == (ann, date(2026, 10, 16))


def test_options_of_the_game_are_filled_in_and_kept(ann: User, club: Club) -> None:
    evening = evenings.add(ann, club, replace(PLAN, game="card-chess", options={"length": "decided", "shared": True}))
    form = client_of(ann).get(f"/clubs/{club.slug}/evenings/{evening.pk}/change/").context["form"]
    assert (form["option-length"].value(), form["option-shared"].value()) == ("decided", True)


def test_an_edit_counts_from_the_week_in_which_none_is_made_yet(ann: User, club: Club, autumn: Traveller) -> None:
    evening = evenings.add(ann, club, PLAN)
    evenings.make(evening.pk)
    evenings.change(ann, evening, replace(PLAN, weekday=4, seats=3))
    evening.refresh_from_db()
    assert evening.next_day == date(2026, 10, 23), "this week has its evening"
    assert Match.objects.get(of_club__club=club).seat_count == 2, "what is made stays"
    run(autumn, AUTUMN + timedelta(days=6))
    assert opened(club) == [datetime(2026, 10, 15, 18, tzinfo=UTC), datetime(2026, 10, 23, 18, tzinfo=UTC)]
    evenings.pause(ann, evening)
    evenings.change(ann, evening, PLAN)
    evening.refresh_from_db()
    assert evening.paused, "it stays paused"
    evenings.remove(ann, evening)
    assert refused(evenings.change, ann, evening, PLAN) == "evening-gone"


def test_others_have_no_evenings_to_set_up(ann: User, club: Club) -> None:
    mate, stranger = put_in(club, user=person("mate")), person("stranger")
    evening = evenings.add(ann, club, PLAN)
    page = f"/clubs/{club.slug}/evenings/"
    for user in (mate, stranger):
        browser = client_of(user)
        answers = [browser.get(page), browser.get(f"{page}new/?game=shifting-stones")]
        answers.append(browser.post(f"{page}{evening.pk}/", {"do": "remove"}))
        answers += [browser.get(f"{page}{evening.pk}/change/"), browser.post(f"{page}{evening.pk}/change/", FORM)]
        assert [it.status_code for it in answers] == [404] * 5
        assert refused(evenings.change, user, evening, PLAN) == "not-leader"
        for do in (evenings.pause, evenings.go_on, evenings.remove):
            assert refused(do, user, evening) == "not-leader"
    other = client_of(club_of(person("zoe"), "Another club").members.get().user)
    slug = Club.objects.exclude(pk=club.pk).get().slug
    assert other.post(f"/clubs/{slug}/evenings/{evening.pk}/", {"do": "remove"}).status_code == 404
    assert other.post(f"/clubs/{slug}/evenings/{evening.pk}/change/", FORM).status_code == 404


def test_a_club_has_only_so_many(ann: User, club: Club) -> None:
    for _number in range(evenings.MOST):
        evenings.add(ann, club, PLAN)
    assert refused(evenings.add, ann, club, PLAN) == "many-evenings"
