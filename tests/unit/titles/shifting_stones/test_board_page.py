"""What the board shows, and to whom."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation

from games.engine.fair import FairChance
from games.engine.protocol import Seat, Viewer
from games.titles import Scene
from games.titles.shifting_stones import GAME, board
from games.titles.shifting_stones.insight import patient
from games.titles.shifting_stones.rules.patterns import CARDS
from games.titles.shifting_stones.teaching import COACH
from tests.unit.titles.rules_pages import referred, rules_html
from tests.unit.titles.shifting_stones.choosers import Chooser, Plays, idler, play_match, scorer, waster
from tests.unit.titles.shifting_stones.positions import SEED, act, position
from tests.unit.titles.shifting_stones.showing import NAMES, html, scene

HANDS = ((16, 1, 8, 21), (3, 4, 5, 6), (7, 9, 10, 11))


def cards_in(text: str) -> set[int]:
    """Return every card that the text mentions in any way."""
    return {int(card) for card in re.findall(r"(?:face|name|card|now|ghost|held)-(\d+)", text)}


@pytest.fixture(scope="module", params=[1, 2, 3])
def plays(request: pytest.FixtureRequest) -> Plays:
    """A whole match."""
    choosers: dict[int, list[Chooser]] = {1: [patient], 2: [scorer], 3: [waster, scorer, idler]}
    return play_match("board", choosers[request.param])


def viewers(seats: int) -> list[int | None]:
    return [None, *range(seats)]


def test_nobody_sees_a_hidden_card(plays: Plays) -> None:
    for play in plays:
        state = play.state
        known = {*state.discards, *(card for cards in state.scored for card in cards)}
        for viewer in viewers(len(state.hands)):
            own = set() if viewer is None else set(state.hands[viewer])
            assert cards_in(html(scene(state, viewer, play.events))) <= known | own


def test_a_match_and_an_imagined_one_are_the_same_page_byte_for_byte(plays: Plays) -> None:
    for play in plays[::3]:
        for viewer in viewers(len(play.state.hands)):
            seat: Viewer = None if viewer is None else Seat(viewer)
            shown = scene(play.state, viewer, play.events)
            world = GAME.imagine(shown.view, FairChance(SEED, 1_000_000 + play.number))
            imagined = replace(shown, view=GAME.view_for(world, seat))
            assert html(imagined).encode() == html(shown).encode()


def test_every_control_has_an_id_of_its_own(plays: Plays) -> None:
    for play in plays:
        for viewer in viewers(len(play.state.hands)):
            ids = re.findall(r' id="([^"]+)"', html(scene(play.state, viewer, play.events)))
            assert len(ids) == len(set(ids))


def test_a_control_keeps_its_id_from_push_to_push() -> None:
    state = position(HANDS)
    before, after = (html(scene(shown, 0)) for shown in (state, act(state, "flip 1 a1").state))
    assert 'value="16" id="card-16"' in before
    assert 'value="16" id="card-16"' in after
    assert all(f'id="cell-{cell}"' in after for cell in ("a1", "b2", "c3"))


def test_stones_are_named_with_both_sides() -> None:
    shown = html(scene(position(HANDS), 0))
    assert 'aria-label="c2, boat, back is horse"' in shown
    assert 'aria-label="a1, sun, back is moon"' in html(scene(position(HANDS), None))


def test_whoever_is_to_move_may_use_every_control() -> None:
    shown = html(scene(position(HANDS), 0))
    assert "disabled" not in shown
    assert re.findall(r'name="verb" value="(\w+)"', shown) == ["shift", "flip", "score", "end", "skip"]
    assert shown.count('form="act"') == 4 + 9 + 5


def test_whoever_waits_reads_their_hand_and_uses_nothing() -> None:
    shown = html(scene(position(HANDS), 1))
    assert re.findall(r'<fieldset id="(\w+)"[^>]* disabled>', shown) == ["tray", "hand"]
    assert shown.count("<input") == 4 + 9
    assert not shown.split("</fieldset>")[-1].count("<input")
    assert "<button" not in shown
    assert {3, 4, 5, 6} <= cards_in(shown)


def test_a_spectator_has_no_hand_and_no_controls() -> None:
    shown = html(scene(position(HANDS), None))
    assert "<input" not in shown
    assert "<button" not in shown
    assert 'id="hand"' not in shown


def test_cards_that_can_be_scored_now_say_so_and_what_they_pay() -> None:
    shown = html(scene(position(HANDS), 0))
    assert re.findall(r'id="now-(\d+)"><span>Scores now', shown) == ["16", "8", "21"]
    with_bonus = "1 point, +3 at the end for most 1-point cards."
    assert f'aria-labelledby="name-16 now-16" data-pays="{with_bonus}"' in shown
    assert 'aria-labelledby="name-8 now-8" data-pays="Score this card for 2 points."' in shown
    assert 'aria-labelledby="name-1">' in shown
    ahead = html(scene(position(HANDS, scored=((12,), (), ())), 0))
    assert 'aria-labelledby="name-16 now-16" data-pays="Score this card for 1 point."' in ahead


def test_the_last_card_of_a_hand_says_that_scoring_it_ends_the_turn() -> None:
    shown = html(scene(position(((8,), *HANDS[1:])), 0))
    assert 'data-pays="Your last card: 2 points, and your turn ends."' in shown


def test_no_card_scores_now_while_others_are_to_move() -> None:
    shown = html(scene(position(HANDS, mover=1), 0))
    assert "Scores now" not in shown
    assert "glow" not in shown
    assert "data-pays" not in shown


def test_the_pattern_of_a_card_is_laid_over_the_stones_with_what_is_right_and_what_is_missing() -> None:
    hand = (8, 26, 7)  # a sun in the top left corner; three trees in a row; a boat left of a moon
    shown = html(scene(position((hand, (3, 4, 5, 6))), 0))
    ghosts = re.findall(r'<div id="ghost-(\d+)" class="([^"]+)"( data-free)?>(.*?)</div>', shown)
    kinds = [(card, kind) for card, kind, _free, _ghost in ghosts]
    assert kinds == [("8", "ghost whole"), ("26", "ghost"), ("7", "ghost")]
    assert [bool(free) for _card, _kind, free, _ghost in ghosts] == [False, True, True]
    right, missing = (
        [re.findall(part, ghost) for *_, ghost in ghosts]
        for part in (r'<b class="(\w\d)">', r'<svg class="(\w\d)"[^>]*><use href="#mini-(\w+)"/>')
    )
    assert right == [["a1"], ["b3", "c3"], []]
    assert missing == [[], [("a3", "tree")], [("a2", "boat"), ("b2", "moon")]]


def test_only_the_patterns_of_ones_own_cards_are_laid_over_the_stones() -> None:
    state = position(HANDS)
    assert re.findall(r'id="ghost-(\d+)"', html(scene(state, 1))) == ["3", "4", "5", "6"]
    assert "ghost-" not in html(scene(state, None))


@pytest.mark.parametrize(
    ("text", "cells"), [("shift 1 a1 b1", ["a1", "b1"]), ("flip 1 b2", ["b2"]), ("score 8", ["a1"]), ("end", [])]
)
def test_the_last_action_is_marked(text: str, cells: list[str]) -> None:
    step = act(position(HANDS), text)
    for viewer in viewers(3):
        shown = html(scene(step.state, viewer, step.events))
        assert f'data-changed="{" ".join(cells)}"' in shown
        assert (f"Changed: {', '.join(cells)}<" in shown) == bool(cells)


def test_skip_is_out_of_reach_after_acting_and_says_why() -> None:
    shown = html(scene(act(position(HANDS), "flip 1 b2").state, 0))
    assert 'id="verb-skip" aria-disabled="true" data-why="You have already acted' in shown


def test_piles_are_counted_and_discards_can_be_looked_through() -> None:
    shown = html(scene(position(HANDS, discards=(30, 31, 32)), 1))
    assert "Draw pile <b>57</b>" in shown
    assert "Discards <b>3</b>" in shown
    assert re.findall(r"face-(\d+)", shown.split('id="discards">')[1])[:3] == ["32", "31", "30"]


def test_scored_cards_of_everybody_are_shown_with_the_bonus_as_it_stands() -> None:
    shown = html(scene(position(HANDS, scored=((41, 60), (), (55, 67))), None))
    assert "2 of 9" in shown
    assert "0 of 9" in shown
    assert "3 points at the end for the most 1-point cards (so far: cleo)" in shown
    assert {41, 60, 55, 67} <= cards_in(shown)


def test_the_last_round_is_told() -> None:
    assert "the last one" in html(scene(position(HANDS, triggered_by=0, mover=1), 1))


def test_alone_the_strikes_are_shown() -> None:
    shown = html(scene(position(((1, 2, 3, 4),), strikes=2, round=5), 0))
    assert 'aria-label="2 of 4 strikes"' in shown
    assert shown.count('class="struck"') == 2
    assert "Turn 5" in shown
    assert "bonus" not in shown


def test_what_newcomers_are_told_is_about_parts_of_the_page() -> None:
    shown = scene(position(HANDS), 0)
    aim, cost, win = COACH
    for mark in (aim, cost):
        assert f'id="{mark.target.removeprefix("#")}"' in html(shown)
    assert win.target == "#players"  # of the site
    assert [win.told(seats).split(",")[0] for seats in (2, 5)] == [
        "When someone has scored 10 cards",
        "When someone has scored 7 cards",
    ]


def test_a_name_cannot_bring_markup() -> None:
    shown = scene(position(HANDS, scored=((41,), (), ())), 1)
    text = html(replace(shown, names=("<b>ann", "bob", "cleo")))
    assert "<b>ann" not in text
    assert "&lt;b&gt;ann" in text


def test_a_board_has_no_inline_style_or_script() -> None:
    for text in (html(scene(position(HANDS), 0)), render_to_string(board.SPRITE), rules_html("shifting-stones")):
        assert not re.search(r"<script|\sstyle=|\son\w+=|<style", text)


def test_the_sprite_draws_every_card_and_names_it() -> None:
    sprite = render_to_string(board.SPRITE)
    for card in CARDS.values():
        symbol = re.search(rf'<symbol id="face-{card.id}".*?</symbol>', sprite)
        assert symbol
        drawn = re.findall(r"#mini-(\w+)", symbol[0])
        assert drawn == [face or "any" for row in card.rows for face in row]
        assert f'<text class="art-worth" x="13" y="80">{card.points}</text>' in symbol[0]
    assert "Card 12, 1 point: fish in the middle" in sprite


def test_whatever_is_drawn_or_named_stands_in_the_sprite(plays: Plays) -> None:
    ids = set(re.findall(r' id="([^"]+)"', render_to_string(board.SPRITE)))
    for play in plays[:: len(plays) // 5]:
        shown = html(scene(play.state, 0, play.events))
        assert set(re.findall(r'href="#([^"]+)"', shown)) <= ids
        assert set(re.findall(r"\bname-\d+", shown)) <= ids
    assert referred(rules_html("shifting-stones")) <= ids


def test_styles_and_scripts_exist() -> None:
    assert all(finders.find(path) for path in (*board.STYLES, *board.SCRIPTS))


def test_a_cached_piece_keeps_to_the_language_of_its_reader() -> None:
    state = position(HANDS)
    english = html(scene(state, 0))
    with translation.override("de"):
        html(scene(state, 0))
    assert html(scene(state, 0)) == english


def test_facts_count_points_scored_cards_and_cards_in_hand() -> None:
    shown = scene(position(HANDS, scored=((41, 60), (), (55, 67))), None)
    values = [[fact.value for fact in facts] for facts in board.facts(shown)]
    assert values == [["3", "2/9", "4"], ["0", "0/9", "4"], ["2", "2/9", "4"]]


def test_the_bonus_is_told_apart_and_on_which_condition_until_the_end_adds_it_up() -> None:
    shown = scene(position(HANDS, scored=((41, 60), (), (55, 67))), None)
    bonus = [(fact.value, fact.pending, fact.why) for fact, *_ in board.facts(shown)]
    assert bonus == [("3", "", ""), ("0", "", ""), ("2", "+3 bonus", "if nobody has more 1-point cards at the end")]
    assert '2 points <b title="if nobody has more 1-point cards at the end">+3 bonus<span' in html(shown)
    ended = replace(shown, ended=True)
    assert [(fact.value, fact.pending) for fact, *_ in board.facts(ended)] == [("3", ""), ("0", ""), ("5", "")]
    assert ">3 points for the most 1-point cards: cleo<" in html(ended)
    assert ">3 points for the most 1-point cards: you<" in html(replace(ended, viewer=Seat(2)))
    assert "2 points <b>+3 bonus</b>" in html(ended)
    running = board.thumbnail(shown.view)
    assert re.findall(r">([^<]+)</text>", running) == ["3", "0", "2+3"]
    with translation.override("de"):
        german = html(shown)
    assert '<b title="wenn am Ende niemand mehr 1-Punkt-Karten hat">+3 Bonus<span' in german
    finished = board.thumbnail(replace(shown.view, ended="cards"))
    assert re.findall(r">([^<]+)</text>", finished) == ["3", "0", "5"]
    points, _cards, part = board.decisive(ended)
    assert (points.values, part.values) == (("3", "0", "5"), ("0", "0", "3"))


def test_facts_count_the_strikes_left_of_who_plays_alone() -> None:
    (facts,) = board.facts(scene(position(((1, 2, 3, 4),), strikes=1), 0))
    assert [(fact.key, fact.value) for fact in facts] == [
        ("score", "0"),
        ("scored", "0/16"),
        ("hand", "4"),
        ("strikes", "3"),
    ]


def test_a_scene_is_all_a_board_needs() -> None:
    shown = Scene(GAME.view_for(position(HANDS), None), None, NAMES[:3])
    assert "stones-board" in html(shown)
