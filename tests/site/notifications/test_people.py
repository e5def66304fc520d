"""What is told of friends and of people whom somebody follows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from time_machine import Traveller

from accounts import relations
from accounts.models import User
from games.matchmaking import planned, tables
from games.matchmaking.tables import TableSetup
from games.notifications import services
from games.notifications.consumers import Centre
from games.notifications.messages import digest_for, message_of
from games.notifications.models import Channel, Kind, Notice
from games.notifications.services import notices_of
from games.play.live import news
from games.play.models import Match
from tests.people import client_of, person
from tests.site.notifications.telling import Pair, Post, begun, minutes, noted, prefer

pytestmark = pytest.mark.django_db

EVERYWHERE = [("mail", "friend-asked", "bob"), ("push", "friend-asked", "bob"), ("webhook", "friend-asked", "bob")]


@pytest.fixture
def close(pair: Pair) -> Pair:
    """Friends, of whose friendship nothing is left to tell."""
    ann, bob = pair
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    Notice.objects.all().delete()
    return pair


@pytest.fixture
def eager(close: Pair) -> Pair:
    """Friends; bob wants to hear of tables everywhere."""
    prefer(close[1], off=[])
    return close


def table(host: User, **wish: object) -> Match:
    return tables.open_table(host, TableSetup("shifting-stones", **{"seats": 3, "rated": False, **wish}))  # type: ignore[arg-type]


def shown(reader: User, kind: Kind) -> list[str]:
    return [message_of(notice).title for notice in notices_of(reader).filter(kind=kind)]


# --- requests ---------------------------------------------------------------------------------------------------------


def test_a_request_goes_everywhere_and_leads_to_where_it_is_answered(post: Post, pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    assert post.work() == EVERYWHERE
    [message] = post.messages("mail")
    assert (message.title, message.match) == ("ann wants to be your friend", "")
    assert message.url.endswith("/people/")
    page = client_of(bob).get("/notices/").content.decode()
    assert 'href="/people/"' in page
    assert "ann wants to be your friend" in page


def test_a_page_that_is_open_hears_of_it(pair: Pair) -> None:
    relations.request_friendship(*pair)
    [note] = news.news_of([pair[1].pk])[pair[1].pk].notes
    assert (note.match, note.counts) == (None, True)
    [words] = Centre().words([note.key], "de")
    assert (words["title"], words["url"]) == ("ann möchte mit dir befreundet sein", "/people/")


def test_that_a_request_was_accepted_is_told_but_not_mailed(post: Post, pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    post.work()
    relations.accept_request(bob, ann)
    assert post.work() == [("push", "befriended", "ann"), ("webhook", "befriended", "ann")]
    [message] = [message for message in post.messages("push") if message.kind == "befriended"]
    assert message.title == "bob has accepted your friend request"
    assert message.url.endswith(bob.get_absolute_url())
    assert noted("befriended") == ["ann"]


def test_a_notice_says_what_can_still_be_done(pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    notice = Notice.objects.get(user=bob)
    assert message_of(notice).text == "You can accept or decline."
    relations.accept_request(bob, ann)
    assert message_of(notice).text == "You are now friends."
    relations.end_friendship(bob, ann)
    assert message_of(notice).text == ""


@pytest.mark.parametrize("answer", [relations.accept_request, relations.decline_request])
def test_a_request_that_was_answered_is_not_told_and_counts_as_read(post: Post, pair: Pair, answer: object) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    answer(bob, ann)  # type: ignore[operator]  # one of two functions
    assert not {kind for _channel, kind, name in post.work() if name == "bob"}
    assert not news.news_of([bob.pk])[bob.pk].notes


def test_a_declined_request_tells_the_asker_nothing(post: Post, pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    relations.decline_request(bob, ann)
    assert post.work() == []
    assert not notices_of(ann).exists()


def test_a_request_that_was_taken_back_is_gone(post: Post, pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    relations.end_friendship(ann, bob)
    assert post.work() == []
    assert not notices_of(bob).exists()


def test_a_request_that_is_repeated_after_a_week_is_one_notice(post: Post, pair: Pair, clock: Traveller) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    assert post.work() == EVERYWHERE
    relations.end_friendship(ann, bob)
    clock.shift(timedelta(days=8))
    relations.request_friendship(ann, bob)
    assert post.work() == EVERYWHERE
    assert noted("friend-asked") == ["bob"]


def test_blocked_people_are_told_nothing_of_each_other(post: Post, pair: Pair) -> None:
    ann, bob = pair
    relations.block(bob, ann)
    relations.request_friendship(ann, bob)
    assert post.work() == []
    assert not Notice.objects.exists()


def test_a_block_takes_away_what_was_told(post: Post, pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    relations.block(bob, ann)
    assert post.work() == []
    assert not notices_of(bob).exists()


def test_who_is_deleted_is_no_notice(pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    ann.delete()
    assert not notices_of(bob).exists()
    assert client_of(bob).get("/notices/").status_code == 200


def test_the_digest_names_requests(pair: Pair) -> None:
    begun(pair)
    relations.request_friendship(pair[1], pair[0])
    assert digest_for(pair[0]).text == "This is your daily digest. 1 friend request is waiting for you."


# --- tables -----------------------------------------------------------------------------------------------------------


def test_a_table_of_a_friend_is_on_the_page_alone_unless_more_is_wanted(post: Post, close: Pair) -> None:
    ann, bob = close
    match = table(ann)
    assert shown(bob, Kind.TABLE) == ["ann opens a table: Shifting Stones"]
    assert notices_of(bob).get().get_absolute_url() == match.get_absolute_url()
    assert not notices_of(ann).exists()
    assert post.work() == []


def test_it_goes_everywhere_where_that_is_wanted(post: Post, eager: Pair) -> None:
    match = table(eager[0])
    assert post.work() == [("mail", "table", "bob"), ("push", "table", "bob"), ("webhook", "table", "bob")]
    [message] = post.messages("mail")
    assert (message.match, message.text) == (
        match.slug,
        "Casual match for 3 players. Live: 5 min + 10 s per turn, 10 min at most.",
    )


def test_a_planned_table_says_when_it_opens(eager: Pair, clock: Traveller) -> None:
    from django.utils import timezone

    wish = TableSetup("shifting-stones", 3, rated=False)
    planned.plan_table(eager[0], wish, timezone.now() + timedelta(days=2))
    message = message_of(Notice.objects.get(user=eager[1]))
    assert message.title == "ann plans a table for Shifting Stones: Wed, 11 Mar, 12:00 UTC"


def test_followers_hear_of_public_tables_alone(pair: Pair) -> None:
    ann, bob = pair
    relations.follow(bob, ann)
    table(ann, visibility=Match.Visibility.FRIENDS)
    assert noted("table") == []
    table(ann)
    assert noted("table") == ["bob"]


@pytest.mark.parametrize(
    "wish",
    [
        {"visibility": Match.Visibility.PRIVATE},
        {"visibility": Match.Visibility.LINK},
        {"seats": 1},
        {"bots": "novice"},
    ],
)
def test_of_a_table_that_is_not_for_them_friends_are_not_told(close: Pair, wish: dict[str, object]) -> None:
    table(close[0], **wish)
    assert noted("table") == []


def test_who_is_invited_is_told_that_and_nothing_else(post: Post, eager: Pair) -> None:
    table(eager[0], invited=(eager[1],))
    assert {kind for _channel, kind, _name in post.work()} == {"invitation"}
    assert noted("table") == []


def test_a_table_with_no_seat_for_the_reader_is_not_told(post: Post, eager: Pair) -> None:
    ann, bob = eager
    full = table(ann, seats=2)
    tables.join(full.pk, person("dot"))
    assert "bob" not in {name for _channel, _kind, name in post.work()}
    cid = person("cid")
    relations.follow(bob, cid)
    table(cid, rating_from=2000, rating_to=2100)
    assert noted("table")[-1] == "bob"
    assert "bob" not in {name for _channel, _kind, name in post.work()}


def test_a_table_that_is_not_open_any_more_is_not_shown(close: Pair) -> None:
    ann, bob = close
    match = table(ann)
    tables.close_table(match.pk, ann)
    assert shown(bob, Kind.TABLE) == []
    assert not news.news_of([bob.pk])[bob.pk].notes


def test_table_after_table_is_one_notice_an_hour_that_leads_to_the_newest(
    post: Post, eager: Pair, clock: Traveller
) -> None:
    ann, bob = eager
    for _ in range(3):
        tables.close_table(table(ann).pk, ann)
        post.work()
    last = table(ann)
    assert Notice.objects.get(user=bob, kind=Kind.TABLE).match == last
    post.work()
    clock.shift(minutes(61))
    table(ann)
    assert noted("table") == ["bob", "bob"]


def test_others_may_open_tables_meanwhile(close: Pair) -> None:
    ann, bob = close
    cid = person("cid")
    relations.follow(bob, cid)
    table(ann)
    table(cid)
    assert noted("table") == ["bob", "bob"]


def test_of_tables_of_somebody_blocked_nothing_is_told(post: Post, pair: Pair) -> None:
    ann, bob = pair
    relations.follow(bob, ann)
    relations.block(ann, bob)
    table(ann)
    assert noted("table") == []


def test_a_block_between_opening_and_telling_keeps_it_back(post: Post, eager: Pair) -> None:
    ann, bob = eager
    table(ann)
    relations.block(ann, bob)
    assert post.work() == []


def test_who_is_blocked_keeps_the_notices_that_a_former_friend_keeps(pair: Pair) -> None:
    ann, bob = pair
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    relations.block(bob, ann)
    assert shown(ann, Kind.BEFRIENDED) == ["bob has accepted your friend request"]
    assert not notices_of(bob).exists()


def test_who_ends_a_friendship_hears_nothing_more(post: Post, eager: Pair) -> None:
    ann, bob = eager
    table(ann)
    relations.end_friendship(bob, ann)
    assert post.work() == []


def test_only_so_many_are_told_of_a_table(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = pair
    monkeypatch.setattr(services, "MOST_READERS", 2)
    for name in ("cid", "dot", "eve"):
        relations.follow(person(name), ann)
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    table(ann)
    assert noted("table")[0] == "bob", "friends come first"
    assert len(noted("table")) == 2


def test_opening_a_table_costs_the_same_whoever_follows(pair: Pair) -> None:
    ann, _bob = pair
    table(ann)
    costs = []
    for number in range(2):
        for _ in range(3):
            relations.follow(person(), ann)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            table(ann)
        costs.append((number, len(queries)))
    assert costs[0][1] == costs[1][1]


def test_each_kind_can_be_chosen_and_switched_off_by_its_email(pair: Pair) -> None:
    page = client_of(pair[0]).get("/settings/notices/").content.decode()
    for kind in (Kind.FRIEND_ASKED, Kind.BEFRIENDED, Kind.TABLE):
        for channel in (Channel.PAGE, Channel.MAIL):
            assert f'value="{kind}.{channel}"' in page
