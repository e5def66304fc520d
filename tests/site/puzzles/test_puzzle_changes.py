"""What was tried stays what it was, whatever becomes of the puzzles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from importlib import import_module
from pathlib import Path
from shutil import copytree

import pytest
import time_machine
from django.apps import apps
from django.test import Client
from django.urls import reverse

from games.puzzles.daily import Daily, puzzle_of
from games.puzzles.models import Attempt
from games.titles import Title, titles
from tests.people import client_of, person
from tests.site.puzzles.test_puzzle_pages import TODAY, answer, of_today, poor, solution

pytestmark = pytest.mark.django_db

SLUG = "card-chess"


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(datetime(2026, 11, 23, 12, tzinfo=UTC), tick=False):
        yield


@pytest.fixture
def title(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Title:
    """A game whose puzzles may be changed: a copy of those that are stored."""
    found = titles()[SLUG]
    copytree(found.puzzle_folder, tmp_path / "daily")
    monkeypatch.setitem(vars(found), "puzzle_folder", tmp_path / "daily")
    return found


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch, title: Title) -> Callable[..., None]:
    def lines(*gone: int, schedule: str = "") -> None:
        """Store the puzzles in another order, without some of them, append to the schedule, and start anew."""
        path = title.puzzle_folder / "2026.jsonl"
        kept = [line for line in path.read_text().splitlines() if int(line[1:].partition(",")[0]) not in gone]
        path.write_text("".join(f"{line}\n" for line in reversed(kept)))
        with title.puzzle_schedule.open("a") as file:
            file.write(schedule)
        for name in ("puzzles", "puzzle_days"):
            monkeypatch.delitem(vars(title), name, raising=False)

    lines()
    return lines


def shown(client: Client, puzzle: Daily) -> str:
    page = client.get(puzzle.url)
    assert page.status_code == 200
    return re.sub(r'name="csrf\S+ value="\w+"|nonce="[^"]+"|csrf\w+":\s*"\w+"', "", page.content.decode())


def on(day: int) -> Daily:
    found = puzzle_of(SLUG, date(2026, 11, day))
    assert found is not None
    return found


def test_other_puzzles_in_another_order_move_nothing(client: Client, change: Callable[..., None]) -> None:
    member, days = client_of(person()), (21, 22, 23)
    for browser in (client, member):
        for day in days:
            with time_machine.travel(datetime(2026, 11, day, 12, tzinfo=UTC), tick=False):
                answer(browser, on(day), poor(on(day), 0))
                answer(browser, on(day), solution(on(day)))

    def everything() -> list[str]:
        pages = [shown(browser, on(day)) for browser in (client, member) for day in (*days, 20)]
        archive = client.get(reverse("puzzle_archive")).context["month"].days
        statistics = [browser.get(reverse("puzzles")).context["statistics"] for browser in (client, member)]
        return [*pages, str([[(row.puzzle, row.state) for row in rows] for _, rows in archive]), str(statistics)]

    before = everything()
    assert "streak=3" in before[-1]
    change(schedule="".join(f"2026-11-{day} {100 + day}\n" for day in range(10, 31)))
    assert everything() == before


def test_a_puzzle_that_is_gone_leaves_a_page_with_what_was_tried(change: Callable[..., None]) -> None:
    done, begun, visitor = client_of(person("done")), client_of(person("begun")), Client()
    puzzle = on(23)
    told = f"{puzzle.puzzle.solution[0]} <b>{puzzle.task.gain(puzzle.puzzle.best)}"
    for browser in (done, visitor):
        answer(browser, puzzle, solution(puzzle))
    answer(begun, puzzle, poor(puzzle, 0))
    change(puzzle.id)
    for browser in (done, visitor):
        page = browser.get(puzzle.url)
        assert page.status_code == 410
        assert told in page.content.decode()
        assert browser.get(reverse("puzzles")).context["statistics"].streak == 1
    stranger = Client().get(puzzle.url)
    assert stranger.status_code == 410
    assert "This puzzle has been withdrawn" in stranger.content.decode()
    assert 'id="tries"' not in stranger.content.decode()
    assert begun.post(puzzle.url, {"line": ""}).status_code == 410
    assert "withdrawn" in Client().get(reverse("puzzle_archive")).content.decode()


def test_another_puzzle_may_take_the_place_of_one_that_is_gone(change: Callable[..., None]) -> None:
    done, begun, visitor = client_of(person("done")), client_of(person("begun")), Client()
    gone = on(23)
    answer(done, gone, solution(gone))
    for browser in (begun, visitor):
        answer(browser, gone, poor(gone, 0))
    change(gone.id, schedule="2026-11-23 350\n")
    other = on(23)
    assert other.id == 350
    for browser in (begun, visitor):
        assert "3 tries left" in shown(browser, other), "what was begun on the other one counts no more"
        assert "Solved with 1 try" in answer(browser, other, solution(other))
    assert done.get(other.url).status_code == 410
    assert Attempt.objects.get(user__username="begun").puzzle == 350
    assert len(client_of(person()).get(other.url).context["page"].tried.tries) == 0


def test_whoever_began_a_puzzle_goes_on_with_it_though_the_schedule_names_another() -> None:
    ann, other = person("ann"), Daily(SLUG, TODAY, 350)
    tries = [[[other.game.notate(action) for action in poor(other, 0)], 0]]
    Attempt.objects.create(user=ann, game=SLUG, day=TODAY, puzzle=350, tries=tries)
    assert "Solved with 2 tries" in answer(client_of(ann), other, solution(other))


def test_attempts_of_the_first_release_get_the_puzzles_they_were_made_on() -> None:
    ann, days = person(), [TODAY, date(2026, 1, 1), date(2027, 1, 1), date(2027, 1, 2)]
    for day in days:
        Attempt.objects.create(user=ann, game=SLUG, day=day, tries=[], solved_on=None)
    import_module("games.puzzles.migrations.0002_ids").name_puzzles(apps, None)
    found = {row.day: row.puzzle for row in Attempt.objects.all()}
    assert [found[day] for day in days] == [of_today(SLUG).id, 1, 366, 1]


def test_a_visitor_of_the_first_release_keeps_their_tries(client: Client) -> None:
    puzzle = of_today(SLUG)
    answer(client, puzzle, solution(puzzle))
    session = client.session
    session["puzzles"] = {key: kept[:2] for key, kept in session["puzzles"].items()}
    session.save()
    assert "Solved with 1 try" in shown(client, puzzle)
