"""What people are told of events: once, in their language, through the channels they want, as long as it is true."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.events import services
from games.events.jobs import Confirmations, Seasons
from games.events.models import Entry, Event
from games.notifications.forms import WANTED, Volume
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice, Preferences
from games.notifications.validity import judge
from games.play import commands
from games.play.models import Match
from games.play.timekeeping import Timeouts
from tests.people import client_of, person
from tests.site.events.conftest import FRIDAY, START
from tests.site.events.test_going_on import opened, user_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

EVE = START - timedelta(hours=23)


@pytest.fixture
def league() -> Event:
    Seasons().look(FRIDAY)
    return Event.objects.get(game="shifting-stones", format="league")


def told(entry: Entry, kind: Kind) -> Notice:
    return Notice.objects.get(user=entry.user_id, kind=kind)


def is_told(notice: Notice) -> bool:
    return judge(notice, Preferences.of(notice.user), timezone.now()).tell


def test_whoever_entered_early_is_asked_once_a_day_before_and_until_they_confirm(league: Event, clock: Any) -> None:
    ada, bob = (services.enter(person(name), league.slug) for name in ("ada", "bob"))
    assert Confirmations().look(FRIDAY) == 0
    clock.move_to(EVE)
    late = services.enter(person("late"), league.slug)
    assert (Confirmations().look(EVE), Confirmations().look(EVE)) == (2, 0)
    assert not Notice.objects.filter(user=late.user_id).exists()
    notice = told(ada, Kind.CONFIRM)
    assert is_told(notice)
    message = message_of(notice)
    assert message.url.endswith(league.get_absolute_url())
    assert message.title == "Confirm that you will play: Shifting Stones"
    assert "If you do not confirm, you will not be paired." in message.text
    services.confirm(ada.user, league.slug)
    notice.refresh_from_db()
    assert notice.seen_at is not None
    assert not is_told(notice)
    assert is_told(told(bob, Kind.CONFIRM))
    clock.move_to(START)
    assert not is_told(told(bob, Kind.CONFIRM))


def test_the_notice_leads_to_the_page_with_the_button(league: Event, clock: Any) -> None:
    ada = services.enter(person("ada"), league.slug)
    clock.move_to(EVE)
    Confirmations().look(EVE)
    client = client_of(user_of(ada))
    assert league.get_absolute_url() in client.get("/notices/").content.decode()
    assert client.get(league.get_absolute_url()).status_code == 200


@pytest.mark.parametrize(
    ("language", "title"),
    [("de", "Bestätige, dass du mitspielst: Shifting Stones"), ("it", "Conferma che giocherai: Shifting Stones")],
)
def test_it_is_in_the_language_of_its_reader(league: Event, clock: Any, language: str, title: str) -> None:
    ada = services.enter(person("ada", language=language), league.slug)
    clock.move_to(EVE)
    Confirmations().look(EVE)
    assert message_of(told(ada, Kind.CONFIRM)).title == title


def test_whoever_has_not_confirmed_is_told_that_they_are_paused_until_they_come_back(league: Event, works: Any) -> None:
    ada = services.enter(person("ada"), league.slug)
    works(EVE)
    works(START)
    notice = told(ada, Kind.PAUSED)
    assert message_of(notice).text.startswith("You did not confirm before the start.")
    assert is_told(notice)
    services.enter(ada.user, league.slug)
    notice.refresh_from_db()
    assert notice.seen_at is not None
    assert not is_told(notice)


def test_whoever_does_not_come_is_told_that_they_are_paused(works: Any, clock: Any) -> None:
    event, people = opened("ladder", "ada", "bob")
    works(event.starts_at)
    match = Match.objects.get(heat__event=event)
    nobody = match.seats.get(to_move=True).user_id
    clock.shift(timedelta(days=20))
    assert Timeouts().run_due(timezone.now()) == 1
    notice = told(next(entry for entry in people if entry.user_id == nobody), Kind.PAUSED)
    assert message_of(notice).text.startswith("You did not come to a match. You will not be paired until you come back")
    assert is_told(notice)


def test_everybody_who_stayed_is_told_where_they_have_come(works: Any) -> None:
    event, (ada, bob, cyd) = opened("swiss", "ada", "bob", "cyd", rounds=1)
    services.leave(cyd.user, event.slug)
    works(event.starts_at)
    match = Match.objects.get(heat__event=event)
    loser = match.seats.get(number=0).user_id
    commands.resign(match.pk, 0, "resigns-now")
    works(event.starts_at + timedelta(hours=1))
    first, second = (ada, bob) if loser == bob.user_id else (bob, ada)
    assert message_of(told(first, Kind.SEASON)).text == "Your final rank: 1 of 2."
    assert message_of(told(second, Kind.SEASON)).text == "Your final rank: 2 of 2."
    assert not Notice.objects.filter(user=cyd.user_id).exists()


def test_people_are_told_that_too_few_had_entered(works: Any) -> None:
    event, (ada,) = opened("swiss", "ada")
    works(event.starts_at)
    message = message_of(told(ada, Kind.SEASON))
    assert (message.title, message.text) == (
        "The event is called off: Shifting Stones",
        "Too few people had entered the event.",
    )


def test_only_what_needs_an_answer_leaves_the_site_at_the_quietest() -> None:
    of_events = {name for name in WANTED[Volume.EVERYTHING] if name.startswith(("confirm.", "paused.", "season."))}
    assert len(of_events) == 12
    assert of_events & WANTED[Volume.QUIET] == {
        *("confirm.page", "confirm.push", "confirm.mail", "confirm.webhook"),
        *("paused.page", "season.page"),
    }
    assert of_events <= WANTED[Volume.NORMAL]
