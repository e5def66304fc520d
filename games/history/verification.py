"""Checks that what is stored of a match follows from its actions; everything else stored of it is a cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine import fair
from games.engine.codec import encode, encode_events
from games.engine.fair import seal
from games.engine.protocol import RuleViolation
from games.play.models import AWARDED, AbortReason, Action, Match, Ruling, Seat
from games.play.records import plays, sealed_actions, standing_actions
from games.play.reducer.positions import AnyPlay, seed_of


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
