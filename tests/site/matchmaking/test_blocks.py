"""Blocks at tables: who is kept apart never meets, and hears what strangers hear of a table for others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import relations
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.filters import Filters
from games.matchmaking.invitations import invite_more
from games.matchmaking.lobby import forget_lobby, lobby_page, matches_of
from games.matchmaking.tables import TableSetup, rematch
from games.notifications.models import Notice
from games.play.commands import resign
from games.play.models import Match
from tests.people import client_of, open_table, person, running_match

pytestmark = pytest.mark.django_db


def table(host: User, seats: int = 2, **wish: object) -> Match:
    return tables.open_table(host, TableSetup("shifting-stones", seats, rated=False, **wish))  # type: ignore[arg-type]


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(RuleViolation) as error:
        call()
    return error.value.code


def test_neither_can_join_the_table_of_the_other(ann: User, bob: User) -> None:
    relations.block(ann, bob)
    assert code_of(lambda: tables.join(table(ann).pk, bob)) == "invited-only"
    assert code_of(lambda: tables.join(table(bob).pk, ann)) == "blocked"


def test_neither_can_join_a_table_where_the_other_sits(ann: User, bob: User) -> None:
    relations.block(ann, bob)
    match = table(person(), 3)
    tables.join(match.pk, ann)
    assert code_of(lambda: tables.join(match.pk, bob)) == "invited-only"


def test_who_is_blocked_is_told_what_a_stranger_is_told_of_a_table_for_others(ann: User, bob: User) -> None:
    stranger = person()
    former = running_match([ann, person()])
    resign(former.pk, 0, "resignation")
    for_others = rematch(former.pk, ann)
    relations.block(ann, bob)
    told = []
    for user, match in ((stranger, for_others), (bob, table(ann))):
        path = reverse("table_join", args=[match.slug])
        answer = client_of(user).post(path, headers={"HX-Request": "true"})
        page = client_of(user).get(match.get_absolute_url()).content.decode()
        told.append((answer.status_code, "Only invited players can sit down" in answer.content.decode()))
        assert reverse("table_join", args=[match.slug]) not in page
    assert told == [(422, True), (422, True)]


@pytest.mark.parametrize("where", ["hosts", "sits", "comes", "host of a planned table", "rematch"])
def test_who_has_blocked_somebody_at_a_table_is_told_so_and_the_other_is_not(ann: User, bob: User, where: str) -> None:
    host, opens = person(), timezone.now() + timedelta(days=1)
    wish = TableSetup("shifting-stones", 3, rated=False)
    door = "table_join"
    if where == "rematch":
        former = running_match([ann, bob, host])
        Match.objects.filter(pk=former.pk).update(status="over")
        relations.block(ann, bob)
        match = rematch(former.pk, bob)
    elif where in {"comes", "host of a planned table"}:
        door, match = "table_come", planned.plan_table(bob if where != "comes" else host, wish, opens)
        if where == "comes":
            planned.come(match.pk, bob)
    else:
        match = table(bob if where == "hosts" else host, 3)
        if where == "sits":
            tables.join(match.pk, bob)
    relations.block(ann, bob)
    client = client_of(ann)
    words = "You have blocked bob, who is at this table."
    page = client.get(match.get_absolute_url()).content.decode()
    assert words in page
    assert reverse(door, args=[match.slug]) not in page
    answer = client.post(reverse(door, args=[match.slug]), headers={"HX-Request": "true"})
    if where != "rematch":  # a table for those who played says so first
        assert words in answer.content.decode()
    other = table(ann, 3)
    client = client_of(bob)
    told = client.post(reverse("table_join", args=[other.slug]), headers={"HX-Request": "true"}).content.decode()
    assert "You have blocked" not in told + client.get(other.get_absolute_url()).content.decode()


def test_an_invitation_between_them_arrives_nowhere_and_looks_sent(ann: User, bob: User) -> None:
    relations.block(ann, bob)
    match = table(bob)
    invite_more(match.pk, bob, [ann])
    assert match.invitations.filter(user=ann).exists()
    assert not matches_of(ann).invited
    assert not Notice.objects.filter(user=ann).exists()
    assert code_of(lambda: tables.join(match.pk, ann)) == "blocked"


def test_an_invitation_from_before_the_block_disappears(ann: User, bob: User) -> None:
    match = table(bob, invited=(ann,))
    assert matches_of(ann).invited == [match]
    relations.block(ann, bob)
    assert not matches_of(ann).invited


def test_a_rematch_asked_for_by_one_does_not_reach_the_other(ann: User, bob: User) -> None:
    former = running_match([ann, bob])
    resign(former.pk, 0, "resignation")
    relations.block(ann, bob)
    following = rematch(former.pk, bob)
    assert not Notice.objects.filter(user=ann, kind="invitation").exists()
    assert code_of(lambda: tables.join(following.pk, ann)) == "invited-only"


def test_who_could_join_is_not_listed_what_a_block_forbids(ann: User, bob: User) -> None:
    match = table(ann, 3)
    asked = Filters(joinable="yes")
    assert [it.pk for it in lobby_page(1, 0, asked, bob).tables] == [match.pk]
    forget_lobby()
    relations.block(ann, bob)
    assert not lobby_page(1, 0, asked, bob).tables


@pytest.mark.parametrize("page", ["lobby", "planned_tables"])
def test_neither_finds_the_tables_of_the_other_and_others_find_both(ann: User, bob: User, page: str) -> None:
    opens, wish = timezone.now() + timedelta(days=1), TableSetup("shifting-stones", 3, rated=False)
    made = {
        user: planned.plan_table(user, wish, opens) if page == "planned_tables" else table(user) for user in (ann, bob)
    }
    relations.block(ann, bob)

    def finds(reader: User) -> set[str]:
        shown = client_of(reader).get(reverse(page)).content.decode().partition('aria-labelledby="tables-title"')
        return {host.username for host, match in made.items() if match.slug in (shown[2] or shown[0])}

    assert finds(person()) == {"ann", "bob"}
    assert (finds(ann), finds(bob)) == ({"ann"}, {"bob"})


@pytest.mark.parametrize("host", ["ann", "bob", "other"])
@pytest.mark.django_db(transaction=True)
def test_a_block_parts_them_at_an_open_table(ann: User, bob: User, host: str) -> None:
    people = {"ann": ann, "bob": bob, "other": person("other")}
    order = sorted(people.values(), key=lambda user: user.username != host)
    match = open_table(order, seats=4)
    relations.block(ann, bob)
    match.refresh_from_db()
    left = set(match.seats.values_list("user__username", flat=True))
    assert left == ({"ann", "other"} if host == "ann" else {"bob", "other"})
    assert match.is_open


def test_a_match_that_runs_goes_on(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    relations.block(ann, bob)
    match.refresh_from_db()
    assert match.is_running
    assert match.seats.count() == 2


def test_a_table_for_friends_is_for_friends_and_who_is_invited(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    stranger, invited = person(), person()
    match = table(ann, 5, visibility="friends", invited=(invited,))
    assert client_of(stranger).get(match.get_absolute_url()).status_code == 404
    assert client_of(stranger).post(reverse("table_join", args=[match.slug])).status_code == 404
    assert code_of(lambda: tables.join(match.pk, stranger)) == "invited-only"
    assert not lobby_page(1, 0).tables
    for user in (bob, invited):
        assert client_of(user).get(match.get_absolute_url()).status_code == 200
        tables.join(match.pk, user)
    assert match.seats.count() == 3


def test_a_match_for_friends_that_runs_is_seen_by_friends_of_the_host_alone(ann: User, bob: User) -> None:
    watching, stranger = person(), person()
    relations.request_friendship(ann, watching)
    relations.accept_request(watching, ann)
    match = running_match([ann, bob], visibility="friends")
    for _ in range(2):  # once loaded, once as it is known
        assert client_of(watching).get(match.get_absolute_url()).status_code == 200
        assert client_of(stranger).get(match.get_absolute_url()).status_code == 404
    relations.block(ann, watching)
    assert client_of(watching).get(match.get_absolute_url()).status_code == 404
