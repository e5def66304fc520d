"""The commands of the operator do what the pages of moderators do."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts import sanctions
from accounts.mail import post
from accounts.models import User
from games.chat.services import take_back
from games.moderation import cases
from games.moderation.models import Deed
from games.notifications.models import Delivery
from games.play import commands as play
from games.play.models import Match, Seat, Setback
from games.ratings.models import Rating
from tests.people import client_of, open_table, person, running_match
from tests.site.chat.rooms import befriend, say, write
from tests.site.moderation.devices import logged_in

pytestmark = pytest.mark.django_db


def run(*words: Any) -> str:
    out = StringIO()
    call_command(*map(str, words), stdout=out)
    return out.getvalue()


def test_people_are_warned_silenced_suspended_and_let_go(bob: User) -> None:
    run("people", "warn", "BOB", "--reason", "Be kind")
    run("people", "silence", "bob", "--for", "3d", "--reason", "Insults")
    run("people", "suspend", "bob", "--for", "forever", "--reason", "Cheating")
    shown = run("people", "show", "bob")
    assert "sanction: suspension until lifted: Cheating" in shown
    assert "(command): Insults" in shown
    run("people", "lift", "bob", "--reason", "A mistake")
    assert not sanctions.running(bob).exists()
    assert Deed.objects.filter(act="lift").count() == 3
    run("people", "rename", "bob", "--name", "rob", "--reason", "A bad name")
    run("people", "role", "rob", "--role", "moderators", "--reason", "Kind")
    run("people", "close", "rob", "--reason", "Gone")
    bob.refresh_from_db()
    assert (bob.username, bob.is_active, bob.is_staff) == ("rob", False, True)
    assert "account closed" in run("people", "show", "rob")


def test_a_name_that_was_taken_away_is_given_back(bob: User) -> None:
    with pytest.raises(CommandError, match="No name was taken away"):
        run("people", "restore", "bob", "--reason", "A mistake")
    run("people", "rename", "bob", "--name", "rob", "--reason", "A bad name")
    run("people", "restore", "rob", "--reason", "A mistake")
    bob.refresh_from_db()
    assert bob.username == "bob"
    with pytest.raises(CommandError, match="No name was taken away"):
        run("people", "restore", "bob", "--reason", "Again")


def test_cases_are_listed_shown_decided_and_opened_again(bob: User) -> None:
    ann = person("ann")
    match = running_match([ann, bob])
    message = say(bob, match, "You are all fools")
    case = cases.report_message(ann, message, message.text, "insult", "He always does").case
    assert f"{case.pk}  " in run("cases")
    assert "bob  1 report" in run("cases")
    shown = run("cases", "show", case.pk)
    assert "ann: Insults, threats or hatred: He always does" in shown
    assert "> bob: You are all fools" in shown
    run("cases", "decide", case.pk, "--verdict", "acted", "--answer", "He is silent now.", "--reason", "Insults")
    assert "No case is open." in run("cases")
    assert "He is silent now." in client_of(ann).get("/reports/").content.decode()
    run("cases", "reopen", case.pk, "--reason", "Not yet")
    assert f"{case.pk}  " in run("cases")
    assert "decide     (command): Insults" in run("cases", "show", case.pk)


def test_a_case_about_a_match_names_it(bob: User) -> None:
    match = running_match([person("ann"), bob])
    case = cases.report_match(bob, match, "cheating", "").case
    assert f"{case.pk}  " in run("cases")
    assert f"match {match.slug}  1 report" in run("cases")


def test_a_case_shows_the_matches_of_the_two_and_the_devices_in_common(bob: User) -> None:
    ann = person("ann")
    both = running_match([ann, bob])
    case = cases.report_person(ann, bob, "cheating", "").case
    shown = run("cases", "show", case.pk)
    assert "  matches of ann and bob:\n" in shown
    assert f"  {both.slug}  running  casual\n" in shown
    assert "\ndevices in common with bob: none\n" in shown
    for user in (bob, person("eve"), person("methuselah")):
        logged_in(user)
    shown = run("cases", "show", case.pk)
    assert "\ndevices in common with bob:\n  eve         Firefox, Linux\n  methuselah  Firefox, Linux\n" in shown


def test_a_match_and_a_case_about_it_show_what_its_players_have_in_common(bob: User) -> None:
    ann, eve = person("ann"), person("eve")
    match = running_match([ann, bob, eve])
    case = cases.report_match(eve, match, "cheating", "").case
    asked = (("matches", "show", match.slug), ("cases", "show", case.pk))
    assert all("\ndevices and other matches in common: none\n" in run(*words) for words in asked)
    other = running_match([ann, bob])
    for user in (ann, bob):
        logged_in(user)
    for words in asked:
        shown = run(*words)
        assert "\ndevices in common of ann and bob: Firefox, Linux\nother matches of ann and bob:\n" in shown
        assert other.slug in shown
        assert "and eve" not in shown


def test_an_operator_reads_spectators_of_any_match(bob: User) -> None:
    """Also where a seat has no account, as a bot's has: that is not the operator, who has none either."""
    match = running_match([person("ann"), bob])
    Seat.objects.filter(match=match, number=0).update(user=None)
    hint = say(person("dan"), match, "She holds the tower", room="watchers")
    case = cases.report_message(bob, hint, hint.text, "insult", "").case
    assert "> dan: She holds the tower" in run("cases", "show", case.pk)


def test_a_match_and_a_person_are_shown_with_what_was_written_last(bob: User) -> None:
    ann, dan = person("ann"), person("dan")
    match, other = running_match([ann, bob]), running_match([ann, bob])
    assert all("\nlatest messages: none\n" in run(*words) for words in (("matches", "show", match.slug), _SHOW_BOB))
    for number in range(9):
        say((ann, dan)[number % 2], match, f"Message {number}", room=("players", "watchers")[number % 2])
    taken = say(bob, match, "You fool")
    take_back(bob, taken)
    say(bob, other, "Elsewhere")
    lines = [" ".join(line.split()) for line in run("matches", "show", match.slug).splitlines()]
    first = lines.index("latest messages:") + 1
    assert lines[first].endswith("players ann Message 0")
    assert lines[first + 1].endswith("watchers dan Message 1")
    assert lines[first + 9].endswith("players bob You fool (deleted by its author)")
    shown = run(*_SHOW_BOB)
    assert f"  {match.slug}  You fool (deleted by its author)\n" in shown
    assert f"  {other.slug}  Elsewhere\n" in shown
    assert "Message" not in shown
    case = cases.report_match(ann, match, "cheating", "").case
    assert "You fool (deleted by its author)" in run("cases", "show", case.pk)


def test_of_messages_between_friends_an_operator_reads_what_was_reported(bob: User) -> None:
    ann = person("ann")
    befriend(ann, bob)
    secret, insult = write(bob, ann, "The key is under the mat"), write(bob, ann, "You fool")
    cases.report_message(ann, insult, insult.text, "insult", "")
    assert insult.text in run(*_SHOW_BOB)
    assert secret.text not in run(*_SHOW_BOB)


_SHOW_BOB = ("people", "show", "bob")


def test_a_person_is_shown_with_earlier_names_devices_and_latest_matches(bob: User) -> None:
    shown = run("people", "show", "bob")
    for heading in ("earlier names: none", "devices in common with bob: none", "latest matches: none"):
        assert f"\n{heading}\n" in shown
    match, eve = running_match([bob, person("ann")], rated=True), person("eve")
    run("people", "rename", "bob", "--name", "rob", "--reason", "A bad name")
    for user in (bob, eve):
        logged_in(user)
    shown = run("people", "show", "rob")
    assert "\nearlier names:\n  bob  until 20" in shown
    assert "\ndevices in common with rob:\n  eve  Firefox, Linux\n" in shown
    assert f"  {match.slug}  running  rated\n" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("people", "warn", "nobody", "--reason", "x"), "There is nobody called nobody"),
        (("people", "warn", "bob"), "Please give a reason"),
        (("people", "silence", "bob", "--reason", "x"), "12h, 3d, 2w or forever"),
        (("people", "silence", "bob", "--for", "soon", "--reason", "x"), "12h, 3d, 2w or forever"),
        (("people", "lift", "bob", "--reason", "x"), "There is no sanction"),
        (("people", "role", "bob", "--reason", "x"), "Say which role with --role"),
        (("matches", "show", "none"), "There is no match"),
        (("cases", "show", "99999999"), "There is no case 99999999"),
        (("cases", "decide"), "Say which case"),
    ],
)
def test_what_is_refused_says_why(bob: User, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        run(*words)
    assert not Deed.objects.exists()


def test_matches_are_awarded_reinstated_aborted_and_closed(bob: User) -> None:
    match = running_match([bob, person("ann")], rated=True)
    Seat.objects.filter(match=match).update(acted=True)
    play.resign(match.pk, 0, "resign-here")
    run("matches", "award", f"http://127.0.0.1/match/{match.slug}/", "--places", 1, 2, "--reason", "Because")
    assert Rating.objects.get(user=bob).rating == 1_520_000
    assert "played: [2, 1]" in run("matches", "show", match.slug)
    run("matches", "reinstate", match.slug, "--reason", "Because")
    assert Rating.objects.get(user=bob).rating == 1_480_000
    run("matches", "abort", match.slug, "--reason", "Because")
    assert Rating.objects.get(user=bob).rating == 1_500_000
    table = open_table([bob], seats=2)
    run("matches", "close", table.slug, "--reason", "Because")
    table.refresh_from_db()
    assert table.status == Match.Status.CLOSED
    with pytest.raises(CommandError, match="--places"):
        run("matches", "award", match.slug, "--reason", "Because")


def test_setbacks_are_listed_and_revived() -> None:
    dead = Setback.objects.create(job="timeouts", key=7, failures=8, error="KeyError('x')")
    later = Setback.objects.create(job="notices", key=8, failures=1, not_before=timezone.now())
    shown = run("setbacks")
    assert "timeouts 7  8 failures  dead  KeyError('x')" in shown
    assert "2 set back, 1 of them dead." in shown
    assert "1 to be tried again" in run("setbacks", "revive")
    dead.refresh_from_db()
    assert dead.not_before is not None
    assert "1 to be tried again" in run("setbacks", "revive", later.pk)
    assert "Nothing to revive" in run("setbacks", "revive")


def test_notices_are_listed_and_revived(bob: User) -> None:
    made = {"user": bob, "channel": "mail", "kind": "digest", "state": Delivery.State.DEAD}
    one, other = (Delivery.objects.create(key=key, **made) for key in ("one", "other"))
    assert "2 undelivered" in run("notices")
    run("notices", "revive", one.pk)
    assert set(Delivery.objects.values_list("pk", "state")) == {(one.pk, "waiting"), (other.pk, "dead")}
    run("notices", "revive")
    assert not Delivery.objects.filter(state="dead").exists()


def test_emails_about_accounts_that_wait_are_listed_without_their_links() -> None:
    assert "Emails about accounts" not in run("notices")
    post(EmailMultiAlternatives("Please confirm", "/account/secret/", to=["ann@example.org"]))
    Delivery.objects.update(attempts=3)
    shown = run("notices")
    assert "Emails about accounts that wait for the mail server:\n" in shown
    assert "3 failures  the email 'Please confirm' to ann@example.org\n" in shown
    assert "/account/secret/" not in shown
    assert "ann@example.org" in run("notices", "--channel", "mail")
    assert "ann@example.org" not in run("notices", "--channel", "push")


@pytest.mark.parametrize("command", ["people", "matches", "cases", "notices", "setbacks"])
def test_help_shows_examples_line_by_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command(command, "--help")
    assert f"\n  manage.py {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("abort", "Aborting a running match and closing a table cannot be taken back"),
        ("role", "removing second factors and confirming an address cannot be undone"),
    ],
)
def test_help_says_what_cannot_be_taken_back(act: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("matches" if act == "abort" else "people", "--help")
    assert said in " ".join(capsys.readouterr().out.split())
