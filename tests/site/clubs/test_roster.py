"""Names on a list become invitations to a club: what is read, what becomes of each name, and how people answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.relations import block
from games.clubs import roster, services
from games.clubs.models import Club, ClubInvitation
from games.clubs.roster import Fate
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from tests.people import client_of, person
from tests.site.clubs.clubs import Role, club_of, put_in, refused, role_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(ann: User) -> Club:
    return club_of(ann, private=True)


def page_of(club: Club) -> str:
    return f"/clubs/{club.slug}/names/"


# --- what is read -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("\ufeffJörg\r\nbob\r\n", ["Jörg", "bob"]),
        ("Jörg;3b\nbob;3c\n", ["Jörg", "bob"]),
        ("Klasse\tBenutzername\n3b\tbob", ["bob"]),
        ('"bob","Bob, B."\n"carl","C."\n', ["bob", "carl"]),
        ("bob, carl,, BOB ", ["bob", "carl"]),
        ("\n;;\n \n", []),
        ('bob\n"carl', ["bob", "carl"]),
        ("Name\n", []),
    ],
)
def test_lists_are_read_as_spreadsheets_write_them(text: str, names: list[str]) -> None:
    assert roster.names_in(text) == names


# --- what becomes of each name ----------------------------------------------------------------------------------
def test_each_name_has_a_line_that_says_what_becomes_of_it(ann: User, club: Club) -> None:
    person("bob")
    put_in(club, user=person("mate"))
    person("Guest-1", guest=True)
    person("gone", is_active=False)
    removed = put_in(club, user=person("removed"))
    services.remove_member(ann, club.slug, removed.username)
    roster.invite(ann, club, [person("asked").username])
    names = ["Bob", "mate", "ann", "nobody", "Guest-1", "gone", "removed", "asked"]
    fates = [line.fate for line in roster.look_at(club, names)]
    assert fates == [
        Fate.INVITE,
        Fate.MEMBER,
        Fate.MEMBER,
        Fate.UNKNOWN,
        Fate.UNKNOWN,
        Fate.UNKNOWN,
        Fate.REMOVED,
        Fate.INVITED,
    ]


def test_nothing_is_sent_before_the_list_was_looked_at(ann: User, club: Club) -> None:
    person("bob")
    browser = client_of(ann)
    page = browser.post(page_of(club), {"pasted": "Name;Class\nbob;3b\nnobody;3b\n"}).content.decode()
    assert "will be invited" in page
    assert "Nobody here has this name." in page
    assert "Invite 1 person" in page
    assert not ClubInvitation.objects.exists()
    answer = browser.post(page_of(club), {"pasted": "bob\nnobody", "send": "1"}, follow=True)
    assert "1 person is invited." in answer.content.decode()
    assert ClubInvitation.objects.get().user.username == "bob"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"pasted": " \n;"}, "There are no names on this list."),
        ({"pasted": "\n".join(f"n{number}" for number in range(201))}, "at most 200 people"),
        ({"pasted": "a" * (roster.LONGEST + 1)}, ""),
    ],
)
def test_lists_that_are_refused(ann: User, club: Club, sent: dict[str, object], said: str) -> None:
    answer = client_of(ann).post(page_of(club), sent)
    assert answer.status_code == (422 if said else 413)
    assert said in answer.content.decode()


def test_a_day_has_a_limit(ann: User, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "A_DAY", roster.A_DAY.__class__(2, timedelta(days=1)))
    names = [person().username for _ in range(3)]
    assert refused(roster.invite, ann, club, names) == "too-often"
    assert roster.invite(ann, club, names[:2]) == 2
    answer = client_of(ann).post(page_of(club), {"pasted": names[2], "send": "1"})
    assert answer.status_code == 429
    assert "You can invite 0 more people today" in answer.content.decode()
    ClubInvitation.objects.update(at=timezone.now() - timedelta(days=2))
    assert roster.invite(ann, club, names) == 1, "the others are invited already"


def test_only_those_who_lead_the_club_invite(club: Club) -> None:
    put_in(club, Role.HELPER, person("helper"))
    mate = put_in(club, user=person("mate"))
    assert client_of(User.objects.get(username="helper")).get(page_of(club)).status_code == 200
    assert client_of(mate).get(page_of(club)).status_code == 404
    assert client_of(person("stranger")).get(page_of(club)).status_code == 404, "the club is private"
    assert refused(roster.invite, mate, club, ["helper"]) == "not-leader"


# --- how people answer ------------------------------------------------------------------------------------------
def test_the_invited_are_told_and_join_a_club_of_which_nobody_else_learns(ann: User, club: Club) -> None:
    bob = person("bob")
    roster.invite(ann, club, ["bob"])
    notice = Notice.objects.get(user=bob, kind=Kind.CLUB)
    assert message_of(notice).title == f"You are invited to join {club.name}"
    browser = client_of(bob)
    assert "Accept" in browser.get("/notices/").content.decode()
    page = notice.get_absolute_url()
    assert club.name in browser.get(page).content.decode()
    assert client_of(person("stranger")).get(page).status_code == 404
    assert browser.post(page, {"accept": "1"})["Location"] == club.get_absolute_url()
    assert role_of(club, bob) == Role.MEMBER
    assert not Notice.objects.filter(user=bob).exists()
    assert not ClubInvitation.objects.exists()
    assert browser.get(page)["Location"] == club.get_absolute_url()


def test_whoever_declines_is_not_asked_again(ann: User, club: Club) -> None:
    bob = person("bob")
    roster.invite(ann, club, ["bob"])
    page = f"/clubs/{club.slug}/invitation/"
    assert client_of(bob).post(page, {"decline": "1"}).status_code == 302
    assert client_of(bob).get(page).status_code == 404
    assert refused(roster.accept, bob, club) == "not-invited"
    assert roster.invite(ann, club, ["bob"]) == 0
    assert not Notice.objects.filter(user=bob).exists()


def test_a_block_withholds_an_invitation_and_tells_nobody(ann: User, club: Club) -> None:
    bob = person("bob")
    block(bob, ann)
    assert roster.look_at(club, ["bob"])[0].fate is Fate.INVITE
    assert roster.invite(ann, club, ["bob"]) == 1
    assert roster.look_at(club, ["bob"])[0].fate is Fate.INVITED
    assert not Notice.objects.filter(user=bob).exists()
    assert client_of(bob).get(f"/clubs/{club.slug}/invitation/").status_code == 404


def test_a_full_club_says_so(ann: User, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = person("bob")
    roster.invite(ann, club, ["bob"])
    monkeypatch.setattr(services, "MEMBERS", 1)
    answer = client_of(bob).post(f"/clubs/{club.slug}/invitation/", {"accept": "1"})
    assert answer.status_code == 422
    assert "This club is full." in answer.content.decode()
