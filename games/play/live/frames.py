"""Messages of a page over its socket, small and read strictly; and the codes with which sockets are closed."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict
from django.utils import translation

from accounts.requests import KEY, all_text, is_form, whole_number

MAX_TEXT = 8_000
"""Characters of the longest message accepted: the form of a long turn is shorter."""

MAX_DIGITS = 12

NOT_UNDERSTOOD = "this is not understood"


class BadFrame(Exception):
    """A message that is not understood; the text is for its sender."""


def decode(text: str | None, data: bytes | None) -> dict[str, Any]:
    """Read one message strictly: a small JSON object, finite numbers, no nesting.

    Raises:
        BadFrame: anything else.
    """
    if data is not None or text is None:
        raise BadFrame("binary frames are not accepted")
    if len(text) > MAX_TEXT:
        raise BadFrame("the message is too long")
    try:
        message = json.loads(text, parse_constant=_no_constant, parse_int=_small_int)
        if not all_text(message):  # an escape can stand for what UTF-8 cannot
            raise BadFrame("not UTF-8")
    except (ValueError, RecursionError) as error:
        raise BadFrame("not JSON") from error
    if not isinstance(message, dict) or any(isinstance(value, list) for value in message.values()):
        raise BadFrame("a message is one object without lists")
    return message


def form_in(message: dict[str, Any]) -> QueryDict:
    """Return the fields of a form in a message, encoded as a browser does when it posts the form.

    Raises:
        BadFrame: there is no form, or it has too many fields, or what is no text (`accounts.requests`).
    """
    text = message.get("form")
    if not isinstance(text, str) or not is_form(text):
        raise BadFrame("this is not a form")
    try:
        return QueryDict(text)
    except SuspiciousOperation as error:
        raise BadFrame("the form has too many fields") from error


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _small_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError("a number of this size means nothing here")
    return int(digits)


def same_origin(headers: dict[bytes, bytes], scheme: str) -> bool:
    """Return whether the page that opens the socket is ours: scheme, host and port, not the host alone."""
    origin = urlsplit(headers.get(b"origin", b"").decode("latin1"))
    host = headers.get(b"host", b"").decode("latin1")
    secure = scheme == "wss" or headers.get(b"x-forwarded-proto") == b"https"
    return bool(host) and (origin.scheme, origin.netloc) == ("https" if secure else "http", host)


def language_in(query: bytes) -> str:
    """Return the language of the page that opened the socket: it says so itself, as it was rendered in it."""
    wanted = parse_qs(query.decode("latin1")).get("language", [""])[0]
    try:
        return translation.get_supported_language_variant(wanted)
    except LookupError:
        return str(settings.LANGUAGE_CODE)


def told_in(query: bytes) -> int | None:
    """Return the key of the newest note when the page that opened the socket was made; None if it does not say."""
    return whole_number(parse_qs(query.decode("latin1")).get("told", [""])[0], KEY)


class Close:
    """Codes sent to the browser; 4000 and above are the application's own."""

    BAD_ORIGIN = 4403
    NO_ACCESS = 4404
    SESSION_ENDED = 4401
    TOO_MANY = 4429
