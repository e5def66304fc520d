"""How the site tells one device from another: by a random number in a cookie, of which only a keyed hash is stored.

Nothing is asked of the device itself. The hash says nothing without the secret key of the site, and neither does the
number: whoever deletes the cookie is another device.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

COOKIE: Final = "device"
COOKIE_AGE: Final = timedelta(days=180)
MARK_LENGTH: Final = 32
_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)

_acting: ContextVar[str] = ContextVar("acting", default="")


def token_in(cookies: Mapping[str, str]) -> str:
    """Return the number of the device that sent these cookies; empty if it has none."""
    token = cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else ""


def mark_of(token: str) -> str:
    """Return what is stored of a device's number."""
    return salted_hmac("accounts.marks", token, algorithm="sha256").hexdigest()[:MARK_LENGTH]


@contextmanager
def acting_from(token: str) -> Iterator[None]:
    """Note that what happens in the block was asked for by this device."""
    before = _acting.set(token)
    try:
        yield
    finally:
        _acting.reset(before)


def acting() -> str:
    """Return the number of the device that asks for what happens now; empty if nobody knows."""
    return _acting.get()


class DeviceMiddleware:
    """Give the browser of everybody who has logged in a number, and note from which one a request comes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = token_in(request.COOKIES)
        with acting_from(token):
            response = self.get_response(request)
        if not token and request.user.is_authenticated and "public" not in response.get("Cache-Control", ""):
            _give(response)
        return response


def _give(response: HttpResponse) -> None:
    response.set_cookie(
        COOKIE,
        secrets.token_urlsafe(_BYTES),
        max_age=COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
