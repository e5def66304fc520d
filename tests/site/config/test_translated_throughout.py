"""Whatever the site says, on any page, in any letter and notice, is in its reader's language."""

from __future__ import annotations

import re
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
from tests.site.config.addresses import addresses
from tests.site.config.doors import POST_ALONE
from tests.site.config.english import ENGLISH, english_in
from tests.site.config.test_translated_pages import TRANSLATED
from tests.site.config.test_xss import LETTERS
from tests.site.config.world import World, undone

pytestmark = pytest.mark.django_db

STATIC = sorted((settings.BASE_DIR / "static" / "site").glob("*.html"))
"""Pages that are shown while the site itself cannot answer."""


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(("role", "folder", "most"), [("seat", "", 100), ("moderator", "moderation/", 8)])
def test_every_page_is_translated_refusals_included(
    world: World, role: str, folder: str, most: int, language: str
) -> None:
    wrong, read = {}, 0
    with undone():
        User.objects.filter(username=role).update(language=language)
        for name in [name for name, route in addresses().items() if route.startswith(folder) and name != "admin"]:
            for path in list(world.paths(name).values())[: 1 if name in POST_ALONE else None]:
                html = page_of(world, role, path, language)
                read += bool(html)
                if html and (f'<html lang="{language}"' not in html[:200] or english_in(html)):
                    wrong[path] = english_in(html)
    assert wrong == {}
    assert read >= most


def page_of(world: World, role: str, path: str, language: str) -> str:
    """Return a whole page, for a browser in this language, too; empty if something else is there."""
    with undone():
        response: Any = world.client(role).get(path, headers={"Accept-Language": language})
    if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
        return ""
    html: str = response.content.decode()
    return html if html.startswith("<!DOCTYPE") else ""


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
    notices = [Notice(user=anna, kind=kind, match=match, by=bert) for kind in set(Kind) - daily - letters]
    told = [*map(message_of, notices), *(daily_kinds()[kind].message(anna) for kind in daily)]
    words = [text for message in told for text in (message.title, message.text, message.subject)]
    assert [text for text in words if ENGLISH.search(text)] == []
    assert sum(bool(message.title) for message in told) == len(Kind) - len(letters)


@pytest.mark.parametrize("path", STATIC, ids=lambda path: path.name)
def test_pages_for_outages_say_everything_in_every_language(path: Any) -> None:
    html = path.read_text()
    for tag, times in (("p", 1), ("span", 2)):  # the text; the heading and the button
        assert re.findall(rf'<{tag} lang="(\w+)"', html) == TRANSLATED * times, tag
