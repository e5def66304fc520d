"""Puzzles through their pages: three tries, the solution, the archive, and who keeps what was tried."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.engine.protocol import Seat
from games.engine.puzzles import solution_of
from games.puzzles import daily
from games.puzzles.daily import Daily
from games.puzzles.models import Attempt
from games.titles.card_chess.rules.deck import Play
from games.titles.shifting_stones.rules.notation import Flip, Score, Shift
from games.titles.shifting_stones.rules.patterns import CELLS
from games.titles.small_islands.rules.notation import Explore
from tests.people import PASSWORD, client_of, person
from tests.site.accounts.conftest import link_in
from tests.site.accounts.test_registration import form

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 23)
GAMES = ("card-chess", "shifting-stones", "small-islands")


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(datetime(2026, 11, 23, 12, tzinfo=UTC), tick=False):
        yield


def of_today(slug: str) -> Daily:
    found = daily.puzzle_of(slug, TODAY)
    assert found is not None
    return found


def fields(action: Any) -> dict[str, Any]:
    """Return the fields of the board's form that ask for an action."""
    match action:
        case Shift():
            cells = [CELLS[action.first], CELLS[action.second]]
            return {"verb": "shift", "card": action.card, "cell": cells}
        case Flip():
            return {"verb": "flip", "card": action.card, "cell": CELLS[action.cell]}
        case Score():
            return {"verb": "score", "card": action.card}
        case Play():
            places = {f"place{number}": card for number, card in enumerate(action.cards, start=1)}
            return {"places": len(action.cards), **places}
        case Explore():
            cell = f"{action.cell[0]},{action.cell[1]}"
            slot = {"slot": f"{action.slot}:0", "tile": action.tile, "cell": cell, "turn": action.turn}
            return {"verb": "place", **slot}
        case _:
            return {"verb": "end"}


def answer(client: Client, puzzle: Daily, line: Any) -> str:
    """Play an answer action by action, as a browser without a script does; return the page it ends on."""
    so_far = ""
    for action in line:
        response = client.post(puzzle.url, {**fields(action), "line": so_far}, follow=True)
        assert response.status_code == 200, response.content.decode()
        so_far = response.context["page"].line
        page = response.content.decode()
        assert 'id="so-far"' not in page or "<ol><li>" in page, "an answer so far is there in sentences"
    return str(page)


def solution(puzzle: Daily) -> Any:
    return solution_of(puzzle.game, puzzle.puzzle)


def poor(puzzle: Daily, number: int) -> Any:
    """Return one of several answers that are not the best: different ones for different numbers."""
    legal = [*puzzle.game.legal_actions(puzzle.state, puzzle.seat)]
    if puzzle.slug == "shifting-stones":
        return (legal[-3 - number], puzzle.game.parse("end"))
    found = []
    for action in legal:
        if "token" in puzzle.game.notate(action) or not isinstance(action, Play | Explore):
            continue
        if puzzle.maker.worth(puzzle.view, (action,)) != puzzle.puzzle.best:
            found.append((action,))
        if len(found) > number:
            break
    return found[number]


@pytest.mark.parametrize("slug", GAMES)
def test_the_solution_is_recognised_and_shown_step_by_step(client: Client, slug: str) -> None:
    puzzle = of_today(slug)
    page = answer(client, puzzle, solution(puzzle))
    assert "Solved:" in page
    assert "Solved with 1 try" in page
    for step in range(len(solution(puzzle)) + 1):
        shown = client.get(puzzle.url, {"step": step})
        assert shown.status_code == 200
        assert 'aria-current="step"' in shown.content.decode()
    assert f"All {puzzle.puzzle.examined} possible answers" in page.replace(",", "")


@pytest.mark.parametrize("slug", GAMES)
def test_each_of_three_tries_is_answered_and_then_the_solution_is_shown(client: Client, slug: str) -> None:
    puzzle = of_today(slug)
    first = answer(client, puzzle, poor(puzzle, 0))
    assert "There is something better. 2 tries are left." in first
    assert 'id="solution"' not in first
    assert "1 try is left" in answer(client, puzzle, poor(puzzle, 1))
    last = answer(client, puzzle, poor(puzzle, 2))
    assert "The best answer:" in last
    assert 'id="solution"' in last
    again = client.post(puzzle.url, {**fields(solution(puzzle)[-1])}, follow=True)
    assert "Not solved" in again.content.decode()


def test_the_same_answer_again_costs_no_try(client: Client) -> None:
    puzzle = of_today("card-chess")
    answer(client, puzzle, poor(puzzle, 0))
    assert "2 tries are left" in answer(client, puzzle, poor(puzzle, 0))


def test_the_start_page_shows_each_visitor_their_own_days_in_a_row(client: Client) -> None:
    others = [Client().get("/").content.decode()]
    answer(client, puzzle := of_today("shifting-stones"), solution(puzzle))
    assert "1 day in a row" in client.get("/").content.decode()
    others.append(Client().get("/").content.decode())
    assert all("day in a row" not in text and "All puzzles" in text for text in others)


def test_what_has_not_been_solved_gives_nothing_away(client: Client) -> None:
    for slug in GAMES:
        puzzle = of_today(slug)
        page = client.get(puzzle.url, {"step": "3"}).content.decode()
        assert 'id="solution"' not in page
        assert "were compared" not in page


def test_one_text_to_share_tells_of_all_puzzles_that_are_over_and_gives_nothing_away(client: Client) -> None:
    puzzle, other = of_today("shifting-stones"), of_today("card-chess")
    answer(client, puzzle, poor(puzzle, 0))
    answer(client, other, poor(other, 0))
    for address in (puzzle.url, reverse("puzzles")):
        assert "share-text" not in client.get(address).content.decode()
    answer(client, puzzle, solution(puzzle))
    first = [f"Tessera puzzles, {puzzle.date}", "Shifting Stones ✗★", "http://testserver/puzzles/"]
    answer(client, other, solution(other))
    both = [first[0], "3D cardChess ✗★", *first[1:]]
    for address in (puzzle.url, other.url, reverse("puzzles")):
        page = client.get(address)
        assert page.context["share"].splitlines() == both
        assert "share-text" in page.content.decode()


def test_the_text_about_an_earlier_day_leads_to_its_puzzle(client: Client) -> None:
    puzzle = daily.puzzle_of("shifting-stones", TODAY - timedelta(days=3))
    assert puzzle is not None
    answer(client, puzzle, solution(puzzle))
    assert client.get(puzzle.url).context["share"].splitlines()[-1] == f"http://testserver{puzzle.url}"


def test_a_week_of_results_is_shown_beside_the_boards_of_today(client: Client) -> None:
    earlier = daily.puzzle_of("card-chess", TODAY - timedelta(days=2))
    assert earlier is not None
    answer(client, earlier, poor(earlier, 0))
    answer(client, earlier, solution(earlier))
    response = client.get(reverse("puzzles"))
    shown = {title.slug: [row and row.short for row in rows] for title, rows in response.context["week"].games}
    assert shown == {slug: [""] * 7 for slug in GAMES} | {"card-chess": ["", "", "", "", "2", "", ""]}
    page = response.content.decode()
    assert page.count('class="thumbnail"') == len(GAMES)
    assert "New puzzles in 12 h 0 min." in page


@pytest.mark.parametrize("slug", GAMES)
def test_tries_are_small_boards(client: Client, slug: str) -> None:
    puzzle = of_today(slug)
    answer(client, puzzle, poor(puzzle, 0))
    (answered,) = client.get(puzzle.url).context["page"].answers
    mark, done, gain = answered
    assert (mark, bool(done.pictures), bool(gain)) == ("missed", True, True)
    assert bool(done.thumbnail) == (slug == "shifting-stones"), "a turn of several actions leads to a position"
    assert done.words.endswith(".")


def test_an_action_can_be_taken_back(client: Client) -> None:
    puzzle = of_today("shifting-stones")
    first = solution(puzzle)[0]
    page = client.post(puzzle.url, {**fields(first), "line": ""}, follow=True)
    assert page.context["page"].texts == (puzzle.game.notate(first),)
    assert f'href="{puzzle.url}?"' in page.content.decode()


@pytest.mark.parametrize(
    ("line", "posted"),
    [
        ("nonsense", {}),
        ("skip", {}),
        ("end", {}),
        (";".join(["end"] * 40), {}),
        ("", {"verb": "skip"}),
        ("", {"verb": "shift"}),
        ("", {"action": "flip 99 a1"}),
        ("score 1", {"verb": "end"}),
    ],
)
def test_what_is_not_an_answer_gets_a_sentence(client: Client, line: str, posted: Mapping[str, str]) -> None:
    puzzle = of_today("shifting-stones")
    response = client.post(puzzle.url, {**posted, "line": line}) if posted else client.get(puzzle.url, {"line": line})
    assert response.status_code == 422
    assert 'id="refusal"' in response.content.decode()


def test_a_refusal_is_in_its_readers_language(client: Client) -> None:
    puzzle = of_today("shifting-stones")
    response = client.post(puzzle.url, {"verb": "shift", "line": ""}, headers={"Accept-Language": "de"})
    found = re.search(r'id="refusal"[^>]*>([^<]+)<', response.content.decode())
    assert found is not None
    assert re.search(r"\b(Wähle|Karte|Steine?)\b", found[1])


def test_a_token_is_refused_on_the_islands(client: Client) -> None:
    puzzle = of_today("small-islands")
    tokens = (puzzle.game.notate(each) for each in puzzle.game.legal_actions(puzzle.state, puzzle.seat))
    text = next(text for text in tokens if "token" in text)
    response = client.post(puzzle.url, {"action": text, "line": ""})
    assert response.status_code == 422
    assert "no token" in response.content.decode()


def test_a_script_gets_the_part_of_the_page_that_changes(client: Client) -> None:
    puzzle = of_today("shifting-stones")
    headers = {"HX-Request": "true"}
    part = client.post(puzzle.url, {**fields(solution(puzzle)[0]), "line": ""}, headers=headers, follow=True)
    assert part.content.decode().lstrip().startswith('<section class="puzzle" id="puzzle"')


def test_puzzles_to_come_and_those_of_long_ago_are_not_there(client: Client) -> None:
    for day in (TODAY + timedelta(days=1), TODAY - timedelta(days=400)):
        assert client.get(reverse("puzzle", args=["shifting-stones", day.isoformat()])).status_code == 404
    for game, wrong in (("chess", "2026-11-23"), ("shifting-stones", "2026-13-01"), ("shifting-stones", "today")):
        assert client.get(reverse("puzzle", args=[game, wrong])).status_code == 404


def test_the_next_day_has_other_puzzles(client: Client) -> None:
    first = client.get(reverse("puzzles")).context["rows"]
    with time_machine.travel(datetime(2026, 11, 24, 0, 1, tzinfo=UTC), tick=False):
        second = client.get(reverse("puzzles")).context["rows"]
    assert {row.puzzle.id for row in first}.isdisjoint({row.puzzle.id for row in second})


def test_the_archive_goes_back_month_by_month(client: Client) -> None:
    page = client.get(reverse("puzzle_archive"))
    assert len(page.context["month"].days) == 23
    older = page.context["month"].older
    assert older == "2026-10"
    assert len(client.get(reverse("puzzle_archive"), {"month": older}).context["month"].days) == 31
    for month in ("2026-12", "1999-01", "nonsense", "2026-11-23"):
        assert client.get(reverse("puzzle_archive"), {"month": month}).status_code == 404


def test_days_in_a_row_count_what_was_solved_on_its_day(client: Client) -> None:
    member = client_of(person())
    for day in (20, 21, 23):
        with time_machine.travel(datetime(2026, 11, day, 12, tzinfo=UTC), tick=False):
            puzzle = daily.puzzle_of("shifting-stones", date(2026, 11, day))
            assert puzzle is not None
            answer(member, puzzle, solution(puzzle))
    late = daily.puzzle_of("shifting-stones", date(2026, 11, 22))
    assert late is not None
    answer(member, late, solution(late))
    statistics = member.get(reverse("puzzles")).context["statistics"]
    assert (statistics.played, statistics.solved, statistics.streak, statistics.longest) == (4, 4, 1, 2)
    assert tuple(statistics.by_tries) == (4, 0, 0)


def test_an_account_takes_over_what_its_visitor_has_tried(client: Client) -> None:
    puzzle, other = of_today("shifting-stones"), of_today("card-chess")
    user = person("solver")
    answer(client_of(user), other, solution(other))
    answer(client, puzzle, solution(puzzle))
    answer(client, other, poor(other, 0))
    client.post(reverse("account_login"), {"login": "solver", "password": PASSWORD})
    assert Attempt.objects.get(user=user, game=puzzle.slug).solved_on == TODAY
    assert len(Attempt.objects.get(user=user, game=other.slug).tries) == 1
    assert Attempt.objects.get(user=user, game=other.slug).solved_on == TODAY
    client.post(reverse("account_logout"))
    assert "3 tries left" in client.get(puzzle.url).content.decode()


def test_an_account_that_missed_a_puzzle_takes_over_that_its_visitor_solved_it(client: Client) -> None:
    solved, missed = of_today("shifting-stones"), of_today("card-chess")
    user = person("solver")
    for puzzle in (solved, missed):
        answer(client_of(user), puzzle, poor(puzzle, 0))
    answer(client, solved, solution(solved))
    answer(client, missed, poor(missed, 1))
    client.post(reverse("account_login"), {"login": "solver", "password": PASSWORD})
    kept = Attempt.objects.get(user=user, game=solved.slug)
    assert (kept.solved_on, len(kept.tries)) == (TODAY, 1)
    own = Attempt.objects.get(user=user, game=missed.slug)
    assert (own.solved_on, [line for line, _worth in own.tries]) == (None, [[missed.game.notate(poor(missed, 0)[0])]])
    assert client.get(reverse("puzzles")).context["statistics"].streak == 1


def test_an_account_takes_over_what_was_tried_in_the_browser_in_which_it_was_registered(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    puzzle = of_today("shifting-stones")
    answer(client, puzzle, solution(puzzle))
    client.post(reverse("account_signup"), form())
    client.post(link_in(mailoutbox[0]))
    client.post(reverse("account_login"), {"login": "Berta", "password": PASSWORD})
    assert Attempt.objects.get(user__username="Berta", game=puzzle.slug).solved_on == TODAY
    assert client.get(reverse("puzzles")).context["statistics"].solved == 1


def test_the_start_page_and_home_show_the_puzzles_of_today(client: Client) -> None:
    for browser in (client, client_of(person())):
        page = browser.get(reverse("home")).content.decode()
        assert all(of_today(slug).url in page for slug in GAMES)


def test_the_board_shows_only_what_the_seat_may_know(client: Client) -> None:
    """Cards in the opponent's hand and in the draw pile have no place in the page."""
    puzzle = of_today("shifting-stones")
    page = client.get(puzzle.url).content.decode()
    theirs = puzzle.state.hands[Seat(1 - puzzle.seat)]
    assert not any(f'value="{card}"' in page for card in theirs)
