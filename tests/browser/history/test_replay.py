"""The replay page in a browser: keys, autoplay, and the check of the draws by the browser's own cryptography."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from games.engine import fair
from games.engine.fair import seal
from games.play import commands
from games.play.models import Match
from games.play.reducer.positions import legal_texts
from tests.browser.windows import resize
from tests.people import act, eager, person, running_match

pytestmark = pytest.mark.django_db(transaction=True)

Visitor = Callable[..., BrowserContext]


def _match(actions: int = 8) -> Match:
    match = running_match([person("ann"), person("bob")], seed=bytes(range(32)))
    for _ in range(actions):
        seat = match.seats.get(to_move=True).number
        act(match, eager(match, legal_texts(match, seat)), seat)
    commands.resign(match.pk, 0, "resigning-now")
    return match


def _open(visitor: Visitor, match: Match, query: str = "", **options: Any) -> Page:
    page = visitor(**options).new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.problems = problems  # type: ignore[attr-defined]  # read at the end of the test
    page.goto(f"/match/{match.slug}/replay/{query}")
    return page


def _number(page: Page, number: int) -> None:
    expect(page.locator("#replay")).to_have_attribute("data-number", str(number))


def test_arrow_keys_home_and_end_step_through_and_the_address_follows(visitor: Visitor) -> None:
    match = _match()
    page = _open(visitor, match)
    _number(page, 0)
    for key, number in (("End", 9), ("ArrowLeft", 8), ("ArrowLeft", 7), ("ArrowRight", 8), ("Home", 0), ("End", 9)):
        page.keyboard.press(key)
        _number(page, number)
    page.keyboard.press("Home")
    _number(page, 0)
    assert page.url.endswith("?at=0")
    assert page.problems == []  # type: ignore[attr-defined]  # set by _open


def test_autoplay_runs_to_the_end_and_stops(visitor: Visitor) -> None:
    match = _match(4)
    page = _open(visitor, match, "?at=0")
    page.select_option("#pace", "500")
    page.locator("body").press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    _number(page, 5)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    assert page.problems == []  # type: ignore[attr-defined]  # set by _open


def test_a_key_stops_autoplay(visitor: Visitor) -> None:
    page = _open(visitor, _match(), "?at=0")
    page.click("#play")
    _number(page, 1)
    page.keyboard.press("Home")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    _number(page, 0)


def test_the_number_and_the_point_of_view_lead_on(visitor: Visitor) -> None:
    page = _open(visitor, _match())
    page.fill("#jump", "3")
    page.locator("#jump").press("Enter")
    _number(page, 3)
    page.click("#view-1")
    expect(page.locator("#view-1")).to_have_attribute("aria-current", "true")
    _number(page, 3)
    page.click("#step-after")
    _number(page, 4)
    expect(page.locator("#view-1")).to_have_attribute("aria-current", "true")
    assert page.url.endswith("?at=4&seat=1")


CONTROLS = "#step-first, #step-before, #play, #step-after, #step-last, #pace, #slider"
PLACES = """async (controls) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return controls.map((it) => JSON.stringify(it.getBoundingClientRect()));
}"""
"""Where they stand once the page is painted."""


def test_the_controls_keep_still_while_one_steps(visitor: Visitor) -> None:
    """Forwards on a phone, and back in a wide window."""
    page = _open(visitor, _match(12), "?at=0")
    for width, step, numbers in ((360, "#step-after", range(1, 13)), (1280, "#step-before", range(11, -1, -1))):
        resize(page, {"width": width, "height": 740})
        expect(page.locator(CONTROLS).locator("visible=true")).to_have_count(CONTROLS.count("#"))
        places = page.locator(CONTROLS).evaluate_all(PLACES)
        for number in numbers:
            page.click(step)
            _number(page, number)
            assert page.locator(CONTROLS).evaluate_all(PLACES) == places, (width, number)
    assert page.problems == []  # type: ignore[attr-defined]  # set by _open


def test_the_slider_leads_to_any_position_and_keeps_the_point_of_view(visitor: Visitor) -> None:
    page = _open(visitor, _match(), "?at=2&seat=1")
    slider = page.locator("#slider")
    expect(slider).to_have_value("2")
    slider.fill("5")
    _number(page, 5)
    assert page.url.endswith("?at=5&seat=1")
    slider.press("ArrowRight")
    _number(page, 6)
    page.locator("#step-before").click()
    _number(page, 5)
    expect(slider).to_have_value("5")
    assert page.problems == []  # type: ignore[attr-defined]  # set by _open


def test_everything_works_without_a_script(visitor: Visitor) -> None:
    page = _open(visitor, _match(), java_script_enabled=False)
    page.click("#step-last")
    page.click("#step-before")
    _number(page, 8)
    page.fill("#jump", "2")
    page.click(".replay-jump button")
    _number(page, 2)
    page.click("#view-1")
    page.click("#step-after")
    _number(page, 3)
    assert page.url.endswith("?at=3&seat=1")
    for control in ("#play", "#pace", "#slider"):
        expect(page.locator(control)).to_be_hidden()
    expect(page.locator("#verify")).to_be_hidden()


# --- the check in the browser ---------------------------------------------------------------------------------------


def _with_another_first_draw(found: dict[str, Any]) -> dict[str, Any]:
    first = found["draws"][0]
    first["result"][:2] = first["result"][1::-1]
    return found


FORGED: list[tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = [
    (lambda found: found | {"server_seed": "11" * 32}, "The seed does not match the fingerprint"),
    (lambda found: found | {"commit": "11" * 32}, "The seed does not match the fingerprint"),
    (lambda found: found | {"joined": [0, 1, 2]}, "The order of seats is not the one drawn from the seed."),
    (lambda found: found | {"nonces": ["", "11"]}, "The draws do not come from this seed"),
    (lambda found: found | {"final_seed": "11" * 32}, "The draws do not come from this seed"),
    (_with_another_first_draw, "These draws come out differently: 0:deck"),
    (lambda found: found | {"seals": [{**_sealed(3, "a"), "text": "b"}]}, "These choices do not fit their seals: 3"),
]
"""What somebody could change in `draws.json`, and what the browser says of it."""


def test_the_browser_draws_everything_again_and_notices_whatever_was_forged(visitor: Visitor) -> None:
    page = _open(visitor, _match())
    page.click("#verify")
    result = page.locator("#verify-result")
    expect(result).to_have_attribute("data-good", "true")
    expect(result).to_contain_text("The seed matches the fingerprint on this page.")
    expect(result).to_contain_text("This browser kept nothing from this match")
    expect(result).to_contain_text("The order of seats was not drawn from the seed.")
    expect(result).to_contain_text("Every draw came out as recorded. Draws checked: 3")
    assert page.problems == []  # type: ignore[attr-defined]  # set by _open
    for change, sentence in FORGED:
        page.reload()
        _answer_with(page, change)
        page.click("#verify")
        expect(result).to_contain_text(sentence)
        expect(result).to_have_attribute("data-good", "false")
        page.unroute_all()


def _answer_with(page: Page, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=json.dumps(change(response.json())))

    page.route("**/draws.json", answer)


def test_the_browser_computes_the_published_test_vector(visitor: Visitor) -> None:
    page = _open(visitor, _match())
    seed, nonces = bytes(range(32)), [b"alice", b"bob"]
    final = fair.final_seed(seed, nonces)
    draws = [{"label": "0:deck", "kind": "shuffle", "n": 10, "result": [6, 0, 8, 1, 5, 9, 4, 7, 2, 3]}]
    draws += [{"label": "x", "kind": "below", "n": n, "result": _drawn(final, n)} for n in (1, 2, 3_000_000_000)]
    match = {
        "commit": "687fccbe1682747a8c45dc54adfbfb75cb9d93ad6489317c8c554251e011fb2d",
        "server_seed": seed.hex(),
        "nonces": [nonce.hex() for nonce in nonces],
        "joined": [1, 0],
        "final_seed": "c19b7bc318ec76217131807966d3eff641c31452fa5a62186188d23391a64ad3",
        "draws": draws,
        "seals": [_sealed(1, "play bP1l gK5w"), {**_sealed(2, "play gR5d bQ9w"), "text": "play gR5d bC#w"}],
    }
    found = page.evaluate(
        "async ([path, match]) => (await import(path)).verify(match.commit, match)",
        ["/static/history/verify.js", match],
    )
    assert found == {"commit": True, "seed": True, "order": True, "checked": 4, "wrong": [], "broken": [2]}
    forged = page.evaluate(
        "async ([path, match]) => (await import(path)).verify(match.commit, match)",
        ["/static/history/verify.js", match | {"joined": [0, 1]}],
    )
    assert not forged["order"]


def _sealed(number: int, text: str) -> dict[str, object]:
    """Return an action as `draws.json` tells it, with the seal it got when it was asked for."""
    commit, salt = "687fccbe1682747a8c45dc54adfbfb75cb9d93ad6489317c8c554251e011fb2d", bytes(range(16))
    told = {"number": number, "turn": 12, "seat": 1, "text": text, "salt": salt.hex()}
    return {**told, "seal": seal(commit, 12, 1, text, salt)}


def _drawn(seed: bytes, n: int) -> list[int]:
    stream = fair.Stream(seed, "x")
    return [stream.below(n) for _ in range(50)]
