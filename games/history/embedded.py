"""A match on other people's pages: its board as everybody may see it."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from games.play.access import ViewedMatch, current_match
from games.play.boards.fragments import TABLES, board_now
from games.play.embedding import Embeddable, frame, framed
from games.play.models import Match, Speed

EVERY: Final = 15
SELDOM: Final = 60
"""Seconds after which the frame of a match asks for what is new; `SELDOM` where players have days, or are awaited."""


@framed
def embedded_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the position of a match, or that it has not begun."""
    viewed = _public(slug)
    match = viewed.match
    context: dict[str, Any] = {
        "match": match,
        "title": match.title,
        "heading": _heading(viewed),
        "address": f"{settings.SITE_URL}{match.get_absolute_url()}",
        "version": match.version,
        "every": _every(match),
    }
    if match.status not in TABLES:
        shown = board_now(viewed)
        context |= {"shown": shown, "players": list(zip(viewed.seats, shown.facts, strict=True))}
    return frame("history/embedded.html", context)


def embeddable_match(slug: str) -> Embeddable:
    """Return what other pages can show of a match.

    Raises:
        Http404: there is none that everybody may see.
    """
    return embeddable_of(_public(slug))


def embeddable_of(viewed: ViewedMatch) -> Embeddable:
    """Return what other pages can show of a match that everybody may see."""
    slug = viewed.match.slug
    picture = reverse("match_picture", args=[slug]) if viewed.match.started_at else ""
    return Embeddable(_heading(viewed), reverse("embed_match", args=[slug]), picture)


def _public(slug: str) -> ViewedMatch:
    try:
        return current_match(AnonymousUser(), slug)
    except Http404 as missing:
        raise Http404(_("This match is private, or there is no such match.")) from missing


def _heading(viewed: ViewedMatch) -> str:
    """Return the game and who plays it."""
    names = ", ".join(name for name in viewed.names if name)
    return f"{viewed.match.title.game.name}: {names}" if names else viewed.match.title.game.name


def _every(match: Match) -> int | None:
    if match.has_ended or match.status == Match.Status.CLOSED:
        return None
    return EVERY if match.is_running and match.speed != Speed.DAYS else SELDOM
