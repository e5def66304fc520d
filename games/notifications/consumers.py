"""The socket of pages without one of their own: it tells a person what they are told on every page."""

from __future__ import annotations

from games.play import sockets


class PersonalConsumer(sockets.Socket):
    """Tells numbers and new notices."""

    async def enter(self) -> bool:
        return bool(self.user.is_authenticated)

    def most(self) -> int:
        """Leave room for the matches somebody plays, however many pages they have open."""
        return sockets.MAX_SOCKETS // 2

    def groups_for(self) -> tuple[str, ...]:
        return ()

    async def push(self) -> None:
        """Nothing to push beyond what every socket tells."""
