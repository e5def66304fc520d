"""Seats that a host keeps for friends at a table where everybody can sit down."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import relations
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.filters import Filters, listed_tables
from games.matchmaking.forms import TableForm
from games.matchmaking.invitations import invite_more
from games.matchmaking.requirements import reader_of
from games.matchmaking.tables import TableSetup
from games.play.models import Level, Match
from games.titles import titles
from tests.people import client_of, person
from tests.site.matchmaking.test_reliable_tables import PLAIN

pytestmark = pytest.mark.django_db

REFUSAL = "The free seats are kept for friends of the host."


@pytest.fixture
def host() -> User:
    return person("host")


def friend_of(host: User) -> User:
    user = person()
    relations.request_friendship(user, host)
    relations.accept_request(host, user)
    return user


def setup(kept: int, seats: int = 4, **fields: object) -> TableSetup:
    return TableSetup("shifting-stones", seats, rated=False, kept=kept, **fields)  # type: ignore[arg-type]


def table(host: User, kept: int, seats: int = 4, **fields: object) -> Match:
    return tables.open_table(host, setup(kept, seats, **fields))


def refused(match: Match, user: User) -> bool:
    """Return whether somebody is refused because the free seats are for others, and sit them down otherwise."""
    try:
        tables.join(match.pk, user)
    except RuleViolation as violation:
        return (violation.code, violation.text) == ("seats-for-friends", REFUSAL)
    return False


def joinable(user: User) -> list[int]:
    return listed_tables(Filters(joinable="yes"), 10, reader_of(user))


def test_others_take_the_seats_that_are_not_kept(host: User) -> None:
    match = table(host, kept=2)
    assert [refused(match, person()) for _ in range(2)] == [False, True]
    assert [refused(match, friend_of(host)) for _ in range(2)] == [False, False]
    match.refresh_from_db()
    assert match.is_running


def test_friends_take_other_seats_too_once_theirs_are_taken(host: User) -> None:
    match = table(host, kept=1)
    for _ in range(3):
        tables.join(match.pk, friend_of(host))
    match.refresh_from_db()
    assert match.is_running


def test_a_friend_takes_a_kept_seat_first(host: User) -> None:
    match = table(host, kept=1)
    tables.join(match.pk, friend_of(host))
    assert [refused(match, person()) for _ in range(2)] == [False, False]


def test_whoever_is_invited_takes_a_kept_seat(host: User) -> None:
    guest = person()
    match = table(host, kept=2, invited=(guest,))
    tables.join(match.pk, person())
    assert refused(match, person())
    assert not refused(match, guest)
    assert refused(match, person())


def test_bots_take_the_seats_of_others(host: User) -> None:
    from games.matchmaking import tables

    match = table(host, kept=2)
    tables.add_bot(match.pk, host, Level.NOVICE)
    assert refused(match, person())


def test_the_host_opens_them_to_everybody(host: User) -> None:
    match = table(host, kept=2)
    tables.join(match.pk, person())
    stranger = person()
    assert refused(match, stranger)
    page = client_of(host).get(match.get_absolute_url()).content.decode()
    assert 'id="open-kept"' in page
    client_of(stranger).post(reverse("table_open_kept", args=[match.slug]))
    assert refused(match, stranger)
    client_of(host).post(reverse("table_open_kept", args=[match.slug]))
    assert not refused(match, stranger)


def test_of_a_new_host_nobody_knows_the_friends(host: User) -> None:
    match = table(host, kept=2)
    other, stranger = person(), person()
    tables.join(match.pk, other)
    tables.leave(match.pk, host)
    match.refresh_from_db()
    assert (match.host, match.kept) == (other, 0)
    assert not refused(match, stranger)


def test_the_page_says_which_seats_are_kept_and_why_others_wait(host: User) -> None:
    match = table(host, kept=2)
    stranger, friend = person(), friend_of(host)
    before = client_of(stranger).get(match.get_absolute_url()).content.decode()
    assert before.count("kept for friends of the host") == 2
    assert 'id="sit-down"' in before
    tables.join(match.pk, person())
    after = client_of(stranger).get(match.get_absolute_url()).content.decode()
    assert REFUSAL in after
    assert 'id="sit-down"' not in after
    assert 'id="sit-down"' in client_of(friend).get(match.get_absolute_url()).content.decode()


def test_the_lobby_says_so_and_its_filter_knows_who_may_sit_down(host: User) -> None:
    match = table(host, kept=2)
    stranger, friend, guest = person(), friend_of(host), person()
    assert "2 seats for friends" in client_of(stranger).get("/lobby/").content.decode()
    assert joinable(stranger) == joinable(friend) == [match.pk]
    tables.join(match.pk, person())
    invite_more(match.pk, host, [guest])
    assert (joinable(stranger), joinable(friend), joinable(guest)) == ([], [match.pk], [match.pk])
    tables.join(match.pk, friend)
    assert joinable(stranger) == []


def test_at_a_planned_table_they_are_kept_too(host: User) -> None:
    match = planned.plan_table(host, setup(2), timezone.now() + timedelta(days=1))
    stranger, friend = person(), friend_of(host)
    planned.come(match.pk, person())
    with pytest.raises(RuleViolation, match="kept for friends"):
        planned.come(match.pk, stranger)
    page = client_of(stranger).get("/tables/planned/").content.decode()
    assert f"/{match.slug}/come/" not in page
    assert f"/{match.slug}/come/" in client_of(friend).get("/tables/planned/").content.decode()
    planned.come(match.pk, friend)
    page = client_of(stranger).get(match.get_absolute_url()).content.decode()
    assert page.count(">kept for friends of the host<") == 1


@pytest.mark.parametrize(("kept", "seats"), [(1, 2), (3, 4), (-1, 4), (1, 1)])
def test_somebody_else_must_find_a_seat(host: User, kept: int, seats: int) -> None:
    with pytest.raises(RuleViolation) as refusal:
        table(host, kept, seats)
    assert refusal.value.code == "kept"


def test_the_form_asks_for_them_where_others_can_sit_down(host: User) -> None:
    def asked(user: User = host, **fields: object) -> TableForm:
        return TableForm(titles()["shifting-stones"], user, PLAIN | {"kept": "1", "seats": "4"} | fields)

    form = asked()
    assert form.is_valid()
    assert form.setup().kept == 1
    for other in ({"visibility": "friends"}, {"bots": "novice"}, {"seats": "1"}):
        form = asked(host, **other)
        assert form.is_valid(), form.errors
        assert form.setup().kept == 0
    assert "kept" in asked(seats="2").errors
    guest = asked(person(guest=True))
    assert guest.is_valid()
    assert guest.setup().kept == 0
