"""What a review tells on the page of the end of its match: how close it was, and which turn decided it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from games.engine.protocol import Seat
from games.history.endings import DecisiveTurn, Judgement
from games.play.access import ViewedMatch
from games.play.records import standing_actions
from games.review.found import in_points
from games.review.judge import WHOLE
from games.review.models import Review


def judgement_of(viewed: ViewedMatch) -> Judgement | None:
    """Return what the review of a match that is over says to its reader; None if there is none that is done."""
    review = Review.objects.filter(match=viewed.match).first()
    if review is None or not review.is_done or not review.chances:
        return None
    turns = _turns(viewed, len(review.chances) - 1)
    winners = [seat.number for seat in viewed.seats if seat.place == 1]
    decisive = _best(review, turns, Seat(winners[0])) if len(winners) == 1 else None
    return Judgement(
        ahead="" if viewed.viewer is None else _ahead(review, viewed.viewer),
        best="" if viewed.viewer is None else _raised(review, turns, viewed.viewer),
        decisive=None if decisive is None else DecisiveTurn(decisive, _decided(viewed, review, decisive, winners[0])),
    )


def _turns(viewed: ViewedMatch, last: int) -> list[range]:
    """Return the numbers of the actions up to `last` in runs of the same seat: each player's turns."""
    seats = enumerate(standing_actions(viewed.match).values_list("seat", flat=True)[:last], start=1)
    runs = ([number for number, _seat in run] for _seat, run in groupby(seats, key=lambda each: each[1]))
    return [range(run[0], run[-1] + 1) for run in runs]


def _best(review: Review, turns: Sequence[range], seat: Seat) -> range | None:
    """Return the turn, whosever it was, with which the chance of a seat rose most; None if it never did."""
    best = max(turns, key=lambda turn: _rise(review, turn, seat), default=None)
    return best if best and _rise(review, best, seat) > 0 else None


def _rise(review: Review, turn: range, seat: Seat) -> int:
    before, after = _around(review, turn, seat)
    return after - before


def _around(review: Review, turn: range, seat: Seat) -> tuple[int, int]:
    """Return the chance of a seat before and after a turn, in ten-thousandths."""
    return review.chances[turn.start - 1][seat], review.chances[turn[-1]][seat]


def _ahead(review: Review, seat: Seat) -> str:
    own = [chances[seat] for chances in review.chances]
    number = max((at for at, chance in enumerate(own) if 2 * chance >= WHOLE), default=0)
    words = {"percent": in_points(own[number]), "number": number}
    return _("After move %(number)s your chance to win was still %(percent)s %%.") % words if number else ""


def _raised(review: Review, turns: Sequence[range], seat: Seat) -> str:
    best = _best(review, turns, seat)
    if best is None:
        return ""
    before, after = map(in_points, _around(review, best, seat))
    words = {"number": best[-1], "before": before, "after": after}
    return _("With move %(number)s your chance to win rose from %(before)s %% to %(after)s %%.") % words


def _decided(viewed: ViewedMatch, review: Review, turn: range, winner: int) -> str:
    before, after = map(in_points, _around(review, turn, Seat(winner)))
    words = {"name": viewed.names[winner], "before": before, "after": after}
    if winner == viewed.viewer:
        return _("The turn that decided it: your chance rose from %(before)s %% to %(after)s %%") % words
    return _("The turn that decided it: %(name)s’s chance rose from %(before)s %% to %(after)s %%") % words
