"""Boards on other people's pages: what may be framed there, and the code that frames it.

Whoever looks at a frame is nobody to us: no cookie is read or set, and all see what everybody may see. A frame asks now
and then for what is new and opens no socket: a page with many readers would hold one for each of them, of the few that
their network may have, while one answer serves all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, Final

from csp.constants import NONE
from csp.utils import build_policy
from django import template
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_safe

WIDTH: Final = 480
HEIGHT: Final = 640
"""Of a frame, in CSS pixels, unless somebody wants it smaller; on a narrower page it is as wide as the page."""

KEPT: Final = 10
"""Seconds for which anybody may keep a frame before asking again whether it is still so."""

register = template.Library()


@dataclass(frozen=True, slots=True)
class Embeddable:
    """Something that other pages can show.

    Args:
        title: what it is, in a few words.
        frame: the path of what they frame.
        picture: the path of a picture of it, of the size of `boards.pictures`; empty without one.
    """

    title: str
    frame: str
    picture: str = ""

    def code(self, width: int = WIDTH, height: int = HEIGHT) -> SafeString:
        """Return the markup that frames it, at most so many CSS pixels wide and so many high."""
        return format_html(
            '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" style="border:0;max-width:100%">'
            "</iframe>",
            f"{settings.SITE_URL}{self.frame}",
            self.title,
            width,
            height,
        )


def framed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let any page frame what a view answers, and its 404; whoever has it already is told so by a 304."""
    answered = conditional_page(view)

    @require_safe
    @xframe_options_exempt
    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        try:
            response = answered(request, *args, **named)
            response.headers["Cache-Control"] = f"public, max-age={KEPT}"
        except Http404 as refusal:
            response = frame("play/embedded_refusal.html", {"refusal": str(refusal)}, 404)
        response.headers["Content-Security-Policy"] = _policy()
        patch_vary_headers(response, ["Accept-Language"])
        return response

    return wrapped


def frame(name: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """Return a page to be framed, from a template that extends play/embedded.html and knows nothing of a reader."""
    return HttpResponse(render_to_string(name, {**context, "site_url": settings.SITE_URL}), status=status)


@cache
def _policy() -> str:
    return build_policy(replace={"frame-ancestors": ["*"], "form-action": [NONE]})


@register.simple_tag
def oembed_link(path: str) -> SafeString:
    """Return the link by which other sites find out how to show the page with this path."""
    asked = urlencode({"url": f"{settings.SITE_URL}{path}", "format": "json"})
    return format_html(
        '<link rel="alternate" type="application/json+oembed" href="{}">',
        f"{settings.SITE_URL}{reverse('oembed')}?{asked}",
    )
