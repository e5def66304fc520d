"""The contract holds for sound games, and every check catches a game that breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.contract.playouts import Chooser, Match, option_combinations, random_match
from games.engine.contract.testing import (
    GAME_CHECKS,
    MATCH_CHECKS,
    ContractError,
    GameCheck,
    MatchCheck,
    check_hidden,
    hides_nothing,
)
from games.engine.protocol import AnyGame, Options
from games.engine.runner import BrokenRulesError
from tests.unit.engine import sabotaged
from tests.unit.engine.toys import HighCards, Nim, Sealed

SEED = bytes(range(32))
CHECKS: dict[str, Any] = {check.__name__: check for check in (*GAME_CHECKS, *MATCH_CHECKS)}
FOUR_ROUNDS = {"rounds": "four"}


def match_of(game: AnyGame, seats: int = 3, options: Options = FOUR_ROUNDS) -> Match:
    chosen = {name: value for name, value in options.items() if game.options}
    return random_match(game, seats, chosen, SEED, Chooser(SEED))


@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", [HighCards(), Sealed(), Nim()], ids=lambda game: game.slug)
def test_sound_games_pass_the_checks_of_games(game: AnyGame, check: GameCheck) -> None:
    assert check(game) is None  # type: ignore[func-returns-value]  # a check returns None or raises


@pytest.mark.parametrize("check", MATCH_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", [HighCards(), Sealed(), Nim()], ids=lambda game: game.slug)
def test_sound_games_pass_the_checks_of_matches(game: AnyGame, check: MatchCheck) -> None:
    for seats in game.seats:
        for options in option_combinations(game, seats):
            assert check(game, match_of(game, seats, options)) is None  # type: ignore[func-returns-value]  # as above


SABOTAGED: list[tuple[str, type[Any]]] = [
    ("check_declaration", sabotaged.BadSlug),
    ("check_declaration", sabotaged.LooseState),
    ("check_declaration", sabotaged.TwiceTheSameOption),
    ("check_declaration", sabotaged.QuickIsNoChoice),
    ("check_declaration", sabotaged.TwoKindsTheSame),
    ("check_purity", sabotaged.ChangesItsState),
    ("check_purity", sabotaged.HasAMood),
    ("check_replay", sabotaged.HasAMood),
    ("check_replay", sabotaged.ForgetsInItsText),
    ("check_notation", sabotaged.WritesHalfTheAction),
    ("check_notation", sabotaged.ForgetsInItsText),
    ("check_notation", sabotaged.ReadsLoosely),
    ("check_notation", sabotaged.ReadsResign),
    ("check_notation", sabotaged.CrashesOnNoise),
    ("check_codec", sabotaged.UndeclaredEvent),
    ("check_codec", sabotaged.WrongViewType),
    ("check_legal_actions", sabotaged.NamesIllegalActions),
    ("check_illegal_actions", sabotaged.AcceptsWhatItDoesNotName),
    ("check_turns", sabotaged.ActsOffTurn),
    ("check_turns", sabotaged.OffersOffTurn),
    ("check_ending", sabotaged.PlacesFromZero),
    ("check_ending", sabotaged.DensePlaces),
    ("check_ending", sabotaged.ShortStanding),
    ("check_imagination", sabotaged.ImaginesAnotherHand),
    ("check_imagination", sabotaged.StandingTells),
    ("check_imagination", sabotaged.LegalityDependsOnThePile),
    ("check_variety", sabotaged.ShowsEverything),
    ("check_variety", sabotaged.ShowsHandsToSpectators),
    ("check_reveals", sabotaged.HidesThatItDraws),
    ("check_reveals", sabotaged.TellsDrawnCards),
    ("check_reveals", sabotaged.TellsAnotherCard),
    ("check_reveals", sabotaged.LegalityDependsOnThePile),
    ("check_reveals", sabotaged.OpensSilently),
    ("check_reveals", sabotaged.OpensTooSoon),
    ("check_sealed", sabotaged.ShowsWhatIsSealed),
    ("check_sealed", sabotaged.RewardsTheFirst),
    ("check_sealed", sabotaged.RevealsBeforeTheLast),
]


PLAYED_SOUNDLY: dict[Any, Any] = {sabotaged.NamesIllegalActions: HighCards}
"""Sabotaged games that cannot be played to the end, and the game whose matches they are checked with."""


@pytest.mark.parametrize(("check", "game"), SABOTAGED, ids=lambda value: getattr(value, "__name__", value))
def test_a_sabotaged_game_is_caught(check: str, game: type[Any]) -> None:
    with pytest.raises((ContractError, ValueError)):
        run(CHECKS[check], game())


def run(check: Any, game: AnyGame) -> None:
    if check in GAME_CHECKS:
        check(game)
    else:
        played = PLAYED_SOUNDLY.get(type(game), type(game))
        check(game, match_of(played()))


def test_every_check_has_a_sabotaged_game() -> None:
    assert {name for name, _ in SABOTAGED} == set(CHECKS)


def test_a_title_can_name_what_is_hidden() -> None:
    match = match_of(HighCards())
    check_hidden(HighCards(), match, lambda state, viewer: state.pile[0] if len(state.pile) > 1 else None)
    with pytest.raises(ContractError, match="always imagines the truth"):
        check_hidden(HighCards(), match, lambda state, viewer: state.table)


def test_a_hidden_use_of_chance_is_caught_while_playing() -> None:
    with pytest.raises(BrokenRulesError, match="does not say that this reveals"):
        match_of(sabotaged.HidesThatItRolls())


def test_complaints_name_the_game() -> None:
    with pytest.raises(ContractError, match=r"^high-cards: "):
        run(CHECKS["check_ending"], sabotaged.ShortStanding())


class Unfinished(Nim):
    slug = "unfinished"

    def apply(self, *_: Any) -> Any:
        raise KeyError("left")


def test_a_crash_names_the_check_and_the_game() -> None:
    with pytest.raises(KeyError) as caught:
        CHECKS["check_purity"](Unfinished(), match_of(Nim()))
    assert caught.value.__notes__ == ["This happened in check_purity of the game unfinished."]


def test_a_game_that_lacks_something_is_told_what() -> None:
    class Lacking:
        slug, name, version = "lacking", "Lacking", 1

    with pytest.raises(ContractError, match=r"lacking: the game lacks seats, options, .*start, to_move"):
        CHECKS["check_declaration"](Lacking())


def test_an_open_game_is_known_by_what_can_be_imagined_of_it() -> None:
    assert hides_nothing(Nim(), match_of(Nim()))
    assert not hides_nothing(HighCards(), match_of(HighCards()))
    assert not hides_nothing(Sealed(), match_of(Sealed()))
