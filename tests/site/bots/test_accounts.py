"""Bot accounts: how an account becomes one, what is enforced for it, where it is left out, and where it is marked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import relations
from accounts.models import User
from accounts.sanctions import Kind as Measure, impose
from accounts.services import bots_here, people_here, record_presence
from games.bots import conditions as bot_conditions
from games.bots.accounts import become_bot, online_bots
from games.bots.conditions import WITH_BOTS, check_bots_play, conditions_of, set_conditions
from games.bots.models import MOST_AT_ONCE, Conditions
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.filters import Filters, listed_tables
from games.matchmaking.invitations import invite_more
from games.matchmaking.models import Invitation
from games.matchmaking.requirements import could_sit, reader_of
from games.matchmaking.tables import TableSetup, challenge_bot, open_table
from games.notifications.channels.mail import MAILED
from games.notifications.messages import message_of
from games.notifications.models import Channel, Kind, Notice, Preferences
from games.pairing import services as pairing
from games.pairing.models import Wait
from games.play.models import Level, Match, Seat
from games.ratings.leaderboards import pool_of, summaries
from games.ratings.models import Rating, RatingChange, SoloBest
from games.titles import titles
from tests.people import client_of, person, play_out, running_match
from tests.site.pairing.waits import all_go, waiting, work

pytestmark = pytest.mark.django_db

GAME = "shifting-stones"
CASUAL = TableSetup(GAME, 2, rated=False)


def bot(name: str = "", **wanted: Any) -> User:
    """Return a bot account with these conditions."""
    account = person(name)
    become_bot(account)
    if wanted:
        set_conditions(account, **wanted)
    return account


def befriend(one: User, other: User) -> None:
    relations.request_friendship(one, other)
    relations.accept_request(other, one)


def refused(code: str, do: Callable[[], object]) -> None:
    with pytest.raises(RuleViolation) as caught:
        do()
    assert caught.value.code == code


# --- becoming one -----------------------------------------------------------------------------------------------------


def test_an_account_that_has_begun_no_match_becomes_a_bot_for_ever() -> None:
    ann, bob = person(), person()
    open_table(ann, CASUAL)
    planned.plan_table(ann, replace(CASUAL), timezone.now() + timedelta(hours=1))
    waiting(ann)
    assert become_bot(ann) == Conditions(user=ann)
    ann.refresh_from_db()
    assert ann.is_bot
    assert not Seat.objects.filter(user=ann).exists()
    assert not Match.objects.exclude(status=Match.Status.CLOSED).exists(), "it has left its tables"
    assert not Wait.objects.current().filter(user=ann).exists()
    assert not any(Preferences.of(ann).wants(kind, Channel.MAIL) for kind in MAILED), "its owner gets no emails"
    stale = User.objects.get(pk=bob.pk)
    become_bot(bob)
    stale.save()
    assert User.objects.get(pk=bob.pk).is_bot, "nobody who read the account before changes that"


def test_who_cannot_become_a_bot(subtests: pytest.Subtests) -> None:
    ann, suspended, begun = person(), person(), person()
    impose(suspended, Measure.SUSPENSION, "cheating")
    running_match([begun, ann])
    alone = person()
    tables.start(open_table(alone, TableSetup(GAME, 2, bots=Level.NOVICE, clock="", rated=False)).pk, alone)
    cases = {
        "guest-bot": User.objects.create_user("guest-1", guest=True),
        "staff-bot": person(is_staff=True),
        "already-bot": bot(),
        "suspended": User.objects.get(pk=suspended.pk),
    }
    for code, account in [*cases.items(), ("has-begun", begun), ("has-begun", alone)]:
        with subtests.test(code):
            refused(code, partial(become_bot, account))


# --- its conditions ---------------------------------------------------------------------------------------------------

LIVE, DAYS = "300+10/600", "259200+86400/259200"

CONDITIONS: list[tuple[str, dict[str, Any], TableSetup]] = [
    ("bot-game", {"games": ["small-islands"]}, CASUAL),
    ("bot-seats", {"seats": [3]}, CASUAL),
    ("bot-speed", {"speeds": ["days"]}, CASUAL),
    ("bot-clock", {"clocks": ["", DAYS]}, CASUAL),
    ("bot-people", {"people": False}, CASUAL),
    ("bot-rated", {}, replace(CASUAL, rated=True)),
]


def test_each_condition_is_enforced_wherever_somebody_sits_beside_a_bot(subtests: pytest.Subtests) -> None:
    """Whoever invites, challenges, joins, or is joined hears the same refusal, and nothing changes."""
    for code, wanted, setup in CONDITIONS:
        with subtests.test(code):
            _is_enforced(code, bot(**wanted), setup)


def _is_enforced(code: str, picky: User, setup: TableSetup) -> None:
    ann, eve = person(), person()
    refused(code, lambda: open_table(ann, replace(setup, invited=(picky,))))
    table = open_table(ann, setup)
    refused(code, lambda: invite_more(table.pk, ann, [picky]))
    refused(code, lambda: tables.join(table.pk, picky))
    ahead = planned.plan_table(eve, setup, timezone.now() + timedelta(hours=1))
    refused(code, lambda: planned.come(ahead.pk, picky))
    assert not Invitation.objects.filter(user=picky).exists()
    assert not Seat.objects.filter(user=picky).exists()


def test_who_comes_to_a_bot_is_asked_too(subtests: pytest.Subtests) -> None:
    """The bot came first: people, other bots and those of the site are refused as if it came to them."""
    ann, shy, proud = person(), bot(bots=False), bot(people=False)
    hosted = open_table(proud, CASUAL)
    among_people = open_table(ann, replace(CASUAL, seats=3))
    tables.join(among_people.pk, shy)
    rated = open_table(bot(), replace(CASUAL, rated=True))
    three = open_table(person(), replace(CASUAL, seats=3))
    tables.join(three.pk, bot(seats=[3]))
    cases = {
        "bot-people": lambda: tables.join(hosted.pk, ann),
        "bot-bots": lambda: tables.join(among_people.pk, bot()),
        "bot-bots, of the site": lambda: tables.add_bot(among_people.pk, ann, Level.NOVICE),
        "bot-rated": lambda: tables.join(rated.pk, ann),
        "bot-seats": lambda: tables.start(three.pk, three.host),
    }
    for code, do in cases.items():
        with subtests.test(code):
            refused(code.partition(",")[0], do)
    with subtests.test("pages say so before"):
        page = client_of(person()).get(hosted.get_absolute_url()).content.decode()
        assert f"{proud.shown_name} plays only with bots." in page
        assert 'id="as-guest"' not in Client().get(hosted.get_absolute_url()).content.decode()
    with subtests.test("the lobby lists neither"):
        assert not {hosted.pk, rated.pk} & set(listed_tables(Filters(), 50, reader_of(ann)))
        assert not could_sit(Match.objects.get(pk=rated.pk), reader_of(ann))
        assert could_sit(Match.objects.get(pk=rated.pk), reader_of(bot()))


def test_a_bot_plays_so_many_matches_at_once() -> None:
    ann, busy = person(), bot(at_once=2)
    first, second, third = (open_table(person(), replace(CASUAL, visibility="link")) for _ in range(3))
    tables.join(first.pk, busy)
    open_table(busy, CASUAL)
    refused("too-many-matches", lambda: tables.join(second.pk, busy))
    refused("too-many-matches", lambda: open_table(ann, replace(CASUAL, invited=(busy,))))
    Match.objects.filter(pk=first.pk).update(status=Match.Status.OVER)
    assert tables.join(third.pk, busy).is_running


def test_a_bot_begins_so_many_matches_with_bots_in_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    assert WITH_BOTS == 100
    monkeypatch.setattr(bot_conditions, "WITH_BOTS", 2)
    one, other = bot(), bot()
    for _ in range(2):
        Match.objects.filter(pk=running_match([one, other]).pk).update(status=Match.Status.OVER)
    check_bots_play(Match(game=GAME, seat_count=2, rated=False), [one, person()])
    refused("too-many-with-bots", lambda: open_table(bot(), replace(CASUAL, invited=(one,))))
    refused("too-many-with-bots", lambda: open_table(one, TableSetup(GAME, 2, bots=Level.NOVICE, clock="")))
    Match.objects.update(started_at=F("started_at") - timedelta(days=1))
    open_table(one, TableSetup(GAME, 2, bots=Level.NOVICE, clock="", rated=False))


def test_conditions_that_make_no_sense_are_refused(subtests: pytest.Subtests) -> None:
    strict = bot()
    refused("not-bot", lambda: set_conditions(person()))
    nonsense: tuple[dict[str, Any], ...] = (
        {"games": ["chess"]},
        {"seats": [99]},
        {"speeds": ["blitz"]},
        {"clocks": ["soon"]},
        {"people": False, "bots": False},
        {"at_once": 0},
        {"at_once": MOST_AT_ONCE + 1},
    )
    for wrong in nonsense:
        with subtests.test(str(wrong)):
            refused("conditions", partial(set_conditions, strict, **wrong))
    set_conditions(strict, games=[GAME], seats=[2, 2], clocks=["", LIVE], at_once=1)
    kept = conditions_of(strict)
    assert (kept.games, kept.seats, kept.clocks, kept.at_once) == ([GAME], [2], ["", LIVE], 1)


# --- ratings, leaderboards, pairing -----------------------------------------------------------------------------------


def test_bots_are_rated_among_themselves_and_never_with_people() -> None:
    ann, one, other = person(), bot(), bot()
    host = person()
    sat = open_table(host, replace(CASUAL, rated=True))  # its host becomes a bot behind the back of the site
    User.objects.filter(pk=host.pk).update(bot_since=timezone.now())
    Conditions.objects.create(user=host)
    assert not running_match([ann, one], rated=False).rated
    play_out(running_match([ann, one], rated=False))
    assert not RatingChange.objects.exists()
    table = open_table(one, replace(CASUAL, rated=True))
    match = tables.join(table.pk, other)
    assert match.is_running
    assert match.rated
    play_out(match)
    assert {change.user for change in RatingChange.objects.all()} == {one, other}
    refused("bot-rated", lambda: tables.join(sat.pk, ann))


def test_bots_are_on_no_leaderboard_of_people(settings: Any) -> None:
    settings.LEADERBOARD_OPPONENTS = 0
    ann, strong = person("ann"), bot("strong")
    for user, rating in ((ann, 1_600_000), (strong, 2_500_000)):
        Rating.objects.create(user=user, game=GAME, speed="live", rating=rating, games=50)
    pool = pool_of(GAME, "live")
    assert pool is not None
    assert [row.user for row in pool.placed] == [ann]
    assert pool.placing_of(strong) is None
    assert not pool.leaves_out(strong)
    assert {row.user for summary in summaries(strong) for row in summary.rows} == {ann}
    alone = play_out(running_match([strong], game="small-islands"))
    Seat.objects.filter(match=alone).update(place=1)
    SoloBest.objects.update_or_create(user=strong, game=alone.game, defaults={"match": alone, "rank": 9})
    page = client_of(ann).get(reverse("leaderboard")).content.decode()
    assert "ann" in page
    assert "strong" not in page


def test_bots_are_never_in_quick_pairing() -> None:
    ann, late = person(), person()
    for user in (ann, late):
        waiting(user)
    User.objects.filter(pk=late.pk).update(bot_since=timezone.now())  # as if in the same moment
    assert work() == 0
    assert not pairing.unite(list(Wait.objects.current().values_list("pk", flat=True)))
    refused("bot-pairing", lambda: waiting(bot()))


def test_who_becomes_a_bot_in_the_very_moment_of_being_paired_is_not_rated() -> None:
    ann, late = waiting(person(), rated=True), waiting(person(), rated=True)
    assert work() == 1
    User.objects.filter(pk=late.user_id).update(bot_since=timezone.now())
    all_go(ann, late)
    assert not Match.objects.get().rated


# --- marks ------------------------------------------------------------------------------------------------------------


def test_a_bot_is_marked_wherever_its_name_is_shown(subtests: pytest.Subtests) -> None:
    ann, robo = person("ann"), bot("robo")
    match, over = running_match([ann, robo]), play_out(running_match([ann, robo]))
    table = open_table(robo, CASUAL)
    befriend(ann, robo)
    record_presence([robo.pk])
    reader = client_of(ann)
    pages = {
        "match": match.get_absolute_url(),
        "table": table.get_absolute_url(),
        "lobby": reverse("lobby"),
        "profile": robo.get_absolute_url(),
        "people": f"{reverse('people')}?name=robo",
        "conversation": reverse("conversation", args=["robo"]),
        "archive": f"{reverse('archive')}?player=robo",
        "end": over.get_absolute_url(),
        "challenge": reverse("challenge", args=["robo"]),
        "play a bot": reverse("play_now"),
        "bots": reverse("bots"),
        "suggestions": f"{reverse('people_find')}?name=robo",
    }
    for name, address in pages.items():
        with subtests.test(name):
            assert "BOT robo" in reader.get(address).content.decode()
    with subtests.test("mails and pushes"):
        open_table(robo, replace(CASUAL, visibility="private", invited=(ann,)))
        assert "BOT robo" in message_of(Notice.objects.get(user=ann, kind=Kind.INVITATION)).title
    with subtests.test("profile, in words"):
        assert "a program plays for this account" in reader.get(robo.get_absolute_url()).content.decode()
    with subtests.test("the mark is no part of the name"):
        assert User.objects.named("BOT robo") == robo
        assert reader.get("/@BOT robo/").status_code == 302
        assert reverse("face", args=["robo"]) in reader.get(reverse("play_now")).content.decode()
    with subtests.test("people have none"):
        assert "BOT ann" not in reader.get(match.get_absolute_url()).content.decode()


# --- Play a bot -------------------------------------------------------------------------------------------------------


def test_bots_that_are_here_are_listed_beside_ours_and_a_press_challenges_one() -> None:
    ann, robo = person(), bot("robo", games=[GAME], speeds=["days"], clocks=[DAYS], at_once=3)
    bot("away")
    proud, full = bot("proud", people=False), bot("full", at_once=1)
    running_match([full, person()])
    record_presence([robo.pk, proud.pk, full.pk])
    assert list(bots_here()) == [full, proud, robo]
    assert people_here().count() == 0, "no program counts as a person who is online"
    page = client_of(ann).get(reverse("play_now")).content.decode()
    listed = page[page.index('id="bot-accounts"') :]
    assert listed.index("BOT full") < listed.index("BOT robo")
    assert "It is already playing as many matches as it can." in listed
    assert not {name for name in ("BOT away", "BOT proud") if name in page}
    assert "Over days" in listed

    client_of(ann).post(reverse("play_with_bot"), {"bot": "robo", "game": GAME})
    match = Match.objects.latest("pk")
    assert (match.speed, match.clock, match.rated, match.seat_count) == ("days", DAYS, False, 2)
    assert match.visibility == Match.Visibility.LINK
    assert tables.join(match.pk, robo).is_running
    assert {it.account: it.playing for it in online_bots(ann)}[robo] == 1


def test_a_visitor_challenges_a_bot_as_a_guest() -> None:
    robo = bot("robo")
    record_presence([robo.pk])
    visitor = Client()
    answer = visitor.post(reverse("play_with_bot"), {"bot": "robo", "game": GAME})
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert match.host is not None
    assert match.host.guest
    assert tables.join(match.pk, robo).is_running


def test_a_challenge_that_cannot_be_says_why(subtests: pytest.Subtests) -> None:
    ann, several, full = person("ann"), bot("several", seats=[3]), bot("full", at_once=1)
    running_match([full, person()])
    cases = [
        (422, "There is no such bot.", "nobody", GAME),
        (422, "There is no such bot.", "ann", GAME),
        (422, "There is no such bot.", "several", "chess"),
        (422, "BOT several does not play this game with one other player.", "several", GAME),
        (429, "BOT full is already playing as many matches as it can.", "full", GAME),
    ]
    reader = client_of(ann)
    for status, words, name, game in cases:
        with subtests.test(words, name=name):
            answer = reader.post(reverse("play_with_bot"), {"bot": name, "game": game})
            assert answer.status_code == status
            assert words in answer.content.decode()
    refused("not-bot", lambda: challenge_bot(several, ann, titles()[GAME]))


def test_a_challenge_from_the_profile_of_a_bot_is_casual() -> None:
    ann, robo = person(), bot("robo")
    assert client_of(ann).post(reverse("challenge", args=["robo"]), {"game": GAME, "first_to": ""}).status_code == 302
    match = Match.objects.get()
    assert not match.rated
    assert tables.join(match.pk, robo).is_running
