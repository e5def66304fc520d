"""How large and how fast pages are, compared with the budgets of the design: headless Chromium, 360 x 740, cold cache.

Pages and pushes leave the server compressed; their weights are those under gzip, as in the budgets, with the bytes on
the wire beside them.
"""

from __future__ import annotations

import gzip
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.benchmarks.site import Player as Person, player, prepare, served
from tests.serving import CHROMIUM_FLAGS, chromium

if TYPE_CHECKING:
    from games.play.models import Match
    from tests.browser.player import Player

PHONE = {"width": 360, "height": 740}
OPENINGS = 40
MOST_ACTIONS = 150
LONG = 1_996
"""Actions of the long match: a hundred rounds of five players who flip three stones each and end, less one turn."""

WATCH = """
window.measured = { lcp: 0, cls: 0, tbt: 0 };
const watch = (type, read) =>
  new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, buffered: true });
watch("largest-contentful-paint", (it) => { measured.lcp = it.startTime; });
watch("layout-shift", (it) => { if (!it.hadRecentInput) measured.cls += it.value; });
watch("longtask", (it) => { measured.tbt += Math.max(0, it.duration - 50); });
"""
PAINTED = """() => {
  window.painted = [];
  let pressed = 0;
  document.addEventListener("click", (event) => {
    if (event.target.closest("button[form=act]")) pressed = performance.now();
  }, { capture: true });
  new MutationObserver(() => {
    if (!pressed) return;
    const since = pressed;
    pressed = 0;
    requestAnimationFrame(() => setTimeout(() => painted.push(performance.now() - since)));
  }).observe(document.getElementById("page"), { subtree: true, attributes: true, attributeFilter: ["data-version"] });
}"""
"""Milliseconds from pressing a button to the frame that shows the new board."""


@dataclass
class Loaded:
    """The answer from one address."""

    url: str
    kind: str
    wire: int = 0
    body: bytes = b""


@dataclass
class Visit:
    """Everything one visit loaded, and what its page measured."""

    loaded: list[Loaded]
    measured: dict[str, float] = field(default_factory=dict)

    def wire(self, *kinds: str) -> float:
        """Return the kB on the wire of these kinds of resources, or of all."""
        return sum(it.wire for it in self.loaded if not kinds or it.kind in kinds) / 1000

    @property
    def html(self) -> float:
        return sum(len(gzip.compress(it.body, 6)) for it in self.loaded if it.kind == "Document") / 1000

    @property
    def weight(self) -> float:
        """Return kB of everything but pictures, HTML under gzip."""
        return self.wire() - self.wire("Document", "Image") + self.html

    def foreign(self, host: str) -> int:
        return sum(urlsplit(it.url).netloc not in {host, ""} for it in self.loaded)


@dataclass(frozen=True)
class Row:
    what: str
    measured: float
    budget: float
    unit: str
    note: str = ""

    def __str__(self) -> str:
        ratio = self.measured / self.budget if self.budget else float(self.measured > 0)
        shown = f"{self.measured:8.3f}" if self.budget < 1 else f"{self.measured:8.1f}"
        return f"{self.what:46} {shown} {self.budget:8g} {self.unit:5} {ratio:6.2f}  {self.note}"


# --- loading --------------------------------------------------------------------------------------------------------


@contextmanager
def somebody(browser: Browser, url: str, who: Person) -> Iterator[BrowserContext]:
    """Return a browser with an empty cache in which this user is logged in."""
    context = browser.new_context(base_url=url, viewport=PHONE)  # type: ignore[arg-type]  # a ViewportSize
    context.add_cookies([{"name": "tessera_session", "value": who.session, "url": url}])
    yield context
    context.close()


def visit(context: BrowserContext, address: str) -> Visit:
    """Load a page in a new tab and note every resource."""
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    found: dict[str, Loaded] = {}
    protocol.on("Network.responseReceived", lambda it: _note(found, it))
    protocol.on("Network.loadingFinished", lambda it: _weigh(found, it))
    page.add_init_script(WATCH)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(1_500)
    for request, it in found.items():
        if it.kind == "Document":
            it.body = protocol.send("Network.getResponseBody", {"requestId": request})["body"].encode()
    made = Visit([it for it in found.values() if it.url.startswith("http")], page.evaluate("measured"))
    page.close()
    return made


def _note(found: dict[str, Loaded], event: dict[str, Any]) -> None:
    found[event["requestId"]] = Loaded(event["response"]["url"], event["type"])


def _weigh(found: dict[str, Loaded], event: dict[str, Any]) -> None:
    if event["requestId"] in found:
        found[event["requestId"]].wire = int(event["encodedDataLength"])


# --- rows -----------------------------------------------------------------------------------------------------------


def weights(browser: Browser, url: str, who: Person, match: str) -> Iterator[Row]:
    """Weigh the match page, cold and again, and the lobby."""
    with somebody(browser, url, who) as context:
        cold, warm = visit(context, match), visit(context, match)
    with somebody(browser, url, who) as context:
        lobby = visit(context, "/lobby/")
    document = cold.wire("Document")
    yield Row("match: script", cold.wire("Script"), 40, "kB")
    yield Row("lobby: script", lobby.wire("Script"), 30, "kB")
    yield Row("match: CSS", cold.wire("Stylesheet"), 15, "kB")
    yield Row("lobby: CSS", lobby.wire("Stylesheet"), 15, "kB")
    yield Row("match: HTML, gzip", cold.html, 25, "kB", f"{document:.0f} kB on the wire")
    yield Row("lobby: HTML, gzip", lobby.html, 25, "kB", f"{lobby.wire('Document'):.0f} kB on the wire")
    yield Row("match: first visit without pictures", cold.weight, 120, "kB")
    yield Row("match: first visit", cold.weight + cold.wire("Image"), 400, "kB")
    yield Row("match: visit again", warm.weight + warm.wire("Image"), 30, "kB")
    yield Row("match: requests", len(cold.loaded), 15, "")
    yield Row("lobby: requests", len(lobby.loaded), 15, "")
    yield Row("requests to other hosts", cold.foreign(urlsplit(url).netloc), 0, "")
    for name, page in (("match", cold), ("lobby", lobby)):
        yield Row(f"{name}: largest contentful paint", page.measured["lcp"], 1_200, "ms")
        yield Row(f"{name}: layout shift", page.measured["cls"], 0.02, "")
        yield Row(f"{name}: blocking time", page.measured["tbt"], 100, "ms")


def each_game(browser: Browser, url: str, who: Person, matches: Mapping[str, str]) -> Iterator[Row]:
    """Weigh a first visit of a match of each game."""
    for slug, address in matches.items():
        with somebody(browser, url, who) as context:
            cold = visit(context, address)
        yield Row(f"{slug}: script", cold.wire("Script"), 40, "kB")
        yield Row(f"{slug}: CSS", cold.wire("Stylesheet"), 15, "kB")
        yield Row(f"{slug}: HTML, gzip", cold.html, 25, "kB")
        yield Row(f"{slug}: requests", len(cold.loaded), 15, "")


def whole_match(browser: Browser, url: str, people: Sequence[Person], match: str) -> Iterator[Row]:
    """Play a match to its end by clicking in two browsers; weigh every push, time every answer."""
    from tests.browser.player import Player, connected

    pushes: list[int] = []
    raw: list[int] = []
    with somebody(browser, url, people[0]) as first, somebody(browser, url, people[1]) as second:
        players = [Player(context, "") for context in (first, second)]
        for it in players:
            it.page.on(
                "websocket", lambda socket: socket.on("framereceived", lambda text: _weigh_push(pushes, raw, text))
            )
            it.page.goto(match)
            connected(it.page).evaluate(PAINTED)
        actions = _play(players)
        painted = [delay for it in players for delay in it.page.evaluate("painted")]
    yield Row(
        "one push, median, gzip",
        median(pushes) / 1000,
        2,
        "kB",
        f"{len(pushes)} pushes, {actions} actions; plain {median(raw) / 1000:.0f} kB",
    )
    yield Row("one push, 95th percentile, gzip", _p95(pushes) / 1000, 8, "kB")
    yield Row("own action painted, 95th percentile", _p95(painted), 100, "ms", f"median {median(painted):.0f} ms")


def _weigh_push(pushes: list[int], raw: list[int], text: str | bytes) -> None:
    if '"content"' in str(text)[:60]:
        raw.append(len(str(text).encode()))
        pushes.append(len(gzip.compress(str(text).encode(), 6)))


def _play(players: Sequence[Player]) -> int:
    for _ in range(MOST_ACTIONS):
        if players[0].page.locator("#match[data-status=over]").count():
            break
        mover, other = players if players[0].is_to_move() else players[::-1]
        mover.play(mover.plan())
        other.shows(mover.length)
    return players[0].length


def openings(url: str, who: Person, short: str, long: str) -> Iterator[Row]:
    """Open a short and a long match alternately, without a browser."""
    times: dict[str, list[float]] = {short: [], long: []}
    for _ in range(OPENINGS):
        for address, spent in times.items():
            request = urllib.request.Request(url + address, headers={"Cookie": who.cookie})
            started = time.perf_counter()
            with urllib.request.urlopen(request, timeout=10) as answer:
                answer.read()
            spent.append(1000 * (time.perf_counter() - started))
    few, many = median(times[short]), median(times[long])
    yield Row("opening a match of 2,000 actions to one of 20", many / few, 1.2, "x", f"{many:.1f} ms to {few:.1f} ms")


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


# --- matches --------------------------------------------------------------------------------------------------------


def _long_match() -> Match:
    from games.play.reducer.positions import legal_texts
    from tests.people import act, person, running_match

    match = running_match([person(f"idler{number}") for number in range(5)], seed=bytes(32))
    while match.length < LONG:
        seat = match.seats.get(to_move=True).number
        for _ in range(3):
            act(match, next(text for text in legal_texts(match, seat) if text.startswith("flip")), seat)
        act(match, "end", seat)
    return match


def main() -> None:
    port = prepare()
    from games.titles import titles
    from tests.browser.matches import begun
    from tests.people import person, running_match

    people = [person("Ann"), person("Bob")]
    games = {slug: running_match(people, game=slug).get_absolute_url() for slug in titles()}
    short, whole = (begun(people, count).get_absolute_url() for count in (20, 0))
    long = _long_match()
    who = [player("Ann"), player("Bob")]
    url = f"http://127.0.0.1:{port}"
    print(f"{'what':46} {'measured':>8} {'budget':>8} {'unit':5} {'ratio':>6}")
    with served(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for rows in (
            weights(browser, url, who[0], short),
            each_game(browser, url, who[0], games),
            whole_match(browser, url, who, whole),
            openings(url, who[0], short, long.get_absolute_url()),
        ):
            for row in rows:
                print(row, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
