"""What others answered first is told to who is done with a puzzle, and to nobody before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.puzzles import services
from games.puzzles.daily import Daily
from games.puzzles.models import Attempt, FirstAnswer
from tests.people import PASSWORD, client_of, person
from tests.site.puzzles.test_puzzle_changes import SLUG, shown
from tests.site.puzzles.test_puzzle_pages import answer, of_today, poor, solution

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(datetime(2026, 11, 23, 12, tzinfo=UTC), tick=False):
        yield


def many(puzzle: Daily, line: object, count: int) -> None:
    for _ in range(count):
        answer(Client(), puzzle, line)


def poor_in_essence(puzzle: Daily) -> Any:
    """Return a poor answer that differs in what matters from the first one."""
    essence = puzzle.maker.essence(puzzle.view, poor(puzzle, 0))
    found = (poor(puzzle, number) for number in range(1, 20))
    return next(line for line in found if puzzle.maker.essence(puzzle.view, line) != essence)


def test_what_others_answered_first_is_told_to_who_is_done(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    puzzle, member = of_today(SLUG), client_of(person())
    other = poor_in_essence(puzzle)
    many(puzzle, solution(puzzle), 5)
    many(puzzle, poor(puzzle, 0), 5)
    answer(client, puzzle, other)
    assert 'id="others"' not in shown(client, puzzle)
    assert 'id="others"' not in shown(member, puzzle)
    assert 'id="others"' in answer(client, puzzle, solution(puzzle))
    total, told = client.get(puzzle.url).context["page"].others
    assert total == 11
    assert sorted((percent, mark) for percent, mark, _, _ in told) == [(45, "missed"), (45, "solved")]
    assert puzzle.task.gain(puzzle.puzzle.best) in {gain for *_, gain in told}
    for number in range(3):
        answer(member, puzzle, poor(puzzle, number))
    assert 'id="others"' in shown(member, puzzle), "who has no try left is done"
    with django_assert_num_queries(1):
        services.shares(puzzle)


def test_what_few_answered_is_not_told(client: Client) -> None:
    puzzle = of_today(SLUG)
    answer(client, puzzle, solution(puzzle))

    def told() -> list[tuple[int, str | None]]:
        others = client.get(puzzle.url).context["page"].others[1]
        return [(percent, done and done.words) for percent, _, done, _ in others]

    many(puzzle, solution(puzzle), 3)
    assert told() == []
    assert 'id="others"' not in shown(client, puzzle)
    many(puzzle, poor(puzzle, 0), 4)
    many(puzzle, solution(puzzle), 1)
    solved = puzzle.task.in_short(puzzle.view, solution(puzzle))
    assert told() == [(56, solved)], "four others are too few to tell of"
    many(puzzle, poor_in_essence(puzzle), 1)
    assert told() == [(50, solved), (50, None)]
    assert "something else" in shown(client, puzzle)


def test_everybody_is_counted_once_and_the_same_answer_in_other_words_is_one(client: Client) -> None:
    puzzle = of_today("shifting-stones")
    user = person("solver")
    answer(client, puzzle, solution(puzzle))
    answer(client, puzzle, solution(puzzle))
    client.post(reverse("account_login"), {"login": "solver", "password": PASSWORD})
    answer(client, puzzle, solution(puzzle))
    assert Attempt.objects.filter(user=user).count() == 1
    paid = [action for action in solution(puzzle) if puzzle.game.notate(action) != "end"]
    answer(client_of(person()), puzzle, [*paid, *solution(puzzle)[len(paid) :]])
    assert [row.count for row in FirstAnswer.objects.all()] == [2]


def test_an_account_that_ends_takes_no_count_with_it(client: Client) -> None:
    puzzle, user = of_today(SLUG), person()
    answer(client_of(user), puzzle, solution(puzzle))
    user.delete()
    assert FirstAnswer.objects.get().count == 1
    assert not Attempt.objects.exists()
