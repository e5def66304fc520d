"""What templates know: the context of every page, and Jinja.

Jinja is the template engine for everything that is pushed at every move, for long lists, and for fields of forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.forms import renderers
from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends.jinja2 import Jinja2
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from jinja2 import Environment

from accounts import faces, moments
from accounts.services import theme_of, way_back
from config import VERSION
from games.play.boards.endings import place_in_words
from games.play.live import news
from games.titles import art, titles


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the site's name, version and titles, the reader's theme, and what waits for or is new to the reader.

    `way_back` is the query for links to log in and to register, which members are not shown.
    """
    common = {
        "site_name": "Tessera",
        "version": VERSION,
        "source_url": settings.SOURCE_URL,
        "site_titles": titles().values(),
        "theme": theme_of(request),
    }
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {**common, "waiting": 0, "latest_note": 0, "way_back": way_back(request)}
    found = news.news_of([user.pk])[user.pk]
    counts = {"unread": found.counts["messages"], "searching": found.counts["searching"]}
    return {
        **common,
        "waiting": found.waiting,
        "unseen": found.unseen,
        "latest_note": found.latest,
        **counts,
        "way_back": way_back(request) if user.guest else "",
    }


# --- Jinja ------------------------------------------------------------------------------------------------------------


class Boards(Jinja2):
    """Finds `*.jinja` beside the other templates of each app."""

    app_dirname = "templates"


class Fields(renderers.Jinja2):
    """Renders the fields of forms, each of which is a template; Django's engine has those of the admin."""

    def get_template(self, template_name: str) -> Any:
        try:
            return super().get_template(template_name)
        except TemplateDoesNotExist:
            return renderers.DjangoTemplates().get_template(template_name)


def _address(name: str, args: Sequence[str] = ()) -> str:
    """Return the address of a page by its name in urls.py."""
    return _known_address(name, tuple(args))


@lru_cache(maxsize=10_000)
def _known_address(name: str, args: tuple[str, ...]) -> str:
    return reverse(name, args=args)


def environment(**options: Any) -> Environment:
    """Return the environment: addresses, static files, dates, faces and translations as in pages."""
    made = Environment(**options, extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)  # noqa: S701  # Django turns autoescape on
    made.globals.update(static=static, url=_address, game_art=art.picture, face=faces.face)
    made.filters.update(moment=moments.element, moment_text=moments.in_words, placed=place_in_words)
    made.install_gettext_callables(  # type: ignore[attr-defined]  # added by the i18n extension
        gettext=translation.gettext, ngettext=translation.ngettext, newstyle=True
    )
    return made
