"""Tips for the first match: for newcomers at their own match, each until it is dismissed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import TIPS, User
from games.titles import games
from tests.people import client_of, person, running_match

pytestmark = pytest.mark.django_db


def newcomer() -> User:
    return person(tips=" ".join(TIPS))


def test_a_new_account_has_all_tips() -> None:
    assert User.objects.create_user("fresh", "fresh@example.org", "a long wooden table").tips.split() == list(TIPS)


@pytest.mark.parametrize("slug", games())
def test_each_tip_is_dismissed_for_ever(slug: str) -> None:
    user = newcomer()
    match = running_match([user, person()], game=slug)
    client = client_of(user)
    address = reverse("match_tip", args=[match.slug])
    for number, tip in enumerate(TIPS):
        page = client.get(match.get_absolute_url()).content.decode()
        assert [each for each in TIPS if f'id="tip-{each}"' in page] == list(TIPS[number:])
        assert client.post(address, {"tip": tip}).headers["Location"] == match.get_absolute_url()
    assert 'id="tips"' not in client.get(match.get_absolute_url()).content.decode()
    user.refresh_from_db()
    assert user.tips == ""


def test_a_script_gets_the_tips_that_are_left() -> None:
    user = newcomer()
    match = running_match([user, person()])
    part = client_of(user).post(
        reverse("match_tip", args=[match.slug]), {"tip": "turn"}, headers={"HX-Request": "true"}
    )
    assert part.content.decode().count("Got it") == 2
    assert "tip-turn" not in part.content.decode()


def test_only_newcomers_at_their_own_match_are_told() -> None:
    seated = person()
    match = running_match([seated, person()])
    for reader in (seated, newcomer()):
        assert 'id="tips"' not in client_of(reader).get(match.get_absolute_url()).content.decode()


def test_what_is_no_tip_changes_nothing() -> None:
    user = newcomer()
    match = running_match([user, person()])
    client_of(user).post(reverse("match_tip", args=[match.slug]), {"tip": "x" * 1000})
    user.refresh_from_db()
    assert user.tips.split() == list(TIPS)
