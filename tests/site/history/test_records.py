"""The record of a match as a file, its draws, and the proof that what is stored follows from its actions."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.test import Client

from games.engine import record
from games.engine.codec import encode
from games.engine.fair import FairChance, commitment
from games.engine.protocol import Seat as SeatNumber
from games.history.replay import draws_of
from games.play import commands
from games.play.access import ViewedMatch, viewed_by
from games.play.models import Action, Match
from games.play.reducer.positions import decode_state, legal_texts
from games.ratings.models import RatingChange
from tests.people import Kinds, act, client_of, person, play_on, play_out, running_match
from tests.site.ratings.finishing import resigned

pytestmark = pytest.mark.django_db


def _record(client: Client, match: Match) -> dict[str, Any]:
    response = client.get(f"/match/{match.slug}/record.json")
    assert response.status_code == 200
    return dict(json.loads(response.content))


def _table(match: Match) -> ViewedMatch:
    table = viewed_by(AnonymousUser(), match)
    assert table is not None
    return table


def _some_actions(match: Match, number: int = 12) -> None:
    play_on(match, number)


# --- the record ---------------------------------------------------------------------------------------------------


def test_the_record_of_a_finished_match_is_verified_by_the_engine(client: Client) -> None:
    match = play_out(running_match([person(), person(), person()], rated=True))
    response = client.get(f"/match/{match.slug}/record.json")
    read = record.read(response.content)
    assert record.verify(read, match.rules) is None
    assert [entry.seat for entry in read.ratings] == [0, 1, 2]
    assert sum(entry.after - entry.before for entry in read.ratings) == 0


def test_the_record_is_a_download_with_a_name_of_its_own(kinds: Kinds) -> None:
    response = client_of(kinds.seated).get(f"/match/{kinds.match.slug}/record.json")
    name = f"tessera-shifting-stones-{kinds.match.slug}.json"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"


def test_verify_record_accepts_the_download(client: Client, tmp_path: Path) -> None:
    match = resigned([person(), person()])
    file = tmp_path / "match.json"
    file.write_bytes(client.get(f"/match/{match.slug}/record.json").content)
    call_command("verify_record", str(file))
    file.write_text(file.read_text().replace('"resign"}', '"goal"}'))
    with pytest.raises((CommandError, SystemExit)):
        call_command("verify_record", str(file))


def test_the_record_holds_the_rating_changes_with_their_seats(client: Client) -> None:
    match = resigned([person(), person()])
    assert _record(client, match)["ratings"] == [
        {"seat": change.seat, "before": change.before, "after": change.after}
        for change in RatingChange.objects.filter(match=match).order_by("seat")
    ]


def test_withdrawn_actions_are_not_in_the_record(kinds: Kinds) -> None:
    act(kinds.match, next(text for text in legal_texts(kinds.match, 0) if text.startswith("flip")))
    commands.undo(kinds.match.pk, 0, kinds.match.version)
    assert _record(client_of(kinds.seated), kinds.match)["actions"] == []


def test_an_aborted_match_shows_its_seed_and_verifies(kinds: Kinds, client: Client) -> None:
    commands.offer_abort(kinds.match.pk, 0)
    read = record.read(client.get(f"/match/{kinds.match.slug}/record.json").content)
    assert read.is_aborted
    assert record.verify(read, kinds.match.rules) is None


# --- while the match runs -------------------------------------------------------------------------------------------


def test_while_it_runs_only_its_players_get_the_record(kinds: Kinds, client: Client) -> None:
    path = f"/match/{kinds.match.slug}/record.json"
    answers = [visitor.get(path).status_code for visitor in (client, client_of(kinds.stranger))]
    assert answers == [403, 403]
    assert [client_of(user).get(path).status_code for user in (kinds.seated, kinds.mate)] == [200, 200]


def test_while_it_runs_the_record_has_no_seed_and_no_outcome(kinds: Kinds) -> None:
    _some_actions(kinds.match)
    found = _record(client_of(kinds.seated), kinds.match)
    assert (found["server_seed"], found["outcome"], found["ratings"]) == (None, None, [])
    assert found["commit"] == kinds.match.commit
    assert len(found["actions"]) == 12


def test_while_it_runs_nothing_shows_the_seed(kinds: Kinds, client: Client) -> None:
    _some_actions(kinds.match)
    secret = bytes(kinds.match.server_seed).hex()
    for user in (kinds.seated, kinds.mate, kinds.stranger):
        for page in ("replay/", "record.json", "draws.json"):
            assert secret not in client_of(user).get(f"/match/{kinds.match.slug}/{page}").content.decode()
    assert client.get(f"/match/{kinds.match.slug}/draws.json").status_code == 404


def test_while_it_runs_the_record_does_not_depend_on_what_is_hidden(kinds: Kinds) -> None:
    """The same actions over another deal that looks the same: the file is the same, byte for byte."""
    _some_actions(kinds.match)
    client, rules = client_of(kinds.seated), kinds.match.rules
    before = client.get(f"/match/{kinds.match.slug}/record.json").content
    view = rules.view_for(decode_state(kinds.match), SeatNumber(0))
    other = encode(rules.imagine(view, FairChance(bytes(32), 0)))
    assert other != kinds.match.state
    Match.objects.filter(pk=kinds.match.pk).update(state=other)
    assert client.get(f"/match/{kinds.match.slug}/record.json").content == before


# --- the draws ----------------------------------------------------------------------------------------------------


def test_once_over_the_draws_are_open_to_everybody(client: Client) -> None:
    match = resigned([person(), person()], seed=bytes(range(32)))
    found = client.get(f"/match/{match.slug}/draws.json").json()
    assert found["commit"] == commitment(bytes(range(32)))
    assert found["server_seed"] == bytes(range(32)).hex()
    assert [(draw["label"], draw["kind"], draw["n"]) for draw in found["draws"]] == [
        ("0:deck", "shuffle", 72),
        ("0:tiles", "shuffle", 9),
        ("0:sides", "below", 2),
    ]


def test_the_draws_are_those_the_match_was_dealt_by() -> None:
    match = resigned([person(), person()])
    draws = {draw.label: draw for draw in draws_of(_table(match))}
    dealt = decode_state(match).hands
    assert [int(card) for card in draws["0:deck"].values[:8]] == [*dealt[0], *dealt[1]]


def test_reshuffles_are_among_the_draws(kinds: Kinds) -> None:
    match = play_out(kinds.match)
    labels = [draw.label for draw in draws_of(_table(match))]
    assert labels[3:] == [label for label in labels if re.fullmatch(r"\d+:reshuffle", label)]
    events = match.actions.values_list("events", flat=True)
    assert len(labels) - 3 == sum("reshuffled" in text for text in events)


# --- verify_matches -------------------------------------------------------------------------------------------------


@pytest.fixture
def begun(kinds: Kinds) -> Match:
    """A running match with some actions."""
    _some_actions(kinds.match)
    return kinds.match


@pytest.fixture
def stored(begun: Match) -> Match:
    """A running match with some actions, next to one resigned and one aborted."""
    resigned([person(), person()])
    commands.offer_abort(running_match([person(), person()]).pk, 0)
    return begun


def test_what_is_stored_follows_from_the_actions(stored: Match, capsys: pytest.CaptureFixture[str]) -> None:
    play_out(running_match([person(), person(), person()], rated=True))
    call_command("verify_matches")
    assert capsys.readouterr().out == "4 matches are as their actions say, 0 skipped.\n"
    call_command("verify_matches", stored.slug)
    assert "1 matches" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "change", "sentence"),
    [
        (Match, {"length": 11}, "length 11 is stored, there are 12 actions"),
        (Match, {"server_seed": bytes([9]) * 32}, "the commitment does not belong to the seed"),
        (Match, {"status": "over"}, "the match is stored as over, the outcome is None"),
        (Match, {"options": {"length": "long"}}, "There is no option"),
        (Action, {"text": "flip 99 a1"}, "is refused"),
        (Action, {"text": "end "}, "is refused"),
        (Action, {"events": "[]"}, "the stored events are not those of the replay"),
        (Action, {"withdrawn": True}, ""),
    ],
)
def test_verify_matches_names_the_first_difference(
    begun: Match, model: type[Match] | type[Action], change: dict[str, Any], sentence: str
) -> None:
    rows = Match.objects.filter(pk=begun.pk) if model is Match else Action.objects.filter(match=begun, number=5)
    rows.update(**change)
    with pytest.raises(CommandError, match=f"match {begun.slug}: .*{sentence}"):
        call_command("verify_matches")


def test_verify_matches_catches_a_changed_state(begun: Match) -> None:
    Match.objects.filter(pk=begun.pk).update(state=begun.state.replace('"round":', '"round":1'))
    with pytest.raises(CommandError, match="the stored state is not that of the replay"):
        call_command("verify_matches")


def test_verify_matches_catches_a_changed_result(stored: Match) -> None:
    over = Match.objects.filter(status=Match.Status.OVER, reason="resign").get()
    over.seats.filter(number=0).update(score=99)
    with pytest.raises(CommandError, match=f"match {over.slug}: the stored outcome is"):
        call_command("verify_matches")


def test_matches_of_other_rules_are_skipped(stored: Match, capsys: pytest.CaptureFixture[str]) -> None:
    Match.objects.filter(pk=stored.pk).update(rules_version=99, length=3)
    call_command("verify_matches")
    assert "2 matches are as their actions say, 1 skipped." in capsys.readouterr().out


def test_verify_matches_does_not_invent_matches() -> None:
    with pytest.raises(CommandError, match="No match that has begun: nosuchslug"):
        call_command("verify_matches", "nosuchslug")
