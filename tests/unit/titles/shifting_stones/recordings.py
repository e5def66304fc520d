"""The recorded matches of Shifting Stones: who plays them, and what each shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import patient, quick
from games.titles.shifting_stones.rules.state import Finished, PileReshuffled
from tests.unit.titles.recording import Wanted, ended_with, reason_of
from tests.unit.titles.shifting_stones.choosers import Plays, idler, play_match, scorer, waster

__all__ = ["GAME", "play_match"]

FOLDER = Path(__file__).with_name("records")


def triggered_by(seat: int) -> Callable[[Plays], bool]:
    """Return whether this seat triggered the end."""
    return lambda plays: plays[-1].state.triggered_by == seat and reason_of(plays) == "goal"


def shared_win(plays: Plays) -> bool:
    """Return whether several seats share the first place."""
    outcome = plays[-1].outcome
    return reason_of(plays) == "goal" and outcome is not None and outcome.places.count(1) > 1


def bonus_tie(plays: Plays) -> bool:
    """Return whether several seats, but not all, get the bonus."""
    finished = [event for event in plays[-1].events if isinstance(event, Finished)]
    return bool(finished) and 1 < len(finished[0].bonus) < len(plays[-1].state.hands)


def reshuffled(plays: Plays) -> bool:
    """Return whether the discards were shuffled into a new pile, at an end of turn and by a Skip."""
    texts = {play.text for play in plays for event in play.events if isinstance(event, PileReshuffled)}
    return {"end", "skip"} <= texts and reason_of(plays) == "goal"


def idle(plays: Plays) -> bool:
    """Return whether nobody ended the match in a hundred rounds."""
    return reason_of(plays) == "idle" and plays[-1].state.round == 100


def hand_emptied(plays: Plays) -> bool:
    """Return whether a turn ended by itself."""
    return any(getattr(event, "by_itself", False) for play in plays for event in play.events)


def left_behind(plays: Plays) -> bool:
    """Return whether those who left are placed last although one of them scored more than somebody who stayed."""
    outcome = plays[-1].outcome
    if outcome is None or outcome.places[1] != 4 or outcome.places[3] != 3:
        return False
    return outcome.scores[1] > min(outcome.scores[0], outcome.scores[2])


WANTED = (
    Wanted("trigger-first", [quick, scorer, scorer], triggered_by(0)),
    Wanted("trigger-middle", [scorer, quick, scorer], triggered_by(1)),
    Wanted("trigger-last", [scorer, scorer, quick], triggered_by(2)),
    Wanted("shared-win", [quick] * 2, shared_win),
    Wanted("bonus-tie", [quick] * 5, bonus_tie),
    Wanted("reshuffle", [scorer, waster, scorer, waster], reshuffled),
    Wanted("idle", [idler, waster], idle),
    Wanted("hand-emptied", [quick] * 4, hand_emptied),
    Wanted("solo-won", [patient], ended_with("won")),
    Wanted("solo-lost", [scorer], ended_with("lost")),
    Wanted("solo-resigned", [quick], ended_with("resign"), leaves=((9, 0, "resign"),)),
    Wanted("resigned", [quick] * 2, ended_with("resign"), leaves=((15, 1, "resign"),)),
    Wanted("timed-out", [quick] * 2, ended_with("timeout"), leaves=((12, 0, "timeout"),)),
    Wanted("left-behind", [scorer, quick, scorer, scorer], left_behind, leaves=((20, 1, "resign"), (30, 3, "timeout"))),
)
