"""`{% learn_link title %}`: a link to the lessons of a game, for any page; nothing for a game without lessons.

`{% coach viewed %}`: what a newcomer is told above the board of their first match, and `{% coach_styles viewed %}`, its
styles, for the head of the page: so the board has its place from the beginning.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.learn.services import marks_for
from games.play.access import ViewedMatch
from games.titles import Title

register = template.Library()


@register.simple_tag
def learn_link(title: Title) -> str:
    """Return a link to what can be learned of a game."""
    if not title.lessons:
        return SafeString()
    link = '<a class="button" href="{}">{}<span class="visually-hidden"> {}</span></a>'
    return format_html(link, reverse("learn_game", args=[title.slug]), _("Learn"), title.game.name)


_THREE_LINES = 110
"""So many characters of a coach mark take three lines on a phone."""


@register.simple_tag(takes_context=True)
def coach_styles(context: dict[str, Any], viewed: ViewedMatch) -> str:
    """Return the link to the styles of coach marks, for a match that has some."""
    if not marks_for(viewed, context["request"].user):
        return SafeString()
    return format_html('<link rel="stylesheet" href="{}">', static("learn/coach.css"))


@register.inclusion_tag("learn/coach.html", takes_context=True)
def coach(context: dict[str, Any], viewed: ViewedMatch) -> dict[str, Any]:
    """Show the coach marks of a match, or an empty place for them at a table where it will begin.

    They are counted with those that have been read, and with the way to the rules that comes last.
    """
    marks = marks_for(viewed, context["request"].user) if viewed.match.started_at else ()
    every = viewed.match.title.coach
    told = [(mark, mark.told(viewed.match.seat_count), every.index(mark) + 1) for mark in marks]
    return {
        "marks": told,
        "count": len(every) + 1,
        "is_brief": all(len(text) <= _THREE_LINES for _mark, text, _number in told),
        "match": viewed.match,
        "csrf_token": context.get("csrf_token"),
    }
