"""Every socket address of the site. The table in tests/config/test_socket_doors.py has a row for each."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from games.chat.consumers import ConversationConsumer, MatchChatConsumer
from games.matchmaking.consumers import LobbyConsumer, MineConsumer
from games.notifications.consumers import PersonalConsumer


async def nowhere(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Refuse an address without a socket (403), where Channels would fail with a traceback."""
    await receive()
    await send({"type": "websocket.close"})


urlpatterns = [
    path("ws/match/<slug:slug>/", MatchChatConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/matches/", MineConsumer.as_asgi()),
    path("ws/me/", PersonalConsumer.as_asgi()),
    path("ws/messages/<str:username>/", ConversationConsumer.as_asgi()),
    re_path("", nowhere),  # type: ignore[arg-type]  # ASGI applications are what Channels routes to
]
