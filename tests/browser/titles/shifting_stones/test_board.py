"""The board in a real browser: by mouse, by touch, by keyboard and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Action, Match
from tests.browser.axe import violations_at_both_widths
from tests.browser.windows import resize
from tests.people import act, person, running_match
from tests.serving import Site

PHONE = {"viewport": {"width": 360, "height": 740}}

Enter = Callable[..., Page]


@pytest.fixture
def players(live_site: Site) -> list[User]:
    return [person("ann"), person("bob")]


@pytest.fixture
def match(players: list[User]) -> Match:
    return running_match(players, seed=bytes(range(32)))


@pytest.fixture
def enter(enter: Callable[..., Page], match: Match) -> Enter:
    """Open the match as a user, in their own browser."""
    return lambda user, **options: enter(user, match.get_absolute_url(), **options)


def texts() -> list[str]:
    return list(Action.objects.order_by("number").values_list("text", flat=True))


def hand(page: Page) -> list[str]:
    cards: list[str] = page.locator("#hand input").evaluate_all("(radios) => radios.map(({ value }) => value)")
    return cards


def stone(page: Page, cell: str) -> Any:
    return page.locator(f"#stones [data-cell={cell}]")


def faces(page: Page) -> list[str]:
    shown: list[str] = page.locator("#stones .stone").evaluate_all("(stones) => stones.map((it) => it.classList[1])")
    return shown


def test_a_card_and_two_stones_are_three_taps_and_the_other_player_sees_it(enter: Enter, players: list[User]) -> None:
    ours = enter(players[0], **PHONE, has_touch=True)
    theirs = enter(players[1])
    card, before = hand(ours)[0], faces(ours)
    expect(ours.locator("#hint")).to_have_text("Choose a glowing card, then Score.")
    ours.locator(f"label:has(#card-{card})").tap()
    expect(ours.locator(".ghost:visible")).to_have_id(f"ghost-{card}")
    stone(ours, "a1").tap()
    stone(ours, "b1").tap()
    expect(ours.locator(".ghost:visible")).to_have_count(0)
    expect(ours.locator("#hint")).to_have_text("Discard this card to shift a1 and b1.")
    ours.locator("#verb-shift").tap()
    expect(ours.locator(f"#card-{card}")).to_have_count(0)
    expect(theirs.locator("#log-lines")).to_contain_text(f"discarding card {card} ")
    assert texts() == [f"shift {card} a1 b1"]
    assert faces(ours) == faces(theirs) == [before[1], before[0], *before[2:]]
    assert ours.locator("#stones :checked").count() == 0


def test_a_verb_that_is_pressed_first_stays_chosen_until_it_has_what_it_needs(
    enter: Enter, players: list[User]
) -> None:
    page = enter(players[0], **PHONE)
    card, before = hand(page)[0], faces(page)
    hint, ready, pressed = page.locator("#hint"), page.locator(".verbs .ready"), page.locator(".verbs [aria-pressed]")
    page.locator("#verb-shift").click()
    expect(hint).to_have_text("Choose a card to discard.")
    page.locator(f"label:has(#card-{card})").click()
    expect(hint).to_have_text("Choose two adjacent stones.")
    stone(page, "a1").click()
    expect(hint).to_have_text("Choose a stone next to a1.")
    expect(ready).to_have_count(0)
    expect(pressed).to_have_id("verb-shift")
    page.keyboard.press("Escape")
    expect(pressed).to_have_count(0)
    stone(page, "a1").click()
    page.locator("#verb-shift").click()
    stone(page, "a2").click()
    page.locator(f"label:has(#card-{card})").click()
    expect(hint).to_have_text("Discard this card to shift a1 and a2.")
    ready.click()
    expect(page.locator(f"#card-{card}")).to_have_count(0)
    expect(pressed).to_have_count(0)
    assert texts() == [f"shift {card} a1 a2"]
    assert faces(page)[0] == before[3]


def test_who_ends_a_turn_with_stones_chosen_is_told_once_that_they_have_not_moved(
    enter: Enter, players: list[User]
) -> None:
    page = enter(players[0], **PHONE)
    page.locator(f"label:has(#card-{hand(page)[0]})").click()
    stone(page, "c3").click()
    page.locator("#verb-flip").click()
    expect(page.locator("#hand input")).to_have_count(3)
    told = "No stone has moved. Press again to end the turn."
    for chosen in ("a1", "a2"):
        page.locator(f"label:has(#card-{hand(page)[0]})").click()
        stone(page, chosen).click()
        page.locator("#verb-end").click()
        expect(page.locator("#hint")).to_have_text(told)
        expect(page.locator("#verb-flip")).to_be_visible()
    assert len(texts()) == 1
    page.locator("#verb-end").click()
    expect(page.locator("#verbs")).to_have_count(0)
    assert texts()[1:] == ["end"]


def test_who_discards_a_card_that_could_be_scored_is_told_so(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], **PHONE)
    hint, warning = page.locator("#hint"), "This discards a card you could score."
    page.locator("label:has([data-pays])").first.click()
    expect(hint).not_to_have_text(warning)
    for verb in ("flip", "shift"):
        page.locator(f"#verb-{verb}").click()
        expect(hint).to_have_text(warning)
    stone(page, "a1").click()
    expect(hint).to_have_text("Choose a stone next to a1.")
    page.keyboard.press("Escape")
    stone(page, "a1").click()
    page.locator("label:has([data-pays])").first.click()
    expect(hint).to_have_text(warning)
    assert texts() == []


def test_a_card_that_was_chosen_when_its_player_ended_the_turn_is_still_seen(
    enter: Enter, players: list[User], match: Match
) -> None:
    page = enter(players[0], viewport={"width": 1280, "height": 800})
    discarded = page.locator("#hand label:not(:has([data-pays]))").first
    card = discarded.locator("input").get_attribute("value")
    discarded.click()
    stone(page, "c3").click()
    page.locator("#verb-flip").click()
    expect(page.locator(f"#card-{card}")).to_have_count(0)
    page.locator("label:has([data-pays])").first.click()
    page.locator("#verb-end").click()
    expect(page.locator("#verbs")).to_have_count(0)
    expect(page.locator("#hand label .face:visible")).to_have_count(4)
    act(match, "skip")
    expect(page.locator("#verbs")).to_be_visible()
    expect(page.locator("#hand label .face:visible")).to_have_count(4)


def test_a_verb_that_is_pressed_first_is_done_with_its_last_stone(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], **PHONE)
    first, second = hand(page)[:2]
    for verb, card, stones in (("flip", first, ["c3"]), ("shift", second, ["a1", "b1"])):
        page.locator(f"#verb-{verb}").click()
        page.locator(f"label:has(#card-{card})").click()
        expect(page.locator(".ghost:visible")).to_have_count(0)  # it pays, whatever its pattern is
        for each in stones:
            stone(page, each).click()
        expect(page.locator(f"#card-{card}")).to_have_count(0)
    assert texts() == [f"flip {first} c3", f"shift {second} a1 b1"]


def test_score_that_is_pressed_first_is_done_with_its_card_unless_arrow_keys_only_came_to_it(
    enter: Enter, players: list[User]
) -> None:
    User.objects.filter(pk=players[0].pk).update(hints=False)
    page = enter(players[0], **PHONE)
    hint = page.locator("#hint")
    other, before, scores = hand(page)[1:]
    page.locator("#verb-score").click()
    expect(hint).to_have_text("Choose a card that the stones show now.")
    page.locator(f"#card-{before}").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"#card-{scores}")).to_be_checked()
    expect(hint).to_contain_text("1 point")
    page.locator(f"label:has(#card-{other})").click()
    expect(hint).to_have_text("The stones do not show this pattern yet.")
    assert texts() == []
    page.locator(f"label:has(#card-{scores})").click()
    expect(page.locator(f"#card-{scores}")).to_have_count(0)
    assert texts() == [f"score {scores}"]


def test_score_takes_the_only_card_that_scores_and_no_second_press_takes_another(
    enter: Enter, players: list[User]
) -> None:
    page = enter(players[0], **PHONE)
    (scores,) = page.locator("[data-pays]").all()
    card = scores.get_attribute("value")
    page.locator("#verb-score").click()
    expect(page.locator(f"#card-{card}")).to_have_count(0)
    page.locator("#verb-score").click(force=True)
    expect(page.locator("#hint")).to_have_text("None of your cards fits the stones yet.")
    page.locator("#undo").click()
    expect(page.locator(f"#card-{card}")).not_to_be_checked()
    assert texts() == [f"score {card}"]


def test_score_is_out_of_reach_and_says_why_while_no_card_can_be_scored(enter: Enter, players: list[User]) -> None:
    page, none = enter(players[0], **PHONE), running_match(players, seed=bytes(32))
    expect(page.locator("#verb-score")).not_to_have_attribute("aria-disabled", "true")
    page.goto(none.get_absolute_url())
    score, hint, why = page.locator("#verb-score"), page.locator("#hint"), "None of your cards fits the stones yet."
    expect(score).to_have_attribute("aria-disabled", "true")
    expect(score).to_have_attribute("title", why)
    for _ in range(2):
        score.click(force=True)
        expect(hint).to_have_text(why)
        expect(hint).to_have_class("marked")
        stone(page, "a1").click()
        expect(hint).not_to_have_text(why)
    assert texts() == []
    page.locator("#hand").evaluate("(hand) => { hand.dataset.cards = 1 }")
    expect(score.locator("small")).to_be_hidden()  # it does not end the turn
    expect(page.locator("#verb-flip small")).to_be_visible()
    User.objects.filter(pk=players[0].pk).update(hints=False)
    page.reload()
    score.click()  # who plays without hints is not told
    expect(hint).to_have_text("Choose a card that the stones show now.")


def test_a_marked_line_says_that_the_turn_ends_with_the_last_card(
    enter: Enter, match: Match, players: list[User]
) -> None:
    page = enter(players[0], **PHONE)
    *spent, last = hand(page)
    for card in spent:
        expect(page.locator("#hint")).not_to_have_class(re.compile("marked"))
        act(match, f"flip {card} b2", 0)
        expect(page.locator(f"#card-{card}")).to_have_count(0)
    expect(page.locator("#hint")).to_have_text("Your last card: using it ends your turn.")
    expect(page.locator("#hint")).to_have_class(re.compile("marked"))
    page.locator(f"label:has(#card-{last})").click()
    stone(page, "b2").click()
    expect(page.locator("#hint")).to_have_class(re.compile("marked"))


def test_it_is_told_once_that_a_pattern_may_lie_elsewhere(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], **PHONE)
    fixed, costs = "#card-33", "Discard this card: shift two stones or flip one."
    for card, told in (
        (fixed, costs),
        ("#card-26", "Make this pattern here or anywhere else it fits."),
        ("#card-44", costs),
    ):
        page.locator(f"label:has({card})").click()
        expect(page.locator("#hint")).to_have_text(told)


PLACES = """(hand) => Object.fromEntries([...hand.querySelectorAll("label, .slot")]
  .filter((each) => each.checkVisibility())
  .map(({ id, offsetLeft, offsetTop }) => [id, `${offsetLeft} ${offsetTop}`]))"""
"""Where in the page each card of the hand lies, and each empty slot."""


@pytest.mark.parametrize("window", [PHONE, {"viewport": {"width": 1280, "height": 800}}])
def test_cards_keep_their_slots_until_the_turn_ends(
    enter: Enter, players: list[User], match: Match, window: Any
) -> None:
    act(match, "skip")
    act(match, "skip")
    page = enter(players[0], **window)
    cards = hand(page)
    before = page.locator("#hand").evaluate(PLACES)
    for number in (2, 1, 5):  # six are held, in two rows on a phone or in one
        page.keyboard.press(str(number))
        expect(page.locator(f"#card-{cards[number - 1]}")).to_be_checked()
        stone(page, "b2").click()
        page.locator("#verb-flip").click()
        expect(page.locator(f"#card-{cards[number - 1]}")).to_have_count(0)
    now = page.locator("#hand").evaluate(PLACES)
    slots = {place for name, place in now.items() if name.startswith("slot")}
    assert {name: place for name, place in now.items() if name in before} == {
        name: before[name] for name in (f"held-{cards[number]}" for number in (2, 3, 5))
    }
    assert slots == {before[f"held-{cards[number]}"] for number in (0, 1, 4)}
    assert hand(page) == [cards[number] for number in (2, 3, 5)]
    page.keyboard.press("1")  # an empty slot
    expect(page.locator("#hand :checked")).to_have_count(0)
    page.locator("#undo").click()
    expect(page.locator(f"#card-{cards[4]}")).to_have_count(1)
    assert page.locator("#hand").evaluate(PLACES)[f"held-{cards[4]}"] == before[f"held-{cards[4]}"]
    page.locator("#verb-end").click()
    expect(page.locator("#verbs")).to_have_count(0)
    assert len(set(page.locator("#hand").evaluate(PLACES).values())) == 4


def test_dragging_flips_and_shifts(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], viewport={"width": 1280, "height": 900})
    first, second, *_ = hand(page)
    page.locator(f"label:has(#card-{first})").drag_to(stone(page, "b2"))
    expect(page.locator(f"#card-{first}")).to_have_count(0)
    page.locator(f"label:has(#card-{second})").click()
    stone(page, "b2").drag_to(stone(page, "b3"))
    expect(page.locator(f"#card-{second}")).to_have_count(0)
    assert texts() == [f"flip {first} b2", f"shift {second} b2 b3"]


def test_the_keyboard_is_enough(enter: Enter, players: list[User]) -> None:
    page = enter(players[0])
    card = hand(page)[1]
    page.locator("#cell-a1").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#cell-b2")).to_be_checked()
    page.keyboard.press("f")
    expect(page.locator("#hint")).to_have_text("Choose a card to discard.")
    expect(page.locator("#hint")).to_have_class("marked")
    page.keyboard.press("2")
    expect(page.locator("#hint")).not_to_have_class("marked")
    expect(page.locator(f"#card-{card}")).to_be_checked()
    page.keyboard.press("f")
    expect(page.locator(f"#card-{card}")).to_have_count(0)
    page.locator("#verb-end").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("bob’s turn.")
    assert texts() == [f"flip {card} b2", "end"]


def test_what_a_press_lacks_stays_told_and_marked_through_a_push(
    enter: Enter, match: Match, players: list[User]
) -> None:
    page = enter(players[0])
    hint, unmoved = page.locator("#hint"), "No stone has moved. Press again to end the turn."
    stone(page, "c3").click()
    for verb, told in (("flip", "Choose a card to discard."), ("end", unmoved)):
        card = hand(page)[0]
        page.locator(f"#verb-{verb}").click()
        expect(hint).to_have_text(told)
        act(match, f"flip {card} b2", 0)
        expect(page.locator(f"#card-{card}")).to_have_count(0)
        expect(hint).to_have_text(told)
        expect(hint).to_have_class("marked")


def test_a_half_made_choice_and_the_focus_survive_a_push(enter: Enter, players: list[User]) -> None:
    page, other = enter(players[0]), enter(players[0])
    first, second, *_ = hand(page)
    page.locator(f"label:has(#card-{second})").click()
    stone(page, "c3").click()
    page.locator("#cell-c3").focus()
    other.locator(f"label:has(#card-{first})").click()
    stone(other, "a1").click()
    other.locator("#verb-flip").click()
    expect(page.locator(f"#card-{first}")).to_have_count(0)
    expect(page.locator(f"#card-{second}")).to_be_checked()
    expect(page.locator("#cell-c3")).to_be_checked()
    expect(page.locator("#cell-c3")).to_be_focused()
    expect(page.locator("#verb-flip")).to_have_class("button ready")


def test_a_stone_that_is_no_neighbour_takes_the_place_of_the_first(enter: Enter, players: list[User]) -> None:
    page = enter(players[0])
    stone(page, "a1").click()
    stone(page, "c3").click()
    expect(page.locator("#hint")).to_have_text("a1 is not next to c3. Choose one that is.")
    page.locator("#stones").evaluate("(stones) => { stones.dataset.pushed = '' }")  # as by a push
    expect(page.locator("#hint")).to_have_text("a1 is not next to c3. Choose one that is.")
    stone(page, "c2").click()
    expect(page.locator("#hint")).to_have_text("To shift c2 and c3, discard a card.")
    assert [box.get_attribute("value") for box in page.locator("#stones :checked").all()] == ["c2", "c3"]
    stone(page, "c1").click()
    expect(page.locator("#hint")).to_have_text("Only two can be shifted: now c1 and c2.")


def test_it_works_without_a_script(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], java_script_enabled=False, **PHONE)
    cards = hand(page)
    for card in cards:
        last = card == cards[-1]
        assert page.locator("#verbs small:visible").all_text_contents() == ["ends turn"] * 3 * last
        page.locator(f"label:has(#card-{card})").click()
        stone(page, "b2").click()
        page.locator("#verb-flip").click()
        expect(page.locator(f"#card-{card}")).to_have_count(0)
    expect(page.locator("#status")).to_have_text("You used your last card, so it is bob’s turn.")
    assert texts() == [f"flip {card} b2" for card in cards]


def test_the_board_has_no_findings_fits_and_cuts_no_drawing_at_fractions_of_a_pixel(
    enter: Enter, players: list[User]
) -> None:
    page = enter(players[0], viewport={"width": 320, "height": 740})
    for drawn in (".face", ".guide", "symbol[id^=face-]", "symbol#guide"):
        expect(page.locator(drawn).first).to_have_css("overflow", "visible")
    for summary in page.locator("#stones-board summary").all():
        summary.click()
    for width in (320, 1280):
        resize(page, {"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations_at_both_widths(page, narrow=320) == []
