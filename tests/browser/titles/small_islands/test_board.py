"""The board in a real browser: placing, the map, choosing objectives, and what axe finds."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.engine.protocol import Seat
from games.play.models import Match
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import FACES
from tests.browser.axe import violations_at_both_widths
from tests.browser.player import HASTE, anew, connected
from tests.browser.windows import resize
from tests.people import act, person
from tests.serving import Site
from tests.site.bots.test_turns import against_bots
from tests.site.titles.small_islands.playing import (
    PAINTED,
    Enter,
    begun,
    play_to_the_end,
    play_until,
    sent,
    state_of,
    texts,
)
from tests.unit.titles.small_islands.settlers import next_text

# --- placing --------------------------------------------------------------------------------------------------------


@pytest.fixture
def exploring(enter: Enter, players: list[User]) -> Page:
    """The page of the player who explores first."""
    match = begun(players)
    play_until(match, "explore", 0)
    return connected(enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 900}))


def marked_cells(page: Page) -> set[str]:
    """Return the cells that are marked for the tile as it is turned."""
    places = page.locator(".cell:not(.elsewise)").all()
    return {str(place.get_attribute("value")) for place in places if place.is_visible()}


def legal_cells(tile: int, turn: int) -> set[str]:
    view = GAME.view_for(state_of(Match.objects.get()), Seat(0))
    return {f"{cell.x},{cell.y}" for cell, turned in view.spots[tile] if turned == turn}


def tile_of(place: Locator) -> int:
    return int(str(place.locator("input").get_attribute("value")).rpartition(":")[2])


def test_legal_cells_are_marked_for_the_chosen_tile_and_turn(exploring: Page) -> None:
    assert marked_cells(exploring) == set()
    for place in exploring.locator("#row label, #hand label:not(.taken)").all():
        place.click()
        for _ in range(4):
            turn = int(exploring.locator("[name=turn]:checked").input_value())
            assert marked_cells(exploring) == legal_cells(tile_of(place), turn)
            exploring.keyboard.press("r")


def test_a_tile_is_turned_by_button_key_another_tap_and_the_wheel(exploring: Page) -> None:
    exploring.locator("#row label").first.click()
    turns = [exploring.locator("[name=turn]:checked").input_value()]
    exploring.locator("#turn-tile").click()
    turns.append(exploring.locator("[name=turn]:checked").input_value())
    exploring.keyboard.press("r")
    turns.append(exploring.locator("[name=turn]:checked").input_value())
    assert turns == ["0", "1", "2"]
    for by_wheel in (False, True):
        _turn_in_its_cell(anew(exploring), by_wheel)


LIE = """(tiles) => tiles.map((tile) => getComputedStyle(tile).rotate)"""


def test_the_chosen_tile_alone_is_turned(exploring: Page) -> None:
    first, taken = exploring.locator("#row label").first, exploring.locator("#taken")
    first.click()
    exploring.locator("#turn-tile").click()
    assert first.locator(".tile").evaluate_all(LIE) == taken.locator(".tile.chosen").evaluate_all(LIE) == ["90deg"]
    others = exploring.locator("#row label:not(:has(:checked)) .tile, #hand label:not(#taken) .tile")
    assert set(others.evaluate_all(LIE)) == {"none"}
    exploring.locator("#hand label:not(#taken):has(input:enabled)").first.click()
    assert Counter(exploring.locator("#row .tile, #hand label:not(#taken) .tile").evaluate_all(LIE))["none"] == 4


SEEN = """(cells) => {
  const light = (colour) => {
    const linear = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255).map(
      (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const table = light(getComputedStyle(document.getElementById("map")).backgroundColor) + 0.05;
  return cells.map((cell) => {
    const { borderTopColor, opacity } = getComputedStyle(cell);
    const line = opacity * (light(borderTopColor) + 0.05) + (1 - opacity) * table;
    return Math.max(line / table, table / line);
  });
}"""
"""The contrast of the outlines of cells to the wood of the table."""


def test_cells_for_a_turned_tile_are_seen_on_the_table(exploring: Page) -> None:
    exploring.locator("#row label").first.click()
    for scheme in ("light", "dark"):
        exploring.emulate_media(color_scheme=scheme)
        contrasts = exploring.locator(".cell.elsewise").evaluate_all(SEEN)
        assert contrasts
        assert min(contrasts) >= 3, scheme


def _turn_in_its_cell(page: Page, by_wheel: bool) -> None:
    cell = _cell_with_several_turns(page)
    cell.click()
    before = page.locator("[name=turn]:checked").input_value()
    if by_wheel:
        page.mouse.wheel(0, 100)
    else:
        cell.click()
    page.wait_for_function(f"() => document.querySelector('[name=turn]:checked').value !== '{before}'")
    assert str(cell.get_attribute("value")) in marked_cells(page)
    page.keyboard.press("Escape")
    expect(page.locator("#ghost use")).to_have_count(0)


def test_a_cell_beside_a_tile_says_that_its_corners_do_not_fit(exploring: Page) -> None:
    for place in exploring.locator("#row label").all():
        place.click()
        closed = exploring.locator("#cells foreignObject:has(.cell:not(.fits, .elsewise))")
        if closed.count():
            break
    left, top = (int(str(closed.first.get_attribute(name))) for name in ("x", "y"))
    touch(exploring, left + 50, top + 50)
    expect(exploring.locator("#hint")).to_have_text("Its corners do not fit there.")
    exploring.locator("#verb-send").click(force=True)
    expect(exploring.locator("#hint")).to_have_text("Its corners do not fit there.")


def _cell_with_several_turns(page: Page) -> Locator:
    """Choose a tile and return a cell where it fits in more than one turn."""
    view = GAME.view_for(state_of(Match.objects.get()), Seat(0))
    for tile in view.hand:
        counts = Counter(cell for cell, _turn in view.spots[tile])
        cell, count = counts.most_common(1)[0]
        if count > 1:
            page.locator("#row label").first.click()
            page.locator(f"label:has(#tile-{tile})").click()
            return page.locator(f'[id="cell-{cell.x},{cell.y}"]')
    raise AssertionError("no tile fits in several turns")


def test_what_is_missing_is_said_before_sending_and_what_is_chosen_shown_as_it_will_lie(exploring: Page) -> None:
    _says_what_is_missing(exploring)
    anew(exploring)
    place = exploring.locator("#row label").nth(1)
    place.click()
    cell = exploring.locator(f'[id="{exploring.locator(".cell.elsewise").first.get_attribute("id")}"]')
    cell.click()
    x, y = (int(number) * 100 for number in str(cell.get_attribute("value")).split(","))
    turn = int(exploring.locator("[name=turn]:checked").input_value())
    ghost = exploring.locator("#ghost use")
    expect(ghost).to_have_attribute("href", f"#face-{tile_of(place)}")
    expect(ghost).to_have_attribute("transform", f"translate({x} {y}) rotate({turn * 90} 50 50)")
    expect(exploring.locator("#hint")).to_contain_text("Place it here")
    expect(exploring.locator("#worth-placed")).to_contain_text("With this tile: ")
    expect(exploring.locator("#worth")).to_be_hidden()
    exploring.keyboard.press("Escape")
    expect(exploring.locator("#worth-placed")).to_be_empty()
    expect(exploring.locator("#worth")).to_be_visible()


def _says_what_is_missing(exploring: Page) -> None:
    exploring.locator("#verb-send").press("Enter")
    expect(exploring.locator("#hint")).to_have_text("Choose a face-up tile to take.")
    exploring.locator("#hand label").first.click()
    exploring.keyboard.press("s")
    expect(exploring.locator("#hint")).to_have_text("Choose a face-up tile to take.")
    exploring.locator("#row label").first.click()
    expect(exploring.locator("#hint")).to_have_text("Choose a cell. Dotted: it rotates to fit.")
    assert not any(text.startswith("explore") for text in texts())


def test_the_hint_is_the_same_after_a_push_as_on_a_new_page(exploring: Page) -> None:
    match = Match.objects.get()
    act(match, next_text(state_of(match), 0))
    expect(exploring.locator("#islands-board")).to_have_attribute("data-mode", "wait")
    pushed = exploring.locator("#hint").text_content()
    assert anew(exploring).locator("#hint").text_content() == pushed


def test_a_bonus_token_is_laid_by_touching_the_map(exploring: Page) -> None:
    exploring.locator("#bonus summary").click()
    exploring.locator("[name=token-use][value=flower]").click()
    target = exploring.locator('.target[data-where="flower 0,1 leaf"]')
    expect(exploring.locator("#hint")).to_have_text("Choose a resource to replace.")
    target.click()
    expect(exploring.locator("#token-where")).to_have_value("flower 0,1 leaf")
    expect(exploring.locator("#worth")).to_have_attribute(
        "data-unplaced", "Your token counts once you choose a tile and its cell."
    )
    expect(exploring.locator("#worth")).to_have_class("before")
    expect(exploring.locator('#ghost [href="#sign-flower"]')).to_have_count(1)
    exploring.locator("#row label").first.click()
    exploring.locator(".cell.elsewise").first.click()
    expect(exploring.locator("#worth-placed")).to_contain_text("With this tile: ")
    exploring.locator("#verb-send").click()
    expect(exploring.locator("#log-lines")).to_contain_text(
        "You lay a bonus token on 0, 1: a flower instead of a leaf."
    )
    assert texts()[-1].endswith("token flower 0,1 leaf")


def test_for_a_ship_a_token_is_let_go_in_words_and_what_ports_bring_is_told(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    while not (text := next_text(state_of(match), seat := min(state_of(match).table.to_move))).startswith("land"):
        act(match, text, seat)
    page = connected(enter(players[seat], match.get_absolute_url(), viewport={"width": 1280, "height": 900}))
    expect(page.locator("#hint")).to_have_text("Choose a face-up tile, or a ship.")
    page.locator("#bonus summary").click()
    page.locator("[name=token-use][value=flower]").click()
    page.locator("#tile-own").click()
    expect(page.locator("#hint")).to_have_text("Bonus tokens go with a tile, not with a ship.")
    page.locator(".cell.fits").first.click()
    expect(page.locator("#hint")).to_have_text("Land here.")
    expect(page.locator("#worth-placed")).to_contain_text(re.compile(r"^\S.*\. .*around your ship\.$"))  # and more
    expect(page.locator("#worth")).to_be_hidden()


def test_keys_choose_and_zoom_before_anything_has_the_focus_and_arrows_go_over_legal_cells(exploring: Page) -> None:
    _work_before_anything_has_the_focus(exploring)
    anew(exploring)
    exploring.locator("#row label").first.click()
    exploring.locator("#status").focus()
    exploring.keyboard.press("ArrowRight")
    start = exploring.evaluate("document.activeElement.value")
    exploring.keyboard.press("ArrowDown")
    exploring.keyboard.press("Enter")
    reached = exploring.evaluate("document.activeElement.value")
    assert int(reached.split(",")[1]) > int(start.split(",")[1])
    expect(exploring.locator(f'[id="cell-{reached}"]')).to_be_checked()
    exploring.keyboard.press("s")
    expect(exploring.locator("#status")).to_have_text("bob is exploring.")
    assert f" {reached} " in texts()[-1]


FOLLOWS = """(selector) => document.activeElement.matches(selector)"""


def test_keys_go_from_a_tile_to_its_cells_and_on_to_the_button_and_nothing_is_pinned_in_a_low_window(
    exploring: Page,
) -> None:
    exploring.locator("#row input").first.focus()
    exploring.keyboard.press("Space")
    for _ in range(2):  # over the tiles of the hand
        exploring.keyboard.press("Tab")
    assert exploring.evaluate(FOLLOWS, ".cell")
    for width, height in ((740, 360), (640, 400)):
        resize(exploring, {"width": width, "height": height})
        assert (
            exploring.locator("#match-status, .map, #asked").evaluate_all(
                "(parts) => parts.map((part) => getComputedStyle(part).position)"
            )
            == ["static"] * 3
        )
        assert exploring.locator("#map").evaluate("(map) => map.clientHeight") >= 0.6 * height


# --- the map --------------------------------------------------------------------------------------------------------


def test_beyond_the_edge_of_the_table_the_wood_goes_on_darker_and_takes_no_tile(
    enter: Enter, players: list[User]
) -> None:
    match = begun(players, table="small")
    play_until(match, "explore", 0)
    page = connected(enter(players[0], match.get_absolute_url()))
    beyond = page.locator("#edge > *").evaluate("(part) => getComputedStyle(part).fill")
    assert re.fullmatch(r"rgba\(.*, 0\.\d+\)", beyond)  # the wood of the map shows through
    page.locator("#row label").first.click()
    page.locator("#map").click(position={"x": 4, "y": 150})
    expect(page.locator("#hint")).to_have_text("The table ends there.")


def frame(page: Page) -> list[float]:
    """Return what is looked at once it is painted: a board that has just come shows all of the map until then."""
    page.evaluate(PAINTED)
    return [float(number) for number in str(page.locator("#map").get_attribute("viewBox")).split()]


def test_the_map_zooms_and_pans_by_buttons_keys_wheel_and_drag(exploring: Page) -> None:
    whole = frame(exploring)
    exploring.locator("#nearer").click()
    assert frame(exploring)[2] < whole[2]
    exploring.locator("#fit").click()
    assert frame(exploring) == whole
    for key in ("+", "Shift+ArrowRight", "-"):
        before = frame(exploring)
        exploring.keyboard.press(key)
        assert frame(exploring) != before
    exploring.keyboard.press("Home")
    assert frame(exploring) == whole
    box = exploring.locator("#map").bounding_box()
    assert box
    exploring.mouse.move(box["x"] + 100, box["y"] + 200)
    exploring.mouse.wheel(0, -200)
    exploring.wait_for_function(f"() => document.getElementById('map').viewBox.baseVal.width < {whole[2]}")
    near = frame(exploring)
    exploring.mouse.down()
    exploring.mouse.move(box["x"] + 60, box["y"] + 150, steps=4)
    exploring.mouse.up()
    assert frame(exploring)[:2] != near[:2]
    assert frame(exploring)[2:] == near[2:]


def test_over_the_whole_map_the_wheel_scrolls_the_page_back_to_its_top_before_it_zooms(exploring: Page) -> None:
    resize(exploring, {"width": 1280, "height": 500})
    whole = frame(exploring)
    exploring.mouse.move(400, 250)
    exploring.mouse.wheel(0, 100)
    exploring.wait_for_function("() => scrollY >= 100")
    exploring.mouse.wheel(0, -200)
    exploring.wait_for_function("() => scrollY === 0")
    assert frame(exploring) == whole
    exploring.mouse.wheel(0, -100)
    exploring.wait_for_function(f"() => document.getElementById('map').viewBox.baseVal.width < {whole[2]}")


LYING = """() => {
  const { x, y, width } = document.querySelector("#lies-0_0, #laden-0_0").getBoundingClientRect();
  return [x, y, width].map((number) => Math.round(number));
}"""
"""Where the first tile lies and how wide it is."""


@pytest.mark.parametrize("window", [{"width": 1280, "height": 800}, {"width": 360, "height": 740}])
def test_the_map_keeps_its_scale_and_place_until_it_outgrows_what_is_seen(
    enter: Enter, players: list[User], window: dict[str, int]
) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    page = connected(enter(players[1], match.get_absolute_url(), viewport=window, reduced_motion="reduce"))
    frames, places = set(), [page.evaluate(LYING)]
    while state_of(match).table.phase == "explore":
        seat = min(state_of(match).table.to_move)
        act(match, next_text(state_of(match), seat), seat)
        sent(page, match.length)
        page.evaluate("new Promise(requestAnimationFrame)")
        frames.add(page.locator("#map").get_attribute("data-frame"))
        places.append(page.evaluate(LYING))
    changes = sum(before != after for before, after in pairwise(places))
    assert changes <= 1 < len(frames), places


CUT = """(parts) => parts.filter((part) => {
  const { top, bottom, left } = part.getBoundingClientRect();
  return bottom > innerHeight || !part.contains(document.elementFromPoint(left + 8, (top + bottom) / 2));
}).map(({ id }) => id)"""
"""Which parts are not whole within the window, or lie beneath something else."""


def test_the_map_stays_within_the_window_however_tall_it_becomes(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    page = enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 800})
    tools = page.locator("#shown, .zoom .button, .match-actions .button:visible")
    heights, cut = set(), dict[tuple[int, str], list[str]]()
    for round_ in (1, 2, 3, 4):
        _explore_upwards(match, round_)
        anew(page)
        heights.add(page.locator("#map").evaluate("(map) => map.clientHeight"))
        for end in ("start", "end"):
            page.locator("#below").evaluate(
                "(below, block) => below.scrollIntoView({ block, behavior: 'instant' })", end
            )
            if found := tools.evaluate_all(CUT):
                cut[round_, end] = found
    assert cut == {}
    assert len(heights) == 1
    assert float(str(page.locator("#map").get_attribute("data-frame")).split()[3]) > 1000


def _explore_upwards(match: Match, round_: int) -> None:
    """Play until the first seat explores in a round, everybody placing tiles as far north as they can."""
    while (state := state_of(match)).table.round < round_ or state.table.phase != "explore" or state.table.turn != 0:
        seat = min(state.table.to_move)
        text = next_text(state, seat)
        if text.startswith("explore"):
            view = GAME.view_for(state, Seat(seat))
            places = ((cell.y, tile, cell, turn) for tile in view.hand for cell, turn in view.spots[tile])
            _y, tile, cell, turn = min(places)
            text = f"explore {text.split()[1]} {tile} {cell.x},{cell.y} {turn}"
        act(match, text, seat)


def test_a_map_changes_under_no_finger(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    page = connected(enter(players[1], match.get_absolute_url(), **phone))
    box = page.locator("#map").bounding_box()
    assert box
    before = page.evaluate(LYING)
    protocol = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 5, "y": box["y"] + 5}
    protocol.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.locator("#map").evaluate("(it) => { it.dataset.frame = '-1600 -300 3400 900'; }")
    page.evaluate("dispatchEvent(new Event('resize'))")
    assert page.evaluate(LYING) == before
    protocol.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(f"(before) => JSON.stringify(({LYING})()) !== before", arg=json.dumps(before))


def test_two_fingers_zoom_and_one_finger_pans(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    page = connected(enter(players[0], match.get_absolute_url(), **phone))
    box = page.locator("#map").bounding_box()
    assert box
    x, y, whole = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, frame(page)
    _move_fingers(page, [(x - 20, y), (x + 20, y)], [(x - 40, y), (x + 40, y)])
    near = frame(page)
    assert near[2] < whole[2]
    _move_fingers(page, [(x, y)], [(x - 30, y - 20)])
    assert frame(page)[2] == near[2]
    assert frame(page)[0] > near[0]
    assert frame(page)[1] > near[1]


def _move_fingers(page: Page, start: list[tuple[float, float]], end: list[tuple[float, float]]) -> None:
    protocol = page.context.new_cdp_session(page)
    for kind, places in (("touchStart", start), ("touchMove", end), ("touchEnd", [])):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def _work_before_anything_has_the_focus(exploring: Page) -> None:
    whole = frame(exploring)
    for key in ("1", "+", "r", "ArrowRight"):
        exploring.keyboard.press(key)
    assert frame(exploring)[2] < whole[2]
    expect(exploring.locator("#row input").first).to_be_checked()
    expect(exploring.locator(".cell:focus")).to_have_count(1)
    exploring.keyboard.press("Escape")
    expect(exploring.locator("#row :checked")).to_have_count(0)


def _keeps_what_is_looked_at(exploring: Page) -> None:
    exploring.locator("#nearer").click()
    looked = frame(exploring)
    exploring.locator(".island").first.click()
    match = Match.objects.get()
    act(match, next_text(state_of(match), 0), 0)
    sent(exploring, match.length)
    assert frame(exploring)[2:] == looked[2:]
    expect(exploring.locator("#lit use").first).to_be_attached()


def touch(page: Page, x: int, y: int) -> None:
    """Click on a place of the map, in hundredths of a tile."""
    place = f"new DOMPoint({x}, {y}).matrixTransform(document.getElementById('map').getScreenCTM())"
    page.mouse.click(*page.evaluate(f"(() => {{ const {{ x, y }} = {place}; return [x, y]; }})()"))


def test_an_island_that_is_touched_is_lit_and_told_and_what_is_looked_at_survives_a_push(exploring: Page) -> None:
    touch(exploring, 20, 90)
    expect(exploring.locator("#shown")).to_contain_text("Arran: 2 tiles, flower 1, leaf 1, Port 1")
    expect(exploring.locator("#lit use")).to_have_count(2)
    expect(exploring.locator(".island[aria-pressed=true]")).to_have_count(1)
    exploring.keyboard.press("Escape")
    expect(exploring.locator("#lit use")).to_have_count(0)
    _keeps_what_is_looked_at(exploring)


def test_what_lies_on_the_map_besides_land_explains_itself(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    play_until(match, "explore", 0, 2)
    page = connected(enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 900}))
    ship = page.locator("#tiles [href='#face-own-0'], #tiles [href='#face-own-1']").first.get_attribute("transform")
    left, top = map(int, str(ship).removeprefix("translate(").removesuffix(")").split(" "))
    port = page.evaluate(A_PORT)
    for (x, y), said in {(left + 50, top + 50): "A player’s own ship", tuple(port): "Port: 1 point"}.items():
        touch(page, x, y)
        expect(page.locator("#shown")).to_contain_text(said)
        expect(page.locator("#lit circle")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#shown")).to_contain_text("Any island")
    page.locator("#pieces summary").press("Enter")
    expect(page.locator("#piece-discovery")).to_be_visible()


A_PORT = """(() => {
  const turned = (x, y, turns) => (turns ? turned(100 - y, x, turns - 1) : [x, y]);
  for (const tile of document.querySelectorAll("#tiles > [transform]")) {
    const port = document.querySelector(`${tile.getAttribute("href")} [href="#sign-port"]`);
    if (!port) continue;
    const [x, y] = port.parentElement.getAttribute("transform").match(/[\\d.]+/g).map(Number);
    const [left, top] = tile.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
    const at = turned(x, y, Number(tile.getAttribute("class")?.slice(1) ?? 0));
    return [left + at[0], top + at[1]];
  }
})()"""


def test_the_two_parts_of_a_channel_are_lit_apart(enter: Enter, players: list[User]) -> None:
    match = begun(players[:1], alexis="afternoon")
    state = play_until(match, "explore", 0)
    channel = next(tile for tile in state.hands[0] if FACES[str(tile)].shape == "channel")
    cell, turn = GAME.view_for(state, Seat(0)).spots[channel][0]
    act(match, f"explore 1 {channel} {cell.x},{cell.y} {turn}", 0)
    page = connected(enter(players[0], match.get_absolute_url()))
    said = set()
    for corner in (turn, turn + 2):
        right, down = ((10, 10), (90, 10), (90, 90), (10, 90))[corner % 4]
        touch(page, cell.x * 100 + right, cell.y * 100 + down)
        said.add(page.locator("#shown").text_content())
    assert len(said) == 2


TOPS = "(parts) => parts.map((part) => part.getBoundingClientRect().top)"


# --- choosing objectives --------------------------------------------------------------------------------------------


def test_a_half_made_choice_survives_a_push_and_stays_secret(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    ours, theirs = (connected(enter(user, match.get_absolute_url())) for user in players)
    ours.locator(".when label").first.click()
    chosen = ours.locator(".when :checked").get_attribute("id")
    theirs.locator("[id^=now-]").nth(0).click()
    theirs.locator("[id^=next-]").nth(1).click()
    theirs.locator("#verb-send").click()
    expect(ours.locator("#log-lines")).to_contain_text("bob has chosen an objective.")
    expect(ours.locator("#log-lines")).not_to_contain_text("Only bob sees")
    expect(ours.locator(f"#{chosen}")).to_be_checked()
    expect(theirs.locator(".objective")).to_contain_text("Your objective")
    theirs.locator("#undo").click()
    expect(theirs.locator("#verb-send")).to_have_text("Confirm")


def test_all_objectives_are_seen_with_the_whole_map(enter: Enter, players: list[User]) -> None:
    page = connected(enter(players[0], begun(players).get_absolute_url(), viewport={"width": 360, "height": 740}))
    for width, height in ((360, 740), (390, 844), (1280, 800)):
        resize(page, {"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        cards = [card.bounding_box() for card in page.locator(".deck .objective-card").all()]
        verbs, isles = page.locator(".verbs").bounding_box(), page.locator("#map").bounding_box()
        assert len(cards) == 3
        assert verbs
        assert isles
        assert all(card and card["y"] + card["height"] <= verbs["y"] + 1 for card in cards)
        assert width > 640 or all(card and isles["y"] + isles["height"] <= card["y"] for card in cards)


def test_nothing_moves_under_a_finger_while_objectives_are_chosen(enter: Enter, players: list[User]) -> None:
    User.objects.update(language="de")  # whose sentences are long
    page = connected(enter(players[0], begun(players).get_absolute_url(), locale="de"))
    for width, height in ((360, 740), (390, 844), (1280, 800), (1920, 1080)):
        resize(page, {"width": width, "height": height})
        connected(page).reload()
        page.evaluate("scrollTo(0, 0)")
        before = page.locator(".deck .when label").evaluate_all(TOPS)
        for chosen in ("now", "next"):
            page.locator(f"[id^={chosen}-]").nth(int(chosen == "next")).click()
            assert page.locator(".deck .when label").evaluate_all(TOPS) == before, (width, chosen)


def test_a_card_is_kept_or_put_aside_but_not_both(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], begun(players, mode="advanced").get_absolute_url())
    card = page.locator(".deck[data-deck=missions] .objective-card").first
    for label in card.locator("label").all():
        label.click()
    expect(card.locator(":checked")).to_have_count(1)
    expect(page.locator("#hint")).to_have_text("Choose one card for this round and another for next time.")


# --- looks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["choose", "explore", "reward", "over"])
def test_the_page_has_no_findings_and_fits(enter: Enter, players: list[User], phase: str) -> None:
    match = begun(players)
    if phase == "over":
        play_to_the_end(match)
    else:
        play_until(match, phase, 0)
    page = enter(players[0], match.get_absolute_url(), viewport={"width": 320, "height": 740}, bypass_csp=True)
    for summary in page.locator("#islands-board summary").all():
        summary.click()
    if phase == "explore":
        page.locator("#row label").first.click()
    for width in (320, 1280):
        resize(page, {"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations_at_both_widths(page, narrow=320) == []


@pytest.mark.parametrize(("name", "options"), [("keeper-of-the-lighthouse", {}), ("", {"alexis": "night"})])
def test_the_table_at_the_end_is_not_cut_off(
    enter: Enter, players: list[User], name: str, options: dict[str, str]
) -> None:
    match = begun([*players, person(name)] if name else players[:1], **options)
    play_to_the_end(match)
    page = enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 900}, locale="de")
    table = page.locator("#count .table-wrap")
    for width in (360, 1280, 1920):
        resize(page, {"width": width, "height": 900})
        assert table.evaluate("each => each.scrollWidth - each.clientWidth") == 0


# --- a newcomer's first match -----------------------------------------------------------------------------------------

IN_SIGHT = """(cards) => {
  const list = document.getElementById("choices").getBoundingClientRect();
  return cards.map((card) => card.getBoundingClientRect()).filter(({ top, bottom }) =>
    top >= list.top - 1 && bottom <= list.bottom + 1 && bottom <= innerHeight).length;
}"""


EDGES = "(part) => [part.getBoundingClientRect().top, part.getBoundingClientRect().bottom]"


@pytest.mark.parametrize("window", [{"width": 360, "height": 740}, {"width": 390, "height": 844}])
def test_on_a_phone_no_line_is_cut_by_what_lies_on_it(enter: Enter, live_site: Site, window: dict[str, int]) -> None:
    newcomer = person("ann", coached="")
    match = against_bots([newcomer], game="small-islands")
    page = enter(newcomer, match.get_absolute_url(), viewport=window, has_touch=True)
    expect(page.locator(".coach-ring")).to_be_visible()
    assert page.locator(".coach-ring").evaluate(EDGES)[1] <= page.locator("#hint").evaluate(EDGES)[0]
    other = begun([newcomer, person("bob")])
    play_until(other, "explore", 0)
    page.goto(other.get_absolute_url())
    assert page.locator("#objective").evaluate(EDGES)[0] >= page.locator("#asked > .offers").evaluate(EDGES)[0]
    play_until(other, "reward", 0)
    anew(page)
    assert page.locator("#choices .none").evaluate(EDGES)[1] <= page.locator("#verbs").evaluate(EDGES)[0]


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (1280, 800)])
def test_all_objectives_are_whole_beside_a_coach_mark_and_ones_own_stays_in_sight(
    enter: Enter, live_site: Site, width: int, height: int
) -> None:
    newcomer = person("ann", coached="")
    match = against_bots([newcomer], game="small-islands")
    page = connected(enter(newcomer, match.get_absolute_url(), viewport={"width": width, "height": height}))
    expect(page.locator("#coach-aim")).to_be_visible()
    assert page.locator(".deck .objective-card").evaluate_all(IN_SIGHT) == 3
    page.wait_for_timeout(HASTE)
    page.locator("#coach-aim").get_by_role("button").click()
    expect(page.locator("#coach-tile")).to_be_visible()
    expect(page.locator(".coach-ring")).to_be_hidden()  # there are no tiles to take yet
    page.locator(".deck [name^=now]").first.check(force=True)
    page.locator(".deck [name^=next]").nth(1).check(force=True)
    page.locator("#verb-send").click()
    expect(page.locator("#objective h2")).to_have_count(1)
    expect(page.locator("#goal" if width < 640 else "#objective")).to_be_visible()
    expect(page.locator("#coach-tile")).to_be_visible()  # whoever acts without a tile has not read it
