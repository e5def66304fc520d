"""The picture of an event that is over, for those who are sent a link to it: its podium, with faces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.faces import face_of
from games.events.pages import EventPage
from games.events.words import season_name_of
from games.play.boards.pictures import HEIGHT, WIDTH, as_png, written

_KEPT: Final = 50
"""Pictures of some 30 kB each."""

_MARGIN, _FLOOR, _STEP, _FACE = 40, HEIGHT - 40, 300, 132
"""Around the paper, the foot of the steps, how wide these are, and the side of a face."""

_PLACES: Final = {1: (WIDTH // 2, 176), 2: (WIDTH // 2 - _STEP - 8, 120), 3: (WIDTH // 2 + _STEP + 8, 84)}
"""The middle of each step, and how high it is; nobody shares a place of an event."""

_INK, _PAPER = "var(--text)", "var(--surface-raised)"

_CLIPS: Final = '<clipPath id="face"><rect width="48" height="48" rx="10"/></clipPath>'


def picture(page: EventPage) -> bytes | None:
    """Return the podium of an event as a PNG in the active language; None while there is none."""
    points = _("Points: %(points)s")
    best = tuple((line.row.place, line.entry.name, points % {"points": line.points}) for line in page.podium)
    return _drawn(season_name_of(page.event), best) if best else None


@lru_cache(maxsize=_KEPT)
def _drawn(heading: str, best: Sequence[tuple[int, str, str]]) -> bytes:
    width, height = WIDTH - 2 * _MARGIN, HEIGHT - 2 * _MARGIN
    paper = f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{width}" height="{height}" rx="24" fill="{_PAPER}"/>'
    title = written(heading, WIDTH / 2, 118, 52, _INK, most=width - 80, anchor="middle")
    steps = (_step(place, name, points) for place, name, points in best)
    return as_png("".join((_CLIPS, paper, title, *steps)))


def _step(place: int, name: str, points: str) -> str:
    """Return a step of the podium, with who stands on it."""
    middle, height = _PLACES[place]
    top, left = _FLOOR - height, middle - _STEP // 2
    colour, ink = ("var(--accent)", "var(--accent-text)") if place == 1 else ("var(--accent-soft)", _INK)
    face = render_to_string("accounts/face.svg", {"face": face_of(name)}).replace(
        "<svg ", '<svg width="48" height="48" '
    )
    at = f"translate({middle - _FACE // 2} {top - _FACE - 108})scale({_FACE / 48})"
    return "".join(
        (
            f'<path fill="{colour}" d="M{left} {_FLOOR}V{top + 12}q0-12 12-12h{_STEP - 24}q12 0 12 12V{_FLOOR}z"/>',
            f'<g transform="{at}" clip-path="url(#face)">{face}</g>',
            written(name, middle, top - 58, 40, _INK, most=_STEP - 20, anchor="middle"),
            written(points, middle, top - 18, 26, _INK, most=_STEP - 20, anchor="middle"),
            written(str(place), middle, top + 68, 64, ink, anchor="middle"),
        )
    )
