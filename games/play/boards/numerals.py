"""Numbers drawn as strokes, for pictures that must look the same where no font is installed."""

from __future__ import annotations

import re
from typing import Final

_TALL: Final = 8
"""The height of a sign in its own units; signs are 5 wide."""

_PITCH: Final = 7.2
_STROKE: Final = 1.3
_SIZE: Final = 0.7
"""The height of a number as a share of its font size."""

_STROKES: Final = {
    "0": "M2.5 0A2.5 2.5 0 0 1 5 2.5V5.5A2.5 2.5 0 0 1 0 5.5V2.5A2.5 2.5 0 0 1 2.5 0Z",
    "1": "M.9 1.7L3 0V8",
    "2": "M.1 2.5A2.4 2.4 0 0 1 4.9 2.4C4.9 4.5 1.4 5.9 .2 8H5",
    "3": "M.3 1.6A2.2 1.9 0 1 1 2.4 3.8A2.4 2.1 0 1 1 .1 6.4",
    "4": "M4 8V0L0 5.7H5.4",
    "5": "M4.6 0H.9L.5 3.6A2.5 2.4 0 1 1 .1 6.6",
    "6": "M4.4 .8A2.6 2.6 0 0 0 0 3V5.5A2.5 2.5 0 1 0 2.5 3A2.5 2.5 0 0 0 0 5.5",
    "7": "M0 0H5L1.8 8",
    "8": "M2.5 3.8A1.9 1.9 0 1 1 2.5 0A1.9 1.9 0 1 1 2.5 3.8A2.3 2.1 0 1 1 2.5 8A2.3 2.1 0 1 1 2.5 3.8Z",
    "9": "M.6 7.2A2.6 2.6 0 0 0 5 5V2.5A2.5 2.5 0 1 0 2.5 5A2.5 2.5 0 0 0 5 2.5",
    "−": "M.4 4.2H4.6",
    "#": "M1.8 .4L.9 7.6M4.1 .4L3.2 7.6M0 2.8H5M0 5.2H5",
}

_TEXT: Final = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')


def drawn(svg: str) -> str:
    """Return a drawing with its numbers as strokes in place of text. Signs that are in no number are left out."""
    return _TEXT.sub(lambda found: _number(dict(_ATTRIBUTE.findall(found[1])), found[2]), svg)


def _number(attributes: dict[str, str], text: str) -> str:
    size = float(attributes["font-size"])
    scale = size * _SIZE / _TALL
    length = (_PITCH * (len(text) - 1) + 5 + _STROKE) * scale
    left = float(attributes["x"]) - (length if attributes.get("text-anchor") == "end" else 0)
    top = float(attributes["y"]) - size * _SIZE
    signs = "".join(
        f'<path transform="translate({_PITCH * at:g})" d="{_STROKES[sign]}"/>'
        for at, sign in enumerate(text)
        if sign in _STROKES
    )
    return (
        f'<g transform="translate({left:.2f} {top:.2f})scale({scale:.3f})" fill="none" stroke="{attributes["fill"]}" '
        f'stroke-width="{_STROKE}" stroke-linecap="round" stroke-linejoin="round">{signs}</g>'
    )
