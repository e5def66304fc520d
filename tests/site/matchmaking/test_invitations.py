"""Invitations: they expire, are declined on the page, in the notices and from an email, and describe their table."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from accounts import relations
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import jobs, planned as matchmaking_planned, tables
from games.matchmaking.invitations import decline_invitation, invitation_url, invite_more, qr_code
from games.matchmaking.limits import INVITATION_LIFETIME
from games.matchmaking.lobby import matches_of
from games.matchmaking.models import Invitation
from games.matchmaking.tables import TableSetup
from games.play.models import Match, Speed
from tests.people import client_of, open_table, person

pytestmark = pytest.mark.django_db


def challenge(host: User, *people: User, speed: str = "days", seats: int = 2) -> Match:
    wish = TableSetup("shifting-stones", seats, speed=speed, rated=False, visibility="private", invited=people)
    return tables.open_table(host, wish)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(RuleViolation) as caught:
        act()
    return caught.value.code


def page_of(user: User, match: Match) -> str:
    return client_of(user).get(match.get_absolute_url()).content.decode()


# --- expiry ---------------------------------------------------------------------------------------------------------


def test_an_invitation_says_how_long_it_is_valid_and_expires(clock: Traveller) -> None:
    ann, bob = person("ann"), person("bob")
    match = challenge(ann, bob)
    assert "ann invites you" in page_of(bob, match)
    assert "can accept until" in page_of(ann, match)
    clock.shift(INVITATION_LIFETIME[Speed.DAYS] + timedelta(seconds=1))
    assert refusal(lambda: tables.join(match.pk, bob)) == "invitation-expired"
    assert matches_of(bob).invited == []
    assert "has expired" in page_of(bob, match)
    assert "has not answered in time" in page_of(ann, match)


def test_an_expired_invitation_can_be_sent_anew(clock: Traveller) -> None:
    ann, bob = person(), person()
    match = challenge(ann, bob)
    clock.shift(INVITATION_LIFETIME[Speed.DAYS] + timedelta(seconds=1))
    invite_more(match.pk, ann, [bob])
    assert tables.join(match.pk, bob).is_running


def test_no_invitation_outlives_its_table(clock: Traveller) -> None:
    ann, bob = person(), person()
    match = challenge(ann, speed="live", seats=3)
    clock.shift(timedelta(hours=20))
    invite_more(match.pk, ann, [bob])
    assert Invitation.objects.get(user=bob).expires_at == match.created_at + timedelta(hours=24)


def test_the_worker_clears_invitations_a_day_after_they_expired(clock: Traveller) -> None:
    ann, bob = person(), person()
    challenge(ann, bob)
    clock.shift(INVITATION_LIFETIME[Speed.DAYS] + timedelta(hours=1))
    jobs.OldRows().run_due(timezone.now())
    assert Invitation.objects.exists()
    clock.shift(timedelta(days=1))
    jobs.OldRows().run_due(timezone.now())
    assert not Invitation.objects.exists()


def test_who_was_invited_to_a_private_match_can_watch_it_for_good(clock: Traveller) -> None:
    ann, bob, cid = person(), person(), person()
    match = challenge(ann, bob, cid)
    tables.join(match.pk, bob)
    clock.shift(timedelta(days=30))
    jobs.OldRows().run_due(timezone.now())
    assert client_of(cid).get(match.get_absolute_url()).status_code == 200


# --- declining ------------------------------------------------------------------------------------------------------


def test_declining_is_told_to_the_host_and_leaves_no_trace_in_the_lists() -> None:
    ann, bob = person(), person("bob")
    match = challenge(ann, bob)
    answer = client_of(bob).post(reverse("table_decline", args=[match.slug]), follow=True)
    assert "You have declined the invitation." in answer.content.decode()
    assert matches_of(bob).invited == []
    assert re.search(r"bob <span class=.meta.>has declined", page_of(ann, match))


def test_who_has_declined_is_not_asked_again_but_may_still_come() -> None:
    ann, bob = person(), person()
    match = challenge(ann, bob)
    decline_invitation(match.pk, bob)
    decline_invitation(match.pk, bob)
    assert refusal(lambda: invite_more(match.pk, ann, [bob])) == "declined"
    assert tables.join(match.pk, bob).is_running
    assert Invitation.objects.get().declined_at is None


def test_only_open_invitations_can_be_declined() -> None:
    ann, bob, cid = person(), person(), person()
    match = challenge(ann, bob, seats=3)
    assert refusal(lambda: decline_invitation(match.pk, cid)) == "not-invited"
    tables.join(match.pk, bob)
    assert refusal(lambda: decline_invitation(match.pk, bob)) == "seated"
    tables.start(match.pk, ann)
    assert refusal(lambda: decline_invitation(match.pk, bob)) == "table-begun"


def test_the_notices_offer_both_answers_until_one_is_given() -> None:
    ann, bob = person(), person()
    match = challenge(ann, bob)
    client = client_of(bob)
    page = client.get(reverse("notices")).content.decode()
    assert reverse("table_join", args=[match.slug]) in page
    assert reverse("table_decline", args=[match.slug]) in page
    client.post(reverse("table_decline", args=[match.slug]))
    assert reverse("table_join", args=[match.slug]) not in client.get(reverse("notices")).content.decode()


def test_the_form_of_the_notices_accepts_an_invitation() -> None:
    ann, bob = person(), person()
    match = challenge(ann, bob)
    client = client_of(bob)
    accept = f'action="{reverse("table_join", args=[match.slug])}"'
    assert accept in client.get(reverse("notices")).content.decode()
    assert client.post(reverse("table_join", args=[match.slug]))["Location"] == match.get_absolute_url()
    match.refresh_from_db()
    assert match.is_running
    assert match.seats.filter(user=bob).exists()
    assert accept not in client.get(reverse("notices")).content.decode()


# --- to a planned table ---------------------------------------------------------------------------------------------


def planned(host: User, *people: User) -> Match:
    wish = TableSetup("shifting-stones", 3, rated=False, invited=people)
    return matchmaking_planned.plan_table(host, wish, timezone.now() + timedelta(days=2))


def test_an_invitation_to_a_planned_table_is_accepted_by_coming() -> None:
    ann, bob = person(), person("bob")
    match = planned(ann, bob)
    come = reverse("table_come", args=[match.slug])
    client = client_of(bob)
    assert come in client.get(reverse("notices")).content.decode()
    assert "bob <span" in page_of(ann, match)
    client.post(come)
    assert match.promises.filter(user=bob).exists()
    assert come not in client.get(reverse("notices")).content.decode()
    assert "bob <span" not in page_of(ann, match)
    assert refusal(lambda: decline_invitation(match.pk, bob)) == "coming"


def test_an_invitation_to_a_planned_table_can_be_declined_and_taken_up_after_all() -> None:
    ann, bob = person(), person("bob")
    match = planned(ann, bob)
    assert 'id="decline"' in page_of(bob, match)
    client_of(bob).post(reverse("table_decline", args=[match.slug]))
    assert re.search(r"bob <span class=.meta.>has declined", page_of(ann, match))
    assert "You can still come." in page_of(bob, match)
    matchmaking_planned.come(match.pk, bob)
    assert Invitation.objects.get().declined_at is None


def test_the_page_of_an_email_answers_for_a_planned_table_too() -> None:
    ann, bob = person(), person()
    match = planned(ann, bob)
    path = "/invitation/" + invitation_url(Invitation.objects.get()).partition("/invitation/")[2]
    page = client_of(bob).get(path).content.decode()
    assert reverse("table_come", args=[match.slug]) in page
    assert 'id="declined"' in client_of(bob).post(path).content.decode()


def test_a_planned_table_has_a_code_to_scan() -> None:
    ann = person()
    match = planned(ann)
    assert qr_code(match.get_absolute_url()) in page_of(ann, match)


# --- between people who blocked each other ---------------------------------------------------------------------------


def test_an_invitation_withheld_by_a_block_can_be_sent_when_it_is_lifted() -> None:
    ann, bob = person(), person()
    match = challenge(ann)
    relations.block(bob, ann)
    invite_more(match.pk, ann, [bob])
    relations.unblock(bob, ann)
    assert matches_of(bob).invited == []
    invite_more(match.pk, ann, [bob])
    assert matches_of(bob).invited == [match]


# --- from an email --------------------------------------------------------------------------------------------------


def test_an_email_lets_its_reader_decline_without_logging_in(client: Client) -> None:
    ann, bob = person(), person()
    match = challenge(ann, bob)
    address = invitation_url(Invitation.objects.get()).partition("/invitation/")[2]
    path = f"/invitation/{address}"
    assert 'id="decline"' in client.get(path).content.decode()
    assert Invitation.objects.get().declined_at is None, "looking changes nothing"
    assert 'id="declined"' in client.post(path).content.decode()
    assert Invitation.objects.get().declined_at is not None
    assert not match.seats.filter(user=bob).exists()


def test_the_page_of_an_email_says_what_is_played_and_with_whom(client: Client) -> None:
    ann, bob, cid = person("ann"), person("bob", language="de"), person("cid")
    wish = TableSetup("shifting-stones", 4, note="Beginners welcome", invited=(bob, cid), first_to=2)
    match = tables.open_table(ann, wish)
    tables.join(match.pk, cid)
    path = "/invitation/" + invitation_url(Invitation.objects.get(user=bob)).partition("/invitation/")[2]
    markup = client.get(path).content.decode()
    assert '<dl class="facts card"' in markup
    page = " ".join(re.sub("<[^>]*>", " ", markup).split())
    for words in (
        "Shifting Stones",
        "ann",
        "cid",
        "leitet den Tisch",
        "Besetzt: 2 von 4",
        "2 Plätze frei",
        "gewertet",
        "Live",
        "Beginners",
    ):
        assert words in page
    assert "Wer zuerst 2 Partien gewinnt" in page


def test_the_page_of_an_email_accepts_for_its_reader_alone(client: Client) -> None:
    ann, bob = person(), person()
    match = challenge(ann, bob)
    path = "/invitation/" + invitation_url(Invitation.objects.get()).partition("/invitation/")[2]
    join = reverse("table_join", args=[match.slug])
    assert join not in client.get(path).content.decode()
    assert join not in client_of(ann).get(path).content.decode()
    assert join in client_of(bob).get(path).content.decode()


def test_after_the_beginning_an_email_has_nothing_to_answer(client: Client) -> None:
    ann, bob, cid = person(), person(), person()
    match = challenge(ann, bob, cid)
    path = "/invitation/" + invitation_url(Invitation.objects.get(user=cid)).partition("/invitation/")[2]
    tables.join(match.pk, bob)
    assert 'id="gone"' in client.get(path).content.decode()
    assert client.post(path).status_code == 422


# --- by link --------------------------------------------------------------------------------------------------------


def test_a_link_has_a_card_with_the_host_the_game_and_the_free_seats(client: Client) -> None:
    match = open_table([person("ann")], seats=3, visibility="link")
    page = client.get(match.get_absolute_url()).content.decode()
    assert '<meta property="og:title" content="ann invites you to Shifting Stones">' in page
    assert "2 seats are free." in re.search(r'og:description" content="([^"]*)"', page)[1]  # type: ignore[index]


def test_a_private_table_has_neither_card_nor_code() -> None:
    ann, bob = person(), person()
    page = page_of(bob, challenge(ann, bob))
    assert "og:title" not in page
    assert 'class="qr"' not in page


def test_those_at_a_table_can_show_its_own_code(client: Client) -> None:
    host = person()
    match = open_table([host], seats=2)
    page = client_of(host).get(match.get_absolute_url()).content.decode()
    assert qr_code(match.get_absolute_url()) in page
    assert qr_code("/match/another/") not in page
    assert "invite-link" not in client.get(match.get_absolute_url()).content.decode()
