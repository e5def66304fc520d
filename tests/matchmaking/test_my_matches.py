"""My matches: those waiting for me first; the button to the next table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.play.models import Match, Seat
from tests.people import Kinds, client_of, person, running_match

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db


def slugs(user: User, section: str) -> list[str]:
    lists = client_of(user).get("/matches/").context["lists"]
    return [match.slug for match in getattr(lists, section)]


def test_those_that_wait_for_me_come_first_the_longest_waiting_at_the_top() -> None:
    me, other = person(), person()
    late, early = running_match([me, other]), running_match([me, other])
    theirs = running_match([other, me])
    Match.objects.filter(pk=early.pk).update(moved_at=timezone.now() - timedelta(days=9))
    assert slugs(me, "waiting") == [early.slug, late.slug]
    assert slugs(me, "running") == [theirs.slug]


def test_open_tables_invitations_and_ended_matches_have_their_lists(opened: Opened) -> None:
    me, other = person(), person()
    mine, asked = opened(me), opened(other, visibility="private", invited=(me,))
    over = running_match([me, other])
    Match.objects.filter(pk=over.pk).update(status="over", ended_at=over.started_at)
    Seat.objects.filter(match=over).update(to_move=False)
    assert slugs(me, "seated") == [mine.slug]
    assert slugs(me, "invited") == [asked.slug]
    assert slugs(me, "recent") == [over.slug]
    assert slugs(person(), "invited") == []


def test_at_most_ten_ended_matches_are_listed() -> None:
    me = person()
    for _ in range(11):
        match = running_match([me])
        Match.objects.filter(pk=match.pk).update(status="over", ended_at=match.started_at)
    assert len(slugs(me, "recent")) == 10


def test_the_number_that_waits_stands_in_the_title(kinds: Kinds) -> None:
    assert "<title>(1) My matches" in client_of(kinds.seated).get("/matches/").content.decode()
    assert "<title>My matches" in client_of(kinds.mate).get("/matches/").content.decode()


def test_my_matches_load_with_few_queries(django_assert_max_num_queries: Any) -> None:
    me, other = person(), person()
    for _ in range(6):
        running_match([me, other])
    client = client_of(me)
    with django_assert_max_num_queries(20):
        client.get("/matches/")


def test_next_goes_to_the_longest_waiting_but_not_to_the_one_left() -> None:
    me, other = person(), person()
    late, early = running_match([me, other]), running_match([me, other])
    Match.objects.filter(pk=early.pk).update(moved_at=timezone.now() - timedelta(days=9))
    client = client_of(me)
    assert client.get("/matches/next/")["Location"] == f"/match/{early.slug}/"
    assert client.get(f"/matches/next/?after={early.slug}")["Location"] == f"/match/{late.slug}/"


def test_next_goes_to_the_list_when_nothing_waits(kinds: Kinds) -> None:
    assert client_of(kinds.mate).get("/matches/next/")["Location"] == "/matches/"
    only = client_of(kinds.seated).get(f"/matches/next/?after={kinds.match.slug}")
    assert only["Location"] == "/matches/"
