"""Template tags for the pictures of games; every template knows them (settings)."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString

from games.titles import Title, art

register = template.Library()


@register.simple_tag(takes_context=True)
def game_art(context: dict[str, Any], title: Title, kind: str, alt: str = "", first: bool = False) -> SafeString:
    """Show a game as a "banner" (3:1), "card" (4:3) or "icon" (square): `{% game_art title "card" %}`.

    It is decoration unless it has a text, `alt`. A picture at the top of a page is marked `first=True`.
    """
    return art.picture(title, kind, context.get("theme", ""), alt, first=first)


@register.simple_tag
def game_art_address(title: Title | None, kind: str) -> str:
    """Return the full address of the picture of a game for a preview, "social", or an email, "mail"."""
    return art.address(title, kind)
