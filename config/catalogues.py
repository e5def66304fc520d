"""`python -m config.catalogues`: compile all translations; needs no gettext."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("accounts", "config", "games", "templates")


def catalogues() -> Iterator[Path]:
    """Yield the paths of our catalogues of translations (`*.po`)."""
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("locale/*/LC_MESSAGES/*.po"))


def said(paths: Iterable[Path]) -> dict[tuple[str, ...], polib.POEntry]:
    """Return all translated entries of these catalogues, by language and text."""
    read = [polib.pofile(str(path)) for path in paths]
    return {_key(catalogue, entry): entry for catalogue in read for entry in catalogue.translated_entries()}


def share(paths: Iterable[Path], known: dict[tuple[str, ...], polib.POEntry]) -> None:
    """Fill in translations that are missing in some catalogues but `known` from others."""
    for path in paths:
        catalogue = polib.pofile(str(path), wrapwidth=0)
        missing = [entry for entry in catalogue.untranslated_entries() if _key(catalogue, entry) in known]
        for entry in missing:
            found = known[_key(catalogue, entry)]
            entry.msgstr, entry.msgstr_plural = found.msgstr, found.msgstr_plural
        if missing:
            catalogue.save()


def _key(catalogue: polib.POFile, entry: polib.POEntry) -> tuple[str, ...]:
    return catalogue.metadata.get("Language", ""), entry.msgctxt or "", entry.msgid, entry.msgid_plural


def main() -> None:
    for path in catalogues():
        polib.pofile(str(path)).save_as_mofile(str(path.with_suffix(".mo")))


if __name__ == "__main__":
    main()
