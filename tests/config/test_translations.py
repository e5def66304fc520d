"""Every text is translated into each language of the site, and pages are in their reader's language throughout."""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from config.catalogues import ROOT, catalogues
from games.play.matches import services
from games.titles import titles
from tests.config import sources
from tests.people import Kinds, act, client_of, open_table, person, play_out, running_match

_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|</?\w+[^>]*>")
_ENGLISH = re.compile(
    r"\b(the|and|of|your|you|with|this|that|from|for|are|is|not|it|has|have|to|by|match|card|turn|player)s?\b",
    re.IGNORECASE,
)
"""Words that occur in no German and no Italian sentence."""

TRANSLATED = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
CATALOGUES = [pytest.param(path, id="-".join((path.parts[-3], path.parts[-5]))) for path in catalogues()]


@cache
def _entries(path: Path) -> list[polib.POEntry]:
    return list(polib.pofile(str(path)))


def _all_entries(language: str) -> Iterator[polib.POEntry]:
    for path in catalogues():
        if path.parts[-3] == language:
            yield from _entries(path)


def _said(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


# --- the catalogues -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_sources_is_in_a_catalogue(language: str) -> None:
    known = {(entry.msgid, entry.msgid_plural) for entry in _all_entries(language)}
    missing = [f"{file}: {text}" for text, file in sources.texts().items() if text not in known]
    assert missing == [], "run `make messages` and translate what is new"


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogues_hold_nothing_that_is_no_longer_said(language: str) -> None:
    said = sources.texts()
    left = [entry.msgid for entry in _all_entries(language) if (entry.msgid, entry.msgid_plural) not in said]
    assert left == [], "run `make messages`"


def test_no_tag_of_a_template_is_overlooked() -> None:
    counted = {str(path.relative_to(ROOT)): sources.tags_and_texts(path) for path in sources.templates()}
    assert [name for name, (tags, found) in counted.items() if tags != found] == []
    assert sum(tags for tags, _found in counted.values()) > 400


@pytest.mark.parametrize("path", CATALOGUES)
def test_every_text_is_translated(path: Path) -> None:
    empty = [entry.msgid for entry in _entries(path) if not all(_said(entry)) or entry.fuzzy or entry.obsolete]
    assert empty == []


@pytest.mark.parametrize("path", CATALOGUES)
def test_translations_have_the_same_placeholders_and_tags(path: Path) -> None:
    wrong = []
    for entry in _entries(path):
        wanted = sorted(_PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        wrong += [said for said in _said(entry) if sorted(_PLACEHOLDER.findall(said)) != wanted]
    assert wrong == []


@pytest.mark.parametrize("path", CATALOGUES)
def test_translations_end_like_the_english(path: Path) -> None:
    """Texts put together from pieces must not lose or double a full stop or colon."""
    wrong = [said for entry in _entries(path) for said in _said(entry) if _stop(said) != _stop(entry.msgid)]
    assert wrong == []


def _stop(text: str) -> str:
    return text[-1] if text[-1] in ".:" else ""


@pytest.mark.parametrize("path", CATALOGUES)
def test_catalogues_compile_and_are_read_back(path: Path) -> None:
    compiled = gettext.GNUTranslations(io.BytesIO(polib.pofile(str(path)).to_binary()))
    for entry in _entries(path):
        if entry.msgid_plural:
            said = [compiled.ngettext(entry.msgid, entry.msgid_plural, count) for count in (1, 2)]
        else:
            said = [compiled.gettext(entry.msgid)]
        assert said == _said(entry)


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogues_agree_where_they_share_a_text(language: str) -> None:
    """Django joins all catalogues into one, so a text has the same translation everywhere."""
    seen: dict[str, list[str]] = {}
    differing = [
        entry.msgid for entry in _all_entries(language) if seen.setdefault(entry.msgid, _said(entry)) != _said(entry)
    ]
    assert differing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_other_app_translates_our_texts_first(language: str) -> None:
    """Of several apps that translate a text, the first of the settings is heard."""
    ours = {entry.msgid: entry.msgstr for entry in _all_entries(language) if not entry.msgid_plural}
    with translation.override(language):
        heard = {text: translation.gettext(text) for text in ours}
    assert heard == ours


# --- the pages ------------------------------------------------------------------------------------------------------


class _Words(HTMLParser):
    """Collects the words that users read or hear on a page, except code and the cities of time zones."""

    SILENT = ("script", "style", "code", "optgroup")
    HEARD = ("aria-label", "title", "alt", "placeholder")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in self.SILENT
        said = dict(attrs)
        heard = [*self.HEARD, *(name for name in said if name.startswith("data-")), *self._content(tag, said)]
        self.found += [text for name in heard if (text := said.get(name)) and " " in text.strip()]

    def _content(self, tag: str, said: dict[str, str | None]) -> Iterable[str]:
        return ["content"] if tag == "meta" and said.get("name") == "description" else []

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in self.SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.found.append(" ".join(data.split()))


def _english(html: str) -> list[str]:
    words = _Words()
    words.feed(html)
    return [text for text in words.found if _ENGLISH.search(text)]


def _translated(client: Client, address: str, language: str, status: int = 200) -> str:
    response = client.get(address)
    html: str = response.content.decode()
    assert response.status_code == status
    assert response["Content-Language"] == language
    assert f'<html lang="{language}"' in html
    assert _english(html) == []
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
    assert _english('<p>Du bist dran.</p><a aria-label="End the turn">x</a><p>The end</p>') == [
        "End the turn",
        "The end",
    ]


def test_a_visitor_whose_browser_asks_for_german_gets_it(visitor_in_german: Client) -> None:
    html = _german(visitor_in_german, "/")
    assert "Ein ruhiger Tisch für gute Spiele" in html
    assert "1 bis 5 Spieler" in html


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(
    "name",
    [
        "home",
        "lobby",
        "archive",
        "leaderboard",
        "learn",
        "puzzles",
        "bots",
        "pairing",
        "planned_tables",
        "privacy",
        "terms",
        "imprint",
        "account_login",
        "account_signup",
        "account_reset_password",
    ],
)
def test_pages_for_everybody_are_translated(db: None, name: str, language: str) -> None:
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
    assert "Die zwei Seiten eines Steins ändern sich nie" in html
    assert "Karte 1, " in html


def test_errors_are_german(visitor_in_german: Client) -> None:
    assert "Seite nicht gefunden" in _german(visitor_in_german, "/nowhere/", 404)


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(
    "name",
    [
        "home",
        "lobby",
        "my_matches",
        "table_new",
        "settings",
        "settings_profile",
        "settings_play",
        "settings_notices",
        "settings_devices",
        "settings_data",
        "archive",
        "leaderboard",
        "people",
        "messages",
        "notices",
    ],
)
def test_pages_of_a_person_are_translated(db: None, name: str, language: str) -> None:
    anna, reader = _member("anna", language)
    running_match([anna, person("bert")])
    open_table([anna], seats=3, rated=True)
    _translated(reader, reverse(name), language)


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
    assert re.search(r"(anna|bert) gewinnt: \d+ Punkte zu \d+\.", html)
    for address in (match.get_absolute_url(), reverse("my_matches"), "/archive/", reverse("profile", args=["anna"])):
        _german(reader, address)


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        (1, "anna0 hat aufgegeben."),
        (2, "anna0 hat aufgegeben. anna1 gewinnt."),
    ],
)
def test_a_match_that_was_left_is_told_in_german(db: None, seats: int, told: str) -> None:
    people = [person(f"anna{number}", language="de") for number in range(seats)]
    match = running_match(people)
    services.resign(match.pk, 0, "leaving-1")
    reader = client_of(people[0])
    assert told in _german(reader, match.get_absolute_url())
    assert "anna0 hat aufgegeben." in _german(reader, reverse("replay", args=[match.slug]))


def test_a_match_all_agree_to_abort_is_told_in_german(reader: Client, anna: User) -> None:
    match = running_match([anna, person("bert")], seed=bytes(32))
    for seat in (0, 1):
        act(match, "end", seat)
    services.offer_abort(match.pk, 1, True)
    assert "Vorschlag von bert: die Partie abbrechen." in _german(reader, match.get_absolute_url())
    services.offer_abort(match.pk, 0, True)
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
