"""The pages of events: for who takes part, another player, a stranger, a guest and a visitor; and their forms."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from accounts.models import User
from games.events import lines, services
from games.events.formats import Format, proof
from games.events.jobs import Seasons
from games.events.models import Entry, Event
from games.events.rounds import proof_of
from games.notifications.models import Preferences
from games.play.models import Match
from tests.people import client_of, person, play_out, running_match
from tests.site.events.conftest import FRIDAY, START

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NONCE = "0123456789abcdef" * 2


def opened(format_: str, game: str = "shifting-stones") -> Event:
    Seasons().look(FRIDAY)
    return Event.objects.get(game=game, format=format_, season=1)


def entered(event: Event, *names: str, at_a_time: int = 1) -> list[User]:
    people = [person(name) for name in names]
    for user in people:
        services.enter(user, event.slug, at_a_time, bytes.fromhex(NONCE))
    return people


def played(event: Event, works: Any, until: datetime) -> None:
    """Play all heats of an event that run, day after day."""
    moment = START
    while moment <= until:
        works(moment)
        for match in Match.objects.filter(heat__event=event, status=Match.Status.RUNNING):
            play_out(match)
        moment += timedelta(days=1)
    works(moment)


def shown(reader: User | None, path: str, status: int = 200) -> str:
    response = (client_of(reader) if reader else Client()).get(path)
    assert response.status_code == status, path
    return response.content.decode()


def buttons(text: str) -> set[str]:
    """Return what the forms of a page can do in an event."""
    return set(re.findall(r'name="do" value="(\w+)"', text))


# --- all events -------------------------------------------------------------------------------------------------------


def test_somebody_new_is_in_the_league_within_two_taps() -> None:
    event = opened("league")
    dan = person("dan")
    browser = client_of(dan)
    home = browser.get("/").content.decode()
    assert 'id="events-line"' in home
    assert f'<a href="{reverse("events")}">See events</a>' in home
    page = browser.get(reverse("events")).content.decode()
    assert f'action="{event.get_absolute_url()}"' in page
    chosen = re.findall(r"<option selected>(\d)</option>", page)
    assert chosen == ["2", "1"] * 3
    answer = browser.post(event.get_absolute_url(), {"do": "enter", "at_a_time": chosen[0], "nonce": NONCE})
    assert answer.headers["Location"] == event.get_absolute_url()
    entry = Entry.objects.get(event=event, user=dan)
    assert (entry.at_a_time, bytes(entry.nonce).hex()) == (2, NONCE)
    page = browser.get(reverse("events")).content.decode()
    assert page.count("You take part") == 1
    assert f'action="{event.get_absolute_url()}"' not in page


def test_visitors_and_guests_register_and_come_back() -> None:
    event = opened("ladder")
    guest = Client()
    guest.post(reverse("guest"))
    for browser in (Client(), guest):
        for path in (reverse("events"), event.get_absolute_url()):
            page = browser.get(path).content.decode()
            assert f'href="{reverse("account_signup")}?next={event.get_absolute_url()}"' in page
            assert buttons(page) == set()
    answer = Client().post(event.get_absolute_url(), {"do": "enter"})
    assert answer.headers["Location"] == f"{reverse('account_login')}?next={event.get_absolute_url()}"
    answer = guest.post(event.get_absolute_url(), {"do": "enter"})
    assert answer.status_code == 422
    assert "Events are for registered players." in answer.content.decode()
    assert not Entry.objects.exists()


def test_events_before_the_job_has_opened_any() -> None:
    assert "The first season opens in a few minutes." in shown(None, reverse("events"))
    assert "events-line" not in shown(person(), "/")


# --- one event --------------------------------------------------------------------------------------------------------


def test_what_each_reader_can_do(works: Any, clock: Any) -> None:
    event = opened("ladder")
    path = event.get_absolute_url()
    ada, bob = entered(event, "ada", "bob")
    stranger = person("zoe")
    assert buttons(shown(ada, path)) == {"pause", "leave"}
    assert buttons(shown(stranger, path)) == {"enter"}
    assert buttons(shown(None, path)) == set()
    assert "vacations do not" in shown(stranger, path)
    clock.move_to(START - timedelta(hours=20))
    assert buttons(shown(ada, path)) == {"confirm", "pause", "leave"}
    for user in (ada, bob):
        assert client_of(user).post(path, {"do": "confirm"}).status_code == 302
    assert buttons(shown(ada, path)) == {"pause", "leave"}
    works(START)
    match = Match.objects.get(heat__event=event)
    page = shown(ada, path)
    assert f'href="{match.get_absolute_url()}"' in page
    assert 'id="boards"' in page
    assert 'id="next-matches"' in page
    assert 'id="next-matches"' not in shown(stranger, path)
    assert client_of(ada).post(path, {"do": "pause"}).status_code == 302
    assert "You are paused" in shown(ada, path)
    assert buttons(shown(ada, path)) == {"enter", "leave"}
    client_of(ada).post(path, {"do": "enter"})
    assert Entry.objects.get(user=ada).is_in
    client_of(ada).post(path, {"do": "leave"})
    assert Entry.objects.get(user=ada).is_out
    assert buttons(shown(ada, path)) == {"enter"}


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"do": "enter", "at_a_time": "9"}, "Choose from one to four matches at a time."),
        ({"do": "enter", "nonce": "?"}, "The page sent an incomplete request."),
        ({"do": "confirm"}, "You do not take part in this event."),
        ({"do": "pause"}, "You do not take part in this event."),
        ({"do": "leave"}, "You do not take part in this event."),
    ],
)
def test_a_refusal_is_shown_in_the_page(form: dict[str, str], words: str) -> None:
    event = opened("league")
    answer = client_of(person()).post(event.get_absolute_url(), form)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert words in page
    assert 'id="refusal"' in page
    assert not Entry.objects.exists()


def test_a_league_with_its_divisions_rounds_and_line(works: Any, clock: Any) -> None:
    event = opened("league")
    clock.move_to(START - timedelta(hours=20))
    people = entered(event, *(f"player{number}" for number in range(10)), at_a_time=2)
    works(START)
    page = shown(people[0], event.get_absolute_url())
    assert page.count("<h3>Division ") == 2
    assert page.count("Round ") >= 5
    assert page.count('events-meeting"') == event.heats.count()
    assert "1 of 5" in page
    match = Match.objects.filter(heat__event=event, seats__user=people[0]).first()
    assert match is not None
    assert "League of Shifting Stones</a>, round" in shown(people[0], match.get_absolute_url())
    play_out(match)
    works(START + timedelta(minutes=1))
    text = shown(people[0], match.get_absolute_url())
    assert f'href="{event.get_absolute_url()}">League of Shifting Stones</a>, round' in text
    line = re.search(r'id="events-line".*?</p>', shown(people[0], "/"), re.DOTALL)
    assert line is not None
    entry = Entry.objects.get(user=people[0])
    assert re.search(r"round 2 of [45], you are (1st|2nd|3rd|4th|5th)\.", line[0])
    assert (entry.over, entry.place is not None) == (1, True)
    assert 'id="events-line"' in shown(people[0], "/lobby/")


def test_an_event_that_is_over_has_a_podium_and_a_proof(works: Any, clock: Any) -> None:
    event = opened("league")
    clock.move_to(START - timedelta(hours=20))
    people = entered(event, "ada", "bob", "cyd", "dan", at_a_time=2)
    file = reverse("event_proof", args=[event.slug])
    seed = bytes(event.server_seed).hex()
    for path in (event.get_absolute_url(), reverse("events")):
        assert seed not in shown(people[0], path)
    shown(people[0], file, 404)
    played(event, works, START + timedelta(days=4))
    event.refresh_from_db()
    assert event.state == Event.State.OVER
    page = shown(None, event.get_absolute_url())
    assert 'id="podium"' in page
    assert page.count('<li class="place-') == 3
    assert seed in page
    assert NONCE not in page
    assert NONCE in shown(people[0], event.get_absolute_url())
    found = proof.read(shown(None, file))
    assert json.loads(shown(None, file))["name"] == "League of Shifting Stones"
    assert proof.check(found)[0] == "the seed belongs to the commitment"
    assert "1 draws, with 4 nonces and 6 heats" in proof.check(found)[1]
    assert buttons(page) == buttons(shown(people[0], event.get_absolute_url())) == set()
    assert "League of Shifting Stones" in shown(None, reverse("events"))
    Seasons().look(START + timedelta(days=10))
    after = Event.objects.get(before=event)
    assert f'href="{after.get_absolute_url()}"' in shown(None, event.get_absolute_url())
    assert f'href="{event.get_absolute_url()}"' in shown(None, after.get_absolute_url())


def test_the_nights_of_a_ladder_are_proven_though_somebody_came_back_and_wanted_more(works: Any, clock: Any) -> None:
    event = opened("ladder")
    clock.move_to(START - timedelta(hours=20))
    people = entered(event, "ada", "bob", "cyd", "dan")
    played(event, works, START + timedelta(days=1))
    services.pause(people[0], event.slug)
    services.enter(people[0], event.slug, at_a_time=4)
    played(event, works, START + timedelta(days=4))
    Event.objects.filter(pk=event.pk).update(state=Event.State.OVER)
    event.refresh_from_db()
    assert len(event.drawn) > 2
    checked = proof.check(proof_of(event))
    assert checked[1].startswith(f"{len(event.drawn)} draws, with 4 nonces")


def test_only_the_latest_nights_of_a_ladder_are_listed(works: Any, clock: Any) -> None:
    event = opened("ladder")
    clock.move_to(START - timedelta(hours=20))
    entered(event, "ada", "bob", "cyd", "dan")
    played(event, works, START + timedelta(days=13))
    latest = max(event.heats.values_list("round", flat=True))
    assert latest > 10
    page = shown(None, event.get_absolute_url())
    assert page.count('events-meetings"') == 10
    before = latest - 9
    assert f"?before={before}#rounds" in page
    older = shown(None, f"{event.get_absolute_url()}?before={before}")
    assert older.count('events-meetings"') == before - 1
    assert "?before=" not in older


def test_a_smaller_season_says_so_and_leads_to_the_bot(works: Any, clock: Any) -> None:
    event = opened("league")
    clock.move_to(START - timedelta(hours=3))
    (ada,) = entered(event, "ada")
    works(START)
    works(START + timedelta(days=1))
    page = shown(ada, event.get_absolute_url())
    assert "this season is played as a ladder" in page
    assert "against a bot, casual" in page
    assert f'href="{Match.objects.get().get_absolute_url()}"' in page


def test_an_account_that_is_gone_leaves_its_place(works: Any, clock: Any) -> None:
    event = opened("ladder")
    clock.move_to(START - timedelta(hours=3))
    ada, _bob = entered(event, "ada", "bob")
    played(event, works, START)
    Entry.objects.filter(user=ada).update(user=None)
    page = shown(None, event.get_absolute_url())
    assert "/@ada/" not in page
    assert "<span>—</span>" in page


def test_unknown_and_cancelled_events(works: Any) -> None:
    event = opened("ladder")
    shown(None, reverse("event", args=["nothere222"]), 404)
    shown(None, reverse("event_proof", args=["nothere222"]), 404)
    Event.objects.filter(pk=event.pk).update(state=Event.State.CANCELLED)
    assert "<dd>called off</dd>" in shown(None, event.get_absolute_url())
    assert client_of(person()).post(event.get_absolute_url(), {"do": "enter"}).status_code == 404
    shown(None, reverse("event_proof", args=[event.slug]), 404)


# --- the line ---------------------------------------------------------------------------------------------------------


def test_the_line_tells_what_is_most_urgent(clock: Any, django_assert_num_queries: Any) -> None:
    league, ladder = opened("league"), opened("ladder")
    ada = person("ada")
    with django_assert_num_queries(1):
        line = lines.one_line(ada)
    assert (line.told, line.starts_at, line.runs) == (None, START, False)
    services.enter(ada, ladder.slug)
    assert "Ladder of Shifting Stones</a>: starts" in shown(ada, "/")
    services.enter(ada, league.slug)
    clock.move_to(START - timedelta(hours=3))
    services.confirm(ada, ladder.slug)
    with django_assert_num_queries(1):
        line = lines.one_line(ada)
    assert line.told is not None
    assert (line.told.event.format, line.told.must_confirm, line.others) == (Format.LEAGUE, True, 1)
    page = shown(ada, "/")
    assert "Confirm that you will play." in page
    assert "and 1 more event" in page
    services.leave(ada, league.slug)
    services.leave(ada, ladder.slug)
    assert lines.one_line(ada).told is None
    assert lines.one_line(AnonymousUser()).told is None


def test_whoever_is_in_none_hears_of_ladders_that_run(works: Any) -> None:
    Seasons().look(FRIDAY)
    Event.objects.filter(speed="live").delete()
    works(START)
    assert "On a ladder you are paired every night" in shown(person(), "/")


def test_other_matches_cost_no_question(django_assert_num_queries: Any) -> None:
    match = running_match([person(), person()])
    with django_assert_num_queries(0):
        assert lines.heat_of(match, AnonymousUser()) is None


# --- in calendars and pictures ----------------------------------------------------------------------------------------


def dates(browser: Client, path: str) -> dict[str, tuple[datetime, datetime]]:
    """Return the entries of a calendar: when each begins and ends."""
    answer = browser.get(path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found: Any = Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(it["summary"]): (it["dtstart"].dt, it["dtend"].dt) for it in found}


def test_ones_calendar_has_the_events_one_takes_part_in_and_only_theirs(works: Any, clock: Any) -> None:
    league, ladder = opened("league"), opened("ladder")
    ada, zoe = person("ada"), person("zoe")
    Preferences.objects.create(user=ada, feed_key="a" * 43)
    Preferences.objects.create(user=zoe, feed_key="z" * 43)
    own, others = (reverse("calendar", args=[key * 43]) for key in "az")
    services.enter(ada, league.slug)
    services.enter(ada, ladder.slug)
    found = dates(Client(), own)
    name = "League of Shifting Stones, season 1"
    assert found[f"{name} starts"] == (START, START + timedelta(hours=1))
    assert found[f"{name}: confirm that you will play"] == (START - timedelta(minutes=15), START)
    assert found[f"{name} ends"][1] == league.ends_at
    assert "Ladder of Shifting Stones, season 1 starts" in found
    assert dates(Client(), others) == {}
    clock.move_to(START - timedelta(hours=3))
    services.confirm(ada, ladder.slug)
    assert "Ladder of Shifting Stones, season 1: confirm that you will play" not in dates(Client(), own)
    works(START)
    night = START + timedelta(days=1)
    assert dates(Client(), own)["Ladder of Shifting Stones, season 1: next round"][0] == night
    services.pause(ada, ladder.slug)
    assert "Ladder of Shifting Stones, season 1: next round" not in dates(Client(), own)
    services.leave(ada, ladder.slug)
    assert not [words for words in dates(Client(), own) if words.startswith("Ladder")]


def test_anybody_can_have_the_dates_of_an_event_and_whoever_takes_part_has_theirs(clock: Any) -> None:
    event = opened("league")
    ada = person("ada")
    services.enter(ada, event.slug)
    path = reverse("event_calendar", args=[event.slug])
    assert f'href="{path}"' in shown(None, event.get_absolute_url())
    everybodys = set(dates(Client(), path))
    assert len(everybodys) == 2
    assert set(dates(client_of(ada), path)) - everybodys == {
        "League of Shifting Stones, season 1: confirm that you will play"
    }
    Event.objects.filter(pk=event.pk).update(format="swiss", speed="live", ends_at=START + timedelta(hours=2))
    told = "Swiss tournament of Shifting Stones, evening 1 starts"
    assert dates(Client(), path) == {told: (START, START + timedelta(hours=2))}
    Event.objects.filter(pk=event.pk).update(state=Event.State.OVER)
    shown(None, path, 404)


def test_an_event_that_is_over_is_shared_by_its_picture_and_a_text(works: Any, clock: Any) -> None:
    event = opened("league")
    clock.move_to(START - timedelta(hours=20))
    entered(event, "ada", "bob", "cyd", "dan", at_a_time=2)
    path = reverse("event_picture", args=[event.slug])
    shown(None, path, 404)
    assert path not in shown(None, event.get_absolute_url())
    played(event, works, START + timedelta(days=4))
    page = shown(None, event.get_absolute_url())
    assert f'<meta property="og:image" content="http://testserver{path}">' in page
    best = re.findall(r"^(\d)\. (\w+)$", page, re.MULTILINE)
    assert [place for place, _name in best] == ["1", "2", "3"]
    assert {name for _place, name in best} < {"ada", "bob", "cyd", "dan"}
    answer = Client().get(path)
    assert (answer["Content-Type"], answer.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(answer.content[at : at + 4]) for at in (16, 20))
    assert (width, height) == (1200, 630)


def test_members_find_events_in_the_bar_and_the_archive_in_the_menu() -> None:
    for reader in (person(), None):
        page = shown(reader, "/lobby/")
        bar, menu = page.split('<nav aria-label="Menu">', 1)
        assert f'<li><a href="{reverse("events")}">' in bar
        assert f'href="{reverse("archive")}"' in menu
