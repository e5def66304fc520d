"""The site as an app that can be installed: the manifest, in the reader's language."""

from __future__ import annotations

from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

SIDES = (192, 512)
"""The icons, in pixels; each fits every shape that systems cut icons to."""
SCREENSHOTS = {"narrow": ("match-360-light", 360, 740), "wide": ("match-1280-light", 1280, 800)}
"""Name, width and height of the pictures that are shown before the app is installed."""


def app_manifest() -> dict[str, Any]:
    """Return the manifest. The app begins where its owner has something to do."""
    return {
        "id": "/",
        "name": "Tessera",
        "short_name": "Tessera",
        "description": _("Board games with other people, live or over days."),
        "lang": get_language(),
        "start_url": reverse("my_matches"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f1e7",
        "theme_color": "#fffdf8",
        "categories": ["games"],
        "icons": [_icon(side, purpose) for side in SIDES for purpose in ("any", "maskable")],
        "shortcuts": [
            _shortcut(_("My matches"), "my_matches"),
            _shortcut(_("New table"), "table_new"),
            _shortcut(_("Lobby"), "lobby"),
        ],
        "screenshots": [_screenshot(form) for form in SCREENSHOTS],
    }


def _icon(side: int, purpose: str) -> dict[str, str]:
    src = static(f"site/icon-{side}.png")
    return {"src": src, "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}


def _shortcut(name: str, page: str) -> dict[str, Any]:
    return {"name": name, "url": reverse(page), "icons": [_icon(SIDES[0], "any")]}


def _screenshot(form: str) -> dict[str, str]:
    name, width, height = SCREENSHOTS[form]
    return {
        "src": static(f"site/app/{name}.png"),
        "sizes": f"{width}x{height}",
        "type": "image/png",
        "form_factor": form,
        "label": _("A match of Shifting Stones"),
    }
