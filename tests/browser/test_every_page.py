"""Every page, whoever reads it: in any window, with letters of twice the size, in either theme.

None is too wide, cuts a name or keeps anything in the way, and axe finds nothing. Each is asked for once and then shown
again and again; only what scripts change is opened as readers do.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.urls import resolve, reverse
from playwright.sync_api import BrowserContext, Page

from accounts import relations
from accounts.models import User
from accounts.names import NAME_LENGTH, name_key
from games.chat.models import Message
from games.matchmaking.models import Invitation
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from tests.browser.axe import RULES, RUN, SOURCE, Theme
from tests.browser.matches import finished
from tests.browser.windows import resize
from tests.people import as_stored, client_of, eager, go_on, person, running_match
from tests.serving import Site
from tests.site.chat.rooms import say, write
from tests.site.config import keys
from tests.site.config.addresses import KEYS, situations_of
from tests.site.config.doors import METHODS, ROWS, expected
from tests.site.config.processes import TOKEN
from tests.site.config.world import World, build

pytestmark = pytest.mark.urls("tests.site.config.failing")

NARROWEST = {"width": 320, "height": 568}
LOW = 400
"""Pixels: in a window that is lower nothing stays in sight while the page is scrolled."""
Window = tuple[int, int, int]
WINDOWS = (
    (320, 568, 16),
    (360, 640, 16),
    (360, 640, 32),
    (1280, 800, 32),
    (640, 360, 16),
    (320, 256, 16),
    (1280, 900, 16),
)
"""Widths, heights, and how large letters are. The two before the last: a phone held sideways and a laptop at 400 %."""
THEMES: dict[Window, Theme] = {(360, 640, 16): "dark", (1280, 900, 16): "light"}
"""Those in which axe looks too, at colours alone where they are dark: what else a phone shows is on the pages of tests
of their own."""
WORDY = ((320, 568, 16), (360, 640, 32))
"""Those in which words of another length matter most; what the others change is the same in all languages."""
LANGUAGES = {"de": WINDOWS, "it": WORDY}
"""The two with the longest words: eleven of twelve texts are shorter in English than in one of them."""
WORD = "Donaudampfschifffahrtsgesellschaftskapitän"

ROLES = {"nobody": 50, "seat": 100, "moderator": 10, "suspended": 1, "warned": 1}
"""Whose pages are measured, and how many there are at least; of the last three, those that others do not get."""

SHOWN = {("GET", "200"): 200, ("GET", "again"): 200, ("GET", "403"): 403, ("POST", "200"): 200, ("POST", "422"): 422}
"""Answers of the table that are pages, with their statuses: of "again" the page that asks for the password."""

AWAY = ("away", "busy", "offline")
"""Pages in all languages at once, for when the site cannot answer."""

EXAMINED = {
    "nobody": (
        *("home", "account_signup", "account_login", "lobby"),
        *("archive", "leaderboard", "leaderboard_pool", "profile"),
        *("match", "replay", "match_log", "embed_match", "embed_puzzle", "deals", "deal"),
    ),
    "seat": (
        *("home", "lobby", "my_matches", "match", "series", "table_invite", "invitation", "planned_tables"),
        *("people", "finding_people", "profile", "challenge", "messages", "conversation", "match_chat"),
        *("settings", "settings_profile", "settings_security", "settings_data", "settings_play", "settings_notices"),
        *("account_email", "account_change_password", "usersessions_list", "mfa_list_webauthn", "account_logout"),
        *("table_new", "table_plan"),
    ),
}
"""Pages that axe looks at too, by their names. Others have a test of their own, or are made like one of these."""
ALIKE = (
    ("match_log", "public"),
    ("embed_match", "public"),
    ("replay", "public"),
    ("replay", "over"),
    ("match", "over"),
)
"""Of these axe does not look, as it sees the same in another situation, of `besides` or in `play/test_endings.py`."""

SCRIPTED = ("home", "lobby", "replay", "settings_devices")
"""Pages which their scripts change most, besides matches, of which more are seen below; all others are measured as they
are sent."""

TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5 && it.checkVisibility())
  .slice(-3).map((it) => it.outerHTML.slice(0, 120)).concat("too wide")"""

CUT = """() => [...document.body.querySelectorAll(
  ':not(svg *, input, textarea, select, .chat-latest, [data-folds])')].filter((it) => {
  const says = [...it.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  if (!says) return false;
  const { overflowX, display, clipPath } = getComputedStyle(it);
  const cuts = ['hidden', 'clip'].includes(overflowX) || display === '-webkit-box';
  if (!cuts || clipPath !== 'none' || !it.checkVisibility()) return false;
  return it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 3;
}).map((it) => it.outerHTML.slice(0, 120))"""
"""Texts of which something is missing, but for foretastes of what is a page of its own or unfolds."""

STUCK = f"""() => innerHeight >= {LOW} ? [] : [...document.body.querySelectorAll('*:not(dialog, [popover])')]
  .filter((it) => ['sticky', 'fixed'].includes(getComputedStyle(it).position))
  .map((it) => it.outerHTML.slice(0, 120))"""
"""What would stay in sight in a low window, also if it is hidden now. What a reader opens they can close."""

FAULTS = f"""() => [...({TOO_WIDE})(), ...({CUT})(), ...({STUCK})()]"""

FETCH = """async ({asked, token}) => {
  window.answers = [];
  for (const [method, path] of asked) {
    const answer = await fetch(path, {method, headers: {"X-CSRFToken": token}});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    answers.push([method, path, answer.status, page]);
  }
}"""

MEASURE = f"""async ({{methods, examined, rules}}) => {{
  const found = [], head = document.head, faults = {FAULTS};
  const styles = (of) => [...of.querySelectorAll("link[rel=stylesheet]")];
  const load = (href) => new Promise((onload, onerror) => {{
    head.append(Object.assign(document.createElement("link"), {{rel: "stylesheet", href, onload, onerror}}));
  }});
  for (const [method, path, status, page] of answers.filter(([method]) => methods.includes(method))) {{
    const wanted = page.wanted ??= styles(page).map((it) => it.getAttribute("href"));
    if (!wanted.length) continue;
    const there = styles(head).map((it) => it.getAttribute("href"));
    await Promise.all(wanted.filter((href) => !there.includes(href)).map(load));
    for (const it of styles(head)) it.sheet.disabled = !wanted.includes(it.getAttribute("href"));
    document.title = page.title;
    for (const {{name, value}} of page.documentElement.attributes) document.documentElement.setAttribute(name, value);
    document.documentElement.className = page.documentElement.className;
    if (!page.shown) for (const it of styles(page.body)) it.remove();
    page.shown ??= document.importNode(page.body, true);
    document.body.replaceWith(page.shown);
    const violations = method === "GET" && examined.includes(path) ? await ({RUN})(rules) : [];
    found.push([method, path, {{status, lang: document.documentElement.lang, faults: [...faults(), ...violations]}}]);
  }}
  return found;
}}"""
"""Show one of the answers after another in place of the page that is open, without their scripts, and measure each; let
axe look at those that are to be examined.

What has no style of its own is no page: files, and parts of pages. A style stays loaded while it is switched off, as
a link that was disabled would load it again, after the page has been measured; so would one that stands in the body.
"""


@pytest.fixture
def world(live_site: Site) -> World:
    """A site on which something has happened, among people with long names."""
    found = build()
    seat, mate = (User.objects.get(username=name) for name in ("seat", "mate"))
    relations.request_friendship(mate, seat)
    relations.accept_request(seat, mate)
    write(mate, seat, "https://example.org/" + "a-word-that-does-not-end-" * 8)
    say(mate, Match.objects.get(slug=found.slugs["public"]), WORD * 3)
    Message.objects.filter(pk=found.number).update(text=WORD * 3)
    Invitation.objects.update(by=mate)
    found.slugs["played"] = finished([person("ann"), person("bob")], rated=True).slug
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


def examined(world: World, role: str, asked: Asked) -> list[str]:
    """Return the pages of this role at which axe looks."""
    alike = {world.path(name, situation) for name, situation in ALIKE}
    paths = [path for method, path in asked if method == "GET" and path not in alike]
    return [path for path in paths if resolve(path.partition("?")[0]).url_name in EXAMINED.get(role, ())]


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
            ("GET", reverse("match", args=[world.slugs["played"]])): 200,
            ("GET", f"{reverse('replay', args=[world.slugs['played']])}?at=9"): 200,
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
    games = [f"{reverse(name)}?game=shifting-stones" for name in ("table_new", "table_plan")]
    own = {("GET", path): 200 for path in (*tables, *others, *games)}
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


def fetch(page: Page, asked: Asked) -> None:
    """Let a page keep the answers to these requests until it is left."""
    page.evaluate(FETCH, {"asked": list(asked), "token": TOKEN})


def measured(
    page: Page, methods: Sequence[str] = METHODS, examined: Sequence[str] = (), theme: Theme = "light"
) -> dict[tuple[str, str], dict[str, object]]:
    """Return the status, language and faults of each answer that is a page, with axe's findings in those `examined`."""
    asked = {"methods": list(methods), "examined": list(examined), "rules": RULES[theme]}
    found = page.evaluate(MEASURE, asked)
    return {(method, path): it for method, path, it in found}


class Windows:
    """The windows in which a page is looked at."""

    def __init__(self, page: Page) -> None:
        self.page, self.session = page, page.context.new_cdp_session(page)

    def show(self, window: Window) -> None:
        """Give the page a window: its size, how large letters are unless a page says otherwise, and its theme.

        Breakpoints in em follow the letters.
        """
        width, height, size = window
        resize(self.page, {"width": width, "height": height})
        self.session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        assert self.page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{size}px"
        self.page.emulate_media(color_scheme=THEMES.get(window))


@pytest.mark.timeout(900)  # hundreds of pages in seven windows
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_too_wide_cuts_a_name_keeps_anything_in_the_way_or_shuts_anybody_out(
    visitor: Callable[..., BrowserContext], live_site: Site, world: World, language: str
) -> None:
    page = entered(visitor, live_site, world.sessions["seat"], language)
    windows, wrong = Windows(page), dict[tuple[object, ...], object]()
    for name in SCRIPTED:
        page.goto(world.path(name, "over" if name == "replay" else "public"))
        for window in LANGUAGES[language]:
            windows.show(window)
            if faults := page.evaluate(FAULTS):
                wrong[name, window] = faults
    for role, least in ROLES.items():
        become(page, live_site, world.sessions[role])
        page.evaluate(SOURCE)
        asked = {**besides(world, role), **in_the_table(world, role)}
        fetch(page, asked)  # once each, as forms change something
        for window in LANGUAGES[language]:
            windows.show(window)
            methods = METHODS if window in WORDY else ("GET",)  # what is refused differs from its page by sentences
            seen = examined(world, role, asked) if window in THEMES else []
            found = measured(page, methods, seen, THEMES.get(window, "light"))
            fits = {key: {"status": asked[key], "lang": language, "faults": []} for key in found}
            wrong |= {(role, window, *key): it for key, it in found.items() if it != fits[key]}
            assert window not in WORDY or len(found) >= least, (window, role)
    assert wrong == {}, "\n".join(f"{where}: {it}" for where, it in wrong.items())


NAMES = ("Maximiliane", "Bartholomew", "Constantina", "Wolfgang-Amadeus-Mozart8", "Ferdinandus")
ACTIONS = 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_match_is_too_wide_cuts_a_name_or_keeps_anything_in_the_way(
    visitor: Callable[..., BrowserContext], live_site: Site, language: str
) -> None:
    """Of any game, with any number of players; with large letters also where breakpoints do not follow them.

    With most players in all windows, with fewer in those in which words matter most; in the second language with most
    only: what their number changes is the same in both.
    """
    people = [person(name, language=language) for name in NAMES]
    session = client_of(people[0]).cookies[settings.SESSION_COOKIE_NAME].value
    page = entered(visitor, live_site, session, language)
    windows, wrong = Windows(page), dict[tuple[object, ...], object]()
    for game, rules in games().items():
        for count in rules.seats if language == "de" else rules.seats[-1:]:
            page.goto(_begun(game, people[:count]).get_absolute_url())
            for window in LANGUAGES[language] if count == rules.seats[-1] else WORDY:
                windows.show(window)
                wrong[game, count, window] = page.evaluate(FAULTS)
            windows.show((360, 640, 16))
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            for width, height in ((360, 640), (1280, 800)):
                resize(page, {"width": width, "height": height})
                wrong[game, count, width, height, "text alone"] = page.evaluate(FAULTS)
    assert {where: faults for where, faults in wrong.items() if faults} == {}


def _begun(game: str, people: Sequence[User]) -> Match:
    match = running_match(people, game=game, clock="300+10/600" if len(people) > 1 else "")
    seen = as_stored(match)
    for _ in range(ACTIONS):
        if seen.match.is_running:
            seat = next(seat.number for seat in seen.seats if seat.to_move)
            seen = go_on(seen, seat, eager(seen.match, positions.legal_texts(seen.match, seat)))
    return match


def test_no_page_for_when_the_site_is_away_is_too_wide(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    asked = {("GET", f"/static/site/{name}.html"): 200 for name in AWAY}
    page = entered(visitor, live_site, "", "en")
    fetch(page, asked)
    found = measured(page)
    assert found == {key: {"status": 200, "lang": "en", "faults": []} for key in asked}


def test_a_page_that_is_too_wide_is_noticed(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    page = entered(visitor, live_site, "", "en")
    body = f'<html lang="en"><link rel="stylesheet" href="/static/site/lists.css"><p><nobr>{WORD * 2}</nobr>'
    page.route("**/terms/", lambda route: route.fulfill(body=body, content_type="text/html"))
    fetch(page, {("GET", "/terms/"): 200})
    ((_, found),) = measured(page).items()
    assert found["faults"]
