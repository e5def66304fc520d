"""People who ask for it are told of the day's puzzles in the morning, until they have solved one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings
from time_machine import Traveller

from accounts.models import User
from accounts.moments import today
from games.notifications import planning
from games.notifications.channels import mail
from games.notifications.channels.mail import unsubscribe_token
from games.notifications.jobs import DailyNotices, Deliveries
from games.notifications.models import DailyHour, Delivery, Preferences
from games.play import jobs
from games.puzzles import daily as puzzles_daily
from games.puzzles.models import Attempt
from tests.clocked import MONDAY
from tests.people import client_of, person
from tests.site.notifications.letters import Mailbox, mail_server, part
from tests.site.notifications.telling import Post
from tests.site.puzzles.test_puzzle_pages import answer, solution

pytestmark = pytest.mark.django_db

EIGHT_IN_BERLIN = MONDAY + timedelta(hours=19)
A_DAY = timedelta(days=1)


@pytest.fixture
def ann(clock: Traveller) -> User:
    return person("ann", time_zone="Europe/Berlin")


def ask(user: User, *channels: str, **hours: str) -> None:
    """Ask for the daily puzzle as the page of settings does."""
    told = [f"puzzle.{channel}" for channel in channels]
    fields = {"quiet_from": "", "quiet_until": "", "digest_at": "18:00", "puzzle_at": "08:00", "told": told}
    assert client_of(user).post("/settings/notices/", {**fields, **hours}).status_code == 302


def told(post: Post) -> list[tuple[str, str]]:
    """Let the worker do what is due; return the channels and kinds that it told."""
    before = {name: len(toy.told) for name, toy in post.toys.items()}
    work()
    return sorted(
        (name, message.kind) for name, toy in post.toys.items() for _user, message in toy.told[before[name] :]
    )


def work() -> None:
    while jobs.run_due([DailyNotices(), Deliveries(threaded=False)]):
        pass


def solve(user: User, slug: str = "card-chess") -> None:
    puzzle = puzzles_daily.puzzle_of(slug, today())
    assert puzzle is not None
    assert "Solved:" in answer(client_of(user), puzzle, solution(puzzle))


def test_nobody_is_told_who_has_not_asked(clock: Traveller, post: Post, ann: User) -> None:
    planning.schedule_daily(Preferences.of(ann))
    assert not DailyHour.objects.exists()
    ask(ann)
    clock.shift(3 * A_DAY)
    assert told(post) == []


def test_it_comes_once_every_morning_on_the_readers_clock(clock: Traveller, post: Post, ann: User) -> None:
    ask(ann, "push", "mail", "webhook")
    clock.move_to(EIGHT_IN_BERLIN - timedelta(seconds=1))
    assert told(post) == []
    for day in range(3):
        clock.move_to(EIGHT_IN_BERLIN + day * A_DAY)
        assert told(post) == [("mail", "puzzle"), ("push", "puzzle"), ("webhook", "puzzle")]
        assert told(post) == []


def test_it_names_the_games_and_leads_to_the_puzzles(clock: Traveller, post: Post, ann: User) -> None:
    ask(ann, "push")
    clock.move_to(EIGHT_IN_BERLIN)
    told(post)
    (message,) = post.messages("push")
    assert message.title == "Today’s puzzles"
    assert message.text == "New today: 3D cardChess, Shifting Stones and Small Islands."
    assert message.url.endswith("/puzzles/")


def test_whoever_has_solved_one_of_todays_is_not_told(clock: Traveller, post: Post, ann: User) -> None:
    ask(ann, "push")
    clock.move_to(EIGHT_IN_BERLIN - timedelta(hours=1))
    solve(ann)
    clock.move_to(EIGHT_IN_BERLIN)
    assert told(post) == []
    clock.move_to(EIGHT_IN_BERLIN + A_DAY)
    assert told(post) == [("push", "puzzle")]
    (message,) = post.messages("push")
    assert message.text.endswith("You solved one yesterday.")


def test_days_in_a_row_are_counted(clock: Traveller, post: Post, ann: User) -> None:
    ask(ann, "push")
    for _ in range(3):
        solve(ann)
        clock.shift(A_DAY)
    told(post)
    assert post.messages("push")[-1].text.endswith("You have solved a puzzle 3 days in a row.")


def test_whoever_has_no_try_left_is_not_told(clock: Traveller, post: Post, ann: User) -> None:
    ask(ann, "push")
    missed = [[["a1"], 0], [["a2"], 0], [["a3"], 0]]
    tomorrow = MONDAY.date() + A_DAY
    for slug in ("card-chess", "shifting-stones", "small-islands"):
        Attempt.objects.create(user=ann, game=slug, day=tomorrow, tries=missed)
    clock.move_to(EIGHT_IN_BERLIN)
    assert told(post) == []


def test_what_was_solved_meanwhile_is_not_told_any_more(clock: Traveller, post: Post, ann: User) -> None:
    ask(ann, "push")
    clock.move_to(EIGHT_IN_BERLIN)
    assert jobs.run_due([DailyNotices()]) == 1
    solve(ann)
    assert told(post) == []
    assert Delivery.objects.get().state == Delivery.State.DROPPED


def test_it_waits_for_the_end_of_quiet_hours(clock: Traveller, post: Post, ann: User) -> None:
    ask(ann, "push", quiet_from="22:00", quiet_until="09:30")
    clock.move_to(EIGHT_IN_BERLIN)
    assert told(post) == []
    clock.move_to(EIGHT_IN_BERLIN + timedelta(minutes=90))
    assert told(post) == [("push", "puzzle")]


def test_whoever_asks_for_it_in_german_reads_german(clock: Traveller, post: Post) -> None:
    gerd = person("gerd", language="de")
    ask(gerd, "push")
    clock.shift(A_DAY)
    told(post)
    assert post.messages("push")[0].title == "Rätsel von heute"


@pytest.fixture
def box(settings: Settings) -> Iterator[Mailbox]:
    with mail_server() as made:
        made.take_mails_of(settings)
        yield made


def test_the_email_leads_to_the_puzzles_and_can_be_switched_off(clock: Traveller, box: Mailbox, ann: User) -> None:
    ask(ann, "mail")
    clock.move_to(EIGHT_IN_BERLIN)
    work()
    ((_to, letter),) = box.letters
    assert letter["Subject"] == "Tessera: Today’s puzzles"
    delivery = Delivery.objects.get(key=f"puzzle.{ann.pk}.2026-03-10.mail.mail")
    assert letter["Message-ID"] == mail.message_id(delivery)
    text = part(letter, "plain")
    assert "/puzzles/" in text.split("Solve them:")[1]
    assert unsubscribe_token(ann, "puzzle") in text
    leave(ann)
    clock.shift(A_DAY)
    work()
    assert len(box.letters) == 1


def test_members_find_the_way_to_the_notice_on_the_page_of_the_puzzles(ann: User, client: Client) -> None:
    assert 'href="/settings/notices/"' in client_of(ann).get("/puzzles/").content.decode()
    assert 'href="/settings/notices/"' not in client.get("/puzzles/").content.decode()


def leave(user: User) -> Any:
    return client_of(user).post(f"/unsubscribe/{unsubscribe_token(user, 'puzzle')}/")
