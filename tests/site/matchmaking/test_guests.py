"""What guests can do at tables: casual matches and bots, at once, within limits of their own."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.matchmaking import tables
from games.matchmaking.invitations import invite_more
from games.matchmaking.limits import ADDRESS, GUEST, PERSON
from games.matchmaking.models import Use
from games.matchmaking.tables import TableSetup, rematch
from games.play import commands as matches
from games.play.models import Match, Seat
from games.play.reducer import positions
from games.privacy.jobs import Deletions, OldGuests
from games.ratings.leaderboards import best_alone
from games.titles import titles
from tests.people import act, client_of, open_table, person, play_out, running_match
from tests.site.matchmaking.test_limits import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest() -> User:
    return User.objects.create_user("Guest-Amber-Otter", guest=True, last_login=timezone.now())


def test_a_visitor_is_in_a_match_against_a_bot_with_one_click_and_moves_first(client: Client) -> None:
    answer = client.post(reverse("play_now"), {"game": "shifting-stones", "level": "novice"}, follow=True)
    match = Match.objects.get()
    assert answer.redirect_chain[-1][0] == match.get_absolute_url()
    client.post(reverse("table_start", args=[match.slug]), {"nonce": "00ff"})
    match.refresh_from_db()
    assert match.is_running
    mine = match.seats.get(bot=None)
    assert mine.user.guest  # type: ignore[union-attr]  # a person's seat
    assert (mine.number, mine.to_move) == (0, True)


def test_without_a_script_the_match_against_a_bot_begins_at_once(client: Client) -> None:
    client.post(reverse("play_now"), {"game": "shifting-stones", "level": "novice", "begin": "now"})
    assert Match.objects.get().is_running


def test_a_table_opened_by_a_guest_is_casual(guest: User) -> None:
    assert not tables.open_table(guest, TableSetup("shifting-stones", 2, rated=True)).rated


def test_the_form_offers_guests_only_what_they_can_have(guest: User) -> None:
    page = client_of(guest).get(reverse("table_new") + "?game=shifting-stones").content.decode()
    assert "Guests play casual matches" in page
    assert "Only players I invite" not in page


def test_a_visitor_opens_a_table_as_a_guest(client: Client) -> None:
    address = reverse("table_new") + "?game=shifting-stones"
    assert "Guests play casual matches" in client.get(address).content.decode()
    wrong = client.post(address, {"seats": "77", "speed": "live"})
    assert (wrong.status_code, User.objects.count()) == (422, 0), "nobody becomes a guest for nothing"
    wish = {"seats": "2", "speed": "live", "visibility": "public", "seat_order": "random", "by_link": "on"}
    answer = client.post(address, {**wish, "time_zone": "Europe/Rome"})
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert (match.visibility, match.rated) == ("link", False)
    assert match.host is not None
    assert (match.host.guest, match.host.time_zone) == (True, "Europe/Rome")


def test_a_guest_cannot_sit_down_at_a_rated_table(guest: User) -> None:
    match = tables.open_table(person(), TableSetup("shifting-stones", 2, rated=True))
    refused("guest-rated", lambda: tables.join(match.pk, guest))
    page = client_of(guest).get(match.get_absolute_url()).content.decode()
    assert "guests play casual matches" in page
    assert 'id="sit-down"' not in page


def test_a_visitor_sits_down_at_a_casual_table_by_link_as_a_guest(client: Client) -> None:
    match = open_table([person()], seats=2, visibility="link")
    address = match.get_absolute_url()
    assert 'id="as-guest"' in client.get(address).content.decode()
    answer = client.post(reverse("table_guest", args=[match.slug]), {"nonce": "00ff"}, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == address
    match.refresh_from_db()
    assert match.is_running
    assert bytes(match.seats.get(user__guest=True).nonce) == b"\x00\xff"


def test_a_visitor_is_not_offered_a_rated_table_as_a_guest(client: Client) -> None:
    match = tables.open_table(person(), TableSetup("shifting-stones", 2, rated=True))
    assert 'id="as-guest"' not in client.get(match.get_absolute_url()).content.decode()
    client.post(reverse("table_guest", args=[match.slug]))
    assert not User.objects.filter(guest=True).exists(), "nobody becomes a guest for nothing"


@pytest.mark.parametrize(
    "asked", [{"rating_from": 1600}, {"rating_to": 1400}, {"visibility": "friends"}, {"seats": 3, "kept": 1}]
)
def test_nobody_becomes_a_guest_at_a_table_that_refuses_them(client: Client, asked: dict[str, Any]) -> None:
    match = tables.open_table(person(), TableSetup("shifting-stones", **{"seats": 2, "rated": False, **asked}))
    if "kept" in asked:
        tables.join(match.pk, person())
    assert 'id="as-guest"' not in client.get(match.get_absolute_url()).content.decode()
    client.post(reverse("table_guest", args=[match.slug]))
    assert not User.objects.filter(guest=True).exists()


def test_nobody_becomes_a_guest_from_a_network_that_has_done_too_much(client: Client) -> None:
    match = open_table([person()], seats=2)
    most = ADDRESS[Use.What.SEAT].most
    Use.objects.bulk_create([Use(what=Use.What.SEAT, user=match.host, address="127.0.0.1") for _ in range(most)])
    client.post(reverse("table_guest", args=[match.slug]))
    assert client.post(reverse("play_now"), {"game": "shifting-stones", "level": "novice"}).status_code == 429
    assert not User.objects.filter(guest=True).exists()


def test_guests_invite_by_link_and_not_by_name(guest: User) -> None:
    bob = person("bob")
    match = tables.open_table(guest, TableSetup("shifting-stones", 2))
    refused("guest-invites", lambda: invite_more(match.pk, guest, [bob]))
    refused("guest-invites", lambda: tables.open_table(guest, TableSetup("shifting-stones", 2, invited=(bob,))))
    assert 'id="invite-link"' in client_of(guest).get(match.get_absolute_url()).content.decode()


def test_a_guest_can_ask_for_a_rematch(guest: User) -> None:
    match = running_match([guest, person()])
    matches.resign(match.pk, 0, "resignation")
    assert rematch(match.pk, guest).host == guest


def test_a_guest_has_a_mark_wherever_their_seat_is_shown(guest: User, client: Client) -> None:
    open_ = tables.open_table(guest, TableSetup("shifting-stones", 3, rated=False))
    running, over = running_match([person(), guest]), running_match([person(), guest])
    matches.resign(over.pk, 0, "resignation")
    addresses = [it.get_absolute_url() for it in (open_, running, over, guest)]
    addresses += [reverse("lobby"), reverse("archive"), reverse("replay", args=[over.slug])]
    for address in addresses:
        assert re.search(r'<span class="badge( guest)?">guest</span>', client.get(address).content.decode()), address


def test_guests_open_fewer_tables_an_hour(guest: User) -> None:
    most = GUEST[Use.What.TABLE].most
    assert most < PERSON[Use.What.TABLE].most
    for _ in range(most):
        tables.close_table(tables.open_table(guest, TableSetup("shifting-stones", 2)).pk, guest)
    refused("too-many-tables", lambda: tables.open_table(guest, TableSetup("shifting-stones", 2)))


def test_best_solo_results_list_no_guests(guest: User) -> None:
    play_out(running_match([guest], game="small-islands"))
    assert best_alone(titles()["small-islands"])["small-islands"] == []
    User.objects.update(guest=False)
    Seat.objects.update(place=1)  # a defeat is no result
    assert len(best_alone(titles()["small-islands"])["small-islands"]) == 1


# --- guests who stay away ---------------------------------------------------------------------------------------------


def gone(guest: User) -> None:
    """Let a guest have been here for the last time longer ago than guests are kept."""
    User.objects.filter(pk=guest.pk).update(last_login=timezone.now() - timedelta(seconds=settings.GUEST_AGE + 1))


def test_a_guest_who_stays_away_is_deleted_and_opponents_keep_the_match(guest: User) -> None:
    bob = person("bob")
    over, running = running_match([guest, bob]), running_match([guest, bob])
    waiting = open_table([guest], seats=2)
    matches.resign(over.pk, 1, "resignation")
    gone(guest)
    assert OldGuests().run_due(timezone.now()) == 1
    assert Deletions().run_due(timezone.now()) == 1
    assert not User.objects.filter(pk=guest.pk).exists()
    for match in (over, running, waiting):
        match.refresh_from_db()
    assert running.is_over
    assert running.seats.get(user=bob).place == 1
    assert waiting.status == Match.Status.CLOSED
    assert client_of(bob).get(over.get_absolute_url()).status_code == 200
    assert set(Match.objects.of(bob)) == {over, running}


def test_no_request_that_a_guest_has_named_can_keep_their_match_going(guest: User) -> None:
    match = running_match([guest, person("bob")])
    seat = match.seats.get(user=guest)
    text = positions.legal_texts(match, seat.number)[0]
    act(match, text, seat.number, f"away-{guest.pk}-{seat.pk}")
    gone(guest)
    assert OldGuests().run_due(timezone.now()) == 1
    assert Deletions().run_due(timezone.now()) == 1
    match.refresh_from_db()
    assert match.is_over


def test_a_guest_who_comes_back_once_a_month_is_kept(guest: User) -> None:
    client = client_of(guest)
    User.objects.filter(pk=guest.pk).update(last_login=timezone.now() - timedelta(days=29))
    client.get(reverse("home"))
    guest.refresh_from_db()
    assert guest.last_login is not None
    assert timezone.now() - guest.last_login < timedelta(minutes=5)
    assert OldGuests().run_due(timezone.now()) == 0
    assert client.session.get_expiry_age() > 29 * 24 * 3600


def test_people_who_registered_are_never_deleted() -> None:
    gone(person())
    assert OldGuests().run_due(timezone.now()) == 0
    assert User.objects.count() == 1
