"""From a report to what came of it, by forms alone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.safestring import mark_safe

from accounts import relations, sanctions
from accounts.models import Sanction, User
from games.moderation import cases, context, matches, people
from games.moderation.models import CLAIM, Case, Deed, Report
from games.notifications.models import Kind, Notice
from games.play import commands as play
from games.play.models import Match, Seat
from tests.people import client_of, person, running_match
from tests.site.chat.rooms import say
from tests.site.moderation.moderators import administrator, moderator

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ann: User, bob: User) -> Match:
    return running_match([ann, bob])


def text_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_message_is_reported_from_its_line_and_decided(match: Match, ann: User, bob: User, mod: User) -> None:
    say(bob, match, "You are all fools")
    reader, judge = client_of(ann), client_of(mod)
    (link,) = re.findall(r'href="(/report/message/\d+/)"', text_of(reader, f"/match/{match.slug}/chat/"))
    assert "You are all fools" in text_of(reader, link)
    assert "Mute bob" in text_of(reader, link)
    thanks = reader.post(link, {"why": "insult", "words": "He always does"})["Location"]
    assert "Block bob too?" in text_of(reader, thanks)
    assert judge.get(thanks).status_code == 404  # it is the reporter's alone
    assert "have not decided yet" in text_of(reader, "/reports/")

    assert "bob" in text_of(judge, "/moderation/")
    case = Case.objects.get(person=bob)
    shown = text_of(judge, f"/moderation/cases/{case.pk}/")
    assert "You are all fools" in shown
    assert "He always does" in shown
    judge.post(f"/moderation/cases/{case.pk}/change/", {"do": "claim"})
    asked = {"act": "silence", "days": "3", "reason": "Insults", "case": case.pk}
    assert judge.post("/moderation/people/bob/", asked)["Location"] == f"/moderation/cases/{case.pk}/"
    told = {"do": "decide", "verdict": "acted", "answer": "He can write nothing for a while.", "reason": "Insults"}
    judge.post(f"/moderation/cases/{case.pk}/change/", told)
    assert "He can write nothing for a while." in text_of(reader, "/reports/")
    assert Notice.objects.filter(user=ann, kind=Kind.REPORT).count() == 1
    notices = text_of(reader, "/notices/")
    assert "Your report has been looked at" in notices
    assert "We have done something about it. He can write nothing for a while." in notices
    assert [deed.act for deed in Deed.objects.filter(case=case)] == ["decide", "silence"]
    assert "Insults" in text_of(judge, "/moderation/log/")


def test_a_person_a_name_and_a_match_are_reported(match: Match, ann: User, bob: User) -> None:
    browser = client_of(ann)
    assert "/report/person/bob/" in text_of(browser, "/@bob/")
    assert f"/report/match/{match.slug}/" in text_of(browser, match.get_absolute_url())
    browser.post("/report/person/bob/", {"why": "cheating", "words": ""})
    browser.post("/report/person/bob/", {"why": "name", "words": ""})
    browser.post(f"/report/match/{match.slug}/", {"why": "cheating", "words": ""})
    reports = Report.objects.order_by("pk").values_list("about", "person", "match", "quote")
    assert list(reports) == [
        ("person", bob.pk, None, ""),
        ("name", bob.pk, None, "bob"),
        ("match", None, match.pk, ""),
    ]
    assert Case.objects.count() == 2


def test_what_is_wrong_with_a_report_is_said_beside_its_form(ann: User, bob: User) -> None:
    browser = client_of(ann)
    for fields, words in (
        ({"why": "other", "words": ""}, "Please say in a few words what is wrong."),
        ({"why": "insult", "words": "x" * 501}, "500"),
        ({}, "This field is required"),
        ({"why": "nonsense"}, "nonsense"),
    ):
        answer = browser.post("/report/person/bob/", fields)
        assert answer.status_code == 422
        assert words in answer.content.decode()
    assert "report yourself" in browser.post("/report/person/ann/", {"why": "insult"}).content.decode()
    browser.post("/report/person/bob/", {"why": "insult"})
    assert "reported this already" in browser.post("/report/person/bob/", {"why": "insult"}).content.decode()
    assert Report.objects.count() == 1


def test_nobody_reports_more_than_the_limit(ann: User) -> None:
    for number in range(10):
        cases.report_person(ann, person(f"p{number}"), "insult", "")
    browser = client_of(ann)
    person("one-more")
    assert "Please wait until tomorrow" in browser.post("/report/person/one-more/", {"why": "insult"}).content.decode()
    Report.objects.update(at=timezone.now() - timedelta(days=1, seconds=1))
    assert browser.post("/report/person/one-more/", {"why": "insult"}).status_code == 302


def test_only_messages_that_somebody_reads_can_be_reported(match: Match, ann: User, bob: User) -> None:
    message = say(bob, match, "You are all fools")
    path = f"/report/message/{message.pk}/"
    assert client_of(person("eve")).get(path).status_code == 404
    assert client_of(bob).get(path).status_code == 404
    assert client_of(ann).get(path).status_code == 200
    relations.block(bob, ann)
    assert client_of(ann).get(path).status_code == 200, "as what was written before the block stays readable"
    relations.block(ann, bob)
    assert client_of(ann).get(path).status_code == 404
    assert client_of(ann).get(f"/report/message/{10**30}/").status_code == 404


def test_a_case_belongs_to_one_moderator_at_a_time(ann: User, bob: User, mod: User) -> None:
    other = moderator("other")
    case = cases.report_person(ann, bob, "insult", "").case
    cases.claim(mod, case.pk)
    answer = client_of(other).post(f"/moderation/cases/{case.pk}/change/", {"do": "claim"}, follow=True)
    assert "mod is looking at this case." in answer.content.decode()
    client_of(other).post("/moderation/people/bob/", {"act": "warn", "days": "1", "reason": "x", "case": case.pk})
    client_of(other).post(f"/moderation/cases/{case.pk}/change/", {"do": "decide", "verdict": "nothing", "reason": "x"})
    case.refresh_from_db()
    assert (case.is_open, Deed.objects.count()) == (True, 0)
    Case.objects.update(claimed_at=timezone.now() - CLAIM)
    cases.claim(other, case.pk)
    cases.give_back(other, case.pk)
    cases.decide(mod, case.pk, "nothing", "", "Nothing there")
    assert "found nothing that breaks the rules" in text_of(client_of(ann), "/reports/")
    (deed,) = Deed.objects.all()
    browser = client_of(mod)
    assert browser.post(f"/moderation/log/{deed.pk}/undo/", {"reason": "I was wrong"}).status_code == 302
    case.refresh_from_db()
    assert case.is_open


def test_one_press_warns_and_closes(ann: User, bob: User, mod: User) -> None:
    case, browser = cases.report_person(ann, bob, "insult", "").case, client_of(mod)
    browser.post(f"/moderation/cases/{case.pk}/change/", {"do": "claim"})
    page = text_of(browser, f"/moderation/cases/{case.pk}/")
    assert "Please stay friendly: insults and threats have no place here.</textarea>" in page
    path = f"/moderation/cases/{case.pk}/change/"
    assert browser.post(path, {"do": "warn", "reason": ""})["Location"] == f"/moderation/cases/{case.pk}/"
    assert not Deed.objects.exists(), "both or neither"
    assert browser.post(path, {"do": "warn", "reason": "Please stay friendly."})["Location"] == "/moderation/"
    assert [deed.act for deed in Deed.objects.filter(case=case)] == ["decide", "warn"]
    assert client_of(bob).get("/lobby/")["Location"].startswith("/warning/")
    assert "We have done something about it." in text_of(client_of(ann), "/notices/")


def test_only_the_latest_decision_about_a_case_is_taken_back(ann: User, bob: User, mod: User) -> None:
    case, browser = cases.report_person(ann, bob, "insult", "").case, client_of(mod)
    cases.decide(mod, case.pk, "nothing", "", "Nothing there")
    first = Deed.objects.latest("pk")
    cases.reopen(mod, case, "There is")
    cases.decide(mod, case.pk, "acted", "", "Warned")
    second = Deed.objects.latest("pk")
    page = browser.post(f"/moderation/log/{first.pk}/undo/", {"reason": "A mistake"}, follow=True).content.decode()
    assert "it has been taken back or changed since" in page
    case.refresh_from_db()
    assert not case.is_open
    assert f"/log/{first.pk}/undo/" not in page
    assert f"/log/{second.pk}/undo/" in page


def test_reports_after_a_decision_open_a_new_case(ann: User, bob: User, mod: User) -> None:
    first = cases.report_person(ann, bob, "insult", "").case
    assert cases.report_person(person("eve"), bob, "spam", "").case == first
    cases.decide(mod, first.pk, "nothing", "", "Nothing there")
    assert cases.report_person(ann, bob, "insult", "Again").case != first
    answer = client_of(mod).post(f"/moderation/cases/{first.pk}/change/", {"do": "reopen", "reason": "x"}, follow=True)
    assert "there is a newer one that is" in answer.content.decode()


def test_the_page_of_a_match_decides_it(match: Match, ann: User, mod: User) -> None:
    browser = client_of(mod)
    page = f"/moderation/matches/{match.slug}/"
    assert "Abort the match" in text_of(browser, page)
    assert browser.post(page, {"act": "award", "reason": "x"}).status_code == 422
    browser.post(page, {"act": "abort", "reason": "A bot plays"})
    match.refresh_from_db()
    assert match.status == Match.Status.ABORTED
    assert "A bot plays" in text_of(browser, page)
    assert browser.get("/moderation/find/", {"of": f"http://x/match/{match.slug}/"})["Location"] == page
    assert browser.get("/moderation/find/", {"of": "@ANN"})["Location"] == "/moderation/people/ann/"


def test_moderators_find_their_pages_in_the_menu_and_nobody_else(ann: User, mod: User) -> None:
    cases.report_person(ann, person("eve"), "insult", "")
    assert 'href="/moderation/"' in text_of(client_of(mod), "/lobby/")
    assert 'href="/moderation/"' in text_of(client_of(administrator("boss")), "/lobby/")
    assert 'href="/moderation/"' not in text_of(client_of(ann), "/lobby/")


def test_cases_that_wait_are_no_matches_that_wait_for_a_moderator(ann: User, bob: User, mod: User) -> None:
    cases.report_person(ann, bob, "insult", "")
    assert re.search(r'id="waiting"[^>]* hidden>', text_of(client_of(mod), "/moderation/"))


def test_other_apps_add_sections(ann: User, mod: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "_sections", {})
    context.register_section("found", lambda about: mark_safe(f"<p>found: {about.person}</p>"))
    context.register_section("empty", lambda _about: mark_safe(""))
    assert "<p>found: ann</p>" in text_of(client_of(mod), "/moderation/people/ann/")


def test_what_people_wrote_is_shown_as_text(match: Match, ann: User, bob: User, mod: User) -> None:
    bad = "<script>alert(1)</script>"
    message = say(bob, match, bad)
    case = cases.report_message(ann, message, bad, "other", bad).case
    people.warn(mod, bob, bad, case)
    for client, path in (
        (client_of(mod), f"/moderation/cases/{case.pk}/"),
        (client_of(mod), "/moderation/people/bob/"),
        (client_of(mod), "/moderation/log/"),
        (client_of(ann), "/reports/"),
        (client_of(bob), "/warning/"),
    ):
        assert bad not in text_of(client, path)


def test_a_case_is_no_occasion_to_decide_about_others(match: Match, ann: User, bob: User, mod: User) -> None:
    elsewhere = running_match([ann, person("eve")])
    about_bob = cases.report_person(ann, bob, "insult", "").case
    about_match = cases.report_match(ann, match, "cheating", "").case
    said = "This case is about someone or something else."
    browser = client_of(mod)

    def asked(path: str, act: str, case: Case) -> str:
        fields = {"act": act, "days": "1", "reason": "Because", "case": case.pk}
        return browser.post(path, fields, follow=True).content.decode()

    assert said in asked("/moderation/people/eve/", "warn", about_bob)
    assert said in asked("/moderation/people/eve/", "warn", about_match)
    assert said in asked(f"/moderation/matches/{elsewhere.slug}/", "abort", about_bob)
    assert said in asked(f"/moderation/matches/{elsewhere.slug}/", "abort", about_match)
    assert not Deed.objects.exists()
    assert not Sanction.objects.exists()
    for case in (about_bob, about_match):
        assert said not in asked("/moderation/people/bob/", "warn", case)
    assert said not in asked(f"/moderation/matches/{match.slug}/", "abort", about_bob)
    assert Deed.objects.count() == 3
    about_mod = cases.report_person(ann, mod, "insult", "").case
    for number in ("0", "99999999", "x", "9" * 30, str(about_mod.pk)):
        fields = {"act": "warn", "days": "1", "reason": "Because", "case": number}
        assert browser.post("/moderation/people/bob/", fields).status_code == 404


def test_what_was_done_in_a_decided_case_is_taken_back(match: Match, ann: User, bob: User, mod: User) -> None:
    play.resign(match.pk, 0, "resign-here")
    Seat.objects.filter(match=match).update(acted=True)
    about_bob = cases.report_person(ann, bob, "name", "").case
    about_match = cases.report_match(ann, match, "cheating", "").case
    done = [
        people.rename(mod, bob, "Player-17", "A bad name", about_bob),
        people.silence(mod, bob, None, "Insults", about_bob),
        matches.award(mod, match, [1, 2], "Bob gave Ann his moves", about_match),
    ]
    for case in (about_bob, about_match):
        cases.decide(mod, case.pk, "acted", "", "Done")
    browser = client_of(moderator("other"))
    for deed in done:
        answer = browser.post(f"/moderation/log/{deed.pk}/undo/", {"reason": "A mistake"}, follow=True)
        assert "Taken back. It is in the log." in answer.content.decode()
    bob.refresh_from_db()
    assert bob.username == "bob"
    assert not sanctions.running(bob).exists()
    assert [seat.place for seat in match.seats.all()] == [2, 1]
    undone = Deed.objects.filter(reason="A mistake").order_by("pk")
    assert [(deed.act, deed.case) for deed in undone] == [
        ("rename", about_bob),
        ("lift", about_bob),
        ("reinstate", about_match),
    ]
    assert not Case.objects.filter(decided_at=None).exists()
