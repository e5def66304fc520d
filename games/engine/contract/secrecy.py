"""The part of the contract about hidden information: nobody can learn what the rules hide from them.

It is checked by imagination. A viewer cannot tell the true position from what `Game.imagine` makes of their view of it.
So the same action in both must look the same to them afterwards, unless it reveals something. A game in which nothing
is hidden passes because it imagines the true position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from games.engine import codec, runner
from games.engine.contract.playouts import Match, viewers
from games.engine.fair import FairChance
from games.engine.protocol import AnyGame, RuleViolation, Seat, Viewer
from games.engine.runner import Play

_WORLDS: Final = 3


class ContractError(AssertionError):
    """A game broke the contract; the text says how."""


def require(condition: object, text: str) -> None:
    """Raise a `ContractError` with this text unless the condition holds."""
    if not condition:
        raise ContractError(text)


def check_round_trip(value: Any, kind: type[Any]) -> None:
    """A value is of this very type and survives being written by the codec."""
    require(type(value) is kind, f"{type(value).__name__} is not {kind.__name__}")
    require(codec.decode(codec.encode(value), kind) == value, f"a {kind.__name__} does not survive being written")


def check_imagination(game: AnyGame, match: Match) -> None:
    """An imagined state is a valid state that its viewer cannot tell from the true one."""
    for play in match.sample():
        for viewer in viewers(match):
            view, known = game.view_for(play.state, viewer), _common_knowledge(game, play.state, viewer)
            for world in _worlds(game, match, play, viewer):
                require(game.view_for(world, viewer) == view, f"{viewer} could tell what they imagine from the truth")
                check_round_trip(world, game.state_type)
                for complaint, also in _common_knowledge(game, world, viewer).items():
                    require(also == known[complaint], complaint)


def check_variety(game: AnyGame, match: Match) -> None:
    """Where something is hidden, imagined states differ from the true one.

    Something is hidden where there are events that only some see, or steps that reveal something without chance.
    """
    varies: defaultdict[str, list[bool]] = defaultdict(list)
    for before, after in match.steps():
        chance = FairChance(match.seed, after.number)
        game.apply(before.state, _actor(after), game.parse(after.text), chance)
        if after.reveals and not chance.used:
            varies["anybody"].append(any(_varies(game, match, before, viewer) for viewer in viewers(match)))
    for play in (match.plays[0], *(after for _, after in match.steps())):
        for viewer in viewers(match):
            if not all(event.is_seen_by(viewer) for event in play.events):
                varies[f"viewer {viewer}"].append(_varies(game, match, play, viewer))
    for name, answers in varies.items():
        require(any(answers), f"something is hidden from {name}, yet what they imagine is always the truth")


def hides_nothing(game: AnyGame, match: Match) -> bool:
    """Return whether a game is open: whatever anybody imagines of a match, at any time, is the truth."""
    return not any(_varies(game, match, play, viewer) for play in match.plays for viewer in viewers(match))


def check_hidden(game: AnyGame, match: Match, hidden: Callable[[Any, Viewer], object]) -> None:
    """Check that what a title says is hidden cannot be known; for the tests of a title.

    Args:
        hidden: what of a state must be hidden from a viewer, None when there is nothing.
    """
    for viewer in viewers(match):
        plays = [play for play in match.sample() if hidden(play.state, viewer) is not None]
        pairs = [(play, world) for play in plays for world in _worlds(game, match, play, viewer)]
        differ = any(hidden(play.state, viewer) != hidden(world, viewer) for play, world in pairs)
        require(differ or not pairs, f"viewer {viewer} always imagines the truth")


def check_reveals(game: AnyGame, match: Match) -> None:
    """A step by which a viewer learns something hidden says so, events tell no more than the view after them, and
    what a seat may do depends on nothing hidden from it.
    """
    for before, after in match.steps():
        for viewer in viewers(match):
            for world in _worlds(game, match, before, viewer):
                try:
                    other = redo(game, match, before, after, world)
                except RuleViolation:
                    require(viewer != after.seat, f"whether “{after.text}” is legal depends on what is hidden")
                    continue
                _compare(game, after, other, viewer)


def check_sealed(game: AnyGame, match: Match) -> None:
    """While a sealed turn waits for others, nobody learns more of an action than that it was taken, and the order in
    which seats act makes no difference.
    """
    for before, after in match.steps():
        if not game.is_sealed(before.state):
            require(not after.sealed, f"action {after.number} is sealed and was not asked for in secret")
        elif after.position.turn != after.number:
            _check_still_secret(game, match, before, after)


def _check_still_secret(game: AnyGame, match: Match, before: Play[Any], after: Play[Any]) -> None:
    seat, text = _actor(after), after.text
    require(not (after.reveals or after.opens), f"“{text}” reveals something before the turn has ended")
    for action in list(game.legal_actions(before.state, seat))[:_WORLDS]:
        other = runner.act(game, before.position, seat, action, match.seed)
        for viewer in viewers(match):
            same = game.view_for(other.state, viewer) == game.view_for(after.state, viewer)
            require(same or viewer == seat, f"viewer {viewer} can tell “{text}” from “{other.text}” while sealed")
    for later in sorted(after.to_move):
        action = next(iter(game.legal_actions(after.state, later)))
        one = runner.act(game, after.position, later, action, match.seed)
        first = runner.act(game, before.position, later, action, match.seed)
        two = runner.play(game, first.position, seat, text, match.seed)
        require(one.state == two.state, f"it matters whether seat {seat} or seat {later} acts first in a sealed turn")


def _compare(game: AnyGame, after: Play[Any], other: Play[Any], viewer: Viewer) -> None:
    """Compare the same action in two worlds that this viewer could not tell apart before it."""
    number, text = after.number, after.text
    seen, also = (game.view_for(play.state, viewer) for play in (after, other))
    if seen != also:
        honest = after.reveals and other.reveals
        require(honest, f"action {number} “{text}” tells viewer {viewer} something and does not say that it reveals")
        return
    seen_events, also_seen = ([event for event in play.events if event.is_seen_by(viewer)] for play in (after, other))
    require(seen_events == also_seen, f"the events of action {number} “{text}” tell viewer {viewer} more than the view")


def _common_knowledge(game: AnyGame, state: Any, viewer: Viewer) -> dict[str, object]:
    """Return what a viewer knows of a state besides their view, each under the complaint if it is otherwise."""
    known: dict[str, object] = {
        "who is to move depends on what is hidden": game.to_move(state),
        "the outcome depends on what is hidden": game.outcome(state),
        "the standing tells something hidden": game.standing(state),
    }
    if viewer is not None:
        legal = frozenset(game.legal_actions(state, viewer))
        known[f"what seat {viewer} may do depends on what is hidden from it"] = legal
    return known


def _worlds(game: AnyGame, match: Match, play: Play[Any], viewer: Viewer) -> list[Any]:
    """Return states that a viewer might imagine."""
    view = game.view_for(play.state, viewer)
    return [game.imagine(view, FairChance(match.seed, 1_000_000 * k + play.number)) for k in range(1, _WORLDS + 1)]


def _varies(game: AnyGame, match: Match, play: Play[Any], viewer: Viewer) -> bool:
    return any(world != play.state for world in _worlds(game, match, play, viewer))


def redo(game: AnyGame, match: Match, before: Play[Any], after: Play[Any], world: Any = None) -> Play[Any]:
    """Return the action of `after` taken again, in the true position before it or in an imagined one."""
    state = before.state if world is None else world
    return runner.play(game, replace(before.position, state=state), _actor(after), after.text, match.seed)


def _actor(play: Play[Any]) -> Seat:
    if play.seat is None:
        raise ValueError("Nobody acts at the start of a match.")
    return play.seat
