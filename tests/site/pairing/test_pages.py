"""The pages of quick pairing as somebody without a script uses them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.pairing.models import Wait
from games.play.models import Match
from games.titles import games
from tests.people import client_of, person
from tests.site.pairing.waits import GAME, all_go, waiting, work

pytestmark = pytest.mark.django_db

FORM = {"game": GAME, "seats": ["2"], "speed": "live"}


def text_of(client: Client, path: str = "/pairing/") -> str:
    return client.get(path).content.decode()


def offer_of(wait: Wait) -> dict[str, str]:
    wait.refresh_from_db()
    return {"offer": str(wait.offer_id)}


@pytest.mark.parametrize("path", ["/", "/lobby/", "/pairing/"])
def test_there_is_a_button_for_every_game(path: str) -> None:
    for client in (Client(), client_of(person())):
        text = text_of(client, path)
        assert text.count(f'action="{reverse("pairing")}"') == len(games())


def test_two_people_find_each_other_with_forms_alone() -> None:
    ann, bob = client_of(person("ann")), client_of(person("bob"))
    for client in (ann, bob):
        assert client.post("/pairing/", FORM, follow=True).redirect_chain[-1][0] == "/pairing/"
    terms = "You play with 1 other person. Each of you has 5 min + 10 s per turn, 10 min at most. It does not count"
    for words in (terms, "<b>1</b> other person is waiting for the same", "Meanwhile, play against a bot"):
        assert words in text_of(ann)
    work()
    waits = {wait.user.username: wait for wait in Wait.objects.select_related("user")}
    assert "Your opponent is here" in text_of(ann)
    first = ann.post(f"/pairing/{waits['ann'].pk}/go/", offer_of(waits["ann"]), follow=True)
    assert "Waiting for the others to answer" in first.content.decode()
    last = bob.post(f"/pairing/{waits['bob'].pk}/go/", offer_of(waits["bob"]))
    match = Match.objects.get()
    assert last["Location"] == match.get_absolute_url()
    assert match.get_absolute_url() in text_of(ann)


@pytest.mark.parametrize("game", games())
def test_the_bot_meanwhile_plays_the_game_that_is_waited_for(game: str) -> None:
    client = client_of(person())
    client.post("/pairing/", {**FORM, "game": game})
    assert re.findall(r'<option value="([\w-]+)" selected>', text_of(client)) == [game]


@pytest.mark.parametrize("path", ["/", "/lobby/", "/pairing/"])
def test_each_game_says_how_many_others_wait_for_it(path: str) -> None:
    ann, bob, cid = person(), person(), person()
    for user in (ann, bob):
        waiting(user)
    waiting(ann, speed="days")
    waiting(cid, game="small-islands")
    Wait.objects.get(user=cid).end(Wait.State.WITHDRAWN)
    numbers = {user: re.findall(r'pairing-others">([^<]*)<', text_of(client_of(user), path)) for user in (ann, cid)}
    assert numbers == {ann: ["1 person is waiting"], cid: ["2 people are waiting"]}
    assert "2 people are waiting" in text_of(Client(), path)


def test_a_visitor_waits_as_a_guest() -> None:
    client = Client()
    client.post("/pairing/", FORM)
    wait = Wait.objects.select_related("user").get()
    assert wait.user.guest
    assert not wait.rated
    assert User.objects.count() == 1


def test_declining_with_a_form() -> None:
    ann = person()
    wait = waiting(ann)
    waiting(person())
    work()
    text = client_of(ann).post(f"/pairing/{wait.pk}/decline/", offer_of(wait), follow=True).content.decode()
    assert re.search(r"The next offer comes in (59|60) seconds at the earliest", text)


def test_stopping_with_a_form() -> None:
    ann = person()
    wait = waiting(ann)
    client_of(ann).post(f"/pairing/{wait.pk}/stop/")
    wait.refresh_from_db()
    assert wait.state == Wait.State.WITHDRAWN


def test_what_was_chosen_is_chosen_again() -> None:
    client = client_of(person())
    assert "2 players\xa0· live\xa0· rated" in text_of(client, "/lobby/")
    client.post("/pairing/", {**FORM, "seats": ["3", "4"], "speed": "days"})
    assert "3 or 4 players\xa0· over\xa0days\xa0· casual" in text_of(client, "/lobby/")


@pytest.mark.parametrize(
    "form",
    [{}, {"game": "nothing"}, {"game": GAME}, {**FORM, "seats": ["9"]}, {**FORM, "speed": "x"}, {**FORM, "seats": []}],
)
def test_bad_input_gets_a_sentence(form: dict[str, object]) -> None:
    answer = client_of(person()).post("/pairing/", form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not Wait.objects.exists()


@pytest.mark.parametrize("offer", ["", "x", "-1", "99999999999999999999", "٣"])
def test_nonsense_answers_nothing(offer: str) -> None:
    wait = waiting(person())
    for what in ("go", "decline"):
        assert client_of(wait.user).post(f"/pairing/{wait.pk}/{what}/", {"offer": offer}).status_code == 302
    assert client_of(wait.user).post(f"/pairing/{wait.pk}/go/", {"nonce": "zz"}).status_code == 422


def test_every_other_page_has_a_bar_while_one_waits_and_none_otherwise() -> None:
    ann = person()
    client = client_of(ann)
    assert "pairing-bar" not in text_of(client, "/archive/")
    wait = waiting(ann)
    assert "Looking for players: Shifting Stones" in text_of(client, "/archive/")
    assert "pairing-bar" not in text_of(client)
    waiting(person())
    work()
    bar = client.get("/pairing/now/?bar").content.decode()
    assert "Your opponent is here: Shifting Stones" in bar
    assert f"/pairing/{wait.pk}/go/" in bar


def test_loading_the_page_again_is_being_there() -> None:
    ann = person()
    wait = waiting(ann)
    Wait.objects.update(seen_at=timezone.now() - timedelta(seconds=29))
    client_of(ann).get("/pairing/")
    wait.refresh_from_db()
    assert wait.seen_at > timezone.now() - timedelta(seconds=10)


@pytest.mark.parametrize(
    ("why", "words"),
    [("away", "Every page was closed"), ("late", "did not answer in time"), ("declined", "declined twice")],
)
def test_the_page_says_why_one_has_stopped_waiting(why: str, words: str) -> None:
    ann = person()
    wait = waiting(ann)
    wait.end(Wait.State.WITHDRAWN, why=why)
    assert words in text_of(client_of(ann))


def test_the_page_says_when_the_match_has_begun() -> None:
    waits = waiting(person(), seats=(2,)), waiting(person())
    work()
    all_go(*waits)
    assert "Your match has begun: Shifting Stones" in text_of(client_of(waits[0].user))


def test_in_german() -> None:
    ann = person()
    waiting(ann)
    client = client_of(ann)
    text = client.get("/pairing/", headers={"Accept-Language": "de"}).content.decode()
    assert "Suche Mitspielende: " in text
    assert "Noch wartet niemand sonst auf dasselbe." in text
