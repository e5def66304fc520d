"""A match as one file, in the format "tessera-record-1": write, read, verify.

The contents of a file show how far its match has come::

    server_seed  outcome
    null         null      running: for its own players, nothing can be checked yet
    hex          null      aborted: everything is shown, nobody has won, no rating changed
    hex          {...}     over

A match that moderators have decided has its outcome as it was played, and their decision as `ruling`.

Leaving (`resign`, `timeout`) is an action with a number of its own. Actions that were taken back are not in the file;
only the seals of those asked for in secret are. After a seat has left, its actions are marked `"by": "bot"`. A bot may
also play a seat from the start, so any action may carry the mark.
"""

from games.engine.record.format import (
    FORMAT,
    ActionEntry,
    OutcomeEntry,
    RatingEntry,
    Record,
    RecordError,
    RulingEntry,
    SeatEntry,
    UncheckableError,
    WithdrawnSeal,
)
from games.engine.record.text import LARGEST, read, write
from games.engine.record.verification import UNPROVABLE, Difference, checks_of, verify

__all__ = [
    "FORMAT",
    "LARGEST",
    "UNPROVABLE",
    "ActionEntry",
    "Difference",
    "OutcomeEntry",
    "RatingEntry",
    "Record",
    "RecordError",
    "RulingEntry",
    "SeatEntry",
    "UncheckableError",
    "WithdrawnSeal",
    "checks_of",
    "read",
    "verify",
    "write",
]
