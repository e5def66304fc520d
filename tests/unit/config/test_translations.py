"""Every text is translated into each language of the site; tests/site/config/test_translated_pages.py reads pages."""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils import translation

from config.catalogues import ROOT, catalogues
from tests.unit.config import sources

_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|</?\w+[^>]*>")
TRANSLATED = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
CATALOGUES = [pytest.param(path, id="-".join((path.parts[-3], path.parts[-5]))) for path in catalogues()]


@cache
def _entries(path: Path) -> list[polib.POEntry]:
    return list(polib.pofile(str(path)))


def _all_entries(language: str) -> Iterator[polib.POEntry]:
    for path in catalogues():
        if path.parts[-3] == language:
            yield from _entries(path)


def _said(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


# --- the catalogues -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_sources_is_in_a_catalogue(language: str) -> None:
    known = {(entry.msgid, entry.msgid_plural) for entry in _all_entries(language)}
    missing = [f"{file}: {text}" for text, file in sources.texts().items() if text not in known]
    assert missing == [], "run `make messages` and translate what is new"


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogues_hold_nothing_that_is_no_longer_said(language: str) -> None:
    said = sources.texts()
    left = [entry.msgid for entry in _all_entries(language) if (entry.msgid, entry.msgid_plural) not in said]
    assert left == [], "run `make messages`"


def test_no_tag_of_a_template_is_overlooked() -> None:
    counted = {str(path.relative_to(ROOT)): sources.tags_and_texts(path) for path in sources.templates()}
    assert [name for name, (tags, found) in counted.items() if tags != found] == []
    assert sum(tags for tags, _found in counted.values()) > 400


@pytest.mark.parametrize("path", CATALOGUES)
def test_every_text_is_translated(path: Path) -> None:
    empty = [entry.msgid for entry in _entries(path) if not all(_said(entry)) or entry.fuzzy or entry.obsolete]
    assert empty == []


@pytest.mark.parametrize("path", CATALOGUES)
def test_translations_have_the_same_placeholders_and_tags(path: Path) -> None:
    wrong = []
    for entry in _entries(path):
        wanted = sorted(_PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        wrong += [said for said in _said(entry) if sorted(_PLACEHOLDER.findall(said)) != wanted]
    assert wrong == []


@pytest.mark.parametrize("path", CATALOGUES)
def test_translations_end_like_the_english(path: Path) -> None:
    """Texts put together from pieces must not lose or double a full stop or colon."""
    wrong = [said for entry in _entries(path) for said in _said(entry) if _stop(said) != _stop(entry.msgid)]
    assert wrong == []


def _stop(text: str) -> str:
    return text[-1] if text[-1] in ".:" else ""


@pytest.mark.parametrize("path", CATALOGUES)
def test_catalogues_compile_and_are_read_back(path: Path) -> None:
    compiled = gettext.GNUTranslations(io.BytesIO(polib.pofile(str(path)).to_binary()))
    for entry in _entries(path):
        if entry.msgid_plural:
            said = [compiled.ngettext(entry.msgid, entry.msgid_plural, count) for count in (1, 2)]
        else:
            said = [compiled.gettext(entry.msgid)]
        assert said == _said(entry)


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogues_agree_where_they_share_a_text(language: str) -> None:
    """Django joins all catalogues into one, so a text has the same translation everywhere."""
    seen: dict[str, list[str]] = {}
    differing = [
        entry.msgid for entry in _all_entries(language) if seen.setdefault(entry.msgid, _said(entry)) != _said(entry)
    ]
    assert differing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_other_app_translates_our_texts_first(language: str) -> None:
    """Of several apps that translate a text, the first of the settings is heard."""
    ours = {entry.msgid: entry.msgstr for entry in _all_entries(language) if not entry.msgid_plural}
    with translation.override(language):
        heard = {text: translation.gettext(text) for text in ours}
    assert heard == ours
