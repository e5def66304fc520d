"""What the board shows, and to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation

from games.engine import runner
from games.engine.fair import FairChance, final_seed
from games.engine.protocol import Seat, Viewer
from games.titles import Scene
from games.titles.small_islands import GAME, board
from games.titles.small_islands.board import panels
from games.titles.small_islands.board.map_drawing import Place
from games.titles.small_islands.rules.components import FACES, Cell
from games.titles.small_islands.rules.islands import Site
from games.titles.small_islands.rules.rounds import ENDLESS
from games.titles.small_islands.rules.state import Discovery, State, Table
from games.titles.small_islands.rules_page import BOARDS
from tests.pages import Element, page_of
from tests.unit.titles.rules_pages import referred, rules_html
from tests.unit.titles.small_islands.positions import SEED, act, begin, house, position, tiles, token
from tests.unit.titles.small_islands.settlers import next_text
from tests.unit.titles.small_islands.showing import NAMES, html, scene

Plays = list[runner.Play[State]]
HANDS = ((18, 26), (38, 52))


@pytest.fixture(scope="module", params=[(1, {"alexis": "night"}), (2, {"start": "by_hand"}), (3, {"mode": "advanced"})])
def plays(request: pytest.FixtureRequest) -> Plays:
    """A whole match, simply played."""
    seats, options = request.param
    seed = final_seed(SEED, [b""] * seats)
    found: Plays = [runner.begin(GAME, seats, options, seed)]
    while (play := found[-1]).outcome is None:
        seat = min(play.to_move)
        found.append(runner.act(GAME, play.position, seat, GAME.parse(next_text(play.state, seat)), seed))
    return found


def viewers(state: State) -> list[int | None]:
    return [None, *range(state.table.seats)]


def shown_tiles(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"#face-(\d+)", text)}


def test_nobody_sees_a_hidden_tile(plays: Plays) -> None:
    for play in plays:
        table = play.state.table
        open_ones = {int(placed.face) for placed in table.board if placed.face.isdigit()} | {*table.row}
        for viewer in viewers(play.state):
            own = set() if viewer is None or table.phase == "start" else set(play.state.hands[viewer])
            assert shown_tiles(html(scene(play.state, viewer, play.events))) <= open_ones | own


def test_a_match_and_an_imagined_one_are_the_same_page_byte_for_byte(plays: Plays) -> None:
    for play in plays[::3]:
        for viewer in viewers(play.state):
            seat: Viewer = None if viewer is None else Seat(viewer)
            shown = scene(play.state, viewer, play.events)
            world = GAME.imagine(shown.view, FairChance(SEED, 1_000_000 + play.number))
            imagined = replace(shown, view=GAME.view_for(world, seat))
            assert html(imagined).encode() == html(shown).encode()


def test_every_control_has_an_id_of_its_own(plays: Plays) -> None:
    drawn = set(re.findall(r' id="([^"]+)"', render_to_string(board.SPRITE)))
    for play in plays:
        for viewer in viewers(play.state):
            ids = re.findall(r' id="([^"]+)"', html(scene(play.state, viewer, play.events)))
            assert len(ids) == len(set(ids))
            assert drawn.isdisjoint(ids)


def test_every_input_belongs_to_the_form_of_the_page(plays: Plays) -> None:
    for play in plays:
        for control in re.findall(r"<(?:input|select)[^>]*>", html(scene(play.state, min(play.to_move, default=0)))):
            assert 'form="act"' in control


def test_whatever_is_drawn_stands_in_the_sprite(plays: Plays) -> None:
    ids = set(re.findall(r' id="([^"]+)"', render_to_string(board.SPRITE)))
    for play in plays:
        assert set(re.findall(r'href="#([^"]+)"', html(scene(play.state, 0, play.events)))) <= ids
    assert referred(rules_html("small-islands")) <= ids
    assert set(re.findall(r'href="#([^"]+)"', render_to_string(board.SPRITE))) <= ids


def test_only_who_is_to_move_has_controls_that_act(plays: Plays) -> None:
    for play in (*plays[::2], plays[-1]):
        for viewer in viewers(play.state):
            shown = page_of(html(scene(play.state, viewer)).translate({2: None, 3: None}))
            has = any(element.attributes.get("form") == "act" for element in _usable(shown))
            assert has == (viewer in play.to_move)


def _usable(shown: Element) -> Iterator[Element]:
    """Yield what is neither in a group that is disabled nor among the cells, which show in one's own turn only."""
    if "disabled" in shown.attributes or shown.attributes.get("id") == "cells":
        return
    yield shown
    for child in shown.elements:
        yield from _usable(child)


def test_every_legal_place_is_a_cell_that_fits_and_no_other(plays: Plays) -> None:
    for play in [play for play in plays if play.state.table.phase == "explore"][::4]:
        seat = min(play.to_move)
        text = html(scene(play.state, seat))
        fits = {
            cell: {int(number) for number in re.findall(r"f(\d+)", names)}
            for cell, names in re.findall(
                r'value="(-?\d+,-?\d+)" id="cell-[^"]*" form="act" class="cell ([^"]*)"', text
            )
        }
        for tile, places in GAME.view_for(play.state, seat).spots.items():
            lying = FACES[str(tile)].lying
            marked = {(cell, turn) for cell, masks in fits.items() for turn in range(4) if lying[turn].corners in masks}
            assert marked == {(f"{cell.x},{cell.y}", turn) for cell, turn in places}


def test_a_radio_button_carries_the_corners_of_its_tile() -> None:
    text = html(scene(position(hands=HANDS, row=(1, 45, None)), 0))
    assert re.findall(r'name="(?:slot|tile)" value="([\d:]+)" id="[^"]*" form="act" class="(m\d+)"', text) == [
        ("1:1", "m1"),
        ("2:45", "m7"),
        ("18", "m3"),
        ("26", "m3"),
    ]


def test_tiles_are_named_with_column_row_and_what_lies_there() -> None:
    text = html(scene(position(), None))
    assert 'aria-label="0, 0, shore: flower, house spot"' in text
    assert 'aria-label="1, 1, shore: temple, Port"' in text


def test_a_turned_tile_is_drawn_turned_with_its_symbols_upright() -> None:
    text = html(scene(position(board=tiles("S1A 0,0 0", "S3A -1,2 3")), None))
    assert '<use href="#face-S1A" transform="translate(0 0)" id="lies-0_0" role' in text
    assert (
        '<use href="#face-S3A" transform="translate(-100 200) rotate(270 50 50)" class="r3" id="lies--1_2" role' in text
    )


def test_a_bonus_token_lies_on_what_it_covers_and_is_named() -> None:
    text = html(scene(position(tokens=(token("0 leaf leaf 0,0 flower"), token("1 fruit port 0,1 W"))), None))
    assert 'aria-label="0, 0, shore: leaf, house spot"' in text
    assert text.split('id="pieces"')[0].count('href="#token"') == 2


def test_a_house_stands_in_the_colour_of_its_seat() -> None:
    text = html(scene(position(houses=(house(1, "0,0"),)), None))
    assert 'href="#house-1"' in text
    assert "Houses of bob" in text


def test_ships_are_offered_once_the_navigation_stack_is_empty() -> None:
    def offered(**changes: Any) -> list[str]:
        return re.findall(r'name="tile" value="(own|grey)"', html(scene(position(**changes), 0)))

    assert offered(navigation=1) == []
    assert offered(navigation=0) == ["own", "grey"]
    assert offered(navigation=0, row=(None, None, None)) == ["own", "grey"]
    assert html(scene(position(navigation=0), 0)).count('class="m0"') == 2


ONE_SHIP_LEFT = tiles("S1A 0,0 3", "S2A 1,0 2", "S3A 0,1 0", "S4A 1,1 1", "ship -1,-1 0 0", "grey 2,2 0", "grey 3,2 0")


@pytest.mark.parametrize(
    ("viewer", "navigation", "who", "more", "why"),
    [
        (0, 0, "bob lands or no tile is left", " · Tiles left: 44", "You cannot land: only bob has a ship left."),
        (0, 2, "bob lands", " · 2 tiles until landing", ""),
        (1, 0, "you land or no tile is left", " · Tiles left: 44", ""),
        (None, 0, "bob lands or no tile is left", " · Tiles left: 44", ""),
    ],
)
def test_in_the_last_round_it_is_told_who_ends_the_match_and_how(
    viewer: int | None, navigation: int, who: str, more: str, why: str
) -> None:
    state = position(board=ONE_SHIP_LEFT, navigation=navigation, round=4, turn=viewer or 0, deck=tuple(range(1, 42)))
    text = html(scene(state, viewer))
    told = re.sub(r"</?bdi[^>]*>", "", text.split('id="stands">')[1].split("</p>")[0])
    assert told == f"Last round: once {who}, everyone places Houses{more}"
    assert re.findall(r"You cannot land[^<]*", text) == ([why] if why else [])


def test_without_a_cell_for_a_ship_that_is_said() -> None:
    said = [html(scene(position(navigation=0, reach=reach), 0)).count("You cannot land: no cell") for reach in (11, 0)]
    assert said == [0, 1]


def test_putting_back_is_offered_only_when_no_tile_fits() -> None:
    assert 'value="discard"' not in html(scene(position(), 0))
    walled = position(board=tiles("grey 0,0 0"), hands=((52, 53), (54, 55)), row=(56, None, None))
    assert not any(GAME.view_for(walled, Seat(0)).spots.values())
    assert 'value="discard"' in html(scene(walled, 0))


def test_objectives_are_offered_with_what_they_would_bring_now() -> None:
    state = begin()
    text = html(scene(state, 0))
    cards = [str(card) for card in state.dealt[0][0]]
    assert re.findall(r'name="now-objectives" value="(\d+)"', text) == cards
    assert re.findall(r'name="next-objectives" value="(\d+)"', text) == cards
    assert re.findall(r"<small>([^<]*)</small>", text) == [
        "Now +3 on 1 island.",
        *["No island qualifies yet."] * 2,
    ]


def test_missions_and_rewards_are_offered_apart_in_the_advanced_game() -> None:
    text = html(scene(begin(mode="advanced"), 0))
    assert len(re.findall(r'name="now-missions"', text)) == len(re.findall(r'name="next-rewards"', text)) == 3
    assert 'value="combine"' in text


def test_who_has_chosen_sees_the_own_objective_and_nobody_else_does() -> None:
    state = act(begin(), f"choose {begin().dealt[0][0][0]} {begin().dealt[0][0][1]}").state
    assert "Your objective" in html(scene(state, 0))
    for viewer in (None, 1):
        assert "Your objective" not in html(scene(state, viewer))
        assert "has chosen" in html(scene(state, viewer))


def test_house_places_can_be_chosen_where_the_mission_holds_with_what_they_bring() -> None:
    text = html(scene(position(phase="reward", objective=(4,)), 0))  # more dragon fruits than flowers: 6 points
    assert 'for="site-1,0"' in text
    assert re.findall(r'name="site" value="([^"]+)"', text) == ["1,0"]
    assert 'aria-label="House on Burano, an island of 2 tiles, at 1, 0: 6 points"' in text
    assert ">+6</text>" in text


def test_an_island_says_why_it_brings_nothing() -> None:
    text = html(scene(position(objective=(4,)), 0))
    assert "✗ objective not fulfilled" in text
    assert "now it would score 6 points" in text
    assert "objective" not in html(scene(position(objective=(4,)), None))


def test_an_island_that_was_settled_says_so_though_it_fails_the_mission_too() -> None:
    settled = position(objective=(9,), houses=(house(0, "0,0"),))
    refused = {each.refusal for each in GAME.view_for(settled, Seat(0)).prospects}
    assert refused == {"mission-not-fulfilled"}
    text = html(scene(settled, 0))
    assert text.count("✗ you have a House there") == 1
    assert "✗ objective not fulfilled" in text


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"objective": (9,)}, "No island qualifies yet."),
        ({"objective": (4,), "board": tiles("2 0,0 0")}, "An island that fulfills it needs a second tile."),
        (
            {"objective": (4,), "board": (*position().table.board, *tiles("2 5,5 0")), "houses": (house(0, "1,0"),)},
            "An island that fulfills it needs a second tile.",
        ),
        ({"objective": (4,), "houses": (house(0, "1,0"),)}, "You already have a House on Burano."),
        ({"objective": (4,), "houses": (house(1, "1,0"),)}, "Burano has no free house spot."),
        ({"objective": (4,), "houses": (house(0, "0,0"),) * 8}, "You have no Houses left."),
    ],
)
def test_an_objective_that_brings_nothing_says_why(changes: dict[str, Any], why: str) -> None:
    text = html(scene(position(**changes), 0))
    assert re.findall(r'<small id="worth"[^>]*>([^<]*)</small>', text) == [why]


def test_an_objective_that_brings_something_names_the_islands_with_a_house_that_fulfill_it_too() -> None:
    free = GAME.view_for(position(objective=(4,)), Seat(0))
    held = GAME.view_for(position(objective=(4,), houses=(house(0, "1,0"),)), Seat(0))
    both = (*free.prospects, *held.prospects)
    said = "Now +6 on 1 island. You already have a House on Burano."
    assert panels.worth_text(*panels.worth(held, 4, both)) == said


def test_an_objective_counts_no_more_islands_than_there_are_houses_in_hand() -> None:
    view = GAME.view_for(position(objective=(4,), houses=(house(0, "0,0"),) * 7), Seat(0))
    assert panels.worth_text(*panels.worth(view, 4, view.prospects * 3)) == "Now +6 on 1 island."


def test_discovery_tokens_are_told_for_each_island_that_brings_one() -> None:
    view = GAME.view_for(position(objective=(4,)), Seat(0))
    several, one, none = (replace(view.prospects[0], refusal=None, points=0, tokens=tokens) for tokens in (3, 1, 0))
    told = {"Now a discovery token on each of 2 islands.": (several, one, none), "Now the best of 3": (several, none)}
    for said, prospects in told.items():
        assert panels.worth_text(*panels.worth(view, 4, prospects)).startswith(said)
    last = GAME.view_for(position(objective=(4,), houses=(house(0, "0,0"),) * 7), Seat(0))
    assert panels.worth(last, 4, (one, several)) == panels.Worth("objective", 1, tokens=3)


def test_a_house_place_says_that_of_several_discovery_tokens_one_is_kept() -> None:
    place = Place(Site(Cell(0, 0), 0), position().table.board[0], 0, "Capri", 3, (0, 1))
    assert (place.short, place.sign) == ("★", "★")
    several = place._replace(gain=(0, 3))
    assert (several.short, several.sign) == ("1/3 ★", "★")


def test_a_preview_counts_the_tile_and_the_token_as_they_would_lie() -> None:
    state = position(objective=(4,), navigation=6)
    view, said = GAME.view_for(state, Seat(0)), set[str]()
    legal = [text for text in map(GAME.notate, GAME.legal_actions(state, Seat(0))) if text.startswith("explore")]
    for text in legal[::97]:
        (now,) = re.findall(r'<small id="worth"[^>]*>([^<]*)</small>', html(scene(act(state, text).state, 0)))
        rest = panels.preview(text, view).removeprefix(f"With this tile: {now.removeprefix('Now ')}")
        assert rest in {"", " The new island needs a second tile.", " The island it lies on does not qualify yet."}
        said.add(now)
    assert len(said) > 1
    assert any("token" in text for text in legal[::97])


def test_a_preview_says_that_a_new_island_needs_a_second_tile() -> None:
    state = position(objective=(4,), board=tiles("2 0,0 0"), navigation=6)
    legal = [text for text in map(GAME.notate, GAME.legal_actions(state, Seat(0))) if text.startswith("explore")]
    said = {panels.preview(text, GAME.view_for(state, Seat(0))) for text in legal if "token" not in text}
    small = "the new island needs a second tile."
    assert f"With this tile: {small}" in said


def test_a_preview_says_why_the_island_of_the_tile_is_not_among_those_that_bring_something() -> None:
    state = position(objective=(4,), navigation=6)
    legal = [text for text in map(GAME.notate, GAME.legal_actions(state, Seat(0))) if text.startswith("explore")]
    total = "With this tile: +6 on 1 island."

    def previews(**changes: Any) -> set[str]:
        view = GAME.view_for(position(objective=(4,), navigation=6, **changes), Seat(0))
        return {panels.preview(text, view) for text in legal if "token" not in text}

    assert {
        total,
        f"{total} The new island needs a second tile.",
        f"{total} The island it lies on does not qualify yet.",
    } <= previews()
    board = position().table.board
    twice = (*board, *(each._replace(cell=Cell(each.cell.x, each.cell.y + 9)) for each in board))
    assert f"{total} You already have a House on Burano." in previews(board=twice, houses=(house(0, "1,0"),))


def test_a_preview_of_ones_own_ship_tells_what_ports_bring_besides_the_objective() -> None:
    state = position(objective=(4,), navigation=0)
    view, said = GAME.view_for(state, Seat(0)), set[str]()
    for text in (f"land own {cell.x},{cell.y}" for cell in view.berths):
        said.add(panels.preview(text, view))
        ports = GAME.view_for(act(state, text).state, Seat(0)).tallies[0].ports
        assert panels.preview(text, view).startswith(f"Now +6 on 1 island. {f'+{ports} for' if ports else 'No Port'}")
    assert len(said) > 1


@pytest.mark.parametrize(
    "text", ["explore 1 {0} 9,9 0", "land own 2,0", "explore 1 {0} discard", "land grey 2,0", "settle"]
)
def test_what_places_no_tile_or_breaks_a_rule_has_no_preview(text: str) -> None:
    state = position(objective=(4,), navigation=6)
    assert not panels.preview(text.format(state.table.row[0]), GAME.view_for(state, Seat(0)))


def test_the_reward_phase_shows_everybody_one_after_the_other_from_who_landed() -> None:
    state = position(3, phase="reward", turn=2, starter=1, objective=(4,), revealed=((), (4,), ()))
    text = html(scene(state, 0))
    listed = text.split('id="rewards"')[1]
    assert [listed.index(f"<b>{name}</b>") for name in ("bob", "cleo", "ann")] == sorted(
        listed.index(f"<b>{name}</b>") for name in NAMES[:3]
    )
    assert "6 points" in listed
    assert "has not revealed yet" in listed
    assert "Each player in turn shows their objective and places Houses" in listed


def test_the_end_shows_where_every_point_came_from(plays: Plays) -> None:
    last = plays[-1].state
    text = html(scene(last, None))
    tallies = GAME.view_for(last, None).tallies
    for tally in tallies:
        assert f"<td>{tally.islands}</td><td>{tally.discoveries}</td><td>{tally.ports}</td>" in text
        assert f"<td><b>{tally.total}</b></td>" in text
    assert text.count("<li>Round ") == len(last.table.houses)


def test_the_lists_of_the_end_add_up_to_what_is_written_over_them() -> None:
    houses = (house(0, "0,0", 4), house(0, "1,0"), house(1, "1,0", 3))
    state = position(phase="over", end="ships", houses=houses, discoveries=(Discovery(1, 2),), values=(7,))
    text = html(scene(state, None))
    assert "ann: Islands 4, Discovery 7</summary>" in text
    assert "<li>Round 1, on Arran: 4 points (" in text
    assert "<li>Round 1, on Burano: discovery token, 7 points (" in text
    assert "bob: Islands 3</summary>" in text


def test_the_last_action_is_marked() -> None:
    state = position(navigation=6)
    tile = state.table.row[0]
    (cell, turn), *_ = state.table.placement.spots(str(tile))
    step = act(state, f"explore 1 {tile} {cell.x},{cell.y} {turn}")
    for viewer in viewers(state):
        marked = html(scene(step.state, viewer, step.events)).split('class="last"')[1].split("</g>")[0]
        assert f'<rect class="s0" x="{cell.x * 100 + 2}" y="{cell.y * 100 + 2}"' in marked


def test_what_alexis_did_last_is_told_and_marked(plays: Plays) -> None:
    for play in plays:
        his = [event for event in play.events if getattr(event, "seat", None) == 1 and event.kind == "placed"]
        if play.state.table.solo and his:
            text = html(scene(play.state, 0, play.events))
            assert "Last turn</b> Alexis places" in text
            assert '<rect class="s1"' in text


def test_all_hands_are_shown_when_they_may_be() -> None:
    state = position(hands=HANDS, phase="over", end="ships")
    shown = scene(state, 0, open=tuple(GAME.view_for(state, Seat(seat)) for seat in (0, 1)))
    assert {18, 26, 38, 52} <= shown_tiles(html(shown))
    assert "All hands: bob" in html(shown)


def test_a_solo_result_ranks_won_before_lost_then_the_harder_card() -> None:
    def rank(alexis: str, mine: int) -> int:
        state = begin(1, alexis=alexis)
        houses = tuple(house(0, "0,0", points) for points in (mine,))
        table = replace(state.table, phase="over", end="ships", houses=houses)
        result = board.solo_result(scene(replace(state, table=table), 0))
        assert result
        return result.rank

    ranks = [rank("night", 60), rank("night", 50), rank("morning", 70), rank("morning", 20), rank("night", 20)]
    assert ranks == sorted(ranks, reverse=True)
    assert board.solo_result(scene(begin(1), 0)) is None
    assert board.solo_result(scene(position(phase="over", end="ships"), 0)) is None


def test_counts_are_of_what_is_announced(plays: Plays) -> None:
    state = plays[-1].state
    counted = board.counts(scene(state, None))
    assert len(counted) == state.table.seats
    assert all(set(counts) == {key for key, _label in board.COUNTED} for counts in counted)
    assert [counts["houses"] for counts in counted] == [state.table.houses_placed(n) for n in range(state.table.seats)]


def test_a_name_cannot_bring_markup() -> None:
    text = html(replace(scene(position(houses=(house(0, "0,0"),)), 1), names=("<b>ann", "bob")))
    assert "<b>ann" not in text
    assert "&lt;b&gt;ann" in text


def test_a_board_has_no_inline_style_or_script() -> None:
    texts = [html(scene(position(), 0)), html(scene(begin(), 0)), render_to_string(board.SPRITE)]
    for text in (*texts, rules_html("small-islands")):
        assert not re.search(r"<script|\sstyle=|\son\w+=|<style", text)


def test_styles_and_scripts_exist() -> None:
    assert all(finders.find(path) for path in (*board.STYLES, *board.SCRIPTS))


def test_a_cached_piece_keeps_to_the_language_of_its_reader() -> None:
    state = position(houses=(house(0, "0,0"),))
    english = html(scene(state, 0))
    with translation.override("de"):
        german = html(scene(state, 0))
    assert "Blüte" in german
    assert html(scene(state, 0)) == english


def test_a_scene_is_all_a_board_needs() -> None:
    assert "islands-board" in html(Scene(GAME.view_for(position(), None), None, NAMES[:2]))


def test_a_discovery_token_is_told_instead_of_0_points() -> None:
    table = position(phase="reward", turn=1, objective=(11,), board=tiles("52 0,0 0"), revealed=((11,), ())).table
    drawn = replace(table, houses=(house(0, "0,0"),), discoveries=(Discovery(0, 2),))
    assert "<li>on Arran: the best of 2 discovery tokens</li>" in rewarded(drawn)
    assert '<b class="gained">1 discovery token</b>' in rewarded(drawn)
    both = replace(drawn, houses=(house(0, "0,0"), house(0, "0,0", 4)))
    assert '<b class="gained">4 points and 1 discovery token</b>' in rewarded(both)


def rewarded(table: Table) -> str:
    return panels.rewards(panels.reward_phase(table, NAMES[:2]), now=True)


def names_of(state: State) -> list[str]:
    """Return what the islands of a position are called, in the order of the list."""
    return re.findall(r'class="visually-hidden">([^:<]+): \d+ tiles?,', html(scene(state, 0)))


def test_an_island_keeps_its_name_as_it_grows_and_the_older_name_stays_when_two_join() -> None:
    start, grown, before, after = (
        set(names_of(position(board=BOARDS[name]))) for name in ("start", "grown", "apart", "joined")
    )
    assert start == grown == {"Arran", "Burano"}
    assert "Arran" in before & after
    assert after < before


def test_the_two_lands_of_a_channel_have_names_of_their_own() -> None:
    assert names_of(position(board=tiles("38 0,0 1"), objective=(9,))) == ["Arran", "Burano"]


def test_every_island_has_a_name_of_its_own_however_many_there_are() -> None:
    specks = position(board=tiles(*(f"S1A {2 * column},{2 * row} 0" for column in range(8) for row in range(8))))
    names = names_of(specks)
    assert len(set(names)) == len(names) == 64
    assert "Arran 2" in names


def test_a_tile_that_fits_nowhere_cannot_be_chosen() -> None:
    walled = position(board=tiles("grey 0,0 0"), hands=((52, 1), (54, 55)), row=(2, 3, 4))
    text = html(scene(walled, 0))
    assert re.search(r'id="tile-52"[^>]* disabled>', text)
    assert not re.search(r'id="tile-1"[^>]* disabled>', text)


def test_the_edge_is_drawn_where_there_is_one() -> None:
    assert 'class="edge"' in html(scene(position(reach=4), None))
    assert 'class="edge"' not in html(scene(position(reach=ENDLESS), None))


def test_ships_are_offered_only_where_one_can_be_placed() -> None:
    assert 'id="tile-own"' in html(scene(position(navigation=0), 0))
    inland = tiles(*(f"52 {x},{y} 0" for x in range(2) for y in range(2)))
    assert 'id="tile-own"' not in html(scene(position(navigation=0, board=inland), 0))
