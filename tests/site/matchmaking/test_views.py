"""Every address as owner, mate, stranger and visitor; GET changes nothing; everything works without a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.matchmaking import tables
from games.matchmaking.limits import OPEN_TABLES
from games.matchmaking.models import Invitation
from games.play.models import Match, Seat
from tests.people import Kinds, client_of, person

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db

NEW = {"seats": "2", "speed": "live", "visibility": "public", "seat_order": "random", "invited": ""}


def everything() -> list[Any]:
    """Return everything that matchmaking might change."""
    return [list(model.objects.order_by("pk").values()) for model in (Match, Seat, Invitation, get_user_model())]


@pytest.fixture
def client_nobody() -> Client:
    return Client()


# --- who may do what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/matches/", "/matches/next/", "/tables/plan/"])
def test_pages_of_members_send_others_to_log_in_and_back(client_nobody: Client, address: str) -> None:
    answer = client_nobody.get(address)
    assert (answer.status_code, answer["Location"]) == (302, f"/account/login/?next={address}")
    assert client_of(person()).get(address).status_code in {200, 302}


def test_everybody_may_look_at_the_lobby(opened: Opened, client_nobody: Client) -> None:
    host = person()
    match = opened(host)
    for client in (client_of(host), client_of(person()), client_nobody):
        answer = client.get("/lobby/")
        assert answer.status_code == 200
        assert f"table-{match.slug}" in answer.content.decode()


@pytest.mark.parametrize("action", ["join", "leave", "start", "close"])
def test_writes_go_by_post_alone(opened: Opened, action: str) -> None:
    host = person()
    match = opened(host)
    for method in ("get", "head", "put", "delete"):
        assert getattr(client_of(host), method)(f"/tables/{match.slug}/{action}/").status_code == 405
    assert client_of(host).get(f"/match/{match.slug}/rematch/").status_code == 405


@pytest.mark.parametrize("action", ["join", "leave", "start", "close"])
def test_a_stranger_finds_no_private_table(opened: Opened, action: str) -> None:
    host, stranger = person(), client_of(person())
    match = opened(host, seats=3, visibility="private", invited=(person(),))
    before = everything()
    hidden = stranger.post(f"/tables/{match.slug}/{action}/")
    nowhere = stranger.post(f"/tables/zzzzzzzzzz/{action}/")
    assert (hidden.status_code, nowhere.status_code) == (404, 404)
    assert stranger.get(f"/match/{match.slug}/").status_code == 404
    assert stranger.post(f"/match/{match.slug}/rematch/").status_code == 404
    assert everything() == before


@pytest.mark.parametrize("address", ["/tables/{}/join/", "/tables/{}/start/", "/match/{}/rematch/"])
def test_nobody_is_sent_to_log_in_and_then_to_the_match(opened: Opened, client_nobody: Client, address: str) -> None:
    for slug in (opened(person(), visibility="private", invited=(person(),)).slug, "zzzzzzzzzz"):
        answer = client_nobody.post(address.format(slug))
        assert (answer.status_code, answer["Location"]) == (302, f"/account/login/?next=/match/{slug}/")
        htmx = client_nobody.post(address.format(slug), headers={"HX-Request": "true"})
        assert htmx["HX-Redirect"] == f"/account/login/?next=/match/{slug}/"


def test_whoever_is_invited_finds_the_table_and_sits_down(opened: Opened) -> None:
    guest = person()
    match = opened(person(), seats=3, visibility="private", invited=(guest,))
    client = client_of(guest)
    assert client.get(f"/match/{match.slug}/").status_code == 200
    assert client.post(f"/tables/{match.slug}/join/").status_code == 302
    assert match.seats.filter(user=guest).exists()


def test_whoever_has_the_link_sits_down(opened: Opened) -> None:
    guest = person()
    match = opened(person(), seats=3, visibility="link")
    page = client_of(guest).get(f"/match/{match.slug}/").content.decode()
    assert 'id="sit-down"' in page
    assert client_of(guest).post(f"/tables/{match.slug}/join/").status_code == 302
    assert match.seats.filter(user=guest).exists()


@pytest.mark.parametrize(
    ("who", "buttons"),
    [
        ("host", {"get-up", "start", "close"}),
        ("mate", {"get-up"}),
        ("stranger", {"sit-down"}),
        ("nobody", {"log-in"}),
    ],
)
def test_each_sees_the_buttons_that_are_theirs(opened: Opened, who: str, buttons: set[str]) -> None:
    people = {"host": person(), "mate": person(), "stranger": person()}
    match = opened(people["host"], seats=3)
    tables.join(match.pk, people["mate"])
    client = client_of(people[who]) if who in people else Client()
    page = client.get(f"/match/{match.slug}/").content.decode()
    assert {name for name in ("get-up", "start", "close", "sit-down", "log-in") if f'id="{name}"' in page} == buttons
    assert match.commit in page
    assert bytes(match.server_seed).hex() not in page


@pytest.mark.parametrize(("who", "text"), [("mate", "Only the host"), ("stranger", "Only the host")])
@pytest.mark.parametrize("action", ["start", "close"])
def test_others_are_told_that_only_the_host_may(opened: Opened, who: str, text: str, action: str) -> None:
    people = {"mate": person(), "stranger": person()}
    match = opened(person(), seats=3)
    tables.join(match.pk, people["mate"])
    answer = client_of(people[who]).post(f"/tables/{match.slug}/{action}/", follow=True)
    assert text in answer.content.decode()
    assert Match.objects.get(pk=match.pk).is_open


def test_a_refusal_comes_into_the_page_of_htmx(opened: Opened) -> None:
    match = opened(person(), seats=3)
    answer = client_of(person()).post(f"/tables/{match.slug}/leave/", headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert answer["X-Match-Version"] == str(Match.objects.get(pk=match.pk).version)
    assert "You are not sitting at this table." in answer.content.decode()
    assert "<html" not in answer.content.decode()


def test_a_begun_match_refuses_clearly_and_can_be_watched(opened: Opened) -> None:
    match = opened(person())
    tables.join(match.pk, person())
    answer = client_of(person()).post(f"/tables/{match.slug}/join/", follow=True)
    assert answer.redirect_chain == [(f"/match/{match.slug}/", 302)]
    assert "This match has already begun." in answer.content.decode()


@pytest.mark.parametrize("nonce", ["xyz", "ab" * 65, "AB"])
def test_a_bad_nonce_is_refused_and_nobody_sits(opened: Opened, nonce: str) -> None:
    guest = person()
    match = opened(person(), seats=3)
    answer = client_of(guest).post(f"/tables/{match.slug}/join/", {"nonce": nonce}, follow=True)
    assert "Please reload it." in answer.content.decode()
    assert not match.seats.filter(user=guest).exists()


def test_forged_requests_are_refused(opened: Opened) -> None:
    match = opened(person(), seats=3)
    client = Client(enforce_csrf_checks=True)
    client.force_login(person())
    for address in (f"/tables/{match.slug}/join/", f"/match/{match.slug}/rematch/", "/tables/new/"):
        assert client.post(address).status_code == 403


def test_get_changes_nothing(opened: Opened, kinds: Kinds, age: Opened) -> None:
    host = person()
    match = opened(host)
    age(opened(host), hours=25)
    client = client_of(host)
    before = everything()[:3]
    for address in (
        "/lobby/", "/matches/", "/matches/next/", "/tables/new/", "/tables/new/?game=shifting-stones",
        f"/match/{match.slug}/", f"/tables/{match.slug}/join/",
    ):  # fmt: skip
        client.get(address)
    assert everything()[:3] == before


# --- htmx -----------------------------------------------------------------------------------------------------------


def test_sitting_down_by_htmx_brings_the_table_or_the_board(opened: Opened) -> None:
    header = {"HX-Request": "true"}
    match = opened(person(), seats=3)
    for expected in ('data-status="open"', 'data-status="running"'):
        answer = client_of(person()).post(f"/tables/{match.slug}/join/", headers=header)
        assert answer.status_code == 200
        assert expected in answer.content.decode()
    assert answer["X-Match-Version"] == str(Match.objects.get(pk=match.pk).version)


def test_getting_up_and_closing_lead_to_the_lobby(opened: Opened) -> None:
    host, mate = person(), person()
    match = opened(host, seats=3)
    tables.join(match.pk, mate)
    assert (
        client_of(mate).post(f"/tables/{match.slug}/leave/", headers={"HX-Request": "true"})["HX-Redirect"] == "/lobby/"
    )
    assert client_of(host).post(f"/tables/{match.slug}/close/")["Location"] == "/lobby/"
    closed = client_of(mate).get(f"/match/{match.slug}/").content.decode()
    assert "This table has been closed." in closed


# --- a new table ----------------------------------------------------------------------------------------------------


def test_without_a_script_from_the_lobby_to_a_running_match() -> None:
    """The whole way through plain pages and forms."""
    host, mate = person(), person()
    ours, theirs = client_of(host), client_of(mate)
    assert 'href="/tables/new/"' in ours.get("/lobby/").content.decode()
    assert "/tables/new/?game=shifting-stones" in ours.get("/tables/new/").content.decode()
    assert 'name="seats"' in ours.get("/tables/new/?game=shifting-stones").content.decode()
    made = ours.post("/tables/new/?game=shifting-stones", NEW)
    match = Match.objects.get()
    assert made["Location"] == f"/match/{match.slug}/"
    assert f'formaction="/tables/{match.slug}/join/"' in theirs.get("/lobby/").content.decode()
    answer = theirs.post(f"/tables/{match.slug}/join/", {"nonce": ""}, follow=True)
    assert 'data-status="running"' in answer.content.decode()


def test_a_new_table_takes_no_nonce_before_it_has_shown_its_commitment() -> None:
    client = client_of(person())
    page = client.post("/tables/new/?game=shifting-stones", NEW | {"nonce": "0a0b"}, follow=True).content.decode()
    assert bytes(Seat.objects.get().nonce) == b""
    match = Match.objects.get()
    assert match.commit in page
    assert f'data-send="/tables/{match.slug}/nonce/"' in page
    assert client.post(f"/tables/{match.slug}/nonce/", {"nonce": "0a0b"}).status_code == 204
    assert bytes(Seat.objects.get().nonce) == b"\x0a\x0b"
    assert "data-send" not in client.get(f"/match/{match.slug}/").content.decode()
    answer = client.post(f"/tables/{match.slug}/nonce/", {"nonce": "0c"})
    assert (answer.status_code, answer.content.decode()) == (
        409,
        "You have already joined from another browser.",
    )
    assert client.post(f"/tables/{match.slug}/nonce/", {"nonce": "?"}).status_code == 409


def test_a_row_of_the_lobby_shows_the_commitment_with_the_button_to_sit_down(opened: Opened) -> None:
    match = opened(person())
    page = client_of(person()).get("/lobby/").content.decode()
    assert f">{match.commit}</code>" in page
    assert f'data-commit="{match.commit}"' in page


def test_alone_the_commitment_is_shown_and_a_button_begins() -> None:
    client = client_of(person())
    page = client.post("/tables/new/?game=shifting-stones", NEW | {"seats": "1"}, follow=True).content.decode()
    match = Match.objects.get()
    assert 'data-status="open"' in page
    assert match.commit in page
    assert f'data-at-once formaction="/tables/{match.slug}/start/"' in page
    assert match.slug not in client_of(person()).get("/lobby/").content.decode()
    answer = client.post(f"/tables/{match.slug}/start/", {"nonce": "0a0b"}, follow=True)
    assert 'data-status="running"' in answer.content.decode()
    assert bytes(Seat.objects.get().nonce) == b"\x0a\x0b"


def test_an_unknown_game_is_not_found() -> None:
    assert client_of(person()).get("/tables/new/?game=chess").status_code == 404


def test_with_several_games_one_chooses_first(with_options: str) -> None:
    page = client_of(person()).get("/tables/new/").content.decode()
    assert "/tables/new/?game=shifting-stones" in page
    assert f"/tables/new/?game={with_options}" in page


def test_every_option_stands_in_the_form(with_options: str) -> None:
    page = client_of(person()).get(f"/tables/new/?game={with_options}").content.decode()
    for name in ("open-hands", "length", "colour", "teams", "deck"):
        assert f'name="option-{name}"' in page
    assert 'data-for-seats="4"' in page


def test_chosen_options_stand_at_the_table_and_in_the_lobby(with_options: str) -> None:
    client = client_of(person())
    data = NEW | {"seats": "3", "option-length": "long", "option-deck": "b", "option-open-hands": "on"}
    page = client.post(f"/tables/new/?game={with_options}", data, follow=True).content.decode()
    assert "Deck B" in page
    assert "Long" in page
    lobby = client.get("/lobby/").content.decode()
    assert "Length: Long" in lobby
    assert "Open hands" in lobby


def test_a_mistake_keeps_what_was_entered() -> None:
    answer = client_of(person()).post("/tables/new/?game=shifting-stones", NEW | {"seats": "4", "invited": "nobody"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "There is no player called nobody." in page
    assert 'value="4" required id="id_seats_3" checked' in page or 'value="4" id="id_seats_3" required checked' in page
    assert not Match.objects.exists()


def test_too_many_tables_are_refused_in_the_form(opened: Opened) -> None:
    host = person()
    for _ in range(OPEN_TABLES):
        opened(host)
    answer = client_of(host).post("/tables/new/?game=shifting-stones", NEW)
    assert answer.status_code == 429
    assert "You already have 10 open tables." in answer.content.decode()


# --- what an address asks for -----------------------------------------------------------------------------------------


def test_an_address_can_fill_in_the_number_of_players_and_the_options() -> None:
    asked = {"game": "small-islands", "seats": "1", "option-alexis": "night", "option-table": "small"}
    fields = client_of(person()).get("/tables/new/", asked).context["form"]
    assert [fields[name].value() for name in ("seats", "option-alexis", "option-table")] == [1, "night", "small"]
    assert fields["option-mode"].value() == "normal"


def test_what_an_address_asks_for_and_the_game_does_not_offer_is_left_out() -> None:
    asked = {"game": "small-islands", "seats": "77", "option-alexis": "noon", "option-none": "x", "rated": ""}
    fields = client_of(person()).get("/tables/new/", asked).context["form"]
    assert (fields["seats"].value(), fields["option-alexis"].value(), fields["rated"].value()) == (2, None, True)
    planned = client_of(person()).get("/tables/plan/", {"game": "small-islands", "seats": "1"})
    assert planned.context["form"]["seats"].value() == 2
