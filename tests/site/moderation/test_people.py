"""What moderators decide about people, what follows from it, and what they may not do."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.relations import is_blocked_with_any
from accounts.services import check_free, rename
from games.chat import services as chat
from games.chat.rooms import place_in
from games.clubs import roster, services as clubs
from games.engine.protocol import RuleViolation
from games.events.services import enter
from games.matchmaking import tables
from games.matchmaking.tables import USUAL_CLOCKS, TableSetup
from games.moderation import people, reversals
from games.moderation.models import Deed
from games.notifications.models import Notice
from games.pairing.models import Wait
from games.pairing.services import wait
from games.play import timekeeping
from games.play.access import access_match
from games.play.models import Match, Speed, Vacation
from games.privacy import deletions
from games.privacy.models import Deletion, Export
from tests.people import PASSWORD, client_of, person, running_match
from tests.site.clubs.clubs import club_of, knockout_of, put_in
from tests.site.notifications.letters import delivered

pytestmark = pytest.mark.django_db


def in_days(days: int) -> Any:
    return timezone.now() + timedelta(days=days)


def say(user: User, match: Match, **words: str) -> None:
    viewed = access_match(user, match.slug)
    chat.say(user, place_in(viewed, user, "players"), client_id=f"c{timezone.now().timestamp()}", **words)


def shown_in(page: str) -> str:
    """Return the number of the warning that a page asks to confirm."""
    (number,) = re.findall(r'name="warning" value="(\d+)"', page)
    return str(number)


def refused(do: Callable[..., object], *about: Any, **more: Any) -> str:
    with pytest.raises(RuleViolation) as refusal:
        do(*about, **more)
    return refusal.value.code


# --- silence ----------------------------------------------------------------------------------------------------------


def test_somebody_silenced_writes_phrases_but_no_words_of_their_own(mod: User, bob: User) -> None:
    match = running_match([bob, person("ann")])
    people.silence(mod, bob, in_days(3), "Insults")
    with pytest.raises(RuleViolation) as refusal:
        say(bob, match, text="hello")
    assert refusal.value.code == "silenced"
    assert "Insults" in refusal.value.text
    say(bob, match, phrase="hello")
    assert "silenced" in refused(
        tables.open_table, bob, TableSetup("shifting-stones", 2, rated=False, note="come and play")
    )
    tables.open_table(bob, TableSetup("shifting-stones", 2, rated=False))
    with pytest.raises(Exception, match="Insults"):
        rename(bob, "rob")


def test_silence_ends_by_itself_and_when_it_is_lifted(mod: User, bob: User) -> None:
    match = running_match([bob, person("ann")])
    deed = people.silence(mod, bob, in_days(3), "Insults")
    Sanction.objects.filter(user=bob).update(until=timezone.now() - timedelta(seconds=1))
    say(bob, match, text="hello")
    assert refused(reversals.undo, mod, deed, "Enough") == "over"
    again = people.silence(mod, bob, None, "Again")
    assert refused(say, bob, match, text="hello again") == "silenced"
    reversals.undo(mod, again, "A mistake")
    say(bob, match, text="hello again")
    assert list(Deed.objects.values_list("act", flat=True)) == ["lift", "silence", "silence"]


# --- suspension -------------------------------------------------------------------------------------------------------


def test_somebody_suspended_reads_leaves_and_is_told_why(mod: User, bob: User) -> None:
    match = running_match([bob, person("ann")])
    browser = client_of(bob)
    people.suspend(mod, bob, in_days(7), "Rating transfer")
    page = browser.get(match.get_absolute_url()).content.decode()
    assert "Your account is suspended until" in page
    answer = browser.post(f"/match/{match.slug}/act/", {"version": match.version})
    assert answer.status_code == 403
    assert "Rating transfer" in answer.content.decode()
    assert browser.post("/settings/name/", {"name": "rob"}).status_code == 403
    assert browser.get("/settings/data/").status_code == 200
    assert "Rating transfer" in browser.get("/standing/").content.decode()
    assert browser.post(f"/match/{match.slug}/resign/", {"client_id": "resign-12"}).status_code == 302
    match.refresh_from_db()
    assert match.is_over
    assert Client().login(username="bob", password=PASSWORD)


def test_somebody_suspended_gets_their_data_ends_their_account_and_keeps_others_away(mod: User, bob: User) -> None:
    browser, ann = client_of(bob), person("ann")
    people.suspend(mod, bob, None, "Rating transfer")
    assert browser.post("/settings/data/export/").status_code == 302
    assert Export.objects.filter(user=bob).exists()
    assert browser.post("/@ann/change/", {"do": "follow"}).status_code == 403
    assert browser.post("/@ann/change/", {"do": "ask"}).status_code == 403
    assert browser.post("/@ann/change/", {"do": "block"}).status_code == 302
    assert is_blocked_with_any(bob, [ann.pk])
    deletions.ask(bob)
    link = re.search(r"https?://[^/]+(/account/delete/\S+)", str(delivered()[-1].body))
    assert link is not None
    assert browser.post(link[1]).status_code == 200
    assert Deletion.objects.get(user=bob).is_confirmed


def test_somebody_suspended_leaves_clubs_and_events_and_enters_none(mod: User, bob: User) -> None:
    browser, club = client_of(bob), club_of(person("ann"), joining="open")
    asked, public = club_of(person("eve"), "Asked by bob"), club_of(person("joe"), "Inviting bob")
    put_in(club, user=bob)
    clubs.ask(bob, asked.slug)
    roster.invite(public.members.get().user, public, ["bob"])
    event = knockout_of(club, club.members.get(role="owner").user)
    enter(bob, event.slug)
    people.suspend(mod, bob, None, "Rating transfer")
    doings = [
        (event.get_absolute_url(), {"do": "enter"}, 403),
        (event.get_absolute_url(), {"do": "leave"}, 302),
        (club.get_absolute_url(), {"do": "leave"}, 302),
        (club.get_absolute_url(), {"do": "join"}, 403),
        (asked.get_absolute_url(), {"do": "take-back"}, 302),
        (asked.get_absolute_url(), {"do": "ask"}, 403),
        (f"{public.get_absolute_url()}invitation/", {"accept": "1"}, 403),
        (f"{public.get_absolute_url()}invitation/", {"decline": "1"}, 302),
    ]
    for address, sent, status in doings:
        assert browser.post(address, sent).status_code == status, (address, sent)
    assert not bob.memberships.exists()
    assert not event.entries.exclude(state="out").exists()
    assert not bob.club_requests.exists()
    assert public.invitations.get().declined_at is not None


def test_somebody_suspended_stops_no_clock_by_a_vacation_but_ends_one(mod: User, bob: User) -> None:
    browser = client_of(bob)
    people.suspend(mod, bob, None, "Rating transfer")
    page = browser.post("/settings/vacation/", {"days": "3"}, follow=True).content.decode()
    assert "Your account is suspended" in page
    assert timekeeping.current_vacation(bob) is None
    Vacation.objects.create(user=bob, year=2026, begin=timezone.now(), end=timezone.now() + timedelta(days=3))
    browser.post("/settings/vacation/", {"end": ""})
    assert timekeeping.current_vacation(bob) is None


def test_somebody_suspended_sits_down_nowhere_and_waits_for_nobody(mod: User, bob: User) -> None:
    from games.pairing.search import Search

    ann = person("ann")
    own = tables.open_table(bob, TableSetup("shifting-stones", 2, rated=False))
    other = tables.open_table(ann, TableSetup("shifting-stones", 3, rated=False))
    tables.join(other.pk, bob)
    waits = wait(bob, Search("shifting-stones", seats=(2,), rated=False))
    people.suspend(mod, bob, in_days(7), "Rating transfer")
    bob.refresh_from_db()
    waits.refresh_from_db()
    assert waits.state == Wait.State.WITHDRAWN
    assert not other.seats.filter(user=bob).exists()
    own.refresh_from_db()
    assert own.status == Match.Status.CLOSED
    assert refused(tables.join, other.pk, bob) == "suspended"
    assert client_of(bob).get("/@ann/challenge/").status_code == 200
    assert refused(tables.open_table, bob, TableSetup("shifting-stones", 2, rated=False)) == "suspended"
    assert refused(wait, bob, Search("shifting-stones", seats=(2,), rated=False)) == "suspended"


def test_the_clocks_of_running_matches_run_on(mod: User, bob: User) -> None:
    match = running_match([bob, person("ann")], clock=USUAL_CLOCKS[Speed.LIVE][0])
    before = match.seats.get(number=0).deadline
    people.suspend(mod, bob, in_days(7), "Rating transfer")
    assert match.seats.get(number=0).deadline == before is not None


def test_a_suspension_that_is_over_lets_go_by_itself(mod: User, bob: User) -> None:
    people.suspend(mod, bob, in_days(7), "Rating transfer")
    Sanction.objects.filter(user=bob).update(until=timezone.now() - timedelta(seconds=1))
    assert "suspended" not in client_of(bob).get("/lobby/").content.decode()
    bob.refresh_from_db()
    assert not bob.held
    tables.open_table(bob, TableSetup("shifting-stones", 2, rated=False))


# --- warnings ---------------------------------------------------------------------------------------------------------


def test_a_warning_is_confirmed_before_any_other_page(mod: User, bob: User) -> None:
    people.warn(mod, bob, "Please be kind")
    browser = client_of(bob)
    answer = browser.get("/lobby/?game=card-chess")
    assert answer.status_code == 302
    page = browser.get(answer["Location"]).content.decode()
    assert "Please be kind" in page
    assert browser.post("/people/presence/", {"shows": "no"}).status_code == 302
    bob.refresh_from_db()
    assert bob.shows_presence
    confirmed = browser.post("/warning/", {"warning": shown_in(page), "next": "/lobby/?game=card-chess"})
    assert confirmed["Location"] == "/lobby/?game=card-chess"
    assert browser.get("/lobby/").status_code == 200
    assert browser.get("/warning/").status_code == 302


def test_a_warning_leads_nowhere_else(mod: User, bob: User) -> None:
    people.warn(mod, bob, "Please be kind")
    assert client_of(bob).post("/warning/", {"next": "https://elsewhere.example/"})["Location"] == "/"


def test_only_the_warning_that_was_shown_is_confirmed(mod: User, bob: User) -> None:
    browser = client_of(bob)
    for reason in ("Please be kind", "And fair"):
        people.warn(mod, bob, reason)
    first = shown_in(browser.get("/warning/").content.decode())
    for _click in range(2):
        browser.post("/warning/", {"warning": first})
    answer = browser.get("/lobby/", follow=True).content.decode()
    assert "And fair" in answer
    browser.post("/warning/", {"warning": shown_in(answer)})
    assert browser.get("/lobby/").status_code == 200


@pytest.mark.parametrize("which", ["", "0", "none", str(10**30), "of somebody else"])
def test_nothing_is_confirmed_by_what_names_no_warning_of_the_reader(mod: User, bob: User, which: str) -> None:
    other = people.warn(mod, person("ann"), "Not you").sanction
    people.warn(mod, bob, "Please be kind")
    assert other is not None
    browser = client_of(bob)
    browser.post("/warning/", {"warning": other.pk if which == "of somebody else" else which})
    assert browser.get("/lobby/").status_code == 302
    assert Sanction.objects.filter(ended_at=None).count() == 2


# --- closing ----------------------------------------------------------------------------------------------------------


def test_a_closed_account_logs_in_nowhere_and_is_told_by_email(
    mod: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    browser = client_of(bob)
    with django_capture_on_commit_callbacks(execute=True):
        deed = people.close_account(mod, bob, "Three accounts")
    assert browser.get("/standing/").status_code == 302
    answer = Client().post("/account/login/", {"login": "bob", "password": PASSWORD})
    assert answer["Location"] == "/account/inactive/"
    assert "Three accounts" in delivered()[-1].body
    assert client_of(mod).get("/moderation/people/bob/").status_code == 200
    reversals.undo(mod, deed, "They were sisters")
    bob.refresh_from_db()
    assert bob.is_active
    assert client_of(bob).get("/standing/").status_code == 200


# --- names ------------------------------------------------------------------------------------------------------------


def test_a_name_that_was_taken_away_is_nobodys(mod: User, bob: User) -> None:
    deed = people.rename(mod, bob, "Player-17", "The name insults people")
    bob.refresh_from_db()
    assert bob.username == "Player-17"
    with pytest.raises(Exception, match="taken"):
        rename(bob, "bob")
    with pytest.raises(Exception, match="taken"):
        rename(person("ann"), "bob")
    assert "The name insults people" in client_of(bob).get("/standing/").content.decode()
    reversals.undo(mod, deed, "It is their real name")
    bob.refresh_from_db()
    assert bob.username == "bob"
    assert not bob.former_names.filter(forbidden=True).exists()
    rename(bob, "Player-17")
    check_free("bob", by=bob)


def test_a_name_is_given_back_once_only(mod: User, bob: User) -> None:
    deed = people.rename(mod, bob, "Player-17", "The name insults people")
    undo = f"/moderation/log/{deed.pk}/undo/"
    browser = client_of(mod)
    assert undo in browser.get("/moderation/log/").content.decode()
    reversals.undo(mod, deed, "It is their real name")
    told = Notice.objects.count()
    assert refused(reversals.undo, mod, deed, "Again") == "final"
    assert (Deed.objects.count(), Notice.objects.count()) == (2, told)
    assert "/undo/" not in browser.get("/moderation/log/").content.decode()


def test_a_name_chosen_since_stays(mod: User, bob: User) -> None:
    deed = people.rename(mod, bob, "Player-17", "The name insults people")
    bob.refresh_from_db()
    rename(bob, "rob")
    assert refused(reversals.undo, mod, deed, "It is their real name") == "final"
    bob.refresh_from_db()
    assert bob.username == "rob"
    page = client_of(mod).post(f"/moderation/log/{deed.pk}/undo/", {"reason": "x"}, follow=True).content.decode()
    assert "it has been taken back or changed since" in page
    assert "/undo/" not in page


def test_a_name_only_written_differently_is_not_given_back(mod: User, bob: User) -> None:
    people.rename(mod, bob, "Player-17", "A bad name")
    people.rename(mod, bob, "rob", "A better one")
    deed = people.rename(mod, bob, "ROB", "As they want")
    assert refused(reversals.undo, mod, deed, "As they do not want") == "final"


def test_a_new_name_that_is_not_allowed_is_refused(mod: User, bob: User) -> None:
    person("ann")
    assert refused(people.rename, mod, bob, "ann", "Why not") == "name"
    assert refused(people.rename, mod, bob, "", "Why not") == "name"
    assert refused(people.rename, mod, bob, "bob", "Why not") == "name"
    assert Deed.objects.count() == 0
