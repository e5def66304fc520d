"""Text as browsers send it: UTF-8 without NUL, which PostgreSQL cannot store. Decided here, for HTTP as for sockets."""

from __future__ import annotations

import json
import re
from typing import Final
from urllib.parse import unquote_to_bytes

from django.http import HttpRequest

_CHARSETS: Final = frozenset({"", "utf-8", "utf8", "us-ascii", "ascii"})
_OTHERWISE: Final = re.compile(
    rb"^content-(?:transfer-encoding[ \t]*:|(?:type|disposition)[ \t]*:.*(?:charset[ \t]*=|\*[ \t]*=))",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of a part of a form that names another encoding: of the part, or of a name in the line."""


def is_text(data: bytes | str) -> bool:
    """Return whether these bytes, or this string, can be stored and sent as text.

    >>> is_text("Zoë"), is_text("\\ud800"), is_text(b"\\xff"), is_text("a\\0b")
    (True, False, False, False)
    """
    try:
        return b"\0" not in (data.encode() if isinstance(data, str) else data.decode().encode())
    except UnicodeError:
        return False


def is_form(data: bytes | str) -> bool:
    """Return whether the fields of a form, or of an address, are text: as they are, and with escapes undone.

    >>> is_form("text=Zo%C3%AB"), is_form("text=%ED%A0%80"), is_form("text=%00"), is_form(b"\\xff")
    (True, False, False, False)
    """
    return is_text(data) and is_text(unquote_to_bytes(data))


def is_json(data: bytes | str) -> bool:
    """Return whether all text in a JSON document is text; False if it is no JSON.

    >>> is_json('["Zo\\\\u00eb"]'), is_json('["\\\\ud800"]'), is_json('{"\\\\u0000": 1}'), is_json("[")
    (True, False, False, False)
    """
    try:
        return is_text(data) and all_text(json.loads(data))
    except (ValueError, RecursionError):
        return False


def all_text(read: object) -> bool:
    """Return whether all text in what was read from JSON is text: escapes there can stand for what is none.

    Raises:
        RecursionError: it is nested too deeply.
    """
    if isinstance(read, str):
        return is_text(read)
    if isinstance(read, dict):
        return all(is_text(name) and all_text(value) for name, value in read.items())
    return not isinstance(read, list) or all(map(all_text, read))


def is_body(request: HttpRequest) -> bool:
    """Return whether the body of a request is text, whatever its type says it is.

    A form of several parts may name no other charset and no further encoding, as no browser does: what was refused
    could hide there.
    """
    if (request.content_params or {}).get("charset", "").strip("\"' ").lower() not in _CHARSETS:
        return False
    body = request.body
    if request.content_type == "application/x-www-form-urlencoded":
        return is_form(body)
    if request.content_type == "application/json":
        return is_json(body)
    if request.content_type == "multipart/form-data" and _OTHERWISE.search(body):
        return False
    return is_text(body)
