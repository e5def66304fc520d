"""The Atom feed of a person's matches: what their profile shows to visitors, whoever asks."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest
from django.conf import settings
from django.test import Client

from accounts import relations
from accounts.models import User
from games.play.models import Match
from tests.people import client_of, person, play_out, running_match

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
FEED = "/@Ann/matches.atom"


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("bob")]


def links(client: Client) -> list[str]:
    feed = fromstring(client.get(FEED).content)
    return [link.attrib["href"] for entry in feed.iter(f"{ATOM}entry") for link in entry.iter(f"{ATOM}link")]


def test_it_lists_public_matches_that_are_over_the_latest_first(people: list[User]) -> None:
    first, second = play_out(running_match(people)), play_out(running_match(people))
    running_match(people)
    for visibility in (Match.Visibility.LINK, Match.Visibility.FRIENDS, Match.Visibility.PRIVATE):
        play_out(running_match(people, visibility=visibility))
    wanted = [f"{settings.SITE_URL}{match.get_absolute_url()}" for match in (second, first)]
    for client in (Client(), client_of(people[0]), client_of(people[1])):
        assert links(client) == wanted


def test_an_entry_says_who_played_what_and_how_it_ended(people: list[User]) -> None:
    play_out(running_match(people))
    answer = Client().get(FEED)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    text = answer.content.decode()
    assert "<title>Shifting Stones: Ann, bob</title>" in text
    assert re.search(r"<summary[^>]*>(Ann|bob) has won\.</summary>", text)


def test_whom_somebody_has_blocked_reads_what_visitors_read(people: list[User]) -> None:
    play_out(running_match(people))
    relations.block(people[0], people[1])
    assert links(client_of(people[1])) == links(Client())
    assert len(links(Client())) == 1


def test_closed_accounts_have_no_feed_and_other_spellings_lead_to_the_right_one(people: list[User]) -> None:
    answer = Client().get("/@ann/matches.atom")
    assert (answer.status_code, answer["Location"]) == (302, FEED)
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert Client().get(FEED).status_code == 404
    assert Client().get("/@nobody/matches.atom").status_code == 404


@pytest.mark.parametrize("matches", [0, 1])
def test_who_has_it_already_is_told_so_until_a_match_ends(people: list[User], matches: int) -> None:
    for _ in range(matches):
        play_out(running_match(people))
    first = Client().get(FEED)
    for header, known in (("If-None-Match", first["ETag"]), ("If-Modified-Since", first["Last-Modified"])):
        assert Client().get(FEED, headers={header: known}).status_code == 304
    play_out(running_match(people))
    assert Client().get(FEED, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_the_profile_leads_to_it(people: list[User]) -> None:
    play_out(running_match(people))
    page = Client().get("/@Ann/").content.decode()
    assert f'type="application/atom+xml" title="Matches of Ann" href="{FEED}"' in page
    assert f'id="feed" href="{FEED}"' in page
