"""The contract every game keeps: its rules, what they hide, and what it knows about playing well.

`MATCH_CHECKS` and `GAME_CHECKS` hold the contract: plain functions that raise `ContractError` with what is wrong. They
know no particular game; `tests/unit/titles/test_contract.py` runs them over every registered one, on the matches of
`games.engine.contract.playouts`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import is_dataclass, replace
from functools import wraps
from typing import Any, Final, ParamSpec, TypeAlias

from games.engine import codec, runner
from games.engine.contract.playouts import Chooser, Match, viewers
from games.engine.fair import FairChance
from games.engine.insight import Insight, Plan, Policy
from games.engine.protocol import AnyGame, NotationError, RuleViolation, Seat, Viewer, missing_from, ranks
from games.engine.runner import Play

_ACTIONS: Final = 25
"""How many actions are tried in a position."""
_LONGEST_TEXT = 200
_WORLDS: Final = 3
"""How many positions a viewer imagines."""
_IMAGINED: Final = 2
"""How many of them a policy is asked about."""
_ALMOST: Final = 1e-9
"""By how much chances that add up to 1 may miss it, as their sum is rounded."""

P = ParamSpec("P")

GameCheck: TypeAlias = Callable[[AnyGame], None]
MatchCheck: TypeAlias = Callable[[AnyGame, Match], None]


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


def check_declaration(game: AnyGame) -> None:
    """A game is complete, and named, versioned and typed as records, pages and the codec need it."""
    require(not missing_from(game), f"the game lacks {', '.join(missing_from(game))}")
    require(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.slug), f"the slug {game.slug!r} does not fit in an address")
    require(game.name and game.version >= 1, "a game has a name and a version from 1")
    require(game.seats and min(game.seats) >= 1, "a game is for at least one seat")
    require(_differ(option.name for option in game.options), "two options have the same name")
    for option in game.options:
        require(
            option.choices and _differ(value for value, _ in option.choices),
            f"the choices of the option {option.name} are not distinct",
        )
        values = [value for value, _ in option.choices]
        require(option.quick is None or option.quick in values, f"the option {option.name} has no {option.quick!r}")
    for kind in (game.state_type, game.view_type, *game.event_types):
        frozen = is_dataclass(kind) and getattr(kind, "__dataclass_params__").frozen  # noqa: B009  # not public by name
        require(frozen, f"{kind.__name__} is not a frozen dataclass")
    require(_differ(kind.kind for kind in game.event_types), "two types of events are of the same kind")


def check_purity(game: AnyGame, match: Match) -> None:
    """Functions of a game change nothing and return the same for the same arguments."""
    for before, after in match.steps():
        text = codec.encode(before.state)
        for viewer in viewers(match):
            game.view_for(before.state, viewer)
        again = [redo(game, match, before, after) for _ in range(2)]
        require(codec.encode(before.state) == text, f"action {after.number} changed the state it was given")
        require(again == [after, after], f"action {after.number} repeated gives something else")


def check_replay(game: AnyGame, match: Match) -> None:
    """The texts of a match reproduce the same match."""
    actions = [(play.seat, play.text) for play in match.plays if play.seat is not None]
    again = runner.replay(game, match.seats, match.options, match.seed, actions)
    for play, replayed in zip(match.plays, again, strict=True):
        require(play == replayed, f"replayed, action {play.number} gives something else")


def check_codec(game: AnyGame, match: Match) -> None:
    """States, views and events are of the declared types and survive being written."""
    for play in match.sample():
        check_round_trip(play.state, game.state_type)
        for viewer in viewers(match):
            check_round_trip(game.view_for(play.state, viewer), game.view_type)
    for play in match.plays:
        written = codec.encode_events(play.events)
        require(
            codec.decode_events(written, game.event_types) == play.events, f"{play.events} do not survive being written"
        )


def check_notation(game: AnyGame, match: Match) -> None:
    """Every action has one clean text that reads back as the same action; anything else is refused."""
    for play in match.sample():
        for seat in play.to_move:
            actions = list(game.legal_actions(play.state, seat))
            texts = [game.notate(action) for action in actions]
            require(_differ(texts), f"after action {play.number} two legal actions have the same text")
            for action, text in _chooser(match, play).some(list(zip(actions, texts, strict=True)), _ACTIONS):
                _check_text(game, action, text)
    for text in ("", " ", "\n", "\0", "¿", "9" * 5000, *sorted(runner.LEAVING)):
        require(_reads(game, text) is None, f"{text[:20]!r} is taken for an action")


def check_legal_actions(game: AnyGame, match: Match) -> None:
    """Every seat that is to move has legal actions, and all of them are accepted."""
    for play in match.sample():
        for seat in sorted(play.to_move):
            actions = list(game.legal_actions(play.state, seat))
            require(actions, f"after action {play.number} seat {seat} is to move and has no legal action")
            for action in _chooser(match, play).some(actions, _ACTIONS):
                text = game.notate(action)
                require(_is_accepted(game, match, play, seat, action), f"the legal “{text}” of seat {seat} is refused")


def check_illegal_actions(game: AnyGame, match: Match) -> None:
    """An action that is not legal now is refused, even if it was at another time or for another seat."""
    pool = _actions_of(game, match)
    for play in match.sample():
        for seat in sorted(play.to_move):
            legal = {game.notate(action) for action in game.legal_actions(play.state, seat)}
            text_before = codec.encode(play.state)
            for text in _chooser(match, play).some([text for text in pool if text not in legal], _ACTIONS):
                accepted = _is_accepted(game, match, play, seat, pool[text])
                require(not accepted, f"after action {play.number} seat {seat} may “{text}”, which is not legal")
            require(codec.encode(play.state) == text_before, "a refused action changed the state")


def check_turns(game: AnyGame, match: Match) -> None:
    """A seat that is not to move has no legal actions and is refused."""
    pool = _actions_of(game, match)
    for play in match.sample():
        for seat in range(match.seats):
            if seat in play.to_move:
                continue
            require(not list(game.legal_actions(play.state, Seat(seat))), f"seat {seat} has actions off turn")
            for text in _chooser(match, play).some(list(pool), _ACTIONS):
                accepted = _is_accepted(game, match, play, Seat(seat), pool[text])
                require(not accepted, f"after action {play.number} seat {seat} acts off turn: “{text}”")


def check_ending(game: AnyGame, match: Match) -> None:
    """The match is over exactly when nobody is to move; places are a ranking; scores exist for every seat."""
    for play in match.plays:
        require(bool(game.to_move(play.state)) == (game.outcome(play.state) is None), "over, and somebody is to move")
        require(len(game.standing(play.state)) == match.seats, "the standing must have one score for each seat")
    outcome = match.plays[-1].outcome
    if outcome is None:
        raise ContractError("the match does not end")
    solo = match.seats == 1 and outcome.places == (2,)  # 1 won, 2 lost
    proper = outcome.places == ranks(outcome.places) or solo
    complete = len(outcome.places) == len(outcome.scores) == match.seats and outcome.reason
    require(proper and complete, f"{outcome} is not a ranking of {match.seats} seats")


def _check_text(game: AnyGame, action: Any, text: str) -> None:
    require(game.parse(text) == action, f"“{text}” reads back as something else")
    clean = text.isprintable() and text == " ".join(text.split(" ")) and 0 < len(text) <= _LONGEST_TEXT
    require(clean and text not in runner.LEAVING, f"“{text}” is not a clean text")
    for spoilt in (f" {text}", f"{text} ", f"{text}\n", text.replace(" ", "  ") + " ", f"{text} ¿", f"{text}\0"):
        require(_reads(game, spoilt) is None, f"“{spoilt!r}” is taken for an action")
    for i in range(len(text)):
        _reads(game, text[:i] + text[i + 1 :])


def _reads(game: AnyGame, text: str) -> str | None:
    """Return the canonical text of what a text is read as, None when it is refused as it should be."""
    try:
        action = game.parse(text)
    except NotationError:
        return None
    canonical = game.notate(action)
    require(game.parse(canonical) == action, f"{text!r} is read, but does not survive being written")
    return canonical


def _is_accepted(game: AnyGame, match: Match, play: Play[Any], seat: Seat, action: Any) -> bool:
    try:
        game.apply(play.state, seat, action, FairChance(match.seed, play.number + 1))
    except RuleViolation:
        return False
    return True


def _actions_of(game: AnyGame, match: Match) -> dict[str, Any]:
    """Return, by their texts, actions that were legal for somebody at some time."""
    pool: dict[str, Any] = {play.text: game.parse(play.text) for play in match.plays[1:]}
    for play in match.sample():
        for seat in play.to_move:
            actions = list(game.legal_actions(play.state, seat))
            pool |= {game.notate(action): action for action in _chooser(match, play).some(actions, _ACTIONS)}
    return dict(sorted(pool.items()))


def _chooser(match: Match, play: Play[Any]) -> Chooser:
    return Chooser(match.seed + str(play.number).encode())


def _differ(items: Iterable[object]) -> bool:
    seen = list(items)
    return len(set(seen)) == len(seen)


# --- hidden information -----------------------------------------------------------------------------------------------
# Nobody can learn what the rules hide from them. A viewer cannot tell the true position from what `Game.imagine` makes
# of their view of it, so the same action in both must look the same to them afterwards, unless it reveals something. A
# game in which nothing is hidden passes because it imagines the true position.


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
    """Return states that a viewer might imagine, the same ones for every check of a match."""
    asked = game, play.number, viewer
    if asked not in match.imagined:
        view = game.view_for(play.state, viewer)
        chances = (FairChance(match.seed, 1_000_000 * k + play.number) for k in range(1, _WORLDS + 1))
        match.imagined[asked] = [game.imagine(view, chance) for chance in chances]
    return match.imagined[asked]


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


# --- playing well -----------------------------------------------------------------------------------------------------


def check_policy(game: AnyGame, policy: Policy, match: Match) -> None:
    """A policy takes legal actions and changes no state, and what it does depends on nothing hidden from its seat.

    Raises:
        ContractError: it does not; the text says how.
    """
    for play in match.sample():
        for seat in sorted(play.to_move):
            _check_choice(game, policy, play.state, seat, match.seed)


def check_insight(game: AnyGame, insight: Insight, match: Match) -> None:
    """Candidates are plans of legal actions, at least one and none twice; values and chances lie between 0 and 1.

    Raises:
        ContractError: they are not; the text says how.
    """
    for play in match.sample()[::2]:
        if play.outcome is None:
            _check_chances(insight.chances(play.state), len(game.standing(play.state)), play.number)
        for seat in sorted(play.to_move):
            plans = insight.candidates(play.state, seat, FairChance(match.seed, 0))
            require(len(plans) > 0, f"seat {seat} has nothing to consider after action {play.number}")
            require(len(set(plans)) == len(plans), f"seat {seat} is to consider something twice: {plans}")
            legal = _legal(game, play.state, seat)
            for plan in plans:
                _check_plan(game, play.state, seat, plan, match.seed, legal)
            view = game.view_for(play.state, seat)
            supposed = game.view_for(insight.suppose(view, FairChance(match.seed, 0)), seat)
            require(supposed == view, f"seat {seat} supposes what contradicts its view after action {play.number}")
            value = insight.evaluate(play.state, seat)
            require(0 <= value <= 1, f"seat {seat} stands at {value}, which is not between 0 and 1")


def _check_chances(chances: Sequence[float], seats: int, number: int) -> None:
    require(len(chances) == seats, f"after action {number} chances are said of {len(chances)} seats, not of {seats}")
    require(min(chances) >= 0, f"a chance is less than 0 after action {number}: {chances}")
    whole = sum(chances)
    require(
        whole <= 1 + _ALMOST if seats == 1 else abs(whole - 1) < _ALMOST,
        f"chances do not add up to 1 after action {number}: {chances}",
    )


def _legal(game: AnyGame, state: Any, seat: Seat) -> frozenset[str]:
    return frozenset(game.notate(action) for action in game.legal_actions(state, seat))


def _check_plan(game: AnyGame, state: Any, seat: Seat, plan: Plan, seed: bytes, first: frozenset[str]) -> None:  # noqa: PLR0917  # all of one check
    for number, action in enumerate(plan):
        require(seat in game.to_move(state), f"the turn of seat {seat} ends before the end of its plan {plan}")
        legal = _legal(game, state, seat) if number else first
        require(game.notate(action) in legal, f"seat {seat} plans {game.notate(action)}, which is not legal then")
        step = game.apply(state, seat, action, FairChance(seed, number))
        state = step.state


def _check_choice(game: AnyGame, policy: Policy, state: Any, seat: Seat, seed: bytes) -> None:
    view, text = game.view_for(state, seat), codec.encode(state)
    worlds = [state, *(game.imagine(view, FairChance(seed, 1_000 + k)) for k in range(_IMAGINED))]
    chosen = {game.notate(policy(world, seat, FairChance(seed, 0))) for world in worlds}
    require(len(chosen) == 1, f"what the policy does as seat {seat} depends on what is hidden from it: {chosen}")
    require(chosen <= _legal(game, state, seat), f"the policy wants to do {chosen} as seat {seat}, which is not legal")
    require(codec.encode(state) == text, "the policy changed the state it was given")


# --- all checks -------------------------------------------------------------------------------------------------------


def _naming_the_game(check: Callable[P, None]) -> Callable[P, None]:
    """Return a check whose complaints begin with the slug of the game."""

    @wraps(check)
    def named(*arguments: P.args, **names: P.kwargs) -> None:
        slug = getattr(arguments[0], "slug", "?")
        try:
            check(*arguments, **names)
        except ContractError as error:
            raise ContractError(f"{slug}: {error}") from error
        except Exception as error:
            error.add_note(f"This happened in {check.__name__} of the game {slug}.")
            raise

    return named


GAME_CHECKS: Final[tuple[GameCheck, ...]] = (_naming_the_game(check_declaration),)
MATCH_CHECKS: Final[tuple[MatchCheck, ...]] = tuple(
    map(
        _naming_the_game,
        (
            check_purity,
            check_replay,
            check_codec,
            check_notation,
            check_legal_actions,
            check_illegal_actions,
            check_turns,
            check_ending,
            check_imagination,
            check_variety,
            check_reveals,
            check_sealed,
        ),
    )
)
