"""Phrases that several titles use, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import Event, Seat, Viewer
from games.titles.registry import Title


def listing(words: Iterable[str]) -> str:
    """Return "ann", "ann and bob" or "ann, bob and cid".

    Raises:
        ValueError: there are no words.
    """
    *most, last = words
    if not most:
        return last
    return gettext("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last}


def addressed(names: Sequence[str], reader: Viewer) -> Sequence[str]:
    """Return the names by seat, with "you" for the reader's own."""
    return [gettext("you") if seat == reader else name for seat, name in enumerate(names)]


def points_text(points: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", points) % {"count": points}


def winners_text(others: Sequence[str], reader_wins: bool, points: int) -> str:
    """Return who wins a match and with how many points, without the full stop.

    Args:
        others: the names of the winners other than the reader; at least one unless the reader wins.
        reader_wins: whether the reader is among the winners.
        points: of each winner.
    """
    text = points_text(points)
    if not others:
        return gettext("You win with %(points)s") % {"points": text}
    words = {"names": listing(others), "name": others[0], "points": text}
    if reader_wins:
        return gettext("You and %(names)s share the win with %(points)s each") % words
    if len(others) == 1:
        return gettext("%(name)s wins with %(points)s") % words
    return gettext("%(names)s share the win with %(points)s each") % words


def plan_text(  # noqa: PLR0917  # whose plan it is, and who reads of it
    title: Title, view: Any, seat: Seat, plan: Plan, names: Sequence[str], reader: Viewer = None
) -> str:
    """Return a plan in sentences, as far as its seat knows the results; in the notation where there are no words.

    Args:
        view: of the seat, which is to move.
        names: the players' names by seat.
        reader: the seat of the reader, who is called "you"; None calls all players by name.
    """
    game, dice, sentences = title.game, Dice(0), list[str]()
    state = game.imagine(view, dice)
    for action in plan:
        sealed, before = game.is_sealed(state), game.view_for(state, seat)
        step = game.apply(state, seat, action, dice)
        state = step.state
        if sealed:
            sentences.append(title.board.secret(game.notate(action), before))
        else:
            sentences.append(events_text(title, step.events[:1] if step.reveals else step.events, names, reader))
    return " ".join(filter(None, sentences)) or ", ".join(game.notate(action) for action in plan)


def events_text(title: Title, events: Sequence[Event], names: Sequence[str], reader: Viewer = None) -> str:
    """Return the lines of the log for events that everybody may know of, as one text; empty if there are none."""
    found = (title.board.line(event, names, reader) for event in events if event.seen_by is None)
    return " ".join(filter(None, found))
