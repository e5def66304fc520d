"""What can be chosen, and where: Houses and tokens on the map and in lists, second taps, sizes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.engine.protocol import Seat
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play.models import Match
from games.play.reducer import positions
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import FACES
from tests.browser.player import anew, connected, in_a_moment
from tests.browser.windows import resize
from tests.people import act
from tests.site.titles.small_islands.playing import (
    PAINTED,
    Enter,
    at_rest,
    begun,
    click,
    play,
    play_to_the_end,
    play_until,
    sent,
    state_of,
    tap,
    texts,
)
from tests.unit.titles.small_islands.settlers import next_text

PRESS_TWICE = """() => new Promise((done) => {
    const match = document.getElementById("match");
    const before = match.dataset.length;
    const watch = new MutationObserver(() => {
        if (document.getElementById("match").dataset.length === before) return;
        watch.disconnect();
        document.getElementById("verb-send").click();
        done(document.getElementById("page").hasAttribute("data-fresh"));
    });
    watch.observe(document.getElementById("page"), { subtree: true, childList: true, attributes: true });
    document.getElementById("verb-send").click();
})"""
"""Press the button that sends, and once more the moment the next board is there."""


@pytest.fixture
def settling(enter: Enter, players: list[User]) -> Page:
    """The page of a player who may place a House."""
    match = begun(players)
    for _ in range(80):
        state = state_of(match)
        seat = min(state.table.to_move)
        open_ones = [it for it in GAME.view_for(state, Seat(0)).prospects if it.refusal is None]
        if state.table.phase == "reward" and seat == 0 and open_ones:
            break
        text = "settle" if state.table.phase == "reward" else next_text(state, seat)
        act(match, text, seat)
    return connected(enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 800}))


def test_a_second_tap_at_the_place_of_send_settles_nothing(enter: Enter, players: list[User]) -> None:
    match = begun(players[:1], alexis="morning")
    page = connected(enter(players[0], match.get_absolute_url()))
    while not page.locator("#ships input").count():
        play(page, match, 0, click)
    page.locator("#bonus > summary").click()
    page.locator("[name=token-use][value=flower]").click()
    page.locator("#tile-own").click()
    expect(page.locator("#bonus")).to_be_hidden()  # a token goes with a tile of land
    expect(page.locator("#bonus :checked:not(option)")).to_have_count(0)
    expect(page.locator("#verb-send")).to_have_accessible_name("Land")
    page.locator(".cell.fits").first.click()
    assert page.evaluate(PRESS_TWICE)
    expect(page.locator("#status")).to_have_text("Your turn: place Houses, or none.")
    assert texts()[-1].startswith("land own")
    expect(page.locator("#page")).not_to_have_attribute("data-fresh", "")
    assert texts()[-1].startswith("land own")


def test_whoever_chooses_something_on_a_new_board_may_send_it_at_once(enter: Enter, players: list[User]) -> None:
    match = begun(players[:1], alexis="morning")
    page = connected(enter(players[0], match.get_absolute_url()))
    play(page, match, 0, click)
    page.evaluate("""() => {
        document.getElementById("page").dataset.fresh = "";
        document.querySelector("[name=slot]").click();
    }""")
    expect(page.locator("#page")).not_to_have_attribute("data-fresh", "")


def test_no_house_is_asked_for_once(settling: Page) -> None:
    length = len(texts())
    settling.locator("#verb-send").dblclick(force=True)  # it is called disabled, and says why when it is pressed
    expect(settling.locator("#hint")).to_have_text("You could place a House. Press “Place Houses” again to place none.")
    assert len(texts()) == length
    expect(settling.locator("#no-house")).to_be_checked()
    settling.wait_for_timeout(600)  # a second press within half a second is no answer
    settling.locator("#verb-send").click()
    sent(settling, length + 1)
    assert texts()[-1] == "settle"


def test_without_a_script_no_house_is_asked_for_too_and_places_are_large_enough(
    settling: Page, enter: Enter, players: list[User]
) -> None:
    page = enter(players[0], settling.url, java_script_enabled=False, viewport={"width": 320, "height": 700})
    assert min(sizes(page, ".house-place")) >= 24
    page.set_viewport_size({"width": 1280, "height": 800})
    length = len(texts())
    page.locator("#verb-send").click()
    expect(page.locator("#notice")).to_contain_text("choose “No House this time” and press again")
    assert len(texts()) == length
    page.locator("#no-house").check()
    page.locator("#verb-send").click()
    sent(page, length + 1)
    assert texts()[-1] == "settle"


def _stands_within(gain: Locator, place: Locator) -> None:
    words, circle = gain.bounding_box(), place.bounding_box()
    assert words
    assert circle
    assert circle["y"] <= words["y"] <= words["y"] + words["height"] <= circle["y"] + circle["height"]


THREE_AND_MORE = """(list) => {
  for (let number = list.children.length; number < 5; number++) list.append(list.firstElementChild.cloneNode(true));
  const below = document.querySelector(".none").getBoundingClientRect().top;
  return [...list.children].filter((island) => island.getBoundingClientRect().bottom <= below).length;
}"""
"""How many of five islands are seen whole."""


def test_on_a_phone_three_islands_with_house_spots_are_seen_whole_above_the_choice_of_none(settling: Page) -> None:
    resize(settling, {"width": 360, "height": 740})
    assert settling.locator("#house-places ul").evaluate(THREE_AND_MORE) == 3


def test_a_house_is_chosen_in_the_list_or_on_the_map_which_then_no_longer_says_what_it_would_bring(
    settling: Page,
) -> None:
    row, mark = settling.locator(".site").first, settling.locator(".house-place").first
    gain = settling.locator("#places .gain").first
    _stands_within(gain, mark)
    row.check()
    expect(gain).to_be_hidden()
    expect(mark).to_have_class("house-place chosen")
    expect(settling.locator("#hint")).to_have_text("Houses chosen: 1.")
    mark.click()
    expect(row).not_to_be_checked()
    mark.click()
    expect(row).to_be_checked()
    settling.locator("#no-house").check()
    expect(row).not_to_be_checked()
    row.check()
    expect(settling.locator("#no-house")).not_to_be_checked()
    settling.locator("#verb-send").click()
    expect(settling.locator("#log-lines")).to_contain_text(re.compile("You place a House on [A-Z]"))


def sizes(page: Page, selector: str) -> list[float]:
    """Return the shorter side of each of these that is shown, in pixels."""
    sides: list[tuple[float, float]] = page.locator(selector).evaluate_all(
        "(places) => places.map((it) => it.getBoundingClientRect()).map(({ width, height }) => [width, height])"
    )
    return [min(each) for each in sides if any(each)]


def test_more_houses_than_are_in_hand_are_refused_in_words(enter: Enter, players: list[User]) -> None:
    match = begun(players, table="small")
    while (state := state_of(match)).table.phase != "reward" or state.table.turn:
        seat = min(state.table.to_move)
        act(match, "settle" if state.table.phase == "reward" else next_text(state, seat, lands=False), seat)
    page = connected(enter(players[0], match.get_absolute_url()))
    first, other = page.locator(".site[data-island='0']").first, page.locator(".site[data-island='1']").first
    for most, said in ((1, "You have only one House in hand: take it back first."), (2, "Houses chosen: 2.")):
        page.locator("#house-places").evaluate("(places, most) => { places.dataset.most = most; }", most)
        first.check()
        expect(page.locator("#hint")).to_have_text("Houses chosen: 1.")
        other.click()
        expect(page.locator("#hint")).to_have_text(said)
        expect(other).to_be_checked(checked=most > 1)
        first.uncheck()


def test_what_can_be_touched_is_large_enough_however_far_the_map_is(settling: Page) -> None:
    for width in (1280, 320):
        resize(anew(settling), {"width": width, "height": 700})
        for _ in range(2):
            found = sizes(settling, ".house-place")
            assert found
            assert min(found) >= 24
            settling.locator("#fit").click()


def exploring(match: Match, least: int) -> int:
    """Let simple players explore until this many tiles are on the table; return whose turn it is."""
    while True:
        state = state_of(match)
        seat = min(state.table.to_move)
        if len(state.table.board) >= least and state.table.phase == "explore":
            return seat
        act(match, next_text(state, seat, lands=False), seat)


def test_tiles_are_large_enough_to_read_with_thirty_on_the_table(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    seat = exploring(match, 30)
    page = connected(enter(players[seat], match.get_absolute_url(), viewport={"width": 1280, "height": 800}))
    assert page.evaluate("document.getElementById('map').getScreenCTM().a * 100") >= 56


def _chosen(page: Page, cell: Locator) -> None:
    expect(cell).to_be_checked()
    expect(page.locator("#ghost > *")).to_have_count(1)


IN_SIGHT = """(places) => places.filter((place) => {
  const [map, box] = [document.getElementById("map"), place].map((it) => it.getBoundingClientRect());
  return box.left >= map.left && box.right <= map.right && box.top >= map.top && box.bottom <= map.bottom;
}).map(({ id }) => id)"""
"""The ids of what lies whole within the map."""
MARKED = ".cell:is(.fits, .elsewise)"


def marked_in_sight(page: Page) -> list[str]:
    at_rest(page)
    found: list[str] = page.locator(MARKED).evaluate_all(IN_SIGHT)
    return found


def out_of_sight(page: Page, seen: Sequence[str]) -> Locator:
    """Return a marked cell that is none of those seen, which are given by their ids."""
    ids = page.locator(MARKED).evaluate_all("(cells) => cells.map(({ id }) => id)")
    return page.locator(f'[id="{next(cell for cell in ids if cell not in seen)}"]')


def with_a_large_map(enter: Enter, players: list[User]) -> tuple[Match, Page]:
    """Return a match of 30 tiles or so and its page on a small phone, for whoever is to lay the next."""
    match = begun(players)
    seat = exploring(match, 30)
    window = {"width": 320, "height": 640}
    return match, connected(enter(players[seat], match.get_absolute_url(), viewport=window, has_touch=True))


def test_on_a_phone_the_map_comes_near_to_the_newest_tile_where_cells_are_too_small_for_a_finger(
    enter: Enter, players: list[User]
) -> None:
    _match, page = with_a_large_map(enter, players)
    expect(page.locator("#map")).to_have_class(re.compile("zoomed"))  # before anything is pressed
    at_rest(page)
    assert page.locator("#last rect").evaluate_all(IN_SIGHT)
    near_it = str(page.locator("#map").get_attribute("viewBox"))
    page.locator("#row label").first.tap()
    seen = marked_in_sight(page)
    expect(page.locator("#map")).to_have_attribute("viewBox", near_it)
    assert 35 < min(sizes(page, MARKED)) < 40
    assert page.locator(MARKED).count() / 3 < len(seen) < page.locator(MARKED).count()
    expect(page.locator("#shown")).to_have_text("Drag the map, or touch an arrow, for more places.")
    near = page.locator(f'[id="{seen[len(seen) // 2]}"]')  # at the edge an arrow may lie on a cell
    near.tap()
    _chosen(page, near)
    page.locator("#beyond > *").first.dispatch_event("click")
    beyond = next(cell for cell in marked_in_sight(page) if cell not in seen)
    page.locator(f'[id="{beyond}"]').tap()
    _chosen(page, page.locator(f'[id="{beyond}"]'))
    page.locator("#fit").tap()
    expect(page.locator("#map")).not_to_have_class(re.compile("zoomed"))
    assert max(sizes(page, MARKED)) < 30
    near.tap()
    at_rest(page)
    _chosen(page, near)
    expect(page.locator("#map")).not_to_have_class(re.compile("zoomed"))
    page.locator("#verb-send").tap()
    expect(page.locator("#map")).not_to_have_class(re.compile("zoomed"))


def test_on_a_phone_a_map_that_has_come_near_stays_there_and_takes_no_press_meanwhile(
    enter: Enter, players: list[User]
) -> None:
    match, page = with_a_large_map(enter, players)
    page.locator("#row label").first.tap()
    seen = marked_in_sight(page)
    far = out_of_sight(page, seen)
    with in_a_moment(page):
        far.focus()  # brings it into sight
        expect(page.locator("#map")).to_have_class(re.compile("gliding"))
        page.locator(f'[id="{seen[len(seen) // 2]}"]').tap(force=True)
        expect(page.locator("[name=cell]:checked")).to_have_count(0)
    at_rest(page)
    near = page.locator("#map").get_attribute("viewBox")
    for number in (1, 2, 0):
        page.locator("#row label").nth(number).tap()
        seen = marked_in_sight(page)
        assert seen
        expect(page.locator("#map")).to_have_attribute("viewBox", str(near))
    page.locator(f'[id="{seen[len(seen) // 2]}"]').tap()  # at the edge an arrow may lie on a cell
    tap(page.locator("#verb-send"))
    sent(page, match.length + 1)
    at_rest(page)
    expect(page.locator("#map")).to_have_attribute("viewBox", str(near))


STIRRING = """() => new Promise((done) => {
    let [frames, count] = [30, 0];
    const observer = new MutationObserver((records) => { count += records.length; });
    observer.observe(document.getElementById("islands-board"), { subtree: true, childList: true, attributes: true });
    requestAnimationFrame(function next() { (frames -= 1) ? requestAnimationFrame(next) : done(count); });
})"""
"""How often the board changes in half a second."""


def test_on_a_phone_a_map_that_is_at_rest_leaves_the_page_alone(enter: Enter, players: list[User]) -> None:
    _match, page = with_a_large_map(enter, players)
    for number in (0, 1):
        page.locator("#row label").nth(number).tap()
        assert marked_in_sight(page)
        expect(page.locator("#beyond > *")).not_to_have_count(0)
        assert page.evaluate(STIRRING) == 0


def test_the_buttons_of_the_map_bring_nearer_what_is_chosen(enter: Enter, players: list[User]) -> None:
    _match, page = with_a_large_map(enter, players)
    page.locator("#row label").first.tap()
    page.locator("#fit").tap()
    chosen = page.locator(f'[id="{marked_in_sight(page)[0]}"]')
    chosen.tap()
    at_rest(page)
    page.locator("#fit").tap()
    for _press in range(3):
        page.locator("#nearer").tap()
    assert chosen.evaluate_all(IN_SIGHT)


def test_the_table_fills_what_is_seen_of_it(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    seat = exploring(match, 40)
    page = connected(enter(players[seat], match.get_absolute_url(), viewport={"width": 1920, "height": 720}))
    page.evaluate("""() => {
      const map = document.getElementById("map");
      map.dataset.frame = "600 -300 592 600";  // tiles near its eastern edge, at 1300
      dispatchEvent(new Event("resize"));
    }""")
    page.evaluate(PAINTED)
    left, _top, width, _height = map(float, str(page.locator("#map").get_attribute("viewBox")).split())
    assert left + width <= 1301
    assert left >= -1101


def test_on_a_phone_the_map_stays_as_it_is_where_cells_are_large_enough_and_from_a_landing_to_its_houses(
    enter: Enter, players: list[User]
) -> None:
    match = begun(players)
    play_until(match, "explore", 0, 4, most=200)
    while (seat := min((state := state_of(match)).table.to_move)) != 0 or not GAME.view_for(state, Seat(0)).ships:
        act(match, next_text(state, seat, lands=False), seat)
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    page = connected(enter(players[0], match.get_absolute_url(), **phone))
    whole = page.locator("#map").get_attribute("viewBox")
    page.locator("#row label").first.tap()
    assert len(marked_in_sight(page)) == page.locator(MARKED).count()
    assert page.locator("#map").get_attribute("viewBox") == whole
    resize(page, {"width": 320, "height": 540})
    anew(page)
    page.locator("#ships label").first.tap()
    at_rest(page)
    near = str(page.locator("#map").get_attribute("viewBox")).split()
    expect(page.locator("#map")).to_have_class(re.compile("zoomed"))
    tap(page.locator(f'[id="{marked_in_sight(page)[0]}"]'))
    tap(page.locator("#verb-send"))
    expect(page.locator("#islands-board")).to_have_attribute("data-phase", "reward")
    at_rest(page)
    now = str(page.locator("#map").get_attribute("viewBox")).split()
    assert now[2:] == near[2:]  # it may move to where Houses can be placed, but goes no farther away


def test_on_a_phone_what_ports_have_brought_gives_way_to_what_the_chosen_place_brings(
    enter: Enter, players: list[User]
) -> None:
    match = begun(players)
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    page = connected(enter(players[0], match.get_absolute_url(), **phone))
    told = page.locator("#islands-board[data-told][data-phase=explore][data-mode=play]")
    while not told.count():
        seat = min((state := state_of(match)).table.to_move)
        act(match, next_text(state, seat), seat)
        expect(page.locator("#match")).to_have_attribute("data-length", str(match.actions.count()))
    expect(page.locator("#shown")).to_have_text(str(told.get_attribute("data-told")))
    expect(page.locator("#goal")).to_be_visible(visible=False)
    page.locator("#row label").first.tap()
    page.locator(f'[id="{marked_in_sight(page)[0]}"]').tap()
    expect(page.locator("#shown")).to_be_hidden()
    expect(page.locator("#goal")).to_have_attribute("data-worth", re.compile("^With this tile: "))


def test_who_lands_for_the_last_time_knows_who_alone_can_end_a_round_then(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    while (table := (state := state_of(match)).table).round < 3 or table.navigation or min(table.to_move) != 0:
        seat = min(table.to_move)
        gray = [text for text in positions.legal_texts(match, seat) if text.startswith("land grey")]
        act(match, gray[0] if gray else next_text(state, seat, lands=False), seat)
    page = connected(enter(players[0], match.get_absolute_url(), viewport={"width": 360, "height": 740}))
    hint, before = page.locator("#hint"), match.actions.count()
    page.locator("#ships label").first.click()
    expect(hint).not_to_have_class(re.compile("marked"))
    page.locator(MARKED).first.click()
    expect(hint).to_have_text("Your last ship: after this only bob can end a round.")
    expect(hint).to_have_class(re.compile("marked"))
    assert hint.evaluate_all(WHOLE)
    page.locator("#verb-send").click()
    expect(page.locator("#islands-board")).to_have_attribute("data-phase", "reward")
    assert match.actions.count() == before + 1
    expect(hint).not_to_have_class(re.compile("marked"))


def test_keys_bring_what_they_reach_into_sight(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    seat = exploring(match, 30)
    page = connected(enter(players[seat], match.get_absolute_url(), viewport={"width": 320, "height": 640}))
    page.locator("#row label").first.click()
    seen = marked_in_sight(page)
    far = out_of_sight(page, seen)
    far.focus()
    assert str(far.get_attribute("id")) in marked_in_sight(page)
    page.keyboard.press("Enter")
    _chosen(page, far)


def test_panels_fold_and_stay_folded(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    page = connected(enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 900}))
    page.locator("#supplies summary").click()
    expect(page.locator("#supplies")).to_have_attribute("open", "")
    act(match, next_text(state_of(match), 1), 1)
    sent(page, match.length)
    expect(page.locator("#supplies")).to_have_attribute("open", "")
    expect(page.locator("#islands")).to_have_attribute("open", "")
    resize(page, {"width": 1280, "height": 800})
    anew(page)
    expect(page.locator("#islands")).not_to_have_attribute("open", "")  # what is asked would cut its rows


def with_resource(match: Match) -> tuple[int, str]:
    """Return a tile seat 0 may place with a resource on it, and that resource."""
    view = GAME.view_for(state_of(match), Seat(0))
    for tile in view.hand:
        for region in FACES[str(tile)].regions.values():
            names = [name for name in ("flower", "fruit", "leaf") if region.symbols.of(name)]
            if names and view.spots[tile]:
                return tile, names[0]
    raise AssertionError("no tile with a resource")


def test_a_token_is_laid_on_the_tile_that_is_being_placed_by_touching_the_map(
    enter: Enter, players: list[User]
) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    tile, name = with_resource(match)
    page = connected(enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 800}))
    page.locator("#row label").first.click()
    page.locator(f"#tile-{tile}").click()
    page.locator("#bonus summary").click()
    page.locator(f"[name=token-use][value='any={'leaf' if name != 'leaf' else 'fruit'}']").click()
    cell = page.locator(".cell.elsewise, .cell.fits").first
    value = str(cell.get_attribute("value"))
    cell.click()
    target = page.locator(f'.target[data-where*=" new"][data-where$=" {name}"]').first
    target.click()
    expect(page.locator("#token-where")).to_have_value(str(target.get_attribute("data-where")))
    page.locator("#verb-send").click()
    expect(page.locator("#log-lines")).to_contain_text("You lay a bonus token on")
    assert f" {value}" in texts()[-1].split(" token ")[1]


def test_the_list_offers_only_what_the_chosen_token_may_cover(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    page = connected(enter(players[0], match.get_absolute_url()))
    page.locator("#row label").first.click()
    page.locator(".cell.elsewise, .cell.fits").first.click()
    page.locator("#bonus summary").click()
    slot = str(page.locator("[name=slot]:checked").input_value()).split(":")[1]
    for use in ("flower", "fruit=port", "any=leaf"):
        page.locator(f'[name=token-use][value="{use}"]').click()
        offered = page.locator("#token-where option:not([disabled])[value]:not([value=''])")
        values = [str(option.get_attribute("value")) for option in offered.all()]
        turn = int(page.locator("[name=turn]:checked").input_value())
        place = str(page.locator("[name=cell]:checked").input_value())
        legal = legal_places(match, int(slot), place, turn, use)
        assert {value.replace("new", place) for value in values} == legal


def legal_places(match: Match, tile: int, place: str, turn: int, use: str) -> set[str]:
    """Return each legal way to lay this token with the tile placed so."""
    start = f"explore {slot_of(match, tile)} {tile} {place} {turn} token "
    legal = (GAME.notate(action) for action in GAME.legal_actions(state_of(match), Seat(0)))
    return {text.removeprefix(start) for text in legal if text.startswith(f"{start}{use} ")}


def slot_of(match: Match, tile: int) -> int:
    return state_of(match).table.row.index(tile) + 1


def test_turning_is_offered_only_where_it_matters(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    state = play_until(match, "explore", 0)
    spots = GAME.view_for(state, Seat(0)).spots
    page = connected(enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 800}))
    page.locator("#row label").first.click()
    said = {True: "Place it here, or rotate it.", False: "Place it here."}
    for tile in state.hands[0]:
        page.locator(f"#tile-{tile}").click()
        for cell in {cell for cell, _turn in spots[tile]}:
            page.locator(f'[id="cell-{cell.x},{cell.y}"]').check()
            several = sum(place == cell for place, _turn in spots[tile]) > 1 and FACES[str(tile)].shape != "inland"
            expect(page.locator("#hint")).to_have_text(said[several])


def test_a_press_that_chooses_nothing_is_answered_where_it_is_told_what_to_do(
    enter: Enter, players: list[User]
) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    page = connected(enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 800}))
    hint, turning = page.locator("#hint"), page.locator("#turn-tile")
    place = hint.bounding_box()
    for pressed, said in (
        ("#turn-tile", "Choose a tile first."),
        ("#verb-send", "Choose a face-up tile to take."),
        ("#map", "Choose a tile first."),
    ):
        expect(turning).to_have_attribute("aria-disabled", "true")
        page.locator(pressed).click(force=True, position={"x": 40, "y": 20})
        expect(hint).to_have_text(said)
        expect(hint).to_have_class("marked")
        assert hint.bounding_box() == place
    page.locator("#row label").first.click()
    expect(turning).to_have_attribute("aria-disabled", "false")
    expect(hint).not_to_have_class("marked")
    page.locator("#map").click(position={"x": 40, "y": 20})
    expect(hint).to_have_text("A tile must lie beside another one.")
    expect(hint).to_have_class("marked")
    assert hint.bounding_box() == place


def test_an_open_list_of_tokens_says_what_it_wants_and_makes_way_on_a_phone(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    page = connected(enter(players[0], match.get_absolute_url(), **phone))
    page.locator("#bonus > summary").tap()
    expect(page.locator("#hint")).to_have_text("If you like, choose a bonus token.")
    page.locator("#use-leaf").check()
    expect(page.locator("#hint")).to_have_text("Choose a resource to replace.")
    tap(page.locator(".target").first)
    expect(page.locator("#hint")).to_have_text("It is used when you place the tile.")
    expect(page.locator("#bonus")).not_to_have_attribute("open", "")
    page.locator("#row label").first.tap()
    expect(page.locator("#use-leaf")).to_be_checked()
    expect(page.locator("#hint")).not_to_have_text("It is used when you place the tile.")


def test_an_open_list_of_tokens_says_once_what_they_do_and_leaves_the_objective_in_sight(
    enter: Enter, players: list[User]
) -> None:
    match = begun(players)
    play_until(match, "explore", 0)
    while (seat := min((state := state_of(match)).table.to_move)) != 0 or not GAME.view_for(state, Seat(0)).ships:
        act(match, next_text(state, seat, lands=False), seat)
    page = connected(enter(players[0], match.get_absolute_url(), reduced_motion="reduce"))  # nothing glides
    for language, (width, height) in itertools.product(("en", "de", "it"), ((360, 740), (390, 844), (1280, 800))):
        User.objects.filter(pk=players[0].pk).update(language=language)
        resize(page, {"width": width, "height": height})
        anew(page)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert _ends_above(page, "#row .tile", ".offers"), (language, width)
        assert page.locator("#ships small").evaluate_all(WHOLE), (language, width)
        page.locator("#row label").first.click()
        page.locator(MARKED).first.click()
        page.locator("#bonus > summary").click()
        expect(page.locator("#goal")).to_have_attribute("data-worth", re.compile(r"\w"))
        assert _ends_above(page, "#goal" if width < 640 else "#objective .objective-card", ".offers"), (language, width)
        expect(page.locator("#bonus > .meta")).to_be_in_viewport()
        expect(page.locator("#shown")).to_have_attribute("data-usual", "")
        assert page.locator("#bonus .use").evaluate_all(WHOLE), (language, width)
        assert min(sizes(page, "#bonus .use")) >= 24, (language, width)


TOPS = "(cards) => cards.map((card) => Math.round(card.getBoundingClientRect().top))"


def test_objectives_keep_their_places_while_they_are_chosen(enter: Enter, players: list[User]) -> None:
    page = enter(players[0], begun(players).get_absolute_url())
    for language, (width, height) in itertools.product(("en", "de", "it"), ((360, 740), (1280, 800), (1920, 1080))):
        User.objects.filter(pk=players[0].pk).update(language=language)
        resize(page, {"width": width, "height": height})
        anew(page)
        expect(page.locator("html")).to_have_attribute("lang", language)
        cards = page.locator("#choices .objective-card")
        tops = cards.evaluate_all(TOPS)
        for choice in ("[name=now-objectives]", ":nth-child(3) [name=next-objectives]"):
            page.locator(f"#deck-objectives {choice}").first.check()
            assert cards.evaluate_all(TOPS) == tops, (language, width, choice)
        assert width < 1920 or cards.first.evaluate("(card) => card.clientWidth") > 360


WHOLE = """(things) => things.every((thing) => {
  const box = thing.getBoundingClientRect();
  const over = thing.closest(".choices")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  return box.top >= over.top && box.bottom <= over.bottom && box.bottom <= innerHeight;
})"""


def _ends_above(page: Page, upper: str, lower: str) -> bool:
    above, below = page.locator(upper).first.bounding_box(), page.locator(lower).bounding_box()
    assert above
    assert below
    return above["y"] + above["height"] <= below["y"]


def test_on_a_phone_the_tiles_are_seen_whole_in_the_last_round_too(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    play_until(match, "explore", 0, 4, most=200)
    page = enter(players[0], match.get_absolute_url(), viewport={"width": 360, "height": 740})
    for language in ("en", "de", "it"):
        User.objects.filter(pk=players[0].pk).update(language=language)
        anew(page)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator("#row label").first.click()
        expect(page.locator("#verb-send")).to_have_attribute("aria-disabled", "true")
        assert _ends_above(page, "#row .tile", ".offers"), language


def test_on_a_laptop_objectives_and_tools_are_seen_whole_in_every_round(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    page = enter(players[0], match.get_absolute_url(), viewport={"width": 1280, "height": 800})
    for number, language in itertools.product((1, 2, 3, 4), ("en", "de", "it")):
        User.objects.filter(pk=players[0].pk).update(language=language)
        play_until(match, "choose", 0, number, most=200)
        for height in (800, 720):  # a newcomer is told something above the board, which takes room too
            resize(page, {"width": 1280, "height": height})
            anew(page)
            expect(page.locator("html")).to_have_attribute("lang", language)
            cards = page.locator(".deck .objective-card")
            expect(cards).to_have_count(3)
            assert _ends_above(page, "#hand", ".offers"), (number, language, height)
            assert cards.evaluate_all(WHOLE), (number, language, height)
            assert page.locator("#tools > .button:visible").evaluate_all(WHOLE), (number, language, height)
            under, tools = page.locator("#under").bounding_box(), page.locator("#leave").bounding_box()
            assert under
            assert tools
            assert under["y"] + under["height"] <= tools["y"], (number, language, height)


def test_in_the_last_round_one_objective_is_chosen(enter: Enter, players: list[User]) -> None:
    match = begun(players)
    play_until(match, "choose", 0, 4, most=200)
    page = connected(enter(players[0], match.get_absolute_url()))
    said = "This is the last round: choose only what scores now."
    expect(page.locator("#hint")).to_have_text(said)
    expect(page.locator("[name=next-objectives]")).to_have_count(0)
    page.locator("#verb-send").press("Enter")
    expect(page.locator("#hint")).to_have_text(said)
    page.locator("[name=now-objectives]").first.check()
    expect(page.locator("#hint")).to_have_text("Confirm your choice; it stays secret.")
    length = len(texts())
    page.locator("#verb-send").click()
    sent(page, length + 1)
    assert texts()[-1].startswith("choose ")


def test_host_and_guest_come_from_the_table_to_the_end_of_the_match_without_a_reload(
    enter: Enter, players: list[User]
) -> None:
    table = tables.open_table(players[0], TableSetup("small-islands", 2, {"table": "small"}))
    pages = {user.pk: connected(enter(user, table.get_absolute_url())) for user in players}
    for page in pages.values():
        page.evaluate("window.stayed = true")
    pages[players[1].pk].locator("#sit-down").click()
    for page in pages.values():
        expect(page.locator("#islands-board")).to_be_visible()
    match = Match.objects.get(pk=table.pk)
    order = [seat.user_id for seat in match.seats.order_by("number")]
    clicked = set()
    while (table_now := state_of(match).table).round == 1:
        seat = min(table_now.to_move)
        if (seat, table_now.phase) in clicked:  # once each; what is explored besides is explored on other devices
            act(match, next_text(state_of(match), seat), seat)
            continue
        clicked.add((seat, table_now.phase))
        sent(pages[order[seat] or 0], match.length)
        play(pages[order[seat] or 0], match, seat, click)
    for page in pages.values():
        expect(page.locator("#status")).to_have_text("Choose your objective for this round.")
        expect(page.locator("#map")).to_have_attribute("data-frame", re.compile(r"^-?\d+ -?\d+ \d+ \d+$"))
    play_to_the_end(match)
    for page in pages.values():
        expect(page.locator(".count")).to_be_visible(timeout=30_000)  # dozens of boards came within a second
        assert page.evaluate("window.stayed") is True
        assert page.complaints == []  # type: ignore[attr-defined]  # listened to from the beginning
