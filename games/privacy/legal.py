"""What the operator of a site says on the pages about privacy, terms and themselves: files in `LEGAL_DIR`.

`imprint.de.txt` is shown to German readers, `imprint.txt` to everybody else. A blank line ends a paragraph, and a line
that begins with "# " is a heading. Anything else is shown as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

PAGES: Final = ("imprint", "privacy", "terms")
_HEADING: Final = "# "


@dataclass(frozen=True, slots=True)
class Block:
    """A heading or a paragraph."""

    text: str
    is_heading: bool = False


def said_on(page: str, language: str) -> Sequence[Block]:
    """Return what the operator says on a page, in a language if they do; nothing if they have not filled it in."""
    for name in (f"{page}.{language}.txt", f"{page}.txt", f"{page}.{settings.LANGUAGE_CODE}.txt"):
        path = Path(settings.LEGAL_DIR, name)
        if path.is_file() and (blocks := _blocks(path.read_text(encoding="utf-8-sig", errors="replace"))):
            return blocks
    return ()


def _blocks(text: str) -> list[Block]:
    lines = "\n".join(map(str.strip, text.splitlines()))
    apart = re.sub(f"(?m)^({_HEADING}.*)$", r"\n\1\n", lines)
    parts = [part.strip() for part in re.split("\n{2,}", apart)]
    return [_block(part) for part in parts if part]


def _block(part: str) -> Block:
    return Block(part.removeprefix(_HEADING), is_heading=part.startswith(_HEADING))


@checks.register(deploy=True)
def check_filled_in(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[checks.CheckMessage]:
    """Return a warning for each page that the operator has not filled in."""
    return [
        checks.Warning(
            f"The page {page} is not filled in.",
            hint=f"Write {Path(settings.LEGAL_DIR, page)}.txt; docs/privacy.md says how.",
            id=f"privacy.W00{number}",
        )
        for number, page in enumerate(PAGES, start=1)
        if not said_on(page, settings.LANGUAGE_CODE)
    ]
