"""All routes of the site, of pages and of sockets.

Each has a row in the tables in tests/site/config/doors.py and tests/site/config/test_socket_doors.py.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sitemaps.views import sitemap
from django.urls import include, path, re_path
from django.views.decorators.http import require_safe

from config import admin, views
from config.oembed import oembed
from config.ops import metrics
from games.chat.consumers import ClubConsumer, ConversationConsumer, MatchChatConsumer
from games.events.consumers import EventConsumer
from games.matchmaking.consumers import LobbyConsumer, MineConsumer
from games.notifications.consumers import PersonalConsumer


async def no_socket(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Refuse a socket with a 403; for a path without a route Channels would log a traceback."""
    await receive()
    await send({"type": "websocket.close"})


websocket_urlpatterns = [
    path("ws/match/<slug:slug>/", MatchChatConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/matches/", MineConsumer.as_asgi()),
    path("ws/me/", PersonalConsumer.as_asgi()),
    path("ws/messages/<str:username>/", ConversationConsumer.as_asgi()),
    path("ws/clubs/<slug:club>/", ClubConsumer.as_asgi()),
    path("ws/events/<slug:event>/", EventConsumer.as_asgi()),
    re_path("", no_socket),  # type: ignore[arg-type]  # ASGI applications are what Channels routes to
]


urlpatterns = [
    path("", include("games.play.urls")),  # first, as they are requested at every move
    path("", views.home, name="home"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", require_safe(sitemap), {"sitemaps": {"pages": views.PublicPages}}, name="sitemap"),
    path("oembed", oembed, name="oembed"),
    path("healthz", views.healthz, name="healthz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("games.matchmaking.urls")),
    path("", include("games.bots.urls")),
    path("", include("games.ratings.urls")),
    path("", include("games.history.urls")),
    path("", include("games.notifications.urls")),
    path("", include("games.puzzles.urls")),
    path("", include("games.deals.urls")),
    path("", include("games.events.urls")),
    path("", include("games.clubs.urls")),
    path("", include("games.pairing.urls")),
    path("", include("games.learn.urls")),
    path("", include("games.review.urls")),
    path("", include("games.chat.urls")),
    path("", include("games.privacy.urls")),
    path("", include("games.moderation.urls")),
    path("", include("games.fairplay.urls")),
    path("", include("games.api.urls")),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"
