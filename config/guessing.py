"""What somebody may have meant by an address without a page: cheap guesses, at most one query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import name_key, tidy_name
from games.titles import titles

MOST = 3
ALIKE = 0.7
"""How much two words have in common if one may be meant by the other."""
LONGEST = 100
"""Characters of an address that are compared."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A page that may be meant."""

    address: str
    words: str


def guesses(path: str) -> list[Guess]:
    """Return the pages that may be meant by an address, the most likely first.

    >>> [guess.address for guess in guesses("/lobbby")]
    ['/lobby/']
    """
    words = [word for word in path[:LONGEST].lower().split("/") if word]
    if not words:
        return []
    if words[0].startswith("@"):
        return _people(words[0][1:])
    known = _known()
    found = dict.fromkeys(
        known[near] for word in words for near in get_close_matches(word.replace("_", "-"), known, MOST, ALIKE)
    )
    return list(found)[:MOST]


def _people(name: str) -> list[Guess]:
    """Return people whose names begin alike; the bounds let the index of names find them."""
    key = name_key(tidy_name(name))
    if not key or "\0" in key:
        return []
    found = User.objects.filter(name_key__gte=key, name_key__lt=f"{key}\U0010ffff", is_active=True)
    return [Guess(user.get_absolute_url(), user.shown_name) for user in found.order_by("name_key")[:MOST]]


def _known() -> Mapping[str, Guess]:
    """Return the pages by the words that an address may have for them."""
    pages = {words: Guess(reverse(name), text) for name, text, *spellings in _pages() for words in (name, *spellings)}
    return pages | dict(_rules())


def _pages() -> Iterator[tuple[Any, ...]]:
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
