"""`python -m config.catalogues`: compile every translation of this tree, without gettext installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("accounts", "config", "games", "templates")


def catalogues() -> Iterator[Path]:
    """Yield the path of each of our catalogues of texts (`*.po`)."""
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("locale/*/LC_MESSAGES/*.po"))


def main() -> None:
    for path in catalogues():
        polib.pofile(str(path)).save_as_mofile(str(path.with_suffix(".mo")))


if __name__ == "__main__":
    main()
