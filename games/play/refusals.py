"""A refusal that time alone will lift."""

from __future__ import annotations

from datetime import timedelta

from games.engine.protocol import RuleViolation


class TooOften(RuleViolation):
    """Somebody has done something too often, or must wait for another reason.

    Args:
        code, text: as of every `RuleViolation`.
        wait: after which they can do it again, at most.
    """

    def __init__(self, code: str, text: str, wait: timedelta) -> None:
        super().__init__(code, text)
        self.wait = wait
