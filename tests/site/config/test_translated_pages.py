"""Pages are in their reader's language throughout, from the lobby to the last line of a match."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from games.play import commands
from games.titles import titles
from tests.people import Kinds, act, client_of, open_table, person, play_out, running_match
from tests.site.config.english import english_in

TRANSLATED = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def _translated(client: Client, address: str, language: str, status: int = 200) -> str:
    response = client.get(address)
    html: str = response.content.decode()
    assert response.status_code == status
    assert response["Content-Language"] == language
    assert f'<html lang="{language}"' in html
    assert english_in(html) == []
    return html


def _german(client: Client, address: str, status: int = 200) -> str:
    return _translated(client, address, "de", status)


def _member(name: str, language: str) -> tuple[User, Client]:
    """Return somebody who chose a language, with a browser that asks for English."""
    user = person(name, language=language)
    client = client_of(user)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return user, client


@pytest.fixture
def member(db: None) -> tuple[User, Client]:
    return _member("anna", "de")


@pytest.fixture
def anna(member: tuple[User, Client]) -> User:
    return member[0]


@pytest.fixture
def reader(member: tuple[User, Client]) -> Client:
    return member[1]


@pytest.fixture
def visitor_in_german(db: None) -> Client:
    return Client(headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"})


def test_the_check_for_english_sees_texts_and_labels() -> None:
    assert english_in('<p>Du bist dran.</p><a aria-label="End the turn">x</a><p>The end</p>') == [
        "End the turn",
        "The end",
    ]


def test_a_visitor_whose_browser_asks_for_german_gets_it(visitor_in_german: Client) -> None:
    html = _german(visitor_in_german, "/")
    assert "Setz dich und spiel" in html
    assert "Gegen einen Bot" in html


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(
    "name",
    [
        "home",
        "lobby",
        "pairing",
        "account_login",
        "account_signup",
        "account_reset_password",
    ],
)
def test_pages_for_visitors_are_translated(db: None, name: str, language: str) -> None:
    """Those that members see otherwise or not at all; test_translated_throughout.py reads theirs."""
    _translated(Client(headers={"accept-language": language}), reverse(name), language)


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", titles())
def test_the_rules_are_translated(db: None, game: str, language: str) -> None:
    _translated(Client(headers={"accept-language": language}), reverse("rules", args=[game]), language)


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", titles())
def test_a_match_of_each_game_is_translated_to_its_end(db: None, game: str, language: str) -> None:
    anna, reader = _member("anna", language)
    match = running_match([anna, person("bert")], game=game)
    _translated(reader, match.get_absolute_url(), language)
    play_out(match)
    for name in ("match", "match_log", "replay"):
        _translated(reader, reverse(name, args=[match.slug]), language)


@pytest.mark.parametrize(
    ("game", "term"),
    [("shifting-stones", "mazzo di pesca"), ("card-chess", "sfida"), ("small-islands", "frutto del drago")],
)
def test_terms_of_the_games_are_those_of_the_italian_rulebooks(db: None, game: str, term: str) -> None:
    html = _translated(Client(headers={"accept-language": "it"}), reverse("rules", args=[game]), "it")
    assert term in html.lower()


def test_drawings_of_the_rules_are_named_in_german(visitor_in_german: Client) -> None:
    html = _german(visitor_in_german, reverse("rules", args=["shifting-stones"]))
    assert "Die zwei Seiten eines Steins gehören für immer zusammen" in html
    assert "Karte 1, " in html


def test_errors_are_german(visitor_in_german: Client) -> None:
    assert "Seite nicht gefunden" in _german(visitor_in_german, "/nowhere/", 404)


def test_the_lobby_counts_free_seats_in_german(reader: Client, anna: User) -> None:
    open_table([person("bert")], seats=2)
    open_table([person("carla")], seats=4)
    html = _german(reader, reverse("lobby"))
    assert "1 Platz frei" in html
    assert "3 Plätze frei" in html


def test_a_waiting_room_is_german(reader: Client, anna: User) -> None:
    html = _german(reader, open_table([anna], seats=3).get_absolute_url())
    assert "Besetzt: 1 von 3 Plätzen" in html
    assert "Tisch schließen" in html


def test_a_match_is_german_for_seat_and_spectator(reader: Client, anna: User, visitor_in_german: Client) -> None:
    match = running_match([anna, person("bert")], seed=bytes(32))
    assert "Dein Zug: Karten spielen oder aussetzen." in _german(reader, match.get_absolute_url())
    act(match, "skip")
    html = _german(visitor_in_german, match.get_absolute_url())
    assert "anna setzt aus." in html
    assert "bert ist dran." in html
    for name in ("match_log", "match_resign", "replay"):
        _german(reader, reverse(name, args=[match.slug]))


def test_a_finished_match_is_told_in_german(reader: Client, anna: User) -> None:
    match = play_out(running_match([anna, person("bert")], rated=True, seed=bytes(32)))
    for number in (*range(0, match.length, 4), match.length):
        html = _german(reader, f"{reverse('replay', args=[match.slug])}?at={number}")
    assert re.search(r"(anna|bert) hat \d+ zu \d+ gewonnen\.", html)
    for address in (match.get_absolute_url(), reverse("my_matches"), "/archive/", reverse("profile", args=["anna"])):
        _german(reader, address)


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        (1, "Du hast aufgegeben."),
        (2, "Du hast aufgegeben. anna1 gewinnt."),
    ],
)
def test_a_match_that_was_left_is_told_in_german(db: None, seats: int, told: str) -> None:
    people = [person(f"anna{number}", language="de") for number in range(seats)]
    match = running_match(people)
    commands.resign(match.pk, 0, "leaving-1")
    reader = client_of(people[0])
    assert told in _german(reader, match.get_absolute_url())
    assert "anna0 hat aufgegeben." in _german(reader, reverse("replay", args=[match.slug]))


def test_a_match_all_agree_to_abort_is_told_in_german(reader: Client, anna: User) -> None:
    match = running_match([anna, person("bert")], seed=bytes(32))
    for seat in (0, 1):
        act(match, "end", seat)
    commands.offer_abort(match.pk, 1, True)
    assert "bert bietet an, die Partie abzubrechen." in _german(reader, match.get_absolute_url())
    commands.offer_abort(match.pk, 0, True)
    assert "Alle waren sich einig, die Partie abzubrechen" in _german(reader, match.get_absolute_url())


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_every_line_of_a_match_is_german(db: None, seats: int) -> None:
    people = [person(f"anna{number}", language="de") for number in range(seats)]
    match = play_out(running_match(people, seed=bytes(31) + b"\7"))
    html = _german(client_of(people[0]), reverse("match_log", args=[match.slug]))
    assert html.count("Du wertest Karte") > 0
    assert html.count("wertet Karte") > 0 or seats == 1


def test_refusals_of_rules_have_their_german(kinds: Kinds) -> None:
    with translation.override("de"):
        assert translation.gettext("You do not hold this card.") == "Diese Karte hast du nicht auf der Hand."


def test_names_of_games_stand_as_their_makers_wrote_them(visitor_in_german: Client) -> None:
    html = _german(visitor_in_german, reverse("lobby"))
    for title in titles().values():
        assert title.game.name in html
