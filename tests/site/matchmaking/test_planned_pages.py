"""The pages of planned tables: the form, the calendar, the table itself, and the file for a calendar program."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from time_machine import Traveller

from accounts import relations
from accounts.models import User
from games.matchmaking import planned as matchmaking_planned
from games.matchmaking.invitations import decline_invitation
from games.matchmaking.jobs import PlannedTables
from games.matchmaking.tables import TableSetup
from games.notifications.models import Preferences
from games.play import jobs
from games.play.models import Match
from tests.clocked import MONDAY
from tests.people import client_of, person
from tests.site.matchmaking.test_reliable_tables import PLAIN
from tests.site.matchmaking.test_requirements import rated_at

pytestmark = pytest.mark.django_db

SUNDAY = MONDAY + timedelta(days=6, hours=7)
Planned = Callable[..., Match]
PLAN = "/tables/plan/?game=shifting-stones"


@pytest.fixture
def planned(clock: Traveller) -> Planned:
    def plan(host: User, seats: int = 3, at: datetime = SUNDAY, game: str = "shifting-stones", **wish: Any) -> Match:
        return matchmaking_planned.plan_table(host, TableSetup(game, seats, **wish), at)

    return plan


def listed(client: Client, query: str = "") -> list[str]:
    """Return the slugs of the tables on the page of planned tables, in their order."""
    page = client.get(f"/tables/planned/{query}").content.decode()
    return [part.split('"')[0] for part in page.split('id="planned-')[1:]]


# --- planning --------------------------------------------------------------------------------------------------------


def test_the_form_reads_the_time_on_the_clock_of_the_host(clock: Traveller) -> None:
    host = person(time_zone="Europe/Berlin")
    asked = PLAIN | {"opens_at": "2026-03-15T20:00", "note": "Beginners welcome", "seats": "3"}
    answer = client_of(host).post(PLAN, asked)
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert (match.status, match.opens_at) == ("planned", datetime(2026, 3, 15, 19, tzinfo=UTC))


@pytest.mark.parametrize(
    ("opens_at", "words"),
    [
        ("", "This field is required."),
        ("Sunday", "Enter a valid date/time."),
        ("2026-03-09T12:05", "at least 15 minutes"),
        ("2027-03-15T20:00", "at most 60 days"),
        ("2026-03-29T02:30", "couldn’t be interpreted in time zone Europe/Berlin"),
        ("9999-12-31T23:59", "at most 60 days"),
        ("0001-01-01T00:00", "at least 15 minutes"),
    ],
)
def test_a_time_that_makes_no_sense_gets_a_sentence(clock: Traveller, opens_at: str, words: str) -> None:
    client = client_of(person(time_zone="Europe/Berlin"))
    answer = client.post(PLAN, PLAIN | {"opens_at": opens_at})
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_the_form_offers_no_table_for_one_and_no_bots(clock: Traveller) -> None:
    form = client_of(person()).get(PLAN).context["form"]
    assert [count for count, _label in form.fields["seats"].choices] == [2, 3, 4, 5]
    assert "bots" not in form.fields


def test_guests_are_sent_to_the_calendar(clock: Traveller) -> None:
    answer = client_of(person(guest=True)).get(PLAN, follow=True)
    assert answer.redirect_chain == [("/tables/planned/", 302)]
    assert "for registered players" in answer.content.decode()


# --- the calendar ----------------------------------------------------------------------------------------------------


def test_it_lists_the_next_table_first_by_day_on_the_clock_of_the_reader(planned: Planned) -> None:
    late = planned(person(), at=datetime(2026, 3, 10, 23, 30, tzinfo=UTC))
    early = planned(person(), at=datetime(2026, 3, 10, 18, tzinfo=UTC))
    assert listed(client_of(person())) == [early.slug, late.slug]
    for zone, days in (("UTC", ["Tomorrow, Tue, 10 Mar"]), ("Europe/Berlin", ["Tomorrow, Tue, 10 Mar", "Wed, 11 Mar"])):
        page = client_of(person(time_zone=zone)).get("/tables/planned/").content.decode()
        assert [part.split("<")[0] for part in page.split('<h2 id="day-')[1:]] == [
            f'{number}">{day}' for number, day in enumerate(days, 1)
        ]


def test_visitors_see_public_tables_and_no_buttons(planned: Planned, client: Client) -> None:
    public = planned(person())
    planned(person(), visibility="link")
    planned(person(), visibility="private", invited=(person(),))
    assert listed(client) == [public.slug]
    assert "I&#x27;ll come" not in client.get("/tables/planned/").content.decode()


def test_those_who_are_invited_or_come_find_hidden_tables_too(planned: Planned) -> None:
    host, friend = person(), person()
    private = planned(host, visibility="private", invited=(friend,))
    assert [listed(client_of(user)) for user in (host, friend, person())] == [[private.slug], [private.slug], []]
    assert [client_of(user).get(private.get_absolute_url()).status_code for user in (host, friend, person())] == [
        200,
        200,
        404,
    ]


def test_friends_of_the_host_find_tables_for_friends(planned: Planned) -> None:
    host, friend, other = person(), person(), person()
    relations.request_friendship(friend, host)
    relations.accept_request(host, friend)
    match = planned(host, visibility="friends")
    assert [listed(client_of(user)) for user in (friend, other)] == [[match.slug], []]
    assert client_of(friend).post(reverse("table_come", args=[match.slug])).status_code == 302
    assert match.promises.count() == 2


def test_its_filters_are_those_of_the_lobby(planned: Planned) -> None:
    usual = planned(person())
    chess = planned(person(), game="card-chess", seats=2)
    strong = planned(person(), rating_from=1600, rated=False)
    client = client_of(person())
    for query, found in {
        "": [usual, chess, strong],
        "?game=card-chess": [chess],
        "?rated=no": [strong],
        "?seats=3": [usual, strong],
        "?speed=days": [],
        "?joinable=yes": [usual, chess],
        "?seats=many&game=go": [usual, chess, strong],
    }.items():
        assert listed(client, query) == [match.slug for match in found], query
    assert listed(client_of(rated_at(1700)), "?joinable=yes") == [usual.slug, chess.slug, strong.slug]


def test_full_tables_and_those_one_comes_to_are_not_open_to_one(planned: Planned) -> None:
    full, mine, user = planned(person(), seats=2), planned(person()), person()
    matchmaking_planned.come(full.pk, person())
    matchmaking_planned.come(mine.pk, user)
    assert listed(client_of(user), "?joinable=yes") == []
    assert listed(client_of(user)) == [full.slug, mine.slug]


def test_planned_tables_are_not_in_the_lobby_until_they_wait_for_others(planned: Planned, clock: Traveller) -> None:
    host, user = person(), person()
    match = planned(host)
    matchmaking_planned.come(match.pk, user)
    lobby = client_of(person()).get("/lobby/")
    assert not lobby.context["page"].tables
    own = client_of(user).get("/lobby/").content.decode()
    assert "Planned with you" in own
    assert match.get_absolute_url() in own


def test_an_invitation_that_was_declined_or_is_withheld_is_not_in_the_lobby(planned: Planned) -> None:
    host, invited, apart = person(), person(), person()
    relations.block(apart, host)
    match = planned(host, visibility="private", invited=(invited, apart))
    pages = [client_of(user).get("/lobby/").content.decode() for user in (invited, apart)]
    assert ["Planned with you" in page for page in pages] == [True, False]
    decline_invitation(match.pk, invited)
    assert "Planned with you" not in client_of(invited).get("/lobby/").content.decode()


# --- coming and taking it back, without a script ---------------------------------------------------------------------


def test_one_button_takes_a_seat_and_another_gives_it_back(planned: Planned) -> None:
    match, user = planned(person("host"), note="<i>bring tea</i>"), person("ann")
    client, address = client_of(user), match.get_absolute_url()
    page = client.get("/tables/planned/").content.decode()
    assert reverse("table_come", args=[match.slug]) in page
    assert "&lt;i&gt;bring tea&lt;/i&gt;" in page
    assert client.post(reverse("table_come", args=[match.slug]))["Location"] == address
    page = client.get(address).content.decode()
    assert "Seats taken: 2 of 3." in page
    assert 'id="take-back"' in page
    assert 'id="come"' not in page
    assert client.post(reverse("table_take_back", args=[match.slug]))["Location"] == "/tables/planned/"
    assert 'id="come"' in client.get(address).content.decode()


def test_the_page_says_why_somebody_cannot_come(planned: Planned) -> None:
    match = planned(person(), rating_from=1600)
    client = client_of(person())
    assert "Yours counts as 1500 here" in client.get(match.get_absolute_url()).content.decode()
    answer = client.post(reverse("table_come", args=[match.slug]), follow=True)
    assert "Yours counts as 1500 here" in answer.content.decode()


def test_the_host_calls_it_off_on_the_page(planned: Planned) -> None:
    host = person()
    match = planned(host)
    assert "Call it off" in client_of(host).get(match.get_absolute_url()).content.decode()
    client_of(host).post(reverse("table_close", args=[match.slug]))
    assert "This table has been closed." in client_of(host).get(match.get_absolute_url()).content.decode()


def test_when_it_is_open_the_page_says_for_whom_seats_are_kept(planned: Planned, clock: Traveller) -> None:
    host, ann = person("host"), person("ann")
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    clock.move_to(SUNDAY, tick=False)
    jobs.run_due([PlannedTables()])
    page = client_of(ann).get(match.get_absolute_url()).content.decode()
    assert "kept for host until" in page
    assert 'id="sit-down"' in page
    assert client_of(ann).post(reverse("table_join", args=[match.slug])).status_code == 302
    assert "kept for ann" not in client_of(host).get(match.get_absolute_url()).content.decode()


# --- calendar programs -----------------------------------------------------------------------------------------------


def events(content: bytes) -> list[Any]:
    return list(Calendar.from_ical(content).walk("VEVENT"))


def test_a_table_is_a_file_for_calendar_programs(planned: Planned) -> None:
    host = person()
    match = planned(host, note="Bring tea")
    answer = client_of(person()).get(reverse("table_calendar", args=[match.slug]))
    assert answer["Content-Type"].startswith("text/calendar")
    assert answer["Content-Disposition"] == f'attachment; filename="tessera-{match.slug}.ics"'
    (event,) = events(answer.content)
    assert (event.start, event.end) == (SUNDAY, SUNDAY + timedelta(hours=1))
    assert event["summary"] == f"Shifting Stones with {host.shown_name}"
    assert "Bring tea" in event["description"]
    assert event["url"].endswith(match.get_absolute_url())
    assert [alarm["trigger"].dt for alarm in event.walk("VALARM")] == [-timedelta(minutes=10)]


def test_hidden_tables_give_no_file_away(planned: Planned, client: Client) -> None:
    match = planned(person(), visibility="private", invited=(person(),))
    assert client.get(reverse("table_calendar", args=[match.slug])).status_code == 404


def test_the_feed_has_the_tables_to_which_one_comes(planned: Planned) -> None:
    host, user = person(), person()
    match = planned(host)
    matchmaking_planned.come(match.pk, user)
    planned(person())
    for comes, found in ((user, 1), (host, 1), (person(), 0)):
        key = Preferences.objects.get_or_create(user=comes)[0].feed_key
        assert len(events(Client().get(f"/calendar/{key}.ics").content)) == found
