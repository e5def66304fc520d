"""The board on a phone: everything needed for a turn is visible at once, with any number of players."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

import pytest
from django.utils import translation
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from games.engine.protocol import Seat
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from games.titles.shifting_stones.board import words
from games.titles.shifting_stones.board.drawing import hand_card
from games.titles.shifting_stones.board.wording import bonus
from tests.browser.matches import begun, finished, play_until_turn_of
from tests.browser.player import connected, opened_at
from tests.browser.windows import resize
from tests.people import act, person, running_match
from tests.serving import Site

SMALL: ViewportSize = {"width": 360, "height": 640}
PHONES = [(360, 640), (390, 664)]
LANGUAGES = ("en", "de", "it")
NAMES = ("ann", "bob", "cleopatra", "dai", "maximilian")
PARTS = ("#status", "#players", "#stones-board .guide", "#stones", "#hand", ".verbs")

BOXES = """(parts) => Object.fromEntries(parts.map((part) => {
  const { top, bottom, left, right } = document.querySelector(part).getBoundingClientRect();
  return [part, { top, bottom, left, right }];
}))"""


def boxes(page: Page, parts: Sequence[str] = PARTS) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = page.evaluate(BOXES, list(parts))
    return found


@pytest.fixture(params=[1, 2, 3, 4, 5])
def match(live_site: Site, request: pytest.FixtureRequest) -> Match:
    """A match some rounds old with a clock; ann is to move."""
    people = [person(name) for name in NAMES[: request.param]]
    return play_until_turn_of(begun(people, 9 * request.param, clock="300+10/600"), 0)


def test_board_hand_and_buttons_are_in_sight_at_once(enter: Callable[..., Page], match: Match) -> None:
    page = enter(match.seats.get(number=0).user, match.get_absolute_url(), viewport=SMALL)
    for width, height in PHONES:
        resize(page, {"width": width, "height": height})
        _stand_in_order(page, width, height)


def _stand_in_order(page: Page, width: int, height: int) -> None:
    expect(page.locator("#hint")).to_be_visible()
    found = boxes(page)
    assert page.evaluate("scrollY") == 0
    in_order = [found[part] for part in PARTS]
    for upper, lower in pairwise(in_order):
        assert upper["bottom"] <= lower["top"] + 1, found
    assert found[".verbs"]["bottom"] <= height
    assert all(box["left"] >= 0 and box["right"] <= width for box in in_order)
    assert found["#stones"]["right"] - found["#stones"]["left"] >= 200
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", ["de", "it"])
def test_long_words_about_the_turn_push_nothing_out_of_sight(
    enter: Callable[..., Page], live_site: Site, language: str
) -> None:
    people = [person(name, language=language) for name in NAMES[:3]]
    match = play_until_turn_of(begun(people, 27, clock="300+10/600"), 0)
    page = connected(enter(people[0], match.get_absolute_url(), viewport=SMALL, locale=language))
    for verb in ("#verb-flip", None):
        _in_sight_from_top_to_bottom(page, PARTS)
        if verb:
            page.locator("#hand label").first.click()
            page.locator("label:has(#cell-a1)").click()
            page.locator(verb).click()
            expect(page.locator("#undo")).to_be_visible()


def test_the_header_of_a_match_fits_whatever_the_width(enter: Callable[..., Page], live_site: Site) -> None:
    people = [person("Wilhelmine-von-Waldau"), person("bob")]
    page = enter(people[0], begun(people).get_absolute_url(), viewport={"width": 1280, "height": 800})
    for width in (320, 640, 830, 840, 900, 1000, 1080, 1100, 1190, 1200):
        resize(page, {"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


CUT = """(parts) => parts.filter((part) => part.checkVisibility() && part.scrollWidth > part.clientWidth)
  .map(({ textContent }) => textContent)"""


ANOTHER_WAITS = "document.getElementById('waiting').hidden = false"

WIDTHS = """(list) => {
  const shown = list.offsetWidth;
  list.style.inlineSize = "max-content";
  return { shown, whole: list.offsetWidth };
}"""
"""How wide a list is, and how wide its longest choice needs it to be."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_of_a_match_cuts_no_name_and_says_that_another_waits_before_it_says_who_reads(
    enter: Callable[..., Page], live_site: Site, language: str
) -> None:
    guest, bob = person("Guest-Brave-Sparrow", language=language, guest=True), person("bob")
    match = running_match([guest, bob], game="card-chess", clock="300+10/600")
    page = enter(guest, match.get_absolute_url(), locale=language)
    page.evaluate(ANOTHER_WAITS)
    for width in (768, 1280):
        resize(page, {"width": width, "height": 800})
        assert page.locator(".about > *, .menu-name").evaluate_all(CUT) == []
    member = person("Wilhelmine-von-Waldau", language=language)
    match = running_match([member, bob], clock="300+10/600")
    page = enter(member, match.get_absolute_url(), viewport={"width": 1200, "height": 800}, locale=language)
    page.evaluate(ANOTHER_WAITS)
    assert page.locator("#waiting").evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)") >= 12
    assert page.locator(".about > b").evaluate_all(CUT) == []


def test_the_header_of_a_match_leaves_a_name_in_one_line_while_there_is_room(
    enter: Callable[..., Page], live_site: Site
) -> None:
    mia, bob = person("MiaCastle12"), person("bob")
    page = enter(mia, running_match([mia, bob]).get_absolute_url(), viewport={"width": 1280, "height": 800})
    name = page.locator(".menu-name")
    assert name.evaluate("(it) => it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight)") < 1.5


LINES = """(hint, words) => words.filter((text) => {
  hint.textContent = text.replace("{0}", "a1").replace("{1}", "b1");
  return hint.scrollHeight > 1.5 * parseFloat(getComputedStyle(hint).lineHeight);
})"""
"""Which sentences do not fit one line of the hint."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_about_a_turn_fit_and_its_buttons_are_wide_enough_and_keep_still_when_they_change(
    enter: Callable[..., Page], live_site: Site, language: str
) -> None:
    people = [person("ann", language=language, hints=False), person("bob")]  # to whom Score is always in reach
    match = play_until_turn_of(begun(people, 5), 0)
    page = enter(people[0], "about:blank", locale=language)
    for width in (320,) if language == "en" else (320, 360, 768):  # nearly all texts are longer in the others
        connected(opened_at(page, match.get_absolute_url(), width, 740))
        expect(page.locator("html")).to_have_attribute("lang", language)
        _keeps_its_buttons_while_one_flips(page)
        page.locator("#undo").click()
        expect(page.locator("#undo")).to_be_hidden()
    for width in (1280, 1920):
        resize(page, {"width": width, "height": 740})
        _fit_and_keep_their_places_with_the_last_card(page)
    resize(page, SMALL)
    expect(page.locator(".pairs span")).to_be_visible()
    guide = boxes(page, (".guide",))[".guide"]
    assert guide["right"] - guide["left"] >= 200  # what the words beside it leave
    with translation.override(language):
        cards = [hand_card(card, scores=True, bonus=not last, last=last) for card, last in ((1, False), (20, True))]
        pays = re.findall(r'data-pays="([^"]+)"', "".join(cards))
        assert page.locator("#hint").evaluate(LINES, [*words().values(), *pays]) == []
        assert page.locator(".seat-facts").first.evaluate(HIGHER_WITH_BONUS, bonus()) == 0


HIGHER_WITH_BONUS = """(facts, bonus) => {
  const before = facts.offsetHeight;
  const [points, scored, hand] = facts.querySelectorAll("dd");
  points.innerHTML = `24<span class="pending"> ${bonus}</span>`;
  [scored.textContent, hand.textContent] = ["10/10", "6"];
  return facts.offsetHeight - before;
}"""
"""How much higher the numbers of a player become with as many digits as they can have."""

HOLD = "(hand, cards) => { hand.dataset.cards = cards }"


def _fit_and_keep_their_places_with_the_last_card(page: Page) -> None:
    """Check that the buttons have room for their words, and for what the last card does too."""
    buttons, hand = page.locator("#verbs button"), page.locator("#hand")
    held, verbs = hand.get_attribute("data-cards"), boxes(page)[".verbs"]
    assert buttons.evaluate_all(TIGHT) == []
    hand.evaluate(HOLD, "1")
    assert page.locator("#verbs small:visible").count() == 3
    assert buttons.evaluate_all(TIGHT) == []
    assert boxes(page)[".verbs"] == verbs
    hand.evaluate(HOLD, held)


def _keeps_its_buttons_while_one_flips(page: Page) -> None:
    expect(page.locator("#verb-flip")).to_be_visible()
    _fit_and_keep_their_places_with_the_last_card(page)
    told, top = page.locator("#status").inner_text(), _top_of_verbs(page)
    page.locator("#hand label").first.click()
    page.locator("label:has(#cell-a1)").click()
    expect(page.locator("#hint")).to_contain_text("a1")
    expect(page.locator("#player-1 .known")).to_have_count(1)  # whether bob is here, which the page asks for at leisure
    assert _top_of_verbs(page) == top
    page.locator("#verb-flip").click()
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#hint")).not_to_contain_text("a1")
    assert page.locator("#status").inner_text() != told
    assert _top_of_verbs(page) == top
    found = boxes(page, ("#status", "#undo"))
    assert found["#status"]["right"] <= found["#undo"]["left"]
    assert page.locator("#undo").evaluate_all(TIGHT) == []


def _top_of_verbs(page: Page) -> float:
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # a click may have scrolled to its button
    return boxes(page)[".verbs"]["top"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tools_of_a_match_are_one_press_away_and_do_not_overlap(
    enter: Callable[..., Page], live_site: Site, language: str
) -> None:
    people = [person("ann", language=language), person("bob")]
    match = play_until_turn_of(begun(people, 5), 0)
    page = enter(people[0], match.get_absolute_url(), viewport=SMALL, locale=language)
    expect(page.locator("#leave")).to_be_hidden()
    page.locator("#more").click()
    found = boxes(page, ("#leave", "#what-happened", "#open-log"))
    for left, right in pairwise(found.values()):
        assert left["right"] <= right["left"]
        assert left["bottom"] <= SMALL["height"]
    assert page.evaluate("scrollY") == 0
    assert page.locator("#what-happened").evaluate_all(TIGHT) == []
    page.locator("#leave").click()
    expect(page.locator("#tools")).to_be_hidden()
    expect(page.locator("#resign")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_and_levels_of_bots_are_whole_in_the_lobby(
    enter: Callable[..., Page], live_site: Site, language: str
) -> None:
    page = enter(person("ann", language=language), "/lobby/", viewport=SMALL, locale=language)
    wide = page.locator(".play-now select").evaluate(WIDTHS)
    assert wide["shown"] >= wide["whole"]
    for width in (SMALL["width"], 430, 1280):
        page.set_viewport_size({"width": width, "height": SMALL["height"]})
        assert page.locator(".play-now .segments").evaluate_all(CUT) == [], width


SCORES_AT_THE_EDGE = bytes(31) + b"\x06"
"""A deal in which the last of six cards can be scored at once."""

STICKING_OUT = "(cards) => cards.filter((card) => card.scrollWidth > card.clientWidth + 4).map((card) => card.id)"
"""Cards out of which more sticks than the two pixels of their mark on either side."""


def test_a_hand_of_six_is_one_row(enter: Callable[..., Page], live_site: Site) -> None:
    people = [person("ann"), person("bob")]
    match = running_match(people, seed=SCORES_AT_THE_EDGE)
    for text in ("skip", "skip"):
        act(match, text)
    page = enter(people[0], match.get_absolute_url(), viewport=SMALL)
    for width, height in (*PHONES, (320, 740)):
        resize(page, {"width": width, "height": height})
        cards = page.locator("#hand .pattern")
        tops = cards.evaluate_all("(cards) => cards.map((card) => card.getBoundingClientRect().top)")
        assert (len(tops), len(set(tops))) == (6, 1)
        expect(cards.last.get_by_role("radio")).to_have_accessible_name(re.compile("Scores now$"))
        assert cards.evaluate_all(STICKING_OUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


OTHERS = {
    "card-chess": ("#status", "#players", "#columns", "#hand", "#confirm"),
    "small-islands": ("#status", "#players", "#map", "#row", "#verb-send"),
}
TABLES = [(slug, seats) for slug in OTHERS for seats in games()[slug].seats]


@pytest.mark.parametrize(("slug", "seats"), TABLES)
def test_table_hand_and_the_decisive_button_are_in_sight_in_the_other_games(
    enter: Callable[..., Page], live_site: Site, slug: str, seats: int
) -> None:
    people = [person(name) for name in NAMES[:seats]]
    match = _at_the_turn_of_the_first(slug, people)
    page = enter(people[0], match.get_absolute_url(), viewport=SMALL)
    _in_sight_from_top_to_bottom(page, OTHERS[slug])
    if slug == "card-chess" and seats > 1:  # whoever waits there still has a hand
        act(match, positions.legal_texts(match, 0)[0], 0)
        page.reload()
        _in_sight_from_top_to_bottom(page, ("#status", "#players", "#columns", "#hand", ".verbs"))


def test_what_is_too_wide_keeps_nothing_that_is_pinned_out_of_sight(
    enter: Callable[..., Page], live_site: Site
) -> None:
    """On a phone a page that can be zoomed out to show what is too wide lays all that is pinned out for that."""
    ann = person("ann")
    match = running_match([ann, person("bob")], game="small-islands", seed=bytes(32))
    page = connected(enter(ann, match.get_absolute_url(), viewport=SMALL, is_mobile=True, has_touch=True))
    page.evaluate("""() => {
      const wide = document.createElement("div");
      Object.assign(wide.style, { position: "absolute", insetInlineStart: 0, width: "391px", height: "1px" });
      document.body.append(wide);
    }""")
    assert page.evaluate("document.documentElement.scrollWidth") == 391
    assert page.evaluate("innerHeight") == SMALL["height"]
    assert boxes(page, ("#verbs",))["#verbs"]["bottom"] <= SMALL["height"]


def test_a_ship_is_in_reach_when_one_may_land(enter: Callable[..., Page], live_site: Site) -> None:
    people = [person("ann"), person("bob")]
    match = _at_the_turn_of_the_first("small-islands", people)
    while not any(text.startswith("land ") for text in positions.legal_texts(match, 0)):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        act(match, positions.legal_texts(match, seat)[0], seat)
    page = enter(people[0], match.get_absolute_url(), viewport=SMALL)
    _in_sight_from_top_to_bottom(page, ("#status", "#players", "#map", "#row", "#ships", "#verb-send"))


def test_whoever_has_no_ship_left_sees_whose_is_left_and_all_tiles(enter: Callable[..., Page], live_site: Site) -> None:
    people = [person("ann"), person("bob")]
    match = _at_the_turn_of_the_first("small-islands", people)
    while not _may_explore_alone(match):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        texts = positions.legal_texts(match, seat)
        landing = f"land {'grey' if seat else 'own'}"
        act(match, next((text for text in texts if text.startswith(landing)), texts[0]), seat)
    page = enter(people[0], match.get_absolute_url(), viewport={"width": 360, "height": 740})
    for language in LANGUAGES:
        User.objects.filter(pk=people[0].pk).update(language=language)
        page.reload()
        expect(page.locator("#stands")).to_contain_text("bob")
        expect(page.locator("#hint")).not_to_be_empty()
        found = boxes(page, ("#row .tile", ".offers"))
        assert found["#row .tile"]["bottom"] <= found[".offers"]["top"], language


def _may_explore_alone(match: Match) -> bool:
    """Return whether it is the first player's turn to explore, when others may land and they have no ship left."""
    match.refresh_from_db()
    view = match.rules.view_for(positions.decode_state(match), Seat(0))
    return _explores(match) and not view.table.navigation and not view.ships


def _at_the_turn_of_the_first(slug: str, people: Sequence[User]) -> Match:
    match = running_match(people, game=slug, clock="300+10/600", seed=bytes(32))
    while slug == "small-islands" and not _explores(match):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        act(match, positions.legal_texts(match, seat)[0], seat)
    return match


def _in_sight_from_top_to_bottom(page: Page, parts: Sequence[str]) -> None:
    for part in parts:
        expect(page.locator(part)).to_be_visible()
    found = boxes(page, parts)
    assert page.evaluate("scrollY") == 0
    for upper, lower in pairwise(found[part] for part in parts):
        assert upper["bottom"] <= lower["top"] + 1, found
    assert found[parts[-1]]["bottom"] <= SMALL["height"]
    assert all(0 <= box["left"] < box["right"] <= SMALL["width"] for box in found.values())
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]


def _explores(match: Match) -> bool:
    """Return whether it is the first player's turn to choose tiles."""
    match.refresh_from_db()
    state = positions.decode_state(match)
    return bool(match.rules.view_for(state, Seat(0)).table.phase == "explore" and match.seats.get(number=0).to_move)


def test_long_words_on_the_buttons_of_a_finished_match_do_not_overlap(
    enter: Callable[..., Page], live_site: Site
) -> None:
    people = [person("ann", language="de"), person("bob")]
    page = enter(people[0], finished(people).get_absolute_url(), viewport={"width": 360, "height": 740}, locale="de")
    buttons = [page.locator(f"{part}:visible").bounding_box() for part in ("#to-replay", "#share", "#rematch")]
    for one, other in combinations([box for box in buttons if box], 2):
        beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        assert beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"], buttons
    assert all(buttons)


TIGHT = """(buttons) => buttons.filter((button) => {
  const words = document.createRange();
  words.selectNodeContents(button);
  const [text, box] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
  return text.left < box.left + 1 || text.right > box.right - 1;
}).map(({ textContent }) => textContent)"""
"""Buttons whose words touch their edges."""


def test_a_tap_beside_what_lies_over_the_board_only_closes_it(enter: Callable[..., Page], live_site: Site) -> None:
    people = [person("ann"), person("bob")]
    match = running_match(people, game="card-chess")
    page = connected(enter(people[0], match.get_absolute_url(), viewport={"width": 360, "height": 740}, has_touch=True))
    page.locator("#show-guide").tap()
    expect(page.locator("#guide")).to_be_visible()
    page.locator("#about").tap()
    for over in ("#guide", "#around"):
        expect(page.locator(over)).to_be_hidden()
    page.locator("#about").tap()
    expect(page.locator("#around")).to_be_visible()
