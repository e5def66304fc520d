"""The log of a match: what happened, in words, showing each viewer only what they may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from django.utils.translation import gettext as _

from games.engine.protocol import Event, Seat as SeatNumber, Viewer
from games.engine.runner import LEAVING, TIMEOUT
from games.play.access import ViewedMatch
from games.play.models import Action, Match
from games.play.records import standing_actions
from games.play.reducer import positions
from games.titles import titles


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event in words and perhaps in small pictures.

    Args:
        number: of the position it led to.
        scores: whether it brought somebody points.
    """

    number: int
    seat: int
    name: str
    text: str
    picture: str
    at: Any
    by_bot: bool
    scores: bool


def log_lines(
    viewed: ViewedMatch, viewer: Viewer, before: int | None = None, limit: int = positions.LOGGED
) -> list[LogLine]:
    """Return the latest lines of the log this viewer may read: the latest action first, its lines as they happened.

    Args:
        before: only actions with smaller numbers; None for the newest.
        limit: how many actions at most (an action may have several lines).
    """
    found = standing_actions(viewed.match).order_by("-number")
    if before is not None:
        found = found.filter(number__lt=before)
    return [
        LogLine(
            action.number,
            action.seat,
            viewed.names[action.seat],
            text,
            _picture(viewed.match.game, event),
            action.at,
            action.by_bot,
            event is not None and viewed.match.title.board.brought(event) is not None,
        )
        for action in found[:limit]
        for text, event in _told_of(
            viewed.match.game, entry_of(viewed.match, action), viewer, viewed.viewer, viewed.names
        )
    ]


class LogEntry(NamedTuple):
    """An action, as far as its sentences in the log depend on it.

    Args:
        located: those of its events that name places as they are called now, each with its number.
    """

    seat: int
    text: str
    events: str
    located: tuple[tuple[int, Event], ...]


def entry_of(match: Match, action: Action) -> LogEntry:
    """Return an action of a match as the log tells it now."""
    board, state = match.title.board, positions.decode_state(match)
    events = enumerate(positions.events_of(match, action.events))
    named = ((number, event, board.located(event, state)) for number, event in events)
    located = tuple((number, told) for number, event, told in named if told is not event)
    return LogEntry(action.seat, action.text, action.events, located)


class Words(NamedTuple):
    """Words for all readers.

    Args:
        text: for everybody.
        own: the seats that are told it in other words, and these words.
    """

    text: str
    own: tuple[tuple[int, str], ...] = ()


class ToldLine(NamedTuple):
    """A sentence of the log.

    Args:
        said: the sentence.
        picture: the same in small pictures, as markup; empty without any.
        caption: what is shown instead of the sentence, which then is only read out; without a text, the sentence.
    """

    said: Words
    picture: str
    caption: Words


Told: TypeAlias = tuple[ToldLine, ...]
"""All that the log says of an action."""


def told_to_all(game: str, action: LogEntry, names: tuple[str, ...]) -> Told | None:
    """Return the sentences for an action in the active language; None unless everybody may know the same of it."""
    leaves = action.text in LEAVING
    if not leaves and not all(event.is_seen_by(None) for event in positions.read_events(game, action.events)):
        return None
    told, seats = _told_of(game, action, None, None, names), [SeatNumber(number) for number in range(len(names))]
    own = [lines_of(game, action, None, seat, names) for seat in seats]
    if any(len(lines) != len(told) for lines in own):
        return None
    captions = ([_caption(game, event, names, reader) for reader in (None, *seats)] for _text, event in told)
    return tuple(
        ToldLine(_to_all(text, *said), _picture(game, event), _to_all(*caption))
        for (text, event), said, caption in zip(told, zip(*own, strict=True), captions, strict=True)
    )


def _to_all(text: str, *own: str) -> Words:
    """Return words for everybody, and for each seat its own if these are others."""
    return Words(text, tuple(pair for pair in enumerate(own) if pair[1] != text))


def told_to(game: str, action: LogEntry, viewer: Viewer, names: tuple[str, ...]) -> Told:
    """Return the sentences for an action to one viewer alone, in the active language."""
    return tuple(
        ToldLine(Words(text), _picture(game, event), Words(_caption(game, event, names, viewer)))
        for text, event in _told_of(game, action, viewer, viewer, names)
    )


def lines_of(game: str, action: LogEntry, viewer: Viewer, reader: Viewer, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences for an action, in the order in which it happened, in the active language.

    Args:
        game: slug of the title.
        action: what was done.
        viewer: whose knowledge is shown; in a replay this can be a seat other than the reader's own.
        reader: the seat of the person reading, who is called "you".
        names: the players' names by seat.
    """
    return tuple(line for line, _event in _told_of(game, action, viewer, reader, names))


def _told_of(
    game: str, action: LogEntry, viewer: Viewer, reader: Viewer, names: tuple[str, ...]
) -> tuple[tuple[str, Event | None], ...]:
    """Return the sentences of `lines_of`, each with its event; None for who has left, which is no event of the game."""
    if action.text in LEAVING:
        late = action.text == TIMEOUT
        if action.seat == reader:
            return ((_("You ran out of time.") if late else _("You resigned."), None),)
        words = _("%(name)s ran out of time.") if late else _("%(name)s resigned.")
        return ((words % {"name": names[action.seat]}, None),)
    title, located = titles()[game], dict(action.located)
    events = enumerate(positions.read_events(game, action.events))
    told = (located.get(number, event) for number, event in events if event.is_seen_by(viewer))
    return tuple((line, event) for event in told if (line := title.board.line(event, names, reader)))


def _caption(game: str, event: Event | None, names: tuple[str, ...], reader: Viewer) -> str:
    return "" if event is None else titles()[game].board.caption(event, names, reader)


def _picture(game: str, event: Event | None) -> str:
    return "" if event is None else titles()[game].board.log_picture(event)
