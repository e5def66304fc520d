"""Make a browser's PNG pictures small: 256 colours, chosen so that flat areas keep theirs exactly."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {2: 3, 6: 4}
"""Bytes of a pixel by PNG's colour type: RGB, and RGBA, whose opacity is ignored."""

COLOURS = 256
EXACT = 40
"""How many of the most frequent colours are kept as they are."""


def smaller(png: bytes) -> bytes:
    """Return nearly the same picture with 256 colours, several times smaller.

    Args:
        png: 8 bits for each channel, RGB or RGBA, not interlaced: what Chromium writes.
    """
    chunks = list(_chunks(png))
    width, height, _, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    raw = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    rows = [_pixels(row, CHANNELS[kind]) for row in _unfiltered(raw, width * CHANNELS[kind], CHANNELS[kind])]
    counts = Counter(colour for row in rows for colour in row)
    palette = _palette(counts)
    number = _nearest(counts, palette)
    body = b"".join(b"\0" + bytes(number[colour] for colour in row) for row in rows)
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),
        b"PLTE": b"".join(map(bytes, palette)),
        b"IDAT": zlib.compress(body, 9),
        b"IEND": b"",
    }
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in parts.items())


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _unfiltered(raw: bytes, length: int, pixel: int) -> Iterator[bytes]:
    """Undo the filters of PNG (sub, up, average, Paeth), row by row."""
    before = bytes(length)
    for start in range(0, len(raw), length + 1):
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + length])
        for at in range(length) if kind else ():
            left, corner = (row[at - pixel], before[at - pixel]) if at >= pixel else (0, 0)
            row[at] = row[at] + _predicted(kind, left, before[at], corner) & 255
        before = bytes(row)
        yield before


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    match kind:
        case 1:
            return left
        case 2:
            return up
        case 3:
            return (left + up) // 2
    near = left + up - corner
    return min((left, up, corner), key=lambda value: abs(near - value))


def _pixels(row: bytes, pixel: int) -> list[Colour]:
    return list(zip(row[::pixel], row[1::pixel], row[2::pixel], strict=True))


def _palette(counts: Counter[Colour]) -> list[Colour]:
    """Keep frequent colours; cut the rest into boxes, always halving the widest one, and take their means."""
    exact = [colour for colour, _ in counts.most_common(EXACT)]
    boxes = [sorted(set(counts) - set(exact))]
    while len(boxes) < COLOURS - EXACT and (widest := max(boxes, key=_width)) and len(widest) > 1:
        boxes.remove(widest)
        channel = _widest_channel(widest)
        widest.sort(key=lambda colour: colour[channel])
        boxes += [widest[: len(widest) // 2], widest[len(widest) // 2 :]]
    return exact + [_mean(box) for box in boxes if box]


def _spans(box: Iterable[Colour]) -> list[int]:
    return [max(values) - min(values) for values in zip(*box, strict=True)]


def _width(box: Sequence[Colour]) -> int:
    return max(_spans(box)) * len(box) if box else 0


def _widest_channel(box: Sequence[Colour]) -> int:
    spans = _spans(box)
    return spans.index(max(spans))


def _mean(box: Sequence[Colour]) -> Colour:
    red, green, blue = (sum(values) // len(box) for values in zip(*box, strict=True))
    return red, green, blue


def _nearest(colours: Iterable[Colour], palette: Sequence[Colour]) -> Mapping[Colour, int]:
    numbered = list(enumerate(palette))

    def number(colour: Colour) -> int:
        red, green, blue = colour
        return min(numbered, key=lambda it: (it[1][0] - red) ** 2 + (it[1][1] - green) ** 2 + (it[1][2] - blue) ** 2)[0]

    return {colour: number(colour) for colour in colours}
