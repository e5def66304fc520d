"""Tables in a browser: every column is in sight, in every language, and of every level in one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.windows import resize
from tests.people import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CUT = "[...document.querySelectorAll('.table-wrap')].filter((it) => it.scrollWidth > it.clientWidth).length"


def test_no_column_of_what_bots_achieved_is_cut(enter: Callable[..., Page]) -> None:
    reader = person("ann")
    page, cut = enter(reader, "about:blank"), []
    read = [(language, "grandmaster") for language in ("en", "it", "de")]
    for language, level in (*read, *(("de", level) for level in ("novice", "companion", "master"))):
        User.objects.filter(pk=reader.pk).update(language=language)
        page.goto(f"/bots/{level}/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        for width in (360, 768, 1280):
            resize(page, {"width": width, "height": 800})
            if page.evaluate(CUT):
                cut.append((language, level, width))
    assert cut == []
