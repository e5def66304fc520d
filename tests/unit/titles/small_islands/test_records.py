"""Recorded matches, one for each way in which a match can end: played again, and they show what they are kept for."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from games.engine import record
from games.titles import rules_of
from games.titles.small_islands import GAME
from tests.unit.titles.recording import Wanted, replay
from tests.unit.titles.small_islands.choosers import Plays
from tests.unit.titles.small_islands.recordings import FOLDER, WANTED
from tests.unit.titles.small_islands.test_properties import is_conserved

FILES = sorted(FOLDER.glob("*.json"))


@cache
def replayed(path: Path) -> Plays:
    return tuple(replay(GAME, path))


def test_there_is_a_recording_for_each_way_to_end() -> None:
    assert {path.stem for path in FILES} == {wanted.name for wanted in WANTED}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recording_verifies(path: Path) -> None:
    assert record.verify(record.read(path.read_text(encoding="utf-8")), GAME) is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recording_keeps_every_piece(path: Path) -> None:
    assert all(is_conserved(play.state) for play in replayed(path))


@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.name)
def test_recording_shows_what_it_is_kept_for(wanted: Wanted) -> None:
    plays = replayed(FOLDER / f"{wanted.name}.json")
    assert plays[-1].outcome is not None
    assert wanted.shows(plays)


def test_recordings_show_both_modes_both_starts_and_every_number_of_players() -> None:
    matches = [record.read(path.read_text(encoding="utf-8")) for path in FILES]
    assert {match.options.get("mode", "normal") for match in matches} == {"normal", "advanced"}
    assert {match.options.get("start", "automatic") for match in matches} == {"automatic", "by_hand"}
    assert {match.options.get("table", "large") for match in matches} == {"large", "small"}
    assert {match.options["alexis"] for match in matches if len(match.seats) == 1} == {"morning", "afternoon", "night"}
    assert {len(match.seats) for match in matches} == {1, 2, 3, 4}


def test_recordings_show_tokens_of_both_sides_and_regions_of_channels() -> None:
    texts = [play.text for path in FILES for play in replayed(path)]
    for part in (" token any=port ", " token any=leaf ", ".1 ", ".2 ", " land grey ", " land own ", "settle 0,"):
        assert any(part in f" {text} " for text in texts), part


@pytest.mark.parametrize("path", sorted((FOLDER / "version-1").glob("*.json")), ids=lambda path: path.stem)
def test_a_recording_of_the_rules_before_the_table_had_an_edge_verifies(path: Path) -> None:
    found = record.read(path.read_text(encoding="utf-8"))
    assert found.rules_version == 1
    assert record.verify(found, rules_of(found.game, found.rules_version)) is None


def test_a_recording_that_was_tampered_with_is_noticed() -> None:
    text = (FOLDER / "reserve.json").read_text(encoding="utf-8")
    forged = text.replace('"text": "land grey', '"text": "land own', 1)
    assert forged != text
    assert record.verify(record.read(forged), GAME) is not None
