"""Casual matches that two people play from one device: moderators see them, and nobody is found or told anything."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.fairplay import jobs
from games.fairplay.models import Finding, Use
from games.play.models import Match
from tests.clocked import LIVE
from tests.people import client_of, person, running_match
from tests.site.fairplay.test_together import SAID, browser_of, device_of, moves
from tests.site.moderation.moderators import moderator

HEADING = "Casual matches from one device"

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def ben() -> User:
    return person("ben")


def played(one: Client, other: Client, *people: User, rated: bool = False) -> Match:
    """Return a match in which the first two took a turn each, in these browsers."""
    match = running_match(people, clock=LIVE, rated=rated)
    moves(one, match, "by-one")
    moves(other, match, "by-other")
    return match


def at_one_device(*people: User, rated: bool = False) -> Match:
    first = browser_of(people[0])
    return played(first, browser_of(people[1], device_of(first)), *people, rated=rated)


def shown(reader: User, address: str) -> str:
    """Return the section on a page of moderators; empty if there is none."""
    page = client_of(reader).get(address).content.decode()
    return page.partition(HEADING)[2].partition("</section>")[0]


def pages(match: Match, *people: User) -> list[str]:
    addresses = [reverse("moderated_person", args=[each.username]) for each in people]
    return [reverse("moderated_match", args=[match.slug]), *addresses]


def test_moderators_see_it_on_the_pages_of_the_match_and_of_both(ann: User, ben: User) -> None:
    match, mod = at_one_device(ann, ben), moderator()
    for address in pages(match, ann, ben):
        section = shown(mod, address)
        assert "ann – ben" in section
        assert f"/moderation/matches/{match.slug}/" in section


def test_it_is_no_finding_and_the_match_says_nothing_of_it(ann: User, ben: User) -> None:
    match, mod = at_one_device(ann, ben), moderator()
    assert not match.one_device
    assert not Finding.objects.exists()
    assert "played from one device" not in client_of(mod).get(reverse("fair_play")).content.decode()
    for reader in (ann, ben, person()):
        assert SAID not in client_of(reader).get(match.get_absolute_url()).content.decode()


def test_two_devices_are_nothing_to_be_shown(ann: User, ben: User) -> None:
    match, mod = played(browser_of(ann), browser_of(ben), ann, ben), moderator()
    assert [shown(mod, address) for address in pages(match, ann, ben)] == [""] * 3


def test_a_rated_match_is_a_finding_instead(ann: User, ben: User) -> None:
    match, mod = at_one_device(ann, ben, rated=True), moderator()
    assert Finding.objects.get().match == match
    assert [shown(mod, address) for address in pages(match, ann, ben)] == [""] * 3


def test_all_matches_of_the_same_two_stand_together(ann: User, ben: User) -> None:
    matches = [at_one_device(ann, ben) for _ in range(3)]
    other = at_one_device(ann, person("eve"))
    section = shown(moderator(), reverse("moderated_person", args=["ann"]))
    assert (section.count("ann – ben"), section.count("ann – eve")) == (1, 1)
    assert all(match.slug in section for match in [*matches, other])
    assert other.slug not in shown(moderator(), reverse("moderated_person", args=["ben"]))


def test_a_third_player_at_another_device_is_not_named(ann: User, ben: User) -> None:
    eve = person("eve")
    match = at_one_device(ann, ben, eve)
    moves(browser_of(eve), match, "by-eve")
    assert "eve" not in shown(moderator(), reverse("moderated_match", args=[match.slug]))
    assert shown(moderator(), reverse("moderated_person", args=["eve"])) == ""


def test_moderators_see_nothing_of_their_own_matches(ann: User) -> None:
    mod = moderator("mod")
    match = at_one_device(ann, mod)
    assert [shown(mod, address) for address in pages(match, ann, mod)] == [""] * 3
    assert "ann – mod" in shown(moderator(), reverse("moderated_person", args=["mod"]))


def test_it_is_forgotten_with_the_marks_of_devices(ann: User, ben: User) -> None:
    match, mod = at_one_device(ann, ben), moderator()
    jobs.prune(timezone.now() + jobs.MARKS_KEPT + timedelta(hours=1))
    assert not Use.objects.exists()
    assert shown(mod, pages(match)[0]) == ""


def test_a_match_alone_leaves_no_trace_of_a_device(ann: User) -> None:
    match = running_match([ann], clock=LIVE)
    moves(browser_of(ann), match, "by-ann")
    assert not Use.objects.exists()
