"""Translations are compiled without gettext."""

from __future__ import annotations

import gettext
from pathlib import Path

import polib
import pytest

from config import catalogues

PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Undo"
msgstr "Zurück"

msgid "%(n)d player"
msgid_plural "%(n)d players"
msgstr[0] "eine Person"
msgstr[1] "%(n)d Personen"

#, fuzzy
msgid "Guess"
msgstr "Geraten"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    made = tmp_path / "games" / "somewhere" / "locale" / "de" / "LC_MESSAGES"
    made.mkdir(parents=True)
    (made / "django.po").write_text(PO)
    return made


def test_a_catalogue_is_compiled_beside_its_source(folder: Path) -> None:
    catalogues.main()
    with (folder / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert compiled.gettext("Undo") == "Zurück"
    assert [compiled.ngettext("%(n)d player", "%(n)d players", n) for n in (1, 2)] == ["eine Person", "%(n)d Personen"]


def test_a_doubtful_translation_is_not_used(folder: Path) -> None:
    catalogues.main()
    with (folder / "django.mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Guess") == "Guess"


def test_only_our_own_catalogues_are_compiled(folder: Path, tmp_path: Path) -> None:
    foreign = tmp_path / ".venv" / "locale" / "de" / "LC_MESSAGES"
    foreign.mkdir(parents=True)
    (foreign / "django.po").write_text(PO)
    assert list(catalogues.catalogues()) == [folder / "django.po"]


def test_the_catalogues_of_this_tree_are_found() -> None:
    found = {path.relative_to(catalogues.ROOT).parts[0] for path in catalogues.catalogues()}
    assert found >= {"accounts", "games", "templates"}


SHARED = 'msgid ""\nmsgstr "Language: {}\\n"\n\nmsgid "Play"\nmsgstr "{}"\n\nmsgid "Rare"\nmsgstr ""\n'


def test_a_text_is_translated_as_in_another_catalogue_of_its_language(tmp_path: Path) -> None:
    """`make messages` puts a text into the catalogue of each app that says it."""
    paths = [tmp_path / name for name in ("one.po", "two.po", "three.po")]
    for path, filled in zip(paths, (("de", "Spielen"), ("de", ""), ("it", "")), strict=True):
        path.write_text(SHARED.format(*filled), encoding="utf-8")
    catalogues.share(paths, catalogues.said(paths))
    assert [polib.pofile(str(path)).find("Play").msgstr for path in paths] == ["Spielen", "Spielen", ""]
    assert [polib.pofile(str(path)).find("Rare").msgstr for path in paths] == ["", "", ""]
