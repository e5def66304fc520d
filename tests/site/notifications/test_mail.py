"""Mails as a mail server gets them: headers, both parts, threads; once, and later when the server is away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from html import unescape
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings
from time_machine import Traveller

from accounts import relations
from accounts.models import User
from games.matchmaking import tables
from games.matchmaking.models import Invitation
from games.matchmaking.tables import TableSetup
from games.moderation import cases, people
from games.notifications import delivery, planning
from games.notifications.channels import mail
from games.notifications.channels.mail import unsubscribe_token
from games.notifications.jobs import DailyNotices, Deliveries, Planning
from games.notifications.models import DAILY, Delivery, Host, Kind, Mute, Notice, Preferences
from games.play import commands, jobs
from games.play.models import Match
from tests.clocked import DAYS, MONDAY
from tests.people import act, client_of, person, running_match
from tests.site.moderation.moderators import moderator
from tests.site.notifications.letters import Mailbox, mail_server, part
from tests.site.notifications.telling import minutes, prefer

pytestmark = pytest.mark.django_db

HOST = "127.0.0.1"


@pytest.fixture
def box(settings: Settings) -> Iterator[Mailbox]:
    """A mail server of our own, to which Django sends."""
    with mail_server() as made:
        made.take_mails_of(settings)
        yield made


@pytest.fixture
def ann(clock: Traveller) -> User:
    return person("ann", time_zone="Europe/Berlin")


def work() -> None:
    while jobs.run_due([Planning(), DailyNotices(), Deliveries(threaded=False)]):
        pass


def match_of(user: User, *others: str, **fields: Any) -> Match:
    match = running_match([user, *(person(name) for name in others)], **fields)
    Notice.objects.filter(match=match, kind=Kind.STARTED).delete()
    return match


def the_letter(box: Mailbox) -> EmailMessage:
    (_to, letter), *others = box.letters
    assert others == []
    return letter


# --- what an email is -------------------------------------------------------------------------------------------------


def test_a_mail_is_for_its_reader_and_says_what_it_is(clock: Traveller, box: Mailbox, ann: User) -> None:
    match = match_of(ann, "bob")
    clock.shift(minutes(10))
    work()
    (to, letter), *_ = box.letters
    assert to == ["ann@example.org"]
    assert (letter["To"], letter["From"], letter["Subject"]) == (
        "ann@example.org",
        settings.DEFAULT_FROM_EMAIL,
        "Tessera: Your turn: Shifting Stones with bob",
    )
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["List-Id"] == f"Tessera <notices.{HOST}>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter["Message-ID"] == mail.message_id(Delivery.objects.get(channel="mail"))
    assert letter.get_content_type() == "multipart/alternative"
    for kind in ("plain", "html"):
        assert f"{settings.SITE_URL}/match/{match.slug}/" in part(letter, kind)
        assert "You are playing with bob." in part(letter, kind)


def test_a_mail_shows_the_game_with_a_picture_of_the_site(clock: Traveller, box: Mailbox, ann: User) -> None:
    match_of(ann, "bob")
    clock.shift(minutes(10))
    work()
    shown = re.findall(r'<img src="([^"]*)" alt=""', part(the_letter(box), "html"))
    assert shown == [f"{settings.SITE_URL}/static/shifting_stones/art/mail.jpg"]


def test_a_mail_can_do_without_a_picture(
    clock: Traveller, box: Mailbox, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def uncollected(name: str) -> str:
        raise ValueError(f"Missing staticfiles manifest entry for {name!r}")

    monkeypatch.setattr("games.titles.art.static", uncollected)
    match_of(ann, "bob")
    clock.shift(minutes(10))
    work()
    assert "<img" not in part(the_letter(box), "html")


def test_the_header_for_leaving_works_as_it_stands(clock: Traveller, box: Mailbox, ann: User) -> None:
    match_of(ann, "bob")
    clock.shift(minutes(10))
    work()
    header = str(the_letter(box)["List-Unsubscribe"])
    found = re.fullmatch(r"<(http\S+)>, <mailto:([^?]+)\?subject=unsubscribe%20(\S+)>", header)
    assert found is not None
    path = found[1].removeprefix(settings.SITE_URL)
    assert Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Preferences.of(ann).wants("turn", "mail")


def test_mails_of_one_match_are_one_thread(clock: Traveller, box: Mailbox, ann: User) -> None:
    match = match_of(ann, "bob", clock=DAYS, speed="days")
    clock.shift(minutes(10))
    work()
    clock.shift(timedelta(days=2.4))
    work()
    threads = [(letter["References"], letter["In-Reply-To"]) for _to, letter in box.letters]
    assert threads == [(f"<{match.slug}@match.{HOST}>", f"<{match.slug}@match.{HOST}>")] * 2
    assert len(set(box.ids)) == 2


MESSAGE_ID = re.compile(r"<[\w!#$%&'*+/=?^`{|}~.-]+@[\w.-]+>", re.ASCII)
"""An id without quotes (RFC 5322, 3.6.4)."""


def test_mails_about_no_match_have_threads_of_their_own_with_valid_ids(
    clock: Traveller, box: Mailbox, ann: User
) -> None:
    bob, mod = person("bob"), moderator("mod")
    for about in (match_of(person("cid"), "dan"), match_of(person("eve"), "fay")):
        case = cases.report_match(ann, about, "cheating", "").case
        cases.decide(mod, case.pk, "nothing", "", "Looked at it")
    people.warn(mod, ann, "Please be kind.")
    relations.request_friendship(bob, ann)
    work()
    threads = [str(letter["In-Reply-To"]) for to, letter in box.letters if to == ["ann@example.org"]]
    assert len(threads) == len(set(threads)) == 4
    assert all(MESSAGE_ID.fullmatch(thread) for thread in threads), threads
    assert all(MESSAGE_ID.fullmatch(it) for it in box.ids), box.ids
    assert not [thread for thread in threads if "None" in thread]


def test_a_mail_of_several_matches_lists_them_all_least_time_first(clock: Traveller, box: Mailbox, ann: User) -> None:
    later = match_of(ann, "bob", clock="432000+86400/432000", speed="days")
    without = match_of(ann, "cid", clock="")
    sooner = match_of(ann, "dan", clock=DAYS, speed="days")
    clock.shift(minutes(10))
    work()
    letter = the_letter(box)
    assert letter["Subject"] == "Tessera: 3 matches are waiting for you"
    assert letter["References"] == f"<{sooner.slug}@match.{HOST}>"
    for kind in ("plain", "html"):
        found = re.findall(r"/match/(\w+)/", part(letter, kind))
        assert found == [sooner.slug, later.slug, without.slug]
    assert "with dan, until Thu, 12 Mar, 13:00 CET" in part(letter, "plain")


def test_a_warning_names_the_other_matches_that_wait(clock: Traveller, box: Mailbox, ann: User) -> None:
    prefer(ann, off=["turn.mail"])
    urgent, other = match_of(ann, "bob", clock=DAYS, speed="days"), match_of(ann, "cid", clock="")
    clock.shift(timedelta(days=2.4))
    work()
    letter = the_letter(box)
    assert letter["Subject"] == "Tessera: Your time is running out: Shifting Stones with bob"
    assert "Less than 20 % of the time for your turn is left. You have until Thu, 12 Mar, 13:00 CET." in part(
        letter, "plain"
    )
    assert re.findall(r"/match/(\w+)/", part(letter, "plain")) == [urgent.slug, other.slug]
    assert "You have until Thu, 13:00." in client_of(ann).get("/notices/").content.decode(), "days of this week"


def test_a_result_is_folded_into_the_next_mail_once(clock: Traveller, box: Mailbox, ann: User) -> None:
    over = match_of(ann, "bob", rated=True)
    over.seats.update(acted=True)
    commands.resign(over.pk, 1, "resignation")
    clock.shift(minutes(10))
    work()
    assert box.letters == []
    match_of(ann, "cid")
    clock.shift(minutes(10))
    work()
    assert "You beat bob. bob has resigned. Your rating: 1520 (+20)." in part(the_letter(box), "plain")
    clock.shift(minutes(1))
    match_of(ann, "dan")
    clock.shift(minutes(61))
    work()
    assert len(box.letters) == 2
    assert "You beat" not in part(box.letters[-1][1], "plain")


def test_a_result_that_was_seen_or_is_not_wanted_stands_in_no_mail(clock: Traveller, box: Mailbox, ann: User) -> None:
    prefer(ann, off=["over.mail"])
    commands.resign(match_of(ann, "bob").pk, 1, "resignation")
    clock.shift(minutes(1))
    work()
    match_of(ann, "cid")
    clock.shift(minutes(10))
    work()
    assert "You beat" not in part(the_letter(box), "plain")


def test_a_mail_is_in_the_language_of_its_reader(clock: Traveller, box: Mailbox) -> None:
    greta = person("greta", language="de", time_zone="Asia/Tokyo")
    match_of(greta, "bob", clock=DAYS, speed="days")
    clock.shift(minutes(10))
    work()
    html = part(the_letter(box), "html")
    assert '<html lang="de">' in html
    assert "Do, 12. März, 21:00 JST" in html


def test_who_has_no_verified_address_gets_no_mail(clock: Traveller, box: Mailbox, ann: User) -> None:
    match_of(ann, "bob")
    EmailAddress.objects.filter(user=ann).update(verified=False)
    clock.shift(minutes(10))
    work()
    assert box.letters == []


def test_an_address_that_is_no_longer_verified_when_the_mail_goes_gets_none(
    clock: Traveller, box: Mailbox, ann: User
) -> None:
    match_of(ann, "bob")
    clock.shift(minutes(10))
    for _ in range(2):
        jobs.run_due([Planning()])
    EmailAddress.objects.filter(user=ann).update(verified=False)
    work()
    assert box.letters == []
    assert Delivery.objects.get(channel="mail").state == "dead"


# --- the digest -------------------------------------------------------------------------------------------------------


def with_digest(user: User) -> None:
    prefer(user, off=["turn.mail", "started.mail", *(f"puzzle.{way}" for way in DAILY[Kind.PUZZLE])])
    planning.schedule_daily(Preferences.of(user))


def test_the_digest_comes_daily_at_the_persons_hour(clock: Traveller, box: Mailbox, ann: User) -> None:
    with_digest(ann)
    match = match_of(ann, "bob", clock="")
    clock.move_to(MONDAY + timedelta(hours=4, minutes=59))
    work()
    assert box.letters == []
    for day in range(3):
        clock.move_to(MONDAY + timedelta(days=day, hours=5))  # 18:00 in Berlin
        work()
        work()
        assert len(box.letters) == day + 1
    letter = box.letters[0][1]
    assert (letter["Subject"], letter["Message-ID"]) == (
        "Tessera: Your daily digest: 1 match is waiting for you",
        mail.message_id(Delivery.objects.get(key=f"digest.{ann.pk}.2026-03-09.mail.mail")),
    )
    assert match.slug in part(letter, "plain")


def test_the_digest_names_what_has_ended(clock: Traveller, box: Mailbox, ann: User) -> None:
    with_digest(ann)
    match_of(ann, "bob", clock="")
    commands.resign(match_of(ann, "cid").pk, 1, "resignation")
    clock.shift(minutes(1))
    work()
    clock.shift(timedelta(hours=5))
    work()
    assert "You beat cid." in part(the_letter(box), "html")


def test_the_digest_is_skipped_when_nothing_waits(clock: Traveller, box: Mailbox, ann: User) -> None:
    with_digest(ann)
    act(match_of(ann, "bob", clock=""), "end")
    clock.shift(timedelta(hours=5))
    work()
    assert "ann@example.org" not in {address for to, _letter in box.letters for address in to}
    assert DailyNotices().next_due() == MONDAY + timedelta(days=1, hours=5)


def test_nobody_gets_a_digest_who_did_not_ask_for_it(clock: Traveller, ann: User) -> None:
    planning.schedule_daily(Preferences.of(ann))
    assert DailyNotices().next_due() is None


def test_after_days_without_a_worker_there_is_one_digest(clock: Traveller, box: Mailbox, ann: User) -> None:
    with_digest(ann)
    match_of(ann, "bob", clock="")
    clock.shift(timedelta(days=4))
    work()
    assert len(box.letters) == 1


def test_two_workers_decide_about_a_digest_once(clock: Traveller, ann: User) -> None:
    with_digest(ann)
    match_of(ann, "bob", clock="")
    clock.shift(timedelta(hours=5))
    assert [planning.plan_daily(ann.daily_hours.get().pk) for _ in range(2)] == [True, False]
    assert Delivery.objects.filter(notice=None).count() == 1


# --- servers that are away --------------------------------------------------------------------------------------------


def test_a_mail_that_was_refused_for_now_is_sent_later_with_the_same_number(
    clock: Traveller, box: Mailbox, ann: User
) -> None:
    match_of(ann, "bob")
    clock.shift(minutes(10))
    box.refusing = True
    work()
    box.refusing = False
    work()
    assert box.letters == []
    clock.shift(10)
    work()
    assert box.ids == [mail.message_id(Delivery.objects.get(channel="mail"))]


def test_a_mail_for_a_server_that_is_away_is_sent_when_it_is_back(
    clock: Traveller, ann: User, settings: Settings
) -> None:
    with mail_server() as box:
        box.take_mails_of(settings)
    match_of(ann, "bob")
    clock.shift(minutes(10))
    work()
    delivery = Delivery.objects.get(channel="mail")
    assert (delivery.attempts, "refused" in delivery.error) == (1, True)
    with mail_server(box=box):
        clock.shift(10)
        work()
    assert len(box.letters) == 1


# --- what people write ------------------------------------------------------------------------------------------------

EVIL = "eve\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script><b hx-get=x>"
"""A name which no form accepts: should one get into the database it is still only text."""


def test_a_name_neither_breaks_headers_nor_runs(clock: Traveller, box: Mailbox, ann: User) -> None:
    eve = person("eve")
    User.objects.filter(pk=eve.pk).update(username=EVIL, name_key=EVIL)
    eve.refresh_from_db()
    tables.open_table(eve, TableSetup("shifting-stones", 2, invited=(ann,)))
    work()
    (to, letter), *_ = box.letters
    assert to == ["ann@example.org"]
    assert letter["Bcc"] is None
    assert str(letter["Subject"]).startswith("Tessera: eve Bcc: all@example.org <script>")
    assert "<script" not in part(letter, "html")
    assert "<b hx" not in part(letter, "html")


def test_a_mail_with_a_header_of_two_lines_is_never_sent(
    clock: Traveller, box: Mailbox, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_of(ann, "bob")
    monkeypatch.setattr(mail, "_headers", lambda *_: {"Message-ID": "<x>\r\nBcc: all@example.org"})
    clock.shift(minutes(10))
    work()
    assert box.letters == []
    assert "header values" in Delivery.objects.get(channel="mail").error.lower()


# --- a mail server that is away for long ------------------------------------------------------------------------------


def test_a_mail_outlives_an_outage_of_a_day(clock: Traveller, box: Mailbox, ann: User) -> None:
    match_of(ann, "bob")
    clock.shift(minutes(10))
    box.refusing = True
    for _ in range(25):
        work()
        clock.shift(minutes(60))
    box.refusing = False
    work()
    assert box.ids == [mail.message_id(Delivery.objects.get(channel="mail"))]


def test_a_mail_that_is_no_longer_true_after_an_outage_is_not_sent(clock: Traveller, box: Mailbox, ann: User) -> None:
    match = match_of(ann, "bob")
    clock.shift(minutes(10))
    box.refusing = True
    work()
    act(match, "end")
    clock.shift(minutes(15))
    box.refusing = False
    work()
    mails = Delivery.objects.filter(channel="mail", user=ann)
    assert [letter for to, letter in box.letters if to == ["ann@example.org"]] == []
    assert [it.state for it in mails] == ["dropped"]


@pytest.fixture
def dead(clock: Traveller, box: Mailbox, ann: User) -> Delivery:
    """An email to ann about her turn, refused for more than two days."""
    match_of(ann, "bob")
    clock.shift(minutes(10))
    box.refusing = True
    for _ in range(2):
        work()
        clock.shift(timedelta(days=2))
    box.refusing = False
    return Delivery.objects.get(channel="mail")


def test_a_mail_that_is_given_up_is_an_error_in_the_log(dead: Delivery, caplog: pytest.LogCaptureFixture) -> None:
    assert dead.state == "dead"
    (record,) = [it for it in caplog.get_records("setup") if it.levelname == "ERROR"]
    assert (record.name, "given up" in record.getMessage()) == ("games.notifications.delivery", True)


def said_by_the_command(*arguments: str) -> str:
    """Return what `manage.py notices` says."""
    said = StringIO()
    call_command("notices", *arguments, stdout=said)
    return said.getvalue()


def test_an_operator_lists_dead_mails_and_revives_them(box: Mailbox, dead: Delivery) -> None:
    listed = said_by_the_command()
    assert f"{dead.pk}  2026-" in listed
    assert "mail  ann  turn" in listed
    assert "try again later" in listed
    assert Delivery.objects.get(pk=dead.pk).state == "dead", "listing changes nothing"
    assert said_by_the_command("revive").startswith("1 to be tried again")
    work()
    assert box.ids == [mail.message_id(dead)]
    assert said_by_the_command().startswith("0 undelivered")


def test_an_operator_revives_one_of_several(dead: Delivery) -> None:
    assert said_by_the_command("revive", str(dead.pk + 1)) == "Nothing to revive.\n"
    assert said_by_the_command("revive", "--channel", "push") == "Nothing to revive.\n"
    assert said_by_the_command("revive", str(dead.pk), "--channel", "mail").startswith("1 to be")


def test_the_help_of_the_command_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("notices", "--help")
    said = capsys.readouterr().out
    assert "manage.py notices revive" in said
    assert "first make sure that the mail server works again" in said


def test_a_mail_server_that_is_away_rests(clock: Traveller, settings: Settings) -> None:
    """However many emails wait, a server that does not answer is tried only now and then, by a few workers."""
    with mail_server() as box:
        box.take_mails_of(settings)
    for name in ("ann", "cid", "dan", "eve"):
        match_of(person(name), f"{name}2")
    clock.shift(minutes(10))
    work()
    assert sum(Delivery.objects.filter(channel="mail").values_list("attempts", flat=True)) == delivery.PATIENT_FOR + 1
    with mail_server(box=box):
        clock.shift(10)
        work()
    assert len(box.letters) == 4
    assert not Host.objects.exists()


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_a_new_database_does_not_number_its_mails_like_the_former_one() -> None:
    rows = [Delivery(pk=1, key="1.mail.mail") for _ in range(2)]
    first, second = (mail.message_id(row) for row in rows)
    assert first != second
    assert first.endswith(f"@{HOST}>")


# --- what else is in an email -----------------------------------------------------------------------------------------


def test_a_mail_says_in_which_language_it_is(clock: Traveller, box: Mailbox) -> None:
    match_of(person("udo", language="de"), "bob")
    clock.shift(minutes(10))
    work()
    assert the_letter(box)["Content-Language"] == "de"


def test_what_matters_of_the_style_is_in_the_elements(clock: Traveller, box: Mailbox, ann: User) -> None:
    """Some mail programs throw away the head."""
    match_of(ann, "bob")
    match_of(ann, "cid")
    clock.shift(minutes(10))
    work()
    body = part(the_letter(box), "html").partition("<body")[2]
    links = re.findall(r"<a ([^>]*)>", body)
    assert links
    assert all("color: #" in link for link in links)
    assert re.search(r"<h1 style=", body)


@pytest.mark.parametrize(
    ("rated", "said"), [(True, "Rated match for 2 players"), (False, "Casual match for 2 players")]
)
def test_an_invitation_says_whether_the_match_is_rated(
    rated: bool, said: str, clock: Traveller, box: Mailbox, ann: User
) -> None:
    tables.open_table(person("bob"), TableSetup("shifting-stones", 2, rated=rated, invited=(ann,)))
    work()
    assert said in part(the_letter(box), "plain")


def invitation_to(ann: User, box: Mailbox, kind: str, **wish: Any) -> tuple[Match, str, str]:
    """Return a table to which bob invites ann, and the paths in a part of her email to accept and to decline."""
    table = tables.open_table(person("bob"), TableSetup("shifting-stones", 2, rated=False, invited=(ann,), **wish))
    work()
    links = re.findall(re.escape(settings.SITE_URL) + r"(/invitation/[^\s\"]+)", part(the_letter(box), kind))
    accept, decline = (unescape(link) for link in links)
    assert accept != decline
    return table, accept, decline


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_an_invitation_is_accepted_by_the_link_of_its_mail(
    clock: Traveller, box: Mailbox, ann: User, kind: str, visibility: str
) -> None:
    table, path, _decline = invitation_to(ann, box, kind, visibility=visibility)
    reader = client_of(ann)
    page = reader.get(path).content.decode()
    accept = re.search(r'<form method="post" action="([^"]+)">(?:(?!</form>).)*id="accept"', page)
    assert accept is not None
    assert '<form id="decline"' not in page, "it asks for the answer that was chosen"
    assert reader.post(accept[1], follow=True).status_code == 200
    table.refresh_from_db()
    assert table.is_running
    assert {seat.user.username for seat in table.seats.all() if seat.user} == {"ann", "bob"}


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_an_invitation_is_declined_by_the_link_of_its_mail_without_logging_in(
    clock: Traveller, box: Mailbox, ann: User, kind: str
) -> None:
    table, _accept, path = invitation_to(ann, box, kind)
    stranger = Client(enforce_csrf_checks=True)
    page = stranger.get(path).content.decode()
    decline = re.search(r'<form id="decline" method="post" action="([^"]+)">', page)
    assert decline is not None
    assert 'id="accept"' not in page, "it asks for the answer that was chosen"
    assert Invitation.objects.get().declined_at is None, "looking changes nothing"
    assert 'id="declined"' in stranger.post(decline[1]).content.decode()
    assert Invitation.objects.get().declined_at is not None
    assert not table.seats.filter(user=ann).exists()


def test_a_mail_about_a_turn_has_no_invitation_to_answer(clock: Traveller, box: Mailbox, ann: User) -> None:
    match_of(ann, "bob")
    clock.shift(minutes(10))
    work()
    for kind in ("plain", "html"):
        assert "/invitation/" not in part(the_letter(box), kind)


def test_a_mail_has_a_link_that_mutes_its_match_and_asks_first(clock: Traveller, box: Mailbox, ann: User) -> None:
    match = match_of(ann, "bob")
    clock.shift(minutes(10))
    work()
    letter = the_letter(box)
    links = [re.search(r"http://[^/]+(/mute/[^/\s\"]+/)", part(letter, kind)) for kind in ("plain", "html")]
    (path,) = {link[1] for link in links if link}
    stranger = Client(enforce_csrf_checks=True)
    page = stranger.get(path).content.decode()
    assert "with bob" in page
    assert not Mute.objects.exists(), "looking changes nothing: programs open links in mails on their own"
    assert 'id="muted"' in stranger.post(path).content.decode()
    assert list(Mute.objects.values_list("user", "match")) == [(ann.pk, match.pk)]
    assert stranger.post(path).status_code == 200
    stranger.post(path, {"off": "1"})
    assert not Mute.objects.exists()


def test_every_match_in_a_list_can_be_muted(clock: Traveller, box: Mailbox, ann: User) -> None:
    match_of(ann, "bob")
    match_of(ann, "cid")
    clock.shift(minutes(10))
    work()
    assert len(set(re.findall(r"/mute/[^/\s\"]+/", part(the_letter(box), "html")))) == 2


@pytest.mark.parametrize("token", ["x", "1-abc", "1-abc:forged"])
def test_a_forged_link_mutes_nothing(token: str, clock: Traveller, ann: User) -> None:
    match = match_of(ann, "bob")
    forged = token.replace("1-abc", f"{ann.pk}-{match.slug}")
    assert Client().post(f"/mute/{forged}/").status_code == 404
    assert not Mute.objects.exists()


def test_a_link_that_unsubscribes_does_not_mute(ann: User) -> None:
    assert Client().post(f"/mute/{unsubscribe_token(ann, Kind.TURN)}/").status_code == 404


def test_the_people_of_the_demo_get_no_mail(clock: Traveller, box: Mailbox, ann: User) -> None:
    match_of(ann, "bob")
    EmailAddress.objects.filter(user=ann).update(email=f"ann@demo.{mail.UNREACHABLE}")
    clock.shift(minutes(10))
    work()
    assert (box.letters, Delivery.objects.filter(channel="mail").count()) == ([], 0)
