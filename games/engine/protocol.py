"""What a game is: the interface between rules and everything else.

A game is a set of pure functions over frozen values. It owns no data and reads no clock; all chance comes from the
`Chance` it is given. These few functions are enough to play, store, replay, verify, watch and test any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NewType, Protocol, TypeAlias, TypeVar

Seat = NewType("Seat", int)
"""A numbered place in a match, from 0."""

Viewer: TypeAlias = Seat | None
"""Who looks: a seat, or None for a spectator."""

OptionValue: TypeAlias = str | bool
Options: TypeAlias = Mapping[str, OptionValue]
"""The chosen options of a match, every declared one present (see `complete_options`)."""


class RuleViolation(Exception):
    """An action the rules refuse.

    Args:
        code: stable, for programs and tests, e.g. "not-your-turn".
        text: one sentence for people.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class NotationError(RuleViolation):
    """A text that is not an action of the game at all."""

    def __init__(self, text: str) -> None:
        super().__init__("notation", text)


class OptionError(RuleViolation):
    """A choice of options or seats that the game does not offer."""

    def __init__(self, text: str) -> None:
        super().__init__("option", text)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen before a match.

    Args:
        name: key in records, e.g. "length".
        label: the text shown to people.
        choices: value to label, the default first. Truth values make a checkbox.
        help: one sentence for people, may be empty.
        seats: the numbers of seats for which the option exists; None for all.
        required: no default: it must be chosen wherever it exists.
        idle: for choices that change nothing with some numbers of seats, those numbers. Such a choice is accepted, as
            records may hold it, but not offered.
        quick: what a match against a bot has instead of the default if it is begun with one press; None for no other.
    """

    name: str
    label: str
    choices: tuple[tuple[OptionValue, str], ...]
    help: str = ""
    seats: frozenset[int] | None = None
    required: bool = False
    idle: tuple[tuple[OptionValue, frozenset[int]], ...] = ()
    quick: OptionValue | None = None

    @property
    def default(self) -> OptionValue:
        return self.choices[0][0]

    def offers(self, value: OptionValue, seats: int) -> bool:
        """Return whether a choice makes a difference with this many seats."""
        return self.exists_for(seats) and seats not in dict(self.idle).get(value, ())

    def exists_for(self, seats: int) -> bool:
        return self.seats is None or seats in self.seats


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, shown to those who may know it. Titles derive their own events.

    `seen_by` None means everybody, spectators included; otherwise only the seats named.
    """

    kind: ClassVar[str]
    seen_by: frozenset[Seat] | None

    def is_seen_by(self, viewer: Viewer) -> bool:
        return self.seen_by is None or viewer in self.seen_by


S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The result of one action.

    `reveals` is true when somebody learnt something hidden or chance was used: undo stops here. `opens` is true when
    every action that was sealed so far may now be shown to everybody.
    """

    state: S
    events: tuple[Event, ...]
    reveals: bool
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    `places` has one entry per seat, 1 is best and equal places share; `scores` likewise; `reason` is a stable word or
    phrase of the title.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


def ranks(keys: Iterable[Any]) -> tuple[int, ...]:
    """Return the place of each key, the least first; equal keys share a place, and as many places after it are empty.

    >>> ranks([-10, -20, -10, 0])
    (2, 1, 2, 4)
    """
    found = list(keys)
    first: dict[Any, int] = {}
    for place, key in enumerate(sorted(found), start=1):
        first.setdefault(key, place)
    return tuple(first[key] for key in found)


class Chance(Protocol):
    """The one source of chance. Each purpose is asked for at most once in an action, and "seats" never at the start."""

    def below(self, purpose: str, n: int) -> int:
        """Return one number from 0 to n - 1."""

    def many_below(self, purpose: str, n: int, count: int) -> tuple[int, ...]:
        """Return `count` numbers from 0 to n - 1, all from the one stream of this purpose."""

    def shuffle(self, purpose: str, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items in a random order."""


class Game(Protocol[S, A, V]):
    """A set of rules: pure functions over frozen values, of which actions can be compared and hashed.

    Attributes:
        slug: name in addresses and records, e.g. "shifting-stones".
        name: name for people.
        version: raised whenever a change of rules alters old matches.
        seats: the numbers of seats the game can be played with, e.g. range(1, 6).
        options: what can be chosen before a match.
        state_type, view_type, event_types: the title's frozen dataclasses, for the codec.
    """

    slug: str
    name: str
    version: int
    seats: range
    options: tuple[Option, ...]
    state_type: type[S]
    view_type: type[V]
    event_types: tuple[type[Event], ...]

    def start(self, seats: int, options: Options, chance: Chance) -> Step[S]:
        """Set up a match (action number 0)."""

    def to_move(self, state: S) -> frozenset[Seat]:
        """Return who may act now: empty when over, several in simultaneous phases."""

    def is_sealed(self, state: S) -> bool:
        """Return whether the actions of the seats now to move stay secret until the last of them has acted."""

    def legal_actions(self, state: S, seat: Seat) -> Iterable[A]:
        """Return every action that `apply` would accept from this seat; none when it is not to move."""

    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> Step[S]:
        """Apply an action. The one authority on legality.

        Raises:
            RuleViolation: the rules refuse the action; the state is as before.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Return how the match ended, None while it is running. `to_move` is empty exactly when this is not None."""

    def standing(self, state: S) -> tuple[int, ...]:
        """Return each seat's current score, public knowledge only; used when a match ends early."""

    def view_for(self, state: S, viewer: Viewer) -> V:
        """Return what this viewer may know: an allow-list, built and never stripped."""

    def imagine(self, view: V, chance: Chance) -> S:
        """Return a full state that the viewer cannot tell from the true one."""

    def parse(self, text: str) -> A:
        """Read an action in the game's notation.

        Raises:
            NotationError: the text is not an action.
        """

    def notate(self, action: A) -> str:
        """Write an action: wire, storage, log and fixture format in one. `parse(notate(a)) == a`."""


AnyGame: TypeAlias = Game[Any, Any, Any]


def missing_from(game: object) -> list[str]:
    """Return the names of all that a game must have and this one lacks, in the order of `Game`.

    >>> missing_from(object())[:4]
    ['slug', 'name', 'version', 'seats']
    """
    functions = (name for name, value in vars(Game).items() if callable(value) and not name.startswith("_"))
    return [name for name in (*Game.__annotations__, *functions) if not hasattr(game, name)]


def complete_options(game: AnyGame, seats: int, chosen: Options) -> dict[str, OptionValue]:
    """Return the options of a match with every default filled in, in the order of declaration.

    Raises:
        OptionError: unknown option or value, one that does not exist for this number of seats, a required one
            missing, or a number of seats the game is not made for.
    """
    if seats not in game.seats:
        raise OptionError(f"{game.name} is not for {seats} players.")
    offered = {option.name: option for option in game.options if option.exists_for(seats)}
    for name in chosen:
        if name not in offered:
            raise OptionError(f"There is no option “{name}” here.")
    return {name: _chosen(option, chosen) for name, option in offered.items()}


def _chosen(option: Option, chosen: Options) -> OptionValue:
    if option.name not in chosen:
        if option.required:
            raise OptionError(f"“{option.label}” must be chosen.")
        return option.default
    value = chosen[option.name]
    if not any(value == offered and type(value) is type(offered) for offered, _ in option.choices):
        raise OptionError(f"“{option.label}” cannot be {value!r}.")
    return value
