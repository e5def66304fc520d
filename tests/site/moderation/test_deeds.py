"""Who may decide about people, who is told, and what the log keeps."""

from __future__ import annotations

from copy import copy
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from accounts import sanctions
from accounts.models import Sanction, User
from games.moderation import matches, people
from games.moderation.models import Deed, Unchangeable
from games.notifications.models import Kind, Notice
from tests.people import client_of, person, running_match
from tests.site.moderation.moderators import administrator, moderator
from tests.site.moderation.test_people import in_days, refused

pytestmark = pytest.mark.django_db


# --- who may do what --------------------------------------------------------------------------------------------------


def test_only_moderators_decide_and_not_about_themselves_or_each_other(mod: User, bob: User) -> None:
    boss, other = administrator("boss"), moderator("other")
    assert refused(people.warn, bob, person("ann"), "Because") == "not-moderator"
    assert refused(people.warn, person("staff", is_staff=True, is_superuser=True), bob, "Because") == "not-moderator"
    assert refused(people.warn, mod, mod, "Because") == "self"
    assert refused(people.warn, mod, other, "Because") == "colleague"
    assert refused(people.warn, mod, boss, "Because") == "colleague"
    people.warn(boss, other, "Because")
    people.warn(None, boss, "By the operator")
    assert refused(people.set_role, mod, bob, "moderators", "They are kind") == "not-administrator"
    people.set_role(boss, bob, "moderators", "They are kind")
    bob.refresh_from_db()
    assert bob.is_staff
    people.warn(bob, person("carl"), "Because")
    people.set_role(boss, bob, "", "They have no time")
    bob.refresh_from_db()
    assert not bob.is_staff


@pytest.mark.parametrize(("reason", "code"), [("", "reason"), (" \u200b\n ", "reason"), ("x" * 501, "too-long")])
def test_everything_needs_a_reason(mod: User, bob: User, reason: str, code: str) -> None:
    match = running_match([bob, person("ann")])
    for do in (people.warn, people.close_account):
        assert refused(do, mod, bob, reason) == code
    assert refused(people.suspend, mod, bob, None, reason) == code
    assert refused(matches.abort, mod, match, reason) == code
    assert (Deed.objects.count(), Sanction.objects.count()) == (0, 0)


def test_a_time_that_is_past_is_refused(mod: User, bob: User) -> None:
    assert refused(people.suspend, mod, bob, in_days(-1), "Because") == "past"


def test_nothing_is_decided_about_an_account_that_has_ended_meanwhile(mod: User, bob: User) -> None:
    boss, warned = administrator("boss"), people.warn(mod, bob, "Please be kind")
    read = copy(bob)
    bob.delete()
    assert warned.sanction is not None
    for do, by, about in (
        (people.warn, mod, (read, "Because")),
        (people.close_account, mod, (read, "Because")),
        (people.rename, mod, (read, "robert", "Because")),
        (people.lift, mod, (warned.sanction, "Because")),
        (people.set_role, boss, (read, "moderators", "Because")),
        (people.remove_factors, boss, (read, "Because")),
        (people.confirm_address, boss, (read, "Because")),
    ):
        assert refused(do, by, *about) == "gone"
    assert Deed.objects.get().act == "warn"


def test_whom_it_concerns_is_told(mod: User, bob: User) -> None:
    people.warn(mod, bob, "Please be kind")
    people.silence(mod, bob, None, "You were not")
    assert [notice.kind for notice in Notice.objects.filter(user=bob)] == [Kind.MODERATION, Kind.MODERATION]
    warning = sanctions.warning_of(bob)
    assert warning is not None
    people.confirm_warning(bob, warning.pk)
    assert "A message from the moderators" in client_of(bob).get("/notices/").content.decode()


# --- the log ----------------------------------------------------------------------------------------------------------


def test_nobody_changes_the_log(mod: User, bob: User) -> None:
    deed = people.warn(mod, bob, "Please be kind")
    deed.reason = "Nothing"
    for change in (deed.save, deed.delete, Deed.objects.all().delete, lambda: Deed.objects.update(reason="Nothing")):
        with pytest.raises(Unchangeable):
            change()
    for statement in (
        "UPDATE moderation_deed SET reason = 'Nothing'",
        "UPDATE moderation_deed SET act = 'lift', by_id = NULL",
        f"UPDATE moderation_deed SET by_id = {bob.pk}",
        "DELETE FROM moderation_deed",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert Deed.objects.values_list("reason", "by").get() == ("Please be kind", mod.pk)


def test_the_log_outlives_the_accounts_in_it(mod: User, bob: User) -> None:
    people.warn(mod, bob, "Please be kind")
    bob.delete()
    mod.delete()
    (deed,) = Deed.objects.all()
    assert (deed.reason, deed.by, deed.person) == ("Please be kind", None, None)


def test_the_log_says_that_a_former_moderator_did_it_and_what_the_operator_did(mod: User, bob: User) -> None:
    people.warn(mod, bob, "By a moderator")
    people.warn(None, bob, "By a command")
    mod.delete()
    other = client_of(moderator("other"))
    for path in ("/moderation/log/", "/moderation/people/bob/"):
        lines = other.get(path).content.decode().partition("<h1>")[2].split("<li>")
        (former,) = [line for line in lines if "By a moderator" in line and "Warned" in line]
        (operator,) = [line for line in lines if "By a command" in line and "Warned" in line]
        assert "a former moderator" in former
        assert "the operator" in operator
    out = StringIO()
    call_command("people", "show", "bob", stdout=out)
    assert "(a former moderator): By a moderator" in out.getvalue()
    assert "(command): By a command" in out.getvalue()


def test_who_gets_or_loses_a_role_is_told(bob: User) -> None:
    for role, said in (
        ("moderators", "You have become a moderator."),
        ("administrators", "You have become an administrator."),
        ("", "You are no longer a moderator."),
    ):
        Notice.objects.all().delete()
        people.set_role(None, bob, role, "Kept for the log", last=True)
        assert Notice.objects.filter(user=bob, kind=Kind.MODERATION).count() == 1
        page = client_of(bob).get("/standing/").content.decode()
        assert said in page
        assert "Kept for the log" not in page


def test_a_guest_does_not_escape_by_logging_in(mod: User, bob: User) -> None:
    from accounts.joining import guests

    guest = person("Guest-Calm-Owl", guest=True)
    people.suspend(mod, guest, None, "Rating transfer")
    guest.refresh_from_db()
    guests.take_over(guest, bob)
    bob.refresh_from_db()
    assert sanctions.refusal_to_play(bob)
    assert bob.held


def test_a_suspended_player_moves_neither_by_form_nor_by_socket(mod: User, bob: User) -> None:
    from games.play.live import consumers

    browser = client_of(bob)
    session = str(browser.session.session_key)
    consumers.check_session(bob, session)
    people.suspend(mod, bob, None, "Rating transfer")
    with pytest.raises(consumers.SessionEnded):
        consumers.check_session(bob, session)
