"""The replay of a match: its positions from the points of view that the reader may take, its seals, draws and file.

It also proves what is stored: whatever does not follow from the actions of a match is a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.utils.translation import gettext as _

from accounts.requests import whole_number
from games.engine import fair
from games.engine.codec import encode, encode_events
from games.engine.fair import Draw, seal
from games.engine.protocol import RuleViolation, Seat as SeatNumber, Viewer
from games.engine.record import RatingEntry, write
from games.engine.runner import LEAVING
from games.history.endings import result_in_words
from games.play.access import ViewedMatch
from games.play.boards.fragments import Shown, board_at
from games.play.boards.log import LogLine, log_lines
from games.play.models import AWARDED, AbortReason, Action, Match, Ruling, Seat
from games.play.records import plays, record_of, sealed_actions, standing_actions
from games.play.reducer.positions import AnyPlay, may_be_read, seed_of
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

        From the point of view of somebody else's seat, its name goes before what the board says ("Your turn"). Empty
        where the board says nothing, as of a way that a review weighed.
        """
        match = self.viewed.match
        if self.is_last and (match.status == match.Status.ABORTED or (match.is_over and match.reason in LEAVING)):
            return result_in_words(match, self.viewed.seats)
        if not self.shown.status or self.view in {own_view(self.viewed), _spectator(), _all_hands()}:
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
        at: the number of actions played, from the address; empty for the latest position or, of a match that has ended,
            for whoever did not play in it, the first.
        seat: a seat's number, "spectator" or, if the board can show them, "all" for all hands; empty for the reader's
            own point of view, the only one while the match runs.
    """
    view, refusal, status = _view(viewed, seat)
    number = whole_number(at) if at else _opened_at(viewed)
    if number is None or number > viewed.match.length:
        number, status = viewed.match.length, HTTPStatus.NOT_FOUND
        refusal = _("There is no such position: this match has positions 0 to %(last)d.") % {"last": number}
    latest_first = log_lines(viewed, view.seat, before=number + AROUND + 1, limit=2 * AROUND + 1)
    lines = sorted(latest_first, key=lambda line: line.number)
    shown = board_at(viewed, number, view.seat, with_all_hands=view == _all_hands())
    inside_turns = standing_actions(viewed.match).exclude(seal="").filter(reveals=False)
    numbers = frozenset(inside_turns.values_list("number", flat=True))
    return Replay(viewed, view, shown, lines, refusal, status, numbers)


def _opened_at(viewed: ViewedMatch) -> int:
    """Return the number of the position at which a replay opens."""
    return 0 if viewed.match.has_ended and viewed.mine is None else viewed.match.length


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


# --- verification -----------------------------------------------------------------------------------------------------


def first_difference(match: Match) -> str | None:
    """Return the first difference between a match that has begun and its replay, None if there is none.

    Checked are the commitment, the order of seats if it was drawn, the number, canonical text, events, seal and
    legality of every action, the seals of those taken back, the state, who is to move, who left in which order, and
    the outcome.
    """
    return next(_differences(match), None)


def is_checkable(match: Match) -> bool:
    """Return whether a match was played by the present version of its rules."""
    return match.rules_version == match.rules.version


def _differences(match: Match) -> Iterator[str]:
    """Yield the differences; those after the first may only follow from it."""
    seats = list(Seat.objects.filter(match=match).order_by("number"))
    if [seat.number for seat in seats] != list(range(match.seat_count)):
        yield f"the seats have the numbers {[seat.number for seat in seats]}"
        return
    if match.commit != fair.commitment(bytes(match.server_seed)):
        yield "the commitment does not belong to the seed"
    yield from _of_order(match, seats)
    actions = list(standing_actions(match))
    reached = turn = 0
    try:
        for action, last in zip([None, *actions], plays(match, seats), strict=True):
            if action is not None:
                yield from _of_action(match, action, turn, last)
            reached, turn = last.number + 1, last.position.turn
    except RuleViolation as refusal:
        yield f"action {reached} is refused: {refusal.text}"
        return
    yield from _of_withdrawn(match)
    yield from _of_position(match, seats, last)
    yield from _of_end(match, seats, last)


def _of_order(match: Match, seats: Sequence[Seat]) -> Iterator[str]:
    joined = [seat.joined for seat in seats]
    if joined == [None] * len(joined):
        return  # not drawn, or begun before seats were drawn from the seed
    if set(joined) != set(range(len(joined))):
        yield f"the seats’ players joined as {joined}, which is not an order"
        return
    drawn = list(fair.order_of_seats(seed_of(match, seats), len(seats)))
    if joined != drawn:
        yield f"the order of seats is stored as {joined}, but was drawn as {drawn}"


def _of_withdrawn(match: Match) -> Iterator[str]:
    for sealed in sealed_actions(match):
        action = sealed.action
        sealed_text = seal(match.commit, sealed.turn, action.seat, action.text, bytes(action.salt))
        if action.withdrawn and action.seal != sealed_text:
            yield f"a withdrawn action of seat {action.seat} is stored with the seal “{action.seal}” of something else"


def _of_action(match: Match, action: Action, turn: int, play: AnyPlay) -> Iterator[str]:
    if action.number != play.number:
        yield f"action {play.number} is missing, the next one stored is {action.number}"
    if action.text != play.text:
        yield f"action {action.number} is stored as “{action.text}”, its canonical text is “{play.text}”"
    if action.events != encode_events(play.events):
        yield f"action {action.number}: the stored events are not those of the replay"
    sealed = seal(match.commit, turn, action.seat, play.text, bytes(action.salt)) if play.sealed else ""
    if action.seal != sealed:
        yield f"action {action.number}: the stored seal is “{action.seal}”, that of the replay “{sealed}”"


def _of_position(match: Match, seats: Sequence[Seat], last: AnyPlay) -> Iterator[str]:
    if match.length != last.number:
        yield f"length {match.length} is stored, there are {last.number} actions"
    if match.is_running and match.turn != last.position.turn:
        yield f"the turn after action {match.turn} is stored, by the actions it follows action {last.position.turn}"
    if match.state != encode(last.state):
        yield "the stored state is not that of the replay"
    left = sorted((seat for seat in seats if seat.left is not None), key=lambda seat: seat.left or 0)
    if [seat.number for seat in left] != list(last.position.leavers):
        yield f"stored as left: {[seat.number for seat in left]}, by the actions {list(last.position.leavers)}"


def _of_end(match: Match, seats: Sequence[Seat], last: AnyPlay) -> Iterator[str]:
    """Compare the end of a match with its replay; if moderators have decided it, as it was played before."""
    ruling = Ruling.objects.filter(match=match).first()
    if (last.outcome is None) == (match.is_over or ruling is not None):
        yield f"the match is stored as {match.status}, the outcome is {last.outcome}"
    to_move = {seat.number for seat in seats if seat.to_move}
    if to_move != (set(last.to_move) if match.is_running else set()):
        yield f"stored as to move: {sorted(to_move)}, by the rules {sorted(last.to_move)}"
    if ruling is not None:
        yield from _of_ruling(match, seats, ruling)
    if last.outcome is None or not (match.is_over or ruling):
        return
    places, reason = (seat.place for seat in seats), match.reason
    if ruling is not None:
        places, reason = ruling.played["places"], ruling.played["reason"]
    stored = (tuple(places), tuple(seat.score for seat in seats), reason)
    replayed = (last.outcome.places, last.outcome.scores, last.outcome.reason)
    if stored != replayed:
        yield f"the stored outcome is {stored}, that of the replay {replayed}"


def _of_ruling(match: Match, seats: Sequence[Seat], ruling: Ruling) -> Iterator[str]:
    """Check that a match has the result that moderators gave it."""
    wanted = (ruling.places or [None] * len(seats), AWARDED if ruling.places else AbortReason.MODERATORS)
    stored = ([seat.place for seat in seats], match.reason)
    if stored != wanted or match.is_over != bool(ruling.places):
        yield f"moderators have decided {wanted}, stored is {stored}"
