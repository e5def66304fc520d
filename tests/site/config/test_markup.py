"""What users write stays text on every page; templates are searched in `tests/unit/config/test_markup.py`."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from games.play import commands
from games.play.models import Match
from games.ratings.models import Rating
from tests.people import PASSWORD, client_of, open_table, person, running_match

EVIL = "<b hx-get=x>"
"""A name which no form accepts: should one get into the database it is still only text."""


@pytest.fixture
def evil(db: None) -> User:
    user = person("evil")
    User.objects.filter(pk=user.pk).update(username=EVIL, name_key=EVIL)
    user.refresh_from_db()
    return user


@pytest.fixture
def places(evil: User) -> list[str]:
    """Return the pages on which others read a name: a running match, an open table, a finished match."""
    mate = person("mate")
    running, over = running_match([evil, mate]), running_match([evil, mate], rated=True)
    over.seats.update(acted=True)
    commands.resign(over.pk, 0, "resignation")
    Rating.objects.update(opponents=settings.LEADERBOARD_OPPONENTS)
    table = open_table([evil], seats=2)
    matches = [running, over, table]
    return [
        *(match.get_absolute_url() for match in matches),
        f"/match/{over.slug}/log/",
        f"/match/{over.slug}/replay/",
        f"/match/{running.slug}/replay/",
        "/lobby/",
        "/archive/",
        "/@mate/",
        f"/@{EVIL}/",
        "/leaderboard/",
        "/leaderboard/shifting-stones/live/",
    ]


def test_names_are_text_on_every_page(places: list[str], client: Client) -> None:
    for page in places:
        text = client.get(page).content.decode()
        assert page == "/leaderboard/" or "&lt;b hx-get=x&gt;" in text, page  # which shows those with enough matches
        assert EVIL[:-1] not in text, page


def test_names_are_text_on_ones_own_pages(places: list[str], evil: User) -> None:
    own = client_of(evil)
    for page in (*places[:3], "/settings/", "/settings/profile/", "/matches/", "/account/logout/"):
        assert EVIL[:-1] not in own.get(page).content.decode(), page


def test_no_form_accepts_such_a_name(db: None, client: Client) -> None:
    fields = {
        "username": EVIL,
        "email": "e@example.org",
        "password1": PASSWORD,
    }
    page = client.post("/account/signup/", fields).content.decode()
    assert EVIL[:-1] not in page
    assert "&lt;b hx-get=x&gt;" in page
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "/archive/?player={}",
        "/archive/?game={}&speed={}&before={}&after={}",
        "/leaderboard/?page={}",
        "/tables/new/?game={}",
        "/account/login/?next=/{}",
        "/account/password/reset/key/1-{}/",
        "/account/confirm-email/{}/",
        "/@{}/",
        "/rules/{}/",
        "/match/{}/",
        "/matches/next/?after={}",
    ],
)
def test_what_stands_in_an_address_is_text(db: None, address: str) -> None:
    for client in (Client(), client_of(person())):
        assert EVIL[:-1] not in client.get(address.replace("{}", EVIL), follow=True).content.decode()


def test_what_is_sent_by_a_form_is_text(db: None) -> None:
    match = running_match([user := person(), person()])
    client = client_of(user)
    game, seats = match.game, "2"
    sent = {
        "/tables/new/?game=" + game: {"seats": seats, "invited": EVIL, "speed": EVIL, "visibility": EVIL},
        match.get_absolute_url() + "act/": {"action": EVIL, "client_id": "x" * 10, "version": str(match.version)},
        "/settings/profile/": {"language": EVIL, "time_zone": EVIL, "theme": EVIL},
        "/settings/name/": {"name": EVIL},
        "/account/reauthenticate/": {"password": EVIL, "next": EVIL},
    }
    for address, fields in sent.items():
        response = client.post(address, fields)
        assert response.status_code in {200, 422}, address
        assert EVIL[:-1] not in response.content.decode(), address


def test_the_notice_of_a_refusal_is_text_in_the_board_too(db: None) -> None:
    match: Match = running_match([user := person(), person()])
    fields = {"action": EVIL, "client_id": "x" * 10, "version": str(match.version)}
    response = client_of(user).post(f"{match.get_absolute_url()}act/", fields, headers={"HX-Request": "true"})
    assert response.status_code == 422
    assert EVIL[:-1] not in response.content.decode()
