"""Our templates contain nothing that the content policy forbids, and every empty state leads on."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted(
    path
    for folder in ("templates", "accounts", "games")
    for pattern in ("*.html", "*.jinja", "*.svg")
    for path in (ROOT / folder).rglob(pattern)
    if "templates" in path.parts and "email" not in path.parts  # emails have no policy, and need inline styles
)
KNOWN_TO_HTMX = {
    "hx-config",
    "hx-get",
    "hx-morph-skip",
    "hx-post",
    "hx-replace-url",
    "hx-select",
    "hx-swap",
    "hx-sync",
    "hx-target",
    "hx-trigger",
    "hx-ws:connect",
}
FORBIDDEN = {
    "hx-on": r"\bhx-on\b",
    "js: values": r"\bjs:|javascript:",
    "trigger filters": r"hx-trigger=\"[^\"]*\[",
    "inline styles": r"<style\b|\sstyle\s*=",
    "inline scripts": r"<script\b(?![^>]*\ssrc=)(?![^>]*type=\"application/json\")",
    "handlers": r"\son[a-z]+\s*=",
    "unescaped blocks": r"autoescape\s+(off|false)",
}


def forbidden_in(text: str) -> list[str]:
    """Return the forbidden things in a template."""
    unknown = sorted(set(re.findall(r"\bhx-[a-z:-]+", text)) - KNOWN_TO_HTMX)
    return unknown + [name for name, pattern in FORBIDDEN.items() if re.search(pattern, text)]


def test_templates_have_nothing_the_content_policy_forbids() -> None:
    found = {str(path.relative_to(ROOT)): forbidden_in(path.read_text()) for path in TEMPLATES}
    assert {name: it for name, it in found.items() if it} == {}


def test_the_search_finds_each_of_them() -> None:
    texts = [
        '<a hx-on:click="x()">',
        "<a hx-vals='js:{a: 1}'>",
        '<a href="javascript:x()">',
        '<a hx-get="/" hx-trigger="click[ctrlKey]">',
        '<a style="color: red">',
        "<style>a {}</style>",
        "<script>x()</script>",
        '<a onclick="x()">',
        '<a hx-boosted="true">',
        "{% autoescape off %}",
    ]
    assert [text for text in texts if not forbidden_in(text)] == []


def test_every_template_is_searched() -> None:
    assert {ROOT / "templates/base.html", ROOT / "games/play/templates/play/match.jinja"} <= set(TEMPLATES)


WAY_ON_BESIDE = {
    "authenticator_list.html": "the button that adds a passkey",
    "fair_play.html": "the tabs of moderators",
    "let_in.html": "the buttons that connect a device and lead to one’s own applications",
    "log.html": "the way back to the match, or the tabs of moderators",
    "queue.html": "the tabs of moderators",
    "seals.html": "the way back to the match",
}
"""Pages on which the way on stands beside an empty state."""
EMPTY = re.compile(r'<(p|div) class="[^"]*\bempty\b[^"]*"[^>]*>(.*?)</\1>', re.DOTALL)


def test_every_empty_state_leads_on() -> None:
    stuck = {
        str(path.relative_to(ROOT)): words
        for path in TEMPLATES
        if path.name not in WAY_ON_BESIDE
        for _tag, words in EMPTY.findall(path.read_text())
        if not re.search("<(a|button) ", words)
    }
    assert stuck == {}
