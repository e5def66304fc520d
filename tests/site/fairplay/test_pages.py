"""Moderators see findings on a page of their own and beside people and matches, and settle them."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.fairplay import findings, jobs
from games.fairplay.models import Finding
from games.fairplay.patterns import Aborts, Star
from games.moderation.models import Deed
from games.play import commands
from games.play.models import Match
from games.privacy import deletions
from games.privacy.jobs import Deletions
from games.privacy.models import Deletion
from tests.people import client_of, person, running_match
from tests.site.moderation.moderators import administrator, moderator

pytestmark = pytest.mark.django_db

TRANSFER = {"lost": 8, "of": 9, "points": 80, "share": 75, "early": 6}
PAGE = "/moderation/fair-play/"


@pytest.fixture
def found() -> tuple[User, User, Match]:
    """A finding of each kind about ann and ben."""
    ann, ben = person("ann"), person("ben")
    match = running_match([ann, ben])
    for kind, facts, about in (
        (Finding.Kind.DEVICE, {"action": 2}, {"match": match}),
        (Finding.Kind.TRANSFER, TRANSFER, {}),
        (Finding.Kind.AGREED, {"short": 6, "of": 7, "won": 3}, {}),
    ):
        Finding.objects.create(kind=kind, first=ann, second=ben, facts=facts, **about)
    Finding.objects.create(kind=Finding.Kind.DODGING, first=ann, facts=asdict(Aborts(dodged_stronger=6)))
    return ann, ben, match


def test_the_page_says_what_was_seen_in_words(found: tuple[User, User, Match]) -> None:
    page = client_of(moderator()).get(PAGE).content.decode()
    assert "ann and ben played from one device. The match is not rated." in page
    assert "ann lost 8 of 9 matches to ben, who gained 80 points by it: 75 % of everything ben gained" in page
    assert "6 of 7 matches between ann and ben were over before they had begun; ann won 3 of these." in page
    assert "ann ended 6 rated matches against stronger opponents" in page


@pytest.mark.parametrize("language", ["de", "it"])
def test_every_sentence_is_whole_in_every_language(found: tuple[User, User, Match], language: str) -> None:
    star = asdict(Star(feeders=25, young=20, of=100, early=90, gain=454_000, share=98)) | {"points": 454}
    finding = Finding.objects.create(kind=Finding.Kind.STAR, first=found[0], facts=star)
    finding.others.set(person() for _ in range(25))
    with translation.override(language):
        said = [findings.in_words(finding) for finding in findings.waiting(person())]
    assert all("ann" in words and "%(" not in words for words in said)
    assert len(set(said)) == 5


def test_what_is_settled_waits_no_longer_and_stays_beside_the_people(found: tuple[User, User, Match]) -> None:
    ann, _ben, match = found
    judge = moderator()
    client = client_of(judge)
    about = Finding.objects.get(kind=Finding.Kind.DEVICE)
    client.post(reverse("finding_settle", args=[about.pk]), {"reason": "They are sisters"})
    about.refresh_from_db()
    assert about.settled_by == judge
    assert "played from one device" not in client.get(PAGE).content.decode()
    for address in (reverse("moderated_person", args=[ann.username]), reverse("moderated_match", args=[match.slug])):
        page = client.get(address).content.decode()
        assert "ann and ben played from one device" in page
        assert "Settled" in page
        assert "They are sisters" in page


def test_settling_needs_a_reason_and_is_in_the_log(found: tuple[User, User, Match]) -> None:
    ann, _ben, match = found
    judge = moderator("judge")
    client, about = client_of(judge), Finding.objects.get(kind=Finding.Kind.DEVICE)
    page = client.post(reverse("finding_settle", args=[about.pk]), {"reason": " "}, follow=True).content.decode()
    assert "Please give a reason." in page
    about.refresh_from_db()
    assert (about.settled_at, Deed.objects.count()) == (None, 0)
    client.post(reverse("finding_settle", args=[about.pk]), {"reason": "They are sisters"})
    (deed,) = Deed.objects.all()
    assert (deed.by, deed.act, deed.person, deed.match, deed.reason) == (
        judge,
        "settle",
        ann,
        match,
        "They are sisters",
    )
    assert "They are sisters" in client.get(reverse("moderation_log")).content.decode()


def test_settling_is_taken_back_from_the_log_and_once_only(found: tuple[User, User, Match]) -> None:
    client, about = client_of(moderator()), Finding.objects.get(kind=Finding.Kind.DEVICE)
    client.post(reverse("finding_settle", args=[about.pk]), {"reason": "They are sisters"})
    undo = reverse("deed_undo", args=[Deed.objects.get().pk])
    assert undo in client.get(reverse("moderation_log")).content.decode()
    assert "Taken back." in client.post(undo, {"reason": "They are not"}, follow=True).content.decode()
    about.refresh_from_db()
    assert (about.settled_at, about.settled_by, about.deed) == (None, None, None)
    assert "ann and ben played from one device" in client.get(PAGE).content.decode()
    log = list(Deed.objects.order_by("pk").values_list("act", "reason"))
    assert log == [("settle", "They are sisters"), ("unsettle", "They are not")]
    assert undo not in client.get(reverse("moderation_log")).content.decode()
    again = client.post(undo, {"reason": "They are not"}, follow=True).content.decode()
    assert "This can’t be taken back." in again
    assert Deed.objects.count() == 2


def test_what_has_been_found_again_meanwhile_is_not_opened_twice(found: tuple[User, User, Match]) -> None:
    judge, about = moderator(), Finding.objects.get(kind=Finding.Kind.TRANSFER)
    findings.settle(about, judge, "They train together")
    with pytest.raises(RuleViolation, match="settled"):
        findings.settle(about, judge, "They train together")
    Finding.objects.create(kind=about.kind, first=found[1], second=found[0], facts=TRANSFER)
    with pytest.raises(RuleViolation, match="newer"):
        findings.reopen(about, judge, "They do not")
    assert Deed.objects.count() == 1


def test_only_administrators_settle_what_is_about_moderators(found: tuple[User, User, Match]) -> None:
    colleague, about = moderator(), Finding.objects.get(kind=Finding.Kind.AGREED)
    Finding.objects.filter(pk=about.pk).update(second=colleague)
    with pytest.raises(RuleViolation, match="Only administrators"):
        findings.settle(about, moderator(), "They train together")
    findings.settle(about, administrator(), "They train together")
    assert Deed.objects.get().act == "settle"


def test_the_operator_settles_and_reopens_by_a_command(found: tuple[User, User, Match]) -> None:
    about = Finding.objects.get(kind=Finding.Kind.AGREED)

    def fair_play(*words: str) -> str:
        out = StringIO()
        call_command("fair_play", *words, stdout=out)
        return out.getvalue()

    line = f"{about.pk}  {about.found_at:%Y-%m-%d} agreed: ann and ben"
    assert line in fair_play()
    for words, said in (
        ((), "Please give a reason."),
        (("--reason", "They train together"), ""),
        (("--reason", "They train together"), "This finding has been settled."),
    ):
        with pytest.raises(CommandError, match=said) if said else nullcontext():
            fair_play("--settle", str(about.pk), *words)
    assert line not in fair_play()
    fair_play("--reopen", str(about.pk), "--reason", "They do not")
    assert line in fair_play()
    assert list(Deed.objects.filter(by=None).order_by("pk").values_list("act", flat=True)) == ["settle", "unsettle"]
    with pytest.raises(CommandError, match="There is no finding 0"):
        fair_play("--settle", "0", "--reason", "None")


def test_nobody_settles_what_is_about_themselves() -> None:
    judge = moderator()
    about = Finding.objects.create(kind=Finding.Kind.DODGING, first=judge, facts=asdict(Aborts()))
    address, why = reverse("finding_settle", args=[about.pk]), {"reason": "I was ill"}
    page = client_of(judge).post(address, why, follow=True).content.decode()
    assert "This is about you. Leave it to another moderator." in page
    about.refresh_from_db()
    assert about.settled_at is None


@pytest.mark.parametrize("who", ["first", "second"])
def test_nobody_reads_what_is_about_themselves(who: str) -> None:
    judge, ann = moderator("judge"), person("ann")
    people = {"first": judge, "second": ann} if who == "first" else {"first": ann, "second": judge}
    about = Finding.objects.create(kind=Finding.Kind.TRANSFER, **people, facts=TRANSFER)
    pages = (PAGE, "/moderation/people/judge/", "/moderation/people/ann/")
    for settled in (False, True):
        if settled:
            findings.settle(about, None, "They train together")
            findings.reopen(about, None, "They do not train")
            findings.settle(about, None, "They train together")
        for address in (*pages, reverse("moderation_log")):
            page = client_of(judge).get(address).content.decode()
            assert "who gained 80 points" not in page
            assert "train" not in page
    log = client_of(moderator()).get(reverse("moderation_log")).content.decode()
    assert log.count("They train together") == 2
    assert "They do not train" in log
    deed = Deed.objects.filter(act="settle").latest("pk")
    assert client_of(judge).get(reverse("deed_undo", args=[deed.pk])).status_code == 404


@pytest.mark.parametrize("who", ["first", "second"])
def test_nobody_reads_in_the_log_what_was_about_themselves_after_it_is_forgotten(who: str) -> None:
    judge, ann = moderator("judge"), person("ann")
    people = {"first": judge, "second": ann} if who == "first" else {"first": ann, "second": judge}
    about = Finding.objects.create(kind=Finding.Kind.TRANSFER, **people, facts=TRANSFER)
    findings.settle(about, None, "They train together")
    jobs.prune(timezone.now() + jobs.FINDINGS_KEPT + timedelta(days=1))
    assert not Finding.objects.exists()
    log = reverse("moderation_log")
    assert "train" not in client_of(judge).get(log).content.decode()
    assert "They train together" in client_of(moderator()).get(log).content.decode()


def test_nobody_reads_or_settles_what_is_about_their_own_matches(found: tuple[User, User, Match]) -> None:
    ann, ben, judge = found[0], found[1], moderator("judge")
    match = running_match([ann, ben, judge])
    Finding.objects.all().delete()
    about = Finding.objects.create(kind=Finding.Kind.DEVICE, first=ann, second=ben, match=match)
    pages = (PAGE, "/moderation/people/ann/", f"/moderation/matches/{match.slug}/")
    for address in pages:
        assert "played from one device" not in client_of(judge).get(address).content.decode()
        assert "played from one device" in client_of(moderator()).get(address).content.decode()
    with pytest.raises(RuleViolation, match="another moderator"):
        findings.settle(about, judge, "They are sisters")


def ended(user: User) -> None:
    """Carry out the end of an account."""
    now = timezone.now()
    Deletion.objects.create(user=user, confirmed_at=now - deletions.GRACE, due_at=now)
    Deletions().run_due(now)


@pytest.mark.parametrize("who", ["first", "second"])
def test_findings_stay_beside_the_other_when_an_account_ends(found: tuple[User, User, Match], who: str) -> None:
    ann, ben, match = found
    commands.resign(match.pk, 0, "resignation")
    gone, left = (ann, ben) if who == "first" else (ben, ann)
    ended(gone)
    assert not User.objects.filter(pk=gone.pk).exists()
    client = client_of(moderator())
    page = client.get(PAGE).content.decode()
    names = {"first": "— and ben", "second": "ann and —"}
    assert f"{names[who]} played from one device." in page
    assert f"matches between {names[who]} were over" in page
    assert gone.username not in page.replace(left.username, "")
    assert ("ended 6 rated matches" in page) == (who == "second"), "what is about nobody else is gone"
    assert names[who] in client.get(reverse("moderated_person", args=[left.username])).content.decode()
    for finding in Finding.objects.all():
        findings.settle(finding, None, "Looked at")
        findings.reopen(finding, None, "Once more")
    ended(left)
    assert not Finding.objects.exists()


def test_whoever_does_not_moderate_finds_nothing(found: tuple[User, User, Match]) -> None:
    assert client_of(found[0]).get(PAGE).status_code == 404
