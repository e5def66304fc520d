"""Every page of an account is in our design, and none needs anything the content policy forbids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.template.loader import get_template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from tests.people import PASSWORD
from tests.site.accounts.conftest import totp

ENTRANCE = [
    "/account/login/",
    "/account/signup/",
    "/account/inactive/",
    "/account/confirm-email/",
    "/account/confirm-email/nonsense/",
    "/account/password/reset/",
    "/account/password/reset/done/",
    "/account/password/reset/key/done/",
    "/account/password/reset/key/1-nonsense/",
]
OWN = [
    "/settings/",
    "/settings/profile/",
    "/settings/security/",
    "/settings/data/",
    "/account/logout/",
    "/account/email/",
    "/account/password/change/",
    "/account/reauthenticate/",
    "/account/sessions/",
    "/account/2fa/webauthn/",
    "/account/2fa/webauthn/add/",
    "/account/2fa/totp/activate/",
]
WITH_APP = [
    "/settings/security/",
    "/account/2fa/reauthenticate/",
    "/account/2fa/totp/deactivate/",
    "/account/2fa/recovery-codes/",
    "/account/2fa/recovery-codes/generate/",
]
# Views that only redirect, or are switched off (codes by email instead of links).
NO_PAGE = {"account_confirm_login_code", "mfa_index"}


def check(page: str) -> None:
    """Check for our frame, one heading, a label for every control, and nothing inline."""
    assert 'class="site-header"' in page
    assert page.count("<h1") == 1
    assert "style=" not in page
    assert not re.search(r"<style|\son\w+=|javascript:", page)
    assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", page))
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    controls = re.findall(r'<(?:input|select)(?![^>]*type="hidden")[^>]*\sid="([^"]+)"', page)
    assert all(f'for="{control}"' in page for control in controls)


def test_pages_before_the_login(client: Client, db: None, subtests: pytest.Subtests) -> None:
    for path in ENTRANCE:
        with subtests.test(path):
            response = client.get(path)
            assert response.status_code == 200
            check(response.content.decode())


@pytest.fixture
def confirmed(ann: User, log_in: Callable[..., Client]) -> Client:
    """Return Ann, who has just confirmed that it's her."""
    client = log_in(ann)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def test_pages_about_oneself(confirmed: Client, subtests: pytest.Subtests) -> None:
    for path in OWN:
        with subtests.test(path):
            response = confirmed.get(path)
            assert response.status_code == 200
            check(response.content.decode())
            assert response["Cache-Control"].find("no-store") >= 0 or response["Cache-Control"].find("private") >= 0


@pytest.mark.parametrize("path", WITH_APP)
def test_pages_with_an_authenticator_app(confirmed: Client, path: str) -> None:
    key = confirmed.get("/account/2fa/totp/activate/").context["form"].secret
    confirmed.post("/account/2fa/totp/activate/", {"code": totp(key)})
    response = confirmed.get(path)
    assert response.status_code == 200
    check(response.content.decode())


@pytest.mark.parametrize("page", ["edit", "remove"])
def test_pages_of_somebody_elses_passkey_do_not_exist(confirmed: Client, page: str) -> None:
    other = User.objects.create_user("Berta", "berta@example.org")
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "Phone"})
    assert confirmed.get(f"/account/2fa/webauthn/keys/{key.pk}/{page}/").status_code == 404


def test_the_policy_forbids_inline_scripts_and_frames(client: Client, db: None) -> None:
    policy = client.get("/account/login/")["Content-Security-Policy"]
    assert "script-src 'self';" in f"{policy};"
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def views() -> Iterator[tuple[str, str]]:
    """Yield the name of every address below /account/ whose view renders a template, and that template."""
    for name, pattern in patterns(get_resolver(), ""):
        template = getattr(getattr(pattern.callback, "view_class", None), "template_name", None)
        if name.startswith("account/") and template:
            yield str(pattern.name), template


def patterns(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        path = prefix + str(entry.pattern).lstrip("^")
        if isinstance(entry, URLResolver):
            yield from patterns(entry, path)
        else:
            yield path, entry


def test_no_page_is_the_librarys_default() -> None:
    found = {template for name, template in views() if name not in NO_PAGE}
    assert len(found) > 20
    ours = Path(settings.BASE_DIR) / "templates"
    theirs = {name for name in found if not Path(get_template(name).origin.name).is_relative_to(ours)}  # type: ignore[attr-defined]  # of Django's backend
    assert theirs == set()


def test_a_refused_form_says_what_is_wrong_first_and_beside_the_field(client: Client, db: None) -> None:
    page = client.post("/account/signup/", {"username": "a b", "email": "ann@example.org"}).content.decode()
    summary = page[page.index('<div class="notice bad form-errors"') : page.index("</ul>", page.index("form-errors"))]
    assert 'role="alert" tabindex="-1" autofocus' in summary
    for field in ("id_username", "id_password1"):
        assert f'<a href="#{field}">' in summary
        control = re.search(rf'<input[^>]*id="{field}"[^>]*>', page)
        assert control is not None
        assert 'aria-invalid="true"' in control[0]
        assert f"{field}_error" in control[0]
        assert f'<ul class="errorlist" id="{field}_error">' in page
    assert "id_email" not in summary


def test_a_form_refused_as_a_whole_says_so_first(client: Client, db: None) -> None:
    page = client.post("/account/login/", {"login": "nobody", "password": "whatever"}).content.decode()
    assert page.count("Wrong name, email address or password.") == 1
    assert page.index("form-errors") < page.index("Wrong name, email address or password.")
