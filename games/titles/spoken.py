"""What somebody could do, in words: as the log would tell it, as far as they can know it before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.engine.bots.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import Event, Seat, Viewer
from games.titles.loading import Title


def spoken(  # noqa: PLR0917  # whose plan it is, and who reads of it
    title: Title, view: Any, seat: Seat, plan: Plan, names: Sequence[str], reader: Viewer = None
) -> str:
    """Return a plan in sentences, as far as its seat knows what comes of it; in the notation where there are no words.

    Args:
        view: of the seat, which is to move.
        names: the players' names by seat.
        reader: the seat of the reader, who is called "you"; None calls all players by name.
    """
    said = " ".join(filter(None, _sentences(title, view, seat, plan, names, reader)))
    return said or ", ".join(title.game.notate(action) for action in plan)


def _sentences(  # noqa: PLR0917  # as above
    title: Title, view: Any, seat: Seat, plan: Plan, names: Sequence[str], reader: Viewer
) -> Iterator[str]:
    game, dice = title.game, Dice(0)
    state = game.imagine(view, dice)
    for action in plan:
        sealed, before = game.is_sealed(state), game.view_for(state, seat)
        step = game.apply(state, seat, action, dice)
        state = step.state
        if sealed:
            yield title.board.secret(game.notate(action), before)
        else:
            yield told(title, step.events[:1] if step.reveals else step.events, names, reader)


def told(title: Title, events: Sequence[Event], names: Sequence[str], reader: Viewer = None) -> str:
    """Return what the log tells of events that everybody may know of; empty for nothing."""
    found = (title.board.line(event, names, reader) for event in events if event.seen_by is None)
    return " ".join(filter(None, found))
