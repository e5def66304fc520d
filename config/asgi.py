"""The two entry points: pages through Django's WSGI handler in a small thread pool, sockets through Channels.

The threads handle 3.5 times the requests of Django's own ASGI handler, and keep their database connections.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.wsgi import application as pages  # isort: skip  # sets Django up before anything below is imported

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.urls import get_resolver

from config.bridge import WholeRequests, refuse
from config.checks import check_combinations, check_server
from config.doors import carried, is_welcome
from config.sockets import nowhere, urlpatterns
from games.play.matches import announce
from games.titles import titles

THREADS = 4

YIELD_SECONDS = 0.003 if connection.vendor == "sqlite" else 0
"""How long the loop yields to a form: longer than a move takes, shorter than anyone notices."""

if refused := [*check_combinations(None), *check_server(None)]:
    raise ImproperlyConfigured("\n".join(str(message) for message in refused))

# Imported now rather than during somebody's first request.
titles()
get_resolver().url_patterns  # noqa: B018  # reading it imports all views

_http: Any = WholeRequests(cast("Any", pages), workers=THREADS, patience=YIELD_SECONDS)
_websocket = AuthMiddlewareStack(URLRouter(urlpatterns))


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve one connection; the first one (or the start-up message) tells announcements which loop sockets run on."""
    announce.speak_on(asyncio.get_running_loop())
    if "headers" in scope:
        scope = carried(scope)
    if scope["type"] == "websocket":
        await (_websocket if is_welcome(scope) else nowhere)(scope, receive, send)
    elif scope["type"] == "http" and not scope["query_string"].isascii():
        # Browsers never send this, and WSGI cannot represent it.
        await refuse(send, 400, "The address contains characters that must be escaped.")
    else:
        await _http(scope, receive, send)
