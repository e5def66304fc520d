"""Pages of the site itself: the manifest, robots.txt and the sitemap, the health check, and the error pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any, Final

from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names import name_key, tidy_name
from config import VERSION
from config.middleware import is_unavailable, unavailable
from config.ops.health import condition
from games.play.models import Speed
from games.titles import titles

# --- the installed app ------------------------------------------------------------------------------------------------

ICON_SIDES = (192, 512)
"""The icons, in pixels; each fits every shape that systems cut icons to."""
SCREENSHOTS = {"narrow": ("match-360-light", 360, 740), "wide": ("match-1280-light", 1280, 800)}
"""Name, width and height of the pictures that are shown before the app is installed."""


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the site as an app that can be installed; it begins where its owner has something to do."""
    described = {
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
        "icons": [_icon(side, purpose) for side in ICON_SIDES for purpose in ("any", "maskable")],
        "shortcuts": [
            _shortcut(_("My matches"), "my_matches"),
            _shortcut(_("New table"), "table_new"),
            _shortcut(_("Lobby"), "lobby"),
        ],
        "screenshots": [_screenshot(form) for form in SCREENSHOTS],
    }
    return JsonResponse(described, content_type="application/manifest+json")


def _icon(side: int, purpose: str) -> dict[str, str]:
    src = static(f"site/icon-{side}.png")
    return {"src": src, "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}


def _shortcut(name: str, page: str) -> dict[str, Any]:
    return {"name": name, "url": reverse(page), "icons": [_icon(ICON_SIDES[0], "any")]}


def _screenshot(form: str) -> dict[str, str]:
    name, width, height = SCREENSHOTS[form]
    return {
        "src": static(f"site/app/{name}.png"),
        "sizes": f"{width}x{height}",
        "type": "image/png",
        "form_factor": form,
        "label": _("A match of Shifting Stones"),
    }


# --- search engines ---------------------------------------------------------------------------------------------------

PRIVATE: Final = (
    "/account/",
    "/settings/",
    "/matches/",
    "/notices/",
    "/tables/",
    "/unsubscribe/",
    "/mute/",
    "/calendar/",
)
"""Pages of one reader, or that change something."""

ENDLESS: Final = tuple(f"/match/*/{part}" for part in ("log", "past", "replay", "seals", "company", "draws", "record"))
"""Every action of every match has addresses of its own."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines what not to read, and where the sitemap is."""
    rules = [f"Disallow: {it}" for it in (*PRIVATE, *ENDLESS)]
    lines = ["User-agent: *", *rules, "", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain")


class PublicPages(Sitemap):  # type: ignore[type-arg]  # Django's own class takes no argument at run time
    """The pages that anybody may read and that lead to all others."""

    def items(self) -> Sequence[str]:
        lists = [reverse(name) for name in ("home", "lobby", "finding_people", "archive", "leaderboard")]
        rules = [reverse("rules", args=[slug]) for slug in titles()]
        pools = [reverse("leaderboard_pool", args=[slug, speed]) for slug in titles() for speed in Speed]
        about = [reverse(name) for name in ("privacy", "terms", "imprint")]
        return [*lists, *rules, *pools, *about]

    def location(self, item: str) -> str:
        return item


# --- health -----------------------------------------------------------------------------------------------------------


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if every part answers and a worker does what is due, otherwise 503; say how each part is.

    With `?live` only this process is asked about, which is well enough to answer.
    """
    if "live" in request.GET:
        return JsonResponse({"live": True})
    found = condition()
    return JsonResponse({"version": VERSION, **asdict(found)}, status=200 if found.is_good else 503)


# --- suggestions for the 404 page -------------------------------------------------------------------------------------

MOST_GUESSES = 3
ALIKE = 0.7
"""How much two words have in common if one may be meant by the other."""
LONGEST_COMPARED = 100
"""Characters of an address that are compared."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A page to suggest."""

    address: str
    words: str


def guesses(path: str) -> list[Guess]:
    """Return suggestions for an address without a page, the likeliest first; at most one query.

    >>> [guess.address for guess in guesses("/lobbby")]
    ['/lobby/']
    """
    words = [word for word in path[:LONGEST_COMPARED].lower().split("/") if word]
    if not words:
        return []
    if words[0].startswith("@"):
        return _people(words[0][1:])
    known = {words: Guess(reverse(name), text) for name, text, *spellings in _pages() for words in (name, *spellings)}
    known |= dict(_rules())
    found = dict.fromkeys(
        known[near] for word in words for near in get_close_matches(word.replace("_", "-"), known, MOST_GUESSES, ALIKE)
    )
    return list(found)[:MOST_GUESSES]


def _people(name: str) -> list[Guess]:
    """Return people whose names begin alike; the bounds let the index of names find them."""
    key = name_key(tidy_name(name))
    if not key or "\0" in key:
        return []
    found = User.objects.filter(name_key__gte=key, name_key__lt=f"{key}\U0010ffff", is_active=True)
    return [Guess(user.get_absolute_url(), user.shown_name) for user in found.order_by("name_key")[:MOST_GUESSES]]


def _pages() -> Iterator[tuple[Any, ...]]:
    """Yield pages: name, what they are called, and other words that an address may have for them."""
    yield "lobby", _("Lobby"), "play", "tables", "games"
    yield "my_matches", _("My matches"), "matches", "my-matches", "match"
    yield "archive", _("Archive"), "history", "replays"
    yield "leaderboard", _("Leaderboard"), "leaderboards", "ranking", "ratings", "players"
    yield "settings", _("Settings"), "preferences", "account", "profile"
    yield "account_login", _("Log in"), "login", "signin"
    yield "account_signup", _("Register"), "signup", "register"


def _rules() -> Iterator[tuple[str, Guess]]:
    for slug, title in titles().items():
        words = _("Rules of %(game)s") % {"game": title.game.name}
        yield slug, Guess(reverse("rules", args=[slug]), words)
        yield slug.replace("-", ""), Guess(reverse("rules", args=[slug]), words)


# --- error pages ------------------------------------------------------------------------------------------------------


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", {"guesses": guesses(request.path_info)}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Show the page for errors, without context processors or the database, which may be what is broken.

    Views get their 503 from `RefusalsInWords`; errors in middleware, which also uses the database, arrive here.
    """
    if is_unavailable(error := sys.exception()):
        return unavailable(request, error)
    return render(None, "500.html", status=500)
