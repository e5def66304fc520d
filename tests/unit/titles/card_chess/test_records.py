"""Recorded matches, one for each way in which a match can end: played again, and they show what they are kept for."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.engine import record
from games.titles.card_chess import GAME
from tests.unit.titles.card_chess.choosers import Plays
from tests.unit.titles.card_chess.positions import all_cards
from tests.unit.titles.card_chess.recordings import FOLDER, WANTED
from tests.unit.titles.recording import Wanted, replay

FILES = sorted(FOLDER.glob("*.json"))


def replayed(path: Path) -> Plays:
    return replay(GAME, path)


def test_there_is_a_recording_for_each_way_to_end() -> None:
    assert {path.stem for path in FILES} == {wanted.name for wanted in WANTED}


def test_every_reason_is_recorded() -> None:
    outcomes = [record.read(path.read_text(encoding="utf-8")).outcome for path in FILES]
    assert {outcome.reason for outcome in outcomes if outcome} == {
        "gold", "decider", "shared", "challenge", "drawn", "valve", "resign", "timeout",
    }  # fmt: skip


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


def test_options_at_their_default_are_not_in_a_record() -> None:
    options = {path.stem: record.read(path.read_text(encoding="utf-8")).options for path in FILES}
    assert options["gold"] == {}
    assert options["rulings"] == {"blocking": True, "next_strongest": True, "symmetric_rooks": True}
    assert options["shared"] == {"shared": True}


def test_a_recording_that_was_tampered_with_is_noticed() -> None:
    match = record.read((FOLDER / "gold.json").read_text(encoding="utf-8"))
    text = record.write(match)
    cards = match.actions[0].text.split(" ")
    forged = text.replace(match.actions[0].text, " ".join((cards[0], *reversed(cards[1:]))), 1)
    difference = record.verify(record.read(forged), GAME)
    assert difference is not None
    assert difference.what in {"text", "seal", "outcome"}
