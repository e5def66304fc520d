"""Bots that play each other: seats and deals are shared fairly, and the figures are right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.bots import LEVELS
from games.engine.contract.playouts import option_combinations
from games.engine.fair import FairChance
from games.engine.protocol import AnyGame, Seat
from games.titles import bots, games
from games.titles.bots import AtLevel, Played, bot_named, flat, pairings, play_match, strengths

STONES = "shifting-stones"


def ended(bots: tuple[str, ...], *places: int) -> Played:
    return Played(bots, places, (0,) * len(bots), "", ((0.1,),) * len(bots))


def test_bots_change_seats_and_play_each_deal_from_every_seat() -> None:
    made = pairings(STONES, {}, ["a", "b", "c"], 6, 1.0)
    assert [match.bots for match in made[:3]] == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert len({match.seed for match in made[:3]}) == 1
    assert len({match.seed for match in made}) == 2


def test_a_bot_that_wins_three_of_four_is_191_points_stronger() -> None:
    one, other = ("good", "bad"), ("bad", "good")
    found = strengths([ended(one, 1, 2), ended(other, 2, 1), ended(one, 1, 2), ended(other, 1, 2)])
    assert (found["good"].share, found["bad"].share) == (0.75, 0.25)
    assert round(found["good"].elo[0]) == 191
    assert found["good"].elo[1] < 191 < found["good"].elo[2]
    assert found["good"].place == 1.25


def test_a_tie_counts_half_and_more_seats_count_who_was_left_behind() -> None:
    assert strengths([ended(("a", "b"), 1, 1)])["a"].share == 0.5
    found = strengths([ended(("a", "b", "c"), 2, 1, 3)])
    assert (found["a"].share, found["b"].share, found["c"].share) == (0.5, 1.0, 0.0)


def test_a_bot_with_several_seats_counts_once_for_each_match() -> None:
    found = strengths([ended(("a", "b", "a"), 1, 2, 2), ended(("a", "a", "b"), 1, 3, 1)])
    assert (found["a"].matches, found["b"].matches) == (2, 2)
    assert found["a"].place == pytest.approx((1.5 + 2) / 2)
    assert found["a"].firsts == pytest.approx((1 / 2 + 1 / 4) / 2)  # of one of its seats


@pytest.mark.parametrize("name", ["nobody", "games.titles.bots:nobody", "no.such.module:choose"])
def test_an_unknown_bot_is_refused_by_name(name: str) -> None:
    with pytest.raises(LookupError, match=name):
        bot_named(name)
    with pytest.raises(CommandError, match=name):
        call_command("arena", STONES, seats=2, bots=[name], matches=1)


@pytest.mark.parametrize("slug", games())
def test_every_game_can_be_played_at_every_level_to_its_end(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules refuse what is not legal; the fewest futures are as good as many for that."""
    hurried = [f"hurried_{name}" for name in LEVELS]
    for name, level in zip(hurried, LEVELS.values(), strict=True):
        monkeypatch.setattr(bots, name, AtLevel(replace(level, effort=0.01)), raising=False)
    seats = len(hurried)
    [match] = pairings(slug, option_combinations(games()[slug], seats)[0], hurried, 1, 0.05)
    assert len(play_match(match).places) == seats


@pytest.mark.parametrize("slug", games())
def test_the_flat_bot_takes_legal_actions_and_looks_at_a_view_alone(slug: str) -> None:
    game: AnyGame = games()[slug]
    state = game.start(2, option_combinations(game, 2)[0], FairChance(bytes(32), 0)).state
    seat = Seat(min(game.to_move(state)))
    action = flat(game, game.view_for(state, seat), seat, FairChance(bytes(32), 1), 0.01)
    assert game.notate(action) in {game.notate(each) for each in game.legal_actions(state, seat)}


def test_the_same_pairing_is_played_the_same_way_again() -> None:
    [match] = pairings(STONES, option_combinations(games()[STONES], 2)[0], ["novice", "novice"], 1, 60.0)
    one, other = play_match(match), play_match(match)
    assert (one.places, one.scores) == (other.places, other.scores)


def test_levels_imagine_as_many_futures_however_few_seconds_others_have() -> None:
    options = option_combinations(games()["card-chess"], 2)[0]
    one, other = (
        play_match(pairings("card-chess", options, ["companion", "novice"], 1, seconds)[0]) for seconds in (0.0, 60.0)
    )
    assert (one.places, one.scores) == (other.places, other.scores)


def test_a_mean_place_has_an_interval_too() -> None:
    found = strengths([ended(("a", "b"), 1, 2), ended(("b", "a"), 2, 1), ended(("a", "b"), 2, 1)])
    assert found["a"].place == pytest.approx(4 / 3)
    assert found["a"].place_margin == pytest.approx(1.96 / 3)


def test_the_command_prints_the_strengths_and_writes_every_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.json"
    call_command("arena", STONES, seats=2, bots=["novice", "greedy"], matches=2, processes=1, seconds=0.05, out=out)
    assert "novice: " in capsys.readouterr().out
    table = json.loads(out.read_text(), parse_constant=pytest.fail)
    assert [match["bots"] for match in table["matches"]] == [["novice", "greedy"], ["greedy", "novice"]]
    assert table["matches"][0]["seed"] == table["matches"][1]["seed"]
