"""Clubs are founded, joined and led by whoever may do so, and nobody else."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts import sanctions
from accounts.models import Sanction, User
from games.clubs import services
from games.clubs.models import TEXT_LENGTH, Club, Member
from games.clubs.notices import What
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice, Preferences
from games.notifications.validity import judge
from tests.people import person
from tests.site.clubs.clubs import Role, club_of, put_in, refused, role_of

pytestmark = pytest.mark.django_db

Joining = Club.Joining


def told(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user, kind=Kind.CLUB, seen_at=None).values_list("details__what", flat=True))


def is_true(notice: Notice) -> bool:
    return judge(notice, Preferences.of(notice.user), timezone.now()).tell


# --- founding and changing --------------------------------------------------------------------------------------------


def test_whoever_founds_a_club_owns_it() -> None:
    ann = person()
    club = services.found(ann, "  Chess\u202e at school ", "Every Thursday,\nin room 7", Joining.OPEN)
    assert (club.name, club.text, club.joining) == ("Chess at school", "Every Thursday, in room 7", Joining.OPEN)
    assert role_of(club, ann) == Role.OWNER


def test_names_and_texts_are_checked() -> None:
    ann = person()
    for name, code in [
        ("ab", "club-name"),
        ("x" * 41, "club-name"),
        ("♟♟♟", "club-name"),
        ("Сhess at school", "club-name"),  # a Cyrillic letter among Latin ones
        ("Tessera staff", "club-name"),
        ("Moderators", "club-name"),
    ]:
        assert refused(services.found, ann, name) == code, name
    assert refused(services.found, ann, "Chess", "x" * (TEXT_LENGTH + 1)) == "long-text"
    assert refused(services.found, ann, "Chess", joining="never") == "joining"
    assert services.found(ann, "Шахматы в школе").name == "Шахматы в школе"


def test_public_names_look_different_and_private_ones_tell_nothing() -> None:
    ann = person()
    services.found(ann, "Chess club")
    assert refused(services.found, ann, "Chess CIub") == "name-taken"  # with a capital i
    hidden = services.found(ann, "Chess club", private=True)
    settings = {"name": "Chess club", "text": "", "joining": Joining.OPEN, "private": False}
    assert refused(services.change, ann, hidden.slug, **settings) == "name-taken"


def test_a_private_club_is_joined_by_link_alone() -> None:
    ann = person()
    club = club_of(ann, joining=Joining.REQUEST)
    services.ask(person(), club.slug)
    changed = services.change(ann, club.slug, name="Family", text="", joining=Joining.OPEN, private=True)
    assert changed.joining == Joining.LINK
    assert not club.requests.exists()


def test_who_cannot_found_a_club() -> None:
    assert refused(services.found, person(guest=True), "Chess") == "guest"
    assert refused(services.found, person(bot_since=timezone.now()), "Chess") == "bot"
    for kind, code in ((Sanction.Kind.SUSPENSION, "suspended"), (Sanction.Kind.SILENCE, "silenced")):
        bob = person()
        sanctions.impose(bob, kind, "Insults")
        bob.refresh_from_db()
        assert refused(services.found, bob, "Chess") == code


def test_one_person_owns_only_so_many_clubs(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person()
    for number in range(3):
        club_of(ann, f"Chess {number * 'x'}x")
    assert refused(club_of, ann, "Chess again") == "too-often"
    monkeypatch.setattr(services, "FOUNDED", 3)
    assert refused(club_of, ann, "Chess again") == "too-many-owned"
    bob, open_club = person(), club_of(person(), joining=Joining.OPEN)
    monkeypatch.setattr(services, "JOINED", 0)
    assert refused(services.join, bob, open_club.slug) == "too-many-joined"


def test_silenced_owners_change_only_who_may_join() -> None:
    ann = person()
    club = club_of(ann)
    sanctions.impose(ann, Sanction.Kind.SILENCE, "Insults")
    same: dict[str, Any] = {"name": club.name, "text": club.text, "private": False}
    assert services.change(ann, club.slug, joining=Joining.OPEN, **same).joining == Joining.OPEN
    assert refused(services.change, ann, club.slug, joining=Joining.OPEN, **{**same, "text": "new"}) == "silenced"


# --- joining and leaving ----------------------------------------------------------------------------------------------


def test_everybody_can_join_an_open_club_at_once() -> None:
    club, bob = club_of(person(), joining=Joining.OPEN), person()
    assert services.join(bob, club.slug) == services.join(bob, club.slug)
    assert role_of(club, bob) == Role.MEMBER
    assert refused(services.join, person(guest=True), club.slug) == "guest"
    assert refused(services.join, person(bot_since=timezone.now()), club.slug) == "bot"
    assert refused(services.join, bob, "nowhere") == "club-gone"
    other = club_of(person(), "By request")
    assert refused(services.join, bob, other.slug) == "not-open"


def test_a_club_can_be_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MEMBERS", 1)
    ann, bob = person(), person()
    club = club_of(ann)
    assert refused(services.join_by_link, bob, club.link) == "club-full"
    services.ask(bob, club.slug)
    assert refused(services.accept, ann, club.slug, bob.username) == "club-full"


def test_owners_and_helpers_answer_requests_and_both_sides_are_told() -> None:
    ann, bob, eve = person(), person(), person()
    club = club_of(ann)
    helper, member = put_in(club, Role.HELPER), put_in(club)
    services.ask(bob, club.slug)
    services.ask(bob, club.slug)
    services.ask(eve, club.slug)
    assert [told(each) for each in (ann, helper, member)] == [["asked"], ["asked"], []]
    assert refused(services.ask, member, club.slug) == "member"
    for by in (member, bob):
        assert refused(services.accept, by, club.slug, bob.username) == "not-leader"
        assert refused(services.decline, by, club.slug, bob.username) == "not-leader"
    services.accept(helper, club.slug, bob.username)
    assert told(ann) == ["asked"]  # Eve still waits
    services.decline(ann, club.slug, eve.username.upper())
    assert [told(each) for each in (ann, helper, bob, eve)] == [[], [], ["accepted"], ["declined"]]
    assert (role_of(club, bob), role_of(club, eve)) == (Role.MEMBER, "")
    assert refused(services.accept, ann, club.slug, eve.username) == "not-asking"
    assert refused(services.decline, ann, club.slug, bob.username) == "not-asking"


def test_who_was_declined_can_ask_again_later() -> None:
    ann, eve = person(), person()
    club = club_of(ann)
    services.ask(eve, club.slug)
    services.decline(ann, club.slug, eve.username)
    assert refused(services.ask, eve, club.slug) == "asked-lately"
    with time_machine.travel(timezone.now() + services.AGAIN + timedelta(minutes=1)):
        services.ask(eve, club.slug)
        assert told(ann) == ["asked"]
        services.take_request_back(eve, club.slug)
        services.take_request_back(eve, club.slug)
        assert told(ann) == []
        assert refused(services.accept, ann, club.slug, eve.username) == "not-asking"
    closed = club_of(ann, "By link", joining=Joining.LINK)
    assert refused(services.ask, eve, closed.slug) == "not-by-request"


def test_a_link_leads_into_every_club_until_it_is_renewed() -> None:
    ann, bob = person(), person()
    club = club_of(ann, private=True)
    helper, member = put_in(club, Role.HELPER), put_in(club)
    services.join_by_link(bob, club.link)
    assert role_of(club, bob) == Role.MEMBER
    assert refused(services.renew_link, member, club.slug) == "not-leader"
    renewed = services.renew_link(helper, club.slug)
    assert renewed.link != club.link
    with pytest.raises(Club.DoesNotExist):
        services.join_by_link(person(), club.link)


def test_who_was_removed_comes_back_only_when_let_in() -> None:
    ann, bob = person(), person()
    club = club_of(ann, joining=Joining.OPEN)
    helper, other = put_in(club, Role.HELPER), put_in(club, Role.HELPER)
    services.join(bob, club.slug)
    for by, name, code in [
        (bob, bob.username, "not-leader"),
        (helper, other.username, "of-helper"),
        (helper, ann.username, "of-owner"),
        (helper, helper.username, "self"),
        (helper, "nobody-here", "not-member"),
    ]:
        assert refused(services.remove_member, by, club.slug, name) == code
    services.remove_member(helper, club.slug, bob.username)
    services.remove_member(ann, club.slug, other.username)
    for again in (
        partial(services.join, bob, club.slug),
        partial(services.join_by_link, bob, club.link),
    ):
        assert refused(again) == "removed"
    Club.objects.filter(pk=club.pk).update(joining=Joining.REQUEST)
    assert refused(services.ask, bob, club.slug) == "removed"
    assert refused(services.let_back, bob, club.slug, bob.username) == "not-leader"
    services.let_back(helper, club.slug, bob.username)
    services.join_by_link(bob, club.link)


# --- roles, and the last owner ----------------------------------------------------------------------------------------


def test_owners_give_roles() -> None:
    ann = person()
    club = club_of(ann)
    bob, helper = put_in(club), put_in(club, Role.HELPER)
    assert refused(services.give_role, helper, club.slug, bob.username, Role.HELPER) == "not-owner"
    assert refused(services.give_role, ann, club.slug, bob.username, "king") == "role"
    assert refused(services.give_role, ann, club.slug, "nobody-here", Role.HELPER) == "not-member"
    services.give_role(ann, club.slug, bob.username, Role.HELPER)
    assert told(bob) == ["helper"]
    services.give_role(ann, club.slug, bob.username, Role.OWNER)
    assert refused(services.give_role, bob, club.slug, ann.username, Role.MEMBER) == "of-owner"
    assert refused(services.remove_member, bob, club.slug, ann.username) == "of-owner"
    services.give_role(ann, club.slug, ann.username, Role.MEMBER)
    assert (role_of(club, ann), role_of(club, bob)) == (Role.MEMBER, Role.OWNER)
    assert told(ann) == []


def test_the_last_owner_neither_leaves_nor_steps_down() -> None:
    ann = person()
    club = club_of(ann)
    bob = put_in(club)
    assert refused(services.leave, ann, club.slug) == "last-owner"
    assert refused(services.give_role, ann, club.slug, ann.username, Role.MEMBER) == "last-owner"
    services.give_role(ann, club.slug, bob.username, Role.OWNER)
    services.leave(ann, club.slug)
    services.leave(ann, club.slug)
    assert role_of(club, ann) == ""
    assert refused(services.leave, bob, club.slug) == "last-owner"


def test_who_follows_a_last_owner_whose_account_ends() -> None:
    """The oldest helper, else the oldest member whose account is open; without anybody the club closes."""
    ann = person()
    with_helper, with_member, alone = (club_of(ann, name) for name in ("Helpers", "Just members", "Just Ann"))
    put_in(with_helper)
    helper, _younger = put_in(with_helper, Role.HELPER), put_in(with_helper, Role.HELPER)
    put_in(with_member, user=person(is_active=False))
    member, _youngest = put_in(with_member), put_in(with_member)
    services.leave_all(ann)
    assert role_of(with_helper, helper) == role_of(with_member, member) == Role.OWNER
    assert told(helper) == ["owner"]
    assert not Club.objects.filter(pk=alone.pk).exists()
    assert not Member.objects.filter(user=ann).exists()


def test_owners_close_clubs_and_nothing_is_left() -> None:
    ann, bob = person(), person()
    club = club_of(ann)
    helper = put_in(club, Role.HELPER)
    services.ask(bob, club.slug)
    assert refused(services.close, helper, club.slug) == "not-owner"
    assert refused(services.change, helper, club.slug, name="x", text="", joining="open", private=False) == "not-owner"
    services.close(ann, club.slug)
    assert not Club.objects.exists()
    assert not Notice.objects.filter(kind=Kind.CLUB).exists()
    assert refused(services.leave, helper, club.slug) == "club-gone"


# --- notices ----------------------------------------------------------------------------------------------------------


def test_what_notices_say_and_until_when_they_are_true() -> None:
    ann, bob = person(), person()
    club = club_of(ann, "Chess <b>club</b>")
    services.ask(bob, club.slug)
    asked = Notice.objects.get(user=ann, kind=Kind.CLUB)
    message = message_of(asked)
    assert message.title == "Someone wants to join Chess <b>club</b>"
    assert message.url.endswith(f"/clubs/{club.slug}/")
    assert is_true(asked)
    services.accept(ann, club.slug, bob.username)
    assert not is_true(asked)
    accepted = Notice.objects.get(user=bob, kind=Kind.CLUB)
    assert accepted.details["what"] == What.ACCEPTED
    assert is_true(accepted)
    services.leave(bob, club.slug)
    assert not Notice.objects.filter(user=bob, kind=Kind.CLUB).exists()
    assert not is_true(accepted)
