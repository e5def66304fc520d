"""Opening a table and sitting down, and every refusal of these."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from games.engine import fair
from games.engine.protocol import RuleViolation
from games.history.replay import first_difference
from games.matchmaking import tables
from games.matchmaking.invitations import invite
from games.matchmaking.limits import OPEN_TABLES
from games.matchmaking.models import Invitation
from games.matchmaking.seats import read_nonce
from games.matchmaking.tables import TableSetup
from games.play.models import Match, Seat
from games.play.reducer.positions import seed_of
from tests.people import person

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db


def sitting(match: Match) -> list[User | None]:
    return [seat.user for seat in match.seats.order_by("number")]


def refused(code: str, service: Callable[[], object]) -> None:
    """Check that a service refuses with this code and a sentence for the player."""
    with pytest.raises(RuleViolation) as caught:
        service()
    assert caught.value.code == code
    assert caught.value.text.endswith(".")


# --- opening --------------------------------------------------------------------------------------------------------


def test_opening_a_table_seats_the_host_and_fixes_the_commitment(opened: Opened) -> None:
    host = person()
    match = opened(host, seats=3)
    assert (match.status, match.seat_count, match.host) == ("open", 3, host)
    assert sitting(match) == [host]
    assert match.commit == fair.commitment(bytes(match.server_seed))


def test_a_table_for_one_shows_its_commitment_before_it_begins_and_is_never_rated(opened: Opened) -> None:
    host = person()
    match = opened(host, seats=1, rated=True)
    assert match.is_open
    assert tables.start(match.pk, host, b"mine").is_running
    assert bytes(match.seats.get().nonce) == b"mine"
    assert not match.rated


def test_nobody_else_sits_down_at_a_table_for_one(opened: Opened) -> None:
    match = opened(person(), seats=1)
    refused("table-full", lambda: tables.join(match.pk, person()))


def test_a_game_refuses_a_number_of_seats_it_is_not_made_for(opened: Opened) -> None:
    refused("option", lambda: opened(person(), seats=6))


def test_a_game_refuses_an_option_it_does_not_have(opened: Opened) -> None:
    refused("option", lambda: opened(person(), options={"length": "long"}))


def test_nobody_hosts_more_than_ten_open_tables(opened: Opened) -> None:
    host = person()
    there = [opened(host) for _ in range(OPEN_TABLES)]
    refused("too-many-open", lambda: opened(host))
    tables.close_table(there[0].pk, host)
    assert opened(host).is_open


def test_stale_tables_do_not_count_towards_the_ten(opened: Opened, age: Opened) -> None:
    host = person()
    for _ in range(OPEN_TABLES):
        age(opened(host), hours=25)
    assert opened(host).is_open


def test_limits_are_each_persons_own(opened: Opened) -> None:
    host = person()
    for _ in range(OPEN_TABLES):
        opened(host)
    assert opened(person()).is_open


# --- nonces ---------------------------------------------------------------------------------------------------------


def test_a_nonce_is_lower_case_hex_of_at_most_64_bytes() -> None:
    assert read_nonce("") == b""
    assert read_nonce("00ff") == b"\x00\xff"
    assert read_nonce("ab" * 64) == b"\xab" * 64


@pytest.mark.parametrize("text", ["a", "zz", "AB", "0x00", " 00", "00\n", "ab" * 65, "٣٣", "00 00"])
def test_any_other_nonce_is_refused(text: str) -> None:
    refused("nonce", lambda: read_nonce(text))


def test_the_nonces_make_the_seed_in_the_order_of_sitting_down() -> None:
    host, mate = person(), person()
    match = tables.open_table(host, TableSetup("shifting-stones", 2))
    tables.add_nonce(match.pk, host, b"host")
    tables.join(match.pk, mate, b"mate")
    match.refresh_from_db()
    assert seed_of(match, list(match.seats.all())) == fair.final_seed(bytes(match.server_seed), [b"host", b"mate"])


def test_the_host_sends_a_nonce_after_the_table_has_shown_its_commitment(opened: Opened) -> None:
    host = person()
    match = opened(host)
    assert bytes(match.seats.get().nonce) == b""
    for _ in range(2):  # sent again, it is the same
        tables.add_nonce(match.pk, host, b"after")
    assert bytes(match.seats.get().nonce) == b"after"


def test_the_first_nonce_stays(opened: Opened) -> None:
    host = person()
    match = opened(host)
    tables.add_nonce(match.pk, host, b"phone")
    refused("nonce-given", lambda: tables.add_nonce(match.pk, host, b"laptop"))
    tables.join(match.pk, host, b"laptop")
    assert bytes(match.seats.get().nonce) == b"phone"


def test_only_people_at_an_open_table_add_a_nonce(opened: Opened) -> None:
    host, mate = person(), person()
    match = opened(host)
    refused("not-seated", lambda: tables.add_nonce(match.pk, mate, b"n"))
    tables.join(match.pk, mate)
    refused("table-begun", lambda: tables.add_nonce(match.pk, host, b"n"))
    closed = opened(host)
    tables.close_table(closed.pk, host)
    refused("table-closed", lambda: tables.add_nonce(closed.pk, host, b"n"))


def test_no_nonce_is_changed_once_the_match_has_begun(opened: Opened) -> None:
    host, mate = person(), person()
    match = opened(host)
    tables.join(match.pk, mate, b"first")
    tables.join(match.pk, mate, b"second")
    assert bytes(match.seats.get(user=mate).nonce) == b"first"


# --- sitting down ---------------------------------------------------------------------------------------------------


def test_the_match_begins_when_the_last_seat_is_taken(opened: Opened) -> None:
    match = opened(person(), seats=3)
    assert tables.join(match.pk, person()).is_open
    begun = tables.join(match.pk, person())
    assert begun.is_running
    assert match.seats.filter(to_move=True).count() == 1
    assert list(match.seats.values_list("number", flat=True)) == [0, 1, 2]


def test_sitting_down_twice_takes_one_seat(opened: Opened) -> None:
    mate = person()
    match = opened(person(), seats=3)
    tables.join(match.pk, mate)
    tables.join(match.pk, mate)
    assert sitting(match).count(mate) == 1


def test_sitting_down_again_after_the_start_changes_nothing(opened: Opened) -> None:
    mate = person()
    match = opened(person())
    tables.join(match.pk, mate)
    version = Match.objects.get(pk=match.pk).version
    assert tables.join(match.pk, mate).version == version


def test_a_begun_match_takes_nobody(opened: Opened) -> None:
    match = opened(person())
    tables.join(match.pk, person())
    refused("table-begun", lambda: tables.join(match.pk, person()))


def test_a_closed_table_takes_nobody(opened: Opened) -> None:
    host = person()
    match = opened(host)
    tables.close_table(match.pk, host)
    refused("table-closed", lambda: tables.join(match.pk, person()))


def test_an_open_table_without_a_free_seat_takes_nobody(opened: Opened) -> None:
    match = opened(person(), seats=3)
    Match.objects.filter(pk=match.pk).update(seat_count=1)  # cannot come about by itself
    refused("table-full", lambda: tables.join(match.pk, person()))


def test_a_private_table_takes_the_invited_only(opened: Opened) -> None:
    invited = person()
    match = opened(person(), seats=3, visibility="private", invited=(invited,))
    assert tables.join(match.pk, invited).is_open
    refused("invited-only", lambda: tables.join(match.pk, person()))


def test_nobody_is_invited_twice_or_by_themselves(opened: Opened) -> None:
    host, guest = person(), person()
    match = opened(host, invited=(guest, host, guest))
    invite(match, [guest], by=host)
    assert [(one.user, one.by) for one in Invitation.objects.filter(match=match)] == [(guest, host)]


def test_seats_as_sat_stay_as_people_sat_down(opened: Opened) -> None:
    people = [person() for _ in range(5)]
    match = opened(people[0], seats=5, seat_order="as-sat")
    for other in people[1:]:
        tables.join(match.pk, other)
    assert sitting(match) == people


def test_a_drawn_order_comes_out_of_the_final_seed(opened: Opened) -> None:
    people = [person() for _ in range(5)]
    match = tables.open_table(people[0], TableSetup("shifting-stones", 5))
    for k, other in enumerate(people[1:], 1):
        tables.join(match.pk, other, bytes([k]))
    match.refresh_from_db()
    nonces = [b"", *(bytes([k]) for k in range(1, 5))]
    drawn = fair.order_of_seats(fair.final_seed(bytes(match.server_seed), nonces), 5)
    assert sitting(match) == [people[k] for k in drawn]
    assert [seat.joined for seat in match.seats.all()] == list(drawn)
    assert first_difference(match) is None


def test_who_gets_up_leaves_no_gap_in_the_order_of_sitting_down(opened: Opened) -> None:
    host, gone, second, third, fourth = (person() for _ in range(5))
    match = opened(host, seats=4)
    tables.join(match.pk, gone, b"gone")
    tables.join(match.pk, second, b"second")
    tables.leave(match.pk, gone)
    tables.join(match.pk, third, b"third")
    tables.join(match.pk, fourth)
    joined = {seat.user: (seat.joined, bytes(seat.nonce)) for seat in match.seats.all()}
    assert joined == {host: (0, b""), second: (1, b"second"), third: (2, b"third"), fourth: (3, b"")}


@pytest.mark.parametrize("seats", [1, 2])
def test_only_a_drawn_order_says_who_joined_when(opened: Opened, seats: int) -> None:
    match = opened(person(), seats=seats, seat_order="as-sat" if seats == 2 else "random")
    if seats == 2:
        tables.join(match.pk, person())
    assert [seat.joined for seat in match.seats.all()] == [None] * seats


def test_an_order_somebody_chose_is_found(opened: Opened) -> None:
    match = opened(person())
    tables.join(match.pk, person())
    for seat in match.seats.all():
        Seat.objects.filter(pk=seat.pk).update(joined=1 - (seat.joined or 0))
    match.refresh_from_db()
    assert "the order of seats is stored as" in (first_difference(match) or "")
    match.seats.update(joined=0)
    assert "not an order" in (first_difference(match) or "")


def test_a_random_order_gives_every_person_the_first_seat_sometimes(opened: Opened, age: Opened) -> None:
    host, mate = person(), person()
    first: set[User | None] = set()
    for _ in range(60):  # all the same with probability 2 ** -59
        if first == {host, mate}:
            break
        match = age(opened(host, rated=False), hours=2)
        tables.join(match.pk, mate)
        first.add(sitting(match)[0])
    assert first == {host, mate}
