"""The page of notices, and what counts as seen: owner, mate and stranger each have their own."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.engine.codec import encode
from games.engine.contract.playouts import option_combinations
from games.engine.fair import FairChance
from games.engine.protocol import Seat as SeatNumber
from games.notifications.consumers import Centre
from games.notifications.messages import message_of
from games.notifications.models import OF_CLUBS, OF_EVENTS, Kind, Mute, Notice, Preferences
from games.notifications.services import notices_of
from games.notifications.views import PER_PAGE
from games.play.live import news, presence
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from tests.clocked import MONDAY
from tests.people import Kinds, client_of, person, play_on, running_match
from tests.site.notifications.noticed import notice, quiet_match
from tests.traits import is_open

pytestmark = pytest.mark.django_db


def unseen(user: User) -> int:
    """Return the number on this person's bell."""
    page = client_of(user).get("/settings/").content.decode()
    number = re.search(r'class="bell-number">(\d*)<', page)
    assert number is not None
    is_hidden = 'id="bell-count" hidden' in page
    assert is_hidden == (number[1] == "0")
    return int(number[1])


def looks_at(user: User, match: Match) -> None:
    """Let a visible tab of this person show the match, and a heartbeat pass."""
    presence.report(user.pk, match.pk)
    presence.store_reports(presence.take_reports())


def listed(user: User, address: str = "/notices/") -> list[str]:
    """Return the kinds of the notices on a page, from the top."""
    return re.findall(r'data-kind="(\w+)"', client_of(user).get(address).content.decode())


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_has_ones_notices_in_words_with_the_way_to_the_match(kinds: Kinds) -> None:
    match = quiet_match(kinds.seated, kinds.mate)
    made = notice(kinds.seated, match, Kind.STARTED)
    page = client_of(kinds.seated).get("/notices/").content.decode()
    message = message_of(made)
    assert message.title in page
    assert message.text in page
    assert f'href="{match.get_absolute_url()}"' in page


def test_everybody_has_their_own(kinds: Kinds) -> None:
    match = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    notice(kinds.seated, match, Kind.STARTED)
    notice(kinds.mate, match, Kind.OVER)
    assert [listed(user) for user in (kinds.seated, kinds.mate, kinds.stranger)] == [["started"], ["over"], []]
    assert [unseen(user) for user in (kinds.seated, kinds.mate, kinds.stranger)] == [1, 1, 0]


def test_the_newest_comes_first(kinds: Kinds) -> None:
    match = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    for ago, kind in ((30, Kind.STARTED), (10, Kind.OVER), (20, Kind.INVITATION)):
        notice(kinds.seated, match, kind, ago=ago)
    assert listed(kinds.seated) == ["over", "invitation", "started"]


def test_many_notices_are_shown_a_page_at_a_time(kinds: Kinds) -> None:
    Notice.objects.all().delete()
    for turn in range(PER_PAGE + 2):
        notice(kinds.seated, kinds.match, Kind.TURN, turn=turn)
    assert [len(listed(kinds.seated, f"/notices/?page={page}")) for page in (1, 2)] == [PER_PAGE, 2]
    assert len(listed(kinds.seated, "/notices/?page=nonsense")) == PER_PAGE


def test_an_empty_page_says_so(client: Client) -> None:
    client.force_login(person())
    assert "No notices yet." in client.get("/notices/").content.decode()


def test_looking_at_the_page_marks_nothing(kinds: Kinds) -> None:
    notice(kinds.seated, kinds.match)
    before = unseen(kinds.seated)
    client_of(kinds.seated).get("/notices/")
    assert unseen(kinds.seated) == before > 0


def test_a_warning_whose_moment_has_not_come_is_not_shown(kinds: Kinds, clock: Traveller) -> None:
    match = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    notice(kinds.seated, match, Kind.DEADLINE, ago=-60, part=20)
    assert (unseen(kinds.seated), listed(kinds.seated)) == (0, [])
    clock.shift(61)
    assert (unseen(kinds.seated), listed(kinds.seated)) == (1, ["deadline"])


def test_a_muted_match_is_not_shown(kinds: Kinds) -> None:
    match = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    for user in (kinds.seated, kinds.mate):
        notice(user, match)
    Mute.objects.create(user=kinds.seated, match=match)
    assert [unseen(user) for user in (kinds.seated, kinds.mate)] == [0, 1]
    assert [listed(user) for user in (kinds.seated, kinds.mate)] == [[], ["invitation"]]


def assert_sockets_count_what_the_page_lists(kinds: Kinds) -> None:
    muted = quiet_match(kinds.seated, kinds.mate)
    Mute.objects.create(user=kinds.seated, match=muted)
    Preferences.objects.create(user=kinds.seated, off=["over.page"])
    for user in (kinds.seated, kinds.mate):
        for match, kind in ((muted, Kind.OVER), (kinds.match, Kind.OVER), (kinds.match, Kind.INVITATION)):
            notice(user, match, kind)
    people = (kinds.seated, kinds.mate, kinds.stranger)
    told = news.news_of([user.pk for user in people])
    listed = {user.pk: notices_of(user).filter(seen_at=None).count() for user in people}
    waiting = {user.pk: user.seats.filter(to_move=True, match__status=Match.Status.RUNNING).count() for user in people}
    assert {key: (standing.unseen, standing.waiting) for key, standing in told.items()} == {
        key: (listed[key], waiting[key]) for key in told
    }
    assert 0 < listed[kinds.seated.pk] < listed[kinds.mate.pk]
    assert any(waiting.values())


def test_sockets_count_what_the_page_lists(kinds: Kinds) -> None:
    assert_sockets_count_what_the_page_lists(kinds)


@pytest.mark.services
def test_sockets_count_what_the_page_lists_on_postgresql(kinds: Kinds) -> None:
    assert connection.vendor == "postgresql"
    assert_sockets_count_what_the_page_lists(kinds)


def test_kinds_that_are_not_wanted_on_the_site_are_not_shown(kinds: Kinds) -> None:
    match = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    for kind in (Kind.TURN, Kind.OVER):
        notice(kinds.seated, match, kind)
    Preferences.objects.create(user=kinds.seated, off=["turn.page", "over.mail"])
    assert (unseen(kinds.seated), listed(kinds.seated)) == (1, ["over"])


# --- marking as read --------------------------------------------------------------------------------------------------


def until_of(client: Client) -> str:
    found = re.search(r'name="until" value="([^"]+)"', client.get("/notices/").content.decode())
    assert found is not None
    return found[1]


def test_all_notices_of_a_person_are_marked_as_read(kinds: Kinds) -> None:
    match = quiet_match(kinds.seated, kinds.mate)
    for user in (kinds.seated, kinds.mate):
        notice(user, match)
    client = client_of(kinds.seated)
    assert client.post("/notices/seen/", {"until": until_of(client)}).headers["Location"] == "/notices/"
    assert unseen(kinds.seated) == 0
    assert unseen(kinds.mate) > 0


def test_what_has_come_since_the_page_was_shown_stays_unread(kinds: Kinds, clock: Traveller) -> None:
    """Otherwise no email would mention it either, although it was never seen."""
    Notice.objects.all().delete()
    client = client_of(kinds.seated)
    notice(kinds.seated, kinds.match, Kind.STARTED)
    until = until_of(client)
    clock.shift(1)
    notice(kinds.seated, kinds.match, Kind.TURN, turn=99)
    client.post("/notices/seen/", {"until": until})
    assert [it.kind for it in notices_of(kinds.seated).filter(seen_at=None)] == [Kind.TURN]


def test_a_warning_of_the_future_is_not_marked(kinds: Kinds, clock: Traveller) -> None:
    made = notice(kinds.seated, kinds.match, Kind.DEADLINE, ago=-60, part=20)
    client_of(kinds.seated).post("/notices/seen/", {"until": (MONDAY + timedelta(days=9)).isoformat()})
    made.refresh_from_db()
    assert made.seen_at is None


@pytest.mark.parametrize("until", ["", "nonsense", "2026-13-77T00:00:00Z", "2026-03-09T12:00:00", "<b>", "0"])
def test_a_moment_that_is_none_means_now(kinds: Kinds, until: str) -> None:
    notice(kinds.seated, kinds.match)
    assert client_of(kinds.seated).post("/notices/seen/", {"until": until}).status_code == 302
    assert unseen(kinds.seated) == 0


# --- what is seen by looking ------------------------------------------------------------------------------------------


def test_who_looks_at_the_match_has_seen_its_notices_and_no_others(kinds: Kinds, clock: Traveller) -> None:
    other = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    seen = notice(kinds.seated, kinds.match, Kind.TURN)
    left = [notice(kinds.seated, other), notice(kinds.mate, kinds.match)]
    clock.shift(5)
    looks_at(kinds.seated, kinds.match)
    assert Notice.objects.get(pk=seen.pk).seen_at == MONDAY + timedelta(seconds=5)
    assert not Notice.objects.filter(pk__in=[it.pk for it in left], seen_at__isnull=False).exists()
    assert (unseen(kinds.seated), unseen(kinds.mate)) == (1, 1)


def test_who_looked_before_has_not_seen_what_came_after(kinds: Kinds, clock: Traveller) -> None:
    Notice.objects.all().delete()
    looks_at(kinds.seated, kinds.match)
    clock.shift(60)
    made = notice(kinds.seated, kinds.match, Kind.TURN)
    looks_at(kinds.mate, kinds.match)
    made.refresh_from_db()
    assert made.seen_at is None
    assert unseen(kinds.seated) == 1


def test_a_warning_is_not_seen_by_having_looked_before_it_came(kinds: Kinds, clock: Traveller) -> None:
    other = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    made = notice(kinds.seated, kinds.match, Kind.DEADLINE, ago=-60, part=20)
    looks_at(kinds.seated, kinds.match)
    clock.shift(90)
    looks_at(kinds.seated, other)
    made.refresh_from_db()
    assert made.seen_at is None


def test_what_one_is_looking_at_does_not_count_even_before_it_is_noted_as_seen(kinds: Kinds, clock: Traveller) -> None:
    """Otherwise the number on a player's bell would go up and down with every turn."""
    Notice.objects.all().delete()
    looks_at(kinds.seated, kinds.match)
    clock.shift(10)
    notice(kinds.seated, kinds.match, Kind.TURN)
    assert unseen(kinds.seated) == 0
    clock.shift(presence.LOOKING)
    assert unseen(kinds.seated) == 1


def test_everybody_who_looks_is_noted_by_one_statement(kinds: Kinds) -> None:
    for user in (kinds.seated, kinds.mate):
        for turn in range(3):
            notice(user, kinds.match, Kind.TURN, turn=turn + 10)
        presence.report(user.pk, kinds.match.pk)
    with CaptureQueriesContext(connection) as queries:
        presence.store_reports(presence.take_reports())
    assert len([query for query in queries if "notifications_notice" in query["sql"]]) == 1
    assert not Notice.objects.filter(match=kinds.match, seen_at=None).exists()


def test_the_numbers_of_everybody_cost_one_question(kinds: Kinds) -> None:
    people = [kinds.seated.pk, kinds.mate.pk, kinds.stranger.pk]
    Notice.objects.all().delete()
    for user in (kinds.seated, kinds.mate):
        notice(user, kinds.match)
    with CaptureQueriesContext(connection) as queries:
        told = news.news_of(people)
    assert len(queries) == 1
    assert [len(told[person].notes) for person in people] == [1, 1, 0]


# --- nothing hidden ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", list(games()))
def test_the_words_do_not_depend_on_what_the_reader_may_not_know(slug: str) -> None:
    """Page and toast are the same, byte for byte, for the match and for one whose hidden parts were exchanged."""
    rules = games()[slug]
    people = [person() for _ in range(rules.seats[-1])]
    options = option_combinations(rules, len(people))[0]
    match = running_match(people, game=slug, options=options, seed=bytes(32))
    play_on(match, 7)
    Notice.objects.all().delete()
    made = [
        notice(people[0], match, kind)
        for kind in Kind
        if kind not in {*OF_CLUBS, *OF_EVENTS, Kind.DIGEST, Kind.PUZZLE, Kind.SECURITY}
    ]
    before = told(people[0], made)
    state = positions.decode_state(match)
    imagined = rules.imagine(rules.view_for(state, SeatNumber(0)), FairChance(b"imagined" * 4, 0))
    assert imagined != state or is_open(slug)
    Match.objects.filter(pk=match.pk).update(state=encode(imagined), server_seed=b"another seed, the same to you...")
    assert told(people[0], made) == before


def told(user: User, notices: list[Notice]) -> tuple[str, list[dict[str, str | int]]]:
    """Return the list of the page and the words of the toasts."""
    page = client_of(user).get("/notices/").content.decode()
    words = Centre().words([it.pk for it in notices], "en")
    return page[page.index('id="told"') : page.index("</ol>")], list(words)


def test_words_are_in_the_language_of_the_page(kinds: Kinds) -> None:
    made = notice(kinds.seated, kinds.match)
    english, german = (Centre().words([made.pk], language)[0] for language in ("en", "de"))
    assert set(english) == {"title", "text", "url", "key"}
    assert english["url"] == german["url"] == kinds.match.get_absolute_url()


def test_names_are_text_in_the_centre(kinds: Kinds) -> None:
    evil = "<b hx-get=x>"
    User.objects.filter(pk=kinds.mate.pk).update(username=evil, name_key=evil)
    page = client_of(kinds.seated).get("/notices/").content.decode()
    assert evil[:-1] not in page
    assert "&lt;b hx-get=x&gt;" in page


def test_seen_notices_carry_the_moment(kinds: Kinds) -> None:
    made = notice(kinds.seated, kinds.match)
    client = client_of(kinds.seated)
    client.post("/notices/seen/", {"until": until_of(client)})
    made.refresh_from_db()
    assert made.seen_at is not None
    assert timezone.now() - made.seen_at < timedelta(minutes=1)
