"""Recorded matches, one for each way in which a match can end: replayed, and each shows what it is kept for."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.engine import record
from games.titles.shifting_stones import GAME
from tests.unit.titles.recording import Wanted, replay
from tests.unit.titles.shifting_stones.choosers import Plays
from tests.unit.titles.shifting_stones.positions import all_cards
from tests.unit.titles.shifting_stones.recordings import FOLDER, WANTED

FILES = sorted(FOLDER.glob("*.json"))


def replayed(path: Path) -> Plays:
    return replay(GAME, path)


def test_there_is_a_recording_for_each_way_to_end() -> None:
    assert {path.stem for path in FILES} == {wanted.name for wanted in WANTED}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recording_verifies(path: Path) -> None:
    assert record.verify(record.read(path.read_text(encoding="utf-8")), GAME) is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recording_keeps_every_card(path: Path) -> None:
    plays = replayed(path)
    assert all(sorted(all_cards(play.state)) == sorted(all_cards(plays[0].state)) for play in plays)


@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.name)
def test_recording_shows_what_it_is_kept_for(wanted: Wanted) -> None:
    plays = replayed(FOLDER / f"{wanted.name}.json")
    assert plays[-1].outcome is not None
    assert wanted.shows(plays)


def test_a_recording_that_was_tampered_with_is_noticed() -> None:
    text = (FOLDER / "trigger-first.json").read_text(encoding="utf-8")
    forged = text.replace('"text": "end"', '"text": "skip"', 1)
    difference = record.verify(record.read(forged), GAME)
    assert difference is not None
    assert difference.what in {"text", "outcome"}
