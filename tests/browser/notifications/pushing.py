"""Push messages handed to a service worker in Chromium, in place of a real push service, and what it then shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Page, Worker

from games.notifications.channels.push import payload
from games.notifications.messages import Message
from tests.serving import Site

PAGE = "/settings/devices/"

ALLOWED = """Object.defineProperty(Notification, "permission", { configurable: true, get: () => "granted" });
Notification.requestPermission = async () => "granted";"""
"""What somebody has answered who may be told: a browser that shows no notifications always says that it may not."""

SUBSCRIBES = """(fields) => {
  let current = JSON.parse(localStorage.getItem("subscription"));
  const subscription = () => current && {
    options: { applicationServerKey: current.key && new TextEncoder().encode(current.key).buffer },
    toJSON: () => ({ endpoint: current.endpoint, keys: { p256dh: current.p256dh, auth: current.auth } }),
    unsubscribe: async () => { localStorage.removeItem("subscription"); current = null; return true; },
  };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("asked", JSON.stringify(options));
    localStorage.setItem("subscription", JSON.stringify(fields));
    current = fields;
    return subscription();
  };
}"""
"""What a real push service does for the browser."""


def with_worker(page: Page) -> Worker:
    """Let the service worker take charge of a page; return it."""
    page.evaluate("navigator.serviceWorker.register('/service-worker.js', { scope: '/' })")
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return page.context.service_workers[0]


def push(page: Page, data: str) -> None:
    """Hand a push message to the service worker of a page, as the browser does when one arrives, and wait for its end.

    Until then do not ask what is shown: asking makes Chromium forget what it has noted but not yet shown.
    """
    session: CDPSession = page.context.new_cdp_session(page)
    began, found, ended = time.time(), list[str](), list[str]()

    def note(event: dict[str, Any]) -> None:
        found.extend(it["registrationId"] for it in event["registrations"] if not it["isDeleted"])

    def hear(event: dict[str, Any]) -> None:
        heard = event["backgroundServiceEvent"]
        if heard["eventName"] == "Push event completed" and heard["timestamp"] >= began:  # earlier ones are told again
            ended.append(heard["instanceId"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.on("BackgroundService.backgroundServiceEventReceived", hear)
    session.send("ServiceWorker.enable")
    session.send("BackgroundService.startObserving", {"service": "pushMessaging"})
    session.send("BackgroundService.setRecording", {"shouldRecord": True, "service": "pushMessaging"})
    assert becomes_so(page, lambda: bool(found))
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    session.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": found[0], "data": data})
    assert becomes_so(page, lambda: bool(ended))
    session.detach()


def becomes_so(page: Page, so: Callable[[], bool]) -> bool:
    """Let the browser go on until something is true; False if it is not in good time."""
    deadline = time.monotonic() + 60
    while not (true := so()) and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    return true


SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(
    ({ title, body, tag, icon, data }) => ({ title, body, tag, icon: new URL(icon).pathname, url: data.url }))"""


def shown(page: Page, *titles: str) -> list[dict[str, str]]:
    """Wait for notifications with these titles, in any order; return what the browser shows."""
    found: list[dict[str, str]] = []

    def are_there() -> bool:
        found[:] = page.evaluate(SHOWN)
        return sorted(it["title"] for it in found) == sorted(titles)

    assert becomes_so(page, are_there), found
    return found


def told(site: Site, slug: str, **fields: Any) -> str:
    """Return what the worker encrypts for a device."""
    text = {"title": "Your turn", "text": "Bob has moved.", "topic": f"match {slug}", "waiting": 2, **fields}
    return payload(Message(kind="turn", url=f"{site.url}/match/{slug}/", match=slug, **text)).decode()
