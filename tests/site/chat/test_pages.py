"""The pages of messages as somebody without a script uses them."""

from __future__ import annotations

import pytest
from django.test import Client
from time_machine import Traveller

from accounts.models import User
from games.chat.models import Message, Openness
from games.chat.rooms import openness
from games.play.models import Match
from tests.people import client_of, person, running_match
from tests.site.chat.rooms import befriend, say, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ann: User, bob: User) -> Match:
    return running_match([ann, bob])


def text_of(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def test_a_message_is_written_and_read_with_forms_alone(match: Match, ann: User, bob: User) -> None:
    path = f"/match/{match.slug}/chat/"
    assert "Nobody has written anything yet." in text_of(client_of(ann), path)
    answer = client_of(ann).post(path, {"room": "players", "text": "Hello, Bob", "client_id": "one"})
    assert answer["Location"] == path
    assert "Hello, Bob" in text_of(client_of(bob), path)


def test_the_match_page_says_how_many_are_unread_until_they_are_read(match: Match, ann: User, bob: User) -> None:
    say(ann, match, "Hello")
    bobs = client_of(bob)
    assert '<span class="number">1</span>' in text_of(bobs, match.get_absolute_url())
    assert 'id="letters" href="/messages/" title="Messages">' in text_of(bobs, "/lobby/")
    assert f'href="/match/{match.slug}/chat/"' in text_of(bobs, "/messages/")
    text_of(bobs, f"/match/{match.slug}/chat/")
    assert 'id="letters" href="/messages/" title="Messages" hidden>' in text_of(bobs, "/lobby/")


def test_a_refusal_says_why_and_loses_nothing(match: Match, ann: User) -> None:
    text = "x" * 501
    answer = client_of(ann).post(f"/match/{match.slug}/chat/", {"room": "players", "text": text})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "at most 500 characters" in page
    assert text in page


def test_what_people_write_is_never_markup(match: Match, ann: User, bob: User) -> None:
    evil = "<script>alert(1)</script><b hx-get=/x>\"'&amp;{{ 7|add:7 }}"
    say(ann, match, evil)
    page = text_of(client_of(bob), f"/match/{match.slug}/chat/")
    assert "<script>alert" not in page
    assert "<b hx-get" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&lt;b hx-get=/x&gt;" in page
    assert "{{ 7|add:7 }}" in page


def test_earlier_messages_are_a_page_away(match: Match, ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.chat.services.PACE", ())
    said = [say(ann, match, f"number {number};") for number in range(50)]
    page = text_of(client_of(ann), f"/match/{match.slug}/chat/")
    assert "number 49;" in page
    assert "number 9;" not in page
    earlier = f"/match/{match.slug}/chat/?before={said[10].pk}"
    assert earlier.partition("/chat/")[2] in page
    assert "number 9;" in text_of(client_of(ann), earlier)


def test_a_strange_address_shows_the_latest(match: Match, ann: User, subtests: pytest.Subtests) -> None:
    say(ann, match, "Hello")
    for before in ["", "x", "-1", "9" * 40, "0" * 4400, "٣"]:
        with subtests.test(before):
            assert "Hello" in text_of(client_of(ann), f"/match/{match.slug}/chat/?before={before}")


def test_friends_write_to_each_other(ann: User, bob: User) -> None:
    befriend(ann, bob)
    assert 'href="/messages/with/bob/"' in text_of(client_of(ann), "/messages/")
    client_of(ann).post("/messages/with/bob/", {"room": "direct", "text": "Fancy a match?", "client_id": "one"})
    assert "Fancy a match?" in text_of(client_of(bob), "/messages/")
    assert "1 new" in text_of(client_of(bob), "/messages/")
    assert "Fancy a match?" in text_of(client_of(bob), "/messages/with/ann/")
    assert "1 new" not in text_of(client_of(bob), "/messages/")


def test_a_stranger_sees_no_conversation(ann: User, bob: User) -> None:
    befriend(ann, bob)
    write(ann, bob, "between us")
    eve = client_of(person("eve"))
    for name in ("ann", "bob", "nobody-at-all"):
        assert eve.get(f"/messages/with/{name}/").status_code == 404
        assert eve.post(f"/messages/with/{name}/", {"text": "me too"}).status_code == 404


@pytest.fixture
def gone(ann: User, bob: User) -> User:
    """Bob, who has written to his friend Ann before moderators closed his account."""
    befriend(ann, bob)
    write(bob, ann, "Buy my coins")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    return bob


def test_what_somebody_wrote_whose_account_is_closed_can_be_read_and_not_answered(ann: User, gone: User) -> None:
    anns, path = client_of(ann), "/messages/with/bob/"
    assert path in text_of(anns, "/messages/")
    page = text_of(anns, path)
    assert "Buy my coins" in page
    assert "This account is closed." in page
    assert 'name="text"' not in page
    assert 'id="letters" href="/messages/" title="Messages" hidden>' in text_of(anns, "/lobby/")
    answer = anns.post(path, {"room": "direct", "text": "No, thank you"})
    assert answer.status_code == 422
    assert "This account is closed." in answer.context["refusal"].why


def test_somebody_whose_account_is_closed_can_be_muted_and_read_again(ann: User, gone: User) -> None:
    anns, path = client_of(ann), "/messages/with/bob/mute/"
    assert anns.post(path, {"muted": "yes"})["Location"] == "/messages/"
    assert "Unmute bob" in text_of(anns, "/messages/")
    assert anns.post(path, {"muted": "no"})["Location"] == "/messages/"
    assert "Buy my coins" in text_of(anns, "/messages/with/bob/")


def test_who_was_muted_without_letters_can_be_read_again_after_their_account_was_closed(ann: User, bob: User) -> None:
    anns, path = client_of(ann), "/messages/with/bob/mute/"
    anns.post(path, {"muted": "yes"})
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert anns.post(path, {"muted": "no"}).status_code == 302
    assert "Unmute bob" not in text_of(anns, "/messages/")


def test_who_wrote_in_a_match_can_be_muted_there_after_their_account_was_closed(
    match: Match, ann: User, bob: User
) -> None:
    say(bob, match, "Buy my coins")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    anns, path = client_of(ann), f"/match/{match.slug}/chat/"
    assert "Mute bob" in text_of(anns, path)
    assert anns.post("/messages/with/bob/mute/", {"match": match.slug, "muted": "yes"})["Location"] == path
    assert "Buy my coins" not in text_of(anns, path)
    outsider = client_of(person("eve"))
    assert outsider.post("/messages/with/bob/mute/", {"muted": "yes"}).status_code == 404


def test_a_friend_whose_account_is_closed_is_not_offered_to_be_written_to(ann: User, bob: User) -> None:
    befriend(ann, bob)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    anns = client_of(ann)
    assert "/messages/with/bob/" not in text_of(anns, "/messages/")
    assert anns.get("/messages/with/bob/").status_code == 404


def test_strangers_learn_nothing_of_an_account_that_is_closed(gone: User) -> None:
    eves = client_of(person("eve"))
    assert eves.get("/messages/with/bob/").status_code == 404
    assert eves.post("/messages/with/bob/mute/", {"muted": "yes"}).status_code == 404
    assert eves.get("/@bob/").status_code == 404


def test_a_message_is_deleted_by_its_author_alone(match: Match, ann: User, bob: User) -> None:
    said = say(ann, match, "Oh no")
    assert client_of(bob).post(f"/messages/{said.pk}/delete/").status_code == 404
    assert client_of(ann).post(f"/messages/{said.pk}/delete/")["Location"] == f"/match/{match.slug}/chat/"
    assert "Oh no" not in text_of(client_of(bob), f"/match/{match.slug}/chat/")


@pytest.mark.parametrize("among_friends", [True, False])
def test_who_deletes_too_late_in_an_open_window_is_told_so_there(
    clock: Traveller, match: Match, ann: User, bob: User, among_friends: bool
) -> None:
    befriend(ann, bob)
    said = write(ann, bob, "Oh no") if among_friends else say(ann, match, "Oh no")
    anns = client_of(ann)
    clock.shift(180)
    answer = anns.post(f"/messages/{said.pk}/delete/", headers={"HX-Request": "true"})
    assert answer.status_code == 422
    panel = answer.content.decode()
    assert panel.startswith('<div class="chat-panel"')
    assert "only within two minutes" in panel
    assert "Oh no" in panel
    assert "only within two minutes" not in text_of(anns, "/lobby/")


def test_who_deletes_too_late_by_a_plain_form_is_told_so_on_the_page(clock: Traveller, match: Match, ann: User) -> None:
    said = say(ann, match, "Oh no")
    anns = client_of(ann)
    clock.shift(180)
    page = anns.post(f"/messages/{said.pk}/delete/", follow=True).content.decode()
    assert "only within two minutes" in page
    assert "Oh no" in page


def test_a_person_and_a_room_are_muted_by_forms(match: Match, ann: User, bob: User) -> None:
    said = say(ann, match, "Good morning")
    bobs, path = client_of(bob), f"/match/{match.slug}/chat/"
    assert "Mute ann" in text_of(bobs, path)
    assert bobs.post("/messages/with/ann/mute/", {"match": match.slug, "muted": "yes"})["Location"] == path
    assert "Good morning" not in text_of(bobs, path)
    assert "Unmute ann" in text_of(bobs, "/messages/")
    bobs.post("/messages/with/ann/mute/", {"muted": "no"})
    assert "Good morning" in text_of(bobs, path)
    bobs.post(f"/messages/room/{said.room_id}/mute/", {"muted": "yes"})
    assert "Unmute this chat" in text_of(bobs, path)


def test_nobody_mutes_a_room_that_they_cannot_read(match: Match, ann: User) -> None:
    said = say(ann, match, "Hello")
    assert client_of(person("eve")).post(f"/messages/room/{said.room_id}/mute/").status_code == 404


def test_one_chooses_who_may_write(ann: User) -> None:
    client = client_of(ann)
    client.post("/messages/open/", {"to": "friends"})
    assert openness(ann) == Openness.To.FRIENDS
    assert 'value="friends" checked' in text_of(client, "/messages/")
    client.post("/messages/open/", {"to": "everyone and their dog"})
    assert openness(ann) == Openness.To.FRIENDS


def test_messages_end_with_their_author_s_account_only_in_name(match: Match, ann: User, bob: User) -> None:
    say(ann, match, "Hello")
    Message.objects.update(author=None)
    assert "Hello" in text_of(client_of(bob), f"/match/{match.slug}/chat/")
