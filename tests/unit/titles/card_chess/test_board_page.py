"""What the board shows, and to whom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from games.engine.contract.playouts import Chooser, random_match
from games.engine.fair import FairChance
from games.engine.protocol import Seat, Viewer
from games.titles.card_chess import GAME, board
from games.titles.card_chess.board.drawing import drawn
from games.titles.card_chess.rules.deck import CARDS
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge
from games.titles.card_chess.rules.state import State
from games.titles.regions import Region
from tests.unit.titles.card_chess.showing import (
    NAMES,
    SEED,
    html,
    laid_out,
    page,
    play,
    scene,
    text_of,
    viewers,
    whole_match,
)

HANDS = ("bR6d bN5l bP1l gP4l", "gB7l gP1l gP2l bK5w")
TABLE = "gP3d bP2l gK5w"
REALM = "King, queen and castle of one color make a realm: 10 extra points."
THREE = (*HANDS, "bQ9w gN5d gR5l bG#w")


def first_turn() -> State:
    return laid_out(HANDS, TABLE)


def revealed() -> State:
    """Return the position after a turn: ann takes the pawn and the king with the rook and the knight."""
    state = play(laid_out(HANDS, TABLE, deck=tuple(CARDS)[:9]), 0, "bR6d bP1l bN5l").state
    return play(state, 1, "gB7l gP1l gP2l").state


def won_by(seat: int) -> Challenge:
    return Challenge((9, 4), (0, 0), seat, decider=False)


# --- secrets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_and_an_imagined_one_are_the_same_page_byte_for_byte(seats: int) -> None:
    for each in whole_match(seats)[::5]:
        for viewer in viewers(each.state):
            seat: Viewer = None if viewer is None else Seat(viewer)
            shown = scene(each.state, viewer, each.events)
            world = GAME.imagine(shown.view, FairChance(SEED, 1_000_000 + each.number))
            imagined = replace(shown, view=GAME.view_for(world, seat))
            assert html(imagined) == html(shown)
            assert page(imagined).regions == page(shown).regions
            assert board.status(imagined) == board.status(shown)
            assert board.facts(imagined) == board.facts(shown)


def test_nothing_of_a_sealed_play_reaches_anybody_else() -> None:
    ways = ["bR6d bN5l bP1l", "gP4l bP1l bR6d", "bN5l bR6d gP4l"]
    states = [play(laid_out(THREE, TABLE), 0, way).state for way in ways]
    for viewer in (None, 1, 2):
        assert len({text_of(state, viewer) for state in states}) == 1
        assert all(regions_of(state, viewer) == regions_of(states[0], viewer) for state in states)
        assert len({board.status(scene(state, viewer)) for state in states}) == 1
    assert len({text_of(state, 0) for state in states}) == 3


# --- what is sent ---------------------------------------------------------------------------------------------------


def regions_of(state: State, viewer: int | None) -> Mapping[str, Region]:
    return page(scene(state, viewer)).regions


def sent(before: State, after: State, viewer: int | None) -> set[str]:
    """Return the ids of what a page of this viewer is sent."""
    earlier, later = (page(scene(state, viewer)) for state in (before, after))
    return set(re.findall(r'<hx-partial id="([^"]+)"', later.since(earlier) or ""))


def to_draw(before: State, after: State) -> Counter[str]:
    """Return what is drawn for everybody together, by the ids of the regions."""
    known, wanted = (
        {(name, *each) for viewer in viewers(state) for name, each in regions_of(state, viewer).items()}
        for state in (before, after)
    )
    return Counter(name for name, *_, inside in wanted - known if inside is None)


def test_whoever_confirms_is_sent_their_table_and_hand_and_nobody_else_anything() -> None:
    before = first_turn()
    after = play(before, 0, "bR6d bN5l bP1l").state
    columns = {"column-1", "column-2", "column-3"}
    assert sent(before, after, 0) == {"chess-board", *columns, "hand", "hint", "places", "confirm"}
    assert sent(before, after, 1) == sent(before, after, None) == set()
    assert to_draw(before, after) == dict.fromkeys({*columns, "hand", "hint"}, 1)


def test_of_a_reveal_only_what_changed_is_drawn_and_once_for_all_who_see_it_alike() -> None:
    """Of the second turn each reads their own cards as theirs: two players, and whoever only watches."""
    second = play(play(laid_out(HANDS, TABLE, deck=tuple(CARDS)[:18]), 0, "bR6d bP1l bN5l").state, 1, "gB7l gP1l gP2l")
    before = play(second.state, 0, " ".join(second.state.hands[0][:3])).state
    after = play(before, 1, " ".join(before.hands[1][:3])).state
    drawn = to_draw(before, after)
    cells = {name for name in drawn if re.fullmatch(r"unseen-\w{4}", name)}
    assert len(cells) <= 3 * 2 + 3 + 4  # what was revealed and what was dealt
    for_each_seat = {"hand": 2, "tally-0": 2} | dict.fromkeys(("column-1", "column-2", "column-3", "unseen-count"), 3)
    assert drawn == for_each_seat | dict.fromkeys(("pile-1", "pile-2", "pile-3"), 3) | dict.fromkeys(
        (
            *("stands", "turn-head", "of-0-3"),
            *("discard-count", "discarded-2", "discarded-3", *cells),
        ),
        1,
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_all_see_alike_follows_from_what_a_spectator_knows(seats: int) -> None:
    for each in whole_match(seats)[::3]:
        public = board.regions(replace(scene(each.state, None), for_players=True))
        assert all(board.regions(scene(each.state, viewer)) == public for viewer in viewers(each.state))


def test_what_one_reader_sees_alone_is_the_frame_their_hand_what_they_do_with_it_and_what_they_are_told() -> None:
    own = re.compile(
        r"chess-board|felt|column-\d|hand|verbs|hint|places|confirm|last-turn|turn-legend|piles|pile-\d|outcome|holdings|won-\d|tally-\d|standing|unseen.*"
    )
    for each in whole_match(3)[::4]:
        for viewer in viewers(each.state):
            shown = scene(each.state, viewer)
            assert board.own_regions(shown).keys().isdisjoint(board.regions(shown))
            assert all(map(own.fullmatch, board.own_regions(shown)))


# --- choosing -------------------------------------------------------------------------------------------------------


def test_every_card_of_the_hand_and_every_place_can_be_chosen() -> None:
    text = text_of(first_turn(), 0)
    assert re.findall(r'name="card" value="([^"]+)"', text) == HANDS[0].split()
    assert re.findall(r'<select name="(place\d)" id="pick-\d" form="act">', text) == ["place1", "place2", "place3"]
    assert 'name="places" id="places" form="act" value="3"' in text
    assert 'form="act" id="confirm"' in text


def test_without_a_script_each_place_offers_the_hand_and_says_what_captures() -> None:
    (first, second, third) = re.findall(r"<select.*?</select>", text_of(first_turn(), 0))
    assert re.findall(r'<option value="(\w+)">(.)', first) == [
        ("bR6d", "✓"),
        ("bN5l", "✗"),
        ("bP1l", "✗"),
        ("gP4l", "✗"),
    ]
    assert re.findall(r'<option value="(\w+)">(.)', second)[3] == ("gP4l", "✓")
    assert '<option value="bN5l">✓ blue knight 5 (light)</option>' in third


def test_each_table_card_says_for_each_card_of_the_hand_whether_it_is_captured_or_why_not() -> None:
    marks = re.findall(r'<b class="m m(\d)( yes)?">([^<]+)</b>', text_of(first_turn(), 0))
    pawn, _, king = marks[:4], marks[4:8], marks[8:]
    assert [text for _, _, text in pawn] == ["can capture", "wrong square", "wrong square", "same color"]
    assert [text for _, _, text in king] == ["can capture", "can capture", "too weak", "same color"]
    assert [slot for slot, yes, _ in king if yes] == ["1", "2"]


@pytest.mark.parametrize(
    ("card", "about"),
    [
        ("gP3d", "Pile 1: captured by blue 3 or more, or #, on dark or white."),
        ("bR6l", "Pile 1: captured by green 6 or more, on light or white."),
        ("gB7d", "Pile 1: captured by blue 7 or more, on dark or white."),
        ("bC#w", f"Pile 1: # is captured by any green card except a pawn. {REALM}"),
        ("gG#w", "Pile 1: # is captured by any blue card except a pawn."),
        ("gK5w", f"Pile 1: captured by blue 5 or more, on any square. {REALM}"),
        ("bQ9w", f"Pile 1: captured by a green 9 alone. {REALM}"),
    ],
)
def test_each_table_card_explains_what_captures_it_and_a_realm(card: str, about: str) -> None:
    text = text_of(laid_out(HANDS, f"{card} bP2d gP1d"), 0)
    assert re.findall(r'data-about="(Pile 1[^"]+)"', text) == [about]


def test_with_equal_rooks_a_green_rook_explains_itself_as_6() -> None:
    state = laid_out(HANDS, "gR5d bP2d gP1d", rulings=Rulings(symmetric_rooks=True))
    assert "Pile 1: captured by blue 6 or more, on dark or white." in text_of(state, 0)


def test_without_hints_a_table_card_explains_nothing() -> None:
    assert "data-about" not in html(replace(scene(first_turn(), 0), hints=False))


def test_marks_follow_the_options_of_the_match() -> None:
    state = laid_out(("gR5d gP1l gP2l gP3l", "bP1l bP2l bP3l bP4l"), "bR6d bP1d bP2d")
    assert 'm1">too weak' in text_of(state, 0)
    equal = text_of(replace(state, rulings=Rulings(symmetric_rooks=True)), 0)
    assert 'm1 yes">can capture' in equal
    assert "Equal rooks." in equal


def test_a_control_keeps_its_id_from_push_to_push() -> None:
    before, after = text_of(first_turn(), 1), text_of(play(first_turn(), 0, "bR6d bN5l bP1l").state, 1)
    ids = [re.findall(r' id="([^"]+)"', text) for text in (before, after)]
    assert ids[0] == ids[1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_id_stands_once(seats: int) -> None:
    static = re.findall(r' id="([^"]+)"', render_to_string(board.SPRITE))
    for each in whole_match(seats)[::7]:
        for viewer in viewers(each.state):
            ids = static + re.findall(r' id="([^"]+)"', text_of(each.state, viewer))
            assert len(ids) == len(set(ids))


# --- confirmed ------------------------------------------------------------------------------------------------------


def test_whoever_has_confirmed_sees_their_sealed_cards_and_uses_nothing() -> None:
    text = text_of(play(first_turn(), 0, "bR6d bN5l bP1l").state, 0)
    assert text.count('class="place sealed"') == 3
    assert "Until then you can take them back with Undo." in text
    assert "<select" not in text
    assert 'id="confirm"' not in text
    hand = text.split('<fieldset id="hand" disabled>')[1].split("</fieldset>")[0]
    assert re.findall(r'name="card" value="(\w+)"', hand) == re.findall(r'name="card" value="(\w+)"', text) == ["gP4l"]


def test_a_match_that_somebody_has_left_for_good_is_over_on_the_board_too() -> None:
    state = play(laid_out(THREE, TABLE), 1, "gB7l gP1l gP2l").state
    for viewer in viewers(state):
        text = html(replace(scene(state, viewer), active=False, ended=True))
        assert 'data-mode="over"' in text
        assert "Ended in challenge 1" in text


def test_a_spectator_has_no_hand_and_no_controls() -> None:
    text = text_of(first_turn(), None)
    assert "<input" not in text
    assert "<select" not in text
    assert 'id="hand"' not in text
    assert "popover>" not in text


# --- the last turn --------------------------------------------------------------------------------------------------


def test_the_last_turn_is_told_pile_by_pile_with_captor_and_reasons() -> None:
    for viewer in (None, 0, 1):
        text = text_of(revealed(), viewer)
        piles = text.split('<ol class="piles"')[1].split("</ol>")[0].split('<li class="pile')[1:]
        assert [re.findall(r'href="#c-(\w+)"', pile) for pile in piles] == [
            ["gP3d", "bR6d", "gB7l"],
            ["bP2l", "bP1l", "gP1l"],
            ["gK5w", "bN5l", "gP2l"],
        ]
        assert [re.findall(r'class="mark">(.+?)</span>', pile) for pile in piles] == [
            ["✓ <span>captures", "same color"],
            ["same color", "too weak"],
            ["✓ <span>captures", "same color"],
        ]
        captures = "You capture." if viewer == 0 else "ann captures."
        assert [re.findall(r'class="verdict">([^<]+)<', pile) for pile in piles] == [
            [f"{captures} "],
            ["Nobody captures."],
            [f"{captures} "],
        ]
        assert [re.findall(r'class="earned">([^<]+)<', pile) for pile in piles] == [["+5"], [], ["+8"]]
        assert [pile.count('class="took"') for pile in piles] == [1, 0, 1]
        assert [re.findall(r' data-captor="0" data-worth="(\d+)"', pile) for pile in piles] == [["5"], [], ["8"]]


def test_just_before_the_second_phase_a_pile_brings_the_realm_that_it_completes() -> None:
    """The piles that nobody captured are shuffled by then and no longer kept; those that were captured count."""
    seed = bytes([161]) * 32
    state = random_match(GAME, 2, {}, seed, Chooser(seed)).plays[8].state
    assert (state.revealed.of_turn[-1].phase, state.revealed.of_turn[-1].turn) == (1, 4)
    earned = re.findall(r'class="earned">([^<]+)<', text_of(state, None))
    assert "+4, and +10 for a realm completed by the blue castle and blue queen" in earned
    assert 'data-worth="14"' in text_of(state, None)


def test_each_revealed_turn_has_a_key_of_its_own() -> None:
    keys = [re.findall(r'data-revealed="([^"]*)"', text_of(each.state, None))[0] for each in whole_match(2)]
    distinct = list(dict.fromkeys(keys))
    turns = {(each.state.revealed.challenge, each.state.revealed.of_turn) for each in whole_match(2)}
    assert len(distinct) == len(turns)
    assert keys[0] == ""


def test_before_the_first_reveal_there_is_nothing_to_step_through() -> None:
    text = text_of(first_turn(), 0)
    assert 'data-revealed=""' in text
    assert 'class="steps"' not in text
    assert 'class="pile' not in text


def test_the_end_of_a_challenge_is_counted_with_the_cards_that_were_left() -> None:
    over = next(each for each in whole_match(2) if each.state.revealed.left)
    text = text_of(over.state, None).split('id="last-turn"')[1].split("</section>")[0]
    points = over.state.challenges[0].points
    assert f"Challenge 1: ann {points[0]}, bob {points[1]}." in text
    left = [drawn(card) for hand in over.state.revealed.left for card in hand]
    assert re.findall(r'href="#c-(\w+)"', text.split('class="left"')[1]) == left


def test_the_end_of_a_challenge_tells_how_the_points_came_about() -> None:
    over = next(each for each in whole_match(2) if each.state.revealed.left)
    table = text_of(over.state, None).split('<table class="counting">')[1].split("</table>")[0]
    rows = re.findall(r"<tr.*?</tr>", table.split("<tbody>")[1], re.DOTALL)
    counts = [list(map(int, re.findall(r">(\d+)<", row))) for row in rows]
    assert [points for *_, points in counts] == list(over.state.challenges[0].points)
    assert all(5 * fives + 2 * twos + ones + 10 * realms == points for fives, twos, ones, realms, points in counts)
    own = text_of(over.state, 1).split('<table class="counting">')[1].split("</table>")[0]
    assert re.findall(r"</i>([^<]+)</th>", own) == ["ann", "You"]


def test_how_the_points_came_about_stays_until_the_next_turn_is_revealed() -> None:
    plays = [each for each in whole_match(2) if each.state.revealed.challenge == 1]
    shown = ['class="counting"' in text_of(each.state, 1) for each in plays]
    first = shown.index(True)
    assert shown[first:] == [True, True]  # the reveal, and the first of the two who confirm after it
    assert not any(shown[:first])


def test_a_match_of_the_first_rules_has_no_piles_to_count_points_from() -> None:
    over = next(each for each in whole_match(2) if each.state.revealed.left).state
    first_rules = replace(over, revealed=replace(over.revealed, piles=over.revealed.of_turn))
    text = text_of(first_rules, 0)
    assert 'class="counting"' not in text
    assert 'class="counted"' in text


def test_a_board_says_what_the_match_is_played_for() -> None:
    goals = {
        (2, "official"): ">Gold cards left: 4 · most wins<",
        (3, "official"): ">3 gold cards win<",
        (2, "decided"): ">3 gold cards win<",
        (4, "two_gold"): ">2 gold cards win<",
    }
    for (seats, length), goal in goals.items():
        state = laid_out((*THREE, HANDS[0])[:seats], TABLE, rulings=Rulings(length=length))
        assert goal in text_of(state, None)
    one = text_of(laid_out(HANDS, TABLE, rulings=Rulings(length="one_challenge")), None)
    assert "Gold cards left" not in one
    assert "gold cards win" not in one


def test_beside_the_phase_stands_what_comes_of_two_gold_cards_each() -> None:
    tie, shared = "At 2–2 a deciding challenge follows.", "At 2–2 the match is shared."
    even = (won_by(0), won_by(1))
    cases = [
        (Rulings(), even, tie),
        (Rulings(length="decided"), (), tie),
        (Rulings(length="decided", shared=True), even, shared),
        (Rulings(), even * 2, ""),
        (Rulings(), (won_by(0),) * 3, ""),
        (Rulings(length="two_gold"), (), ""),
        (Rulings(length="one_challenge"), (), ""),
    ]
    for chosen, past, told in cases:
        text = text_of(laid_out(HANDS, TABLE, challenges=past, rulings=chosen), None)
        assert {tie: tie in text, shared: shared in text} == {tie: told == tie, shared: told == shared}


# --- the guide ------------------------------------------------------------------------------------------------------


def guide(seats: int = 3, **options: bool) -> str:
    match = SimpleNamespace(options=options, seat_count=seats)
    return render_to_string(board.SPRITE, {"match": match})


def test_the_guide_follows_the_options_of_the_match() -> None:
    plain = guide()
    assert "If the strongest capturing cards are equal, nobody takes it." in plain
    assert "Cards that cannot capture do not matter" in plain
    assert "Strong cards block" in guide(blocking=True)
    assert "do not matter" not in guide(blocking=True)
    assert "Equal cards step aside" in guide(next_strongest=True)
    assert "nobody takes it." not in guide(next_strongest=True)
    assert "Equal cards step aside" not in guide(2, next_strongest=True)


def test_with_equal_rooks_the_guide_and_the_cards_say_that_green_rooks_count_as_6() -> None:
    equal, plain = guide(symmetric_rooks=True), guide()
    assert "green rooks count as 6" in equal
    assert '<title id="n-gR5l">green rook 5 (light), 2 points, counts as 6</title>' in equal
    assert equal.count("art-sticker") == 2
    assert '<title id="n-gR5l">green rook 5 (light), 2 points</title>' in plain
    assert "art-sticker" not in plain


# --- what was won, what is unseen -----------------------------------------------------------------------------------


def test_won_piles_points_and_realms_in_progress_are_shown() -> None:
    (ann, bob) = re.findall(r'<details id="won-\d">.*?</details>', text_of(revealed(), 1))
    assert "Points <b>13</b>" in ann
    assert "Piles <b>2</b>" in ann
    assert re.findall(r'aria-label="((?:blue|green): [^"]+)"', ann) == [
        "blue: king 0, queen 0, castle 0",
        "green: king 1, queen 0, castle 0",
    ]
    assert ann.count('class="none"') == 5
    assert "make a realm, worth 10 more.</small></p>" in ann.split("</summary>")[1].split('class="faces" ')[0]
    won = ann.split('class="faces" ')[1]
    assert re.findall(r'href="#c-(\w+)"', won) == ["gP3d", "bR6d", "gB7l", "gK5w", "bN5l", "gP2l"]
    assert "No piles captured yet." in bob


def test_gold_is_shown_and_how_much_is_left() -> None:
    past = (won_by(0),) * 2
    text = text_of(laid_out(HANDS, TABLE, challenges=past), 0)
    assert 'aria-label="Gold cards: 2"' in text
    assert text.split('id="holdings"')[1].count("#icon-gold") == 2
    assert ">Gold cards left: 2 · most wins<" in text
    assert text.split("Gold cards left")[1].split("</p>")[0].count("#icon-gold") == 2
    assert "Challenge 3, first phase, turn\xa01" in text


def test_at_three_to_nothing_the_count_says_who_has_won_and_that_the_last_gold_card_is_played_for() -> None:
    told = "You have won the match; the last gold card is still played for."
    counted = next(each.state for each in whole_match(2) if each.state.revealed.left)
    won, lost = (replace(counted.challenges[0], winner=seat) for seat in (0, 1))
    for past, says in (((won, won, won), True), ((won, lost, won), False), ((won, won), False)):
        assert (told in text_of(replace(counted, challenges=past), 0)) == says
    decided = replace(counted, challenges=(won,) * 3, rulings=Rulings(length="decided"))
    assert told not in text_of(decided, 0)
    over = replace(counted, challenges=(won,) * 3)
    assert "ann has won the match; the last gold card is still played for." in text_of(over, 1)
    assert ">Gold cards left: 1 · the match is decided<" in text_of(over, None)


def test_a_turn_of_a_deciding_challenge_is_headed_so_also_when_that_is_over() -> None:
    heads = [re.findall(r"<h2>([^<]+, turn[^<]+)</h2>", text_of(each.state, 0)) for each in whole_match(2)]
    named = list(dict.fromkeys(head.partition(",")[0] for found in heads for head in found))
    assert named == [*(f"Challenge {number}" for number in range(1, len(named))), "Deciding challenge"]


def test_whoever_plays_is_you_beside_what_they_have_won() -> None:
    state = whole_match(2)[3].state
    for viewer, names in ((0, ["You", "bob"]), (1, ["ann", "You"]), (None, ["ann", "bob"])):
        assert re.findall(r'<b class="name">([^<]+)<', text_of(state, viewer)) == names


def test_cards_that_were_not_seen_are_counted_by_piece_and_square() -> None:
    state = whole_match(3)[0].state
    view = GAME.view_for(state, Seat(0))
    text = text_of(state, 0).split('id="unseen"')[1].split("</details>")[0]
    assert f"Not seen yet: {len(view.unseen)}" in text
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", text)
    assert len(rows) == 11
    shown = [sum(map(int, re.findall(r">(\d+)</(?:b|td)>", row.split("</th>")[1]))) for row in rows]
    assert sum(shown) == len(view.unseen)


def test_the_removed_pawn_and_chosen_options_are_told() -> None:
    state = whole_match(4, (("length", "two_gold"), ("blocking", True)))[0].state
    assert state.removed_card
    text = text_of(state, 2)
    assert "Length of the match: first to two gold cards." in text
    assert "Strong cards block." in text
    assert re.search(r"Out of this match: \w+ pawn 1 \(\w+\)\.", text)


def test_second_phase_and_deciding_challenges_are_named() -> None:
    second = laid_out(HANDS, TABLE, phase=2, turn=5, kept=("bP1l", "bK5w"), deck=("bQ9w", "gP1l", "gC#w"))
    stands = text_of(second, None).split('id="stands"')[1]
    told = stands.split("<summary><b>Challenge 1, second phase, turn\xa05</b></summary>")[1].split("</details>")[0]
    assert "the discards are dealt again, once in a challenge" in told
    first = text_of(laid_out(HANDS, TABLE), None)
    assert (
        "<b>Challenge 1, first phase, turn\xa01</b></summary><p>Once the draw pile is used up, the discards are dealt"
        in first
    )
    three = text_of(laid_out(THREE, TABLE, deck=("bQ9w",)), None)
    assert "<b>Challenge 1, turn\xa01</b>\n</div>" in three
    past = tuple(map(won_by, (0, 1, 0, 1)))
    assert "Deciding challenge, first phase, turn\xa01" in text_of(laid_out(HANDS, TABLE, challenges=past), 0)


def test_the_last_turn_of_a_challenge_is_named_once_it_is_certain() -> None:
    told = "Last turn of challenge 1"
    first = laid_out(HANDS, TABLE)
    assert told not in text_of(first, 0)  # its discards may be dealt again
    assert told in text_of(replace(first, phase=2, turn=6, kept=("bP1l", "bK5w")), 0)
    three = laid_out(THREE, TABLE)
    assert told in text_of(three, None)
    assert told not in text_of(replace(three, deck=("bQ9w",)), None)
    past = tuple(Challenge((9, 4, 4, 2), (0,) * 4, seat % 4, decider=False) for seat in range(8))
    assert "Last turn of the deciding challenge" in text_of(
        laid_out((*THREE, "gB7l gP1l gP2d gP3d"), TABLE, challenges=past), 0
    )


def test_all_challenges_stand_in_a_table_open_when_the_match_is_over() -> None:
    over = whole_match(2)[-1].state
    text = text_of(over, None)
    table = text.split('<details id="all-challenges" open>')[1].split("</details>")[0]
    assert table.count('<th scope="row">') == len(over.challenges)
    assert 'class="columns"' not in text


def test_with_all_hands_every_card_of_everybody_is_shown() -> None:
    state = play(laid_out(THREE, TABLE), 0, "bR6d bN5l bP1l").state
    views = tuple(GAME.view_for(state, Seat(seat)) for seat in range(3))
    shown = replace(scene(state, None), open=views)
    rows = re.findall(r"<li><b><i.*?</li>", html(shown))
    assert [re.findall(r'href="#c-(\w+)"', row) for row in rows] == [
        ["gP4l", "bR6d", "bN5l", "bP1l"],
        HANDS[1].split(),
        ["bQ9w", "gN5d", "gR5l", "bGxw"],
    ]
    assert "open-hands" not in html(replace(shown, open=()))


# --- safety ---------------------------------------------------------------------------------------------------------


def test_a_name_cannot_bring_markup() -> None:
    shown = replace(scene(revealed(), 1), names=("<b>ann", "bob"))
    assert "<b>ann" not in html(shown).replace("<b><b>ann", "")
    assert "&lt;b&gt;ann" in html(shown)


def test_a_cached_piece_keeps_to_the_language_of_its_reader() -> None:
    english = text_of(revealed(), 0)
    with translation.override("de"):
        german = text_of(revealed(), 0)
    assert text_of(revealed(), 0) == english
    assert "Du schlägst." in german
    assert "captures" not in german


def test_a_scene_is_all_a_board_needs() -> None:
    assert NAMES[0] in text_of(first_turn(), None)
