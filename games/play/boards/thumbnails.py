"""Small pictures of positions for lists of matches: what a spectator sees, drawn once for each version of a match.

A picture says nothing in words, so that all readers of all languages share it; `sprites` must be in its page once.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.play.boards import fragments
from games.play.course import positions
from games.play.matches.viewed import ViewedMatch
from games.play.models import Match
from games.titles import titles

log = logging.getLogger(__name__)

CACHED = 2_000
_drawn: OrderedDict[tuple[str, int], SafeString] = OrderedDict()
_lock = Lock()


def thumbnails(matches: Iterable[Match]) -> Mapping[int, SafeString]:
    """Return the picture of each match that has begun, by its id.

    Args:
        matches: with whatever is loaded of them; a position is read only for a version not drawn before.
    """
    begun = [match for match in matches if match.started_at is not None]
    found = {match.pk: _known(match) for match in begun}
    lacking = [match.pk for match in begun if found[match.pk] is None]
    for match in Match.objects.filter(pk__in=lacking) if lacking else ():
        found[match.pk] = _remember(match, _draw(match))
    return {key: picture for key, picture in found.items() if picture is not None}


def sprites() -> SafeString:
    """Return the symbols that the pictures of all games refer to."""
    drawn = (render_to_string(path) for title in titles().values() if (path := title.board.THUMBNAIL_SPRITE))
    return mark_safe("".join(drawn))  # noqa: S308  # templates of the titles


def _draw(match: Match) -> SafeString:
    try:
        inside = _position(match)
    except Exception:
        log.exception("no thumbnail of match %s", match.slug)  # it must not take the whole list with it
        inside = ""
    return format_html('<svg class="thumbnail" viewBox="0 0 160 120" aria-hidden="true">{}</svg>', mark_safe(inside))  # noqa: S308  # of a title


def _position(match: Match) -> str:
    reached = positions.Reached(match.length, positions.decode_state(match), ())
    scene = fragments.scene_of(ViewedMatch(match, (), None), reached, None, active=False)
    return match.title.board.thumbnail(scene.view)


def _known(match: Match) -> SafeString | None:
    with _lock:
        key = (match.slug, match.version)
        if key in _drawn:
            _drawn.move_to_end(key)
        return _drawn.get(key)


def _remember(match: Match, picture: SafeString) -> SafeString:
    with _lock:
        _drawn[match.slug, match.version] = picture
        while len(_drawn) > CACHED:
            _drawn.popitem(last=False)
    return picture
