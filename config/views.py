"""Pages of the site itself: the start page, the manifest, robots.txt, the sitemap, the health check, error pages."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from difflib import get_close_matches
from typing import Any, Final

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sitemaps import Sitemap
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import relations
from accounts.models import User
from accounts.names import key_begins, name_key, tidy_name
from accounts.services import theme_of
from config import VERSION
from config.middleware import is_unavailable, unavailable
from config.ops.health import condition
from games.matchmaking.lobby import is_of, lobby_page, matches_of, open_tables, seat_of, shared, tables_of_friends
from games.pairing.forms import forms_for
from games.play.boards.pictures import thumbnails
from games.play.models import Level, Match, Seat, Speed
from games.ratings.models import RatingChange, points
from games.titles import Title, titles


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show visitors the games and what goes on here, and members what waits for them."""
    if request.user.is_authenticated:
        return TemplateResponse(request, "home_member.html", _for_member(request.user))
    if any(name in request.COOKIES for name in OF_ONE_VISITOR):
        return TemplateResponse(request, "home.html", _for_visitors(request.user))
    return HttpResponse(_page_for_visitors(request).replace(_TOKEN, get_token(request)))


# --- visitors ---------------------------------------------------------------------------------------------------------

AGE = 10
"""How many seconds old the lists of the lobby may be."""
KEPT = 5
"""How many seconds old the page may be that visitors share."""
OF_ONE_VISITOR: Final = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)
"""Cookies by which the page can differ between visitors: they have tried puzzles, or are told something."""
_TOKEN: Final = get_random_string(64)
"""Stands in the shared page for the visitor's own token against forged forms. Nobody is ever sent it."""


def _page_for_visitors(request: HttpRequest) -> str:
    """Return the page that visitors without the cookies above share, in the active language and their theme."""

    def load() -> str:
        return render_to_string("home.html", {**_for_visitors(request.user), "csrf_token": _TOKEN}, request)

    return shared(("home", get_language(), theme_of(request)), time.monotonic() - KEPT, load)


def _for_visitors(visitor: Any) -> dict[str, Any]:
    """Return the ways into each game, and the counts of what the lobby lists."""
    running = Match.objects.filter(status=Match.Status.RUNNING, visibility=Match.Visibility.PUBLIC)
    return {
        **_ways_in(visitor),
        "open_tables": open_tables(time.monotonic() - AGE),
        "running_matches": running.filter(seat_count__gt=1).count(),
    }


def _ways_in(user: Any) -> dict[str, Any]:
    """Return what the cards of the games offer; whoever has no account meets the bot for beginners first."""
    known = user.is_authenticated and not user.guest
    level = Level.COMPANION if known else Level.NOVICE
    return {"offers": forms_for(user), "levels": list(Level), "level": level.value}


# --- members ----------------------------------------------------------------------------------------------------------

WEEK = timedelta(days=7)
LISTED = 6
"""How many matches or tables a list shows."""


@dataclass(frozen=True, slots=True)
class Card:
    """A match in a list: its picture, and the reader's seat, if they have one."""

    match: Match
    picture: SafeString | None
    mine: Seat | None

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.match.seats.all() if seat != self.mine]


@dataclass(frozen=True, slots=True)
class Week:
    """A rating after the last seven days, and by how much it has changed."""

    title: Title
    last: RatingChange
    gain: int
    matches: int

    @property
    def shown_gain(self) -> str:
        return f"+{self.gain}" if self.gain > 0 else f"−{-self.gain}" if self.gain else "±0"


def _for_member(user: Any) -> dict[str, Any]:
    """Return what a member sees, the most urgent matches first."""
    lists = matches_of(user, recent=0)
    page = lobby_page(1, time.monotonic() - AGE)
    circle = relations.circle_of(user)
    return {
        "is_new": not (lists.waiting or lists.running) and not Seat.objects.filter(user=user).exists(),
        "cards_waiting": _cards(lists.waiting[:LISTED], user),
        "total_waiting": len(lists.waiting),
        "cards_running": _cards(lists.running[:LISTED], user),
        "invited": lists.invited,
        "seated": lists.seated,
        "tables": [it for it in page.tables if not is_of(it, {user.pk, *circle.apart})][:LISTED],
        "asking": len(circle.asking),
        "friends_tables": tables_of_friends(user, circle)[:LISTED],
        "week": _ratings_of_the_week(user),
        **_ways_in(user),
    }


def _cards(matches: Sequence[Match], user: Any) -> list[Card]:
    pictures = thumbnails(matches)
    return [Card(match, pictures.get(match.pk), seat_of(user, match)) for match in matches]


def _ratings_of_the_week(user: Any) -> list[Week]:
    """Return how this person's ratings have changed in the last seven days, the pool played last first."""
    changes = RatingChange.objects.filter(user=user, at__gte=timezone.now() - WEEK).order_by("pk")
    pools: dict[tuple[str, str], list[RatingChange]] = {}
    for change in changes:
        pools.setdefault((change.game, change.speed), []).append(change)
    weeks = [
        Week(titles()[game], found[-1], points(found[-1].after) - points(found[0].before), len(found))
        for (game, _speed), found in pools.items()
        if game in titles()
    ]
    return sorted(weeks, key=lambda week: -week.last.pk)


# --- the installed app ------------------------------------------------------------------------------------------------

ICON_SIDES = (192, 512)
"""The sides of the icons in pixels; systems may cut each to any shape."""
SCREENSHOTS = {"narrow": ("match-360-light", 360, 740), "wide": ("match-1280-light", 1280, 800)}
"""The name, width and height of the screenshots that browsers show before the app is installed."""


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the site as an app that can be installed; it starts with the matches of its owner."""
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
        "screenshots": [
            {
                "src": static(f"site/app/{name}.png"),
                "sizes": f"{width}x{height}",
                "type": "image/png",
                "form_factor": form,
                "label": _("A match of Shifting Stones"),
            }
            for form, (name, width, height) in SCREENSHOTS.items()
        ],
    }
    return JsonResponse(described, content_type="application/manifest+json")


def _icon(side: int, purpose: str) -> dict[str, str]:
    src = static(f"site/icon-{side}.png")
    return {"src": src, "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose}


def _shortcut(name: str, page: str) -> dict[str, Any]:
    return {"name": name, "url": reverse(page), "icons": [_icon(ICON_SIDES[0], "any")]}


# --- search engines ---------------------------------------------------------------------------------------------------

PRIVATE: Final = (
    "/account/",
    "/api/v1/",
    "/settings/",
    "/matches/",
    "/notices/",
    "/tables/",
    "/unsubscribe/",
    "/mute/",
    "/calendar/",
)
"""Pages that are only for one reader, or that change something."""

ENDLESS: Final = tuple(f"/match/*/{part}" for part in ("log", "past", "replay", "seals", "company", "draws", "record"))
"""Pages that exist for each action of each match."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines what not to read, and where the sitemap is."""
    rules = [f"Disallow: {it}" for it in (*PRIVATE, *ENDLESS)]
    lines = ["User-agent: *", *rules, "", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain")


class PublicPages(Sitemap):  # type: ignore[type-arg]  # Django's own class takes no argument at run time
    """The public pages from which all others can be reached."""

    def items(self) -> Sequence[str]:
        lists = [reverse(name) for name in ("home", "lobby", "finding_people", "archive", "leaderboard")]
        rules = [reverse("rules", args=[slug]) for slug in titles()]
        pools = [reverse("leaderboard_pool", args=[slug, speed]) for slug in titles() for speed in Speed]
        about = [reverse(name) for name in ("api_guide", "privacy", "terms", "imprint")]
        return [*lists, *rules, *pools, *about]

    def location(self, item: str) -> str:
        return item


# --- health -----------------------------------------------------------------------------------------------------------


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if every part works and a worker does what is due, otherwise 503, with the state of each part.

    With `?live`, answer 200 as long as this process answers at all.
    """
    if "live" in request.GET:
        return JsonResponse({"live": True})
    found = condition()
    return JsonResponse({"version": VERSION, **asdict(found)}, status=200 if found.is_good else 503)


# --- suggestions for the 404 page -------------------------------------------------------------------------------------

MOST_GUESSES = 3
ALIKE = 0.7
"""How similar two words must be for one to be suggested instead of the other (difflib's ratio)."""
LONGEST_COMPARED = 100
"""How many characters of a path are compared."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A page to suggest."""

    address: str
    words: str


def guesses(path: str) -> list[Guess]:
    """Return suggestions for a path without a page, the likeliest first; makes at most one query.

    >>> [guess.address for guess in guesses("/lobbby")]
    ['/lobby/']
    """
    words = [word for word in path[:LONGEST_COMPARED].lower().split("/") if word]
    if not words:
        return []
    if words[0].startswith("@"):
        return _people(words[0][1:])
    known = {words: Guess(reverse(name), text) for name, text, *spellings in _pages() for words in (name, *spellings)}
    for slug, title in titles().items():
        rules = Guess(reverse("rules", args=[slug]), _("Rules of %(game)s") % {"game": title.game.name})
        known |= {slug: rules, slug.replace("-", ""): rules}
    found = dict.fromkeys(
        known[near] for word in words for near in get_close_matches(word.replace("_", "-"), known, MOST_GUESSES, ALIKE)
    )
    return list(found)[:MOST_GUESSES]


def _people(name: str) -> list[Guess]:
    """Return people whose names begin like this."""
    key = name_key(tidy_name(name))
    if not key or "\0" in key:
        return []
    found = User.objects.filter(key_begins(key), is_active=True)
    return [Guess(user.get_absolute_url(), user.shown_name) for user in found.order_by("name_key")[:MOST_GUESSES]]


def _pages() -> Iterator[tuple[Any, ...]]:
    """Yield pages: the name of the view, the title, and other words for it."""
    yield "lobby", _("Lobby"), "play", "tables", "games"
    yield "my_matches", _("My matches"), "matches", "my-matches", "match"
    yield "archive", _("Archive"), "history", "replays"
    yield "leaderboard", _("Leaderboard"), "leaderboards", "ranking", "ratings", "players"
    yield "settings", _("Settings"), "preferences", "account", "profile"
    yield "account_login", _("Log in"), "login", "signin"
    yield "account_signup", _("Register"), "signup", "register"


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
    """Show the error page, without context processors or the database, which may be what is broken.

    An outage during a view is answered by `RefusalsInWords`; one during middleware arrives here.
    """
    if is_unavailable(error := sys.exception()):
        return unavailable(request, error)
    return render(None, "500.html", status=500)
