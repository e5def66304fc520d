"""`manage.py simulate` and `verify_record` with this game."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.contract.playouts import option_combinations
from games.engine.protocol import Options
from games.engine.record import read, verify
from games.titles.card_chess import GAME
from tests.unit.titles.card_chess.test_records import FILES

SETTINGS = [(seats, options) for seats in GAME.seats for options in option_combinations(GAME, seats)]


def simulate(*arguments: str) -> str:
    out = StringIO()
    call_command("simulate", "card-chess", *arguments, stdout=out)
    return out.getvalue()


def written(value: str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else value


@pytest.mark.parametrize(("seats", "options"), SETTINGS, ids=str)
def test_a_simulated_match_is_a_record_without_a_difference(seats: int, options: Options) -> None:
    chosen = [f"--option={name}={written(value)}" for name, value in options.items()]
    record = read(simulate("--seats", str(seats), *chosen))
    assert (record.game, len(record.seats), record.options) == ("card-chess", seats, options)
    assert record.outcome is not None
    assert verify(record, GAME) is None


def test_the_same_seed_gives_the_same_match() -> None:
    seed = bytes(range(32)).hex()
    assert simulate("--seats", "3", "--seed", seed) == simulate("--seats", "3", "--seed", seed)


def test_sharing_is_not_offered_to_three() -> None:
    with pytest.raises(CommandError, match="no option “shared”"):
        simulate("--seats", "3", "--option", "shared=true")


def test_the_recorded_matches_are_as_recorded() -> None:
    out = StringIO()
    call_command("verify_record", *map(str, FILES), stdout=out)
    told = [line for line in out.getvalue().splitlines() if "/" in line]
    assert told == [f"{path}: everything is as recorded" for path in FILES]


def test_a_record_names_its_difference(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(FILES[0].read_text(encoding="utf-8").replace("play ", "play bQ9w ", 1), encoding="utf-8")
    with pytest.raises(CommandError, match=r"action 1, text: the record says seat 0"):
        call_command("verify_record", str(path))
