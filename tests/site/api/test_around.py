"""Messages, puzzles, people and leaderboards over the API."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from accounts import relations
from accounts.models import User
from accounts.moments import today
from games.api.models import Scope
from games.chat.models import Unread
from games.moderation import people as moderators
from games.play import commands
from games.play.models import Match
from games.puzzles import daily
from games.ratings.models import Rating
from games.titles import titles
from tests.people import person, running_match
from tests.site.api.programs import Program, refusal

pytestmark = pytest.mark.django_db


def told(answer: Any) -> Any:
    assert answer.status_code == 200, answer.content
    return msgspec.json.decode(answer.content)


def test_players_write_to_each_other(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    path = f"matches/{match.slug}/chat"
    one, other, stranger = Program.of(ann), Program.of(bob), Program.of(person())
    said = told(one.post(path, {"text": "Hi <b>", "client_id": "hello1"}))
    assert said == told(one.post(path, {"text": "Hi <b>", "client_id": "hello1"}))
    told(one.post(path, {"phrase": "good-luck"}))
    (room,) = other.get(path)["items"]
    assert room["room"] == "players"
    assert [(it["author"], it["text"], it["phrase"]) for it in room["items"]] == [
        ("ann", "Hi <b>", None),
        ("ann", "Good luck!", "good-luck"),
    ]
    assert Unread.objects.get(user=bob).count == 2
    assert other.post(f"{path}/read").status_code == 204
    assert not Unread.objects.filter(user=bob).exists()
    assert [it["room"] for it in stranger.get(path)["items"]] == ["watchers"]
    assert refusal(stranger.post(path, {"text": "Hi", "room": "players"})) == (404, "not-found")
    assert refusal(one.post(path, {"text": ""})) == (422, "empty")
    assert refusal(one.post(path, {"phrase": "nonsense"})) == (422, "no-such-phrase")
    assert refusal(Program().ask("GET", path)) == (401, "token")
    answers = [one.post(path, {"text": f"{number}"}) for number in range(8)]
    assert refusal(answers[-1]) == (429, "too-fast")
    assert msgspec.json.decode(answers[-1].content)["limit"]["seconds"] <= 20


def test_who_is_silenced_writes_nothing_over_the_api_either(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    program = Program.of(ann)
    moderators.silence(None, ann, None, "Because")
    assert refusal(program.post(f"matches/{match.slug}/chat", {"text": "Hi"})) == (422, "silenced")


def test_a_puzzle_is_asked_and_answered() -> None:
    game, title = next((slug, title) for slug, title in titles().items() if daily.puzzle_of(slug, today()))
    path = f"puzzles/{game}/{today()}"
    asked = Program().get(path)
    found = daily.puzzle_of(game, today())
    assert found is not None
    assert (asked["game"], asked["seat"], asked["mine"]) == (game, found.puzzle.seat, None)
    assert asked["view"] == msgspec.json.decode(msgspec.json.encode(found.view, order="deterministic"))
    program = Program.of(person())
    assert program.get(path)["mine"] == {"tries": [], "left": 3, "solved": False, "solution": None}
    assert refusal(program.post(f"{path}/tries", {"line": ["nonsense"]}))[0] == 422
    assert refusal(program.post(f"{path}/tries", {"line": []})) == (422, "invalid")
    if len(found.puzzle.solution) > 1:
        assert refusal(program.post(f"{path}/tries", {"line": [found.puzzle.solution[0]]})) == (422, "incomplete")
    mine = told(program.post(f"{path}/tries", {"line": list(found.puzzle.solution)}))
    assert (mine["solved"], mine["left"], mine["solution"]["best"]) == (True, 0, found.puzzle.best)
    assert program.get(path)["mine"] == mine
    solution = list(found.puzzle.solution)
    assert told(program.post(f"{path}/tries", {"line": solution})) == mine
    assert refusal(program.post(f"{path}/tries", {"line": [*solution, solution[0]]})) == (422, "puzzle-over")
    assert refusal(program.ask("GET", f"puzzles/{title.slug}/2001-01-01")) == (404, "not-found")
    assert refusal(program.ask("GET", f"puzzles/{title.slug}/today")) == (422, "invalid")


def test_people_and_their_matches_are_found(ann: User, bob: User) -> None:
    for visibility in (Match.Visibility.PUBLIC, Match.Visibility.PUBLIC, Match.Visibility.PRIVATE):
        match = running_match([ann, bob], visibility=visibility)
        commands.resign(match.pk, 0, "resignation")
    told_of_ann = Program().get("people/Ann")
    assert (told_of_ann["name"], told_of_ann["guest"], told_of_ann["here"]) == ("ann", False, None)
    assert len(Program.of(bob).get("people/ann/matches")["items"]) == 3
    assert len(Program.of(bob, Scope.PLAY).get("people/ann/matches")["items"]) == 2
    page = Program().get("people/ann/matches?limit=1")
    (last,) = Program().get(f"people/ann/matches?limit=1&after={page['next']}")["items"]
    assert last["slug"] != page["items"][0]["slug"]
    for path in ("people/nobody-here", "people/nobody-here/ratings", "people/ann/matches?game=chess"):
        assert refusal(Program().ask("GET", path)) == (404, "not-found")
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert refusal(Program().ask("GET", "people/ann")) == (404, "not-found")


def test_ratings_and_leaderboards(ann: User, bob: User) -> None:
    pool = {"game": "shifting-stones", "speed": "live", "games": 12, "opponents": 5, "met": 5}
    for number, user in enumerate((ann, bob)):
        Rating.objects.create(user=user, rating=1_500_000 + number * 1000, **pool)
    (rating,) = Program().get("people/ann/ratings")["items"]
    assert (rating["rating"], rating["matches"], rating["provisional"]) == (1500, 12, False)
    board = Program().get("leaderboards/shifting-stones/live")
    assert [(it["place"], it["name"]) for it in board["items"]] == [(1, "bob"), (2, "ann")]
    assert refusal(Program().ask("GET", "leaderboards/chess/live")) == (404, "not-found")
    assert refusal(Program().ask("GET", "leaderboards/shifting-stones/slow")) == (422, "invalid")
    assert refusal(Program().ask("GET", "leaderboards/shifting-stones/live?after=x")) == (422, "cursor")


def test_friends_are_listed_with_who_is_here(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    (friend,) = Program.of(ann).get("me/friends")["items"]
    assert (friend["name"], friend["here"]) == ("bob", False)
