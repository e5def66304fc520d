"""The template engine of the boards."""

from __future__ import annotations

import pytest
from django.template import engines
from django.utils.safestring import mark_safe
from markupsafe import Markup


class Drawn:
    """An object that renders itself."""

    def __html__(self) -> str:
        return "<i>drawn</i>"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("<b> & 'it'", "&lt;b&gt; &amp; &#39;it&#39;"),
        (mark_safe("<b>"), "<b>"),
        (Markup("<b>"), "<b>"),
        (Drawn(), "<i>drawn</i>"),
        (mark_safe("<b>") + "<i>", "&lt;b&gt;&lt;i&gt;"),
        (12, "12"),
        (None, "None"),
        (["<b>"], "[&#39;&lt;b&gt;&#39;]"),
    ],
)
def test_what_is_not_safe_is_escaped(value: object, shown: str) -> None:
    kept = "{% set kept %}{{ value }}{% endset %}{{ kept }}"
    asked = "{% autoescape true %}{{ value }}{% endautoescape %}"
    template = engines["boards"].from_string("|".join(["{{ value }}", kept, asked]))
    assert template.render({"value": value}) == "|".join([shown] * 3)


def test_a_missing_value_shows_nothing() -> None:
    assert engines["boards"].from_string("[{{ missing }}]").render({}) == "[]"
