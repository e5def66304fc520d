"""Lessons through their pages, as a browser without a script takes them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from games.engine.lessons import LESSON, Course
from games.learn.models import Progress
from games.matchmaking.lobby import forget_lobby
from games.play.models import Match
from games.titles import games, titles
from tests.people import PASSWORD, client_of, person
from tests.site.accounts.conftest import link_in
from tests.site.accounts.test_registration import form

pytestmark = pytest.mark.django_db

STONES = "shifting-stones"
ALL = [(slug, name) for slug in games() for name in titles()[slug].lessons]


def address(name: str, slug: str = STONES) -> str:
    return reverse("lesson", args=[slug, name])


def course_of(slug: str, name: str) -> Course:
    return titles()[slug].course(titles()[slug].lessons[name])


LESSONS = [(slug, name) for slug, name in ALL if titles()[slug].lessons[name].kind == LESSON]


def ends(slug: str, name: str) -> str:
    """Return how the match at the end of a lesson is played."""
    return titles()[slug].lessons[name].end


OTHERWISE = "The next step goes on from a different solution."


def ended(client: Client, slug: str, name: str) -> str:
    """Return the page of a lesson whose last step was shown."""
    last = len(course_of(slug, name).lesson.steps)
    address_of_last = f"{address(name, slug)}?step={last}"
    page = client.get(address_of_last).content.decode()
    if 'id="end"' in page:
        return page
    return client.post(address_of_last, {"step": last, "show": 1}, follow=True).content.decode()


def take(client: Client, slug: str, name: str) -> str:
    """Take a lesson step by step, doing what its solutions do; return its last page."""
    course, page = course_of(slug, name), ""
    for number, step in enumerate(course.lesson.steps, start=1):
        page = client.get(address(name, slug), {"step": number}).content.decode()
        answered, line = None, ""
        for text in step.solution:
            answered = client.post(address(name, slug), {"step": number, "line": line, "action": text})
            assert answered.status_code == 302, answered.content.decode()
            line = parse_qs(urlsplit(answered["Location"]).query)["line"][0]
        if answered is not None:
            page = client.get(answered["Location"]).content.decode()
        if step.choices:
            right = next(index for index, choice in enumerate(step.choices, start=1) if choice.right)
            page = client.post(address(name, slug), {"step": number, "answer": right}, follow=True).content.decode()
        assert "data-done" in page
        assert ('id="next"' in page) == (number < len(course.lesson.steps))
        assert OTHERWISE not in page
    return page


@pytest.mark.parametrize("slug", games())
def test_every_lesson_is_taken_to_its_end_and_remembered(client: Client, subtests: pytest.Subtests, slug: str) -> None:
    for name in titles()[slug].lessons:
        with subtests.test(name):
            assert 'id="end"' in take(client, slug, name)
    offered = client.get(reverse("learn_game", args=[slug])).content.decode()
    assert offered.count("data-done") == len(titles()[slug].lessons)


@pytest.mark.parametrize(("slug", "name"), [(slug, name) for slug, name in LESSONS if ends(slug, name) == "bot"])
def test_a_lesson_goes_on_as_a_match_against_novice_without_an_account(client: Client, slug: str, name: str) -> None:
    goes_on = reverse("lesson_play", args=[slug, name])
    assert f'id="play-on" href="{goes_on}"' in ended(client, slug, name)
    played = client.get(goes_on).context["played"]
    assert played.course.seat in played.last.to_move
    assert not played.is_over


@pytest.mark.parametrize(("slug", "name"), [(slug, name) for slug, name in LESSONS if ends(slug, name) == "solo"])
def test_a_lesson_for_one_ends_with_a_match_alone_without_an_account(client: Client, slug: str, name: str) -> None:
    page = ended(client, slug, name)
    offered = re.search(r'name="next" value="([^"]*seats[^"]*)"', page)
    assert offered
    fields = client.post(reverse("guest"), {"next": unescape(offered[1])}, follow=True).context["form"]
    assert page.count(f'action="{reverse("guest")}"') == 1
    chosen = {field.name: field.value() for field in fields if field.value() not in (None, False)}
    client.post(f"{reverse('table_new')}?game={slug}", chosen)
    client.post(reverse("table_start", args=[Match.objects.get().slug]), {"nonce": "00ff"})
    match = Match.objects.get()
    lesson = course_of(slug, name).lesson
    assert (match.seat_count, match.is_running) == (1, True)
    assert lesson.options.items() <= match.options.items()
    assert f'href="{offered[1]}"' in ended(client, slug, name)  # a guest, as a member, goes there at once


def test_every_lesson_ends_with_a_match() -> None:
    assert {ends(slug, name) for slug, name in LESSONS} == {"bot", "solo"}


def test_a_wrong_try_gets_the_reason_and_changes_nothing(client: Client) -> None:
    fields = {"step": 1, "line": ""}
    by_lesson = client.post(address("two-cards"), {**fields, "verb": "flip", "card": "17", "cell": "a1"})
    assert by_lesson.status_code == 422
    assert "do not pay with it" in by_lesson.content.decode()
    by_rules = client.post(address("what-lies-there"), {**fields, "verb": "score", "card": "26"})
    assert "The stones do not show this card’s pattern." in by_rules.content.decode()
    by_board = client.post(address("what-lies-there"), {**fields, "verb": "score"})
    assert "Choose the card to score." in by_board.content.decode()
    in_general = client.post(address("what-lies-there"), {**fields, "verb": "end"})
    assert "not what is asked for" in in_general.content.decode()
    for refused in (by_lesson, by_rules, by_board, in_general):
        assert 'role="alert"' in refused.content.decode()
        assert not refused.context["page"].is_done


@pytest.mark.parametrize(("step", "line"), [(2, "choose 1 8"), (4, "explore 2 17 0,-1 3")])
def test_who_solves_a_step_in_another_way_is_told_that_the_next_one_does_not_go_on_from_there(
    client: Client, step: int, line: str
) -> None:
    page = client.get(address("first-round", "small-islands"), {"step": str(step), "line": line}).content.decode()
    assert 'id="next"' in page
    assert OTHERWISE in page


def test_a_wrong_answer_is_marked_as_such(client: Client) -> None:
    lesson = titles()[STONES].lessons["first-turn"]
    number = next(number for number, step in enumerate(lesson.steps, start=1) if step.choices)
    wrong = next(index for index, each in enumerate(lesson.steps[number - 1].choices, start=1) if not each.right)
    page = client.post(address("first-turn"), {"step": number, "answer": wrong})
    marks = [mark for _number, _text, mark in page.context["page"].choices]
    assert marks == ["wrong" if index == wrong else "" for index in range(1, len(marks) + 1)]
    assert "<b>Not right.</b>" in page.content.decode()


def test_actions_towards_a_goal_can_be_taken_back(client: Client) -> None:
    first = client.post(address("two-cards"), {"step": 1, "line": "", "action": "score 17"}, follow=True)
    second = client.post(
        address("two-cards"), {"step": 1, "line": first.context["page"].line, "action": "flip 41 a2"}, follow=True
    )
    page = second.context["page"]
    assert page.line == "score 17;flip 41 a2"
    assert client.get(page.take_back).context["page"].line == "score 17"
    assert client.get(page.again).context["page"].line == ""


def test_show_me_shows_the_solution_and_a_lesson_goes_on(client: Client) -> None:
    shown = client.post(address("first-turn"), {"step": 3, "show": "1"}, follow=True).content.decode()
    assert "This is how it goes." in shown
    assert "until you hold four cards again" in shown
    client.post(address("two-cards"), {"step": 1, "show": "1"}, follow=True)
    exercises = client.get(reverse("learn_game", args=[STONES])).context["offer"]
    assert exercises.lessons[0].reached.steps == 3
    assert exercises.solved == 0


def test_what_others_do_is_told(client: Client) -> None:
    page = client.post(address("first-turn"), {"step": 3, "action": "end"}, follow=True).content.decode()
    assert "Ann skips" in page


def test_progress_of_a_visitor_is_taken_over_by_the_account(client: Client) -> None:
    user = person("learner")
    take(client_of(user), STONES, "two-cards")
    take(client, STONES, "what-lies-there")
    client.post(address("first-turn"), {"step": 2, "action": "score 17"})
    assert f"{address('first-turn')}?step=3" in client.get(reverse("learn")).content.decode()
    client.post(reverse("account_login"), {"login": "learner", "password": PASSWORD})
    rows = {row.lesson: (row.reached, bool(row.done_on)) for row in Progress.objects.filter(user=user)}
    assert rows == {"two-cards": (1, True), "what-lies-there": (1, True), "first-turn": (2, False)}
    client.post(reverse("account_logout"))
    assert "?step=3" not in client.get(reverse("learn")).content.decode()


def test_an_account_takes_over_what_was_learned_in_the_browser_in_which_it_was_registered(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    take(client, STONES, "what-lies-there")
    client.post(address("first-turn"), {"step": 2, "action": "score 17"})
    client.post(reverse("account_signup"), form())
    client.post(link_in(mailoutbox[0]))
    client.post(reverse("account_login"), {"login": "Berta", "password": PASSWORD})
    progress = Progress.objects.filter(user__username="Berta")
    rows = {row.lesson: (row.reached, bool(row.done_on)) for row in progress}
    assert rows == {"what-lies-there": (1, True), "first-turn": (2, False)}
    assert f"{address('first-turn')}?step=3" in client.get(reverse("learn")).content.decode()


def test_a_step_done_again_takes_nothing_back(client: Client) -> None:
    take(client, STONES, "first-turn")
    client.post(address("first-turn"), {"step": 2, "action": "score 17"})
    offer = client.get(reverse("learn_game", args=[STONES])).context["offer"]
    assert offer.lessons[0].reached.is_done
    asking = [number for number, step in enumerate(offer.lessons[0].lesson.steps, start=1) if step.asks]
    assert offer.lessons[0].reached.steps == asking[-1]


@pytest.mark.parametrize(
    "fields",
    [
        {"step": "99"},
        {"step": "0"},
        {"step": "²"},
        {"step": "x" * 500},
        {"step": "2", "line": "nonsense"},
        {"step": "2", "line": "end;end"},
        {"step": "2", "line": ";".join(["end"] * 200)},
        {"step": "2", "answer": "7"},
        {"step": "1", "answer": "1"},
    ],
)
def test_any_address_shows_a_step(client: Client, fields: dict[str, Any]) -> None:
    assert client.get(address("first-turn"), fields).status_code in {200, 422}
    assert client.post(address("first-turn"), fields).status_code in {302, 422}


def test_what_is_not_there_is_not_found(client: Client) -> None:
    for path in (address("none"), address("first-turn", "chess"), reverse("learn_game", args=["chess"])):
        assert client.get(path).status_code == 404
    assert client.get(address("rules")).status_code == 404


def test_a_game_without_lessons_simply_has_none(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    link = reverse("learn_game", args=[STONES])
    shown_on = [reverse("learn"), reverse("home"), reverse("rules", args=[STONES])]
    assert all(link in client.get(path).content.decode() for path in shown_on)
    monkeypatch.setitem(vars(titles()[STONES]), "lessons", {})
    forget_lobby()  # the start page is kept for a few seconds
    for path in shown_on:
        response = client.get(path)
        assert response.status_code == 200
        assert link not in response.content.decode()
    assert reverse("learn_game", args=["card-chess"]) in client.get(reverse("learn")).content.decode()
    for path in (link, address("first-turn")):
        assert client.get(path).status_code == 404


def test_a_script_gets_the_part_that_changes(client: Client) -> None:
    headers = {"HX-Request": "true"}
    part = client.post(address("first-turn"), {"step": 2, "action": "score 17"}, headers=headers, follow=True)
    assert part.content.decode().lstrip().startswith('<section class="lesson" id="lesson"')
    assert part.headers["HX-Replace-Url"] == f"{address('first-turn')}?step=2&line=score+17"


def test_the_board_shows_only_what_the_learner_may_know(client: Client) -> None:
    page = client.get(address("first-turn")).content.decode()
    assert 'value="17"' in page
    assert 'value="2"' not in page.partition('id="lesson-board"')[2]


def test_a_lesson_speaks_the_language_of_its_reader(client: Client) -> None:
    german = {"Accept-Language": "de"}
    page = client.get(address("first-turn"), {"step": 2}, headers=german).content.decode()
    assert "Baum über der Sonne" in page
    refused = client.post(
        address("what-lies-there"), {"step": 1, "verb": "score", "card": "41"}, headers=german
    ).content.decode()
    assert "gespiegelt" in refused


def test_a_step_names_the_place_that_glows_until_it_is_done(client: Client) -> None:
    step = "/learn/small-islands/first-round/?step=3"
    assert 'data-pointed="cell -1,0"' in client.get(step).content.decode()
    assert "data-pointed" not in client.get("/learn/small-islands/first-round/?step=4").content.decode()


def test_on_the_board_of_an_exercise_nothing_glows_that_would_tell_the_answer(client: Client) -> None:
    assert 'data-glow="off"' in client.get(address("what-lies-there")).content.decode()
    assert 'data-glow="off"' not in client.get(address("first-turn")).content.decode()
    assert client_of(person()).get(address("what-lies-there")).content.decode().count('data-glow="off"') == 1


@pytest.mark.parametrize(
    ("exercise", "lesson", "marks"),
    [
        ("/learn/card-chess/what-is-left/", "/learn/card-chess/first-challenge/?step=2", 'class="m m1'),
        ("/learn/small-islands/who-may-settle/", "/learn/small-islands/first-round/?step=7", 'aria-hidden="true">+'),
        ("/learn/small-islands/what-to-play-for/", "/learn/small-islands/first-round/?step=2", "Now +"),
    ],
)
def test_an_exercise_does_not_say_what_a_card_or_an_island_would_bring(
    client: Client, exercise: str, lesson: str, marks: str
) -> None:
    assert marks in client.get(lesson).content.decode()
    assert marks not in client.get(exercise).content.decode()


def test_in_an_exercise_every_free_house_place_can_be_chosen_and_the_lesson_says_why_not(client: Client) -> None:
    page = client.get("/learn/small-islands/who-may-settle/").content.decode()
    assert all(f'value="{site}"' in page for site in ("0,1", "1,-1", "1,0"))
    fields = {"step": 1, "verb": "settle", "places": 1, "site": "1,-1"}
    refused = client.post("/learn/small-islands/who-may-settle/", fields)
    assert "only one tile" in refused.content.decode()


def test_each_event_of_a_step_is_told_in_a_line_of_its_own(client: Client) -> None:
    shown = client.post("/learn/card-chess/first-challenge/", {"step": 2, "show": 1}, follow=True)
    told = shown.context["page"].log
    assert len(told) > 4
    assert all(text.count("Pile ") <= 1 for text in told)
