"""The board in a real browser: by mouse, by touch, by keyboard and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from accounts.moments import today
from games.play import commands
from games.play.models import Action, Match
from games.play.reducer import positions
from games.play.reducer.positions import legal_texts
from games.titles.card_chess.board.wording import MARKS
from games.titles.phrases import listing
from tests.browser.axe import Theme, violations_in
from tests.browser.player import HASTE, anew, connected, in_a_moment
from tests.browser.windows import resize
from tests.people import act, person, running_match
from tests.serving import Site
from tests.site.bots.test_turns import against_bots

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
CUT = """(names) => names.filter(({ lastElementChild: name }) => {
  const { width } = name.getBoundingClientRect();
  return width > 1 && name.scrollWidth > Math.ceil(width);
}).map(({ textContent }) => textContent)"""
"""Names of which only a part can be read; those that are shown by their mark alone are one pixel wide."""
HEADING = """() => {
  const line = document.getElementById("status");
  const isReplaced = getComputedStyle(line).fontSize === "0px";
  return isReplaced ? JSON.parse(getComputedStyle(line, "::after").content) : line.textContent;
}"""
"""What the status line shows."""
ROWS = """(lines) => lines.map(({ children }) =>
  new Set([...children].map((piece) => piece.getBoundingClientRect().top)).size)"""
"""In how many rows the pieces stand."""
LINES = """(marks) => marks.map((mark) =>
  Math.round(mark.getBoundingClientRect().height / parseFloat(getComputedStyle(mark).lineHeight)))"""
"""In how many lines each is read."""
TOO_WIDE = """(table) => table.getBoundingClientRect().right
  - table.parentElement.getBoundingClientRect().right
  + parseFloat(getComputedStyle(table.parentElement).paddingRight)"""
"""By how many pixels a table reaches beyond what it lies in."""
GROWS = """(cell, names) => {
  const height = cell.offsetHeight;
  return names.filter((name) => {
    cell.lastChild.data = name;
    return cell.offsetHeight > height;
  });
}"""
"""Which of some names would not be read in one line."""
BEHIND_THE_GUIDE = """(cards) => {
  const guide = document.getElementById("guide").getBoundingClientRect();
  const isBehind = ({ left, right }) => left < guide.right && right > guide.left;
  return cards.filter((card) => isBehind(card.getBoundingClientRect())).length;
}"""
"""How many cards lie in the columns that the guide takes."""
TOLD = """async () => {
  const pile = document.querySelector(".pile.covered");
  const verdict = () => getComputedStyle(pile.querySelector(".verdict")).visibility;
  document.querySelector(".go-on").click();
  await new Promise(requestAnimationFrame);
  const before = verdict();
  await Promise.all(pile.getAnimations({ subtree: true }).map(({ finished }) => finished));
  return [before, verdict()];
}"""
"""Whether what comes of a pile is seen while its cards turn over, and after that."""
WAIT = """const later = setTimeout;
window.setTimeout = (job, time, ...rest) => later(job, time === 750 ? 1e6 : time, ...rest)"""
"""Lets the first pile wait, however slow the machine is."""
HASH_IN_HAND = bytes([7] * 32)
"""A seed with which the first player has a `#`."""
DESK = {"viewport": {"width": 1280, "height": 900}}
STILL = {"reduced_motion": "reduce"}

Enter = Callable[..., Page]
Fill = Callable[[Page], None]


@pytest.fixture
def players(live_site: Site) -> list[User]:
    return [person("ann"), person("bob")]


@pytest.fixture
def match(players: list[User]) -> Match:
    return begun(players)


def begun(users: list[User]) -> Match:
    return running_match(users, game="card-chess", options={"length": "one_challenge"}, seed=bytes(range(32)))


@pytest.fixture
def enter(enter: Callable[..., Page]) -> Enter:
    """Open a match as somebody, in a browser of their own; `page.complaints` collects its errors."""
    return lambda user, match, **options: enter(user, match.get_absolute_url(), **options)


def places(page: Page) -> int:
    return page.locator(".column").count()


def held(page: Page, slot: int) -> Any:
    return page.locator(f".held[data-slot='{slot}']")


def value(page: Page, slot: int) -> str:
    return str(page.locator(f"#card-{slot}").get_attribute("value"))


def last_text() -> str:
    return str(Action.objects.order_by("-number").values_list("text", flat=True)[0])


def answer(match: Match, seat: int = 1) -> None:
    """Let another seat confirm something."""
    act(match, legal_texts(match, seat)[0], seat)


# --- a match, in every way one can play -----------------------------------------------------------------------------

LAST_TURN = 5
"""The number of the last turn of a challenge, from 0."""


def go_on(page: Page) -> None:
    """Go on from the revealed turn, through what is left of it, if it is in the way."""
    while page.locator("html[data-reading]").count():
        page.locator(".go-on").dispatch_event("click")


def by_mouse(page: Page, order: Sequence[int] = (1, 2, 3, 4)) -> None:
    """Lay the cards of the hand on the table in this order, and confirm."""
    go_on(page)
    for number, card in enumerate(order[: places(page)], 1):
        held(page, card).click()
        page.locator(f"#place-{number}").click()
    page.locator("#confirm").click()


def by_taps(page: Page) -> None:
    go_on(page)
    for number in range(1, places(page) + 1):
        held(page, number).tap()
        page.locator(f"#place-{number}").tap()
    page.locator("#confirm").tap()


def by_keys(page: Page) -> None:
    while page.locator("html[data-reading]").count():
        page.keyboard.press("Escape")
    for number in range(1, places(page) + 1):
        page.keyboard.press(str(number))
        page.keyboard.press(str(number))
    page.keyboard.press("s")


def without_a_script(page: Page) -> None:
    for number in range(1, places(page) + 1):
        page.locator(f"#pick-{number}").select_option(index=number)
    page.locator("#confirm").click()


@pytest.mark.parametrize(
    ("fill", "options"), [(by_keys, DESK | STILL), (without_a_script, {**PHONE, "java_script_enabled": False})]
)
def test_a_match_can_be_begun_and_ended(
    enter: Enter, players: list[User], match: Match, fill: Fill, options: dict[str, Any]
) -> None:
    """Turns between are taken on another device; in `test_card_chess` every one is played, by taps on two phones."""
    page, scripted = enter(players[0], match, **options), options.get("java_script_enabled", True)
    while match.is_running:
        answer(match)
        if 0 < match.length // 2 < LAST_TURN:
            answer(match, seat=0)
            continue
        if not scripted:
            page.reload()
        expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
        cards = [value(page, number) for number in range(1, places(page) + 1)]
        fill(page)
        expect(page.locator("#match")).to_have_attribute("data-length", str(match.length + 1))
        assert last_text() == " ".join(["play", *cards])
        match.refresh_from_db()
    _tells_how_the_challenge_went(page, scripted)


def _tells_how_the_challenge_went(page: Page, scripted: bool = True) -> None:
    if scripted:
        expect(page.locator("html:not([data-telling])")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("the challenge")
    expect(page.locator("#all-challenges")).to_have_attribute("open", "")
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`


def play_a_turn(pages: list[Page], length: int) -> None:
    """Let everybody confirm by mouse; what the first confirms changes nothing on the boards of the others."""
    for number, page in enumerate(pages, 1):
        before = [each.locator("#board").inner_html() for each in pages[1:]]
        cards = [value(page, slot) for slot in range(1, places(page) + 1)]
        by_mouse(page)
        for each in pages:
            expect(each.locator("#match")).to_have_attribute("data-length", str(length + number))
        assert last_text() == " ".join(["play", *cards])
        if page is pages[0]:
            expect(page.locator(".place.sealed")).to_have_count(places(page))
            after = [each.locator("#board").inner_html() for each in pages[1:]]
            assert after == before
            for each in pages[1:]:
                expect(each.locator("#player-0:not(.to-move)")).to_be_visible()


def test_three_people_end_a_challenge_and_nobody_sees_what_is_sealed(enter: Enter, live_site: Site) -> None:
    people = [person(name) for name in ("ann", "bob", "cleo")]
    match = begun(people)
    for seat in (0, 1, 2) * LAST_TURN:
        answer(match, seat)
    pages = [connected(enter(user, match, **DESK, **STILL)) for user in people]
    play_a_turn(pages, match.length)
    piles = [page.locator(".piles").inner_html() for page in pages]
    assert pages[0].locator(".pile .took .mark").evaluate_all(LINES) == [1] * pages[0].locator(".pile .took").count()
    assert len({re.sub(r"You capture|\w+ captures", "", text) for text in piles}) == 3
    assert Action.objects.count() == 6 * 3
    for page in pages:
        _tells_how_the_challenge_went(page)


# --- choosing -------------------------------------------------------------------------------------------------------


def test_a_chosen_card_marks_what_it_captures_and_says_where_or_why_not(enter: Enter, players: list[User]) -> None:
    match = running_match(players, game="card-chess", seed=bytes([6] * 32))
    page = enter(players[0], match, **DESK)
    expect(page.locator(".m:visible")).to_have_count(0)
    held(page, 1).click()
    expect(page.locator(".m:visible")).to_have_count(3)
    for mark in page.locator(".m:visible").all():
        assert "m1" in str(mark.get_attribute("class")).split()
    held(page, 1).click()
    expect(page.locator(".m:visible")).to_have_count(0)
    _told_where_each_captures(page)


BROKEN = """(elements, [words, width]) => elements.flatMap((element) => words.filter((word) => {
  element.textContent = word;
  const { left, right } = element.getBoundingClientRect();
  return [...word.matchAll(/[^\\s-]+/g)].some(({ index, 0: { length } }) => {
    const range = new Range();
    range.setStart(element.firstChild, index);
    range.setEnd(element.firstChild, index + length);
    const box = range.getBoundingClientRect();
    return range.getClientRects().length > 1 || box.left < left - 1 || box.right > right + 1;
  });
}).map((word) => `${width}: ${word}`))"""
"""Which of some words would not be read whole in one of these elements."""
WHERE = """() => ["#felt", "#hand", "#show-guide", "#confirm"].map((part) =>
  document.querySelector(part).getBoundingClientRect().top)"""
"""How far down the table, the hand and the buttons are."""


def test_what_a_card_does_is_read_whole_in_every_language_and_pushes_nothing_away(
    enter: Enter, players: list[User]
) -> None:
    match = running_match(players, game="card-chess", seed=bytes([6] * 32))
    for seat in (0, 1):
        answer(match, seat)
    page = connected(enter(players[0], match, **DESK, **STILL))
    for language in ("en", "de", "it"):
        User.objects.filter(pk=players[0].pk).update(language=language)
        page.reload()
        with translation.override(language):
            says = [str(mark) for reason, mark in MARKS.items() if reason]
            can, blocks = translation.gettext("can capture"), translation.gettext("%(reason)s: blocks")
        for width, height in ((1280, 720), (360, 740)):
            resize(page, {"width": width, "height": height})
            before = page.evaluate(WHERE)
            for slot in range(1, 5):
                held(page, slot).click()
                assert page.locator("#hint").evaluate(f"(hint) => ({LINES})([hint])[0]") <= 2, language
                assert page.evaluate(WHERE) == before
            assert page.locator(".m:visible").evaluate_all(BROKEN, [[*says, can], width]) == [], language
            page.keyboard.press("Escape")
            page.locator("#stands summary").click()
            assert page.evaluate(WHERE) == before
            page.locator("#stands summary").click()
            page.locator("#show-turn").click()
            told = [*says, *(blocks % {"reason": MARKS[reason]} for reason in ("colour", "square"))]
            assert page.locator(".pile li:not(.took) .mark").evaluate_all(BROKEN, [told, width]) == [], language
            page.keyboard.press("Escape")


def test_cards_and_realms_explain_themselves_by_tap_and_by_keys(live_site: Site, enter: Enter) -> None:
    people = [person("ann"), person("bob")]
    match = running_match(people, game="card-chess", options={"length": "one_challenge"}, seed=HASH_IN_HAND)
    page = enter(people[0], match, **PHONE)
    hint = page.locator("#hint")
    page.locator("#target-2").tap()
    expect(hint).to_have_text(str(page.locator("#column-2").get_attribute("data-about")))
    page.locator("#place-1").focus()
    page.keyboard.press("Enter")
    expect(hint).to_have_text(re.compile("^Choose a card first. Pile 1: .*captured by"))
    slot = next(number for number in range(1, 5) if "#" in value(page, number))
    held(page, slot).tap()
    expect(hint).to_have_text(re.compile("^# captures only pawns, castles and ghost queens. Captures"))
    for column in page.locator(".column").all():
        mark = column.locator(f".m{slot}")
        expect(column).to_have_attribute("data-fits", str("yes" in str(mark.get_attribute("class"))).lower())
        said = re.compile(f"empty: {mark.text_content()}$")
        expect(column.locator("button.place")).to_have_attribute("aria-label", said)
    page.locator("#realms-0").tap()
    expect(page.locator("#won-0 > p")).to_contain_text("make a realm, worth 10 more")


def test_a_placed_card_can_be_taken_back_moved_and_exchanged(enter: Enter, players: list[User], match: Match) -> None:
    page = enter(players[0], match, **DESK)
    first = page.locator("#place-1")
    held(page, 2).click()
    first.click()
    expect(first).to_have_accessible_name(f"Place 1: {page.locator('#n-' + drawn(page, 2)).text_content()}")
    first.click()
    expect(page.locator("#card-2")).to_be_checked()
    page.locator("#place-3").click()
    expect(first).to_have_accessible_name("Place 1, empty")
    held(page, 4).click()
    page.locator("#place-3").click()
    expect(held(page, 2)).not_to_have_class("held placed")
    assert page.locator("#pick-3").input_value() == value(page, 4)


def drawn(page: Page, slot: int) -> str:
    return value(page, slot).replace("#", "x")


def _told_where_each_captures(page: Page) -> None:
    told = set()
    for slot in range(1, 5):
        held(page, slot).click()
        marked = page.locator(f".column:has(.m{slot}.yes)").evaluate_all("all => all.map((each) => each.dataset.place)")
        where = f"Captures on pile{'s' * (len(marked) > 1)} {listing(marked)}." if marked else "Captures nothing here."
        then = (
            "Now choose a pile." if marked else "Choose a pile to play it on, or keep it: one card stays in your hand."
        )
        hint = (
            f"# captures only pawns, castles and ghost queens. {where}"
            if "#" in value(page, slot)
            else f"{where} {then}"
        )
        expect(page.locator("#hint")).to_have_text(hint)
        told.add(len(marked))
    assert told == {0, 1, 2}


def test_confirming_waits_until_every_place_has_a_card(enter: Enter, players: list[User], match: Match) -> None:
    page = enter(players[0], match, **DESK, **STILL)
    _looks_the_same_under_the_mouse(page)
    held(page, 1).click()
    page.locator("#place-2").click()
    expect(page.locator("#confirm")).to_have_attribute("aria-disabled", "true")
    page.locator("#confirm").click(force=True)
    expect(page.locator("#hint")).to_have_text("Choose a card for every pile.")
    assert not Action.objects.exists()


def _looks_the_same_under_the_mouse(page: Page) -> None:
    button = page.locator("#confirm[aria-disabled=true]")
    look = "button => { const { color, backgroundColor } = getComputedStyle(button); return [color, backgroundColor]; }"
    before = button.evaluate(look)
    button.hover(force=True)
    page.wait_for_timeout(300)  # it changes its colour by and by
    assert button.evaluate(look) == before


def test_cards_are_dragged_to_places_between_them_and_back_or_brought_there_by_arrows(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = enter(players[0], match, **DESK)
    _drag(page)
    _go_by_arrows(anew(page))


def _drag(page: Page) -> None:
    held(page, 3).drag_to(page.locator("#place-1"))
    assert page.locator("#pick-1").input_value() == value(page, 3)
    page.locator("#place-1").drag_to(page.locator("#place-2"))
    assert [page.locator(f"#pick-{number}").input_value() for number in (1, 2)] == ["", value(page, 3)]
    page.locator("#place-2").drag_to(page.locator("#hand legend"), force=True)
    assert page.locator("#pick-2").input_value() == ""
    expect(page.locator("#hand :checked")).to_have_count(0)


def _go_by_arrows(page: Page) -> None:
    page.locator("#card-1").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert page.locator("#pick-2").input_value() == value(page, 3)
    expect(page.locator("#place-2")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#card-1")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".column:not([data-holds=''])")).to_have_count(0)


def test_a_half_made_choice_and_the_focus_survive_a_push(enter: Enter, players: list[User], match: Match) -> None:
    page = connected(enter(players[0], match, **DESK))
    held(page, 2).click()
    page.locator("#place-1").click()
    held(page, 3).click()
    page.locator("#place-3").focus()
    answer(match)
    expect(page.locator(".player:not(.to-move)")).to_have_count(1)
    assert page.locator("#pick-1").input_value() == value(page, 2)
    expect(page.locator("#place-1 use")).to_have_attribute("href", f"#c-{drawn(page, 2)}")
    expect(page.locator("#card-3")).to_be_checked()
    expect(page.locator("#place-3")).to_be_focused()


def test_what_was_confirmed_can_be_taken_back_and_is_still_laid_out(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = enter(players[0], match, **DESK)
    cards = [value(page, number) for number in (1, 2, 3)]
    by_mouse(page)
    expect(page.locator(".place.sealed")).to_have_count(3)
    expect(page.locator("#hint")).to_contain_text("you can take them back with Undo")
    expect(page.get_by_role("button", name="Restart turn")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("button.place")).to_have_count(3)
    assert [page.locator(f"#pick-{number}").input_value() for number in (1, 2, 3)] == cards


def test_placed_cards_survive_a_reload_and_a_look_at_the_rules(enter: Enter, players: list[User], match: Match) -> None:
    page = enter(players[0], match, **DESK)
    for slot, place in ((2, 1), (4, 3)):
        held(page, slot).click()
        page.locator(f"#place-{place}").click()
    cards = [page.locator(f"#pick-{number}").input_value() for number in (1, 2, 3)]
    assert cards == [value(page, 2), "", value(page, 4)]
    page.reload()
    assert [page.locator(f"#pick-{number}").input_value() for number in (1, 2, 3)] == cards
    page.goto("/rules/card-chess/")
    page.go_back()
    expect(page.locator(".held.placed")).to_have_count(2)
    assert [page.locator(f"#pick-{number}").input_value() for number in (1, 2, 3)] == cards


# --- the reveal -----------------------------------------------------------------------------------------------------


def test_who_plays_turns_the_piles_over_one_after_the_other_and_back(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = connected(enter(players[0], match, **DESK))
    answer(match)
    expect(page.locator("#match")).to_have_attribute("data-length", "1")
    by_mouse(page)
    expect(page.locator("#pile-number")).to_have_text("1 of 3")  # the first turns over by itself
    page.wait_for_timeout(2000)  # the others do not
    expect(page.locator(".pile.covered")).to_have_count(2)
    assert page.evaluate(HEADING) == "Reveal the cards, pile by pile."
    expect(page.locator("#last-turn h2")).to_have_text("Challenge 1, turn\xa01")
    assert page.evaluate(TOLD) == ["hidden", "visible"]
    for number in (1, 0):
        page.get_by_role("button", name="Previous pile").click()
        expect(page.locator("#pile-number")).to_have_text(f"{number} of 3")
    for left in (2, 1, 0):
        assert page.evaluate(HEADING) == "Reveal the cards, pile by pile."
        page.get_by_role("button", name="Reveal" if left == 2 else "Next pile", exact=True).click()
        expect(page.locator(".pile.covered")).to_have_count(left)
    assert page.evaluate(HEADING) == "All cards are revealed."
    expect(page.locator("#pile-number")).to_have_text("3 of 3")
    expect(page.locator("#show-piles")).to_be_hidden()
    page.wait_for_timeout(HASTE)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#hand")).to_be_visible()


def reveal(page: Page, match: Match, order: Sequence[int] = (1, 2, 3, 4)) -> None:
    """Let the other seat confirm, then this page, so that the turn is revealed on it."""
    answer(match)
    expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
    by_mouse(page, order)
    expect(page.locator("html[data-reading]")).to_have_count(1)


SPOILED = """() => {
  window.spoiled = 0;
  const look = () => {
    const key = document.getElementById("chess-board").dataset.revealed;
    const told = document.documentElement.dataset.telling === undefined;
    if (key && told && !window.finished) window.spoiled += 1;
    if (!window.finished) requestAnimationFrame(look);
  };
  look();
}"""
"""Counts the frames in which an outcome is painted before it is told."""


def test_while_a_turn_is_told_the_page_keeps_its_outcome_back(enter: Enter, players: list[User], match: Match) -> None:
    page = connected(enter(players[0], match, **DESK))
    hand = page.locator("#hand")
    before = page.locator(NUMBERS).all_text_contents()
    page.evaluate(SPOILED)
    reveal(page, match, order=(2, 1, 3))  # of which the first and the last capture
    page.evaluate("window.finished = true")
    assert page.evaluate("window.spoiled") == 0
    expect(page.locator(".pile.covered .verdict").first).to_be_hidden()
    for outcome in (hand, page.locator(".columns")):
        expect(outcome).to_be_hidden()
    assert page.locator(".pile.covered").count() > 1
    expect(page.locator(NUMBERS)).to_have_text(before)
    assert all(number.is_visible() for number in page.locator(NUMBERS).all())
    expect(page.locator("#log-lines [data-number='2']")).to_be_hidden()
    expect(page.locator("#log-lines [data-number='1']")).to_be_visible()
    assert page.locator("#status").evaluate("line => getComputedStyle(line).fontSize") == "0px"
    _grow_with_each_pile(page, before)
    go_on(page)
    for outcome in (hand, page.locator(".columns"), page.locator("#log-lines [data-number='2']")):
        expect(outcome).to_be_visible()
    assert page.locator("#status").evaluate("line => getComputedStyle(line).fontSize") != "0px"


def turn_over(page: Page, number: int) -> None:
    """Lead on until so many piles lie open, too quickly for a finger; the first turns over by itself."""
    expect(page.locator("#pile-number")).not_to_have_text(re.compile("^0 "))
    for _ in range(number - int(page.locator("#pile-number").inner_text().split()[0])):
        page.get_by_role("button", name="Next pile").dispatch_event("click")


NUMBERS = "[data-fact] dd, .holdings .points b, .holdings .tally b"
"""Gold and points of everybody beside their names, then their points and piles on the table."""
LOOKS = "(pieces) => pieces.map(({ outerHTML }) => outerHTML)"
"""Which pieces of a realm are there, and how often."""


def _grow_with_each_pile(page: Page, before: list[str]) -> None:
    """All numbers grow by a pile at once, the last when all is told, and stay when the board comes back."""
    turn_over(page, page.locator(".pile").count() - 1)
    told = page.locator(NUMBERS).all_text_contents()
    assert told == _grown(page, before, page.locator(".pile").count() - 2)
    assert told != _grown(page, before, 0)
    turn_over(page, page.locator(".pile").count())
    expect(page.locator("html[data-telling]")).to_have_count(0)
    after = _grown(page, before, page.locator(".pile").count())
    assert page.locator(NUMBERS).all_text_contents() == after
    realms = page.locator(".realm > *").evaluate_all(LOOKS)
    go_on(page)
    expect(page.locator(NUMBERS)).to_have_text(after)
    assert page.locator(".realm > *").evaluate_all(LOOKS) == realms


def _grown(page: Page, before: list[str], count: int) -> list[str]:
    """Return the numbers after so many piles of the first turn."""
    points, piles = [int(before[1]), int(before[3])], [0, 0]
    for pile in page.locator(".pile").all()[:count]:
        if (captor := pile.get_attribute("data-captor")) is not None:
            points[int(captor)] += int(str(pile.get_attribute("data-worth")))
            piles[int(captor)] += 1
    ann, bob = map(str, points)
    return [before[0], ann, before[2], bob, ann, str(piles[0]), bob, str(piles[1])]


def test_a_turn_that_is_told_from_the_past_adds_nothing_twice(enter: Enter, players: list[User], match: Match) -> None:
    for seat in (0, 1):
        answer(match, seat)
    page = connected(enter(players[0], match, **DESK))
    before = page.locator(NUMBERS).all_text_contents()
    page.locator("#what-happened").click()
    expect(page.locator("[data-fact] dd")).to_have_text(["0"] * 4)  # as they were then
    page.locator("#past-skip").click()
    expect(page.locator("html[data-reading]")).to_have_count(1)
    assert page.locator(".pile.taken").count() > 0
    go_on(page)
    expect(page.locator(NUMBERS)).to_have_text(before)


def test_the_log_keeps_the_outcome_back_though_the_next_turn_goes_on(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = connected(enter(players[0], match, **DESK))
    reveal(page, match)
    answer(Match.objects.get())
    expect(page.locator("#match")).to_have_attribute("data-length", "3")
    assert page.locator(".pile.covered").count() > 0
    expect(page.locator("#log-lines [data-number='2']")).to_be_hidden()


def test_a_reader_in_a_hurry_goes_on_by_key_and_plays_on(enter: Enter, players: list[User], match: Match) -> None:
    page = connected(enter(players[0], match, **DESK))
    answer(match)
    expect(page.locator("#match")).to_have_attribute("data-length", "1")
    by_keys(page)
    expect(page.locator("#last-turn .go-on")).to_be_focused()
    page.wait_for_timeout(HASTE)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Show all")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".pile.covered")).to_have_count(0)
    page.wait_for_timeout(HASTE)
    page.keyboard.press("Enter")
    expect(page.locator("html[data-reading]")).to_have_count(0)
    by_keys(page)
    expect(page.locator("#match")).to_have_attribute("data-length", "3")


def test_a_lesson_says_nothing_of_the_outcome_before_all_piles_are_told(visitor: Callable[..., BrowserContext]) -> None:
    page = visitor(**PHONE).new_page()
    page.goto("/learn/card-chess/first-challenge/?step=2")
    page.locator("#show").tap()
    expect(page.locator(".pile.covered")).not_to_have_count(0)
    for outcome in ("#praise", "#so-far"):
        expect(page.locator(outcome)).to_be_hidden()
    assert page.locator(".pile.covered").count() > 0
    expect(page.locator("#praise")).to_be_visible()
    expect(page.locator(".pile.covered")).to_have_count(0)


def test_each_pile_is_said_as_it_is_turned_over(enter: Enter, players: list[User], match: Match) -> None:
    page = connected(enter(players[0], match, **DESK))
    reveal(page, match)
    verdicts = page.locator(".verdict").all_text_contents()
    for number, verdict in enumerate(verdicts, 1):
        turn_over(page, number)
        expect(page.locator("#live")).to_contain_text(verdict)


def to_the_end_of_a_challenge(match: Match) -> None:
    """Let both seats confirm until the first challenge is over."""
    while not positions.decode_state(match).challenges:
        answer(match, match.seats.filter(to_move=True).order_by("-number")[0].number)


@pytest.mark.parametrize("options", [DESK, PHONE])
def test_the_end_of_a_challenge_stays_until_its_reader_goes_on(
    enter: Enter, players: list[User], options: dict[str, Any]
) -> None:
    match = running_match(players, game="card-chess", seed=bytes(range(32)))
    page = connected(enter(players[0], match, **options, **STILL))
    to_the_end_of_a_challenge(match)
    expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
    won = [str(gold) for gold in positions.decode_state(match).gold]
    for was_loaded in (False, True):
        expect(page.locator("#last-turn .counted")).to_contain_text("Challenge 1: you")
        expect(page.locator(f"#log-lines [data-number='{match.length}']")).to_be_hidden()
        gold = page.locator("[data-fact=gold] dd").all_text_contents()
        assert [each.partition("/")[0] for each in gold] == won
        assert [str(each.locator("svg").count()) for each in page.locator(".holdings .gold").all()] == won
        expect(page.get_by_role("table", name="Where the points came from")).to_be_visible()
        expect(page.locator("#hand")).to_be_hidden()
        assert page.evaluate(HEADING) == "The challenge is over."
        rows = page.locator(".counting .pieces").evaluate_all(ROWS)
        assert rows == [1, 1, 1]
        assert page.locator(".counting").evaluate(TOO_WIDE) <= 0
        languages = ("en",) if options is DESK else ("de", "it", "en")  # where it is narrower, words matter more
        for language in () if was_loaded else languages:
            User.objects.filter(pk=players[0].pk).update(language=language)
            page.reload()
            expect(page.locator(".counting")).to_be_visible()
            assert page.locator(".counting tbody th").last.evaluate(GROWS, ["Grandmaster", "Principiante"]) == []
            assert page.locator(".counting").evaluate(TOO_WIDE) <= 0, language
    answer(match)  # somebody else plays on
    expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
    expect(page.locator("#hand")).to_be_hidden()
    go_on(page)
    expect(page.locator("#hand")).to_be_visible()
    if options is DESK:
        expect(page.locator(f"#log-lines [data-number='{match.length - 1}']")).to_be_visible()
    assert page.evaluate(HEADING) == "Play a card on each of the three piles."
    page.reload()
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator("html[data-reading]")).to_have_count(0)


def test_on_a_phone_the_count_of_a_first_match_and_the_button_that_goes_on_are_in_sight(enter: Enter) -> None:
    newcomer = person(coached="")
    match = against_bots([newcomer], game="card-chess")
    page = connected(enter(newcomer, match, **PHONE, **STILL))
    expect(page.locator("#coach")).to_be_visible()
    to_the_end_of_a_challenge(match)
    expect(page.locator("#match")).to_have_attribute("data-length", str(match.length))
    for language in ("en", "de", "it"):
        User.objects.filter(pk=newcomer.pk).update(language=language)
        if language != "en":
            page.reload()
        expect(page.locator(".counting")).to_be_visible()
        # A page is scrolled by whole pixels: of the button's 44 less than one may lie below.
        expect(page.locator(".go-on")).to_be_in_viewport(ratio=43 / 44)
    page.wait_for_timeout(HASTE)
    page.locator(".go-on").tap()
    expect(page.locator("#hand")).to_be_visible()


def test_a_double_press_on_go_on_does_not_skip_the_end_of_a_challenge(enter: Enter, players: list[User]) -> None:
    match = running_match(players, game="card-chess", seed=bytes(range(32)))
    page = connected(enter(players[0], match, **DESK))
    page.evaluate(WAIT)
    with in_a_moment(page):
        to_the_end_of_a_challenge(match)
        expect(page.locator(".pile.covered")).not_to_have_count(0)
        page.locator("#show-piles").dblclick()  # the turn has only just come up
        expect(page.locator(".pile.covered")).not_to_have_count(0)
    page.wait_for_timeout(HASTE)
    page.locator("#show-piles").dblclick()
    expect(page.locator(".pile.covered")).to_have_count(0)
    expect(page.locator("#last-turn .counted")).to_be_hidden()
    page.wait_for_timeout(HASTE)
    page.locator(".go-on").dblclick()
    expect(page.locator("#last-turn .counted")).to_be_visible()
    expect(page.locator("html[data-telling]")).to_have_count(0)
    page.wait_for_timeout(HASTE)
    page.locator(".go-on").click()
    expect(page.locator("#hand")).to_be_visible()


COVERED = """() => {
  const boxOf = (id) => document.getElementById(id).getBoundingClientRect();
  const [lead, verbs, turn] = ["stands", "verbs", "last-turn"].map(boxOf);
  const whole = turn.height ? turn : { top: lead.top, bottom: verbs.bottom };
  return [whole.top, whole.bottom, scrollY].map(Math.round);
}"""
"""From where to where the table reaches with the hand and what is below it, or the turn that lies there."""


def _counts_after_the_last_pile(page: Page, covered: list[int]) -> None:
    """Turn over one pile after the other, then come to the count of the challenge, and once back and forth.

    All the while they lie where the table was, and the button that leads on stays where it is.
    """
    table = page.get_by_role("table", name="Where the points came from")
    expect(page.locator("html[data-telling]")).to_have_count(1)
    expect(page.locator("#last-turn")).to_be_visible()
    count = page.locator(".pile").count()
    box = page.locator(".go-on").bounding_box()
    assert box
    for number in range(1, count + 1):
        turn_over(page, number)
        expect(page.locator("#pile-number")).to_have_text(f"{number} of {count}")
        expect(page.locator(".pile.covered")).to_have_count(count - number)
        expect(page.locator(".pile").nth(number - 1).locator(".verdict")).to_be_visible()
        expect(table).to_be_hidden()
    counts = page.get_by_role("button", name="Count the points")
    counts.dispatch_event("click")
    expect(table).to_be_visible()
    assert page.evaluate(HEADING) == "The challenge is over."
    for outcome in ("#stands", "#all-challenges", "#ending"):
        expect(page.locator(outcome)).to_be_hidden()
    assert page.evaluate(COVERED) == pytest.approx(covered, abs=1)
    below = page.locator(".go-on").bounding_box()
    assert below
    assert (below["x"], below["y"]) == pytest.approx((box["x"], box["y"]), abs=48)  # one button less is beside it
    page.get_by_role("button", name="Previous pile").click()
    expect(table).to_be_hidden()
    expect(page.locator(".pile .verdict").last).to_be_visible()
    counts.dispatch_event("click")
    expect(table).to_be_visible()
    expect(page.locator("#pile-number")).to_have_text("")


@pytest.mark.parametrize("options", [DESK, PHONE])
def test_the_last_pile_of_a_challenge_is_turned_over_before_its_count(
    enter: Enter, players: list[User], options: dict[str, Any]
) -> None:
    match = running_match(players, game="card-chess", seed=bytes(range(32)))
    to_the_last_action(match)
    page = connected(enter(players[0], match, **options))
    covered = page.evaluate(COVERED)
    answer(match, match.seats.get(to_move=True).number)
    _counts_after_the_last_pile(page, covered)
    match.refresh_from_db()
    won = [str(gold) for gold in positions.decode_state(match).gold]
    assert [str(each.locator("svg").count()) for each in page.locator(".holdings .gold").all()] == won
    go_on(page)
    expect(page.locator("#hand")).to_be_visible()


def to_the_last_action(match: Match) -> None:
    """Let both seats confirm until one of them is left to end the first challenge."""
    state = positions.decode_state(match)
    while state.deck or state.phase == 1 or not any(state.sealed):
        answer(match, match.seats.filter(to_move=True).order_by("-number")[0].number)
        state = positions.decode_state(match)


@pytest.mark.parametrize("options", [DESK, PHONE])
def test_the_last_turn_of_a_match_is_told_to_its_end(
    enter: Enter, players: list[User], match: Match, options: dict[str, Any]
) -> None:
    """All its piles are seen before the end of the match takes their place, which then is seen from the top on."""
    to_the_last_action(match)
    page = connected(enter(players[0], match, **options))
    covered = page.evaluate(COVERED)
    answer(match, match.seats.get(to_move=True).number)
    ending = page.locator("#ending")
    _counts_after_the_last_pile(page, covered)
    expect(ending).to_be_hidden()
    page.wait_for_timeout(HASTE)
    page.evaluate("scrollTo(0, 90)")
    page.get_by_role("button", name="See the result").click()
    expect(ending).to_be_visible()
    expect(ending.get_by_role("heading")).to_be_in_viewport(ratio=1)
    expect(page.locator("body > header")).to_be_in_viewport(ratio=1)
    expect(page.locator("#stands")).to_contain_text("Ended after 1 challenge")
    expect(page.locator("#all-challenges")).to_be_visible()
    for gone in ("#felt", "#hand", "#hint"):
        expect(page.locator(gone)).to_have_count(0)


LAYOUT = """() => [...document.querySelectorAll(".player, .player > :not(.badges), .rules-corner > *, .coach-mark")]
  .filter((part) => part.checkVisibility({ visibilityProperty: true })).map((part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    return [part.id || part.className, ...[left, top, width, height].map(Math.round)].join(" ");
  })"""
"""Where all lies that stands around the board."""


@pytest.mark.parametrize("options", [DESK, PHONE])
def test_the_end_of_a_match_leaves_all_where_it_is_until_it_is_told(enter: Enter, options: dict[str, Any]) -> None:
    newcomer = person(coached="")
    match = against_bots([newcomer], game="card-chess", options={"length": "one_challenge"})
    to_the_last_action(match)
    page = connected(enter(newcomer, match, **options))
    expect(page.locator(".coach-mark[data-shown]")).to_be_visible()
    before = page.evaluate(LAYOUT)
    length = match.length
    answer(match, match.seats.get(to_move=True).number)
    expect(page.locator("html[data-telling]")).to_have_count(1)
    expect(page.locator("#last-turn")).to_be_visible()
    assert page.evaluate(LAYOUT) == before
    if options is DESK:
        expect(page.locator(f"#log-lines [data-number='{length}']")).to_be_in_viewport()
        expect(page.locator(f"#log-lines [data-number='{length + 1}']")).to_be_hidden()
    go_on(page)
    expect(page.locator(".player .badge", has_text=re.compile("^(1st|2nd)$"))).to_have_count(2)


def test_who_sees_all_piles_at_the_end_of_a_challenge_sees_them_counted_and_none_faded(
    enter: Enter, players: list[User]
) -> None:
    match = running_match(players, game="card-chess", seed=bytes([3] * 32))
    to_the_last_action(match)
    page = connected(enter(players[0], match, **DESK))
    before = [int(points) for points in page.locator("[data-fact=points] dd").all_text_contents()]
    answer(match, match.seats.get(to_move=True).number)
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    page.wait_for_timeout(HASTE)
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".pile.covered")).to_have_count(0)
    expect(page.locator(".pile").last).to_contain_class("taken")
    for pile in page.locator(".pile.taken").all():
        before[int(str(pile.get_attribute("data-captor")))] += int(str(pile.get_attribute("data-worth")))
    expect(page.locator("[data-fact=points] dd")).to_have_text([str(points) for points in before])
    faded = "all => all.filter((each) => getComputedStyle(each).opacity !== '1').length"
    assert page.locator(".pile :is(.target, .turned)").evaluate_all(faded) == 0


NAMES = """(names) => names.map((name) => [name.scrollWidth > name.clientWidth, name.getBoundingClientRect().height])"""
"""Whether a name is cut, and how high it is."""


def test_above_the_cards_of_a_turn_names_are_whole_and_the_cards_level(enter: Enter) -> None:
    reader = person(language="it")
    match = against_bots([reader], game="card-chess")
    page = connected(enter(reader, match, viewport={"width": 1280, "height": 800}, **STILL))
    for seat in (0, 1):
        answer(match, seat)
    names = page.locator(".pile .who b")
    expect(names.last).to_have_text("Principiante")
    looks = names.evaluate_all(NAMES)
    assert [is_cut for is_cut, _ in looks] == [False] * 6
    assert len({height for _, height in looks}) == 1
    tops = page.locator(".pile .turned").evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")
    assert max(tops) - min(tops) < 1


def test_a_single_pile_is_spoken_of_as_one(enter: Enter, players: list[User]) -> None:
    match = running_match(players, game="card-chess", seed=bytes([1] * 32))
    to_the_last_action(match)
    seat = match.seats.get(to_move=True).number
    page = connected(enter(players[seat], match, **DESK))
    assert places(page) == 1
    expect(page.locator("#hint")).to_have_text("Choose a card from your hand, then the pile. Each dot (●) is a point.")
    page.evaluate(WAIT)
    by_mouse(page)
    expect(page.locator("html[data-reading]")).to_have_count(1)
    assert page.evaluate(HEADING) == "Reveal the cards."


def test_who_steps_to_the_end_of_a_match_goes_on_from_there(enter: Enter, players: list[User], match: Match) -> None:
    to_the_last_action(match)
    page = connected(enter(players[0], match, **DESK))
    answer(match, match.seats.get(to_move=True).number)
    expect(page.locator("html[data-telling]")).to_have_count(1)
    page.evaluate("for (const _ of document.querySelectorAll('.pile')) document.getElementById('pile-after').click()")
    page.wait_for_timeout(1500)  # longer than it takes to turn a pile over
    expect(page.locator("#ending")).to_be_hidden()
    go_on(page)
    expect(page.locator("#ending")).to_be_visible()


def test_a_turn_opens_with_its_heading_though_the_page_was_scrolled(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = connected(enter(players[0], match, viewport={"width": 1280, "height": 600}))
    answer(match)
    expect(page.locator("#match")).to_have_attribute("data-length", "1")
    for number in range(1, places(page) + 1):
        held(page, number).click()
        page.locator(f"#place-{number}").click()
    page.locator("#confirm").evaluate("button => scrollTo(0, button.getBoundingClientRect().top + scrollY - 200)")
    assert page.evaluate("scrollY") > 0
    page.keyboard.press("s")
    expect(page.locator("html[data-reading]")).to_have_count(1)
    heading = page.locator("#last-turn h2").bounding_box()
    bar = page.locator(".match-status").bounding_box()
    assert heading
    assert bar
    assert heading["y"] >= bar["y"] + bar["height"]


def test_in_a_replay_the_end_of_a_challenge_is_in_view(enter: Enter, players: list[User]) -> None:
    match = running_match(players, game="card-chess", seed=bytes(range(32)))
    to_the_end_of_a_challenge(match)
    page = enter(players[0], match, **DESK)
    for width, height in ((1280, 900), (360, 740)):
        resize(page, {"width": width, "height": height})
        page.goto(f"{match.get_absolute_url()}replay/?at={match.length}&seat=0")
        expect(page.get_by_role("table", name="Where the points came from")).to_be_visible()
        expect(page.locator("#last-turn .verdict").first).to_be_visible()
        page.get_by_role("button", name="Previous pile").click()
        expect(page.locator(".pile.covered")).to_have_count(1)
        page.locator("#step-before").click()
        expect(page.locator(".counting")).to_have_count(0)


def test_on_a_phone_a_dot_tells_who_comes_back_of_the_last_turn(
    enter: Enter, players: list[User], match: Match
) -> None:
    for seat in (0, 1):
        answer(match, seat)
    page = enter(players[0], match, **PHONE)
    unseen = page.locator("html[data-unseen]")
    for _ in range(2):
        expect(unseen).to_have_count(1)
        expect(page.locator("#hand")).to_be_visible()
        expect(page.locator("#last-turn")).to_be_hidden()
        page.reload()
    page.locator("#show-turn").tap()
    expect(page.locator(".pile.covered")).to_have_count(0)
    expect(unseen).to_have_count(0)
    assert page.locator(".pile .who").evaluate_all(CUT) == []
    expect(page.locator(".legend")).to_have_text(re.compile(r"^\s*You\s*bob\s*$"))
    go_on(page)
    page.reload()
    expect(page.locator("#hand")).to_be_visible()
    expect(unseen).to_have_count(0)


def test_with_less_motion_all_piles_are_shown_at_once_and_stay_in_the_first_match(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = connected(enter(players[0], match, **DESK, **STILL))
    reveal(page, match)
    expect(page.locator(".pile")).to_have_count(3)
    expect(page.locator(".pile.covered")).to_have_count(0)
    assert page.evaluate(HEADING) == "All cards are revealed."
    page.wait_for_timeout(HASTE)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#hand")).to_be_visible()
    another = begun(players)
    page.goto(another.get_absolute_url())
    connected(page)
    answer(another)
    expect(page.locator("#match")).to_have_attribute("data-length", "1")
    by_mouse(page)
    expect(page.locator("#match")).to_have_attribute("data-length", "2")
    expect(page.locator("html[data-reading]")).to_have_count(0)


def test_on_a_phone_the_last_turn_lies_on_the_table_and_can_be_called_again(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = connected(enter(players[0], match, **PHONE))
    answer(match)
    expect(page.locator("#match")).to_have_attribute("data-length", "1")
    by_taps(page)
    expect(page.locator("#last-turn")).to_be_visible()
    table, turn = (page.locator(part).bounding_box() for part in ("#felt", "#last-turn"))
    assert table
    assert turn
    assert turn["y"] <= table["y"]
    assert turn["y"] + turn["height"] >= table["y"] + table["height"]
    page.wait_for_timeout(HASTE)
    page.get_by_role("button", name="Show all").tap()
    expect(page.locator(".pile.covered")).to_have_count(0)
    page.wait_for_timeout(HASTE)
    page.get_by_role("button", name="Continue").tap()
    expect(page.locator("#last-turn")).not_to_be_visible()
    page.locator("#show-turn").tap()
    expect(page.locator("#last-turn")).to_be_visible()
    expect(page.locator(".pile.covered")).to_have_count(0)
    assert page.evaluate(HEADING) == "Previous turn"
    expect(page.locator(".go-on")).to_have_text("Back to the board")
    page.keyboard.press("Escape")
    expect(page.locator("#last-turn")).not_to_be_visible()


def test_the_guide_is_one_tap_away_with_and_without_a_script(enter: Enter, players: list[User], match: Match) -> None:
    for script in (True, False):
        page = enter(players[0], match, **PHONE, java_script_enabled=script)
        page.locator("#show-guide").tap()
        expect(page.get_by_role("heading", name="At least as strong")).to_be_visible()


def test_the_guide_covers_no_card_of_a_lesson_or_puzzle(visitor: Callable[..., BrowserContext]) -> None:
    page = visitor(**DESK).new_page()
    for address in ("/learn/card-chess/first-challenge/", f"/puzzles/card-chess/{today()}/"):
        page.goto(address)
        page.locator("#show-guide").click()
        cards = page.locator(":is(#columns, #hand) svg.face:visible")
        assert cards.count() >= 7, address
        assert not cards.evaluate_all(BEHIND_THE_GUIDE), address


TO_ITS_END = """(guide) => {
  guide.scrollTop = guide.scrollHeight;
  const [last] = [...guide.querySelectorAll("p")].slice(-1);
  return [guide, last].map((part) => Math.ceil(part.getBoundingClientRect().bottom - innerHeight));
}"""
"""How far the guide, and then its last line, reach below the window once it is scrolled to its end."""


def test_the_guide_ends_in_the_window_and_is_read_to_its_end_while_the_page_stays(
    visitor: Callable[..., BrowserContext], match: Match
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800}).new_page()
    over = running_match([person(), person()], game="card-chess")
    commands.resign(over.pk, 0, "resigning-now")
    lesson, puzzle = "/learn/card-chess/first-challenge/", f"/puzzles/card-chess/{today()}/"
    for address in (match.get_absolute_url(), lesson, puzzle, reverse("replay", args=[over.slug])):
        page.goto(address)
        page.locator("#show-guide").click()
        guide = page.locator("#guide")
        box = guide.bounding_box()
        assert box
        stays = page.evaluate("scrollY")
        page.mouse.move(box["x"] + 100, box["y"] + 200)
        page.mouse.wheel(0, 10_000)
        expect(guide).not_to_have_js_property("scrollTop", 0)
        assert all(below < 0 for below in guide.evaluate(TO_ITS_END)), address
        page.mouse.wheel(0, 10_000)
        assert page.evaluate("scrollY") == stays, address


# --- everybody ------------------------------------------------------------------------------------------------------


def test_the_board_has_no_findings_and_fits(enter: Enter, players: list[User], match: Match) -> None:
    for seat in (0, 1):
        answer(match, seat)
    page = enter(players[0], match, viewport={"width": 320, "height": 740}, **STILL)
    for summary in page.locator("#chess-board summary").all():
        summary.click()
    held(page, 1).click()
    themes: dict[int, Theme] = {320: "dark", 1280: "light"}
    for width, theme in themes.items():
        resize(page, {"width": width, "height": 740})
        assert violations_in(page, theme) == []
        for button in ("#show-guide", "#show-turn"):
            if page.locator(button).is_visible():
                page.locator(button).click()
                assert violations_in(page, theme) == []
                page.keyboard.press("Escape")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
