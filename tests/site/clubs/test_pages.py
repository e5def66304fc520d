"""The pages of clubs: what each kind of reader finds there and can do, and that private ones are nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.clubs import services
from games.clubs.models import Club
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play.models import Match
from tests.people import client_of, person
from tests.site.clubs.clubs import Role, club_of, put_in, role_of

pytestmark = pytest.mark.django_db

Joining = Club.Joining
NAMED = re.compile(r'(value|nonce)="[^"]*"')
"""What differs from answer to answer."""


def text_of(response: Any) -> str:
    return str(response.content.decode())


def doings(page: str) -> set[str]:
    """Return what the buttons of a page do."""
    known = ("join", "ask", "take-back", "leave", "renew-link", "accept", "decline", "remove", "let-back")
    found = {do for do in known if f'name="do" value="{do}"' in page}
    return found | ({"role"} if 'name="role"' in page else set())


def test_what_each_reader_is_offered_on_the_pages_of_a_club() -> None:
    ann = person()
    club = club_of(ann, "Chess <b>club</b>", text="We <i>meet</i> daily")
    helper, member, asking, stranger = put_in(club, Role.HELPER), put_in(club), person(), person()
    services.ask(asking, club.slug)
    services.remove_member(ann, club.slug, put_in(club).username)
    address, everybody = club.get_absolute_url(), reverse("club_members", args=[club.slug])
    answers = {"accept", "decline"}
    for reader, here, there in [
        (ann, {"leave", "renew-link", *answers}, {*answers, "remove", "let-back", "role"}),
        (helper, {"leave", "renew-link", *answers}, {*answers, "remove", "let-back"}),
        (member, {"leave"}, set()),
        (asking, {"take-back"}, set()),
        (stranger, {"ask"}, set()),
        (None, {"ask"}, set()),
    ]:
        client = client_of(reader) if reader else Client()
        page, members = text_of(client.get(address)), text_of(client.get(everybody))
        assert doings(page) == here, reader
        assert doings(members) == there, reader
        assert "Chess &lt;b&gt;club&lt;/b&gt;" in page
        assert "We &lt;i&gt;meet&lt;/i&gt; daily" in page
        assert ann.username in page
        assert ann.username in members
        assert (club.link in page) == (reader in {ann, helper})
        for name, allowed in (("club_change", reader == ann), ("club_close", reader == ann)):
            status = client.get(reverse(name, args=[club.slug])).status_code
            assert status == (200 if allowed else 404 if reader else 302)


def test_a_club_is_founded_changed_and_closed_by_forms() -> None:
    ann, client = person(), None
    client = client_of(ann)
    fields = {"name": "Chess club", "text": "", "joining": "open"}
    answer = client.post(reverse("club_new"), {**fields, "name": "ab"})
    assert answer.status_code == 422
    assert "Names must have 3 to 40 characters." in text_of(answer)
    assert client.post(reverse("club_new"), fields).status_code == 302
    club = Club.objects.get()
    answer = client.post(reverse("club_change", args=[club.slug]), {**fields, "text": "Daily", "private": "on"})
    assert answer.headers["Location"] == club.get_absolute_url()
    club.refresh_from_db()
    assert (club.text, club.private, club.joining) == ("Daily", True, Joining.LINK)
    assert client_of(put_in(club)).post(reverse("club_close", args=[club.slug])).status_code == 404
    assert client.get(reverse("club_close", args=[club.slug])).status_code == 200
    assert client.post(reverse("club_close", args=[club.slug])).headers["Location"] == reverse("clubs")
    assert not Club.objects.exists()


def test_buttons_do_what_they_say_and_refusals_are_shown() -> None:
    ann, bob = person(), person()
    club = club_of(ann, joining=Joining.OPEN)
    address, everybody = club.get_absolute_url(), reverse("club_members", args=[club.slug])
    owner, client = client_of(ann), client_of(bob)
    assert client.post(address, {"do": "join"}).headers["Location"] == address
    assert role_of(club, bob) == Role.MEMBER
    assert owner.post(everybody, {"do": "role", "name": bob.username, "role": "helper"}).status_code == 302
    assert role_of(club, bob) == Role.HELPER
    refused = client.post(everybody, {"do": "remove", "name": ann.username})
    assert (refused.status_code, "Nobody can remove an owner." in text_of(refused)) == (422, True)
    refused = owner.post(address, {"do": "leave"})
    assert (refused.status_code, "You are the only owner." in text_of(refused)) == (422, True)
    assert owner.post(everybody, {"do": "remove", "name": bob.username}).status_code == 302
    refused = client.post(address, {"do": "join"})
    assert (refused.status_code, "You were removed from this club." in text_of(refused)) == (422, True)
    assert owner.post(everybody, {"do": "let-back", "name": bob.username}).status_code == 302
    former = club.link
    assert owner.post(address, {"do": "renew-link"}).status_code == 302
    club.refresh_from_db()
    assert club.link != former
    assert client.post(address, {"do": "nonsense"}).status_code == 404
    assert client.post(everybody, {"do": "join"}).status_code == 404
    assert Client().post(address, {"do": "join"}).headers["Location"].startswith(reverse("account_login"))


def test_an_invitation_link_leads_in_after_logging_in() -> None:
    ann, bob = person(), person()
    club = club_of(ann, "Family", private=True)
    address = reverse("club_link", args=[club.link])
    visitor = Client().get(address)
    assert "Family" in text_of(visitor)
    assert f"next={address}" in text_of(visitor)
    assert Client().post(address).headers["Location"].startswith(reverse("account_login"))
    client = client_of(bob)
    assert "Join the club" in text_of(client.get(address))
    assert client.post(address).headers["Location"] == club.get_absolute_url()
    assert role_of(club, bob) == Role.MEMBER
    assert client.get(address).headers["Location"] == club.get_absolute_url()
    services.renew_link(ann, club.slug)
    assert client_of(person()).get(address).status_code == 404
    assert client_of(person()).post(address).status_code == 404
    services.remove_member(ann, club.slug, bob.username)
    club.refresh_from_db()
    refused = client.post(reverse("club_link", args=[club.link]))
    assert (refused.status_code, "You were removed" in text_of(refused)) == (422, True)


def test_the_list_shows_ones_own_first_and_finds_by_name() -> None:
    ann, bob = person(), person()
    big, small = club_of(ann, "Café Zürich"), club_of(bob, "Chess at school")
    put_in(big)
    page = text_of(client_of(bob).get(reverse("clubs")))
    own, _title, rest = page.partition('id="all"')
    assert small.slug in own
    assert big.slug not in own
    assert rest.index(big.slug) < rest.index(small.slug)
    for wanted, found in (("cafe zurich", True), ("ZÜR", True), ("school", False), ("\u202e", True)):
        assert (big.slug in text_of(Client().get(reverse("clubs"), {"name": wanted}))) == found, wanted
    assert "No public club" in text_of(Client().get(reverse("clubs"), {"name": "<b>nobody"}))


@pytest.fixture
def family() -> tuple[Club, Client, list[tuple[str, Client]]]:
    """Return a private club, the client of a member, and those of everybody else."""
    ann = person()
    club = club_of(ann, "Family Xyzzy", text="Plugh and friends", private=True)
    former = put_in(club)
    services.leave(former, club.slug)
    outside = [("visitor", Client()), ("stranger", client_of(person())), ("former", client_of(former))]
    return club, client_of(put_in(club)), outside


def test_a_private_club_is_like_one_that_does_not_exist(family: tuple[Club, Client, list[tuple[str, Client]]]) -> None:
    club, member, outside = family
    owner = club.members.get(role=Role.OWNER).user
    table = tables.open_table(owner, TableSetup("shifting-stones", 2, visibility=Match.Visibility.CLUB, club=club))
    pages: list[Callable[[str], str]] = [
        lambda slug: reverse("club", args=[slug]),
        lambda slug: reverse("club_members", args=[slug]),
        lambda slug: reverse("club_chat", args=[slug]),
        lambda slug: reverse("report_club", args=[slug]),
        lambda slug: reverse("club_change", args=[slug]),
    ]
    for name, client in outside:
        for page in pages:
            answers = [client.get(page(slug)) for slug in (club.slug, "nowherehere")]
            assert len({answer.status_code for answer in answers}) == 1, (name, page("x"))
            bodies = {NAMED.sub("", text_of(answer).replace(club.slug, "nowherehere")) for answer in answers}
            assert len(bodies) == 1, (name, page("x"), bodies)
            assert client.post(page(club.slug), {"do": "join"}).status_code in {302, 404}
        for address in (
            reverse("clubs"),
            reverse("clubs", query={"name": "xyzzy"}),
            reverse("lobby"),
            reverse("planned_tables"),
            reverse("archive"),
            reverse("sitemap"),
            owner.get_absolute_url(),
            reverse("table_new", query={"game": "shifting-stones", "club": club.slug}),
        ):
            told = text_of(client.get(address))
            assert not {each for each in ("Xyzzy", "Plugh", table.slug) if each in told}, (name, address)
        assert client.get(table.get_absolute_url()).status_code == 404
    for page in pages[:4]:
        assert member.get(page(club.slug)).status_code == 200
    assert table.slug in text_of(member.get(club.get_absolute_url()))


def test_leaving_a_private_club_leads_to_the_list(family: tuple[Club, Client, list[tuple[str, Client]]]) -> None:
    club, member, _outside = family
    assert member.post(club.get_absolute_url(), {"do": "leave"}).headers["Location"] == reverse("clubs")
    assert member.get(club.get_absolute_url()).status_code == 404
