"""What search engines may read, and where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.contrib.sitemaps import Sitemap
from django.urls import reverse

from games.play.models import Speed
from games.titles import titles

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
"""What belongs to one reader, or changes something."""

ENDLESS: Final = tuple(f"/match/*/{part}" for part in ("log", "past", "replay", "seals", "company", "draws", "record"))
"""Every action of every match has addresses of its own."""


def robots(sitemap: str) -> str:
    """Return robots.txt.

    Args:
        sitemap: the whole address of the map.
    """
    rules = [f"Disallow: {it}" for it in (*PRIVATE, *ENDLESS)]
    return "\n".join(["User-agent: *", *rules, "", f"Sitemap: {sitemap}", ""])


class Pages(Sitemap):  # type: ignore[type-arg]  # Django's own class takes no argument at run time
    """The pages that anybody may read and that lead to all others."""

    def items(self) -> Sequence[str]:
        lists = [reverse(name) for name in ("home", "lobby", "finding_people", "archive", "leaderboard")]
        rules = [reverse("rules", args=[slug]) for slug in titles()]
        pools = [reverse("leaderboard_pool", args=[slug, speed]) for slug in titles() for speed in Speed]
        about = [reverse(name) for name in ("privacy", "terms", "imprint")]
        return [*lists, *rules, *pools, *about]

    def location(self, item: str) -> str:
        return item
