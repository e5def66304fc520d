"""A report, a decision, and the end of an account at the same moment, on PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection, connections

from accounts.models import User
from accounts.relations import lock_people
from games.moderation import cases
from games.moderation.models import Case, Deed, Report
from games.play.models import Match
from games.play.store import writing
from tests.meeting import somebody_waits
from tests.people import client_of, person, running_match
from tests.site.moderation.moderators import moderator
from tests.waiting import wait_until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

T = TypeVar("T")


@pytest.fixture(autouse=True)
def _database() -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")


def on_a_thread(job: Callable[[], T]) -> Callable[[], T]:
    """Let a job have a connection of its own."""

    def run() -> T:
        try:
            return job()
        finally:
            connections.close_all()

    return run


@pytest.mark.parametrize("about", ["person", "match"])
def test_a_report_that_comes_while_its_case_is_decided_opens_a_new_one(about: str) -> None:
    ann, bob, eve = person("ann"), person("bob"), person("eve")
    match = running_match([ann, bob])
    first = report(about, ann, bob, match).case
    decided, may_commit = threading.Event(), threading.Event()

    def decide() -> None:
        with writing():
            cases.decide(None, first.pk, Case.Verdict.NOTHING, "", "Nothing there")
            decided.set()
            may_commit.wait(60)

    with ThreadPoolExecutor(2) as pool:
        deciding = pool.submit(on_a_thread(decide))
        assert decided.wait(60)
        reporting_later = pool.submit(on_a_thread(lambda: report(about, eve, bob, match)))
        wait_until(somebody_waits)
        may_commit.set()
        deciding.result(60)
        later = reporting_later.result(60).case
    assert later != first
    assert Case.objects.get(pk=later.pk).is_open
    assert Report.objects.filter(case=first).count() == 1


@pytest.mark.parametrize("gone", ["reported", "reporter"])
def test_a_decision_while_an_account_ends_is_refused_in_the_page(gone: str) -> None:
    people = {"reporter": person("ann"), "reported": person("bob")}
    case, browser = (
        cases.report_person(people["reporter"], people["reported"], "insult", "").case,
        client_of(moderator()),
    )
    address, asked, said = {
        "reported": ("people/bob/", {"act": "warn", "days": "1"}, "This account has been deleted meanwhile."),
        "reporter": (
            f"cases/{case.pk}/change/",
            {"do": "decide", "verdict": "nothing"},
            "Someone else changed something",
        ),
    }[gone]
    removed, may_commit = threading.Event(), threading.Event()

    def end() -> None:
        with writing():
            lock_people([people[gone].pk])
            people[gone].delete()
            removed.set()
            may_commit.wait(60)

    def decide() -> str:
        return browser.post(f"/moderation/{address}", {**asked, "reason": "Because"}, follow=True).content.decode()

    with ThreadPoolExecutor(2) as pool:
        ending = pool.submit(on_a_thread(end))
        assert removed.wait(60)
        deciding = pool.submit(on_a_thread(decide))
        wait_until(somebody_waits)
        may_commit.set()
        ending.result(60)
        page = deciding.result(60)
    assert said in page
    assert not Deed.objects.exists()
    assert Case.objects.get().is_open


def report(about: str, by: User, who: User, match: Match) -> Report:
    if about == "match":
        return cases.report_match(by, match, Report.Why.CHEATING, "")
    return cases.report_person(by, who, Report.Why.INSULT, "")
