"""The room of a club: its members write and read there, live and without a script, and nobody else."""

from __future__ import annotations

from itertools import count

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse

from accounts import relations, sanctions
from accounts.models import Sanction, User
from games.chat import conversations, services as chat
from games.chat.models import Message, Room
from games.chat.rooms import place_of_club
from games.clubs import services
from games.clubs.models import Club
from games.engine.protocol import RuleViolation
from games.play.live import news
from tests.people import client_of, person
from tests.site.clubs.clubs import club_of, put_in

pytestmark = pytest.mark.django_db

_names = count(1)


def say(author: User, club: Club, text: str) -> Message:
    return chat.say(author, place_of_club(club, author), text=text, client_id=f"club{next(_names)}")


def read_by(reader: User, club: Club) -> list[str]:
    return [line.words for line in conversations.lines_of(reader, place_of_club(club, reader)).lines]


def test_members_write_to_each_other_and_nobody_else_reads_it() -> None:
    ann, stranger = person(), person()
    club = club_of(ann)
    bob = put_in(club)
    address = reverse("club_chat", args=[club.slug])
    answer = client_of(ann).post(address, {"room": "club", "text": "Hello <b>all</b>"})
    assert answer.headers["Location"] == address
    page = client_of(bob).get(address).content.decode()
    assert "Hello &lt;b&gt;all&lt;/b&gt;" in page
    assert f'hx-ws:connect="/ws/clubs/{club.slug}/' in page
    assert Room.objects.get().kind == Room.Kind.CLUB
    assert client_of(bob).get(reverse("club_news", args=[club.slug])).status_code == 200
    for name in ("club_chat", "club_news"):
        assert client_of(stranger).get(reverse(name, args=[club.slug])).status_code == 404
        assert Client().get(reverse(name, args=[club.slug])).status_code == 302
    assert client_of(stranger).post(address, {"room": "club", "text": "Me too"}).status_code == 404
    message = Message.objects.get()
    report = reverse("report_message", args=[message.pk])
    assert client_of(bob).get(report).status_code == 200
    assert client_of(stranger).get(report).status_code == 404
    services.leave(bob, club.slug)
    assert client_of(bob).get(address).status_code == 404
    with pytest.raises(Http404):
        place_of_club(club, bob)


def test_a_message_counts_as_unread_for_nobody_and_is_taken_back() -> None:
    ann = person()
    club = club_of(ann)
    bob = put_in(club)
    message = say(ann, club, "Hello")
    assert news.news_of([bob.pk])[bob.pk].counts["messages"] == 0
    answer = client_of(ann).post(reverse("message_delete", args=[message.pk]))
    assert answer.headers["Location"] == reverse("club_chat", args=[club.slug])
    assert read_by(bob, club) == []


def test_silences_blocks_and_mutes_hold_there_too() -> None:
    ann = person()
    club = club_of(ann)
    bob, eve = put_in(club), put_in(club)
    relations.block(ann, bob)
    say(bob, club, "to whom it concerns")
    assert (read_by(ann, club), read_by(eve, club)) == ([], ["to whom it concerns"])
    mute = reverse("person_mute", args=[bob.username])
    answer = client_of(eve).post(mute, {"club": club.slug, "muted": "yes"})
    assert answer.headers["Location"] == reverse("club_chat", args=[club.slug])
    assert read_by(eve, club) == []
    assert client_of(person()).post(mute, {"club": club.slug, "muted": "yes"}).status_code == 404
    sanctions.impose(bob, Sanction.Kind.SILENCE, "Insults")
    with pytest.raises(RuleViolation) as refusal:
        say(bob, club, "again")
    assert refusal.value.code == "silenced"
    room = Room.objects.get()
    answer = client_of(eve).post(reverse("room_mute", args=[room.pk]), {"muted": "yes"})
    assert answer.headers["Location"] == reverse("club_chat", args=[club.slug])


def test_the_room_goes_with_the_club() -> None:
    ann = person()
    club = club_of(ann)
    say(ann, club, "Hello")
    services.close(ann, club.slug)
    assert not Message.objects.exists()
