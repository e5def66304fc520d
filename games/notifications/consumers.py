"""The socket of pages that have none of their own: what its person is told wherever they are, and nothing else."""

from __future__ import annotations

from games.play import sockets


class PersonalConsumer(sockets.Socket):
    """Tells numbers and new notices."""

    async def enter(self) -> bool:
        return bool(self.user.is_authenticated)

    def most(self) -> int:
        """However many pages somebody has left open, there is room for the matches they play."""
        return sockets.MAX_SOCKETS // 2

    def groups_for(self) -> tuple[str, ...]:
        return ()

    async def push(self) -> None:
        """There is nothing here beside what every socket tells."""
