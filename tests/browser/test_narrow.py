"""No page is wider than the narrowest window, in any language."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

from accounts import friends
from accounts.models import User
from accounts.names import NAME_LENGTH, name_key
from games.chat.models import Message
from games.matchmaking.models import Invitation
from games.play.models import Match
from tests.chat.rooms import say, write
from tests.config import keys
from tests.config.addresses import KEYS, situations_of
from tests.config.doors import METHODS, ROWS, expected
from tests.config.processes import TOKEN
from tests.config.world import World, build
from tests.people import person
from tests.serving import Site

pytestmark = pytest.mark.urls("tests.config.failing")

NARROWEST = {"width": 320, "height": 568}
WORD = "Donaudampfschifffahrtsgesellschaftskapitän"

ROLES = {"nobody": 50, "seat": 100, "moderator": 10, "suspended": 1, "warned": 1}
"""Whose pages are measured, and how many there are at least; of the last three, those that others do not get."""

SHOWN = {("GET", "200"): 200, ("GET", "again"): 200, ("GET", "403"): 403, ("POST", "200"): 200, ("POST", "422"): 422}
"""Answers of the table that are pages, with their statuses: of "again" the page that asks for the password."""

AWAY = ("away", "busy", "offline")
"""Pages in all languages at once, for when the site cannot answer."""

SCRIPTED = ("home", "lobby", "match", "replay", "settings_devices")
"""Pages which their scripts change most; all others are measured as they are sent."""

TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5 && it.checkVisibility())
  .slice(-3).map((it) => it.outerHTML.slice(0, 120)).concat("too wide")"""

MEASURE = f"""async ({{asked, token}}) => {{
  const found = [], head = document.head, tooWide = {TOO_WIDE};
  const styles = (of) => [...of.querySelectorAll("link[rel=stylesheet]")];
  const load = (href) => new Promise((onload, onerror) => {{
    head.append(Object.assign(document.createElement("link"), {{rel: "stylesheet", href, onload, onerror}}));
  }});
  for (const [method, path] of asked) {{
    const answer = await fetch(path, {{method, headers: {{"X-CSRFToken": token}}}});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const wanted = styles(page).map((it) => it.getAttribute("href"));
    if (!wanted.length) continue;
    const there = styles(document).map((it) => it.getAttribute("href"));
    await Promise.all(wanted.filter((href) => !there.includes(href)).map(load));
    for (const it of styles(document)) it.disabled = !wanted.includes(it.getAttribute("href"));
    document.documentElement.className = page.documentElement.className;
    document.body.replaceWith(document.importNode(page.body, true));
    found.push([method, path, {{status: answer.status, lang: page.documentElement.lang, wide: tooWide()}}]);
  }}
  return found;
}}"""
"""Show one answer after another in place of the page that is open, without their scripts, and measure each.

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
    Message.objects.filter(pk=found.number).update(text=WORD * 3)
    Invitation.objects.update(by=mate)
    found.keys["guest"] = keys.end_of(person("Guest-Calm-Owl", guest=True))
    for name in ("mate", "silenced", "blocked"):
        long = f"{name}{WORD}"[:NAME_LENGTH]
        User.objects.filter(username=name).update(username=long, name_key=name_key(long))
    store = SessionStore(found.sessions["seat"])  # some pages ask for the password unless it was given just now
    store["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    store["account_authentication_methods_user"] = str(seat.pk)
    store.save()
    return found


Asked = dict[tuple[str, str], int]
"""Methods and addresses, with the statuses of their answers."""


def in_the_table(world: World, role: str) -> Asked:
    """Return every page that the table of addresses has for a role. What ends a session comes last."""
    found = {}
    for name in sorted(ROWS, key=lambda name: name == "delete_confirm"):
        for method, situation in itertools.product(METHODS if role != "nobody" else ("GET",), situations_of(name)):
            answers = expected(name, method, situation)
            is_own = role in {"nobody", "seat"} or answers[role] != answers["stranger"]
            if is_own and is_new(method, situation) and (method, answers[role]) in SHOWN:
                found[method, world.path(name, situation)] = SHOWN[method, answers[role]]
    return found


def is_new(method: str, situation: str) -> bool:
    """Return whether it can look different: a private match is a public one to its players."""
    return situation in {"public", "right"} or (situation, method) == ("over", "GET")


def besides(world: World, role: str) -> Asked:
    """Return pages that the table does not have: about others, and of what goes wrong."""
    mate = User.objects.get(username__startswith="mate")
    if role == "nobody":
        fails = {("GET", f"/fails/{status}/"): status for status in (400, 429, 500, 503)}
        return {
            **fails,
            ("GET", f"/@{mate}s/"): 404,
            ("GET", world.path("guest")): 405,
            ("POST", world.path("home")): 403,
            ("GET", world.path("account_confirm_email", "wrong")): 200,
            **{("GET", world.path("account_reset_password_from_key", key)): 200 for key in KEYS},
        }
    if role == "suspended":
        return {("POST", world.path("table_new")): 403}
    tables = [reverse("match", args=[world.slugs[each]]) for each in ("open", "planned")]
    tables.append(reverse("table_invite", args=[world.slugs["open"]]))
    others = [reverse(name, args=[mate]) for name in ("conversation", "profile", "challenge", "report_person")]
    own = {("GET", path): 200 for path in (*tables, *others)}
    return {**own, ("POST", reverse("delete_confirm", args=[world.keys["guest"]])): 200} if role == "seat" else {}


def entered(visit: Callable[..., BrowserContext], site: Site, session: str, language: str) -> Page:
    """Open a page in the narrowest window."""
    page = visit(viewport=NARROWEST, locale=language, reduced_motion="reduce").new_page()
    become(page, site, session)
    return page


def become(page: Page, site: Site, session: str) -> None:
    """Open a page as somebody else; only who is logged in has what forms need."""
    cookies = {settings.SESSION_COOKIE_NAME: session, settings.CSRF_COOKIE_NAME: TOKEN}
    page.context.clear_cookies()
    if session:
        page.context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])
    page.goto("/imprint/")


def measured(page: Page, asked: Asked) -> dict[tuple[str, str], dict[str, object]]:
    """Return the status, language and widest elements of each answer that is a page."""
    found = page.evaluate(MEASURE, {"asked": list(asked), "token": TOKEN})
    return {(method, path): it for method, path, it in found}


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_page_is_wider_than_the_narrowest_window_whoever_reads_it(
    visitor: Callable[..., BrowserContext], live_site: Site, world: World, language: str
) -> None:
    page = entered(visitor, live_site, world.sessions["seat"], language)
    for name in SCRIPTED:
        page.goto(world.path(name, "over" if name == "replay" else "public"))
        assert page.evaluate(TOO_WIDE) == [], name
    for role, least in ROLES.items():
        become(page, live_site, world.sessions[role])
        asked = {**besides(world, role), **in_the_table(world, role)}
        found = measured(page, asked)
        fits = {key: {"status": asked[key], "lang": language, "wide": []} for key in found}
        assert {key: it for key, it in found.items() if it != fits[key]} == {}
        assert len(found) >= least


def test_no_page_for_when_the_site_is_away_is_too_wide(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    asked = {("GET", f"/static/site/{name}.html"): 200 for name in AWAY}
    found = measured(entered(visitor, live_site, "", "en"), asked)
    assert found == {key: {"status": 200, "lang": "en", "wide": []} for key in asked}


def test_a_page_that_is_too_wide_is_noticed(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    page = entered(visitor, live_site, "", "en")
    body = f'<html lang="en"><link rel="stylesheet" href="/static/site/lists.css"><p><nobr>{WORD * 2}</nobr>'
    page.route("**/terms/", lambda route: route.fulfill(body=body, content_type="text/html"))
    ((_, found),) = measured(page, {("GET", "/terms/"): 200}).items()
    assert found["wide"]
