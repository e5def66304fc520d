"""The replay of a match: its positions from the points of view that the reader may take, its seals, draws and file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.utils.translation import gettext as _

from games.engine.fair import Draw
from games.engine.protocol import Seat as SeatNumber
from games.engine.protocol import Viewer
from games.engine.record import RatingEntry, write
from games.engine.runner import LEAVING
from games.history.endings import result_in_words
from games.play.access import ViewedMatch
from games.play.boards.fragments import Shown, board_at
from games.play.boards.log import LogLine, log_lines
from games.play.http import whole_number
from games.play.models import Seat
from games.play.records import plays, record_of, sealed_actions, standing_actions
from games.play.reducer.positions import may_be_read
from games.ratings.models import RatingChange
from games.titles import Fact

AROUND = 20
"""Log lines shown before and after the position."""

SPECTATOR = "spectator"
ALL_HANDS = "all"


@dataclass(frozen=True, slots=True)
class PointOfView:
    """A point of view on the match; `value` names it in the address."""

    value: str
    name: str
    seat: Viewer


@dataclass(frozen=True, slots=True)
class Replay:
    """One position as the replay page shows it.

    `refusal` says in a sentence why it is not the position asked for; otherwise it is empty.
    `inside_turns` are the positions in which a sealed turn waits for other seats: nothing new can be seen in them.
    """

    viewed: ViewedMatch
    view: PointOfView
    shown: Shown
    lines: Sequence[LogLine]
    refusal: str
    status: HTTPStatus
    inside_turns: frozenset[int]

    @property
    def number(self) -> int:
        return self.shown.number

    @property
    def length(self) -> int:
        return self.viewed.match.length

    @property
    def before(self) -> int | None:
        return max((number for number in range(self.number) if number not in self.inside_turns), default=None)

    @property
    def after(self) -> int | None:
        if self.is_last:
            return None
        later = range(self.number + 1, self.length)
        return next((number for number in later if number not in self.inside_turns), self.length)

    @property
    def is_last(self) -> bool:
        return self.number == self.length

    @property
    def caption(self) -> str:
        """Return whose turn it is in this position, or how the match ended where the rules cannot say.

        From the point of view of somebody else's seat, its name goes before what the board says ("Your turn").
        """
        match = self.viewed.match
        if self.is_last and (match.status == match.Status.ABORTED or (match.is_over and match.reason in LEAVING)):
            return result_in_words(match, self.viewed.seats)
        if self.view in {own_view(self.viewed), _spectator(), _all_hands()}:
            return self.shown.status
        return _("For %(name)s: %(status)s") % {"name": self.view.name, "status": self.shown.status}

    @property
    def views(self) -> list[PointOfView]:
        return points_of_view(self.viewed)

    @property
    def query(self) -> str:
        """Return the part of the address that keeps the point of view, beginning with & or empty."""
        return f"&seat={self.view.value}" if self.view != own_view(self.viewed) else ""

    @property
    def players(self) -> list[tuple[Seat, Sequence[Fact]]]:
        return list(zip(self.viewed.seats, self.shown.facts, strict=True))


def replay_of(viewed: ViewedMatch, at: str, seat: str) -> Replay:
    """Return the position asked for, or the nearest one allowed, with the reason.

    Args:
        viewed: a match that has begun, as its reader sees it.
        at: the number of actions played, from the address; empty for the latest position.
        seat: a seat's number, "spectator" or, if the board can show them, "all" for all hands; empty for the reader's
            own point of view, the only one while the match runs.
    """
    view, refusal, status = _view(viewed, seat)
    number = whole_number(at) if at else viewed.match.length
    if number is None or number > viewed.match.length:
        number, status = viewed.match.length, HTTPStatus.NOT_FOUND
        refusal = _("This match has no such position; its positions are numbered 0 to %(last)d.") % {"last": number}
    latest_first = log_lines(viewed, view.seat, before=number + AROUND + 1, limit=2 * AROUND + 1)
    lines = sorted(latest_first, key=lambda line: line.number)
    shown = board_at(viewed, number, view.seat, with_all_hands=view == _all_hands())
    inside_turns = standing_actions(viewed.match).exclude(seal="").filter(reveals=False)
    numbers = frozenset(inside_turns.values_list("number", flat=True))
    return Replay(viewed, view, shown, lines, refusal, status, numbers)


def points_of_view(viewed: ViewedMatch) -> list[PointOfView]:
    """Return the points of view open to this reader: only their own until the match has ended, then all."""
    if not viewed.match.has_ended:
        return [own_view(viewed)]
    seats = [_of_seat(viewed, SeatNumber(number)) for number in range(len(viewed.seats))]
    everything = [_all_hands()] if viewed.match.title.board.OPEN else []
    return [*seats, *everything, _spectator()]


def own_view(viewed: ViewedMatch) -> PointOfView:
    return _spectator() if viewed.viewer is None else _of_seat(viewed, viewed.viewer)


def _spectator() -> PointOfView:
    return PointOfView(SPECTATOR, _("Spectators"), None)


def _all_hands() -> PointOfView:
    return PointOfView(ALL_HANDS, _("All hands"), None)


def _of_seat(viewed: ViewedMatch, seat: SeatNumber) -> PointOfView:
    return PointOfView(str(seat), viewed.names[seat], seat)


def _view(viewed: ViewedMatch, wanted: str) -> tuple[PointOfView, str, HTTPStatus]:
    own = own_view(viewed)
    if wanted in {"", own.value}:
        return own, "", HTTPStatus.OK
    if not viewed.match.has_ended:
        text = _("Until the match ends, you can see it only from your own point of view.")
        return own, text, HTTPStatus.FORBIDDEN
    for view in points_of_view(viewed):
        if view.value == wanted:
            return view, "", HTTPStatus.OK
    return own, _("There is no such seat in this match."), HTTPStatus.NOT_FOUND


@dataclass(frozen=True, slots=True)
class SealShown:
    """A sealed action as its reader may see it; `text` and `salt` (hex) are empty while it is secret.

    `turn` is the number inside the seal: that of the action which ended the turn before. A sealed action that was
    taken back (`withdrawn`) stays secret for ever.
    """

    number: int
    turn: int
    seat: int
    name: str
    seal: str
    text: str
    salt: str
    withdrawn: bool


def seals_of(viewed: ViewedMatch) -> list[SealShown]:
    """Return every seal of a match that has begun, in the order of time.

    Seals prove that nobody, the site included, changed a secret action after seeing another one.
    """
    found = []
    for sealed in sealed_actions(viewed.match):
        action, text, salt = sealed.action, "", ""
        if not action.withdrawn and may_be_read(viewed.match, action, viewed.viewer):
            text, salt = action.text, bytes(action.salt).hex()
        name = viewed.names[action.seat]
        shown = SealShown(action.number, sealed.turn, action.seat, name, action.seal, text, salt, action.withdrawn)
        found.append(shown)
    return found


def draws_of(viewed: ViewedMatch) -> Iterator[Draw]:
    """Yield everything chance decided in a match that has ended, in order, by playing it again.

    Raises:
        RuleViolation: a stored action is refused (`manage.py verify_matches` names it).
    """
    for play in plays(viewed.match, viewed.seats):
        yield from play.draws


def record_name(viewed: ViewedMatch) -> str:
    """Return the name of a match's file."""
    return f"tessera-{viewed.match.game}-{viewed.match.slug}.json"


def record_file(viewed: ViewedMatch) -> str:
    """Return a match as a file with what its reader may know. The caller checks that they may have it."""
    changes = RatingChange.objects.filter(match=viewed.match).order_by("seat")
    return write(record_of(viewed, [RatingEntry(change.seat, change.before, change.after) for change in changes]))
