"""What is said about a match: status, log, cards, results."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from games.engine.protocol import Event, Outcome, Seat
from games.titles.small_islands import board
from games.titles.small_islands.board import panels, wording
from games.titles.small_islands.rules import events
from games.titles.small_islands.rules.components import MISSIONS, OBJECTIVES, REWARDS
from games.titles.small_islands.rules.islands import Site
from games.titles.small_islands.rules.scoring import CARDS, Tally
from games.titles.small_islands.rules.state import Discovery
from tests.unit.titles.small_islands.positions import begin, cell, house, position, site, tiles
from tests.unit.titles.small_islands.showing import NAMES, scene

ANN = frozenset({Seat(0)})
AT: Site = site("0,1")
PLACED = events.TilePlaced(None, 0, 2, 41, 41, cell("1,-1"), 3, known=True)
TALLIES = (Tally(0, 30, 5, 2), Tally(0, 28, 0, 3))

LINES: list[tuple[Event, str]] = [
    (events.SetUp(None, (1, 2, 3)), "The tiles are shuffled and dealt."),
    (events.StartTilePlaced(None, 0, "S1A", cell("0,-1"), 3), "ann places a start tile on 0, −1."),
    (events.TilesReceived(ANN, 0, (4, 5)), ""),
    (events.RoundPrepared(None, 2, 1), "Round 2 begins; bob is first. Everyone chooses an objective."),
    (events.CardsReceived(ANN, 0, ((1, 2, 3),)), ""),
    (events.ObjectiveChosen(None, 0), "ann has chosen an objective."),
    (
        events.CardsKept(ANN, 0, (4,), (10,)),
        (
            "Only ann sees: this round more dragon fruits than flowers – 6 points; next time two resources in equal "
            "numbers – 3+ tiles: 4 points; 6+: 6; 9+: 8; 12+: 10."
        ),
    ),
    (events.ExplorationBegan(None, 1), "All have chosen; bob begins the exploration."),
    (PLACED, "ann places face-up tile 2 on 1, −1."),
    (
        events.TilePlaced(None, 0, 2, 41, 17, cell("1,-1"), 3, known=False),
        "ann takes face-up tile 2 and places a tile from their hand on 1, −1.",
    ),
    (
        events.TokenLaid(None, 0, "any", "leaf", AT, "flower"),
        "ann lays a bonus token on 0, 1: a leaf instead of a flower.",
    ),
    (events.TokenLaid(None, 0, "leaf", "port", AT, "W"), "ann builds a Port on 0, 1, in the west."),
    (
        events.TilePutBack(None, 0, 1, 9, 9, known=True),
        "ann takes face-up tile 1, finds no place and puts a tile under the Reserve.",
    ),
    (events.RowRefilled(None, 1, 9, "reserve"), ""),
    (
        events.ShipPlaced(None, 1, "own", cell("2,0")),
        "bob lands with their own ship on 2, 0; each Port around it is 1 point. The exploration is over.",
    ),
    (
        events.ShipPlaced(None, 2, "grey", cell("2,0")),
        "Alexis lands with a gray ship on 2, 0. The exploration is over.",
    ),
    (events.Stranded(None, 0), "ann can neither explore nor land: a last Reward phase begins."),
    (events.ObjectiveRevealed(None, 0, (4,)), "ann reveals: more dragon fruits than flowers – 6 points."),
    (events.HousePlaced(None, 0, AT, 5, 6), "ann places a House on an island of 5 tiles: 6 points."),
    (wording.HouseOn(None, 0, AT, 5, 6, "Capri"), "ann places a House on Capri (5 tiles): 6 points."),
    (wording.HouseOn(None, 0, AT, 5, 0, "Capri"), "ann places a House on Capri (5 tiles)."),
    (events.HousePlaced(None, 0, AT, 5, 0), "ann places a House on an island of 5 tiles."),
    (events.DiscoveryDrawn(None, 0, 1), "ann draws 1 discovery token and keeps it: 3 to 8 points at the end."),
    (events.DiscoveryDrawn(None, 0, 3), "ann draws 3 discovery tokens and keeps the best: 3 to 8 points at the end."),
    (events.DiscoveryKept(ANN, 0, 7), "Only ann sees: the token is worth 7 points."),
    (events.Settled(None, 0, 1, 4), ""),
    (events.Settled(None, 0, 0, 4), "ann places no House."),
    (events.ExpeditionShuffled(None, 9), "The expedition cards are reshuffled."),
    (events.ExpeditionDrawn(None, 0), "Alexis draws: Land."),
    (
        events.ExpeditionDrawn(None, 4),
        "Alexis draws: Explore: face-up tile 1, joining the island with most temples.",
    ),
    (
        events.Finished(None, "ships", (1, 2), TALLIES),
        "All ships are placed. ann wins with 37 points; bob 31.",
    ),
]


@pytest.mark.parametrize(("event", "text"), LINES, ids=lambda value: getattr(value, "kind", ""))
def test_every_event_has_its_sentence(event: Event, text: str) -> None:
    assert board.line(event, NAMES[:2], None) == text


YOURS: list[tuple[Event, str]] = [
    (PLACED, "You place face-up tile 2 on 1, −1."),
    (events.ExplorationBegan(None, 0), "All have chosen; you begin the exploration."),
    (events.TokenLaid(None, 0, "leaf", "port", AT, "W"), "You build a Port on 0, 1, in the west."),
    (
        events.ShipPlaced(None, 0, "own", cell("2,0")),
        "You land with your own ship on 2, 0; each Port around it is 1 point. The exploration is over.",
    ),
    (events.Stranded(None, 0), "You can neither explore nor land: a last Reward phase begins."),
    (events.ObjectiveRevealed(None, 0, (4,)), "You reveal: more dragon fruits than flowers – 6 points."),
    (events.HousePlaced(None, 0, AT, 5, 6), "You place a House on an island of 5 tiles: 6 points."),
    (wording.HouseOn(None, 0, AT, 5, 6, "Capri"), "You place a House on Capri (5 tiles): 6 points."),
    (events.DiscoveryDrawn(None, 0, 3), "You draw 3 discovery tokens and keep the best; it counts at the end."),
    (events.DiscoveryKept(ANN, 0, 7), "Until the end only you see: the token is worth 7 points."),
    (events.Settled(None, 0, 0, 4), "You place no House."),
    (events.Finished(None, "ships", (1, 2), TALLIES), "All ships are placed. You win with 37 points; bob 31."),
]


@pytest.mark.parametrize(("event", "text"), YOURS, ids=lambda value: getattr(value, "kind", ""))
def test_whoever_reads_is_you(event: Event, text: str) -> None:
    assert board.line(event, NAMES[:2], Seat(0)) == text


def test_no_kind_of_event_is_left_unsaid() -> None:
    assert {type(event) for event, _ in LINES} == {*events.EVENT_TYPES, wording.HouseOn}


def test_a_sealed_choice_tells_others_only_that_it_was_made() -> None:
    seen_by_bob = [event for event, _ in LINES if isinstance(event, events.CardsKept) and event.is_seen_by(Seat(1))]
    assert seen_by_bob == []


def test_a_match_against_alexis_is_told_with_his_points() -> None:
    finished = events.Finished(None, "reserve", (2,), (Tally(0, 30, 0, 2), Tally(35, 4, 0, 0)))
    told = "The Reserve is too small for another round. ann did not beat Alexis: 32 points to his 39."
    assert board.line(finished, NAMES[:1], None) == told


def test_a_result_of_several_names_them_all() -> None:
    told = [
        wording.result(NAMES[:3], Outcome((2, 1, 3), (12, 20, 7), "")),
        wording.result(NAMES[:3], Outcome((1, 1, 3), (20, 20, 7), "")),
    ]
    assert told == [
        "bob wins with 20 points; ann 12, cleo 7.",
        "ann and bob share the win with 20 points each; cleo 7.",
    ]


def test_no_two_missions_or_rewards_are_told_alike() -> None:
    assert len({wording.mission_text(number) for number in MISSIONS}) == len(MISSIONS)
    assert len({wording.reward_text(number) for number in REWARDS}) == len(REWARDS)
    assert len({wording.objective_text(objective) for objective in OBJECTIVES.values()}) == len(OBJECTIVES)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "more flowers than dragon fruits"),
        (8, "a temple and at least two dragon fruits"),
        (12, "as many leaves as of another resource"),
        (13, "two resources in equal numbers"),
    ],
)
def test_missions_are_told_in_words(number: int, text: str) -> None:
    assert wording.mission_text(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "2, plus 1 per flower"),
        (5, "1 per temple and dragon fruit"),
        (8, "2, plus 2 per symbol of its rarest resource"),
        (9, "6 points"),
        (10, "3+ tiles: 4 points; 6+: 6; 9+: 8; 12+: 10"),
        (11, "1 discovery token (3–8 points) per temple; keep the best"),
        (12, "2, plus 1 per symbol of its most common resource"),
    ],
)
def test_rewards_are_told_in_words(number: int, text: str) -> None:
    assert wording.reward_text(number) == text


@pytest.mark.parametrize(
    ("language", "text"), [("de", "1 je Tempel und je Drachenfrucht"), ("it", "1 per tempio e frutto del drago")]
)
def test_symbols_of_a_reward_are_joined_as_each_language_does(language: str, text: str) -> None:
    with translation.override(language):
        assert wording.reward_text(5) == text


def test_the_cards_of_alexis_are_told_with_what_he_prefers() -> None:
    assert wording.alexis_text(CARDS["night"]) == (
        "40 points at the end and 1 for each House; 2 Houses in each Reward phase; "
        "preferred island: most resources, the largest"
    )


@pytest.mark.parametrize(
    ("changes", "viewer", "text"),
    [
        ({}, 0, "Your turn: take a tile and place one."),
        ({"navigation": 0}, 0, "Your turn: take and place a tile, or land."),
        ({"navigation": 0, "board": tiles("52 0,0 0")}, 0, "Your turn: take a tile and place one."),  # a ship needs sea
        ({"navigation": 0, "row": (None, None, None)}, 0, "Your turn: land."),
        ({}, 1, "ann is exploring."),
        ({"phase": "reward"}, 0, "Your turn: place Houses, or none."),
        ({"phase": "reward", "turn": 1}, None, "bob is placing Houses."),
        ({"phase": "choose", "chosen": (False, False)}, 1, "Choose your objective for this round."),
        (
            {"phase": "choose", "chosen": (False, True)},
            1,
            "Waiting for ann to choose an objective.",
        ),
    ],
)
def test_the_status_says_whose_turn_it_is_and_what_is_asked(changes: Any, viewer: int | None, text: str) -> None:
    state = position(**{"navigation": 6, **changes})
    assert board.status(scene(state, viewer)) == text


def test_start_tiles_are_asked_for() -> None:
    state = begin(start="by_hand")
    said = [board.status(scene(state, viewer)) for viewer in (0, 1)]
    assert said == ["Your turn: place a start tile.", "ann places the start tiles."]


def test_in_a_replay_nothing_is_asked() -> None:
    assert board.status(scene(position(), 0, active=False)) == "Your turn."


def test_the_status_tells_the_winner_and_everybody_else_how_it_ended() -> None:
    won = position(phase="over", end="ships", turn=0, houses=(house(1, "0,0", 6),))
    assert [board.status(scene(won, viewer)) for viewer in (None, 0, 1)] == [
        "bob won, 6 to 0.",
        "bob won, 6 to 0.",
        "You won, 6 to 0.",
    ]
    three = position(3, phase="over", end="ships", turn=0, houses=(house(1, "0,0", 6), house(2, "1,0", 4)))
    assert board.status(scene(three, 1)) == "You win with 6 points; cleo 4, ann 0."


@pytest.mark.parametrize(
    ("worth", "text"),
    [
        (("mission-not-fulfilled", 0, 0, 0), "No island qualifies yet."),
        (("objective", 1, 3, 0), "Now +3 on 1 island."),
        (("objective", 2, 9, 0), "Now +9 in all, on 2 islands."),
        (("objective", 1, 0, 0), "An island qualifies, but would score nothing yet."),
        (("objective", 1, 0, 3), "Now the best of 3 discovery tokens on one island."),
        (("objective", 1, 0, 1), "Now 1 discovery token on one island."),
        (("objective", 2, 0, 3), "Now a discovery token on each of 2 islands."),
        (("house-there-already", 0, 0, 0, "Capri"), "You already have a House on Capri."),
        (("house-there-already", 0, 0, 0), "You already have a House on every island that fulfills it."),
        (("no-free-house-symbol", 0, 0, 0, "Capri"), "Capri has no free house spot."),
        (("no-free-house-symbol", 0, 0, 0), "No island that fulfills it has a free house spot."),
        (("no-room", 0, 0, 0), "Each island that fulfills it has your House or no free house spot."),
        (("no-houses", 0, 0, 0), "You have no Houses left."),
        (("mission", 2, 0, 0), "Now 2 islands qualify."),
        (("reward", 0, 0, 0), "It would score nothing yet."),
        (("reward", 0, 6, 0), "Now up to +6 on one island."),
        (("tokens", 0, 0, 0), "No island has a temple yet."),
    ],
)
def test_what_a_card_would_bring_now_is_told_without_zeros(worth: panels.Worth, text: str) -> None:
    assert panels.worth_text(*worth) == text


def test_facts_count_points_houses_and_tokens() -> None:
    values = [[fact.value for fact in facts] for facts in board.facts(scene(position(3), None))]
    assert values == [["0", "0/8", "4"]] * 3


def test_discovery_tokens_are_pending_until_the_end_and_their_value_is_seen_by_their_owner_alone() -> None:
    houses = house(0, "0,0", 30), house(1, "1,0", 37), house(1, "0,0")
    found: dict[str, Any] = {
        "houses": houses,
        "discoveries": (Discovery(0, 2), Discovery(1, 1), Discovery(2, 3)),
        "values": (7, 4, 8),
    }
    state = position(**found)

    def points(viewer: int | None) -> list[tuple[str, str]]:
        return [(facts[0].value, facts[0].pending) for facts in board.facts(scene(state, viewer))]

    assert points(None) == [("30", "+ 1 ★"), ("37", "+ 2 ★")]
    assert points(0) == [("30", "+ 7"), ("37", "+ 2 ★")]
    assert points(1) == [("30", "+ 1 ★"), ("37", "+ 12")]
    mine, theirs = (facts[0].why for facts in board.facts(scene(state, 0)))
    assert mine == "1 discovery token, counted at the end; only you see its value"
    assert theirs == "2 discovery tokens: worth 3 to 8 points each, counted at the end"
    state = position(phase="over", end="ships", **found)
    assert points(0) == [("37", ""), ("49", "")]


def test_a_house_is_told_with_the_name_its_island_has_now() -> None:
    state = position()
    second = state.table.islands.all[1]
    placed = events.HousePlaced(None, 1, second.sites[0], second.size, 6)
    told = board.line(board.located(placed, state), NAMES[:2], None)
    assert told == "bob places a House on Burano (2 tiles): 6 points."
    assert board.located(PLACED, state) is PLACED
