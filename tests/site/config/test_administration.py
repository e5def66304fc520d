"""Django's admin opens to administrators with a second factor alone, and changes little."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse

from accounts.models import User
from config.admin import site
from games.moderation import cases, people
from games.moderation.models import Deed
from tests.people import client_of, person, running_match
from tests.site.chat.rooms import say
from tests.site.moderation.moderators import administrator, moderator

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    ContentType.objects.clear_cache()  # the admin keeps what it changes, by types that other tests have rolled back
    user = administrator("boss")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "sec-totp"})
    return user


PAGES = [f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in site._registry]


def test_it_is_closed_to_everybody_without_role_and_second_factor() -> None:
    people = {
        "player": person("player"),
        "moderator": moderator("moderator"),
        "superuser": person("superuser", is_staff=True, is_superuser=True),
        "unprotected": administrator("unprotected"),
    }
    for user in people.values():
        if user.username != "unprotected":
            Authenticator.objects.create(user=user, type="totp", data={})
    for page in ["/admin/", *PAGES, f"{PAGES[0]}1/change/", f"{PAGES[0]}1/delete/", "/admin/jsi18n/"]:
        for name, user in people.items():
            for ask in (client_of(user).get, client_of(user).post):
                assert ask(page)["Location"].startswith("/admin/login/"), (page, name)
    for name in ("player", "moderator", "superuser"):
        assert client_of(people[name]).get("/admin/login/").status_code == 404
    unprotected = client_of(people["unprotected"])
    assert unprotected.get("/admin/login/")["Location"] == "/settings/security/"
    assert "Set up a second factor first" in unprotected.get("/settings/security/").content.decode()


def test_administrators_look_at_everything_without_secrets(boss: User) -> None:
    ann = person("ann")
    match = running_match([ann, person("bob")])
    people.warn(boss, ann, "Be kind")
    browser = client_of(boss)
    assert browser.get("/admin/").status_code == 200
    for page in PAGES:
        assert browser.get(page).status_code == 200, page
    factor = Authenticator.objects.get(user=boss)
    for thing in (ann, match, factor, Deed.objects.get()):
        page = reverse(f"admin:{thing._meta.app_label}_{thing._meta.model_name}_change", args=[thing.pk])
        shown = browser.get(page).content.decode()
        assert ann.password not in shown
        assert bytes(match.server_seed).hex() not in shown
        assert "sec-totp" not in shown


def test_nobody_reads_there_what_concerns_themselves(boss: User) -> None:
    """As on the pages of moderators: not who has reported them, nor what spectators write about a match they play."""
    ann, dan = person("ann"), person("dan")
    match = running_match([ann, boss])
    told = [
        cases.report_person(dan, boss, "insult", "He shouts"),
        cases.report_match(dan, match, "cheating", "They talk"),
    ]
    hint = say(dan, match, "She holds the tower", room="watchers")
    told.append(cases.report_message(person("eve"), hint, hint.text, "insult", ""))
    cases.decide(None, told[0].case.pk, "nothing", "", "He does not")
    other = cases.report_person(dan, ann, "insult", "She shouts")
    pages = {
        model: client_of(boss).get(f"/admin/moderation/{model}/").content.decode()
        for model in ("report", "case", "deed")
    }
    shown = {model: set(map(int, re.findall(rf"/{model}/(\d+)/change/", page))) for model, page in pages.items()}
    assert shown == {"report": {other.pk}, "case": {told[2].case.pk, other.case.pk}, "deed": set()}
    for report in told:
        page = client_of(boss).get(f"/admin/moderation/report/{report.pk}/change/", follow=True).content.decode()
        assert "shouts" not in page
        assert "tower" not in page


def test_nothing_with_rules_of_its_own_is_changed_there(boss: User) -> None:
    ann = person("ann")
    people.warn(boss, ann, "Be kind")
    browser, deed = client_of(boss), Deed.objects.get()
    assert browser.post(f"/admin/accounts/user/{ann.pk}/change/", {"username": "eve"}).status_code == 403
    assert browser.post(f"/admin/accounts/user/{ann.pk}/delete/", {"post": "yes"}).status_code == 403
    assert browser.post(f"/admin/moderation/deed/{deed.pk}/delete/", {"post": "yes"}).status_code == 403
    assert browser.post(f"/admin/moderation/deed/{deed.pk}/change/", {"reason": "x"}).status_code == 403
    ann.refresh_from_db()
    assert ann.username == "ann"


def test_second_factors_and_addresses_are_not_changed_there(boss: User) -> None:
    ann = person("ann")
    factor = Authenticator.objects.create(user=ann, type="totp", data={})
    EmailAddress.objects.filter(user=ann).update(verified=False)
    address = EmailAddress.objects.get(user=ann)
    browser = client_of(boss)
    for thing in (f"mfa/authenticator/{factor.pk}", f"account/emailaddress/{address.pk}"):
        assert browser.post(f"/admin/{thing}/delete/", {"post": "yes"}).status_code == 403
        assert browser.post(f"/admin/{thing}/change/", {"verified": "on"}).status_code == 403
    address.refresh_from_db()
    assert not address.verified
    assert Authenticator.objects.filter(pk=factor.pk).exists()
