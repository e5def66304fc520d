"""People let programs in: the page that asks leads back to the program, under our policy, in every language."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from allauth.idp.oidc.models import Token
from django.conf import settings
from django.utils.http import urlencode
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.axe import violations_at_both_widths
from tests.people import person
from tests.serving import Site
from tests.site.accounts.programs import Program, program_of
from tests.waiting import wait_until

Enter = Callable[..., Page]

TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.fixture
def ann(live_site: Site) -> User:
    return person("ann")


class Arrival(BaseHTTPRequestHandler):
    """What a program on somebody's own machine answers."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Back</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def program(ann: User) -> Iterator[Program]:
    """A program that listens on this machine, at another port each time, and so at another origin than the site."""
    program = program_of(person("author"), back="http://127.0.0.1/back")
    with ThreadingHTTPServer(("127.0.0.1", 0), Arrival) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        program.back = f"http://127.0.0.1:{listening.server_port}/back"
        yield program
        listening.shutdown()


def question(program: Program) -> str:
    return f"/oauth/authorize?{urlencode(program.question(scope='read play tables chat puzzles bot openid'))}"


@pytest.mark.parametrize("scripts", [True, False])
def test_the_form_leads_back_to_the_program(enter: Enter, ann: User, program: Program, scripts: bool) -> None:
    page = enter(ann, question(program), java_script_enabled=scripts, viewport={"width": 360, "height": 740})
    page.get_by_label("Play in your matches").uncheck()
    page.get_by_role("button", name="Let it in").click()
    expect(page).to_have_url(re.compile(rf"^{re.escape(program.back)}\?code=\w+&state=s-1$"))
    code = re.findall(r"code=(\w+)", page.url)[0]
    assert "play" not in program.token(code).json()["scope"].split()

    page.goto(question(program))
    page.get_by_role("button", name="Refuse").click()
    expect(page).to_have_url(f"{program.back}?error=access_denied&state=s-1")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_device_is_connected_and_revoked(enter: Enter, ann: User, program: Program, scripts: bool) -> None:
    given = program.post("device/code", scope="read").json()
    page = enter(ann, "/oauth/device/", java_script_enabled=scripts)
    page.get_by_label("Code").fill(given["user_code"].lower().replace("-", " "))
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Let it in").click()
    expect(page.get_by_role("heading", name="Connected")).to_be_visible()
    program.post("token", grant_type="urn:ietf:params:oauth:grant-type:device_code", device_code=given["device_code"])
    page.get_by_role("link", name="Applications").click()
    page.get_by_role("button", name="Revoke Chess Clock").click()
    expect(page.get_by_text("You have let no application in.")).to_be_visible()
    wait_until(lambda: not Token.objects.exists())


def test_the_pages_are_for_everybody_in_every_language(enter: Enter, ann: User, program: Program) -> None:
    given = program.post("device/code", scope="read play").json()
    mine = program_of(ann, "confidential")
    pages = [question(program), f"/oauth/device/?code={given['user_code']}", "/oauth/device/?code=WRONG"]
    pages += ["/account/applications/", "/settings/applications/", f"/settings/applications/{mine.id}/"]
    page, found = enter(ann, "/oauth/device/"), []
    for number, (language, _name) in enumerate(settings.LANGUAGES):
        User.objects.filter(pk=ann.pk).update(language=language)
        for address in [pages[0], *pages[1 + number :: len(settings.LANGUAGES)]]:  # the others are laid out alike
            page.goto(address)
            found += violations_at_both_widths(page)
            found += [f"{address} in {language} is too wide"] if page.evaluate(TOO_WIDE) else []
    assert found == []
