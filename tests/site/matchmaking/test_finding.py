"""Finding people by name: on the page People, and in every field that asks for a name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import limits, relations
from accounts.models import User
from games.matchmaking.finding import SUGGESTED, find_people, known_people
from tests.people import client_of, open_table, person, running_match

pytestmark = pytest.mark.django_db

FIND = "/people/find/"


def befriend(one: User, other: User) -> None:
    relations.request_friendship(one, other)
    relations.accept_request(other, one)


def names(reader: Any, text: str) -> list[str]:
    return [str(it.person) for it in find_people(reader, text)]


def test_friends_and_recent_opponents_are_known() -> None:
    ann, bob, cid, dai = person(), person("bob"), person("cid"), person("dai")
    befriend(ann, bob)
    running_match([ann, cid])
    running_match([ann, dai])
    assert list(map(str, known_people(ann))) == ["bob", "dai", "cid"]
    relations.block(dai, ann)
    assert list(map(str, known_people(ann))) == ["bob", "dai", "cid"], "who is blocked is not to notice"
    relations.block(ann, dai)
    assert list(map(str, known_people(ann))) == ["bob", "cid"]


def test_a_name_is_found_by_how_it_begins_however_it_is_written() -> None:
    ann = person("ann")
    for name in ("Berta", "bernd", "Zoë", "Ann-Berta"):
        person(name)
    assert names(ann, "BER") == ["bernd", "Berta"]
    assert names(ann, "zoe\u0308") == ["Zoë"]
    assert names(ann, "nobody") == []


def test_people_one_knows_come_first_and_without_a_beginning_there_are_no_others() -> None:
    ann, friend, rival = person("ann"), person("Bz"), person("By")
    person("Ba")
    befriend(ann, friend)
    running_match([ann, rival])
    assert names(ann, "b") == ["Bz", "By", "Ba"]
    assert names(ann, "") == ["Bz", "By"]
    assert [it.friend for it in find_people(ann, "b")] == [True, False, False]


def test_who_is_not_found() -> None:
    ann = person("ann")
    apart, closed = person("Bapart"), person("Bclosed")
    person("Bguest", guest=True)
    person("Bob")
    User.objects.filter(pk=closed.pk).update(is_active=False)
    relations.block(ann, apart)
    assert names(ann, "b") == ["Bob"]
    assert names(ann, "ann") == []
    assert names(apart, "ann") == ["ann"], "who is blocked is not to notice"


def test_visitors_are_suggested_names_too_but_nobody_they_would_know(client: Client) -> None:
    person("Berta")
    assert 'data-name="Berta"' in client.get(FIND, {"name": "b"}).content.decode()
    assert "data-name" not in client.get(FIND).content.decode()


@pytest.mark.parametrize("text", ["%", "_", "\u202e", "x" * 5000, "<b>", " "])
def test_nonsense_finds_nobody(text: str) -> None:
    ann = person("ann")
    person("Berta")
    assert find_people(ann, text) == []


def test_it_is_cheap_however_many_there_are(django_assert_max_num_queries: Any) -> None:
    ann = person("ann")
    for number in range(SUGGESTED + 3):
        person(f"b{number}")
    befriend(ann, User.objects.named("b1"))  # type: ignore[arg-type]  # made above
    running_match([ann, User.objects.named("b2")])  # type: ignore[list-item]  # as above
    with django_assert_max_num_queries(2):
        assert len(find_people(ann, "b")) == SUGGESTED


def test_nobody_reads_all_names_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    row = limits.LIMITS["find"]
    row = replace(row, person=(row.person[0]._replace(most=2),))
    monkeypatch.setattr(limits, "LIMITS", {**limits.LIMITS, "find": row})
    reader = client_of(person())
    cache.clear()
    assert [reader.get(FIND, {"name": "b"}).status_code for _ in range(3)] == [200, 200, 429]


def test_the_page_people_finds_without_a_script() -> None:
    ann, berta = person("ann"), person("Berta")
    befriend(ann, berta)
    page = client_of(ann).get("/people/", {"name": "ber"}).content.decode()
    assert 'value="ber"' in page
    assert reverse("challenge", args=["Berta"]) in page
    page = client_of(ann).get("/people/", {"name": "x<y"}).content.decode()
    assert "Nobody here has a name like that" in page
    assert "x&lt;y" in page


def test_every_field_that_asks_for_a_name_suggests_people() -> None:
    host = person()
    table = open_table([host], seats=2)
    reader = client_of(host)
    for page in ("/people/", "/tables/new/?game=shifting-stones", "/archive/", f"/tables/{table.slug}/invite/"):
        assert f'data-people="{FIND}"' in reader.get(page).content.decode(), page
