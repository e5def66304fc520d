"""Series: the first to win so many matches, by the same people with changing seats."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.joining import guests
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.limits import RATED
from games.matchmaking.models import Series
from games.matchmaking.series import Score, leave_series, on_match_over, score_of
from games.matchmaking.tables import TableSetup, rematch
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from games.play import commands as matches
from games.play.models import Match
from tests.people import act, client_of, person
from tests.site.config.addresses import addresses, of_a_match
from tests.site.moderation.moderators import moderator

pytestmark = pytest.mark.django_db


def first_match(*users: User, goal: int = 2, **wish: object) -> Match:
    """Open the table of a series and let everybody sit down."""
    host, *others = users
    fields = {"rated": False, "seat_order": "as-sat", "first_to": goal, **wish}
    match = tables.open_table(host, TableSetup("shifting-stones", len(users), **fields))  # type: ignore[arg-type]
    for user in others:
        tables.join(match.pk, user)
    match.refresh_from_db()
    assert match.is_running
    return match


def all_act(match: Match) -> None:
    """Let everybody end a turn: who leaves later has not stayed away."""
    for _ in range(match.seat_count):
        act(match, "end")


def won_by(match: Match, winner: User) -> Match:
    """Let everybody have a turn, and everybody else resign."""
    all_act(match)
    for seat in match.seats.exclude(user=winner):
        matches.resign(match.pk, seat.number, f"resign-{match.pk}-{seat.number}")
    match.refresh_from_db()
    assert match.is_over
    return match


def next_of(match: Match, *users: User) -> Match:
    """Agree on the next match."""
    for user in users:
        following = tables.join(rematch(match.pk, user).pk, user)
    following.refresh_from_db()
    assert following.is_running
    return following


def score(match: Match) -> Score:
    found = score_of(match)
    assert found is not None
    return found


def sitting(match: Match) -> list[User | None]:
    return [seat.user for seat in match.seats.order_by("number")]


def refusal(tried: Callable[[], object]) -> str:
    with pytest.raises(RuleViolation) as caught:
        tried()
    return caught.value.code


# --- the way to the goal --------------------------------------------------------------------------------------------


def test_the_first_to_win_so_many_matches_wins_the_series() -> None:
    ann, bob = person("ann"), person("bob")
    first = won_by(first_match(ann, bob), bob)
    assert score(first).in_words == "ann 0 : 1 bob"
    second = won_by(next_of(first, ann, bob), ann)
    third = won_by(next_of(second, bob, ann), bob)
    shown = score(third)
    assert (shown.short, shown.terms, shown.goes_on) == ("1 : 2", "bob has won the series.", False)
    assert score_of(next_of(third, ann, bob)) is None, "what follows is a match by itself"


def test_seats_change_from_match_to_match() -> None:
    ann, bob = person(), person()
    first = won_by(first_match(ann, bob), bob)
    second = next_of(first, bob, ann)
    assert [sitting(first), sitting(second)] == [[ann, bob], [bob, ann]]


def test_three_people_play_a_series_too() -> None:
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    first = first_match(ann, bob, cid)
    first.seats.filter(user=cid).update(place=1)
    Match.objects.filter(pk=first.pk).update(status=Match.Status.OVER)
    on_match_over(first, list(first.seats.all()))
    assert score(first).in_words == "ann 0, bob 0, cid 1"
    assert sitting(next_of(first, ann, bob, cid)) == [bob, cid, ann]


def test_an_aborted_match_is_played_again_on_the_same_seats() -> None:
    ann, bob = person(), person()
    first = first_match(ann, bob)
    all_act(first)
    for number in (0, 1):
        matches.offer_abort(first.pk, number)
    first.refresh_from_db()
    assert first.status == Match.Status.ABORTED
    again = next_of(first, bob, ann)
    assert sitting(again) == [ann, bob]
    assert (score(again).short, score(again).place.number) == ("0 : 0", 2)


def test_a_shared_first_place_counts_for_nobody() -> None:
    first = first_match(person(), person())
    Match.objects.filter(pk=first.pk).update(status=Match.Status.OVER)
    first.seats.update(place=1)
    on_match_over(first, list(first.seats.all()))
    assert score(first).short == "0 : 0"


def test_every_match_of_a_series_is_rated_within_the_limit_of_a_pair() -> None:
    ann, bob = person(), person()
    match = first_match(ann, bob, goal=5, rated=True)
    rated = []
    for winner in (ann, bob) * 3:
        rated.append(match.rated)
        won_by(match, winner)
        match = next_of(match, ann, bob)
    assert rated == [True] * RATED.most + [False]
    assert score(match).short == "3 : 3"


def test_a_guest_who_becomes_a_member_keeps_the_score() -> None:
    ann, bob = person(), person("bob")
    guest = User.objects.create_user("Guest-Quick-Fox", guest=True)
    first = won_by(first_match(ann, guest), guest)
    guests.take_over(guest, bob)
    second = won_by(next_of(first, ann, bob), bob)
    assert score(second).terms == "bob has won the series."


# --- what is not one ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", [{"seats": 1}, {"seats": 2, "bots": "novice"}])
def test_a_series_needs_other_people(wish: dict[str, object]) -> None:
    asked = TableSetup("shifting-stones", first_to=2, rated=False, **wish)  # type: ignore[arg-type]
    assert refusal(lambda: tables.open_table(person(), asked)) == "series"
    assert not Series.objects.exists()


def test_a_bot_cannot_join_a_series() -> None:
    host = person()
    match = tables.open_table(host, TableSetup("shifting-stones", 2, rated=False, first_to=2))
    assert refusal(lambda: tables.add_bot(match.pk, host, "novice")) == "series"


def test_who_begins_alone_plays_a_match_by_itself() -> None:
    host = person()
    match = tables.open_table(host, TableSetup("shifting-stones", 2, rated=False, first_to=2))
    tables.start(match.pk, host)
    assert not Series.objects.exists()


def test_the_next_match_does_not_begin_without_somebody() -> None:
    ann, bob, cid = person(), person(), person()
    first = first_match(ann, bob, cid)
    Match.objects.filter(pk=first.pk).update(status=Match.Status.OVER)
    table = rematch(first.pk, ann)
    tables.join(table.pk, bob)
    assert refusal(lambda: tables.start(table.pk, ann)) == "series"
    assert tables.join(table.pk, cid).is_running


def test_a_closed_table_is_no_match_of_a_series() -> None:
    ann, bob = person(), person()
    first = won_by(first_match(ann, bob), bob)
    tables.close_table(rematch(first.pk, ann).pk, ann)
    assert score(next_of(first, bob, ann)).place.number == 2


def test_a_series_whose_first_table_closes_is_gone() -> None:
    host = person()
    tables.close_table(tables.open_table(host, TableSetup("shifting-stones", 2, first_to=3)).pk, host)
    assert not Series.objects.exists()


def test_a_planned_table_can_begin_a_series() -> None:
    ann, bob = person(), person()
    wish = TableSetup("shifting-stones", 2, rated=False, first_to=2)
    match = planned.plan_table(ann, wish, timezone.now() + timedelta(days=1))
    planned.come(match.pk, bob)
    Match.objects.filter(pk=match.pk).update(opens_at=timezone.now())
    planned.open_planned(match.pk)
    for user in (ann, bob):
        tables.join(match.pk, user)
    assert score(won_by(match, ann)).series.players.get(user=ann).wins == 1


def test_the_notice_of_the_last_match_says_who_has_won_the_series() -> None:
    ann, bob = person("ann"), person("bob")
    first = won_by(first_match(ann, bob), bob)
    second = won_by(next_of(first, ann, bob), bob)
    told = [message_of(Notice.objects.get(user=ann, match=it, kind=Kind.OVER)).text for it in (first, second)]
    for number, text in enumerate(told, 1):
        assert f"Match {number} of a series: ann 0 : 2 bob. bob has won the series." in text


# --- leaving --------------------------------------------------------------------------------------------------------


def test_leaving_ends_a_series_and_the_match_goes_on_by_itself() -> None:
    ann, bob = person("ann"), person()
    match = first_match(ann, bob)
    client_of(ann).post(reverse("series_leave", args=[match.slug]))
    assert score(match).terms == "ann has left the series."
    won_by(match, bob)
    assert score(match).short == "0 : 0"
    assert score_of(next_of(match, ann, bob)) is None


def test_only_a_player_can_leave_and_only_once() -> None:
    ann, bob = person(), person()
    shown = score(first_match(ann, bob)).series
    assert refusal(lambda: leave_series(shown.pk, person())) == "not-in-series"
    leave_series(shown.pk, ann)
    leave_series(shown.pk, ann)
    assert refusal(lambda: leave_series(shown.pk, bob)) == "series-over"


def test_the_others_are_told_once_that_somebody_has_left() -> None:
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    match = first_match(ann, bob, cid)
    for _ in range(2):
        client_of(ann).post(reverse("series_leave", args=[match.slug]))
    told = Notice.objects.filter(kind=Kind.SERIES)
    assert sorted(told.values_list("user__username", flat=True)) == ["bob", "cid"]
    message = message_of(told.get(user=bob))
    assert message.title == "ann has left the series: Shifting Stones"
    assert message.text == "The final score is ann 0, bob 0, cid 0. A match in progress goes on as usual."
    assert message.url.endswith(reverse("series", args=[match.slug]))
    assert "ann has left the series" in client_of(bob).get(reverse("notices")).content.decode()


# --- pages ----------------------------------------------------------------------------------------------------------


def scored_pages(match: Match, *clients: Client) -> set[str]:
    """Return the addresses that show one of these readers a whole page about a match, all with the score."""
    shown: dict[str, bool] = {}
    for name in set(filter(of_a_match, addresses())) - {"embed_match"}:  # which has room for a board alone
        for client in clients:
            answer = client.get(reverse(name, args=[match.slug]))
            is_page = answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
            if is_page and "<title>" in (page := answer.content.decode()):
                shown[name] = shown.get(name, True) and "ann 0 : 1 bob" in page
    assert [name for name, has_score in shown.items() if not has_score] == []
    return set(shown)


def test_the_score_is_on_every_page_of_a_series(client: Client) -> None:
    ann, bob = person("ann"), person("bob")
    player = client_of(bob)
    first = won_by(first_match(ann, bob, goal=3), bob)
    assert {"match", "match_log", "replay", "review", "seals", "record_lesson"} <= scored_pages(first, client, player)
    waiting = rematch(first.pk, ann)
    assert {"match", "table_invite"} <= scored_pages(waiting, client_of(ann), player)
    tables.join(waiting.pk, bob)
    named = {"match", "match_log", "match_chat", "match_resign", "series", "seals", "report_match", "moderated_match"}
    assert named <= scored_pages(waiting, player, client_of(moderator("moderator")))


def test_the_archive_shows_the_score_of_a_series(client: Client) -> None:
    ann, bob = person("ann"), person("bob")
    first = won_by(first_match(ann, bob, goal=3), bob)
    archive = client.get(reverse("archive")).content.decode()
    assert reverse("series", args=[first.slug]) in archive
    assert "(0 : 1)" in archive


def test_the_page_of_a_series_lists_its_matches_and_offers_the_next_to_its_players() -> None:
    ann, bob = person("ann"), person("bob")
    first = won_by(first_match(ann, bob), bob)
    address = reverse("series", args=[first.slug])
    page = client_of(ann).get(address).content.decode()
    assert reverse("replay", args=[first.slug]) in page
    assert "bob has won" in page
    assert 'id="next"' in page
    assert 'id="next"' not in client_of(person()).get(address).content.decode()


def test_a_private_series_is_hidden_from_strangers(client: Client) -> None:
    ann, bob = person(), person()
    match = first_match(ann, bob, visibility="private", invited=(bob,))
    address = reverse("series", args=[match.slug])
    assert client.get(address).status_code == 404
    assert client_of(person()).get(address).status_code == 404
    assert client_of(bob).get(address).status_code == 200


def test_the_form_of_a_new_table_offers_a_series() -> None:
    ann = person()
    form = {"seats": "2", "speed": "live", "visibility": "public", "seat_order": "random", "invited": ""}
    client_of(ann).post("/tables/new/?game=shifting-stones", {**form, "first_to": "3"})
    assert score(Match.objects.get()).series.goal == 3
    client_of(ann).post("/tables/new/?game=shifting-stones", {**form, "first_to": ""})
    assert Series.objects.count() == 1
