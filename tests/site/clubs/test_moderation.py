"""Clubs are reported like people and matches, and moderators decide about them; owners are told why."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from accounts.models import User
from games.clubs.models import Club
from games.moderation import cases, clubs
from games.moderation.access import MODERATORS, cases_for
from games.moderation.models import Case, Deed, Report
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from tests.people import client_of, person
from tests.site.clubs.clubs import Role, club_of, put_in, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def moderator() -> User:
    user = person()
    user.groups.add(Group.objects.get_or_create(name=MODERATORS)[0])
    user.refresh_from_db()
    return user


def told(owner: User) -> Notice:
    return Notice.objects.get(user=owner, kind=Kind.CLUB)


def test_a_club_is_reported_and_all_reports_are_one_case(moderator: User) -> None:
    ann, bob, eve = person(), person(), person()
    club = club_of(ann, "Bad words", text="And <b>worse</b>")
    for by in (bob, eve):
        form = {"why": "name", "words": ""}
        answer = client_of(by).post(reverse("report_club", args=[club.slug]), form)
        assert answer.status_code == 302
    case = Case.objects.get()
    assert (case.club, case.reports.count()) == (club, 2)
    assert set(Report.objects.values_list("quote", flat=True)) == {"Bad words – And <b>worse</b>"}
    assert refused(cases.report_club, bob, club, "name", "") == "again"
    page = client_of(moderator).get(reverse("case", args=[case.pk])).content.decode()
    assert "And &lt;b&gt;worse&lt;/b&gt;" in page
    assert ann.username in page
    assert "Bad words" in client_of(bob).get(reverse("reports")).content.decode()
    cases.decide(moderator, case.pk, "acted", "", "as it says")
    assert not Case.objects.get().is_open


def test_moderators_rename_a_club_remove_its_text_and_close_it(moderator: User) -> None:
    ann, bob = person(), person()
    club, other = club_of(ann, "Bad words", text="And worse"), club_of(bob, "Chess club")
    cases.report_club(bob, club, "name", "")
    case, client = Case.objects.get(), client_of(moderator)
    page = reverse("moderated_club", args=[club.slug])
    for act, name, changed in [
        ("club-name", "Good words", ("Good words", "And worse")),
        ("club-name", "Chess CIub", ("Good words", "And worse")),  # looks like the other one
        ("club-text", "", ("Good words", "")),
    ]:
        answer = client.post(page, {"act": act, "name": name, "reason": "it insults", "case": case.pk})
        assert answer.headers["Location"] == reverse("case", args=[case.pk])
        club.refresh_from_db()
        assert (club.name, club.text) == changed
    message = message_of(told(ann))
    assert (message.title, message.text) == ("Moderators have changed Good words", "it insults")
    assert client.post(page, {"act": "club-shut", "name": "", "reason": "it goes on"}).status_code == 302
    assert list(Club.objects.all()) == [other]
    message = message_of(told(ann))
    assert (message.title, message.text) == ("Moderators have closed Good words", "it goes on")
    assert message.url.endswith(reverse("clubs"))
    acts = list(Deed.objects.order_by("pk").values_list("act", flat=True))
    assert acts == ["club-name", "club-text", "club-shut"]
    assert client.get(reverse("moderation_log")).status_code == 200
    assert client.get(reverse("case", args=[case.pk])).status_code == 200


def test_who_may_not_decide_about_a_club(moderator: User) -> None:
    club, other = club_of(person()), club_of(person(), "Other club")
    cases.report_club(person(), club, "spam", "")
    case = Case.objects.get()
    page = reverse("moderated_club", args=[club.slug])
    owner = club.members.get(role=Role.OWNER).user
    for user in (owner, person()):
        assert client_of(user).get(page).status_code == 404
        assert refused(clubs.shut, user, club, "why") == "not-moderator"
    assert refused(clubs.shut, moderator, club, " ") == "reason"
    assert refused(clubs.rename, moderator, club, "ab", "why") == "club-name"
    assert refused(clubs.remove_text, moderator, other, "why", case) == "other-case"
    put_in(club, user=moderator)
    assert refused(clubs.shut, moderator, club, "why") == "own"
    assert not cases_for(moderator).exists()
    assert refused(cases.claim, moderator, case.pk) == "own"
    assert clubs.shut(None, club, "by command").act == Deed.Act.CLUB_SHUT


def test_moderators_see_a_private_club_only_on_their_own_pages(moderator: User) -> None:
    club = club_of(person(), private=True)
    client = client_of(moderator)
    assert client.get(reverse("moderated_club", args=[club.slug])).status_code == 200
    assert client.get(club.get_absolute_url()).status_code == 404
