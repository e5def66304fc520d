"""The only caller of a game's rules: begin a match, play an action, leave, replay a whole match.

Everything above the engine goes through these functions, so turn order, canonical notation, numbering, the use of
chance and leaving are decided in one place. They are as pure as the rules: the caller decodes the stored state, calls
`play` or `leave`, and stores what comes back.

An action of a match is a seat and a text. `resign` and `timeout` are the texts of leaving and belong to the match, not
to the rules. With one or two players the match ends at once. With three or more it goes on, and a bot acts for the
seat, until the game is over or the last of them leaves; those who left are placed behind everybody else, the first
to leave last. Leaving takes a number like every other action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from games.engine.fair import Draw, FairChance
from games.engine.protocol import Event, Game, Options, Outcome, RuleViolation, Seat, Step, complete_options, ranks

S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")

RESIGN = "resign"
TIMEOUT = "timeout"
LEAVING = frozenset({RESIGN, TIMEOUT})
"""The texts by which a seat leaves a match."""

_SEATS_THAT_END = 2  # with this many seats or fewer, a player who leaves leaves nobody to play against
_LOST_ALONE = (2,)


class BrokenRulesError(RuntimeError):
    """A game broke its contract: a mistake in its rules, never in what a player did."""


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """What must be kept of a match to continue it.

    Args:
        number: of the last action, 0 after the start.
        state: the state after it.
        leavers: the seats that left so far, first to leave first.
        turn: the number of the action that ended the previous turn, 0 in the first. Actions after it were sealed,
            and their turn is still going on.
    """

    number: int
    state: S
    leavers: tuple[Seat, ...] = ()
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Play(Generic[S]):
    """A position of a match and how it came about.

    Args:
        position: the position reached.
        seat: who acted, None for the start.
        text: the action in canonical notation, empty for the start.
        events: what happened, not yet filtered by viewer.
        reveals: somebody learnt something hidden, chance was used or a seat left: undo stops here.
        to_move: who may act now, empty when the match is over.
        outcome: how the match ended, None while it runs.
        draws: what chance was asked, with its answers; secret while the match runs.
        sealed: the action was asked for in secret.
        opens: every action that was sealed so far may now be shown to everybody.
    """

    position: Position[S]
    seat: Seat | None
    text: str
    events: tuple[Event, ...]
    reveals: bool
    to_move: frozenset[Seat]
    outcome: Outcome | None
    draws: tuple[Draw, ...] = ()
    sealed: bool = False
    opens: bool = False

    @property
    def number(self) -> int:
        return self.position.number

    @property
    def state(self) -> S:
        return self.position.state


def begin(game: Game[S, A, V], seats: int, options: Options, seed: bytes) -> Play[S]:
    """Set up a match.

    Args:
        game: the rules.
        seats: how many play.
        options: what was chosen; defaults are filled in.
        seed: the final seed of the match (`fair.final_seed`).

    Raises:
        OptionError: the game does not offer these options or this number of seats.
        BrokenRulesError: the game broke its contract.
    """
    chance = FairChance(seed, 0)
    step = game.start(seats, complete_options(game, seats, options), chance)
    return _played(game, step, Position(0, step.state), chance, seat=None, text="")


def play(game: Game[S, A, V], position: Position[S], seat: Seat, text: str, seed: bytes) -> Play[S]:
    """Play an action given in the game's notation.

    Args:
        game: the rules.
        position: the position before the action, which gets the next number; chance depends on that.
        seat: who acts.
        text: the action; the result holds its canonical spelling.
        seed: the final seed of the match.

    Raises:
        RuleViolation: "match-over", "not-your-turn", "notation" or what the rules say; nothing has changed.
        BrokenRulesError: the game broke its contract.
    """
    _check_turn(game, position, seat)
    return _carry_out(game, position, seat, game.parse(text), seed)


def act(game: Game[S, A, V], position: Position[S], seat: Seat, action: A, seed: bytes) -> Play[S]:
    """Play an action that has already been parsed; otherwise as `play`."""
    _check_turn(game, position, seat)
    return _carry_out(game, position, seat, action, seed)


def leave(game: Game[S, A, V], position: Position[S], seat: Seat, text: str) -> Play[S]:
    """Take a seat out of a match, whoever is to move; otherwise as `play`.

    Args:
        text: one of `LEAVING`.

    Raises:
        RuleViolation: "match-over", "no-seat", or "has-left" when this seat left before.
        ValueError: another text.
    """
    if text not in LEAVING:
        raise ValueError(f"“{text}” is not a way to leave.")
    if game.outcome(position.state) is not None or _ended_early(game, position):
        raise RuleViolation("match-over", "The match is over.")
    if not 0 <= seat < len(game.standing(position.state)):
        raise RuleViolation("no-seat", "There is no such seat in this match.")
    if seat in position.leavers:
        raise RuleViolation("has-left", "This seat has left the match already.")
    number = position.number + 1
    turn = position.turn if game.is_sealed(position.state) else number  # leaving a sealed turn does not end it
    reached = Position(number, position.state, (*position.leavers, seat), turn)
    if _ended_early(game, reached):
        outcome = settle_early(game, reached.state, reached.leavers, text)
        return Play(reached, seat, text, (), True, frozenset(), outcome)
    return Play(reached, seat, text, (), True, game.to_move(reached.state), None)


def at(game: Game[S, A, V], position: Position[S]) -> Play[S]:
    """Return a position of a match that has not ended as a `Play` that says nothing about how it came about."""
    return Play(position, None, "", (), False, game.to_move(position.state), None)


def follow(game: Game[S, A, V], before: Play[S], seat: Seat, text: str, seed: bytes) -> Play[S]:
    """Return what follows a position when a seat acts or leaves.

    Raises:
        RuleViolation: as for `play` and `leave`.
        BrokenRulesError: the game broke its contract.
    """
    if before.outcome is not None:
        raise RuleViolation("match-over", "The match is over.")
    if text in LEAVING:
        return leave(game, before.position, seat, text)
    return play(game, before.position, seat, text, seed)


def replay(
    game: Game[S, A, V], seats: int, options: Options, seed: bytes, actions: Iterable[tuple[Seat, str]]
) -> Iterator[Play[S]]:
    """Yield every position of a match, from the start (number 0), lazily.

    Args:
        game: the rules.
        seats: how many play.
        options: what was chosen.
        seed: the final seed of the match.
        actions: seat and text of each action in order, leaving included. Whether a person thought of an action
            or a bot for a seat that left makes no difference.

    Raises:
        RuleViolation: an action is refused; everything before it has been yielded.
        OptionError: as for `begin`.
        BrokenRulesError: the game broke its contract.
    """
    position = begin(game, seats, options, seed)
    yield position
    for seat, text in actions:
        position = follow(game, position, seat, text, seed)
        yield position


def settle_early(game: Game[S, A, V], state: S, leavers: Sequence[Seat], reason: str) -> Outcome:
    """Return the outcome of a match that ends because somebody left: present scores, leavers last.

    Args:
        game: the rules.
        state: the position in which the match ends.
        leavers: the seats that left, first to leave first.
        reason: the word for the outcome, "resign" or "timeout".
    """
    scores = game.standing(state)
    return place_leavers(Outcome(ranks([-score for score in scores]), scores, reason), leavers)


def place_leavers(outcome: Outcome, leavers: Sequence[Seat]) -> Outcome:
    """Return an outcome with the leavers behind everybody else, the first to leave last.

    The others move up and share places as before. Leaving a solo match loses it: place 2, as in every solo match
    that is lost.

    >>> place_leavers(Outcome((1, 2, 2, 4), (9, 5, 5, 1), "points"), [Seat(0), Seat(1)]).places
    (4, 3, 1, 2)
    >>> place_leavers(Outcome((1,), (9,), "won"), [Seat(0)]).places
    (2,)
    """
    if not leavers:
        return outcome
    order = {seat: index for index, seat in enumerate(leavers)}
    keys = [(1, -order[Seat(seat)]) if seat in order else (0, place) for seat, place in enumerate(outcome.places)]
    places = ranks(keys) if len(keys) > 1 else _LOST_ALONE
    return Outcome(places, outcome.scores, outcome.reason)


def _check_turn(game: Game[S, A, V], position: Position[S], seat: Seat) -> None:
    to_move = game.to_move(position.state)
    if not to_move or _ended_early(game, position):
        raise RuleViolation("match-over", "The match is over.")
    if seat not in to_move:
        raise RuleViolation("not-your-turn", "It is not your turn.")


def _ended_early(game: Game[S, A, V], position: Position[S]) -> bool:
    """Return whether a match is over because players left: only one is left to play, or nobody."""
    seats = len(game.standing(position.state)) if position.leavers else 0
    return bool(position.leavers) and (seats <= _SEATS_THAT_END or len(position.leavers) == seats)


def _carry_out(game: Game[S, A, V], before: Position[S], seat: Seat, action: A, seed: bytes) -> Play[S]:
    number = before.number + 1
    chance = FairChance(seed, number)
    step = game.apply(before.state, seat, action, chance)
    sealed = game.is_sealed(before.state)
    others = game.to_move(before.state) - {seat} if sealed else frozenset()
    goes_on = bool(others) and game.to_move(step.state) == others
    turn = before.turn if goes_on else number
    reached = Position(number, step.state, before.leavers, turn)
    return _played(game, step, reached, chance, seat=seat, text=game.notate(action), sealed=sealed)


def _played(
    game: Game[S, A, V],
    step: Step[S],
    reached: Position[S],
    chance: FairChance,
    *,
    seat: Seat | None,
    text: str,
    sealed: bool = False,
) -> Play[S]:
    """Return a step as a `Play`, unless the game breaks its contract."""
    if chance.used and not step.reveals:
        raise BrokenRulesError(f"{game.slug} drew {chance.labels} and does not say that this reveals something.")
    to_move, outcome = game.to_move(step.state), game.outcome(step.state)
    if bool(to_move) == (outcome is not None):
        raise BrokenRulesError(f"{game.slug}: after “{text}” {set(to_move)} are to move and the outcome is {outcome}.")
    if outcome is not None:
        outcome = place_leavers(outcome, reached.leavers)
    return Play(reached, seat, text, step.events, step.reveals, to_move, outcome, chance.draws, sealed, step.opens)
