"""Every game has pictures: its own, complete and light enough, or those of the site."""

from __future__ import annotations

import gzip
import struct
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import Context, Template

from config.management.commands.paint import drawings, scenes
from games.titles import Title, art, titles

HEAVIEST = 12 * 1024
SCENES = list(scenes())
TITLES = list(titles().values())


def stored(title: Title, name: str) -> Path:
    found = finders.find(f"{art.folder_of(title)}/{name}")
    assert found, f"{title.slug} has no {name}"
    return Path(found)


@pytest.mark.parametrize("title", TITLES, ids=lambda it: it.slug)
@pytest.mark.parametrize("kind", art.KINDS)
@pytest.mark.parametrize("theme", art.THEMES)
def test_a_drawing_has_its_size_no_words_and_little_weight(title: Title, kind: str, theme: str) -> None:
    text = stored(title, f"{kind}-{theme}.svg").read_bytes()
    drawn = ET.fromstring(text)
    assert (drawn.get("width"), drawn.get("height")) == tuple(map(str, art.KINDS[kind]))
    assert {part.tag.rpartition("}")[2] for part in drawn.iter()}.isdisjoint({"text", "script", "image", "style"})
    assert len(gzip.compress(text, 9)) <= HEAVIEST


@pytest.mark.parametrize("title", TITLES, ids=lambda it: it.slug)
@pytest.mark.parametrize("kind", art.SHOTS)
def test_a_picture_for_other_programs_has_its_size(title: Title, kind: str) -> None:
    assert _size_of_jpeg(stored(title, f"{kind}.jpg").read_bytes()) == art.SHOTS[kind]


def _size_of_jpeg(data: bytes) -> tuple[int, int]:
    """Return width and height as the first frame's header (SOF0 or SOF2) states them."""
    place = 2
    while data[place + 1] not in {0xC0, 0xC2}:
        place += 2 + int(struct.unpack(">H", data[place + 2 : place + 4])[0])
    height, width = struct.unpack(">HH", data[place + 5 : place + 9])
    return width, height


@pytest.mark.parametrize("folder", [folder for folder, _ in SCENES], ids=lambda it: it.parent.name)
def test_what_is_stored_is_what_the_scene_paints(folder: Path) -> None:
    scene = dict(SCENES)[folder]
    assert [name for name, text in drawings(scene) if (folder / name).read_text() != text] == []


# --- in pages -------------------------------------------------------------------------------------------------------


def show(tag: str, **context: object) -> str:
    return Template(tag).render(Context({"title": titles()["card-chess"], **context}))


def test_the_system_decides_which_drawing_is_loaded_unless_the_reader_has_chosen() -> None:
    card = '{% game_art title "card" %}'
    assert show(card, theme="light").count("card-light") == 1
    assert "card-dark" not in show(card, theme="light")
    assert "card-light" not in show(card, theme="dark")
    system = show(card, theme="system")
    assert '<source media="(prefers-color-scheme: dark)"' in system
    assert system.index("card-dark") < system.index("<img") < system.index("card-light")


def test_where_the_reader_is_not_known_both_are_there_and_neither_is_loaded_early() -> None:
    shown = art.picture(titles()["card-chess"], "icon")
    assert 'class="game-art art-icon only-light"' in shown
    assert 'class="game-art art-icon only-dark"' in shown
    assert shown.count('loading="lazy"') == 2


def test_a_picture_is_decoration_unless_it_has_a_text() -> None:
    assert 'alt=""' in show('{% game_art title "icon" %}', theme="light")
    assert 'alt="cards &amp; figures"' in show('{% game_art title "icon" alt %}', theme="light", alt="cards & figures")
    assert "loading" not in show('{% game_art title "banner" first=True %}', theme="light")


def test_other_programs_get_a_full_address() -> None:
    address = show('{% game_art_address title "social" %}')
    assert address.startswith(f"{settings.SITE_URL}/static/card_chess/art/social")
    assert "/site/art/social" in show('{% game_art_address None "social" %}')


def test_a_game_without_art_gets_that_of_the_site() -> None:
    bare = replace(titles()["card-chess"])
    vars(bare)["art"] = ""
    assert "/static/site/art/card-light" in art.picture(bare, "card", "light")
    for name in art.FILES:
        assert finders.find(f"site/art/{name}")
