"""Passkeys in a real browser, with the virtual authenticator of the DevTools protocol, under the site's own policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from tests.people import PASSWORD, person
from tests.serving import Site

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Device:
    """A page in a browser with a device that holds passkeys; the browser's errors are collected."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        # A passkey belongs to a host name, never to an IP address.
        self.url = site.url.replace("127.0.0.1", "localhost")
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)
        self.protocol = context.new_cdp_session(self.page)
        self.protocol.send("WebAuthn.enable")
        self.id = self.protocol.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def open(self, path: str) -> None:
        self.page.goto(self.url + path)

    def log_in(self, user: User) -> None:
        self.open("/account/login/")
        self.page.get_by_label("Name or email address").fill(user.username)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Log in", exact=True).click()
        expect(self.page).not_to_have_url(re.compile("/account/login/"))

    def add_passkey(self, name: str) -> None:
        self.open("/account/2fa/webauthn/add/")
        if "reauthenticate" in self.page.url:
            self.page.get_by_label("Password").fill(PASSWORD)
            self.page.get_by_role("button", name="Continue").click()
        self.page.get_by_label("Name of this passkey").fill(name)
        self.page.get_by_role("button", name="Add").click()
        expect(self.page.get_by_role("heading", name="Recovery codes")).to_be_visible()

    def refuse(self) -> None:
        """Let the user decline the device's question."""
        options = {"authenticatorId": self.id, "isUserVerified": False}
        self.protocol.send("WebAuthn.setUserVerified", options)


@pytest.fixture
def device(visitor: Callable[..., BrowserContext], live_site: Site) -> Device:
    return Device(visitor(), live_site)


def logged_in(page: Page, user: User) -> None:
    expect(page.locator(".menu-name")).to_have_text(user.username)


def test_add_a_passkey_and_log_in_with_it_alone(device: Device) -> None:
    user = person("Ann")
    device.log_in(user)
    logged_in(device.page, user)
    device.add_passkey("Phone")

    device.open("/account/logout/")
    device.page.get_by_role("main").get_by_role("button", name="Log out").click()
    device.open("/account/login/?next=/settings/profile/")
    device.page.get_by_role("button", name="Log in with a passkey").click()
    expect(device.page).to_have_url(f"{device.url}/settings/profile/")
    assert device.complaints == []


def test_a_passkey_is_the_second_step_after_the_password_and_may_be_refused(device: Device) -> None:
    user = person("Ann")
    device.log_in(user)
    device.add_passkey("Phone")
    device.page.context.clear_cookies()
    device.log_in(user)
    expect(device.page.get_by_role("heading", name="Two-step login")).to_be_visible()
    device.page.get_by_role("button", name="Use a passkey").click()
    logged_in(device.page, user)
    assert device.complaints == []
    _tell_a_refusal_in_words(device)


def _tell_a_refusal_in_words(device: Device) -> None:
    device.page.context.clear_cookies()
    device.refuse()
    device.open("/account/login/")
    device.page.get_by_role("button", name="Log in with a passkey").click()
    expect(device.page.get_by_role("alert")).to_contain_text("Nothing has changed")
    expect(device.page).to_have_url(f"{device.url}/account/login/")


def test_show_once_more_that_it_is_you_rename_and_remove(device: Device) -> None:
    device.log_in(person("Ann"))
    device.add_passkey("Phone")
    device.open("/account/2fa/webauthn/reauthenticate/?next=/account/2fa/webauthn/")
    device.page.get_by_role("button", name="Use a passkey").click()
    expect(device.page).to_have_url(f"{device.url}/account/2fa/webauthn/")
    device.page.get_by_role("link", name="Rename").click()
    device.page.get_by_label("Name of this passkey").fill("Old phone")
    device.page.get_by_role("button", name="Save").click()
    expect(device.page.get_by_role("rowheader", name="Old phone")).to_be_visible()
    device.page.get_by_role("link", name="Remove").click()
    expect(device.page.get_by_role("heading", name="Remove “Old phone”?")).to_be_visible()
    device.page.get_by_role("button", name="Remove").click()
    expect(device.page.get_by_text("You have no passkeys yet.")).to_be_visible()
    assert device.complaints == []


def test_at_a_bare_number_the_page_says_what_is_wrong(device: Device, live_site: Site) -> None:
    device.page.goto(f"{live_site.url}/account/login/")
    device.page.get_by_role("button", name="Log in with a passkey").click()
    expect(device.page.get_by_role("alert")).to_contain_text("http://localhost")
