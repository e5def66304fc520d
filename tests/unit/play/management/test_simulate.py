"""Simulated matches are legal, repeatable and written as records."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.record import read, verify
from games.play import management
from games.titles import games
from tests.unit.engine.toys import HighCards

SEED = bytes(range(32)).hex()


def simulate(*arguments: str) -> str:
    out = StringIO()
    call_command("simulate", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize(("slug", "seats"), [("shifting-stones", seats) for seats in range(1, 6)])
def test_a_simulated_match_is_a_record_without_a_difference(slug: str, seats: int) -> None:
    record = read(simulate(slug, "--seats", str(seats)))
    assert (record.game, len(record.seats), record.rated) == (slug, seats, False)
    assert record.outcome is not None
    assert verify(record, games()[slug]) is None


def test_a_simulated_match_has_the_seals_its_rules_ask_for() -> None:
    text = simulate("card-chess", "--seats", "2", "--seed", SEED)
    record = read(text)
    assert all(action.seal and action.salt for action in record.actions)
    assert verify(record, games()["card-chess"]) is None
    assert text == simulate("card-chess", "--seats", "2", "--seed", SEED)


def test_the_same_seed_gives_the_same_match() -> None:
    text = simulate("shifting-stones", "--seats", "3", "--seed", SEED)
    assert text == simulate("shifting-stones", "--seats", "3", "--seed", SEED)
    assert json.loads(text)["server_seed"] == SEED
    assert text != simulate("shifting-stones", "--seats", "3")


def test_the_record_goes_into_the_file_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    assert simulate("shifting-stones", "--seats", "2", "--seed", SEED, "--out", str(path)) == f"{path}\n"
    assert path.read_text(encoding="utf-8") == simulate("shifting-stones", "--seats", "2", "--seed", SEED)


def test_several_matches_are_several_files(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    simulate("shifting-stones", "--seats", "2", "--seed", SEED, "--out", str(path), "--matches", "3")
    texts = [(tmp_path / f"match-{number}.json").read_text(encoding="utf-8") for number in (1, 2, 3)]
    assert len(set(texts)) == 3
    assert texts[0] == simulate("shifting-stones", "--seats", "2", "--seed", SEED)


def test_options_are_written_as_in_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(management, "games", lambda: {"high-cards": HighCards()})
    text = simulate("high-cards", "--seats", "2", "--option", "long=true", "--option", "rounds=four")
    assert json.loads(text)["options"] == {"rounds": "four", "long": True}
    assert len(json.loads(text)["actions"]) == 16
    with pytest.raises(CommandError, match="“Foe” must be chosen"):
        simulate("high-cards", "--seats", "1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "--seats", "2"], "no game “chess”"),
        (["shifting-stones", "--seats", "6"], "not for 6 players"),
        (["shifting-stones", "--seats", "0"], "not for 0 players"),
        (["shifting-stones", "--seats", "two"], "invalid int value"),
        (["shifting-stones"], "--seats"),
        (["shifting-stones", "--seats", "2", "--option", "length"], "NAME=VALUE"),
        (["shifting-stones", "--seats", "2", "--option", "no-such-option=true"], "no option “no-such-option”"),
        (["shifting-stones", "--seats", "2", "--seed", "xyz"], "hex digits"),
        (["shifting-stones", "--seats", "2", "--seed", "00"], "64 hex digits"),
        (["shifting-stones", "--seats", "2", "--matches", "0"], "At least one"),
        (["shifting-stones", "--seats", "2", "--out", "/nonexistent/match.json"], "cannot be written"),
    ],
)
def test_what_cannot_be_simulated_is_said_clearly(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        simulate(*arguments)
