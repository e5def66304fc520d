"""Bots at tables: filled, added, removed; and a match against a bot in two clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.bots.views import FOLDER
from games.engine.protocol import RuleViolation
from games.history.replay import first_difference
from games.matchmaking import tables
from games.matchmaking.filters import Filters, listed_tables
from games.matchmaking.tables import TableSetup, rematch
from games.notifications.models import Notice
from games.play import commands as matches
from games.play.models import Level, Match
from games.titles import titles
from tests.people import bot_acts, client_of, person

pytestmark = pytest.mark.django_db

GAMES = sorted(titles())


def refused(code: str, service: Callable[[], object]) -> None:
    with pytest.raises(RuleViolation) as caught:
        service()
    assert caught.value.code == code
    assert caught.value.text.endswith(".")


def names(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.order_by("number")]


def test_bots_fill_the_free_seats_and_the_host_begins_after_seeing_the_commitment(ann: User) -> None:
    match = tables.open_table(ann, TableSetup("shifting-stones", 4, rated=True, bots=Level.NOVICE))
    assert names(match) == ["ann", "Novice", "Novice 2", "Novice 3"]
    assert (match.status, match.rated, match.has_bots) == ("open", False, True)
    started = tables.start(match.pk, ann, b"mine")
    assert (started.is_running, started.clock) == (True, "")
    assert bytes(started.seats.get(user=ann).nonce) == b"mine"
    assert first_difference(started) is None


def test_the_host_adds_and_removes_bots_and_the_last_one_begins_the_match(ann: User) -> None:
    match = tables.open_table(ann, TableSetup("shifting-stones", 3, rated=True))
    tables.add_bot(match.pk, ann, "companion")
    tables.remove_bot(match.pk, ann, 1)
    tables.add_bot(match.pk, ann, "companion")
    assert tables.add_bot(match.pk, ann, "companion", b"mine").is_running
    assert sorted(names(match)) == ["Companion", "Companion 2", "ann"]
    match.refresh_from_db()
    assert (match.rated, bytes(match.seats.get(user=ann).nonce)) == (False, b"mine")
    refused("table-begun", lambda: tables.add_bot(match.pk, ann, "companion"))
    assert first_difference(match) is None


def test_a_full_table_has_no_seat_for_one_more_bot(ann: User) -> None:
    match = tables.open_table(ann, TableSetup("shifting-stones", 2, bots=Level.NOVICE))
    refused("table-full", lambda: tables.add_bot(match.pk, ann, "companion"))


def test_the_page_of_a_table_sends_the_hosts_share_of_the_shuffle_with_the_last_bot(ann: User) -> None:
    match = tables.open_table(ann, TableSetup("shifting-stones", 2))
    client = client_of(ann)
    page = client.get(match.get_absolute_url()).content.decode()
    assert f'id="add-master" form="act" data-slug="{match.slug}" data-commit="{match.commit}"' in page
    client.post(reverse("table_bot_add", args=[match.slug]), {"level": "master", "nonce": "00ff"})
    match.refresh_from_db()
    assert (match.is_running, bytes(match.seats.get(user=ann).nonce)) == (True, b"\x00\xff")


@pytest.mark.parametrize("filters", [Filters(), Filters(game="shifting-stones")])
def test_a_table_that_bots_have_filled_is_listed_nowhere(ann: User, filters: Filters) -> None:
    full = tables.open_table(ann, TableSetup("shifting-stones", 3, bots=Level.NOVICE))
    free = tables.open_table(ann, TableSetup("shifting-stones", 3))
    tables.add_bot(free.pk, ann, "master")
    assert listed_tables(filters, 10) == [free.pk]
    tables.remove_bot(full.pk, ann, 2)
    assert set(listed_tables(filters, 10)) == {free.pk, full.pk}


def test_a_table_of_people_and_bots_begins_when_it_is_full(ann: User) -> None:
    match = tables.open_table(ann, TableSetup("shifting-stones", 3))
    tables.add_bot(match.pk, ann, "master")
    assert tables.join(match.pk, person("bob")).is_running


def test_only_the_host_of_an_open_table_seats_bots(ann: User) -> None:
    match = tables.open_table(ann, TableSetup("shifting-stones", 3))
    refused("not-host", lambda: tables.add_bot(match.pk, person(), "master"))
    refused("level", lambda: tables.add_bot(match.pk, ann, "champion"))
    refused("not-a-bot", lambda: tables.remove_bot(match.pk, ann, 0))
    tables.close_table(match.pk, ann)
    refused("table-closed", lambda: tables.add_bot(match.pk, ann, "master"))


def test_the_last_person_who_gets_up_closes_the_table(ann: User) -> None:
    match = tables.open_table(ann, TableSetup("shifting-stones", 3))
    tables.add_bot(match.pk, ann, "master")
    tables.leave(match.pk, ann)
    match.refresh_from_db()
    assert match.status == "closed"


def test_a_rematch_has_the_same_bots_and_the_next_seat_begins(ann: User) -> None:
    match = tables.start(tables.play_now(ann, titles()["shifting-stones"], Level.MASTER).pk, ann)
    matches.resign(match.pk, match.seats.get(user=ann).number, "resignation")
    before = names(match)
    again = tables.start(rematch(match.pk, ann).pk, ann)
    assert names(again) == before[1:] + before[:1]
    assert not again.rated


@pytest.mark.parametrize("slug", GAMES)
def test_play_now_is_one_click_and_the_table_begins_by_itself(ann: User, slug: str) -> None:
    client = client_of(ann)
    answer = client.post(reverse("play_now"), {"game": slug, "level": "novice"}, follow=True)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "data-at-once" in page  # the page's script presses this button, after the commitment was shown
    match = Match.objects.get(game=slug)
    client.post(reverse("table_start", args=[match.slug]), {"nonce": "00ff"})
    match.refresh_from_db()
    assert match.is_running
    assert (match.rated, match.visibility) == (False, "link")
    assert match.options.get("length") == ("decided" if slug == "card-chess" else None)
    for _ in range(3):
        bot_acts(match)
    match.refresh_from_db()
    assert first_difference(match) is None


@pytest.mark.parametrize("address", ["home", "lobby"])
def test_play_now_is_offered_where_people_look_for_a_match(ann: User, address: str) -> None:
    for client in (Client(), client_of(ann)):
        assert f'action="{reverse("play_now")}"' in client.get(reverse(address)).content.decode()


@pytest.mark.parametrize("slug", GAMES)
def test_rules_offer_a_match_of_their_game(slug: str) -> None:
    page = Client().get(reverse("rules", args=[slug])).content.decode()
    assert f'<input type="hidden" name="game" value="{slug}">' in page


@pytest.mark.parametrize("form", [{}, {"game": "chess", "level": "novice"}, {"game": "card-chess", "level": "god"}])
def test_play_now_refuses_what_there_is_not(ann: User, form: dict[str, str]) -> None:
    answer = client_of(ann).post(reverse("play_now"), form)
    assert answer.status_code == 422
    assert not Match.objects.exists()


def test_a_table_is_filled_from_its_form(ann: User) -> None:
    form = {"seats": "3", "speed": "live", "live_clock": "", "rated": "on", "visibility": "public", "bots": "companion"}
    page = client_of(ann).get(f"{reverse('table_new')}?game=shifting-stones").content.decode()
    assert 'name="bots"' in page
    answer = client_of(ann).post(
        f"{reverse('table_new')}?game=shifting-stones", {**form, "seat_order": "random", "live_clock": "300+10/600"}
    )
    assert answer.status_code == 302, answer.content.decode()[:3000]
    match = Match.objects.get()
    assert names(match) == ["ann", "Companion", "Companion 2"]
    assert not match.rated


def test_bots_are_told_nothing_and_count_nowhere(ann: User) -> None:
    match = tables.start(tables.play_now(ann, titles()["shifting-stones"], Level.NOVICE).pk, ann)
    mine = match.seats.get(user=ann).number
    matches.resign(match.pk, mine, "resignation")
    assert not Notice.objects.exclude(user=ann).exists()
    profile = client_of(ann).get(reverse("profile", args=["ann"]))
    assert profile.status_code == 200
    assert profile.context["statistics"].matches == 0
    assert profile.context["reliability"].matches == 0
    record = client_of(ann).get(reverse("record", args=[match.slug])).json()
    assert {(seat["name"], seat.get("bot")) for seat in record["seats"]} == {("ann", None), ("novice", "novice")}


def test_the_page_of_a_bot_tells_how_it_did_against_people(ann: User) -> None:
    match = tables.start(tables.play_now(ann, titles()["shifting-stones"], Level.NOVICE).pk, ann)
    assert Client().get(reverse("bot", args=["novice"])).context["against"] == []
    matches.resign(match.pk, match.seats.get(user=ann).number, "resignation")
    (row,) = Client().get(reverse("bot", args=["novice"])).context["against"]
    assert (row.title.slug, row.ahead, row.level, row.behind, row.rate) == ("shifting-stones", 1, 0, 0, 100)
    assert Client().get("/bots/champion/").status_code == 404


def test_the_page_of_a_bot_publishes_what_was_measured() -> None:
    page = Client().get(reverse("bot", args=["master"]))
    rows = page.context["measured"]
    assert {row.title.slug for row in rows} == {slug for slug in GAMES if any(FOLDER.glob(f"{slug}-*.json"))}
    assert "a greedy player" in page.content.decode()
