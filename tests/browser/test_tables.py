"""Tables in a browser: every column is in sight, in every language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CUT = "[...document.querySelectorAll('.table-wrap')].filter((it) => it.scrollWidth > it.clientWidth).length"


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_no_column_of_what_bots_achieved_is_cut(enter: Callable[..., Page], language: str) -> None:
    page = enter(None, "/bots/", locale=language)
    for level in ("novice", "companion", "master"):
        page.goto(f"/bots/{level}/")
        for width in (360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(CUT) == 0, (level, width)
