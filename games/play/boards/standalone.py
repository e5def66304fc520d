"""Boards apart from a match: of puzzles and lessons. They are rendered from `view_for` one seat, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.protocol import Event, Seat
from games.titles import Fact, Scene, Title

SEPARATOR: Final = ";"
"""Between the actions of an address."""


@dataclass(frozen=True, slots=True)
class StandaloneBoard:
    """A board that no match belongs to, as one seat sees it.

    Args:
        title: the game.
        seat: the seat that looks.
        names: of the players by seat.
        hints: what a card or an island would bring may be marked, see `Scene`.
        borrowed: somebody else looks from this seat, see `Scene`.
    """

    title: Title
    seat: Seat
    names: tuple[str, ...]
    hints: bool = True
    borrowed: bool = False

    def scene(
        self, state: Any, recent: Sequence[Event] = (), since: Sequence[Event] = (), *, active: bool, ended: bool
    ) -> Scene:
        """Return what the seat looks at; otherwise as `Scene`, with events as they happened."""
        view = self.title.game.view_for(state, self.seat)
        return Scene(
            view,
            self.seat,
            self.names,
            self.seen(recent),
            active=active,
            since=self.seen(since),
            ended=ended,
            hints=self.hints,
            borrowed=self.borrowed,
        )

    def html(self, scene: Scene) -> str:
        """Return the board."""
        return self.title.page_of(scene).html

    def facts(self, scene: Scene) -> Sequence[tuple[int, str, Sequence[Fact]]]:
        """Return for each seat its number, its name, and what is shown beside that."""
        facts = self.title.board.facts(scene)
        return [(number, *row) for number, row in enumerate(zip(self.names, facts, strict=True))]

    def told(self, events: Iterable[Event]) -> str:
        """Return in sentences what happened, as the seat may know it."""
        return " ".join(self.lines(events))

    def lines(self, events: Iterable[Event]) -> Sequence[str]:
        """Return the same with a text for each event that there is something to say about."""
        say = self.title.board.line
        return [text for event in self.seen(events) if (text := say(event, self.names, self.seat))]

    def seen(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return the events that the seat may know of."""
        return tuple(event for event in events if event.is_seen_by(self.seat))


def split(line: str) -> list[str]:
    """Return the actions of an address.

    >>> split("flip 12 a1;end")
    ['flip 12 a1', 'end']
    """
    return [text for text in line.split(SEPARATOR) if text]


def composed(title: Title, fields: Mapping[str, Sequence[str]]) -> str:
    """Return the action that a submitted board form asks for.

    Raises:
        RuleViolation: something is missing.
    """
    action = fields.get("action")
    return action[0] if action else title.board.compose(fields)
