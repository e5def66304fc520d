"""How long a bot may think."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may spend.

    Args:
        iterations: how many futures it imagines, so that strength does not depend on the machine.
        seconds: after which it stops in any case.
        horizon: how many actions it plays on beyond the tree before it evaluates.
    """

    iterations: int
    seconds: float
    horizon: int


class Watch:
    """Measures the seconds since it was made."""

    def __init__(self) -> None:
        self._begun = monotonic()

    @property
    def seconds(self) -> float:
        return monotonic() - self._begun
