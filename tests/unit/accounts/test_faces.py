"""Faces: drawn from the name alone, told apart, and seen on light and dark pages."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree as ET

import pytest
from django.template import Context, Template
from django.template.engine import Engine
from django.test import Client
from django.urls import resolve

from accounts.faces import COLOURS, face_address, face_of, pieces
from config.templating import environment

PIECE = "#fffaf0"
PAGES = ("#fffdf8", "#27231e")


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_a_face_stands_out_from_every_page_and_its_piece_from_the_face() -> None:
    tones = [tone for colour in COLOURS for tone in colour]
    assert all(_contrast(tone, behind) >= 3 for tone, behind in product(tones, (PIECE, *PAGES)))


def test_names_are_told_apart() -> None:
    faces = [face_of(f"player{number}") for number in range(2000)]
    assert len(set(faces)) > 1950
    assert {face.piece for face in faces} == set(pieces().values())
    assert {(face.dark, face.light) for face in faces} == set(COLOURS)


def test_a_name_has_one_face_however_it_is_written() -> None:
    assert face_of("Zoë") == face_of("zoë") == face_of("\u2068ZOË\u2069")
    assert face_address("Ann") == face_address("ann")


@pytest.mark.parametrize("name", ["Ann", "Zoë", "אב", "a.b-c_d", "Guest/7 ?#%", "\u2068x\u2069", "100 %.svg"])
def test_any_name_has_an_address(name: str) -> None:
    from urllib.parse import unquote

    found = resolve(unquote(face_address(name)))
    assert found.url_name == "face"
    assert face_of(found.kwargs["name"]) == face_of(name)


def test_a_face_is_drawn_once_and_kept_without_asking_who_looks(client: Client) -> None:
    client.cookies["sessionid"] = "looked-up-in-the-database"  # which tests in this folder may not use
    answer = client.get(face_address("Ann"))
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Cookie" not in answer.get("Vary", "")
    assert ET.fromstring(answer.content).attrib["viewBox"] == "0 0 48 48"


def test_both_kinds_of_templates_show_it() -> None:
    django = Template("{% load faces %}{% face name 32 %}", engine=Engine(libraries={"faces": "accounts.faces"}))
    jinja = environment(autoescape=True).from_string("{{ face(name, 32) }}")
    shown = django.render(Context({"name": "Ann"}))
    assert shown == jinja.render(name="Ann")
    assert 'src="/faces/ann.svg" alt="" width="32" height="32"' in shown
