"""What moderators are shown before they decide, and what is not theirs to read."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest

from accounts.models import User
from games.chat.services import take_back
from games.moderation import cases, context
from games.play.models import Match
from tests.people import client_of, person, running_match
from tests.site.chat.rooms import befriend, say, write
from tests.site.moderation.devices import NOON, logged_in
from tests.site.moderation.moderators import moderator

pytestmark = pytest.mark.django_db

SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML) Version/17.5 Safari/605.1.15"


def page(mod: User, path: str) -> str:
    answer = client_of(mod).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


# --- the surroundings of a report -------------------------------------------------------------------------------------


def test_a_reported_message_is_shown_with_five_before_and_five_after(mod: User, ann: User, bob: User) -> None:
    match, other = running_match([ann, bob]), running_match([ann, bob])
    people = itertools.cycle([ann, bob])
    written = [say(next(people), match, f"line {number:02}") for number in range(14)]
    say(bob, other, "in another match")
    case = cases.report_message(ann, written[7], "line 07", "insult", "").case
    (told,) = context.reports_of(case, mod)
    assert [message.text for message in told.messages] == [f"line {number:02}" for number in range(2, 13)]
    shown = page(mod, f"/moderation/cases/{case.pk}/")
    around = shown.partition("Messages around it")[2].partition("</ol>")[0]
    assert "line 02" in around
    assert "line 12" in around
    assert "line 01" not in around
    assert "line 13" not in around
    assert around.count('class="reported"') == 1
    assert "in another match" not in around


def test_phrases_around_a_reported_message_are_shown_in_the_readers_language(mod: User, ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    say(bob, match, phrase="nice")
    insult = say(bob, match, "You fool")
    case = cases.report_message(ann, insult, insult.text, "insult", "").case
    assert "Nice move!" in page(mod, f"/moderation/cases/{case.pk}/")
    User.objects.filter(pk=mod.pk).update(language="it")
    assert "Bella mossa!" in page(mod, f"/moderation/cases/{case.pk}/")


def test_matches_of_reporter_and_reported_are_shown(mod: User, ann: User, bob: User) -> None:
    both, alone = running_match([ann, bob]), running_match([ann, person("eve")])
    case = cases.report_person(ann, bob, "cheating", "").case
    (told,) = context.reports_of(case, mod)
    assert list(told.matches) == [both]
    shown = page(mod, f"/moderation/cases/{case.pk}/")
    assert "1 match between the two" in shown
    assert f"/moderation/matches/{both.slug}/" in shown
    assert f"/moderation/matches/{alone.slug}/" not in shown


def test_accounts_used_on_one_device_are_shown_once_each(mod: User, ann: User, bob: User) -> None:
    eve, far, dora = person("eve"), person("far"), person("dora")
    logged_in(bob)
    for hour in range(30):
        logged_in(eve, at=NOON + timedelta(hours=hour))
    logged_in(dora, at=NOON + timedelta(minutes=1))
    logged_in(far, ip="192.0.2.9")
    logged_in(ann, agent=SAFARI)
    assert [shared.person for shared in context.shared_devices(bob)] == [eve, dora]
    case = cases.report_person(ann, bob, "cheating", "").case
    devices = page(mod, f"/moderation/cases/{case.pk}/").partition("Devices in common")[2].partition("</ul>")[0]
    assert devices.count("/moderation/people/eve/") == 1
    assert devices.count("/moderation/people/dora/") == 1
    assert "/moderation/people/far/" not in devices
    assert "/moderation/people/ann/" not in devices


def test_of_many_accounts_on_one_device_the_latest_are_shown(bob: User) -> None:
    logged_in(bob)
    people = [person() for _number in range(context.MOST + 2)]
    for number, each in enumerate(people):
        logged_in(each, at=NOON + timedelta(minutes=number))
    found = [shared.person for shared in context.shared_devices(bob)]
    assert found == people[: -context.MOST - 1 : -1]


def test_what_the_players_of_a_reported_match_have_in_common_is_shown(mod: User, ann: User, bob: User) -> None:
    eve = person("eve")
    match, other = running_match([ann, bob, eve]), running_match([ann, bob])
    for user in (ann, bob, person("far")):
        logged_in(user)
    logged_in(eve, ip="192.0.2.9")
    case = cases.report_match(eve, match, "cheating", "").case
    for path in (f"/moderation/cases/{case.pk}/", f"/moderation/matches/{match.slug}/"):
        shown = page(mod, path).partition("ann – bob")[2]
        assert "1 match between the two" in shown
        assert f"/moderation/matches/{other.slug}/" in shown
        assert "Devices in common: Firefox" in shown
        assert "far" not in shown
        assert "– eve" not in shown


def test_of_their_own_match_moderators_do_not_see_what_players_have_in_common(mod: User, ann: User) -> None:
    match = running_match([mod, ann])
    running_match([mod, ann])
    assert "of the two" not in page(mod, f"/moderation/matches/{match.slug}/")
    assert "1 match between the two" in page(moderator("other"), f"/moderation/matches/{match.slug}/")


# --- what is not theirs to read ---------------------------------------------------------------------------------------


def test_messages_between_friends_are_read_only_when_they_were_reported(mod: User, ann: User, bob: User) -> None:
    befriend(ann, bob)
    write(bob, ann, "between us two")
    bad = write(bob, ann, "You are a fool")
    say(bob, running_match([ann, bob]), "said in a match")
    shown = page(mod, "/moderation/people/bob/")
    assert "said in a match" in shown
    assert "between us two" not in shown
    assert "You are a fool" not in shown
    cases.report_message(ann, bad, "You are a fool", "insult", "")
    shown = page(mod, "/moderation/people/bob/")
    assert "You are a fool" in shown
    assert "between us two" not in shown


def test_what_was_taken_back_is_marked(mod: User, ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    take_back(bob, say(bob, match, "not what I meant"))
    for path in ("/moderation/people/bob/", f"/moderation/matches/{match.slug}/"):
        assert "deleted by its author" in page(mod, path)


def test_spectators_of_a_moderators_running_match_are_not_read(mod: User, ann: User, bob: User) -> None:
    match = running_match([mod, ann])
    hint = say(bob, match, "She holds the tower", room="watchers")
    case = cases.report_message(person("eve"), hint, "She holds the tower", "insult", "").case
    pages = ("/moderation/people/bob/", f"/moderation/matches/{match.slug}/", f"/moderation/cases/{case.pk}/")
    for path in pages:
        assert "She holds the tower" not in page(mod, path)
        assert "She holds the tower" in page(moderator(), path)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.OVER)
    for path in pages:
        assert "She holds the tower" in page(mod, path)


def test_a_moderators_own_page_says_nothing_of_reports(mod: User, ann: User) -> None:
    case = cases.report_person(ann, mod, "insult", "").case
    path = f"/moderation/cases/{case.pk}/"
    assert path not in page(mod, "/moderation/people/mod/")
    assert path in page(moderator("other"), "/moderation/people/mod/")


def test_people_are_told_what_moderators_see(ann: User) -> None:
    assert "only those that someone has reported" in page(ann, "/privacy/")
    assert "same browser in the same network" in page(ann, "/settings/data/")
    assert "Only administrators can see your email address" in page(ann, "/privacy/")
    assert "only administrators your address" in page(ann, "/settings/data/")
