"""The end of a match on its page: for winners, losers and spectators, played out, left, aborted, alone."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from accounts.models import User
from games.history.endings import ScoreHistory, Stage, stage_of
from games.play import commands, timekeeping
from games.play.models import Match
from games.play.records import plays
from games.play.reducer import positions
from games.ratings.models import Rating, RatingChange
from games.titles import games
from games.titles.card_chess.rules.deck import CARDS
from games.titles.card_chess.rules.state import PileSettled
from games.titles.shifting_stones.rules.state import CardScored
from games.titles.small_islands.rules.events import HousePlaced
from tests.clocked import LIVE
from tests.people import act, client_of, eager, person, play_on, play_out, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair() -> list[User]:
    return [person("Ann"), person("Bob")]


def ending(match: Match, user: User | None) -> str:
    """Return what the page of a match says of its end, without the markup."""
    client = client_of(user) if user else Client()
    page = client.get(match.get_absolute_url()).content.decode()
    found = re.search(r'<section[^>]* id="ending".*?</section>', page, re.DOTALL)
    assert found, page
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def set_result(match: Match, places: tuple[int, ...], scores: tuple[int, ...]) -> Match:
    """Give a finished match another result, to see it told."""
    for number, (place, score) in enumerate(zip(places, scores, strict=True)):
        match.seats.filter(number=number).update(place=place, score=score)
    return match


def played(people: list[User], **fields: object) -> Match:
    return play_out(running_match(people, seed=bytes(32), **fields))


def test_nothing_is_said_before_the_end(pair: list[User]) -> None:
    assert ending(running_match(pair), pair[0]) == ""


def test_winner_loser_and_spectator_each_read_their_own_headline(pair: list[User]) -> None:
    match = set_result(played(pair), (2, 1), (8, 14))
    assert ending(match, pair[0]).startswith("You lost 8–\u206014")
    assert ending(match, pair[1]).startswith("You won 14–\u20608")
    assert ending(match, None).startswith("Bob won 14–\u20608")


def test_the_table_calls_its_reader_you(pair: list[User]) -> None:
    match = played(pair)
    for user, rows in ((pair[0], ("You", "Bob")), (pair[1], ("Ann", "You")), (None, ("Ann", "Bob"))):
        page = (client_of(user) if user else Client()).get(match.get_absolute_url()).content.decode()
        table = page.partition('<table class="decisive">')[2].partition("</table>")[0]
        assert sorted(re.findall(r">(\w+)</a>", table)) == sorted(rows)


def test_a_draw_is_called_one(pair: list[User]) -> None:
    match = set_result(played(pair), (1, 1), (8, 8))
    assert ending(match, pair[0]).startswith("A draw")
    assert ending(match, None).startswith("Ann and Bob share first place")


def test_a_score_that_does_not_tell_who_has_won_is_not_shown_as_one(pair: list[User]) -> None:
    match = set_result(played(pair), (1, 2), (8, 8))
    assert re.match(r"You won (?!8)", ending(match, pair[0]))


def test_with_more_players_the_place_is_said() -> None:
    people = [person(name) for name in ("Ann", "Bob", "Cid", "Dan")]
    match = set_result(played(people), (1, 2, 3, 4), (9, 8, 7, 6))
    headlines = [ending(match, user) for user in people]
    starts = ("You won", "You came second", "You came third", "You came last")
    assert all(told.startswith(start) for told, start in zip(headlines, starts, strict=True))


@pytest.mark.parametrize("slug", games())
def test_every_game_tells_its_numbers_and_offers_what_comes_next(slug: str, pair: list[User]) -> None:
    match = played(pair, game=slug)
    told = ending(match, pair[0])
    assert "Points" in told
    assert "Rematch Watch the replay Review Share" in told
    assert "Watch the replay Review Share" in ending(match, None)


def test_a_private_match_is_not_offered_to_be_shared(pair: list[User]) -> None:
    match = played(pair, visibility=Match.Visibility.PRIVATE)
    assert "Rematch Watch the replay Review" in ending(match, pair[0])
    assert "Share" not in ending(match, pair[0])


def test_the_rating_is_drawn_for_whoever_has_one_and_its_change_told_of_all(pair: list[User]) -> None:
    match = played(pair, rated=True)
    gain = RatingChange.objects.get(match=match, seat=0).shown_gain
    assert f"1500? → {1500 + int(gain.replace('−', '-'))}? {gain}" in ending(match, pair[0])
    page = client_of(pair[0]).get(match.get_absolute_url()).content.decode()
    assert 'class="spark' in page
    assert 'class="spark' not in Client().get(match.get_absolute_url()).content.decode()
    assert gain in ending(match, None)


def test_a_casual_match_says_nothing_of_ratings(pair: list[User]) -> None:
    assert "Rating" not in ending(played(pair), pair[0])


def test_only_whoever_has_lost_is_consoled(pair: list[User]) -> None:
    match = set_result(played(pair), (2, 1), (19, 20))
    assert "So close: 1 point behind." in ending(match, pair[0])
    for other in (pair[1], None):
        assert "So close" not in ending(match, other)


def test_a_defeat_by_a_much_stronger_player_is_called_that(pair: list[User]) -> None:
    match = running_match(pair, seed=bytes(32), rated=True)
    for user, rating in zip(pair, (1_400_000, 1_600_000), strict=True):
        Rating.objects.create(user=user, game=match.game, speed=match.speed, rating=rating)
    for seat in (0, 1):
        act(match, "skip", seat)
    commands.resign(match.pk, 0, "request-1")
    match.seats.filter(number=0).update(left=None)
    assert "Bob was rated 200 points above you: well fought." in ending(match, pair[0])


def test_whoever_resigns_in_the_lead_was_ahead_shortly_before_the_end(pair: list[User]) -> None:
    match = running_match(pair, seed=bytes(32))
    while not match.length or not ahead(match, 0):
        play_on(match, 1)
    commands.resign(match.pk, 0, "request-1")
    match.refresh_from_db()
    assert "You were still ahead shortly before the end." in ending(match, pair[0])


def ahead(match: Match, seat: int) -> bool:
    scores = match.rules.standing(positions.decode_state(match))
    return scores[seat] == max(scores) and scores.count(scores[seat]) == 1


def test_the_second_half_of_a_match_is_told_in_three_stages() -> None:
    stages = [stage_of(number, 20) for number in (0, 9, 10, 14, 15, 17, 18, 20)]
    half, quarter, end = Stage.SECOND_HALF, Stage.LAST_QUARTER, Stage.NEARLY_OVER
    assert stages == [None, None, half, half, quarter, quarter, end, end]
    assert stage_of(0, 0) is None


def test_a_resignation_is_told_to_both(pair: list[User]) -> None:
    match = running_match(pair, rated=True)
    for _ in range(2):
        act(match, "end" if match.length else "skip")
    commands.resign(match.pk, 1, "request-1")
    assert ending(match, pair[0]).startswith("You won Bob has resigned.")
    told = ending(match, pair[1])
    assert told.startswith("You lost You resigned.")


def test_a_match_lost_on_time_says_so(pair: list[User], clock: Traveller) -> None:
    match = running_match(pair, clock=LIVE, rated=True)
    act(match, "skip", 0)
    act(match, "skip", 1)
    clock.shift(timedelta(hours=1))
    assert timekeeping.expire(match.pk)
    assert ending(match, pair[1]).startswith("You won Ann ran out of time.")
    assert ending(match, pair[0]).startswith("You lost You ran out of time.")


def test_an_aborted_match_says_why_and_that_it_does_not_count(pair: list[User]) -> None:
    match = running_match(pair, rated=True)
    act(match, "skip", 0)
    for seat in (0, 1):
        commands.offer_abort(match.pk, seat)
    told = ending(match, pair[0])
    assert told.startswith("The match was aborted Everyone agreed to abort the match; it does not count.")
    assert "Rating" not in told


def test_a_match_that_was_not_rated_although_it_was_meant_to_be_says_why(pair: list[User]) -> None:
    match = running_match(pair, rated=True)
    act(match, "skip", 0)
    commands.resign(match.pk, 1, "request-1")
    assert "The match is not rated, because Bob never made a move." in ending(match, pair[0])


@pytest.mark.parametrize(("place", "headline"), [(1, "You did it"), (2, "Not this time")])
def test_alone_the_goal_was_reached_or_not(place: int, headline: str) -> None:
    ann = person("Ann")
    match = set_result(played([ann]), (place,), (12,))
    told = ending(match, ann)
    assert told.startswith(headline)
    assert "Play again Watch the replay Review Share Another game or opponent Embed" in told
    assert ending(match, None).startswith("Ann did it" if place == 1 else "Ann did not make it")


@pytest.mark.parametrize(("game", "seed"), [("shifting-stones", 1), ("shifting-stones", 2), ("small-islands", 2)])
def test_the_move_that_brought_the_winner_most_leads_to_the_replay_if_one_stands_out(
    pair: list[User], game: str, seed: int
) -> None:
    match = play_out(running_match(pair, game=game, seed=bytes([seed]) * 32))
    winner, gains = match.seats.get(place=1).number, Counter[int]()
    for number, play in enumerate(plays(match, list(match.seats.order_by("number")))):
        scored = (it for it in play.events if isinstance(it, CardScored | HousePlaced))
        gains[number] = sum(it.points for it in scored if it.seat == winner)
    best = [number for number, gain in gains.items() if gain == max(gains.values())]
    page = Client().get(match.get_absolute_url()).content.decode()
    shown = re.findall(r'id="turning-1"><a href="([^"]+)"', page)
    assert shown == ([f"{reverse('replay', args=[match.slug])}?at={best[0]}"] if len(best) == 1 else [])
    assert ("<svg" in page.partition('id="turning-1"')[2].partition("</p>")[0]) == bool(shown)


def test_the_move_that_brought_most_is_told_with_every_pile_that_somebody_captured(pair: list[User]) -> None:
    told = list[list[str]]()
    for seed in range(1, 4):
        match = play_out(running_match(pair, game="card-chess", seed=bytes([seed]) * 32))
        page = Client().get(match.get_absolute_url()).content.decode()
        for number, sentences in re.findall(r'id="turning-1"><a href="[^"]+at=(\d+)"(.*?)</p>', page, re.DOTALL):
            revealed = list(plays(match, list(match.seats.order_by("number"))))[int(number)].events
            piles = [event.pile for event in revealed if isinstance(event, PileSettled)]
            captured = [str(pile.place + 1) for pile in piles if pile.captor is not None]
            told.append(captured)
            assert re.findall(r"<span>Pile (\d)", sentences) == captured
    assert max(map(len, told)) > 1


def test_the_bonus_of_a_realm_counts_in_the_turn_that_completes_it(pair: list[User]) -> None:
    told = set[bool]()
    for seed in (2, 7, 8):
        match = play_out(running_match(pair, game="card-chess", seed=bytes([seed]) * 32))
        winner, gains, before, cards = match.seats.get(place=1).number, Counter[int](), 0, Counter[int]()
        for number, play in enumerate(plays(match, list(match.seats.order_by("number")))):
            state, piles = play.position.state, [it.pile for it in play.events if isinstance(it, PileSettled)]
            if piles:
                finished = sum(challenge.points[winner] for challenge in state.challenges)
                after = finished + (0 if state.ended else state.points[winner])
                gains[number], before = after - before, after
                cards[number] = sum(CARDS[card].points for it in piles if it.captor == winner for card in it.whole)
        page = Client().get(match.get_absolute_url()).content.decode()
        (best, most), *_ = gains.most_common(1)
        assert re.findall(r'id="turning-1"><a href="[^"]+at=(\d+)"', page) == [str(best)]
        assert f"<b>{pair[winner].username}’s highest-scoring move: +{most}</b>" in page
        own = client_of(pair[winner]).get(match.get_absolute_url()).content.decode()
        assert f"<b>Your highest-scoring move: +{most}</b>" in own
        told.add(cards.most_common(1)[0][0] != best)
    assert True in told


def test_a_match_of_equal_moves_or_of_single_points_has_none_that_stands_out() -> None:
    history = ScoreHistory(({3: 1}, {4: 2, 6: 2}, {}, {2: 3, 5: 2}), ((1,), (4,), (), (5,)), (0, 0, 0, 0))
    assert [history.best_move(seat) for seat in range(4)] == [None, None, None, 2]


def test_a_guest_is_asked_to_keep_what_they_have_won() -> None:
    guest = person("Guest Fox", guest=True)
    match = running_match([guest, person("Bob")])
    for seat in (0, 1):
        act(match, "skip", seat)
    commands.resign(match.pk, 1, "request-1")
    assert "Keep this win: register" in ending(match, guest)
    assert "Keep" not in ending(match, None)


@pytest.mark.parametrize("slug", [slug for slug, game in games().items() if 1 in game.seats])
def test_alone_one_can_give_up(slug: str) -> None:
    ann = person("Ann")
    match = running_match([ann], game=slug)
    act(match, eager(match, positions.legal_texts(match, 0)))
    commands.resign(match.pk, 0, "request-1")
    match.refresh_from_db()
    assert ending(match, ann).startswith("Not this time You resigned.")
