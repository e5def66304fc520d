"""No page is wider than the narrowest window, in any language."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

from accounts import friends
from accounts.models import User
from accounts.names import NAME_LENGTH, name_key
from games.play.models import Match
from tests.chat.rooms import say, write
from tests.config.doors import ROWS, expected
from tests.config.world import World, build
from tests.serving import Site

NARROWEST = {"width": 320, "height": 568}
WORD = "Donaudampfschifffahrtsgesellschaftskapitän"

ROLES = {"nobody": 25, "seat": 75, "moderator": 8, "warned": 1}
"""Whose pages are measured, and how many there are at least; of the last two, those that others do not get."""

SCRIPTED = ("home", "lobby", "match", "replay", "settings_devices")
"""Pages which their scripts change most; all others are measured as they are sent."""

TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5 && it.checkVisibility())
  .slice(-3).map((it) => it.outerHTML.slice(0, 120)).concat("too wide")"""

MEASURE = f"""async (paths) => {{
  const found = {{}}, head = document.head, tooWide = {TOO_WIDE};
  const styles = (of) => [...of.querySelectorAll("link[rel=stylesheet]")];
  const load = (href) => new Promise((onload, onerror) => {{
    head.append(Object.assign(document.createElement("link"), {{rel: "stylesheet", href, onload, onerror}}));
  }});
  for (const path of paths) {{
    const answer = await fetch(path);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const wanted = styles(page).map((it) => it.getAttribute("href"));
    if (!wanted.length) continue;
    const there = styles(document).map((it) => it.getAttribute("href"));
    await Promise.all(wanted.filter((href) => !there.includes(href)).map(load));
    for (const it of styles(document)) it.disabled = !wanted.includes(it.getAttribute("href"));
    document.documentElement.className = page.documentElement.className;
    document.body.replaceWith(document.importNode(page.body, true));
    found[path] = {{status: answer.status, lang: page.documentElement.lang, wide: tooWide()}};
  }}
  return found;
}}"""
"""Show one page after another in place of the one that is open, without their scripts, and measure each.

What has no style of its own is no page: files, and parts of pages.
"""


@pytest.fixture
def world(live_site: Site) -> World:
    """A site on which something has happened, among people with long names."""
    found = build()
    seat, mate = (User.objects.get(username=name) for name in ("seat", "mate"))
    friends.ask(mate, seat)
    friends.accept(seat, mate)
    write(mate, seat, "https://example.org/" + "a-word-that-does-not-end-" * 8)
    say(mate, Match.objects.get(slug=found.slugs["public"]), WORD * 3)
    for name in ("mate", "silenced", "blocked"):
        long = f"{name}{WORD}"[:NAME_LENGTH]
        User.objects.filter(username=name).update(username=long, name_key=name_key(long))
    store = SessionStore(found.sessions["seat"])  # some pages ask for the password unless it was given just now
    store["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    store["account_authentication_methods_user"] = str(seat.pk)
    store.save()
    return found


def paths_of(world: World, role: str) -> Iterator[str]:
    """Yield the address of every page that the table of addresses has for a role."""
    for name in ROWS:
        for situation, path in world.paths(name).items():
            answers = expected(name, "GET", situation)
            is_own = role in {"nobody", "seat"} or answers[role] != answers["stranger"]
            if is_own and answers[role] in {"200", "again"}:
                yield path
    if role == "seat":
        mate = User.objects.get(username__startswith="mate")
        yield from (reverse("match", args=[world.slugs[each]]) for each in ("open", "planned"))
        yield reverse("table_invite", args=[world.slugs["open"]])
        yield from (reverse(name, args=[mate]) for name in ("conversation", "profile", "challenge", "report_person"))


def entered(visit: Callable[..., BrowserContext], site: Site, session: str, language: str) -> Page:
    context = visit(viewport=NARROWEST, locale=language, reduced_motion="reduce")
    if session:
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": site.url}])
    page = context.new_page()
    page.goto("/imprint/")
    return page


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_page_is_wider_than_the_narrowest_window(
    visitor: Callable[..., BrowserContext], live_site: Site, world: World, language: str
) -> None:
    for role, least in ROLES.items():
        page = entered(visitor, live_site, world.sessions[role], language)
        found = page.evaluate(MEASURE, list(paths_of(world, role)))
        assert [it for it in found.items() if it[1] != {"status": 200, "lang": language, "wide": []}] == []
        assert len(found) >= least


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_page_grows_wider_by_its_scripts(
    visitor: Callable[..., BrowserContext], live_site: Site, world: World, language: str
) -> None:
    page = entered(visitor, live_site, world.sessions["seat"], language)
    for name in SCRIPTED:
        page.goto(world.path(name, "over" if name == "replay" else "public"))
        assert page.evaluate(TOO_WIDE) == [], name


def test_a_page_that_is_too_wide_is_noticed(
    visitor: Callable[..., BrowserContext], live_site: Site, world: World
) -> None:
    page = entered(visitor, live_site, "", "en")
    body = f'<html lang="en"><link rel="stylesheet" href="/static/site/lists.css"><p><nobr>{WORD * 2}</nobr>'
    page.route("**/terms/", lambda route: route.fulfill(body=body, content_type="text/html"))
    assert page.evaluate(MEASURE, ["/terms/"])["/terms/"]["wide"]
