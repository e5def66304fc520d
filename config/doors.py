"""Checks made before a request or a socket reaches Django or Channels."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host


def carried(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the scope without headers that have an underscore in their names.

    WSGI cannot tell `X_Forwarded_For` from `X-Forwarded-For`: anyone could add to what a trusted proxy says.
    """
    return {**scope, "headers": [header for header in scope["headers"] if b"_" not in header[0]]}


def is_welcome(scope: dict[str, Any]) -> bool:
    """Return whether a socket is accepted: its host is in ALLOWED_HOSTS and it contains no NUL.

    Django checks the hosts of pages and `NoNul` their contents; Channels checks neither.
    """
    headers = dict(scope["headers"])
    host, _port = split_domain_port(headers.get(b"host", b"").decode("latin1"))
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    nul = b"%00" in scope["query_string"] or any("\0" in value for value in cookies.values())
    return bool(host) and validate_host(host, settings.ALLOWED_HOSTS) and not nul
