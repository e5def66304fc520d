"""The page of devices, and what the service worker does without showing anything. The push service is simulated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from accounts.models import User
from games.notifications.messages import Message
from games.notifications.models import Channel, Delivery, Device, Webhook
from games.notifications.planning import TRANSPORTS
from tests.browser.axe import violations_at_both_widths
from tests.browser.notifications.pushing import ALLOWED, PAGE, SUBSCRIBES, with_worker
from tests.browser.windows import resize
from tests.people import person, running_match
from tests.serving import Site
from tests.site.notifications.devices import Subscription
from tests.site.notifications.listening import Listener
from tests.waiting import wait_until

Enter = Callable[..., Page]

ON = "Turn on push notifications"

# --- the service worker -----------------------------------------------------------------------------------------------

CLICKED = """async (url) => {
    const done = { closed: false, focused: [], opened: [] };
    self.allTabs ??= self.clients.matchAll.bind(self.clients);
    const tabs = await self.allTabs({ type: "window", includeUncontrolled: true });
    const offered = tabs.map(({ url }) => ({ url, focus: async () => done.focused.push(new URL(url).pathname) }));
    self.clients.matchAll = async () => offered;
    self.clients.openWindow = async (address) => { done.opened.push(address); };
    const event = new ExtendableEvent("notificationclick");
    event.notification = { data: { url }, close: () => { done.closed = true; } };
    const waited = [];
    event.waitUntil = (work) => waited.push(work);
    self.dispatchEvent(event);
    await Promise.all(waited);
    return done;
}"""
"""A click on a notification. The tabs are real; only what needs a finger on the screen is recorded instead of done."""


def test_a_click_goes_to_the_tab_of_that_match_or_opens_it_but_no_other_site(page_of: Enter, live_site: Site) -> None:
    ann = person()
    match = running_match([ann, person()])
    page = page_of(ann)
    worker, site = with_worker(page), live_site.url
    for url, opened in ((f"{site}/match/abc/", f"{site}/match/abc/"), ("https://evil.example/x", f"{site}/")):
        assert worker.evaluate(CLICKED, url) == {"closed": True, "focused": [], "opened": [opened]}
    other = page.context.new_page()
    other.goto(f"{match.get_absolute_url()}?x=1")
    done = worker.evaluate(CLICKED, f"{site}{match.get_absolute_url()}")
    assert done == {"closed": True, "focused": [match.get_absolute_url()], "opened": []}


AGAIN = """async (fields) => {
    const event = new ExtendableEvent("pushsubscriptionchange");
    const { endpoint, ...keys } = fields;
    event.newSubscription = { toJSON: () => ({ endpoint, keys }) };
    const waited = [];
    event.waitUntil = (work) => waited.push(work);
    self.dispatchEvent(event);
    await Promise.all(waited);
}"""


def test_a_subscription_that_changed_is_told_by_the_browser_itself_but_not_after_logging_out(
    page_of: Enter, listener: Listener
) -> None:
    former, new, nobodys = (Subscription(f"{listener.url}/{n}") for n in range(3))
    ann = person()
    page = page_of(ann, former.fields)
    page.get_by_role("button", name=ON).click()
    expect(page.locator("#push-off")).to_be_visible()
    worker = page.context.service_workers[0]
    worker.evaluate(AGAIN, new.fields)
    assert [device.endpoint for device in Device.objects.filter(user=ann)] == [new.endpoint]
    Device.objects.all().delete()
    Session.objects.all().delete()
    worker.evaluate(AGAIN, nobodys.fields)
    assert not Device.objects.exists()


# --- the page ---------------------------------------------------------------------------------------------------------


def test_a_device_is_turned_on_told_and_turned_off(page_of: Enter, listener: Listener) -> None:
    ann, subscription = person(), Subscription(f"{listener.url}/push")
    page = page_of(ann, subscription.fields)
    page.get_by_role("button", name=ON).click()
    expect(page.locator("#push-state")).to_contain_text("Push notifications are on.")
    asked = json.loads(page.evaluate("localStorage.getItem('asked')"))
    assert asked == {"userVisibleOnly": True, "applicationServerKey": page.locator("#push").get_attribute("data-key")}
    page.get_by_role("button", name=re.compile("^Test ")).click()
    expect(page.locator("#notices")).to_contain_text("The test message is on its way.")
    assert subscription.read(listener.heard[0])["notification"]["title"] == "It works"
    (target,) = TRANSPORTS["push"].targets(ann)
    told = Message("turn", "Your turn", "x", "http://127.0.0.1/", "t")
    TRANSPORTS["push"].send(Delivery(user=ann, channel=Channel.PUSH, key="k", **target.fields), told)
    assert len(listener.heard) == 2
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_role("button", name=ON)).to_be_visible()
    assert page.evaluate("localStorage.getItem('subscription')") is None
    assert not Device.objects.exists()
    assert page.complaints == []  # type: ignore[attr-defined]  # set by the fixture


def test_nobody_is_asked_before_they_click(page_of: Enter) -> None:
    page = page_of(
        person(),
        allowed=False,
        script="""
        window.asked = 0;
        Object.defineProperty(Notification, "permission", { get: () => "default" });
        Notification.requestPermission = async () => { window.asked += 1; return "default"; };
        """,
    )
    expect(page.locator("#push-state")).to_contain_text("your browser will ask")
    assert page.evaluate("window.asked") == 0
    page.get_by_role("button", name=ON).click()
    expect(page.locator("#push-state")).to_contain_text("You did not answer your browser")
    assert page.evaluate("window.asked") == 1


WITHOUT = {
    "delete window.PushManager": "This browser cannot receive push notifications.",
    "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })": (
        "You have blocked notifications from this site."
    ),
    "Object.defineProperty(window, 'isSecureContext', { get: () => false })": "an address that begins with https",
}
"""What a browser can lack, and what is said about it."""


def test_why_this_device_cannot_be_told_is_said(page_of: Enter) -> None:
    context = page_of(person()).context
    for script, words in WITHOUT.items():
        page = context.new_page()
        page.add_init_script(f"{ALLOWED} {script}")
        page.goto(PAGE)
        expect(page.locator("#push-state")).to_contain_text(words)
        expect(page.get_by_role("button", name=ON)).to_be_hidden()


def test_a_push_service_that_cannot_be_reached_is_said(page_of: Enter) -> None:
    page = page_of(person(), script="PushManager.prototype.subscribe = async () => { throw new Error('no network'); }")
    page.get_by_role("button", name=ON).click()
    expect(page.locator("#push-state")).to_contain_text("could not be reached")
    expect(page.get_by_role("button", name=ON)).to_be_enabled()
    assert not Device.objects.exists()


def test_a_subscription_that_the_browser_gave_up_and_cannot_have_again_is_told_about(
    page_of: Enter, listener: Listener
) -> None:
    page = page_of(person(), Subscription(listener.url).fields)
    page.get_by_role("button", name=ON).click()
    expect(page.locator("#push-off")).to_be_visible()
    page.evaluate("localStorage.removeItem('subscription')")
    page.add_init_script("PushManager.prototype.subscribe = async () => { throw new Error('no network'); }")
    page.reload()
    expect(page.locator("#push-state")).to_contain_text("no longer takes push notifications")
    expect(page.get_by_role("button", name=ON)).to_be_visible()


CAUSES = {
    "given up": "() => localStorage.removeItem('subscription')",
    "another key": """() => localStorage.setItem("subscription", JSON.stringify(
        { ...JSON.parse(localStorage.getItem("subscription")), key: "another key" }))""",
    "renewed by the browser": """(fields) => localStorage.setItem("subscription", JSON.stringify(fields))""",
    "forgotten by the push service": "() => {}",
}
"""Why a subscription is no longer right, with what the browser then holds."""


def is_told_at(user: User, subscription: Subscription) -> bool:
    """Say whether this is the only subscription that the site has of somebody."""
    return [device.endpoint for device in Device.objects.filter(user=user)] == [subscription.endpoint]


@pytest.mark.parametrize("address", [PAGE, "/rules/shifting-stones/"])
def test_a_page_renews_the_subscription_without_a_word(page_of: Enter, listener: Listener, address: str) -> None:
    former, *later = (Subscription(f"{listener.url}/{n}") for n in range(len(CAUSES) + 1))
    ann = person()
    page = page_of(ann, former.fields)
    for (cause, held), new in zip(CAUSES.items(), later, strict=True):
        page.get_by_role("button", name=ON).click()
        expect(page.locator("#push-off")).to_be_visible()
        page.add_init_script(f"({SUBSCRIBES})({json.dumps(new.fields)})")
        page.evaluate(held, new.fields)
        if cause == "forgotten by the push service":
            Device.objects.all().delete()
        page.goto(address)
        wait_until(partial(is_told_at, ann, new))
        if address != PAGE:
            page.goto(PAGE)
        expect(page.locator("#push-state")).to_contain_text("Push notifications are on.")
        expect(page.get_by_role("button", name=ON)).to_be_hidden()
        page.get_by_role("button", name="Turn off").click()
        expect(page.get_by_role("button", name=ON)).to_be_visible()
        assert not Device.objects.exists(), cause
    assert page.complaints == []  # type: ignore[attr-defined]  # set by the fixture


def test_a_subscription_that_is_right_is_left_alone(page_of: Enter, listener: Listener) -> None:
    page = page_of(person(), Subscription(listener.url).fields)
    page.get_by_role("button", name=ON).click()
    expect(page.locator("#push-off")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/this/" in request.url else None)
    page.goto("/rules/shifting-stones/")
    with page.expect_response("**/renewing*.js"):
        pass
    page.wait_for_timeout(500)
    assert asked == []


def test_without_a_script_the_page_says_what_it_needs(page_of: Enter) -> None:
    page = page_of(person(), java_script_enabled=False)
    assert "this page needs JavaScript" in page.locator("#push-state").inner_text()
    expect(page.get_by_role("button", name=ON)).to_be_hidden()


def filled(listener: Listener) -> User:
    """Return somebody with devices, webhooks of every kind and state, and a calendar."""
    ann = person("ann")
    for n, name in enumerate(("Firefox, Linux", "Safari, iPhone")):
        Device.objects.create(user=ann, session=f"s{n}", endpoint=f"{listener.url}/{n}", name=name)
    for style, address, state in (
        ("discord", "https://discord.example/api/webhooks/1/abc", ""),
        ("json", "https://a-rather-long-name-of-a-host.which-somebody-has.example/tessera", ""),
        ("slack", "https://hooks.slack.example/services/1", "failing"),
    ):
        Webhook.objects.create(user=ann, style=style, address=address, disabled=state, failures=len(state))
    return ann


def test_everybody_can_use_the_page(page_of: Enter, listener: Listener) -> None:
    page = page_of(filled(listener), Subscription(f"{listener.url}/here").fields)
    assert violations_at_both_widths(page) == []
    page.get_by_role("button", name=ON).click()
    expect(page.locator("#push-off")).to_be_visible()
    page.get_by_role("button", name="Make an address").click()
    page.locator("summary").first.click()
    assert violations_at_both_widths(page) == []
    for width in (360, 1280):
        resize(page, {"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
