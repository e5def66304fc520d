"""`{% learn_link title %}`: a link to the lessons of a game, for any page; nothing for a game without lessons."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.titles import Title

register = template.Library()


@register.simple_tag
def learn_link(title: Title) -> str:
    """Return a link to what can be learned of a game."""
    if not title.lessons:
        return SafeString()
    link = '<a class="button" href="{}">{}<span class="visually-hidden"> {}</span></a>'
    return format_html(link, reverse("learn_game", args=[title.slug]), _("Learn"), title.game.name)
