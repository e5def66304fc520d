"""The socket of pages without one of their own: it pushes what people are told on every page."""

from __future__ import annotations

from games.play.live import sockets


class PersonalConsumer(sockets.Socket):
    """Pushes numbers and new notices."""

    async def enter(self) -> bool:
        return bool(self.user.is_authenticated)

    def most(self) -> int:
        """Leave room for the matches somebody plays, however many pages they have open."""
        return sockets.MAX_SOCKETS // 2
