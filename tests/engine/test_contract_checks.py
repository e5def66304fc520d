"""The contract holds for sound games, and every check catches a game that breaks it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from games.engine.fair import FairChance
from games.engine.playouts import Chooser, Match, option_combinations, random_match
from games.engine.protocol import AnyGame, Chance, Event, Option, Options, Outcome, Seat, Step, Viewer
from games.engine.runner import BrokenRulesError
from games.engine.secrecy import ContractError, check_hidden
from games.engine.testing import GAME_CHECKS, MATCH_CHECKS, GameCheck, MatchCheck
from tests.engine.toys import Cards, CardsView, Drew, GotCard, HighCards, Laid, Move, Opened, Sealed, Secrets

SEED = bytes(range(32))
CHECKS: dict[str, Any] = {check.__name__: check for check in (*GAME_CHECKS, *MATCH_CHECKS)}
FOUR_ROUNDS = {"rounds": "four"}


def match_of(game: AnyGame, seats: int = 3, options: Options = FOUR_ROUNDS) -> Match:
    chosen = {name: value for name, value in options.items() if game.options}
    return random_match(game, seats, chosen, SEED, Chooser(SEED))


@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", [HighCards(), Sealed()], ids=lambda game: game.slug)
def test_sound_games_pass_the_checks_of_games(game: AnyGame, check: GameCheck) -> None:
    assert check(game) is None  # type: ignore[func-returns-value]  # a check returns None or raises


@pytest.mark.parametrize("check", MATCH_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", [HighCards(), Sealed()], ids=lambda game: game.slug)
def test_sound_games_pass_the_checks_of_matches(game: AnyGame, check: MatchCheck) -> None:
    for seats in game.seats:
        for options in option_combinations(game, seats):
            assert check(game, match_of(game, seats, options)) is None  # type: ignore[func-returns-value]  # as above


class BadSlug(HighCards):
    slug = "High Cards"


@dataclass
class Loose:
    hands: tuple[int, ...]


class LooseState(HighCards):
    state_type: Any = Loose


class TwiceTheSameOption(HighCards):
    options = (*HighCards.options, Option("rounds", "Again", (("x", "X"),)))


@dataclass(frozen=True, slots=True)
class AlsoLaid(Event):
    kind: ClassVar[str] = "laid"


class TwoKindsTheSame(HighCards):
    event_types = (*HighCards.event_types, AlsoLaid)


class ChangesItsState(HighCards):
    def apply(self, state: Cards, seat: Seat, action: Move, chance: Chance) -> Step[Cards]:
        step = super().apply(state, seat, action, chance)
        object.__setattr__(state, "dice", tuple(n + 1 for n in state.dice))
        return step


class HasAMood(HighCards):
    mood: ClassVar[int] = 0

    def roll(self, state: Cards, seat: Seat, chance: Chance) -> Step[Cards]:
        type(self).mood += 1
        step = super().roll(state, seat, chance)
        return replace(step, state=replace(step.state, dice=tuple(n + self.mood for n in step.state.dice)))


class WritesHalfTheAction(HighCards):
    def notate(self, action: Move) -> str:
        return "roll" if action.verb == "draw" else super().notate(action)


class ForgetsInItsText(HighCards):
    def parse(self, text: str) -> Move:
        return super().parse("draw" if text == "roll" else text)


class ReadsLoosely(HighCards):
    def parse(self, text: str) -> Move:
        return super().parse(text.strip())


class CrashesOnNoise(HighCards):
    def parse(self, text: str) -> Move:
        return Move("lay", int(text[4:])) if text.startswith("lay") else super().parse(text)


class ReadsResign(HighCards):
    def parse(self, text: str) -> Move:
        return Move("roll") if text == "resign" else super().parse(text)


class UndeclaredEvent(HighCards):
    event_types = tuple(kind for kind in HighCards.event_types if kind is not Drew)


class WrongViewType(HighCards):
    view_type: Any = Cards


class NamesIllegalActions(HighCards):
    def apply(self, state: Cards, seat: Seat, action: Move, chance: Chance) -> Step[Cards]:
        if action == Move("draw"):
            action = Move("lay", 99)
        return super().apply(state, seat, action, chance)


class AcceptsWhatItDoesNotName(HighCards):
    def legal_actions(self, state: Cards, seat: Seat) -> Iterable[Move]:
        return [action for action in super().legal_actions(state, seat) if state.turn % 2 or action.verb != "lay"]

    def apply(self, state: Cards, seat: Seat, action: Move, chance: Chance) -> Step[Cards]:
        if action.verb == "lay" and action in super().legal_actions(state, seat):
            return self.lay(replace(state, turn=state.turn + 1), seat, action.card)
        return super().apply(state, seat, action, chance)


class ActsOffTurn(HighCards):
    def apply(self, state: Cards, seat: Seat, action: Move, chance: Chance) -> Step[Cards]:
        return self.roll(replace(state, turn=state.turn + 1), seat, chance)


class OffersOffTurn(HighCards):
    def legal_actions(self, state: Cards, seat: Seat) -> Iterable[Move]:
        return list(super().legal_actions(state, seat)) or [Move("roll")]


class PlacesFromZero(HighCards):
    def outcome(self, state: Cards) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=tuple(place - 1 for place in outcome.places))


class DensePlaces(HighCards):
    def outcome(self, state: Cards) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=(1, 1, 2))


class ShortStanding(HighCards):
    def outcome(self, state: Cards) -> Outcome | None:
        return None if self.to_move(state) else Outcome((1, 2, 3), (0, 0, 0), "rounds")

    def standing(self, state: Cards) -> tuple[int, ...]:
        return super().standing(state)[1:]


class ImaginesAnotherHand(HighCards):
    def imagine(self, view: CardsView, chance: Chance) -> Cards:
        world = super().imagine(view, chance)
        return replace(world, hands=(*world.hands[1:], world.hands[0]))


class StandingTells(HighCards):
    def standing(self, state: Cards) -> tuple[int, ...]:
        return tuple(score + sum(hand) for score, hand in zip(super().standing(state), state.hands, strict=True))


class LegalityDependsOnThePile(HighCards):
    def legal_actions(self, state: Cards, seat: Seat) -> Iterable[Move]:
        for action in super().legal_actions(state, seat):
            if action.verb != "draw" or state.pile[0] % 2:
                yield action


@dataclass(frozen=True, slots=True)
class OpenView:
    state: Cards
    viewer: int | None


class ShowsEverything(HighCards):
    """No filter at all: everybody gets the whole state."""

    view_type: Any = OpenView

    def view_for(self, state: Cards, viewer: Viewer) -> Any:
        return OpenView(state, viewer)

    def imagine(self, view: Any, chance: Chance) -> Cards:
        cards: Cards = view.state
        return cards


class ShowsHandsToSpectators(HighCards):
    """The filter is off for spectators."""

    view_type: Any = OpenView

    def view_for(self, state: Cards, viewer: Viewer) -> Any:
        seen = state if viewer is None else super().imagine(super().view_for(state, viewer), FairChance(SEED, 0))
        return OpenView(seen, viewer)

    def imagine(self, view: Any, chance: Chance) -> Cards:
        if view.viewer is None:
            return ShowsEverything().imagine(view, chance)
        return super().imagine(super().view_for(view.state, view.viewer), chance)


class HidesThatItDraws(HighCards):
    def draw(self, state: Cards, seat: Seat) -> Step[Cards]:
        return replace(super().draw(state, seat), reveals=False)


class HidesThatItRolls(HighCards):
    def roll(self, state: Cards, seat: Seat, chance: Chance) -> Step[Cards]:
        return replace(super().roll(state, seat, chance), reveals=False)


class TellsDrawnCards(HighCards):
    def draw(self, state: Cards, seat: Seat) -> Step[Cards]:
        return replace(super().draw(state, seat), events=(Drew(None, seat), GotCard(None, state.pile[0])))


class TellsAnotherCard(HighCards):
    def lay(self, state: Cards, seat: Seat, card: int) -> Step[Cards]:
        step = super().lay(state, seat, card)
        spilt = (Laid(None, seat, left) for left in step.state.hands[seat])
        return replace(step, events=(*step.events, *spilt))


class OpensSilently(Sealed):
    def apply(self, state: Secrets, seat: Seat, action: int, chance: Chance) -> Step[Secrets]:
        return replace(super().apply(state, seat, action, chance), reveals=False)


class OpensTooSoon(Sealed):
    def apply(self, state: Secrets, seat: Seat, action: int, chance: Chance) -> Step[Secrets]:
        step = super().apply(state, seat, action, chance)
        return replace(step, events=(*step.events, Opened(None, tuple(n or 0 for n in step.state.chosen))))


SABOTAGED: list[tuple[str, type[Any]]] = [
    ("check_declaration", BadSlug),
    ("check_declaration", LooseState),
    ("check_declaration", TwiceTheSameOption),
    ("check_declaration", TwoKindsTheSame),
    ("check_purity", ChangesItsState),
    ("check_purity", HasAMood),
    ("check_replay", HasAMood),
    ("check_replay", ForgetsInItsText),
    ("check_notation", WritesHalfTheAction),
    ("check_notation", ForgetsInItsText),
    ("check_notation", ReadsLoosely),
    ("check_notation", ReadsResign),
    ("check_notation", CrashesOnNoise),
    ("check_codec", UndeclaredEvent),
    ("check_codec", WrongViewType),
    ("check_legal_actions", NamesIllegalActions),
    ("check_illegal_actions", AcceptsWhatItDoesNotName),
    ("check_turns", ActsOffTurn),
    ("check_turns", OffersOffTurn),
    ("check_ending", PlacesFromZero),
    ("check_ending", DensePlaces),
    ("check_ending", ShortStanding),
    ("check_imagination", ImaginesAnotherHand),
    ("check_imagination", StandingTells),
    ("check_imagination", LegalityDependsOnThePile),
    ("check_variety", ShowsEverything),
    ("check_variety", ShowsHandsToSpectators),
    ("check_reveals", HidesThatItDraws),
    ("check_reveals", TellsDrawnCards),
    ("check_reveals", TellsAnotherCard),
    ("check_reveals", LegalityDependsOnThePile),
    ("check_reveals", OpensSilently),
    ("check_reveals", OpensTooSoon),
]


PLAYED_SOUNDLY: dict[Any, Any] = {NamesIllegalActions: HighCards}
"""Sabotaged games that cannot be played to their end, and the game whose matches they are checked with."""


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
        match_of(HidesThatItRolls())
