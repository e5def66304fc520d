"""In a real browser: the end of a match by mouse; all that is done in one by taps, by keys alone, without a script.

Two people play by mouse in `test_choosing_browser`.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Match
from tests.browser.player import connected
from tests.site.titles.small_islands.playing import (
    Enter,
    begun,
    choose_cards,
    click,
    play,
    play_by_keys,
    play_until,
    sent,
    settle,
    state_of,
    tap,
    texts,
)
from tests.unit.titles.small_islands.settlers import next_text

ACTIONS = {"choose", "start", "explore", "land", "settle"}
"""What a person does in a round: whoever can do all of it can play on to the end."""


def done() -> set[str]:
    return {text.split()[0] for text in texts()}


def test_one_person_plays_the_last_round_against_alexis_to_the_end(enter: Enter, players: list[User]) -> None:
    match = begun(players[:1], alexis="morning")
    play_until(match, "choose", 0, round_=4, most=200)
    page = connected(enter(players[0], match.get_absolute_url(), reduced_motion="reduce"))
    for kept in page.locator(".deck .objective-card:first-of-type .when label:first-child").all():
        kept.click()
    expect(page.locator("#verb-send")).not_to_have_attribute("aria-disabled", "true")
    while state_of(match).table.phase != "over":
        play(page, match, 0, click)
    expect(page.locator("#status")).to_contain_text("Alexis")
    expect(page.locator(".count tbody tr")).to_have_count(2)
    assert page.complaints == []  # type: ignore[attr-defined]  # listened to from the beginning


def test_by_taps_on_a_phone(enter: Enter, players: list[User]) -> None:
    match = begun(players[:1], alexis="night", start="by_hand")
    page = connected(
        enter(players[0], match.get_absolute_url(), has_touch=True, viewport={"width": 320, "height": 740})
    )
    while done() < ACTIONS:
        play(page, match, 0, tap)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_by_keyboard_alone(enter: Enter, players: list[User]) -> None:
    match = begun(players[:1], alexis="afternoon", start="by_hand")
    page = connected(enter(players[0], match.get_absolute_url(), reduced_motion="reduce"))
    while done() < ACTIONS:
        play_by_keys(page, match)
    assert page.complaints == []  # type: ignore[attr-defined]  # listened to from the beginning


def test_it_works_without_a_script(enter: Enter, players: list[User]) -> None:
    match = begun(players[:1], alexis="morning", start="by_hand")
    page = enter(players[0], match.get_absolute_url(), java_script_enabled=False)
    while state_of(match).table.round == 1:
        _play_without_script(page, match)
    assert done() == ACTIONS


def _play_without_script(page: Page, match: Match) -> None:
    text = next_text(state_of(match), 0)
    verb, *words = text.split()
    if verb == "explore":
        _token_without_script(page, match)
        page.locator(f'label:has([name=slot][value^="{words[0]}:"])').click()
        own = page.locator(f"label:has(#tile-{words[1]})")
        (own if own.count() else page.locator("label:has(#tile-taken)")).click()
    elif verb in {"land", "start"}:
        page.locator(f"label:has(#tile-{words[0]})").click()
    if verb in {"explore", "start"}:
        page.locator(f"label:has(#turn-{words[-1]})").click()
        page.locator(f'[id="cell-{words[-2]}"]').click()
    elif verb == "land":
        page.locator(f'[id="cell-{words[1]}"]').click()
    else:
        {"choose": choose_cards, "settle": settle}[verb](page, words, click)
    page.locator("#verb-send").click()
    sent(page, match.length + 1)  # a page that is closed while another one is on its way may never be closed
    assert texts()[-1].startswith(text)


def _token_without_script(page: Page, match: Match) -> None:
    """Lay the first token in the first turn."""
    if " token " not in " ".join(texts()):
        page.locator("#bonus summary").click()
        expect(page.locator("#bonus .uses")).to_be_hidden()
        page.get_by_label("Where it goes").select_option(index=page.locator("#token-where option").count() - 1)
