"""What programs know of playing 3D cardChess: which plays promise points, what others hold, and reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.dice import Dice
from games.engine.protocol import Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.advice import explain
from games.titles.card_chess.insight import candidates, promising, suppose
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.options import Rulings
from tests.unit.titles.card_chess.positions import BLUE_HAND, BLUE_TABLE, first_turn, position, rest_of


def test_strong_cards_are_laid_where_they_capture_and_weak_ones_where_nothing_can() -> None:
    best = promising(("bQ9w", "bP1l", "bP2l"), ("gK5w", "bN5l"), Rulings(), 2)[0].play
    assert best.cards[0] == "bQ9w"


def test_every_play_is_a_candidate_once() -> None:
    state = first_turn()
    plays = [plan[0] for plan in candidates(state, Seat(0), Dice(1))]
    assert set(plays) == set(GAME.legal_actions(state, Seat(0)))
    assert len(plays) == len(set(plays))


def test_others_who_have_confirmed_are_supposed_to_have_played_what_promises_most() -> None:
    view = GAME.view_for(first_turn(), Seat(0))
    for number in range(5):
        state = suppose(view, Dice(number))
        assert GAME.view_for(state, Seat(0)) == view
        cards = (*state.sealed[1], *state.hands[1])
        worths = {each.play.cards: each.worth for each in promising(cards, state.table, state.rulings, 2)}
        assert worths[state.sealed[1]] == max(worths.values())


def test_a_capture_that_nothing_unseen_could_prevent_is_called_sure() -> None:
    state = position((("bQ9w", "bP1l", "bP2l", "bP3l"), BLUE_HAND), ("gK5w", "bN5l", "bN5d"))
    told = explain(GAME.view_for(replace(state, deck=rest_of(state)), Seat(0)), GAME.parse("play bQ9w bP1l bP2l"))
    assert told.startswith(
        "Nothing can keep your blue queen 9 (white) from the green king 5 (white): at least 7 points."
    )


def test_every_card_of_a_play_is_explained_the_best_capture_first() -> None:
    state = position((("bQ9w", "bP1l", "bP2l", "bP3l"), BLUE_HAND), ("bN5l", "gK5w", "bN5d"))
    told = explain(GAME.view_for(replace(state, deck=rest_of(state)), Seat(0)), GAME.parse("play bP1l bQ9w bP2l"))
    assert told.startswith("Nothing can keep your blue queen 9 (white) from the green king 5 (white)")
    assert told.endswith(
        "Your blue pawn 1 (light) and blue pawn 2 (light) can capture nothing there and give away 2 points at most."
    )


@pytest.mark.parametrize("rulings", [Rulings(), Rulings(blocking=True)])
def test_unseen_cards_that_could_prevent_a_capture_are_counted(rulings: Rulings) -> None:
    state = position((("bK5w", "bP1l", "bP2l", "bP3l"), BLUE_HAND), ("gK5w", "bN5l", "bN5d"), rulings=rulings)
    view = GAME.view_for(replace(state, deck=rest_of(state)), Seat(0))
    rivals = [card for card in view.unseen if settle("gK5w", ("bK5w", card), rulings).captor != 0]
    assert f"{len(rivals)} unseen cards could prevent it." in explain(view, GAME.parse("play bK5w bP1l bP2l"))


def test_a_play_that_captures_nothing_says_how_little_it_gives_away() -> None:
    state = position((BLUE_HAND, BLUE_HAND), BLUE_TABLE)
    told = explain(GAME.view_for(state, Seat(0)), GAME.parse("play bP1l bP2l bP3l"))
    assert told == "No card of this play can capture, and all of them together are worth only 3 points."
