"""oEmbed (https://oembed.com): tells other sites how to show a link to a match or a puzzle as its board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from accounts.requests import whole_number
from games.history.embedded import embeddable_match
from games.play.boards import pictures
from games.play.embedding import HEIGHT, WIDTH, Embeddable
from games.puzzles.views import embeddable_puzzle

MATCHES: Final = frozenset({"match", "replay", "embed_match"})
PUZZLES: Final = frozenset({"puzzle", "embed_puzzle", "embed_puzzle_of_day"})
"""Names of the addresses that can be shown."""

KEPT: Final = 3600
"""Seconds for which other sites may keep the answer: the board in the frame is always the present one."""


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Answer for the page at `url`, in a frame of at most `maxwidth` and `maxheight`, as JSON alone.

    404 is for what cannot be shown, 401 for a match that not everybody may see, or that does not exist: the answer does
    not say which.
    """
    if request.GET.get("format", "json") != "json":
        return _refusal(HTTPStatus.NOT_IMPLEMENTED)
    wanted = _page_at(request.GET.get("url", ""), request.get_host())
    name = wanted.url_name if wanted else None
    find: Callable[..., Embeddable]
    if name in MATCHES:
        find, refused = embeddable_match, HTTPStatus.UNAUTHORIZED
    elif name in PUZZLES:
        find, refused = embeddable_puzzle, HTTPStatus.NOT_FOUND
    else:
        return _refusal(HTTPStatus.NOT_FOUND)
    try:
        found = find(**wanted.kwargs)  # type: ignore[union-attr]  # it has a name
    except Http404:
        return _refusal(refused)
    return _open(JsonResponse(_told(found, request.GET), headers={"Cache-Control": f"public, max-age={KEPT}"}))


def _page_at(address: str, host: str) -> ResolverMatch | None:
    """Return the page of this site that an address leads to, with or without the last slash; None if there is none."""
    try:
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or parts.netloc not in {urlsplit(settings.SITE_URL).netloc, host}:
            return None
        return resolve(f"{unquote(parts.path).rstrip('/')}/")
    except (ValueError, Resolver404):
        return None


def _told(found: Embeddable, asked: Mapping[str, str]) -> Mapping[str, Any]:
    most_wide, most_high = (whole_number(asked.get(name, "")) or None for name in ("maxwidth", "maxheight"))
    width, height = min(WIDTH, most_wide or WIDTH), min(HEIGHT, most_high or HEIGHT)
    told = {
        "type": "rich",
        "version": "1.0",
        "title": found.title,
        "provider_name": "Tessera",
        "provider_url": f"{settings.SITE_URL}/",
        "cache_age": KEPT,
        "html": found.code(width, height),
        "width": width,
        "height": height,
    }
    fits = (most_wide or pictures.WIDTH) >= pictures.WIDTH and (most_high or pictures.HEIGHT) >= pictures.HEIGHT
    if not found.picture or not fits:
        return told
    picture = f"{settings.SITE_URL}{found.picture}"
    return {**told, "thumbnail_url": picture, "thumbnail_width": pictures.WIDTH, "thumbnail_height": pictures.HEIGHT}


def _refusal(status: HTTPStatus) -> HttpResponse:
    return _open(HttpResponse(f"{status.phrase}\n", content_type="text/plain; charset=utf-8", status=status))


def _open(response: HttpResponse) -> HttpResponse:
    """Let the scripts of other sites read an answer; it is the same for everybody who speaks the same language."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    patch_vary_headers(response, ["Accept-Language"])
    return response
