"""Reviews of finished matches: begun when these end, made in small steps when no bot is to move, kept, repeatable."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.bots.worker import Thinker
from games.engine.dice import Dice
from games.play import commands, jobs as play_jobs
from games.play.models import Match
from games.play.records import plays
from games.review import jobs, services
from games.review.judge import LEAST, WHOLE, decisions, judged, steps_of
from games.review.models import Review
from games.titles import games
from tests.people import act, client_of, person, play_on, play_out, running_match
from tests.site.bots.test_turns import against_bots

pytestmark = pytest.mark.django_db

SEED = bytes(range(32))


def clever(match: Match, texts: Any) -> str:
    """Score if possible, else do anything at all, so that there is something to criticise."""
    scoring = [text for text in texts if text.startswith("score")]
    return str(scoring[0] if scoring else texts[match.length % len(texts)])


def finished(game: str = "shifting-stones", seats: int = 2, actions: int = 24, **more: Any) -> tuple[Match, list[Any]]:
    """Return a match in which some actions were played before everybody but one resigned, and its players."""
    players = [person() for _ in range(seats)]
    match = play_on(running_match(players, game=game, seed=SEED, **more), actions, clever)
    for seat in range(seats):
        if match.is_running:
            commands.resign(match.pk, seat, f"resign {seat}")
            match.refresh_from_db()
    return match, players


def url(match: Match) -> str:
    return reverse("review", args=[match.slug])


def from_before(match: Match) -> Match:
    """Return a match as one that ended before reviews began by themselves."""
    Review.objects.filter(match=match).delete()
    return match


_made: dict[bytes, dict[str, Any]] = {}
"""What was found of each record: another match with the same one gets the same review, as a test below shows."""


def reviewed(match: Match) -> Review:
    """Let the review of a match be made unless it is known."""
    review = Review.objects.get(match=match)
    record = record_of(match)
    Review.objects.filter(pk=review.pk).update(**_made.get(record, {}))
    for _ in range(500):
        if not jobs.go_on(review.pk, seconds=60):
            break
    review.refresh_from_db()
    assert review.is_done
    _made[record] = {name: getattr(review, name) for name in ("done", "steps", "chances", "changes", "weighed")}
    return review


def record_of(match: Match) -> bytes:
    """Return what the dice of a review are seeded with."""
    seats = tuple(match.seats.order_by("number"))
    return jobs.judge_of(match, seats, list(plays(match, seats))).seed


@pytest.mark.parametrize(
    ("game", "seats", "actions"),
    [("shifting-stones", 2, 30), ("shifting-stones", 1, 16), ("card-chess", 3, 9), ("small-islands", 2, 16)],
)
def test_a_finished_match_is_reviewed(game: str, seats: int, actions: int) -> None:
    match, players = finished(game, seats, actions)
    client = client_of(players[0])
    review = reviewed(match)
    assert len(review.chances) == len(review.changes) == match.length  # the last one resigned
    for chances in review.chances:
        assert len(chances) == seats
        assert seats == 1 or sum(chances) == WHOLE
    page = client.get(url(match)).content.decode()
    assert page.count('class="review-curve"') == 2 * seats
    assert page.count('<th scope="row"><a href') == match.length
    assert "The match is judged up to there." in page
    assert f">{'Chance of winning' if seats < 3 else 'Chances of coming first'}, in percent<" in page
    if (game, seats) == ("shifting-stones", 2):
        ahead = [(number, own) for number, (own, _) in enumerate(review.chances) if 2 * own >= WHOLE and number]
        told = client.get(match.get_absolute_url()).content.decode()
        number, own = ahead[-1]
        assert 0.5 * match.length <= number < 0.75 * match.length
        percent = round(100 * own / WHOLE)
        assert f"More than halfway through, your chance of winning was still {percent} %." in told


def test_the_moments_that_mattered_lead_to_their_positions() -> None:
    match, players = finished(actions=30)
    client = client_of(players[0])
    review = reviewed(match)
    assert len(review.weighed) > 0
    moments = client.get(url(match)).context["found"].moments
    assert len(moments) > 0
    own = [moment.seat == 0 for moment in moments]
    assert own == sorted(own, reverse=True), "the reader’s own come first"
    for moment in moments:
        assert moment.played.plan != moment.better.plan
        before = client.get(url(match), {"at": moment.begun, "seat": moment.seat}, headers=HTMX)
        assert before.context["replay"].number == moment.begun
        boards = {before.content}
        for way in ("played", "better"):
            part = client.get(url(match), {"moment": moment.last, "way": way}, headers=HTMX)
            assert part.content.decode().lstrip().startswith('<section class="replay"')
            boards.add(part.content)
        assert len(boards) == 3
    assert client.get(url(match), {"moment": 10**6}).status_code == 404
    game = games()["shifting-stones"]
    for each in review.weighed:
        assert each["cost"] >= 0
        assert all(game.notate(game.parse(text)) == text for text in each["better"])


HTMX = {"HX-Request": "true"}


def test_each_player_is_told_what_cost_most_and_of_little_things_only_some() -> None:
    match, players = finished(actions=30)
    review, client = reviewed(match), client_of(players[0])
    for points, most in ((0, 0), (2, 2), (4, 5), (10, 100)):
        told(review, cost=points * WHOLE // 100)
        seats = [moment.seat for moment in client.get(url(match)).context["found"].moments]
        for seat in range(2):
            told_of = min(most, sum(each["seat"] == seat for each in review.weighed))
            assert seats.count(seat) == told_of, f"{points} points"


def test_the_chart_joins_the_chances_after_whole_turns() -> None:
    match, players = finished(actions=30)
    client = client_of(players[0])
    review = reviewed(match)
    (curve, _other) = client.get(url(match)).context["found"].chart.curves
    assert 2 < len(curve.path.split("L")) < len(review.chances)


def told(review: Review, **more: Any) -> None:
    """Let everything that was weighed have cost half of all chances, so that it is shown."""
    weighed = [{**each, "cost": WHOLE // 2, **more} for each in review.weighed]
    Review.objects.filter(pk=review.pk).update(weighed=weighed)


def told_to_land_again(review: Review) -> int:
    """Return how many decisions should have been to land, like the same seat's decision before."""
    in_order = sorted(review.weighed, key=lambda each: each["last"])
    own = [[each["better"][0].startswith("land") for each in in_order if each["seat"] == seat] for seat in range(2)]
    return sum(earlier and later for landings in own for earlier, later in pairwise(landings))


@pytest.mark.parametrize(("game", "actions"), [("card-chess", 16), ("shifting-stones", 30), ("small-islands", 16)])
def test_what_was_played_and_what_was_better_are_told_in_words(game: str, actions: int) -> None:
    match, players = finished(game, actions=actions)
    client = client_of(players[0])
    review = reviewed(match)
    told(review)
    page = client.get(url(match))
    moments, shown = page.context["found"].moments, unescape(page.content.decode())
    played = judged(list(plays(match, tuple(match.seats.order_by("number")))))
    decided = decisions(played, takes_turns=game == "shifting-stones")
    again = told_to_land_again(review)
    assert bool(again) == (game == "small-islands")
    assert len(moments) == len(review.weighed) - again, "what could be said at several turns in a row is said once"
    assert len(review.weighed) >= min(LEAST, len(decided))
    notations = {text for each in review.weighed for key in ("played", "better") for text in each[key]}
    for moment in moments:
        advice = f"To {moment.name}: “{moment.why}”"
        assert moment.why in shown
        assert (advice in shown) == bool(moment.why and not moment.mine), "sentences that say “you” tell others who"
        for way in (moment.played, moment.better):
            assert way.words.endswith("."), way
            assert not any(text in way.words for text in notations if " " in text), way
            assert way.pictures or all(text in {"end", "skip", "settle"} for text in way.plan)


def test_of_what_somebody_else_could_have_done_nothing_is_said_but_what_changed() -> None:
    match, players = finished(actions=30)
    told(reviewed(match))
    for reader in (players[0], person()):
        page = client_of(reader).get(url(match))
        for moment in page.context["found"].moments:
            page = client_of(reader).get(f"{url(match)}?moment={moment.last}&way=better")
            assert page.context["replay"].caption == ""


def test_a_moment_is_tried_again_and_the_others_answer() -> None:
    for game, actions in (("shifting-stones", 30), ("card-chess", 16)):
        match, players = finished(game, actions=actions)
        client = client_of(players[0])
        review = reviewed(match)
        told(review)
        moment = client.get(url(match)).context["found"].moments[0]
        address = f"{reverse('review_exercise', args=[match.slug])}?moment={moment.last}"
        start = client.get(address)
        assert 'form id="act"' in start.content.decode()
        assert client.post(address, {"action": "nonsense"}).status_code == 422
        line = ""
        for play in (play for play in moment.played.plays if play.seat == moment.seat):
            done = client.post(address, {"action": play.text, "line": line})
            assert done.status_code == 302
            page = client.get(done["Location"], headers=HTMX)
            line = page.context["exercise"].line
        exercise = page.context["exercise"]
        assert exercise.is_over
        assert exercise.answers
        assert all(play.seat != moment.seat for play in exercise.answers)
        labels, chances, _pictures, words = zip(*exercise.compared, strict=True)
        assert labels == ("Your try", "Played", "Better")
        assert words[0] == words[1]
        assert chances[0] == chances[1]
        assert 'form id="act"' not in page.content.decode()
        assert ">Chance of winning, in percent<" in page.content.decode()


def test_who_sees_a_review_may_try_its_moments_and_nobody_else(client: Client) -> None:
    match, owners = finished(actions=12, visibility=Match.Visibility.PRIVATE)
    review = reviewed(match)
    told(review)
    address = f"{reverse('review_exercise', args=[match.slug])}?moment={review.weighed[0]['last']}"
    assert [client_of(reader).get(address).status_code for reader in (*owners, person())] == [200, 200, 404]
    assert client.get(address).status_code == 404
    Review.objects.update(judgement=1)
    assert client_of(owners[0]).get(address).status_code == 404


def test_a_secret_play_is_told_card_by_card() -> None:
    match, players = finished("card-chess", actions=8)
    client = client_of(players[0])
    review = reviewed(match)
    told(review, better=review.weighed[0]["played"], **{key: review.weighed[0][key] for key in WHICH})
    moment = client.get(url(match)).context["found"].moments[0]
    assert moment.played.words == moment.better.words
    card = r"(blue|green) [^:.]*"
    assert re.match(rf"Pile 1, {card}: {card}\. Pile 2, {card}: {card}\.", moment.played.words), moment.played.words


WHICH = ("seat", "begun", "last", "after", "played")


@pytest.mark.parametrize(("game", "actions"), [("shifting-stones", 30), ("card-chess", 16)])
def test_the_same_record_gives_the_same_review(game: str, actions: int) -> None:
    """In many small steps and in one go."""
    match, players = finished(game, actions=actions)
    first = reviewed(match)
    found = json.dumps([first.chances, first.changes, first.weighed])
    client_of(players[1]).post(url(from_before(match)))
    again = Review.objects.get(match=match)
    steps = 0
    while jobs.go_on(again.pk, seconds=0):
        steps += 1
    again.refresh_from_db()
    assert steps == again.steps == len(again.chances) + len(again.weighed)
    assert json.dumps([again.chances, again.changes, again.weighed]) == found


def test_what_the_chances_are_made_of_is_shown_and_adds_up() -> None:
    match, players = finished("card-chess", seats=3, actions=9)
    client = client_of(players[0])
    review = reviewed(match)
    found = client.get(url(match)).context["found"]
    parts = found.parts
    assert len(parts) == 6
    for seat, sentence in enumerate(found.luck):
        points = round(sum(change.luck[seat] for change in review.found_changes) / 100)
        assert f"lucky ({f'{points:+d}'.replace('-', '−') if points else '0'} %)" in sentence
    for seat, column in enumerate(zip(*(values for _label, values in parts), strict=True)):
        numbers = [int(text.replace("−", "-")) for text in column]
        assert sum(numbers[:-1]) == numbers[-1] == round(review.chances[-1][seat] / 100)


def test_whoever_had_more_bad_luck_than_all_that_chances_hold_was_unlucky() -> None:
    match, players = finished(actions=3)
    review = reviewed(match)
    review.changes = [[[-6_000, 6_000], []], [[-7_000, 7_000], []], *review.changes[2:]]
    review.save()
    name, other = (player.username for player in players)
    for reader, expected in (
        (players[0], ["You were unlucky", f"{other} was lucky"]),
        (players[1], [f"{name} was unlucky", "You were lucky"]),
        (person(), [f"{name} was unlucky", f"{other} was lucky"]),
    ):
        page = client_of(reader).get(url(match))
        assert [sentence.partition(" (")[0] for sentence in page.context["found"].luck] == expected


def test_a_review_calls_its_reader_you() -> None:
    match, players = finished(actions=30)
    told(reviewed(match))
    names = [player.username for player in players]
    for reader, expected in ((players[0], ["You", names[1]]), (players[1], [names[0], "You"]), (person(), names)):
        found = client_of(reader).get(url(match)).context["found"]
        assert found.names == expected
        assert {(moment.seat, moment.name) for moment in found.moments} == set(enumerate(expected))
        assert {name for _number, name, _chances in found.rows} == {"", *expected}


def test_the_board_of_a_moment_calls_its_player_you_only_if_it_is_the_reader() -> None:
    match, players = finished("card-chess", actions=8)
    told(reviewed(match))
    client = client_of(players[0])
    moments = client.get(url(match)).context["found"].moments
    assert {moment.mine for moment in moments} == {True, False}
    for moment in moments:
        for way in ("played", "better"):
            page = client.get(f"{url(match)}?moment={moment.last}&way={way}")
            assert (">You<" in page.context["replay"].shown.html) == moment.mine, (moment.last, way)


def test_a_review_begins_when_its_match_ends_and_its_page_shows_how_it_grows(client: Client) -> None:
    match, _ = finished(actions=10)
    page = client.get(url(match)).content.decode()
    assert f'<progress class="review-progress" max="{steps_of(match.length)}" value="0"' in page
    assert 'hx-trigger="every 1s"' in page
    assert 'id="ask-review"' not in page
    jobs.go_on(Review.objects.get(match=match).pk, seconds=0)
    part = client.get(url(match), headers=HTMX).content.decode()
    assert 'hx-trigger="every 1s"' in part
    assert part.count('class="review-curve"') == 4, "the chart grows"
    reviewed(match)
    part = client.get(url(match), headers=HTMX).content.decode()
    assert part.lstrip().startswith('<div class="review-found" id="review"')
    assert "hx-trigger" not in part


def test_the_match_of_a_guest_is_reviewed_too() -> None:
    guest = person(guest=True)
    match = running_match([guest, person()])
    commands.resign(match.pk, 1, "resign 1")
    assert Review.objects.filter(match=match, asked_by=None).exists()


def test_an_aborted_match_is_not_reviewed() -> None:
    match = running_match([person(), person()])
    act(match, "end")
    for seat in range(2):
        commands.offer_abort(match.pk, seat, client_id=f"offer to abort {seat}")
    match.refresh_from_db()
    assert match.status == Match.Status.ABORTED
    assert not Review.objects.exists()


def test_while_too_many_wait_none_begins_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_WAITING", 1)
    (first, _), (second, players) = finished(actions=2), finished(actions=2)
    assert [review.match for review in Review.objects.all()] == [first]
    client = client_of(players[0])
    assert 'id="ask-review"' in client.get(url(second)).content.decode()
    assert client.post(url(second)).status_code == 302
    assert Review.objects.count() == 2


def test_bots_think_first_and_make_reviews_when_none_is_to_move() -> None:
    match, players = finished(actions=2)
    running = against_bots(players[:1])
    thinker, review = Thinker(), Review.objects.filter(match=match)
    while running.seats.filter(bot="novice", to_move=False).exists():
        act(running, "end", 0)
    assert thinker.step()
    assert review.get().done == 0
    thinker.give_back()
    commands.resign(running.pk, 0, "resign 0")
    other = Thinker()
    while other.step():
        pass
    assert review.get().is_done


def test_two_processes_make_two_reviews_those_of_live_matches_first() -> None:
    (slow, _), (live, _) = finished(speed="days"), finished()
    asked, players = finished()
    client_of(players[0]).post(url(from_before(asked)))
    first, second, third = jobs.Reviews(), jobs.Reviews(), jobs.Reviews()
    for process in (first, second, third):
        assert process.go_on(think=lambda _work: None)  # which dies before it has taken a step
    begun = {process: Review.objects.get(pk=process._own or 0).match for process in (first, second, third)}
    assert begun == {first: asked, second: live, third: slow}
    assert not jobs.Reviews().go_on(), "each is in the hands of another process"
    Review.objects.update(taken_until=timezone.now() - timedelta(seconds=1))
    assert jobs.Reviews().go_on(), "which may have died"


def test_a_step_that_another_process_has_stored_is_not_stored_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = finished(actions=6)
    review = Review.objects.get(match=match)
    step = jobs._Work.step

    def meanwhile(work: Any) -> None:
        step(work)
        Review.objects.filter(pk=review.pk).update(done=3, chances=[[5000, 5000]] * 3)

    monkeypatch.setattr(jobs._Work, "step", meanwhile)
    jobs.go_on(review.pk, seconds=0)
    review.refresh_from_db()
    assert (review.done, len(review.chances)) == (3, 3)


@pytest.mark.parametrize("game", ["shifting-stones", "card-chess"])
def test_what_was_hidden_from_a_seat_does_not_change_how_it_is_judged(game: str) -> None:
    """The judge is given another state that its seat cannot tell from the true one."""
    match, _ = finished(game, actions=12)
    seats = tuple(match.seats.order_by("number"))
    played = list(plays(match, seats))
    judge = jobs.judge_of(match, seats, played)
    rules = match.rules
    for play in played[3:9]:
        seat = min(play.to_move)
        other = rules.imagine(rules.view_for(play.state, seat), Dice(99))
        twin = replace(play, position=replace(play.position, state=other))
        action = next(iter(rules.legal_actions(play.state, seat)))
        assert judge.weigh(twin, seat, (action,)) == judge.weigh(play, seat, (action,))


def test_actions_of_one_turn_are_one_decision() -> None:
    match, _ = finished(actions=24)
    seats = tuple(match.seats.order_by("number"))
    played = list(plays(match, seats))
    turns = decisions(played, takes_turns=True)
    assert [each for turn in turns for each in range(turn.first, turn.last + 1)] == list(range(1, match.length))
    assert all(len({played[number].seat for number in range(turn.first, turn.last + 1)}) == 1 for turn in turns)
    assert len(decisions(played, takes_turns=False)) == match.length - 1


def test_a_secret_decision_comes_to_something_when_its_turn_opens() -> None:
    match, _ = finished("card-chess", seats=3, actions=8)  # two turns, two actions of the third, two who resign
    played = list(plays(match, tuple(match.seats.order_by("number"))))
    assert [(each.first, each.after) for each in decisions(played, takes_turns=False)] == [
        *((number, 3) for number in (1, 2, 3)),
        *((number, 6) for number in (4, 5, 6)),
    ]


def test_chances_stay_as_they_are_until_a_secret_turn_ends() -> None:
    match, _players = finished("card-chess", seats=3, actions=9)
    review = reviewed(match)
    for turn in (0, 3, 6):
        assert review.chances[turn] == review.chances[turn + 1] == review.chances[turn + 2]
    acted = [len(change.moves) for change in review.found_changes]
    assert acted[:10] == [0, 0, 0, 3, 0, 0, 3, 0, 0, 3]


def test_who_leaves_is_said_and_the_match_goes_on_to_be_judged_for_the_others() -> None:
    match, players = finished("small-islands", seats=3, actions=12)
    review = reviewed(match)
    found = client_of(players[0]).get(url(match)).context["found"]
    *others, last = found.departures
    assert len(others) == 2
    assert all(each.endswith(". The bot that played on is not judged.") for each in others)
    assert last.endswith(". The match is judged up to there.")
    assert [each.startswith("You resigned after move ") for each in found.departures].count(True) == 1
    assert review.chances[-1] == [0, 0, WHOLE]


def test_a_review_of_an_older_kind_is_made_again_after_those_that_somebody_waits_for() -> None:
    (old, players), (new, _) = finished(actions=6), finished(actions=4)
    client = client_of(players[0])
    found = reviewed(old).weighed
    from_before(new)
    Review.objects.update(judgement=1, weighed=[], asked_at=timezone.now() - timedelta(days=9))
    assert 'hx-trigger="every 1s"' in client.get(url(old)).content.decode()
    Review.objects.create(match=new, steps=steps_of(new.length))
    reviews = jobs.Reviews()
    while reviews.go_on() and not Review.objects.get(match=new).is_done:
        assert not Review.objects.get(match=old).is_done
    while reviews.go_on():
        pass
    assert Review.objects.get(match=old).weighed == found
    assert 'id="moments"' in client.get(url(old)).content.decode()


def test_a_review_of_an_older_kind_whose_rules_have_changed_is_forgotten() -> None:
    match, _players = finished(actions=4)
    reviewed(match)
    Review.objects.update(judgement=1)
    Match.objects.filter(pk=match.pk).update(rules_version=0)
    assert jobs.Reviews().go_on()
    assert not Review.objects.exists()
    assert not jobs.Reviews().go_on()


def test_running_matches_and_those_of_others_are_not_reviewed(client: Client) -> None:
    players = [person(), person()]
    running = running_match(players)
    assert client_of(players[0]).post(url(running))["Location"] == running.get_absolute_url()
    assert not Review.objects.exists()
    private, owners = finished(actions=4, visibility=Match.Visibility.PRIVATE)
    from_before(private)
    assert client_of(players[0]).post(url(private)).status_code == 404
    assert client_of(owners[0]).post(url(private)).status_code == 302
    assert client.get(url(private)).status_code == 404


def test_visitors_read_reviews_and_members_ask_for_them(client: Client) -> None:
    match = from_before(finished(actions=4)[0])
    assert "Log in" in client.get(url(match)).content.decode()
    assert client.post(url(match)).status_code == 302
    assert not Review.objects.exists()
    member = client_of(person())
    assert member.post(url(match)).status_code == 302
    reviewed(match)
    assert 'id="moments"' in client.get(url(match)).content.decode()


def test_one_person_has_three_reviews_made_at_a_time() -> None:
    reader = client_of(person())
    *first, last = [from_before(finished(actions=2)[0]) for _ in range(4)]
    for match in first:
        assert reader.post(url(match)).status_code == 302
    response = reader.post(url(last))
    assert response.status_code == 422
    assert "Three reviews are already under way for you" in response.content.decode()


def test_a_finished_match_and_its_replay_lead_to_the_review() -> None:
    match, players = finished(actions=4)
    client = client_of(players[0])
    for page in (match.get_absolute_url(), reverse("replay", args=[match.slug])):
        assert url(match) in client.get(page).content.decode()


def test_a_failing_review_is_set_back_and_stops_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    finished(actions=2)

    def broken(work: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(jobs._Work, "step", broken)
    reviews = jobs.Reviews()
    assert not reviews.go_on()
    assert play_jobs.waiting(reviews.name, timezone.now() + timedelta(hours=1)) == set()


def end_of(match: Match, reader: User) -> str:
    """Return the box at the end of a match."""
    page = client_of(reader).get(match.get_absolute_url()).content.decode()
    return page.partition('id="ending"')[2].partition("</section>")[0]


def test_a_whole_match_is_reviewed_to_its_end_and_its_page_shows_the_turn_that_decided_it() -> None:
    players = [person(), person()]
    match = play_out(running_match(players, seed=SEED))
    before_review = {player: end_of(match, player) for player in players}
    review = reviewed(match)
    for player, end in before_review.items():
        assert end_of(match, player).startswith(end.rstrip()), "what was told stays where it was"
    first = [seat.place == 1 for seat in match.seats.order_by("number")]
    assert review.chances[-1] == [WHOLE // sum(first) * won for won in first]
    assert "judged up to there" not in client_of(players[0]).get(url(match)).content.decode()
    winner = first.index(True)
    actors = [action.seat for action in match.actions.order_by("number")]
    ends = [0, *(number for number, pair in enumerate(pairwise(actors), start=1) if pair[0] != pair[1]), match.length]
    rise, before, after = max((review.chances[b][winner] - review.chances[a][winner], a, b) for a, b in pairwise(ends))
    told = client_of(players[winner]).get(match.get_absolute_url()).content.decode()
    *_most, turn = re.findall(r'id="turning-\d"><a href="[^"]+at=(\d+)"><b>([^<]+)', told)
    assert before < int(turn[0]) <= after
    chances = [round(100 * review.chances[number][winner] / WHOLE) for number in (before, after)]
    assert rise > 0
    other, names = 1 - winner, [player.username for player in players]
    whose = "The turn that decided it" if actors[before] == winner else f"{names[other]}’s turn decided it"
    assert turn[1] == "{}: your chance rose from {} % to {} %".format(whose, *chances)
    risen = "chance rose from 10 % to 90 %"
    for mover, told_to in (
        (
            winner,
            {
                players[winner]: f"The turn that decided it: your {risen}",
                players[other]: f"The turn that decided it: {names[winner]}’s {risen}",
            },
        ),
        (
            other,
            {
                players[winner]: f"{names[other]}’s turn decided it: your {risen}",
                players[other]: f"Your turn decided it: {names[winner]}’s {risen}",
                person(): f"{names[other]}’s turn decided it: {names[winner]}’s {risen}",
            },
        ),
    ):
        stop = next(after for before, after in pairwise(ends) if before and actors[before] == mover)
        review.chances = [[1000, 1000] if number < stop else [9000, 9000] for number in range(len(review.chances))]
        review.save()
        for reader, words in told_to.items():
            assert f"<b>{words}</b>" in end_of(match, reader)
