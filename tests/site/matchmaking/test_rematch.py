"""Rematches: the same players once more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils.html import strip_tags

from accounts import relations
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.matchmaking.invitations import remove_player
from games.matchmaking.tables import rematch
from games.play.commands import resign
from games.play.models import Match
from tests.people import client_of, open_table, person, running_match

pytestmark = pytest.mark.django_db


def finished(*users: User, **fields: object) -> Match:
    match = running_match(users, **fields)
    for number in range(max(1, len(users) - 1)):
        match.refresh_from_db()
        if match.is_running:
            resign(match.pk, number, f"resign-{number:04}")
    match.refresh_from_db()
    assert match.is_over
    return match


def agree(former: Match, user: User) -> Match:
    """Ask for a rematch, which sits down at its table."""
    return rematch(former.pk, user)


def sitting(match: Match) -> list[User | None]:
    return [seat.user for seat in match.seats.order_by("number")]


def refusal(match: Match, user: User) -> str:
    with pytest.raises(RuleViolation) as caught:
        rematch(match.pk, user)
    return caught.value.code


def test_the_first_to_ask_opens_the_table_and_the_others_are_invited() -> None:
    ann, bob = person(), person()
    former = finished(ann, bob, rated=True, speed="days")
    following = rematch(former.pk, bob)
    assert (following.status, following.host, following.previous) == ("open", bob, former)
    assert (following.game, following.rated, following.speed, following.seat_count) == (
        former.game, True, "days", 2,
    )  # fmt: skip
    assert [invitation.user for invitation in following.invitations.all()] == [ann]


def test_the_match_begins_when_the_last_of_them_asks() -> None:
    for people in ([person(), person()], [person(), person(), person()]):
        former = running_match(people)
        Match.objects.filter(pk=former.pk).update(status="over")
        for user in people[:-1]:
            assert rematch(former.pk, user).is_open
        following = rematch(former.pk, people[-1])
        assert following.is_running
        assert set(sitting(following)) == set(people)
        assert rematch(former.pk, people[0]) == following


def test_both_press_the_button_and_stand_before_the_board() -> None:
    """Without a script, and in a series whose next match is asked for on its own page as well."""
    ann, bob = person(), person()
    former = finished(ann, bob)
    path = f"/match/{former.slug}/rematch/"
    assert "room-seats" in client_of(ann).post(path, follow=True).content.decode()
    text = client_of(bob).post(path, follow=True).content.decode()
    assert 'data-status="running"' in text


def test_a_page_that_adds_a_number_is_shown_the_table_before_it_sits_down() -> None:
    ann, bob = person(), person()
    former = finished(ann, bob)
    following = rematch(former.pk, bob)
    client_of(ann).post(f"/match/{former.slug}/rematch/", {"shown": ""})
    assert sitting(following) == [bob]
    assert tables.join(following.pk, ann, b"seen").is_running


def test_whoever_was_removed_does_not_sit_down_by_asking_again() -> None:
    ann, bob, cid = person(), person(), person()
    former = running_match([ann, bob, cid])
    Match.objects.filter(pk=former.pk).update(status="over")
    following = rematch(former.pk, ann)
    rematch(former.pk, bob)
    remove_player(following.pk, ann, bob.username)
    assert refusal(former, bob) == "removed"
    assert sitting(following) == [ann]


@pytest.mark.parametrize("asking", [(0, 1), (1, 0)])
def test_whoever_sat_second_begins_whatever_the_order_of_asking(asking: tuple[int, int]) -> None:
    people = [person(), person()]
    former = finished(*people)
    for index in asking:
        following = agree(former, people[index])
    assert sitting(following) == [people[1], people[0]]


def test_with_three_every_seat_moves_on_by_one() -> None:
    ann, bob, cid = person(), person(), person()
    former = running_match([ann, bob, cid])
    Match.objects.filter(pk=former.pk).update(status="over")
    for user in (cid, ann, bob):
        following = agree(former, user)
    assert sitting(following) == [bob, cid, ann]


def test_asking_twice_changes_nothing() -> None:
    ann, bob = person(), person()
    former = finished(ann, bob)
    assert rematch(former.pk, ann).pk == rematch(former.pk, ann).pk
    assert sitting(Match.objects.get(previous=former)) == [ann]


def test_alone_it_shows_its_commitment_and_waits_for_the_start() -> None:
    ann = person()
    following = rematch(finished(ann).pk, ann)
    assert following.is_open
    assert tables.start(following.pk, ann, b"seen").is_running
    assert not following.rated


def test_strangers_cannot_take_a_seat_of_a_rematch() -> None:
    ann, bob, stranger = person(), person(), person()
    following = rematch(finished(ann, bob).pk, ann)
    with pytest.raises(RuleViolation) as caught:
        tables.join(following.pk, stranger)
    assert caught.value.code == "invited-only"


def test_a_running_match_has_no_rematch() -> None:
    ann, bob = person(), person()
    assert refusal(running_match([ann, bob]), ann) == "not-over"
    assert refusal(open_table([ann], seats=2), ann) == "not-over"


def test_only_players_can_ask() -> None:
    assert refusal(finished(person(), person()), person()) == "not-a-player"


def test_a_rematch_that_began_without_somebody_is_told() -> None:
    ann, bob, cid = person(), person(), person()
    former = running_match([ann, bob, cid])
    Match.objects.filter(pk=former.pk).update(status="over")
    rematch(former.pk, ann)
    following = rematch(former.pk, bob)
    tables.start(following.pk, ann)
    assert refusal(former, cid) == "table-begun"


def test_a_closed_rematch_makes_room_for_another() -> None:
    ann, bob = person(), person()
    former = finished(ann, bob)
    first = rematch(former.pk, ann)
    tables.close_table(first.pk, ann)
    assert rematch(former.pk, bob).pk != first.pk


def test_a_stale_rematch_makes_room_for_another(age: Callable[..., Match]) -> None:
    ann, bob = person(), person()
    former = finished(ann, bob)
    first = age(rematch(former.pk, ann), days=2)
    second = rematch(former.pk, bob)
    first.refresh_from_db()
    assert (first.status, second.status) == ("closed", "open")


def test_a_rematch_can_be_played_again_and_the_first_seat_goes_round() -> None:
    ann, bob = person(), person()
    former = finished(ann, bob)
    for expected in ([bob, ann], [ann, bob]):
        rematch(former.pk, ann)
        former = agree(former, bob)
        assert sitting(former) == expected
        resign(former.pk, 0, "resign-again")


def test_the_button_leads_to_the_table_and_explains() -> None:
    ann, bob = person(), person()
    former = finished(ann, bob)
    answer = client_of(ann).post(f"/match/{former.slug}/rematch/", follow=True)
    assert answer.redirect_chain == [(Match.objects.get(previous=former).get_absolute_url(), 302)]
    page = answer.content.decode()
    assert "Last time’s second player begins." in page
    assert f"Waiting for {bob.username}." in page
    assert "seats are reserved for those who played" in client_of(bob).get(answer.redirect_chain[0][0]).content.decode()


def offered(former: Match, user: User) -> str:
    """Return what the page of a finished match says of its rematch."""
    page = client_of(user).get(f"/match/{former.slug}/").content.decode()
    fresh = client_of(user).get(f"/match/{former.slug}/rematch/offer/").content.decode()
    begin = page.index('<span class="rematch"')
    shown = strip_tags(page[begin : page.index("</span>", begin)])
    assert strip_tags(fresh).split() == shown.split()
    return " ".join(shown.split())


def test_the_page_where_a_match_ended_says_what_became_of_its_rematch() -> None:
    ann, bob = person("ann"), person("bob")
    former = finished(ann, bob)
    assert offered(former, bob) == "Rematch"
    following = rematch(former.pk, ann)
    assert offered(former, bob) == "ann wants a rematch: Accept Decline"
    assert offered(former, ann) == "Back to the table"
    answer = client_of(bob).post(f"/tables/{following.slug}/decline/")
    assert answer["Location"] == former.get_absolute_url()
    assert offered(former, bob) == "Rematch"
    assert "has declined" in client_of(ann).get(following.get_absolute_url()).content.decode()
    agree(former, bob)
    assert offered(former, bob) == offered(former, ann) == "Back to the match"


def test_who_takes_the_offer_back_is_back_at_the_match_before() -> None:
    ann, bob = person("ann"), person("bob")
    former = finished(ann, bob)
    answer = client_of(ann).post(f"/tables/{rematch(former.pk, ann).slug}/close/")
    assert answer["Location"] == former.get_absolute_url()
    assert offered(former, bob) == "Rematch"


def test_who_is_kept_apart_is_offered_nothing_and_told_nothing() -> None:
    ann, bob = person("ann"), person("bob")
    former = finished(ann, bob)
    relations.block(bob, ann)
    rematch(former.pk, ann)
    assert offered(former, bob) == "Rematch"


def test_strangers_and_guests_are_refused_on_the_page() -> None:
    former = finished(person(), person())
    answer = client_of(person()).post(f"/match/{former.slug}/rematch/", follow=True)
    assert "Only the players of this match" in answer.content.decode()
    assert not Match.objects.filter(previous=former).exists()
