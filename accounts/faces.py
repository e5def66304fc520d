"""Faces: a picture for each name, drawn from the name alone out of pieces of the games, as nobody uploads one.

A face is a square of mosaic in one colour with a piece on it. It is the same wherever and whenever it is drawn, so
browsers keep it for a year, and changes with the name only. Templates show it with `{% load faces %}{% face name %}`,
Jinja with `{{ face(name) }}`; both take a size in pixels too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from django import template
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.names import name_key
from accounts.requests import SAFE_METHODS, YEAR, Middleware

COLOURS: Final = (
    ("#c63e4c", "#c95d68"),
    ("#bb4c10", "#ce591a"),
    ("#94660b", "#a27213"),
    ("#557a13", "#5f861a"),
    ("#1d7f46", "#268d51"),
    ("#0c7c75", "#138880"),
    ("#2175a5", "#2b83b5"),
    ("#4a6ac5", "#627dc7"),
    ("#7c5cc1", "#8c72c4"),
    ("#b241a2", "#bd59ae"),
    ("#776d61", "#877c70"),
)
"""The two tones of a mosaic. The piece stands out from both, and both from light and from dark pages (3:1)."""

_SIDE: Final = 4
"""Stones of a mosaic in a row. Its right half mirrors its left half."""
_WIDTH: Final = 12
"""The width of a stone, where the face is 48 wide."""


@cache
def pieces() -> dict[str, str]:
    """Return the outline of each piece in a square of 48, as data of an SVG path."""
    drawn = ET.parse(Path(__file__).with_name("pieces.svg")).iter("{http://www.w3.org/2000/svg}path")  # noqa: S314  # ours
    return {path.attrib["id"]: path.attrib["d"] for path in drawn}


@dataclass(frozen=True, slots=True)
class Face:
    """What a face shows.

    Args:
        piece: the outline of the piece.
        dark: the colour of most of the mosaic.
        light: the colour of the stones that stand out.
        stones: the top left corners of these stones.
    """

    piece: str
    dark: str
    light: str
    stones: tuple[tuple[int, int], ...]


def face_of(name: str) -> Face:
    """Return the face of a name; names that count as the same have the same.

    >>> face_of("Ann") == face_of("ann")
    True
    """
    seed = int.from_bytes(blake2b(name_key(name).encode(errors="replace"), digest_size=8).digest())
    seed, piece = divmod(seed, len(pieces()))
    seed, colour = divmod(seed, len(COLOURS))
    half = [(column, row) for row in range(_SIDE) for column in range(_SIDE // 2) if seed >> row * 2 + column & 1]
    whole = {(it, row) for column, row in half for it in (column, _SIDE - 1 - column)}
    stones = tuple((column * _WIDTH, row * _WIDTH) for column, row in sorted(whole))
    return Face([*pieces().values()][piece], *COLOURS[colour], stones)


# --- the way to a face ------------------------------------------------------------------------------------------------
register = template.Library()


@register.simple_tag
def face(name: str, size: int = 24) -> SafeString:
    """Return the face of a name, as it is stored or shown, as an image; it is decoration, beside the name.

    Args:
        name: anybody's.
        size: the side of the square in pixels.
    """
    return format_html(
        '<img class="face" src="{0}" alt="" width="{1}" height="{1}" loading="lazy" decoding="async">',
        face_address(name),
        size,
    )


@lru_cache(maxsize=10_000)
def face_address(name: str) -> str:
    """Return the address of the face of a name."""
    return reverse("face", args=[name_key(name)])


@require_safe
@cache_control(public=True, max_age=YEAR, immutable=True)
def show(request: HttpRequest, name: str) -> HttpResponse:
    """Draw the face of any name, whether or not somebody is called so."""
    drawn = render_to_string("accounts/face.svg", {"face": face_of(name)})
    return HttpResponse(drawn, content_type="image/svg+xml")


class FaceMiddleware(Middleware):
    """Draw faces before there are sessions and users, which a face needs no more than any other picture does."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in SAFE_METHODS or not request.path_info.startswith("/faces/"):
            return self.get_response(request)
        try:
            found = resolve(request.path_info)
        except Resolver404:
            return self.get_response(request)
        answer: HttpResponse = found.func(request, **found.kwargs)
        return answer
