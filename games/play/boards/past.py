"""What others did since a player's own last action, step by step, as that player may see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from django.template.loader import render_to_string
from django.utils import translation

from games.engine.protocol import RuleViolation
from games.play.access import ViewedMatch, newest_actions
from games.play.boards.fragments import scene_of
from games.play.boards.log import key_of, lines_of
from games.play.models import Action, Presence
from games.play.records import plays
from games.play.reducer.positions import Reached


@dataclass(frozen=True, slots=True)
class Step:
    """A position on the way to the present.

    Args:
        number: of actions that led to it.
        lines: what its action was, in words; () for the position before everything that is told.
        html: the board; empty in the present, which the page shows anyway.
    """

    number: int
    lines: tuple[str, ...]
    html: str


def untold(viewed: ViewedMatch, since: datetime | None = None) -> tuple[Action, ...]:
    """Return what others did in a running match after the viewer's own last action, the oldest first.

    Args:
        viewed: as its reader sees it; somebody without a seat has no action of their own, and gets ().
        since: only what was done after this moment.
    """
    if viewed.viewer is None or not viewed.match.is_running:
        return ()
    tail = newest_actions(viewed.match) if viewed.tail is None else viewed.tail
    others = takewhile(lambda action: action.seat != viewed.viewer, tail)
    return tuple(reversed([action for action in others if since is None or action.at > since]))


def last_seen(viewed: ViewedMatch) -> datetime | None:
    """Return when the reader, who plays, last looked at the match; None if they never did."""
    mine = viewed.mine
    seen = Presence.objects.filter(match=viewed.match, user=None if mine is None else mine.user_id)
    return seen.values_list("at", flat=True).first()


def steps(viewed: ViewedMatch, told: Sequence[Action]) -> list[Step]:
    """Return the positions before, between and after some actions; [] where there is nothing to tell.

    Args:
        viewed: as its reader sees it.
        told: the newest actions of the match, the oldest first.
    """
    told_lines = {action.number: _lines(viewed, action) for action in told}
    if not any(told_lines.values()):
        return []
    wanted = {told[0].number - 1, *(number for number, lines in told_lines.items() if lines)}
    last = max(wanted)
    try:
        boards = dict(_boards(viewed, wanted - {last}))
    except RuleViolation:  # of rules that are no longer kept
        return []
    return [Step(number, told_lines.get(number, ()), boards.get(number, "")) for number in sorted(wanted)]


def _boards(viewed: ViewedMatch, wanted: set[int]) -> Iterator[tuple[int, str]]:
    board = viewed.match.title.board
    for number, play in enumerate(plays(viewed.match, viewed.seats, max(wanted))):
        if number in wanted:
            reached = Reached(number, play.position.state, play.events)
            scene = scene_of(viewed, reached, viewed.viewer, active=False)
            yield number, render_to_string(board.TEMPLATE, dict(board.context(scene)), using="boards")


def _lines(viewed: ViewedMatch, action: Action) -> tuple[str, ...]:
    viewer, language = viewed.viewer, translation.get_language()
    return lines_of(viewed.match.game, key_of(action), viewer, viewer, viewed.names, language)
