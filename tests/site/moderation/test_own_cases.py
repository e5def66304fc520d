"""Nobody moderates what is about themselves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import Sanction, User
from games.engine.protocol import RuleViolation
from games.matchmaking import planned
from games.matchmaking.tables import TableSetup
from games.moderation import cases, matches, people, reversals
from games.moderation.models import Case, Deed
from tests.people import client_of, open_table, person, running_match
from tests.site.moderation.moderators import administrator, moderator
from tests.site.moderation.test_matches import lost_by

pytestmark = pytest.mark.django_db


def refused(do: Callable[[], object]) -> str:
    with pytest.raises(RuleViolation) as refusal:
        do()
    return refusal.value.text


def test_a_case_about_a_moderator_is_for_another_one(mod: User, ann: User) -> None:
    about_mod = cases.report_person(ann, mod, "insult", "He threatens me").case
    about_match = cases.report_match(ann, running_match([mod, person()]), "cheating", "").case
    for case in (about_mod, about_match):
        path = f"/moderation/cases/{case.pk}/"
        assert client_of(mod).get(path).status_code == 404
        assert client_of(mod).post(f"{path}change/", {"do": "claim"}).status_code == 404
        claim, decide = partial(cases.claim, mod, case.pk), partial(cases.decide, mod, case.pk)
        for do in (claim, partial(decide, "nothing", "", "Nothing there")):
            assert refused(do) == "Another moderator has to decide this."
    queue = client_of(mod).get("/moderation/").content.decode()
    assert "/moderation/cases/" not in queue
    assert "All done. Thank you!" in queue
    assert Case.objects.filter(decided_at=None, claimed_by=None).count() == 2
    assert "/moderation/cases/" in client_of(moderator("other")).get("/moderation/").content.decode()


def test_a_decided_case_about_a_moderator_stays_decided(mod: User, ann: User) -> None:
    case = cases.report_person(ann, mod, "insult", "He threatens me").case
    boss = administrator("boss")
    people.warn(boss, mod, "Do not threaten people", case)
    cases.decide(boss, case.pk, "acted", "", "Warned")
    assert refused(lambda: cases.reopen(mod, case, "No")) == "Another moderator has to decide this."
    for deed in Deed.objects.all():
        assert refused(partial(reversals.undo, mod, deed, "No")) == "Another moderator has to decide this."
    assert Deed.objects.count() == 2


def test_nobody_decides_a_table_that_they_have_planned_or_want_to_come_to(mod: User, ann: User) -> None:
    at = timezone.now() + timedelta(days=2)
    own, others = (planned.plan_table(host, TableSetup("shifting-stones", 3, rated=False), at) for host in (mod, ann))
    planned.come(others.pk, mod)
    for table in (own, others):
        case = cases.report_match(person(), table, "insult", "").case
        assert client_of(mod).get(f"/moderation/cases/{case.pk}/").status_code == 404
        assert refused(partial(matches.shut_table, mod, table, "Because")) == "Another moderator has to decide this."
    assert "/moderation/cases/" not in client_of(mod).get("/moderation/").content.decode()
    matches.shut_table(moderator("other"), own, "Because")


def test_the_log_tells_moderators_nothing_about_themselves(mod: User, ann: User) -> None:
    boss, other = administrator("boss"), moderator("other")
    table = open_table([mod], seats=2)
    about_mod = cases.report_person(ann, mod, "insult", "").case
    cases.decide(boss, about_mod.pk, "nothing", "", "No reason to worry about mod")
    people.warn(boss, mod, "Do not threaten people")
    matches.shut_table(other, table, "Its note insults people")
    about_ann = people.warn(boss, ann, "Be kind")
    reasons = ("No reason to worry about mod", "Do not threaten people", "Its note insults people")
    people.confirm_warning(mod, Sanction.objects.get(user=mod).pk)
    for path in ("/moderation/people/mod/", f"/moderation/matches/{table.slug}/"):
        assert "What was done" not in client_of(mod).get(path).content.decode()
    log = client_of(mod).get("/moderation/log/").content.decode()
    assert about_ann.reason in log
    assert not any(reason in log for reason in reasons)
    seen = client_of(other).get("/moderation/log/").content.decode()
    assert all(reason in seen for reason in reasons)
    for deed in Deed.objects.exclude(pk=about_ann.pk):
        assert client_of(mod).get(f"/moderation/log/{deed.pk}/undo/").status_code == 404


def test_nobody_decides_a_match_that_they_play(mod: User, ann: User) -> None:
    boss = administrator("boss")
    table, running, lost = open_table([mod], seats=2), running_match([mod, ann]), lost_by(0, [mod, ann])
    annulled = lost_by(0, [mod, ann])
    deed = matches.abort(boss, annulled, "Both of them")
    for do in (
        lambda: matches.shut_table(mod, table, "Because"),
        lambda: matches.abort(mod, running, "Because"),
        lambda: matches.abort(mod, lost, "Because"),
        lambda: matches.award(mod, lost, [1, 2], "Because"),
        lambda: matches.reinstate(mod, annulled, "Because"),
        lambda: reversals.undo(mod, deed, "Because"),
    ):
        assert refused(do) == "Another moderator has to decide this."
    asked = {"act": "award", "place0": "1", "place1": "2", "reason": "Because"}
    answer = client_of(mod).post(f"/moderation/matches/{lost.slug}/", asked, follow=True)
    assert "Another moderator has to decide this." in answer.content.decode()
    assert Deed.objects.count() == 1
