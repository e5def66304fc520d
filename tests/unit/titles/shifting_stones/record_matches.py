"""Records a match for each way in which one can end; run it when a change of rules alters matches.

    python -m tests.unit.titles.shifting_stones.record_matches

For each recording matches are played, by players who steer towards it, until one has what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from games.engine import runner
from games.engine.fair import final_seed
from games.engine.protocol import Seat
from games.engine.record import Record, write
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import patient, quick, scorer
from games.titles.shifting_stones.rules.state import Finished, PileReshuffled, State
from tests.unit.titles.recording import record_of
from tests.unit.titles.shifting_stones.choosers import NONCES, Chooser, Plays, idler, play_match, server_seed, waster

FOLDER = Path(__file__).with_name("records")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A recording to be made.

    Args:
        name: of the file.
        choosers: one per seat.
        shows: whether a match is what is wanted.
        leaves: actions after which a seat leaves, with the text.
    """

    name: str
    choosers: Sequence[Chooser]
    shows: Callable[[Plays], bool]
    leaves: tuple[tuple[int, int, str], ...] = ()


def triggered_by(seat: int) -> Callable[[Plays], bool]:
    """Return whether this seat triggered the end."""
    return lambda plays: plays[-1].state.triggered_by == seat and _reason(plays) == "goal"


def shared_win(plays: Plays) -> bool:
    """Return whether several seats share the first place."""
    outcome = plays[-1].outcome
    return _reason(plays) == "goal" and outcome is not None and outcome.places.count(1) > 1


def bonus_tie(plays: Plays) -> bool:
    """Return whether several seats, but not all, get the bonus."""
    finished = [event for event in plays[-1].events if isinstance(event, Finished)]
    return bool(finished) and 1 < len(finished[0].bonus) < len(plays[-1].state.hands)


def reshuffled(plays: Plays) -> bool:
    """Return whether the discards were shuffled into a new pile, at an end of turn and by a Skip."""
    texts = {play.text for play in plays for event in play.events if isinstance(event, PileReshuffled)}
    return {"end", "skip"} <= texts and _reason(plays) == "goal"


def idle(plays: Plays) -> bool:
    """Return whether nobody ended the match in a hundred rounds."""
    return _reason(plays) == "idle" and plays[-1].state.round == 100


def ended_with(reason: str) -> Callable[[Plays], bool]:
    """Return whether the match ended for this reason."""
    return lambda plays: _reason(plays) == reason


def hand_emptied(plays: Plays) -> bool:
    """Return whether a turn ended by itself."""
    return any(getattr(event, "by_itself", False) for play in plays for event in play.events)


def left_behind(plays: Plays) -> bool:
    """Return whether those who left are placed last although one of them scored more than somebody who stayed."""
    outcome = plays[-1].outcome
    if outcome is None or outcome.places[1] != 4 or outcome.places[3] != 3:
        return False
    return outcome.scores[1] > min(outcome.scores[0], outcome.scores[2])


def _reason(plays: Plays) -> str | None:
    outcome = plays[-1].outcome
    return None if outcome is None else outcome.reason


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
    Wanted("solo-resigned", [quick], ended_with("resign"), ((9, 0, "resign"),)),
    Wanted("resigned", [quick] * 2, ended_with("resign"), ((15, 1, "resign"),)),
    Wanted("timed-out", [quick] * 2, ended_with("timeout"), ((12, 0, "timeout"),)),
    Wanted("left-behind", [scorer, quick, scorer, scorer], left_behind, ((20, 1, "resign"), (30, 3, "timeout"))),
)


def record(wanted: Wanted) -> Record:
    """Play until a match shows what is wanted and return it."""
    for attempt in count():
        name = f"{wanted.name} {attempt}"
        plays = (
            _with_leavers(wanted, name) if wanted.leaves else play_match(len(wanted.choosers), name, wanted.choosers)
        )
        if wanted.shows(plays):
            return record_of(GAME, plays, server_seed(name), NONCES, {})
    raise AssertionError


def _with_leavers(wanted: Wanted, name: str) -> Plays:
    seats, due = len(wanted.choosers), list(wanted.leaves)
    seed = final_seed(server_seed(name), NONCES[:seats])
    plays: Plays = [runner.begin(GAME, seats, {}, seed)]
    while plays[-1].outcome is None:
        if due and plays[-1].number >= due[0][0]:
            _, seat, text = due.pop(0)
            plays.append(runner.leave(GAME, plays[-1].position, Seat(seat), text))
        else:
            plays.append(_chosen(plays[-1], wanted.choosers, seed))
    return plays


def _chosen(before: runner.Play[State], choosers: Sequence[Chooser], seed: bytes) -> runner.Play[State]:
    seat = Seat(before.state.mover)
    action = choosers[seat](GAME.view_for(before.state, seat))
    return runner.act(GAME, before.position, seat, action, seed)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for wanted in WANTED:
        (FOLDER / f"{wanted.name}.json").write_text(write(record(wanted)), encoding="utf-8")


if __name__ == "__main__":
    main()
