"""What is said about a match: status, log, names of cards, results, numbers for the statistics."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from games.engine.protocol import Event, Seat
from games.titles.card_chess import board
from games.titles.card_chess.board.wording import card_name
from games.titles.card_chess.rules import state
from games.titles.card_chess.rules.deck import CARDS
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge
from games.titles.card_chess.rules.state import Pile
from tests.unit.titles.card_chess.showing import NAMES, laid_out, play, scene, whole_match

HANDS = ("bR6d bN5l bP1l gP4l", "gB7l gP1l gP2l bK5w")
TABLE = "gP3d bP2l gK5w"
SETTLED = "Pile 2, green pawn 3 (dark): ann plays blue rook 6 (dark), bob plays green bishop 7 (light)."


def pile(captor: int | None, result: str) -> Pile:
    return Pile(1, 1, 1, "gP3d", ("bR6d", "gB7l"), captor, result)  # type: ignore[arg-type]  # a Result


def challenge(winner: int | None, *, decider: bool = False) -> Challenge:
    return Challenge((45, 38), (1, 0), winner, decider)


LINES: list[tuple[Event, str]] = [
    (state.PawnRemoved(None, "gP1d"), "Out of this match: green pawn 1 (dark)."),
    (state.ChallengeBegun(None, 2, decider=False), "Challenge 2 begins."),
    (state.ChallengeBegun(None, 5, decider=True), "The deciding challenge begins."),
    (state.TableLaid(None, ("bQ9w", "gR5d"), 9), "On the table: blue queen 9 (white), green rook 5 (dark)."),
    (
        state.CardsReceived(frozenset({Seat(0)}), 0, ("bC#w", "gG#w")),
        "ann was dealt: blue castle # (white), green ghost queen # (white).",
    ),
    (state.CardsReceived(frozenset({Seat(0)}), 0, ()), ""),
    (state.Confirmed(None, 1), "bob has confirmed."),
    (
        state.PileSettled(None, pile(0, "captured")),
        f"{SETTLED} ann captures.",
    ),
    (
        state.PileSettled(None, pile(None, "none")),
        f"{SETTLED} Nobody captures.",
    ),
    (
        state.PileSettled(None, pile(None, "equal")),
        f"{SETTLED} Nobody captures: the strongest are equal.",
    ),
    (
        state.PileSettled(None, pile(None, "blocked")),
        f"{SETTLED} Nobody captures: a strong card blocks.",
    ),
    (state.DiscardsRecycled(None, 17), "The draw pile is empty: 17 discards are shuffled into a new one."),
    (
        state.ChallengeOver(None, 1, challenge(0), (("bP1l",), ()), (1, 0)),
        "Challenge 1: ann 45, bob 38. ann wins a gold card.",
    ),
    (
        state.ChallengeOver(None, 3, challenge(None), ((), ()), (0, 0)),
        "Challenge 3: ann 45, bob 38. It is drawn: nobody wins the gold card.",
    ),
    (
        state.ChallengeOver(None, 5, challenge(1, decider=True), ((), ()), (2, 2)),
        "Deciding challenge: ann 45, bob 38. bob wins the deciding challenge.",
    ),
    (state.MatchOver(None, "gold", (2, 1), (1, 3)), "bob wins with 3 gold cards; ann 1."),
    (state.MatchOver(None, "decider", (1, 2), (2, 2)), "ann won the deciding challenge. Gold cards: 2–2."),
    (state.MatchOver(None, "challenge", (1, 2), (1, 0)), "ann wins the challenge."),
    (state.MatchOver(None, "drawn", (1, 2), (0, 0)), "The challenge is drawn; ann is first by points."),
    (state.MatchOver(None, "drawn", (1, 1), (0, 0)), "ann and bob share the match with 0 gold cards each."),
    (state.MatchOver(None, "shared", (1, 1), (2, 2)), "ann and bob share the match with 2 gold cards each."),
    (
        state.MatchOver(None, "valve", (2, 1), (0, 1)),
        "No more challenges are played; bob is first with 1 gold card; ann 0.",
    ),
]


YOURS: list[tuple[Event, str]] = [
    (state.CardsReceived(frozenset({Seat(0)}), 0, ("bC#w",)), "You were dealt: blue castle # (white)."),
    (state.Confirmed(None, 0), "You have confirmed."),
    (
        state.PileSettled(None, pile(0, "captured")),
        "Pile 2, green pawn 3 (dark): you play blue rook 6 (dark), bob plays green bishop 7 (light). You capture.",
    ),
    (
        state.ChallengeOver(None, 1, challenge(0), (("bP1l",), ()), (1, 0)),
        "Challenge 1: you 45, bob 38. You win a gold card.",
    ),
    (
        state.ChallengeOver(None, 5, challenge(0, decider=True), ((), ()), (2, 2)),
        "Deciding challenge: you 45, bob 38. You win the deciding challenge.",
    ),
    (state.MatchOver(None, "gold", (1, 2), (3, 1)), "You win with 3 gold cards; bob 1."),
    (state.MatchOver(None, "gold", (2, 1), (1, 3)), "bob wins with 3 gold cards; you 1."),
    (state.MatchOver(None, "shared", (1, 1), (2, 2)), "You and bob share the match with 2 gold cards each."),
]


@pytest.mark.parametrize(("event", "text"), YOURS, ids=lambda value: getattr(value, "kind", ""))
def test_whoever_reads_is_you(event: Event, text: str) -> None:
    assert board.line(event, NAMES[:2], Seat(0)) == text


CAPTIONS: list[tuple[Event, str, str]] = [
    (state.TableLaid(None, ("bQ9w", "gR5d"), 9), "New cards lie on the table.", "New cards lie on the table."),
    (
        state.CardsReceived(frozenset({Seat(0)}), 0, ("bC#w", "gG#w")),
        "ann was dealt 2 cards.",
        "You were dealt 2 cards.",
    ),
    (state.CardsReceived(frozenset({Seat(0)}), 0, ("bC#w",)), "ann was dealt 1 card.", "You were dealt 1 card."),
    (state.CardsReceived(frozenset({Seat(0)}), 0, ()), "", ""),
    (state.PileSettled(None, pile(0, "captured")), "ann captures.", "You capture."),
    (state.PileSettled(None, pile(None, "none")), "Nobody captures.", "Nobody captures."),
    (state.Confirmed(None, 0), "", ""),
]


@pytest.mark.parametrize(("event", "theirs", "yours"), CAPTIONS, ids=lambda value: getattr(value, "kind", ""))
def test_beside_pictures_the_log_tells_only_what_they_do_not_show(event: Event, theirs: str, yours: str) -> None:
    assert (board.caption(event, NAMES[:2], None), board.caption(event, NAMES[:2], Seat(0))) == (theirs, yours)


@pytest.mark.parametrize(("event", "text"), LINES, ids=lambda value: getattr(value, "kind", ""))
def test_every_event_has_its_sentence(event: Event, text: str) -> None:
    assert board.line(event, NAMES[:2], None) == text


def test_no_kind_of_event_is_left_unsaid() -> None:
    assert {type(event) for event, _ in LINES} == set(state.EVENT_TYPES)


def test_the_line_of_a_sealed_play_tells_only_that_somebody_confirmed() -> None:
    step = play(laid_out(HANDS, TABLE), 0, "bR6d bN5l bP1l")
    assert [board.line(event, NAMES[:2], None) for event in step.events] == ["ann has confirmed."]


def test_a_result_of_four_names_them_in_the_order_of_their_places() -> None:
    over = state.MatchOver(None, "gold", (3, 1, 4, 2), (1, 3, 0, 2))
    assert board.line(over, NAMES, None) == "bob wins with 3 gold cards; dan 2, ann 1, cleo 0."


def test_no_two_cards_are_named_alike() -> None:
    assert len(set(map(card_name, CARDS))) == len(CARDS)


def test_german_names_put_the_piece_first() -> None:
    with translation.override("de"):
        assert card_name("gG#w") == "Geisterdame # grün (weiß)"
    assert card_name("gG#w") == "green ghost queen # (white)"


def test_whoever_is_to_move_is_asked_and_everybody_else_told_who_is_waited_for() -> None:
    state = laid_out(HANDS, TABLE)
    assert board.status(scene(state, 0)) == "Play a card on each of the three piles."
    assert board.status(scene(state, None)) == "Waiting for ann and bob."
    fewer = laid_out(HANDS, TABLE.rsplit(maxsplit=1)[0])
    assert board.status(scene(fewer, 1)) == "Play a card on both piles."
    state = play(state, 0, "bR6d bN5l bP1l").state
    assert board.status(scene(state, 0)) == "Waiting for bob."
    assert board.status(scene(state, 1)) == "Play a card on each of the three piles."
    assert board.status(scene(state, None)) == "Waiting for bob."


def news(position: state.State, viewer: int | None) -> str:
    """Return what the board tells a reader until they choose a card, having asked them all the same to act."""
    shown = scene(position, viewer)
    assert board.status(shown).startswith(("Play a card on ", "Waiting for "))
    return str(dict(board.own_regions(shown)["chess-board"].inputs)["news"])


def test_who_has_won_a_match_that_goes_on_is_told_before_the_next_turn() -> None:
    counted = next(each.state for each in whole_match(2) if each.state.revealed.left)
    won, lost, drawn = (replace(counted.challenges[0], winner=winner) for winner in (0, 1, None))
    decided, goes_on = (won,) * 3, "won the match; the last gold card is still played for."
    told = [news(replace(counted, challenges=decided), viewer) for viewer in (0, 1, None)]
    assert told == [f"You have {goes_on}", f"ann has {goes_on}", ""]
    later = replace(counted, challenges=decided, revealed=replace(counted.revealed, left=()))
    assert news(later, 0) == ""
    for past in ((won, won), (won, lost, won), (won, won, drawn)):
        assert news(replace(counted, challenges=past), 0) == ""


def test_the_second_phase_is_explained_in_its_first_turn() -> None:
    second = [each.state for each in whole_match(2) if each.state.phase == 2 and not each.state.sealed[0]]
    second.remove(whole_match(2)[-1].state)  # it is over
    told = [news(state, 0) for state in second]
    first = [state.revealed.of_turn[0].phase == 1 for state in second]
    assert ["Second phase" in text for text in told] == first
    assert set(first) == {True, False}


def test_in_a_replay_nothing_is_asked() -> None:
    assert board.status(replace(scene(laid_out(HANDS, TABLE), 0), active=False)) == "Waiting for ann and bob."


def test_the_winner_is_told_so_and_everybody_else_how_it_ended() -> None:
    over = whole_match(2)[-1]
    assert over.outcome
    winner = over.outcome.places.index(1)
    told = [board.status(scene(over.state, viewer)) for viewer in (None, winner, 1 - winner)]
    assert told == [
        "bob won the deciding challenge. Gold cards: 2–2.",
        "You won the deciding challenge. Gold cards: 2–2.",
        "bob won the deciding challenge. Gold cards: 2–2.",
    ]
    assert NAMES[winner] == "bob"


def test_facts_are_gold_and_the_points_of_the_challenge() -> None:
    state = laid_out(HANDS, TABLE, challenges=(challenge(1),), piles=(pile(0, "captured"),))
    values = [[(fact.key, fact.value) for fact in facts] for facts in board.facts(scene(state, None))]
    assert values == [[("gold", "0"), ("points", "5")], [("gold", "1"), ("points", "0")]]
    state = laid_out(HANDS, TABLE, challenges=(challenge(1),), rulings=Rulings(length="decided"))
    assert [facts[0].value for facts in board.facts(scene(state, None))] == ["0/3", "1/3"]


def test_once_the_match_is_over_facts_are_the_points_of_all_challenges_as_in_the_table_of_its_end() -> None:
    for each in whole_match(2):
        over = replace(scene(each.state, None), active=False, ended=True)
        shown = [fact.value for facts in board.facts(over) for fact in facts if fact.key == "points"]
        assert tuple(shown) == board.decisive(over)[-1].values


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_captures_realms_challenges_and_gold_of_a_whole_match_are_counted(seats: int) -> None:
    plays = whole_match(seats)
    told = [event for each in plays for event in each.events]
    captors = [event.pile.captor for event in told if isinstance(event, state.PileSettled)]
    past = [event.challenge for event in told if isinstance(event, state.ChallengeOver)]
    assert [dict(counted) for counted in board.counts(scene(plays[-1].state, None))] == [
        {
            "captures": captors.count(seat),
            "realms": sum(each.realms[seat] for each in past),
            "challenges": [each.winner for each in past].count(seat),
            "gold": plays[-1].state.gold[seat],
        }
        for seat in range(seats)
    ]


def test_piles_of_a_challenge_that_was_not_finished_count_too() -> None:
    state = laid_out(HANDS, TABLE, piles=(pile(0, "captured"), pile(0, "captured"), pile(None, "none")))
    assert [counted["captures"] for counted in board.counts(scene(state, None))] == [2, 0]


def test_everything_counted_has_a_label() -> None:
    (first, *_) = board.counts(scene(whole_match(2)[-1].state, None))
    assert list(first) == [key for key, _ in board.COUNTED]
