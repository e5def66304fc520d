"""The rules of a title as text: what its page shows between the head and the foot."""

from __future__ import annotations

import re

from django.template.loader import render_to_string

from games.titles import titles


def rules_html(slug: str) -> str:
    """Return all sections of the rules of a game, in the active language."""
    title = titles()[slug]
    return "".join(render_to_string(template, {"title": title}) for template, _ in title.board.RULES)


def referred(html: str) -> set[str]:
    """Return what drawings refer to."""
    return set(re.findall(r'<use[^>]* href="#([^"]+)"', html))
