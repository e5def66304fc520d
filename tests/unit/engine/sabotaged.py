"""Games with one fault each, for the proof that the contract's checks catch it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from games.engine.fair import FairChance
from games.engine.protocol import Chance, Event, Option, Outcome, Seat, Step, Viewer
from tests.unit.engine.toys import (
    Cards,
    CardsView,
    Drew,
    GotCard,
    HighCards,
    Laid,
    Move,
    Opened,
    Sealed,
    Secrets,
    SecretsView,
)

SEED = bytes(32)


class BadSlug(HighCards):
    slug = "High Cards"


@dataclass
class Loose:
    hands: tuple[int, ...]


class LooseState(HighCards):
    state_type: Any = Loose


class TwiceTheSameOption(HighCards):
    options = (*HighCards.options, Option("rounds", "Again", (("x", "X"),)))


class QuickIsNoChoice(HighCards):
    options = (*HighCards.options, Option("pace", "Pace", (("x", "X"),), quick="y"))


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


class ShowsWhatIsSealed(Sealed):
    def view_for(self, state: Secrets, viewer: Viewer) -> SecretsView:
        view = super().view_for(state, viewer)
        return replace(view, mine=next((n for n in state.chosen if n is not None), None))


class RewardsTheFirst(Sealed):
    def apply(self, state: Secrets, seat: Seat, action: int, chance: Chance) -> Step[Secrets]:
        step = super().apply(state, seat, action, chance)
        first = all(n is None for n in state.chosen)
        scores = tuple(score + (first and i == seat) for i, score in enumerate(step.state.scores))
        return replace(step, state=replace(step.state, scores=scores))


class RevealsBeforeTheLast(Sealed):
    def apply(self, state: Secrets, seat: Seat, action: int, chance: Chance) -> Step[Secrets]:
        return replace(super().apply(state, seat, action, chance), reveals=True)


class OpensTooSoon(Sealed):
    def apply(self, state: Secrets, seat: Seat, action: int, chance: Chance) -> Step[Secrets]:
        step = super().apply(state, seat, action, chance)
        return replace(step, events=(*step.events, Opened(None, tuple(n or 0 for n in step.state.chosen))))
