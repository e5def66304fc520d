"""The reasons of moderators are told to everybody who sees the match or the table, and to those it concerns."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.matchmaking import planned
from games.matchmaking.tables import TableSetup
from games.moderation import matches
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from games.play.models import Match
from tests.people import client_of, open_table, person, running_match
from tests.site.moderation.test_matches import lost_by

pytestmark = pytest.mark.django_db


def page_of(match: Match, reader: User) -> str:
    return client_of(reader).get(match.get_absolute_url()).content.decode()


def told(match: Match) -> dict[str, tuple[str, str]]:
    """Return what moderators have told about a match, by name."""
    notices = Notice.objects.filter(match=match, kind=Kind.MODERATION).select_related("user")
    messages = {notice.user.username: message_of(notice) for notice in notices}
    return {name: (message.title, message.text) for name, message in messages.items()}


def test_why_a_match_was_aborted_is_told(mod: User, ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    matches.abort(mod, match, "A bot plays for <bob>")
    for reader in (ann, person("eve")):
        page = page_of(match, reader)
        assert "Moderators have aborted this match; it does not count." in page
        assert "Reason: A bot plays for &lt;bob&gt;" in page
    said = "Moderators have aborted this match; it does not count. Reason: A bot plays for <bob>"
    title = "Moderators have decided a match: Shifting Stones"
    assert told(match) == {"ann": (title, said), "bob": (title, said)}


def test_why_a_table_was_closed_is_told_on_its_page_and_to_those_who_sat_there(mod: User, ann: User, bob: User) -> None:
    table = open_table([ann, bob], seats=3)
    matches.shut_table(mod, table, "The note insults people")
    page = page_of(table, person("eve"))
    assert "Moderators have closed this table." in page
    assert "Reason: The note insults people" in page
    said = ("Moderators have closed a table: Shifting Stones", "Reason: The note insults people")
    assert told(table) == {"ann": said, "bob": said}


def test_who_planned_a_table_and_who_wanted_to_come_are_told_why_it_was_closed(mod: User, ann: User, bob: User) -> None:
    table = planned.plan_table(ann, TableSetup("shifting-stones", 3, rated=False), timezone.now() + timedelta(days=2))
    planned.come(table.pk, bob)
    matches.shut_table(mod, table, "The note insults people")
    assert "Reason: The note insults people" in page_of(table, ann)
    said = ("Moderators have closed a table: Shifting Stones", "Reason: The note insults people")
    assert told(table) == {"ann": said, "bob": said}
    assert "Moderators have closed a table" in client_of(bob).get("/notices/").content.decode()


def test_a_table_that_its_host_has_closed_says_nothing_of_moderators(ann: User) -> None:
    table = open_table([ann], seats=2)
    client_of(ann).post(f"/tables/{table.slug}/close/")
    page = page_of(table, ann)
    assert "This table has been closed." in page
    assert "Moderators" not in page


def test_why_a_result_stands_again_is_told_as_why_it_did_not(mod: User, ann: User, bob: User) -> None:
    match = lost_by(0, [ann, bob])
    matches.abort(mod, match, "Both played for Bob")
    title = "Moderators have decided a match: Shifting Stones"
    assert told(match)["ann"][1].endswith("it does not count. Reason: Both played for Bob")
    matches.reinstate(mod, match, "They did not")
    for reader in (ann, person("eve")):
        page = page_of(match, reader)
        assert "Moderators have let the result stand as it was played. Reason: They did not" in page
        assert "Both played for Bob" not in page
    assert told(match)["ann"][0] == title
    assert told(match)["ann"][1].endswith("Reason: They did not")
    matches.award(mod, match, [1, 2], "After all")
    assert "Reason: After all" in page_of(match, ann)
    assert "They did not" not in page_of(match, ann)
