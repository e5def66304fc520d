"""What the pages of a match answer to requests, with htmx and without."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.play.models import Match
from games.play.reducer import positions
from tests.people import Kinds, act, client_of, running_match

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def fields(match: Match, **chosen: str) -> dict[str, str]:
    match.refresh_from_db()
    return {"version": str(match.version), "client_id": "a-request-of-mine", **chosen}


def flip(match: Match) -> str:
    return next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))


def test_a_move_by_htmx_is_answered_with_the_new_board(kinds: Kinds) -> None:
    answer = client_of(kinds.seated).post(
        f"/match/{kinds.match.slug}/act/", fields(kinds.match, action=flip(kinds.match)), headers=HTMX
    )
    kinds.match.refresh_from_db()
    assert (answer.status_code, answer["X-Match-Version"]) == (200, str(kinds.match.version))
    assert answer.content.startswith(b'<section id="match"')
    assert kinds.match.length == 1


def test_the_answer_is_markup_and_not_its_text(kinds: Kinds) -> None:
    page = client_of(kinds.seated).get(f"/match/{kinds.match.slug}/").content
    assert b'<li class="player' in page
    assert b"&lt;li" not in page


def test_a_move_without_a_script_leads_back_to_the_match(kinds: Kinds) -> None:
    verb, card, cell = flip(kinds.match).split()
    chosen = {"verb": verb, "card": card, "cell": cell}
    answer = client_of(kinds.seated).post(f"/match/{kinds.match.slug}/act/", fields(kinds.match, **chosen))
    assert (answer.status_code, answer["Location"]) == (302, kinds.match.get_absolute_url())


def test_an_incomplete_choice_says_what_is_missing_and_loses_nothing(kinds: Kinds) -> None:
    chosen = fields(kinds.match, verb="flip")
    answer = client_of(kinds.seated).post(f"/match/{kinds.match.slug}/act/", chosen, headers=HTMX)
    assert answer.status_code == 422
    assert b'role="alert"' in answer.content
    kinds.match.refresh_from_db()
    assert kinds.match.length == 0


@pytest.mark.parametrize("headers", [HTMX, {}], ids=["htmx", "no script"])
def test_ending_a_turn_on_which_nothing_was_done_is_asked_first(kinds: Kinds, headers: dict[str, str]) -> None:
    client, address = client_of(kinds.seated), f"/match/{kinds.match.slug}/act/"
    for _ in range(2):  # pressing the same button again is no answer
        asked = client.post(address, fields(kinds.match, verb="end"), headers=headers)
        page = asked.content.decode()
        kinds.match.refresh_from_db()
        assert (asked.status_code, kinds.match.length) == (422, 0)
        assert 'form="act" id="sure" name="action" value="end"' in page
    assert client.post(address, fields(kinds.match, action="end"), headers=headers).status_code == (
        200 if headers else 302
    )
    kinds.match.refresh_from_db()
    assert kinds.match.length == 1


def test_a_turn_is_skipped_without_a_question(kinds: Kinds) -> None:
    address = f"/match/{kinds.match.slug}/act/"
    assert client_of(kinds.seated).post(address, fields(kinds.match, verb="skip"), headers=HTMX).status_code == 200
    kinds.match.refresh_from_db()
    assert kinds.match.length == 1


def test_nothing_is_asked_once_something_was_done_or_when_it_is_refused_anyway(kinds: Kinds) -> None:
    address = f"/match/{kinds.match.slug}/act/"
    other = client_of(kinds.mate).post(address, fields(kinds.match, verb="end"), headers=HTMX)
    stale = client_of(kinds.seated).post(address, fields(kinds.match, verb="end", version="0"), headers=HTMX)
    act(kinds.match, flip(kinds.match))
    done = client_of(kinds.seated).post(address, fields(kinds.match, verb="end"), headers=HTMX)
    assert [answer.status_code for answer in (other, stale, done)] == [422, 409, 200]
    assert not any(b'id="sure"' in answer.content for answer in (other, stale, done))


def test_a_refusal_speaks_the_readers_language(kinds: Kinds) -> None:
    User.objects.filter(pk=kinds.seated.pk).update(language="de")
    chosen = fields(kinds.match, action="shift 1 a1 c3")
    answer = client_of(kinds.seated).post(f"/match/{kinds.match.slug}/act/", chosen, headers=HTMX)
    assert "Karte" in answer.content.decode()
    assert "is not in your hand" not in answer.content.decode()


def test_a_stale_page_gets_the_current_board(kinds: Kinds) -> None:
    stale = fields(kinds.match, action="end")
    act(kinds.match, flip(kinds.match))
    answer = client_of(kinds.seated).post(f"/match/{kinds.match.slug}/act/", stale, headers=HTMX)
    assert (answer.status_code, answer["X-Match-Version"]) == (409, str(kinds.match.version))


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 30, "1.0", "²"])
def test_a_request_that_does_not_say_what_was_seen_is_stale(kinds: Kinds, version: str) -> None:
    chosen = {**fields(kinds.match, action="end"), "version": version}
    answer = client_of(kinds.seated).post(f"/match/{kinds.match.slug}/act/", chosen, headers=HTMX)
    assert answer.status_code == 409


@pytest.mark.parametrize("address", ["act", "undo", "restart", "abort", "resign"])
def test_a_stranger_finds_no_seat_to_act_from(kinds: Kinds, address: str) -> None:
    answer = client_of(kinds.stranger).post(f"/match/{kinds.match.slug}/{address}/", fields(kinds.match, action="end"))
    assert answer.status_code == 404
    kinds.match.refresh_from_db()
    assert (kinds.match.length, kinds.match.is_running) == (0, True)


def test_undo_is_offered_only_to_who_acted_last(kinds: Kinds) -> None:
    act(kinds.match, flip(kinds.match))
    address = f"/match/{kinds.match.slug}/"
    assert b'id="undo"' in client_of(kinds.seated).get(address).content
    assert b'id="undo"' not in client_of(kinds.mate).get(address).content


def test_resigning_asks_first(kinds: Kinds) -> None:
    address = f"/match/{kinds.match.slug}/resign/"
    client = client_of(kinds.seated)
    assert b'id="resign"' in client.get(address).content
    kinds.match.refresh_from_db()
    assert kinds.match.is_running
    client.post(address, fields(kinds.match))
    kinds.match.refresh_from_db()
    assert kinds.match.is_over


def test_the_commitment_is_shown_from_the_start(kinds: Kinds) -> None:
    page = client_of(kinds.mate).get(f"/match/{kinds.match.slug}/").content.decode()
    assert kinds.match.commit in page


def test_the_log_is_paged_from_the_latest(kinds: Kinds) -> None:
    for _ in range(3):
        act(kinds.match, "end")
    page = client_of(kinds.mate).get(f"/match/{kinds.match.slug}/log/?before=2").content.decode()
    assert "?at=1" in page
    assert "?at=3" not in page


def test_whoever_is_to_move_is_told_what_a_choice_would_bring(ann: User, bob: User) -> None:
    match = running_match([ann, bob], game="small-islands", seed=bytes(32))
    while not (legal := [text for text in positions.legal_texts(match, 0) if text.startswith("explore")]):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        act(match, positions.legal_texts(match, seat)[0], seat)
    _verb, slot, tile, cell, turn = legal[0].split()
    chosen = {"verb": "place", "slot": f"{slot}:{tile}", "tile": tile, "cell": cell, "turn": turn}
    address = f"/match/{match.slug}/preview/"
    assert client_of(ann).get(address, chosen).content.startswith(b"With this tile: ")
    assert client_of(ann).get(address, chosen | {"cell": ""}).content == b""
    assert client_of(bob).get(address, chosen).content == b"", "it is not his turn"


@pytest.mark.parametrize("before", ["", "x", "-3", "9" * 40, "²"])
def test_a_log_page_with_a_bad_number_is_the_newest(kinds: Kinds, before: str) -> None:
    act(kinds.match, "end")
    answer = client_of(kinds.mate).get(f"/match/{kinds.match.slug}/log/", {"before": before})
    assert (answer.status_code, b"?at=1" in answer.content) == (200, True)


def test_rules_of_a_game_that_does_not_exist_are_not_found(kinds: Kinds) -> None:
    assert client_of(kinds.mate).get("/rules/chess/").status_code == 404
    assert client_of(kinds.mate).get("/rules/shifting-stones/").status_code == 200


def test_pages_are_compressed_and_fragments_are_not(kinds: Kinds) -> None:
    client = client_of(kinds.seated)
    headers = {"Accept-Encoding": "gzip"}
    page = client.get(f"/match/{kinds.match.slug}/", headers=headers)
    assert page["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in page["Vary"]
    chosen = fields(kinds.match, action=flip(kinds.match))
    answer = client.post(f"/match/{kinds.match.slug}/act/", chosen, headers={**headers, **HTMX})
    assert (answer.status_code, "Content-Encoding" in answer) == (200, False)
    for secret in ("/settings/", "/settings/security/", "/settings/notices/"):
        assert "Content-Encoding" not in client.get(secret, headers=headers)
