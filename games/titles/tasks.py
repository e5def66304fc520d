"""What a puzzle asks, in words: the interface of a title's optional module `tasks`.

It says for each kind of puzzle (`games.engine.puzzles`) in its `TASKS` what is asked and what an answer brings.
"""

from __future__ import annotations

from typing import Any, Protocol

from games.engine.insight import Plan


class Task(Protocol):
    """The words for a kind of puzzle, in the reader's language."""

    def asked(self, view: Any) -> str:
        """Return in one or two sentences what is asked of the viewer."""

    def gain(self, worth: int) -> str:
        """Return what an answer brings in a few words, for instance "7 points"."""

    def in_short(self, view: Any, line: Plan) -> str:
        """Return in a few words what matters of a complete answer, whoever gave it."""
