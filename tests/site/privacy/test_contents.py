"""What is in an export: everything somebody has, in words and for programs, and nothing that is not theirs to know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.utils import translation
from pytest_django import DjangoDbBlocker

from accounts import relations
from games.engine.protocol import Seat
from games.matchmaking.invitations import invite
from games.play.access import viewed_by
from games.play.models import Match
from games.play.records import plays
from games.play.reducer import positions
from games.play.store import writing
from games.privacy.exports import NAMES, name_in_words
from games.privacy.models import Deletion
from games.privacy.personal_data import PARTS
from tests.people import act, open_table, person, running_match
from tests.site.privacy import inhabited
from tests.site.privacy.inhabited import OURS, SECRETS, THEIRS
from tests.site.privacy.opening import made, opened, rows, texts

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[inhabited.Inhabited]:
    """Create somebody who uses everything once for all tests."""
    cache.clear()  # limits that a test before used up: `fresh_memory` comes only after this
    with django_db_blocker.unblock(), transaction.atomic():
        found = inhabited.build("alice")
        Deletion.objects.create(user=found.ann)
        yield found
        transaction.set_rollback(True)


@pytest.fixture
def file(world: inhabited.Inhabited) -> ZipFile:
    return opened(made(world.ann))


def test_every_part_is_there_with_what_somebody_has(world: inhabited.Inhabited, file: ZipFile) -> None:
    assert file.testzip() is None
    empty = [part.name for part in PARTS if not rows(file, part.name)]
    assert empty == []
    account = {row["setting"]: row["value"] for row in rows(file, "account")}
    assert account["name"] == world.ann.username
    assert account["email"] == world.ann.email
    assert rows(file, "blocks") == [{"name": "mallory", "at": rows(file, "blocks")[0]["at"]}]
    assert [row["name"] for row in rows(file, "follows")] == ["eve"]
    assert {row["name"]: row["asked_by_me"] for row in rows(file, "friends")} == {"bob": True, "eve": False}


def test_the_records_of_all_matches_are_there_and_verify(
    world: inhabited.Inhabited, file: ZipFile, tmp_path: Path
) -> None:
    names = {name for name in file.namelist() if name.startswith("matches/")}
    theirs = Match.objects.of(world.ann).filter(started_at__isnull=False)
    assert names == {f"matches/tessera-{match.game}-{match.slug}.json" for match in theirs}
    assert {row["match"] for row in rows(file, "matches")} == {match.slug for match in theirs}
    file.extractall(tmp_path)
    for match in (world.rated, world.solo):
        call_command("verify_record", str(tmp_path / f"matches/tessera-{match.game}-{match.slug}.json"))


def test_the_page_is_well_formed_and_runs_nothing(world: inhabited.Inhabited, file: ZipFile) -> None:
    text = file.read("index.html").decode()
    page = ET.fromstring(text.partition("\n")[2])
    assert page.tag == "html"
    assert {section.get("id") for section in page.iter("section")} == {part.name for part in PARTS}
    assert not list(page.iter("script"))
    assert OURS in "".join(page.itertext())
    links = [link.get("href", "") for name in ("a", "link") for link in page.iter(name)]
    assert [link for link in links if not link.startswith("#") and link not in file.namelist()] == []


@pytest.mark.parametrize("language", ["de", "it"])
def test_the_page_is_in_the_language_in_which_it_was_asked_for(world: inhabited.Inhabited, language: str) -> None:
    found = opened(made(world.ann, language)).read("index.html").decode()
    assert f'<html lang="{language}">' in found
    assert {"de": "Deine Daten", "it": "I tuoi dati"}[language] in found
    assert "Email addresses" not in found


def test_every_name_in_it_is_explained(world: inhabited.Inhabited, file: ZipFile) -> None:
    used = {name for part in PARTS for row in rows(file, part.name) for name in row}
    used |= {str(row["setting"]) for part in PARTS for row in rows(file, part.name) if "setting" in row}
    assert used - set(NAMES) == set()


@pytest.mark.parametrize(
    ("language", "words"), [("de", ["Punkte", "An wen", "Bis"]), ("it", ["Punti", "A chi", "Fino al"])]
)
def test_a_name_that_means_more_in_other_places_means_here_what_is_kept(language: str, words: list[str]) -> None:
    """“Score” is also a button, “to” the end of a span of time, and “until” a clock’s deadline."""
    with translation.override(language):
        assert [name_in_words(name) for name in ("score", "to", "until")] == words


# --- what is not in it ------------------------------------------------------------------------------------------------


def test_neither_secrets_nor_what_others_wrote_or_decided_are_in_it(world: inhabited.Inhabited, file: ZipFile) -> None:
    for name, text in texts(file):
        assert [secret for secret in SECRETS if secret in text] == [], name
        assert THEIRS not in text, name
        assert "trudy" not in text, f"{name}: who has blocked somebody is not theirs to know"
        assert "pbkdf2" not in text
        assert world.bob.email not in text
    assert {row["text"] for row in rows(file, "messages")} == {OURS, "to bob alone", "to eve alone"}


def test_what_the_rules_hide_in_a_running_match_is_hidden_in_the_file_too() -> None:
    """The plans of cardChess are asked for in secret: until they are opened, an opponent gets only their seals."""
    ann, bob = person(), person()
    match = running_match([ann, bob], game="card-chess", seed=bytes(32))
    secret: list[str] = []
    for _ in range(60):
        match.refresh_from_db()
        seat = match.seats.get(user=bob)
        if not seat.to_move:
            seat = match.seats.get(user=ann)
        text = positions.legal_texts(match, Seat(seat.number))[0]
        act(match, text, seat.number)
        hidden = match.actions.exclude(seal="").filter(number__gt=match.opened, seat=match.seats.get(user=bob).number)
        if match.seats.filter(user=ann, to_move=True).exists() and hidden.exists():
            secret = [action.salt.hex() for action in hidden]
            break
    assert secret, "nothing secret was asked for"
    file = opened(made(ann))
    record = file.read(f"matches/tessera-card-chess-{match.slug}.json").decode()
    for name, text in texts(file):
        assert [salt for salt in secret if salt in text] == [], name
        assert bytes(match.server_seed).hex() not in text, name
    entries = json.loads(record)["actions"]
    seen = viewed_by(ann, match)
    assert seen is not None
    mine = seen.viewer
    last = max(entry["n"] for entry in entries if entry["seat"] != mine and entry.get("seal"))
    assert next(entry for entry in entries if entry["n"] == last)["text"] == ""
    state = list(plays(match, seen.seats))[-1].state
    assert json.loads(record)["server_seed"] is None
    assert repr(state) not in record


def test_an_invitation_between_people_who_are_kept_apart_is_in_no_export() -> None:
    ann, bob = person(), person()
    relations.block(ann, bob)
    table = open_table([bob], seats=2)
    with writing():
        invite(table, [ann], by=bob)
    assert rows(opened(made(ann)), "invitations") == []


def test_who_was_declined_is_not_told_by_the_file() -> None:
    ann, bob = person(), person()
    relations.request_friendship(ann, bob)
    relations.decline_request(bob, ann)
    assert [row["state"] for row in rows(opened(made(ann)), "friends")] == ["asked"]
    assert [row["state"] for row in rows(opened(made(bob)), "friends")] == ["declined"]
