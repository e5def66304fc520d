"""Whatever the site says, on any page, in any letter and notice, is in its reader's language.

On the same pages, names and texts from right to left stand apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import cycle
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from accounts.mail import letter
from accounts.models import User
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from games.notifications.planning import daily_kinds
from games.play.models import Match
from tests.people import person
from tests.site.config import test_isolated as isolated
from tests.site.config.addresses import addresses
from tests.site.config.doors import OF_MODERATORS, POST_ALONE
from tests.site.config.english import ENGLISH, english_in
from tests.site.config.hostile import OF_EVENT
from tests.site.config.test_translated_pages import TRANSLATED
from tests.site.config.test_xss import LETTERS
from tests.site.config.world import World, undone

pytestmark = pytest.mark.django_db

STATIC = sorted((settings.BASE_DIR / "static" / "site").glob("*.html"))
"""Pages that are shown while the site itself cannot answer."""


MEMBERS = list(zip(cycle(("seat", "mate")), TRANSLATED))
"""Who reads all pages in a language: players at the same tables, in turn."""

MET = {"match", "profile", "lobby", "archive", "people", "notices", "messages"}
"""Pages on which a member meets names and texts of others."""


@pytest.mark.parametrize(("role", "language"), MEMBERS)
def test_every_page_is_translated_refusals_included_and_names_stand_apart(
    world: World, role: str, language: str
) -> None:
    met, whole = check_pages(world, role, language, addresses())
    assert whole >= 100
    assert met >= MET


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_page_of_moderators_is_translated_and_names_stand_apart(world: World, language: str) -> None:
    names = [name for name, route in addresses().items() if route.startswith("moderation/") or name in OF_MODERATORS]
    met, whole = check_pages(world, "moderator", language, names)
    assert whole >= 8
    assert "moderated_person" in met


def check_pages(world: World, role: str, language: str, names: Iterable[str]) -> tuple[set[str], int]:
    """Check all pages that these names lead somebody to; return where names stand, and how many pages are whole."""
    wrong, met, whole = {}, set(), 0
    with undone():
        isolated.prepare()
        User.objects.filter(username=role).update(language=language)
        for name in names:
            for path in paths(world, name):
                html = page_of(world, role, path, language)
                bare, (found, is_met) = [], isolated.read(html)
                if html.startswith("<!DOCTYPE"):
                    whole += 1
                    bare = [] if f'<html lang="{language}"' in html[:200] else ["in another language"]
                    bare += english_in(html)
                if bare or found:
                    wrong[path] = bare + found
                met |= {name} if is_met else set()
    assert wrong == {}
    return met, whole


def paths(world: World, name: str) -> list[str]:
    """Return the addresses of a name, about somebody whose name is written from right to left."""
    found = [] if name == "admin" else list(world.paths(name).values())[: 1 if name in POST_ALONE else None]
    return [path.replace("/@seat/", f"/@{isolated.NAME}/").replace("/seat/", f"/{isolated.NAME}/") for path in found]


def page_of(world: World, role: str, path: str, language: str) -> str:
    """Return a page, or a part of one, for a browser in this language, too; empty if something else is there."""
    with undone():
        response: Any = world.client(role).get(path, headers={"Accept-Language": language})
    is_page = not response.streaming and response.headers.get("Content-Type", "").startswith("text/html")
    return response.content.decode() if is_page else ""


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", LETTERS)
def test_every_letter_is_translated(name: str, language: str) -> None:
    said = dict.fromkeys(("deleted_email", "from_email", "from_name", "ip", "to_email", "to_name"), "-")
    moments = dict.fromkeys(("due", "timestamp", "until"), timezone.now())
    reader = User(username="Anna", language=language)
    written = letter(reader, "anna@example.org", name, user_agent="Firefox", reason="-", **said, **moments)
    assert english_in(str(written.alternatives[0][0])) == []
    assert not ENGLISH.search(str(written.subject))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_notice_is_translated(world: World, language: str) -> None:
    anna, bert = person("anna", language=language), person("bert")
    match = Match.objects.get(slug=world.slugs["over"])
    daily, letters = {Kind.DIGEST, Kind.PUZZLE}, {Kind.SECURITY}
    notices = [
        Notice(user=anna, kind=kind, match=match, by=bert, details=OF_EVENT) for kind in set(Kind) - daily - letters
    ]
    told = [*map(message_of, notices), *(daily_kinds()[kind].message(anna) for kind in daily)]
    words = [text for message in told for text in (message.title, message.text, message.subject)]
    assert [text for text in words if ENGLISH.search(text)] == []
    assert sum(bool(message.title) for message in told) == len(Kind) - len(letters)


@pytest.mark.parametrize("path", STATIC, ids=lambda path: path.name)
def test_pages_for_outages_say_everything_in_every_language(path: Any) -> None:
    html = path.read_text()
    for tag, times in (("p", 1), ("span", 2)):  # the text; the heading and the button
        assert re.findall(rf'<{tag} lang="(\w+)"', html) == TRANSLATED * times, tag
