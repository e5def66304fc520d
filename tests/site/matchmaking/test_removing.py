"""The host removes a guest, keeps them away, and lets them back by inviting them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.matchmaking.invitations import invite_more, remove_player
from games.matchmaking.models import Invitation
from games.play.models import Match
from tests.people import client_of, person

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db

WORDS = "The host removed you from this table."


def sitting(match: Match) -> list[User | None]:
    return [seat.user for seat in match.seats.order_by("number")]


def refusal(service: Callable[[], object]) -> str:
    with pytest.raises(RuleViolation) as caught:
        service()
    assert caught.value.text.endswith(".")
    return caught.value.code


@pytest.mark.parametrize("visibility", ["public", "link", "private"])
def test_whoever_is_removed_stays_away_and_is_told_why(opened: Opened, visibility: str) -> None:
    host, guest, mate = person(), person("guest"), person()
    match = opened(host, seats=4, visibility=visibility, invited=(guest, mate))
    tables.join(match.pk, guest)
    tables.join(match.pk, mate)
    client_of(host).post(f"/tables/{match.slug}/remove/", {"player": "guest"})
    assert sitting(match) == [host, mate]
    assert refusal(lambda: tables.join(match.pk, guest)) == "removed"
    page = client_of(guest).get(match.get_absolute_url()).content.decode()
    assert WORDS in page
    assert 'id="sit-down"' not in page
    assert WORDS in client_of(guest).post(f"/tables/{match.slug}/join/", follow=True).content.decode()


def test_a_removed_person_is_no_longer_expected(opened: Opened) -> None:
    host, guest = person(), person("guest")
    match = opened(host, seats=3, invited=(guest,))
    tables.join(match.pk, guest)
    remove_player(match.pk, host, "GUEST")
    assert "You are invited" not in client_of(guest).get("/lobby/").content.decode()
    assert 'id="invited-list"></ul>' in client_of(guest).get("/matches/").content.decode()


def test_an_invitation_lets_them_back(opened: Opened) -> None:
    host, guest = person(), person("guest")
    match = opened(host, seats=3)
    tables.join(match.pk, guest)
    remove_player(match.pk, host, "guest")
    page = client_of(host).get(f"/tables/{match.slug}/invite/").content.decode()
    assert "let them back: guest" in " ".join(page.split())
    client_of(host).post(f"/tables/{match.slug}/invite/", {"invited": "guest"})
    assert WORDS not in client_of(guest).get(match.get_absolute_url()).content.decode()
    tables.join(match.pk, guest)
    assert sitting(match) == [host, guest]


def test_each_guest_has_a_button_that_only_the_host_sees(opened: Opened) -> None:
    host, guest = person(), person("guest")
    match = opened(host, seats=3)
    tables.join(match.pk, guest)
    assert 'name="player" value="guest"' in client_of(host).get(match.get_absolute_url()).content.decode()
    for other in (guest, person()):
        page = client_of(other).get(match.get_absolute_url()).content.decode()
        assert "/remove/" not in page
        assert "/invite/" not in page


@pytest.mark.parametrize("name", ["", "nobody", "host", "stranger"])
def test_only_a_guest_can_be_removed(opened: Opened, name: str) -> None:
    host, _stranger = person("host"), person("stranger")
    match = opened(host, seats=3)
    assert refusal(lambda: remove_player(match.pk, host, name)) == "not-there"
    assert sitting(match) == [host]


def test_only_the_host_removes_and_invites(opened: Opened) -> None:
    host, guest, stranger = person("host"), person("guest"), person()
    match = opened(host, seats=3)
    tables.join(match.pk, guest)
    for other in (guest, stranger):
        assert refusal(lambda other=other: remove_player(match.pk, other, "guest")) == "not-host"  # type: ignore[misc]  # a default argument
        assert refusal(lambda other=other: invite_more(match.pk, other, [stranger])) == "not-host"  # type: ignore[misc]  # a default argument
        assert client_of(other).get(f"/tables/{match.slug}/invite/").status_code == 302
    assert sitting(match) == [host, guest]
    assert not Invitation.objects.exists()


def test_nobody_is_removed_from_or_invited_to_a_match_that_has_begun_or_a_closed_table(opened: Opened) -> None:
    host, guest = person(), person("guest")
    begun, closed = opened(host), opened(host)
    tables.join(begun.pk, guest)
    tables.close_table(closed.pk, host)
    for match, code in ((begun, "table-begun"), (closed, "table-closed")):
        assert refusal(lambda match=match: remove_player(match.pk, host, "guest")) == code  # type: ignore[misc]  # a default argument
        assert refusal(lambda match=match: invite_more(match.pk, host, [guest])) == code  # type: ignore[misc]  # a default argument


def test_a_private_table_opens_to_those_invited_later(opened: Opened) -> None:
    host, later = person(), person("later")
    match = opened(host, seats=3, visibility="private", invited=(person(),))
    assert client_of(later).get(match.get_absolute_url()).status_code == 404
    client_of(host).post(f"/tables/{match.slug}/invite/", {"invited": "later"})
    assert client_of(later).post(f"/tables/{match.slug}/join/").status_code == 302
    assert sitting(match) == [host, later]


@pytest.mark.parametrize(
    ("names", "text"),
    [("nobody", "There is no player called nobody."), ("", "required"), ("host", "Name at least one")],
)
def test_a_mistake_in_an_invitation_keeps_what_was_entered(opened: Opened, names: str, text: str) -> None:
    host = person("host")
    match = opened(host, seats=3)
    answer = client_of(host).post(f"/tables/{match.slug}/invite/", {"invited": names})
    assert answer.status_code == 422
    assert text in answer.content.decode()
    assert f'value="{names}"' in answer.content.decode() or not names


def test_no_more_than_twenty_are_invited_to_one_table(opened: Opened) -> None:
    host = person()
    match = opened(host, seats=3, invited=tuple(person() for _ in range(20)))
    assert refusal(lambda: invite_more(match.pk, host, [person()])) == "too-many-invited"


def test_without_a_script_the_waiting_page_refreshes_itself_and_no_other(opened: Opened) -> None:
    host = person()
    match = opened(host)
    refresh = '<noscript><meta http-equiv="refresh"'
    assert refresh in client_of(host).get(match.get_absolute_url()).content.decode()
    assert refresh not in client_of(host).get(f"/tables/{match.slug}/invite/").content.decode()
    tables.join(match.pk, person())
    assert refresh not in client_of(host).get(match.get_absolute_url()).content.decode()
