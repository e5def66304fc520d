"""The committed puzzles: each is solved again, and what their solvers claim is checked with the rules alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from io import StringIO
from itertools import islice, pairwise, permutations
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import pytest
import time_machine
from django.core.management import CommandError, call_command

from games.engine.dice import Dice
from games.engine.protocol import RuleViolation, Seat
from games.engine.puzzles import Puzzle, PuzzleMaker, found_in, is_proved, puzzle_line, puzzle_position, solution_of
from games.titles import Title, games, titles
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.deck import CARDS
from games.titles.shifting_stones.rules.notation import Score
from games.titles.shifting_stones.rules.state import card_points

ALL = [slug for slug, title in titles().items() if title.puzzles]
KINDS = {
    "card-chess": {"captures", "denial", "points"},
    "shifting-stones": {"fewest", "points"},
    "small-islands": {"house", "points"},
}
EACH = [(slug, kind) for slug, kinds in KINDS.items() for kind in sorted(kinds)]
SAMPLE, LEAST = 16, 60
"""`manage.py find_puzzles GAME --prove` proves all; here it is one in so many."""
STEP = 2
"""How many of 100 answers fewer are right at least, on average, than on the day of the week before."""


def asked(slug: str, kind: str = "", each: int = 1) -> Iterator[tuple[Puzzle, PuzzleMaker, Any, Any]]:
    """Yield one in so many puzzles of a game, with its maker, its state and the view of the seat that is asked."""
    title = titles()[slug]
    of_kind = [puzzle for puzzle in title.puzzles.values() if puzzle.kind == (kind or puzzle.kind)]
    for puzzle in of_kind[::each]:
        state = puzzle_position(title.game, puzzle)
        yield puzzle, title.puzzle_kinds[puzzle.kind], state, title.game.view_for(state, Seat(puzzle.seat))


def test_three_games_have_puzzles_of_several_kinds() -> None:
    found = {slug: {puzzle.kind for puzzle in titles()[slug].puzzles.values()} for slug in ALL}
    assert found == KINDS
    assert found == {slug: titles()[slug].puzzle_kinds.keys() for slug in ALL}
    assert found == {slug: titles()[slug].puzzle_tasks.keys() for slug in ALL}


@pytest.mark.parametrize("slug", ALL)
def test_every_puzzle_has_the_solution_and_the_proof_that_are_stored(slug: str) -> None:
    game, sample, greedy_failed = games()[slug], list(asked(slug, each=SAMPLE)), 0
    assert len(sample) > LEAST
    for puzzle, maker, _, view in sample:
        assert is_proved(game, maker, puzzle), puzzle.id
        greedy_failed += maker.worth(view, maker.greedy(view)) != puzzle.best
    assert 2 * greedy_failed >= len(sample)


@pytest.mark.parametrize("slug", ALL)
def test_each_day_of_three_years_has_a_puzzle_of_its_own(slug: str) -> None:
    title, first = titles()[slug], date(2026, 1, 1)
    days = [first + timedelta(days=number) for number in range(1096)]
    assert days[-1] == date(2028, 12, 31)
    assert {*days} == title.puzzle_days.keys()
    ids = [title.puzzle_days[day] for day in days]
    assert ids[:333] == list(range(1, 334)), "days that have been never change"
    assert len({*ids}) == len(ids)
    assert {*ids} <= title.puzzles.keys()
    positions = {(puzzle.match, puzzle.moves, puzzle.seat, puzzle.kind) for puzzle in title.puzzles.values()}
    assert len(positions) == len(title.puzzles)


@pytest.mark.parametrize("slug", ALL)
def test_weeks_begin_with_the_easiest_puzzle_and_end_with_the_hardest(slug: str) -> None:
    title, graded = titles()[slug], date(2026, 11, 30)
    assert graded.weekday() == 0
    ease = [title.puzzles[number].ease for day, number in sorted(title.puzzle_days.items()) if day >= graded]
    weeks = [ease[begin : begin + 7] for begin in range(0, len(ease), 7)]
    assert all(week == sorted(week, reverse=True) for week in weeks)
    means = [fmean(of_day) for of_day in zip(*weeks, strict=True)]
    assert all(before - after > STEP for before, after in pairwise(means)), means
    assert means[0] > 2 * means[-1]


@pytest.mark.parametrize(("slug", "kind"), EACH)
def test_an_answer_depends_on_nothing_that_the_seat_cannot_know(slug: str, kind: str) -> None:
    game = games()[slug]
    for puzzle, maker, _, view in islice(asked(slug, kind), 2):
        imagined = game.imagine(view, Dice(puzzle.id))
        assert maker.solve(game.view_for(imagined, Seat(puzzle.seat))) == maker.solve(view)


@pytest.mark.parametrize(("slug", "kind"), EACH)
def test_a_solution_is_legal_and_shown_step_by_step(slug: str, kind: str) -> None:
    game = games()[slug]
    for puzzle, maker, state, view in islice(asked(slug, kind), 10):
        line = solution_of(game, puzzle)
        steps = maker.shown(state, Seat(puzzle.seat), line)
        assert 1 <= len(steps) <= len(line)
        assert all(step.events for step in steps)
        for step in steps:
            game.view_for(step.state, Seat(puzzle.seat))
        assert maker.essence(view, line)
        task = titles()[slug].puzzle_tasks[kind]
        assert task.asked(view)
        assert task.gain(puzzle.best) != task.gain(puzzle.second)


def test_no_order_of_moves_scores_more_than_the_solver_says() -> None:
    """Every legal turn with three cards, by the rules of the game."""
    game = games()["shifting-stones"]
    puzzle, maker, state, _ = next(asked("shifting-stones", "points"))
    hand = state.hands[puzzle.seat][:3]
    state = replace(state, hands=tuple(hand if seat == puzzle.seat else held for seat, held in enumerate(state.hands)))
    assert _most(state, puzzle.seat, len(hand)) == maker.solve(game.view_for(state, Seat(puzzle.seat))).best


def test_no_turn_with_fewer_cards_scores_what_is_asked() -> None:
    task = titles()["shifting-stones"].puzzle_tasks["fewest"]
    for puzzle, _, state, view in islice(asked("shifting-stones", "fewest"), 3):
        scored = [int(text.removeprefix("score ")) for text in puzzle.solution if text.startswith("score")]
        goal, played = card_points(tuple(scored)), len(puzzle.solution) - 1
        assert f"Score {goal} points" in task.asked(view)
        assert task.gain(puzzle.best) == f"{played} cards"
        assert _most(state, puzzle.seat, played - 1) < goal


def _most(state: Any, seat: int, cards: int) -> int:
    """Return the most points of a turn in which so many cards are played."""
    game = games()["shifting-stones"]

    @cache
    def most(grid: Any, hand: tuple[int, ...], cards: int) -> int:
        held = tuple(hand if other == seat else own for other, own in enumerate(state.hands))
        now, best = replace(state, grid=grid, hands=held, acted=True), 0
        for action in game.legal_actions(now, Seat(seat)) if cards else ():
            if game.notate(action) in {"end", "skip"}:
                continue
            after = game.apply(now, Seat(seat), action, Dice(0)).state
            points = card_points((action.card,)) if isinstance(action, Score) else 0
            left = tuple(card for card in hand if card != action.card)
            best = max(best, points + (most(after.grid, left, cards - 1) if left else 0))
        return best

    return most(state.grid, state.hands[seat], cards)


@pytest.mark.parametrize("kind", sorted(KINDS["card-chess"]))
def test_no_reply_leaves_less_than_the_solver_says(kind: str) -> None:
    """Every reply with the cards that are not seen, settled by the rules of the game."""
    game = games()["card-chess"]
    puzzle, maker, state, view = min(asked("card-chess", kind, each=4), key=lambda each: len(each[3].unseen))

    def sure(play: Any) -> int:
        return min(_won(view, kind, play.cards, reply) for reply in set(permutations(view.unseen, 3)))

    assert max(sure(play) for play in game.legal_actions(state, Seat(puzzle.seat))) == puzzle.best
    shown = maker.shown(state, Seat(puzzle.seat), solution_of(game, puzzle))[-1].state
    piles = [(pile.whole, pile.captor) for pile in shown.revealed.piles]
    assert sum(_counted(kind, captor, whole, puzzle.seat) for whole, captor in piles) == puzzle.best


def _won(view: Any, kind: str, mine: Sequence[str], theirs: Sequence[str]) -> int:
    piles = list(zip(view.table, mine, theirs, strict=True))
    captors = [settle(target, (one, other), view.rulings).captor for target, one, other in piles]
    return sum(_counted(kind, captor, pile, 0) for pile, captor in zip(piles, captors, strict=True))


def _counted(kind: str, captor: int | None, pile: Sequence[str], me: int) -> int:
    """Return what a pile counts in a kind of puzzle."""
    points = sum(CARDS[card].points for card in pile)
    mine, theirs = captor == me, captor not in (me, None)
    return {"points": points * mine, "captures": int(mine), "denial": -points * theirs}[kind]


@pytest.mark.parametrize("kind", sorted(KINDS["small-islands"]))
def test_no_legal_placement_brings_more_than_the_solver_says(kind: str) -> None:
    game = games()["small-islands"]
    puzzle, maker, state, view = next(asked("small-islands", kind))
    explores = [
        action
        for action in game.legal_actions(state, Seat(puzzle.seat))
        if game.notate(action).startswith("explore") and "token" not in game.notate(action)
    ]
    worth = [maker.worth(view, (action,)) or 0 for action in explores]
    assert max(worth) == puzzle.best
    best = [action for action, brings in zip(explores, worth, strict=True) if brings == puzzle.best]
    assert {maker.essence(view, (action,)) for action in best} == {maker.essence(view, solution_of(game, puzzle))}


def test_a_house_scores_what_is_asked() -> None:
    """The best island pays what the puzzle of one House says, the best of all what that of all Houses says."""
    for kind, most in (("house", 1), ("points", 4)):
        puzzle, _, state, _ = next(asked("small-islands", kind))
        game = games()["small-islands"]
        after = game.apply(state, Seat(puzzle.seat), solution_of(game, puzzle)[0], Dice(0)).state
        view = game.view_for(after, Seat(puzzle.seat))
        houses = min(most, view.table.houses_in_hand(puzzle.seat))
        assert sum(sorted((each.points for each in view.prospects), reverse=True)[:houses]) == puzzle.best


def test_what_is_not_asked_is_refused() -> None:
    for slug, text, why in (("shifting-stones", "skip", "skip"), ("small-islands", "land own 2,0", "token")):
        _, maker, _, view = next(asked(slug))
        with pytest.raises(RuleViolation, match=why):
            maker.worth(view, (games()[slug].parse(text),))


def test_the_same_match_gives_the_same_puzzle() -> None:
    title = titles()["shifting-stones"]
    found = found_in(title.game, title.insight, title.puzzle_kinds, 0)
    assert found is not None
    assert 0 <= found.ease <= 100
    assert found == found_in(title.game, title.insight, title.puzzle_kinds, 0)


# --- finding ----------------------------------------------------------------------------------------------------------

DAY = date(2026, 11, 26)
OTHERS = [puzzle for puzzle in titles()["small-islands"].puzzles.values() if puzzle.id not in {3, 7}][:7]
GONE = '[9999,"points",1,0,"",0,[],3,2,1,50]'
"""A puzzle of other rules."""


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], Title]:
    """Give Small Islands a folder of its own with a puzzle for two days; return how to read it again."""
    title = titles()["small-islands"]
    puzzles = [title.puzzles[number] for number in (3, 7)]
    (tmp_path / "2026.jsonl").write_text("".join(f"{puzzle_line(puzzle)}\n" for puzzle in puzzles))
    (tmp_path / "schedule.txt").write_text(f"{DAY} 3\n{DAY + timedelta(days=1)} 7\n")

    def read() -> Title:
        for name in ("puzzles", "puzzle_days"):
            monkeypatch.delitem(vars(title), name, raising=False)
        return title

    monkeypatch.setitem(vars(title), "puzzle_folder", tmp_path)
    read()
    return read


def find(*told: Any, **more: Any) -> tuple[str, str]:
    """Run `find_puzzles` on that day; return what it says at the end, and how far it said it was."""
    said, meanwhile = StringIO(), StringIO()
    with time_machine.travel(datetime(2026, 11, 26, 12, tzinfo=UTC), tick=False):
        call_command("find_puzzles", *told, stdout=said, stderr=meanwhile, **more)
    return said.getvalue(), meanwhile.getvalue()


def test_days_that_have_no_puzzle_get_one_and_all_others_keep_theirs(own: Callable[[], Title]) -> None:
    stored = own().puzzle_folder
    before = {path.name: path.read_text() for path in stored.iterdir()}
    said, meanwhile = find("small-islands", until=date(2026, 11, 29))
    assert said == "2 puzzles found, 2 days have one now.\n"
    assert meanwhile == "\r1 of 2\r2 of 2\n"
    assert all((stored / name).read_text().startswith(text) for name, text in before.items())
    title = own()
    assert sorted(title.puzzles) == [3, 7, 8, 9]
    assert [title.puzzle_days[DAY + timedelta(days=number)] for number in range(2)] == [3, 7]
    assert (
        title.puzzles[title.puzzle_days[date(2026, 11, 28)]].ease
        >= title.puzzles[title.puzzle_days[date(2026, 11, 29)]].ease
    )
    assert find("small-islands", until=date(2026, 11, 29))[0] == "0 puzzles found, 0 days have one now.\n"
    assert find("small-islands", "--prove")[0] == "The solutions of 4 puzzles are proved.\n"


def test_a_puzzle_that_is_gone_is_replaced_on_days_to_come_and_its_id_is_not_given_again(
    own: Callable[[], Title],
) -> None:
    stored = own().puzzle_folder / "2026.jsonl"
    stored.write_text("")
    assert own().puzzle_days == {DAY: 3, DAY + timedelta(days=1): 7}, "a day keeps its puzzle even if it is gone"
    find("small-islands", until=date(2026, 11, 27))
    assert own().puzzle_days == {DAY: 3, DAY + timedelta(days=1): 8}
    assert list(own().puzzles) == [8]


def test_puzzles_graded_anew_are_shared_among_the_days_from_next_monday_on(own: Callable[[], Title]) -> None:
    days = [DAY + timedelta(days=number) for number in range(11)]
    stored = [*own().puzzles.values(), *OTHERS]
    lines = [puzzle_line(msgspec.structs.replace(puzzle, ease=50)) for puzzle in stored]
    (own().puzzle_folder / "2026.jsonl").write_text("".join(f"{line}\n" for line in [*lines, GONE]))
    ids = [*(puzzle.id for puzzle in stored[:4]), 9999, *(puzzle.id for puzzle in stored[4:])]
    written = "".join(f"{day} {number}\n" for day, number in zip(days, ids, strict=False))
    (own().puzzle_folder / "schedule.txt").write_text(written)
    own()
    said, _ = find("small-islands", "--grade")
    title = own()
    assert [title.puzzle_days[day] for day in days[:5]] == ids[:5], "days before Monday, and one whose puzzle is gone"
    assert sorted(title.puzzle_days.values()) == sorted(ids)
    ease = [title.puzzles[title.puzzle_days[day]].ease for day in days[5:10]]
    assert ease == sorted(ease, reverse=True)
    assert ease[0] > ease[-1]
    assert said.splitlines()[0] == f"Tuesday: {ease[0]:.1f} of 100 answers are right."
    assert [msgspec.structs.replace(puzzle, ease=50) for puzzle in title.puzzles.values()] == [
        msgspec.structs.replace(puzzle, ease=50) for puzzle in stored
    ]
    assert (title.puzzle_folder / "2026.jsonl").read_text().endswith(f"{GONE}\n")


def test_bots_try_some_puzzles_and_the_same_when_they_try_again(own: Callable[[], Title]) -> None:
    lines = [puzzle_line(puzzle) for puzzle in (*own().puzzles.values(), *OTHERS)]
    (own().puzzle_folder / "2026.jsonl").write_text("".join(f"{line}\n" for line in lines))
    own()
    said, _ = find("small-islands", "--ask", "4")
    *parts, agreement = said.splitlines()
    assert [re.sub(r"[\d.]+", "", part) for part in parts] == ["Grade :  of  tries are right"] * 3
    grades, right = zip(*([float(number) for number in re.findall(r"\d+\.\d", part)] for part in parts), strict=True)
    assert list(grades) == sorted(grades, reverse=True)
    assert 0 < max(right) <= 100
    assert re.fullmatch(r"Rank correlation in 4 puzzles: [+-]\d\.\d\d", agreement)
    assert find("small-islands", "--ask", "4")[0] == said


def test_a_wrong_solution_is_found_out(own: Callable[[], Title]) -> None:
    wrong = [msgspec.structs.replace(puzzle, best=puzzle.best + (puzzle.id == 3)) for puzzle in own().puzzles.values()]
    (own().puzzle_folder / "2026.jsonl").write_text("".join(f"{puzzle_line(puzzle)}\n" for puzzle in wrong))
    own()
    with pytest.raises(CommandError, match=r"not the single best answer: 3\."):
        find("small-islands", "--prove")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (["chess"], "chess has no module `puzzles` with `KINDS`."),
        (["small-islands", "--until", "never"], "invalid fromisoformat value: 'never'"),
        ([], "the following arguments are required: game"),
    ],
)
def test_bad_arguments_are_refused(told: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=re.escape(why)):
        find(*told)
