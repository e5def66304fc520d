"""Events of clubs: who makes, changes and cancels them, what the form refuses, and who sees and enters them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.clubs import services as clubs
from games.clubs.models import Club, Member
from games.engine.protocol import RuleViolation
from games.events import lines, organising, rounds, services
from games.events.formats import Format
from games.events.jobs import Confirmations
from games.events.models import Entry, Event
from games.events.organising import cancel_event, change_event, make_event
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice, Preferences
from games.notifications.validity import judge
from games.play.models import Match, Speed
from games.titles import titles
from tests.people import client_of, person
from tests.site.events.test_tournaments import played_on, running

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

MINUTE, DAY, WEEK = timedelta(minutes=1), timedelta(days=1), timedelta(weeks=1)
LIVE, DAYS = "600+10/1200", "86400+14400/259200"
LENGTHS: dict[str, dict[str, Any]] = {
    "swiss": {"length": 40 * MINUTE, "rounds": 3},
    "robin": {"length": 40 * MINUTE},
    "knockout": {"length": 40 * MINUTE, "lives": 2},
    "arena": {"length": 90 * MINUTE},
    "league": {"length": 9 * WEEK, "speed": Speed.DAYS, "clock": DAYS},
    "ladder": {"speed": Speed.DAYS, "clock": DAYS},
}


def club(owner: User, *members: User, private: bool = False) -> Club:
    made = clubs.found(owner, f"Club of {owner.username}", private=private)
    for user in members:
        Member.objects.create(club=made, user=user)
    return made


def fields(format_: str = "swiss", **more: Any) -> dict[str, Any]:
    start = timezone.now() + 3 * DAY
    given = {"game": "shifting-stones", "format": format_, "starts_at": start, "clock": LIVE}
    return {**given, **LENGTHS[format_], **more}


def refusal(doing: Callable[..., Any], *args: Any, **more: Any) -> RuleViolation:
    with pytest.raises(RuleViolation) as refused:
        doing(*args, **more)
    return refused.value


def status(reader: User | None, path: str) -> int:
    return int((client_of(reader) if reader else Client()).get(path).status_code)


def shown(reader: User, path: str) -> str:
    response = client_of(reader).get(path)
    assert response.status_code == 200
    return response.content.decode()


def form(**more: Any) -> dict[str, Any]:
    """Return what the form sends as it is first filled in."""
    start = timezone.localtime(timezone.now() + 3 * DAY).strftime("%Y-%m-%dT%H:%M")
    given = {"format": "swiss", "speed": "live", "starts_at": start, "rounds": 3, "lives": 1, "round_minutes": 60}
    given |= {"round_days": 28, "arena_minutes": 90, "season_weeks": 9, "seats": 2, "least": 2, "rated": "on"}
    return {**given, "live_clock": LIVE, "days_clock": DAYS, **more}


# --- making -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", list(LENGTHS))
def test_owners_and_helpers_make_events_of_every_format_by_the_form(format_: str) -> None:
    ann, bob = person("ann"), person("bob")
    made = club(ann, bob)
    path = f"{reverse('event_new', args=[made.slug])}?game=card-chess"
    assert status(bob, path) == 404
    clubs.give_role(ann, made.slug, "bob", Member.Role.HELPER)
    page = shown(bob, path)
    assert 'value="swiss"' in page
    answer = client_of(bob).post(path, form(format=format_, lives=2))
    event = Event.objects.get(club=made)
    assert answer.headers["Location"] == event.get_absolute_url()
    assert (event.game, event.format, event.want, event.rated) == ("card-chess", format_, 2, True)
    assert event.speed == (Speed.DAYS if format_ in {"league", "ladder"} else Speed.LIVE)
    assert event.lives == (2 if format_ == "knockout" else 1)
    assert event.rounds == (3 if format_ == "swiss" else None)
    span = {"swiss": 180 * MINUTE, "arena": 90 * MINUTE, "league": 9 * WEEK}.get(format_)
    assert event.ends_at == (event.starts_at + span if span else None)
    assert event.round_length == (60 * MINUTE if format_ in {"swiss", "robin", "knockout"} else None)
    assert event.get_absolute_url() in shown(ann, made.get_absolute_url())
    shown(bob, reverse("event_change", args=[event.slug]))


@pytest.mark.parametrize("game", list(titles()))
def test_what_is_filled_in_first_is_accepted_for_every_game(game: str) -> None:
    ann = person("ann")
    made = club(ann)
    path = f"{reverse('event_new', args=[made.slug])}?game={game}"
    for more in ({}, {"speed": "days"}, {"format": "arena"}, {"format": "league"}, {"format": "ladder"}):
        assert client_of(ann).post(path, form(**more)).status_code == 302, more


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"game": "ludo"}, "event-game"),
        ({"format": "lottery"}, "event-format"),
        ({"want": 3, "least": 4}, "event-seats"),
        ({"want": 9}, "event-seats"),
        ({"least": 1}, "event-seats"),
        ({"options": {"nothing": True}}, "option"),
        ({"speed": "never"}, "event-speed"),
        ({"format": "arena", "speed": Speed.DAYS}, "event-speed"),
        ({"rounds": None}, "event-rounds"),
        ({"rounds": 99}, "event-rounds"),
        ({"lives": 3}, "event-lives"),
        ({"length": None}, "event-length"),
        ({"length": 300 * MINUTE}, "event-length"),
        ({"clock": ""}, "clock"),
        ({"clock": "5"}, "clock"),
        ({"starts_at": timezone.now() - 9 * DAY}, "moment"),
        ({"clock": "1800+30/3600"}, "event-clock"),
    ],
)
def test_what_cannot_be_played_is_refused(more: dict[str, Any], code: str) -> None:
    ann = person("ann")
    assert refusal(make_event, club(ann), ann, **fields(**more)).code == code
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            {"clock": "1800+60/3600"},
            "can take 100 min, which is too long. What would fit: rounds of 100 min.",
        ),
        ({"format": "arena", "length": 20 * MINUTE}, "at most 6 min at the start"),
        (
            {"format": "league", "length": 5 * WEEK, "speed": Speed.DAYS, "clock": "172800+43200/432000"},
            "a season of 105 days",
        ),
        (
            {"speed": Speed.DAYS, "clock": "172800+43200/432000", "length": 30 * DAY},
            "at most 8 hours for each turn; rounds of 42 days",
        ),
    ],
)
def test_a_clock_that_would_take_too_long_is_refused_with_what_would_fit(more: dict[str, Any], words: str) -> None:
    ann = person("ann")
    text = refusal(make_event, club(ann), ann, **fields(**{**LENGTHS[more.get("format", "swiss")], **more})).text
    assert words in text


def test_what_is_said_to_fit_does_at_tables_of_every_size(clock: Any) -> None:
    ann = person("ann")
    made = club(ann)
    given = fields(want=4, least=2, clock="900+20/1800", length=60 * MINUTE)
    text = refusal(make_event, made, ann, **given).text
    assert "rounds of 90 min" in text
    assert make_event(made, ann, **{**given, "length": 90 * MINUTE}).want == 4
    assert refusal(make_event, made, ann, **{**given, "length": 85 * MINUTE}).code == "event-clock"


def test_the_form_says_beside_the_field_what_is_wrong() -> None:
    ann = person("ann")
    made = club(ann)
    path = f"{reverse('event_new', args=[made.slug])}?game=shifting-stones"
    for more, field in (
        ({"round_minutes": 20}, "live_clock"),
        ({"starts_at": "2020-01-01T20:00"}, "starts_at"),
        ({"round_minutes": ""}, "round_minutes"),
        ({"rounds": 40}, "rounds"),
        ({"live_clock": "other"}, "minutes"),
    ):
        answer = client_of(ann).post(path, form(**more))
        assert answer.status_code == 422
        assert field in answer.context["form"].errors
    assert client_of(ann).post(path, form(live_clock="other", minutes=10, seconds=5)).status_code == 302
    assert Event.objects.get().clock == "600+5/1200"


def test_only_who_leads_the_club_makes_changes_and_cancels_events_and_not_too_many(monkeypatch: Any) -> None:
    ann, bob = person("ann"), person("bob")
    made = club(ann, bob)
    event = make_event(made, ann, **fields())
    assert refusal(make_event, made, bob, **fields()).code == "not-leader"
    assert refusal(change_event, event, bob, **fields()).code == "not-leader"
    assert refusal(cancel_event, event, bob).code == "not-leader"
    monkeypatch.setattr(organising, "MOST", 1)
    assert refusal(make_event, made, ann, **fields()).code == "too-many-events"


# --- changing and cancelling ------------------------------------------------------------------------------------------


def test_after_a_change_whoever_has_entered_is_asked_again(clock: Any, works: Any) -> None:
    ann, bob = person("ann"), person("bob")
    event = make_event(club(ann, bob), ann, **fields(starts_at=timezone.now() + timedelta(hours=5)))
    services.enter(bob, event.slug)
    assert Confirmations().look(timezone.now()) == 0
    path = reverse("event_change", args=[event.slug])
    assert 'value="40"' in shown(ann, path)
    later = timezone.localtime(timezone.now() + timedelta(hours=8)).strftime("%Y-%m-%dT%H:%M")
    answer = client_of(ann).post(path, form(starts_at=later, rounds=4, format="arena", speed="days"))
    assert answer.headers["Location"] == event.get_absolute_url()
    event.refresh_from_db()
    assert (event.format, event.speed, event.rounds) == (Format.SWISS, Speed.LIVE, 4)
    assert event.starts_at == event.next_at == timezone.now() + timedelta(hours=8)
    for _ in range(2):
        assert Confirmations().look(timezone.now()) == 1
        change_event(event, ann, **fields(starts_at=event.starts_at))
    works(event.starts_at)
    assert Entry.objects.get(user=bob).is_paused
    assert refusal(change_event, event, ann, **fields()).code == "event-begun"
    assert refusal(cancel_event, event, ann).code == "event-begun"
    assert status(ann, path) == 404


def test_a_cancelled_event_is_over_for_everybody_who_had_entered(clock: Any) -> None:
    ann, bob = person("ann"), person("bob")
    made = club(ann, bob)
    event, empty = make_event(made, ann, **fields()), make_event(made, ann, **fields("arena"))
    services.enter(bob, event.slug)
    for each in (event, empty):
        answer = client_of(ann).post(reverse("event_change", args=[each.slug]), {"do": "cancel"})
        assert answer.headers["Location"] == made.get_absolute_url()
    assert Event.objects.get() == event
    event.refresh_from_db()
    assert (event.state, event.next_at) == (Event.State.CANCELLED, None)
    message = message_of(Notice.objects.get(user=bob, kind=Kind.SEASON))
    assert message.text == "Its organizers have called it off."
    assert "called off" in shown(bob, event.get_absolute_url())


# --- who sees and enters them -----------------------------------------------------------------------------------------


def test_everybody_sees_an_event_of_a_public_club_and_its_members_enter() -> None:
    ann, bob, zoe = person("ann"), person("bob"), person("zoe")
    made = club(ann, bob)
    event = make_event(made, ann, **fields())
    page = shown(zoe, event.get_absolute_url())
    assert "Only members of the club can enter this event." in page
    assert f'href="{made.get_absolute_url()}"' in page
    assert 'value="enter"' not in page
    assert 'value="enter"' in shown(bob, event.get_absolute_url())
    assert 'id="organise"' in shown(ann, event.get_absolute_url())
    assert 'id="organise"' not in shown(bob, event.get_absolute_url())
    assert refusal(services.enter, zoe, event.slug).code == "not-member"
    assert client_of(zoe).post(event.get_absolute_url(), {"do": "enter"}).status_code == 422
    assert client_of(bob).post(event.get_absolute_url(), {"do": "enter"}).status_code == 302
    assert event.slug not in shown(zoe, reverse("events"))


def test_a_private_club_has_its_events_for_itself(works: Any) -> None:
    ann, bob, zoe = person("ann"), person("bob"), person("zoe")
    made = club(ann, bob, private=True)
    event = make_event(made, ann, **fields())
    pages = [event.get_absolute_url(), reverse("event_proof", args=[event.slug])]
    for user in (ann, bob):
        services.enter(user, event.slug)
    with pytest.raises(Event.DoesNotExist):
        services.enter(zoe, event.slug)
    works(event.starts_at - timedelta(hours=2))
    for user in (ann, bob):
        services.confirm(user, event.slug)
    works(event.starts_at)
    match = running(event)[0]
    assert match.visibility == Match.Visibility.CLUB
    for reader, sees in ((ann, 200), (zoe, 404), (None, 404)):
        assert status(reader, event.get_absolute_url()) == sees
        assert status(reader, match.get_absolute_url()) == sees
        if reader is None or sees == 404:
            browser = client_of(reader) if reader else Client()
            assert browser.post(event.get_absolute_url(), {"do": "enter"}).status_code == 404
    played_on(event, works)
    for path in pages:
        assert [status(reader, path) for reader in (bob, zoe, None)] == [200, 404, 404]
    said = "".join(
        (client_of(zoe).get(path).content.decode())
        for path in (reverse("events"), "/", "/lobby/", "/archive/", f"/@{bob.username}/", reverse("clubs"))
    )
    assert event.slug not in said
    assert match.slug not in said
    assert lines.one_line(AnonymousUser()).told is None


def test_whoever_leaves_or_is_removed_from_a_club_leaves_its_events_and_hears_no_more_of_them(works: Any) -> None:
    ann, bob, cyd = person("ann"), person("bob"), person("cyd")
    made = club(ann, bob, cyd, private=True)
    event = make_event(made, ann, **fields())
    for user in (bob, cyd):
        services.enter(user, event.slug)
    works(event.starts_at - timedelta(hours=2))
    notice = Notice.objects.get(user=cyd, kind=Kind.CONFIRM)
    assert judge(notice, Preferences.of(cyd), timezone.now()).tell
    clubs.leave(bob, made.slug)
    clubs.remove_member(ann, made.slug, "cyd")
    assert all(entry.is_out for entry in event.entries.all())
    assert not judge(notice, Preferences.of(cyd), timezone.now()).tell
    assert lines.one_line(cyd).told is None
    assert status(cyd, event.get_absolute_url()) == 404


def test_a_club_that_closes_takes_its_events_with_it_and_matches_go_on(works: Any) -> None:
    ann, bob = person("ann"), person("bob")
    made = club(ann, bob)
    event = make_event(made, ann, **fields())
    for user in (ann, bob):
        services.enter(user, event.slug)
    Entry.objects.update(confirmed_at=event.starts_at)
    works(event.starts_at)
    match = running(event)[0]
    clubs.close(ann, made.slug)
    assert not Event.objects.exists()
    assert not rounds.go_on(event.pk), "a worker that had found it before goes on"
    match.refresh_from_db()
    assert match.is_running
    works(event.starts_at + timedelta(hours=1))
    assert status(bob, match.get_absolute_url()) == 200
