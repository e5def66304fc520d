"""The committed puzzles: each is solved again, and what their solvers claim is checked with the rules alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from io import StringIO
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command

from games.engine.bots import Dice
from games.engine.protocol import RuleViolation, Seat
from games.engine.puzzles import Puzzle, PuzzleMaker, found_in, puzzle_position, solution_of
from games.titles import games, titles
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.deck import CARDS

ALL = [slug for slug, title in titles().items() if title.puzzles]
LEAST = 60


def maker_of(slug: str) -> PuzzleMaker:
    maker = titles()[slug].puzzle_maker
    assert maker is not None
    return maker


def asked(slug: str) -> Iterator[tuple[Puzzle, Any, Any]]:
    """Yield the puzzles of a game, each with its state and the view of the seat that is asked."""
    for puzzle in titles()[slug].puzzles:
        state = puzzle_position(games()[slug], puzzle)
        yield puzzle, state, games()[slug].view_for(state, Seat(puzzle.seat))


def test_three_games_have_puzzles() -> None:
    assert ALL == ["card-chess", "shifting-stones", "small-islands"]


@pytest.mark.parametrize("slug", ALL)
def test_every_puzzle_has_the_solution_and_the_proof_that_are_stored(slug: str) -> None:
    game, maker, greedy_failed = games()[slug], maker_of(slug), 0
    puzzles = list(asked(slug))
    assert len(puzzles) >= LEAST
    assert len({(puzzle.seed, puzzle.actions, puzzle.seat) for puzzle, _, _ in puzzles}) == len(puzzles)
    for puzzle, _, view in puzzles:
        solved = maker.solve(view)
        assert solved.unique, puzzle.solution
        assert (solved.best, solved.second, solved.examined) == (puzzle.best, puzzle.second, puzzle.examined)
        assert tuple(game.notate(action) for action in solved.line) == puzzle.solution
        assert maker.worth(view, solution_of(game, puzzle)) == puzzle.best
        greedy_failed += maker.worth(view, maker.greedy(view)) != puzzle.best
    assert 2 * greedy_failed >= len(puzzles)


@pytest.mark.parametrize("slug", ALL)
def test_an_answer_depends_on_nothing_that_the_seat_cannot_know(slug: str) -> None:
    game, maker = games()[slug], maker_of(slug)
    for number, (puzzle, _, view) in enumerate(asked(slug)):
        if number >= 5:
            break
        imagined = game.imagine(view, Dice(number))
        assert maker.solve(game.view_for(imagined, Seat(puzzle.seat))) == maker.solve(view)


@pytest.mark.parametrize("slug", ALL)
def test_a_solution_is_legal_and_shown_step_by_step(slug: str) -> None:
    game, maker = games()[slug], maker_of(slug)
    for number, (puzzle, state, view) in enumerate(asked(slug)):
        if number >= 20:
            break
        line = solution_of(game, puzzle)
        steps = maker.shown(state, Seat(puzzle.seat), line)
        assert 1 <= len(steps) <= len(line)
        assert all(step.events for step in steps)
        for step in steps:
            game.view_for(step.state, Seat(puzzle.seat))
        assert maker.task(view)
        assert str(puzzle.best) in maker.gain(puzzle.best)


def test_no_order_of_moves_scores_more_than_the_solver_says() -> None:
    """Every legal turn with three cards, by the rules of the game."""
    slug = "shifting-stones"
    game, maker = games()[slug], maker_of(slug)
    puzzle, state, _ = next(asked(slug))
    hand = state.hands[puzzle.seat][:3]
    state = replace(state, hands=tuple(hand if seat == puzzle.seat else held for seat, held in enumerate(state.hands)))

    @cache
    def most(grid: Any, hand: tuple[int, ...]) -> int:
        held = tuple(hand if seat == puzzle.seat else cards for seat, cards in enumerate(state.hands))
        now = replace(state, grid=grid, hands=held, acted=True)
        best = 0
        for action in game.legal_actions(now, Seat(puzzle.seat)):
            if game.notate(action) in {"end", "skip"}:
                continue
            after = game.apply(now, Seat(puzzle.seat), action, Dice(0)).state
            points = maker.worth(None, (action, game.parse("end"))) or 0
            left = tuple(card for card in hand if card != getattr(action, "card", None))
            best = max(best, points + (most(after.grid, left) if left else 0))
        return best

    assert most(state.grid, hand) == maker.solve(game.view_for(state, Seat(puzzle.seat))).best


def test_no_reply_leaves_less_than_the_solver_says() -> None:
    """Every reply with the cards that are not seen, settled by the rules of the game."""
    slug = "card-chess"
    game, maker = games()[slug], maker_of(slug)
    puzzle, state, view = min(asked(slug), key=lambda each: len(each[2].unseen))

    def sure(play: Any) -> int:
        return min(_won(view, play.cards, reply) for reply in set(permutations(view.unseen, 3)))

    assert max(sure(play) for play in game.legal_actions(state, Seat(puzzle.seat))) == puzzle.best
    shown = maker.shown(state, Seat(puzzle.seat), solution_of(game, puzzle))[-1].state
    taken = [pile for pile in shown.revealed.piles if pile.captor == puzzle.seat]
    assert sum(CARDS[card].points for pile in taken for card in pile.whole) == puzzle.best


def _won(view: Any, mine: Sequence[str], theirs: Sequence[str]) -> int:
    piles = zip(view.table, mine, theirs, strict=True)
    taken = [
        (target, one, other) for target, one, other in piles if settle(target, (one, other), view.rulings).captor == 0
    ]
    return sum(CARDS[card].points for pile in taken for card in pile)


def test_no_legal_placement_brings_more_than_the_solver_says() -> None:
    slug = "small-islands"
    game, maker = games()[slug], maker_of(slug)
    puzzle, state, view = next(asked(slug))
    explores = [
        action
        for action in game.legal_actions(state, Seat(puzzle.seat))
        if game.notate(action).startswith("explore") and "token" not in game.notate(action)
    ]
    worth = [maker.worth(view, (action,)) or 0 for action in explores]
    assert max(worth) == puzzle.best
    places = {
        game.notate(each).split(" ", 2)[2]
        for each, brings in zip(explores, worth, strict=True)
        if brings == puzzle.best
    }
    assert len(places) == 1


def test_what_is_not_asked_is_refused() -> None:
    game, maker = games()["shifting-stones"], maker_of("shifting-stones")
    _, _, view = next(asked("shifting-stones"))
    with pytest.raises(RuleViolation, match="skip"):
        maker.worth(view, (game.parse("skip"),))
    game, maker = games()["small-islands"], maker_of("small-islands")
    _, _, view = next(asked("small-islands"))
    with pytest.raises(RuleViolation, match="token"):
        maker.worth(view, (game.parse("land own 2,0"),))


def test_the_same_match_gives_the_same_puzzle() -> None:
    title, maker = titles()["shifting-stones"], maker_of("shifting-stones")
    found = found_in(title.game, title.insight.policy, maker, 0)
    assert found is not None
    assert found == found_in(title.game, title.insight.policy, maker, 0)
    assert title.puzzles[0] == found


# --- finding ----------------------------------------------------------------------------------------------------------


def find(*told: Any, **more: Any) -> tuple[str, str]:
    """Run `find_puzzles`; return what it says at the end, and how far it said it was."""
    said, meanwhile = StringIO(), StringIO()
    call_command("find_puzzles", *told, stdout=said, stderr=meanwhile, **more)
    return said.getvalue(), meanwhile.getvalue()


def test_puzzles_are_found_and_stored_with_their_proof(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slug, stored = "small-islands", tmp_path / "puzzles.jsonl"
    stored.write_text("what was stored before\n")
    monkeypatch.setitem(vars(titles()[slug]), "puzzle_file", stored)
    said, meanwhile = find(slug, count=2)
    assert said == "\n2 puzzles in puzzles.jsonl\n"
    assert meanwhile == "\r1 of 2\r2 of 2"
    game, maker = games()[slug], maker_of(slug)
    found = [msgspec.json.decode(line, type=Puzzle) for line in stored.read_text().splitlines()]
    assert len({puzzle.seed for puzzle in found}) == 2
    for puzzle in found:
        view = game.view_for(puzzle_position(game, puzzle), Seat(puzzle.seat))
        solved = maker.solve(view)
        assert (solved.unique, solved.best, solved.second) == (True, puzzle.best, puzzle.second)
        assert maker.worth(view, solution_of(game, puzzle)) == puzzle.best
        assert puzzle.version == game.version


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (["chess"], "chess has no module `puzzles`."),
        (["small-islands", "--count", "0"], "--count must be at least 1."),
        (["small-islands", "--count", "-3"], "--count must be at least 1."),
        (["small-islands", "--count", "many"], "invalid int value: 'many'"),
        ([], "the following arguments are required: game"),
    ],
)
def test_bad_arguments_are_refused_and_leave_the_puzzles_as_they_are(told: list[str], why: str) -> None:
    stored = titles()["small-islands"].puzzle_file.read_bytes()
    with pytest.raises(CommandError, match=re.escape(why)):
        find(*told)
    assert titles()["small-islands"].puzzle_file.read_bytes() == stored
