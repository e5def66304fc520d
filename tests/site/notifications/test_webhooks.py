"""Webhooks as they arrive: the body of each style, the signature, and what happens to one that fails."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from email.header import decode_header, make_header
from typing import Any

import pytest
from pytest_django import Settings
from time_machine import Traveller

from accounts.models import User
from games.notifications.channels import Gone, Undeliverable, webhooks
from games.notifications.channels.http import Unanswered
from games.notifications.messages import Message
from games.notifications.models import Channel, Delivery, Webhook
from games.notifications.planning import TRANSPORTS
from tests.clocked import MONDAY
from tests.people import person
from tests.site.notifications.conftest import Names
from tests.site.notifications.listening import Heard, Listener

pytestmark = pytest.mark.django_db

Make = Callable[[Webhook.Style], Webhook]

MESSAGE = Message(
    kind="turn",
    title="Your turn in Small Islands",
    text="Bärbel has moved.",
    url="http://127.0.0.1:8000/match/abc/",
    topic="match abc",
    match="abc",
    deadline=MONDAY,
    waiting=2,
    urgent=True,
)
UID = uuid.uuid4()

EVIL = Message(
    kind="turn",
    title="**@everyone** <!channel> [x](https://evil.example) & `y`\r\nX-Header: z",
    text="_a_ ~b~ ||c|| <@1> # d",
    url="http://127.0.0.1:8000/match/abc/",
    topic="match abc",
)


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def make(ann: User, listener: Listener) -> Make:
    """Make a webhook of ann's that leads to the listener."""
    return lambda style: Webhook.objects.create(user=ann, style=style, address=f"{listener.url}/hook")


def send(webhook: Webhook, message: Message = MESSAGE) -> None:
    """Send as the worker does: to a webhook that it has just read."""
    webhook.refresh_from_db()
    TRANSPORTS["webhook"].send(
        Delivery(user=webhook.user, channel=Channel.WEBHOOK, webhook=webhook, uid=UID, key="x"), message
    )


def failing(webhook: Webhook, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises((Unanswered, Undeliverable)):
            send(webhook)


# --- what arrives -----------------------------------------------------------------------------------------------
def test_discord_gets_text_that_calls_nobody(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.DISCORD))
    (heard,) = listener.heard
    assert (heard.path, heard.headers["Content-Type"]) == ("/hook", "application/json")
    assert json.loads(heard.body) == {
        "content": "**Your turn in Small Islands**\nBärbel has moved.\n<http://127.0.0.1:8000/match/abc/>",
        "allowed_mentions": {"parse": []},
    }


def test_what_people_write_is_no_markup_of_discord(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.DISCORD), EVIL)
    title, *_rest = json.loads(listener.heard[0].body)["content"].split("\r\n")
    assert title == r"**\*\*\@everyone\*\* \<!channel\> \[x\]\(https\://evil.example\) & \`y\`"


def test_slack_gets_plain_text(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.SLACK))
    (heard,) = listener.heard
    assert heard.headers["Content-Type"] == "application/json"
    assert json.loads(heard.body) == {
        "text": "Your turn in Small Islands\nBärbel has moved.\nhttp://127.0.0.1:8000/match/abc/",
        "mrkdwn": False,
    }


def test_what_people_write_is_no_markup_of_slack(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.SLACK), EVIL)
    text = json.loads(listener.heard[0].body)["text"]
    assert text.startswith("**@everyone** &lt;!channel&gt; [x](https://evil.example) &amp; `y`")
    assert "<" not in text


def test_ntfy_gets_the_text_as_body_and_the_rest_as_headers(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.NTFY))
    (heard,) = listener.heard
    assert heard.body.decode() == "Bärbel has moved."
    found = {name: heard.headers[name] for name in ("Title", "Click", "Priority", "Content-Type")}
    assert found == {
        "Title": "Your turn in Small Islands",
        "Click": "http://127.0.0.1:8000/match/abc/",
        "Priority": "4",
        "Content-Type": "text/plain; charset=utf-8",
    }


def test_a_title_beyond_ascii_is_encoded_for_a_header(make: Make, listener: Listener) -> None:
    title = "Du bist dran: „Kleine Inseln“ gegen 李"
    send(make(Webhook.Style.NTFY), Message("turn", title, "x", "http://127.0.0.1:8000/", "t"))
    header = listener.heard[0].headers["Title"]
    assert header.isascii()
    assert str(make_header(decode_header(header))) == title


def test_what_is_not_urgent_has_the_default_priority_of_ntfy(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.NTFY), EVIL)
    assert listener.heard[0].headers["Priority"] == "3"


def test_nobody_adds_a_header_by_a_name(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.NTFY), EVIL)
    assert "X-Header" not in listener.heard[0].headers
    assert listener.heard[0].headers["Title"].endswith("`y` X-Header: z")


def test_json_has_every_field(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.JSON))
    assert json.loads(listener.heard[0].body) == {
        "id": str(UID),
        "kind": "turn",
        "title": "Your turn in Small Islands",
        "text": "Bärbel has moved.",
        "url": "http://127.0.0.1:8000/match/abc/",
        "match": "abc",
        "deadline": "2026-03-09T12:00:00+00:00",
        "waiting": 2,
        "urgent": True,
    }


def is_signed(heard: Heard, secret: str, at: int) -> bool:
    """Check a signature as a receiver would, from RFC 2104 and the page alone."""
    parts = dict(part.split("=") for part in heard.headers["Tessera-Signature"].split(","))
    key = secret.encode().ljust(64, b"\0")
    inner = hashlib.sha256(bytes(it ^ 0x36 for it in key) + parts["t"].encode() + b"." + heard.body).digest()
    outer = hashlib.sha256(bytes(it ^ 0x5C for it in key) + inner).hexdigest()
    return parts["v1"] == outer and parts["t"] == str(at)


def test_json_is_signed(make: Make, listener: Listener, clock: Traveller) -> None:
    webhook = make(Webhook.Style.JSON)
    send(webhook)
    at = int(MONDAY.timestamp())
    assert is_signed(listener.heard[0], webhook.secret, at)
    assert not is_signed(listener.heard[0], webhook.secret[::-1], at)


def test_every_webhook_has_a_secret_of_its_own(make: Make) -> None:
    first = make(Webhook.Style.JSON)
    first.delete()
    assert make(Webhook.Style.JSON).secret != first.secret
    assert len(base64.b16decode(first.secret, casefold=True)) == 32


def test_who_sends_is_said(make: Make, listener: Listener) -> None:
    send(make(Webhook.Style.SLACK))
    assert listener.heard[0].headers["User-Agent"] == "Tessera (http://127.0.0.1:8000)"


# --- what fails -------------------------------------------------------------------------------------------------
def test_ten_failures_in_a_row_over_a_day_disable_a_webhook(
    make: Make, listener: Listener, clock: Traveller, ann: User
) -> None:
    webhook, listener.status = make(Webhook.Style.JSON), 500
    failing(webhook, webhooks.MOST_FAILURES - 1)
    clock.shift(timedelta(days=1))
    assert len(TRANSPORTS["webhook"].targets(ann)) == 1
    failing(webhook)
    webhook.refresh_from_db()
    assert webhook.disabled == "failing"
    assert TRANSPORTS["webhook"].targets(ann) == []
    with pytest.raises(Gone):
        send(webhook)
    assert len(listener.heard) == webhooks.MOST_FAILURES


def test_many_failures_within_a_restart_do_not(make: Make, listener: Listener, clock: Traveller) -> None:
    webhook, listener.status = make(Webhook.Style.JSON), 503
    failing(webhook, 3 * webhooks.MOST_FAILURES)
    clock.shift(timedelta(hours=23))
    failing(webhook)
    webhook.refresh_from_db()
    assert webhook.disabled == ""


def test_few_failures_over_many_days_do_not(make: Make, listener: Listener, clock: Traveller) -> None:
    webhook, listener.status = make(Webhook.Style.JSON), 503
    for _ in range(webhooks.MOST_FAILURES - 1):
        failing(webhook)
        clock.shift(timedelta(days=1))
    webhook.refresh_from_db()
    assert webhook.disabled == ""


def test_one_success_makes_good_all_failures(make: Make, listener: Listener, clock: Traveller) -> None:
    webhook, listener.status = make(Webhook.Style.JSON), 500
    failing(webhook, webhooks.MOST_FAILURES - 1)
    listener.status = 204
    send(webhook)
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since) == (0, None)
    clock.shift(timedelta(days=2))
    listener.status = 500
    failing(webhook)
    webhook.refresh_from_db()
    assert webhook.disabled == ""


@pytest.mark.parametrize("status", [404, 410])
def test_an_address_that_does_not_exist_any_more_disables_at_once(status: int, make: Make, listener: Listener) -> None:
    webhook, listener.status = make(Webhook.Style.DISCORD), status
    with pytest.raises(Gone):
        send(webhook)
    webhook.refresh_from_db()
    assert webhook.disabled == "gone"


def test_too_much_at_once_is_no_failure(make: Make, listener: Listener) -> None:
    webhook, listener.status = make(Webhook.Style.DISCORD), 429
    with pytest.raises(Unanswered):
        send(webhook)
    webhook.refresh_from_db()
    assert webhook.failures == 0


@pytest.mark.parametrize(
    ("status", "error"), [(400, Undeliverable), (302, Undeliverable), (500, Unanswered), (503, Unanswered)]
)
def test_only_what_may_be_different_later_is_tried_again(
    status: int, error: type[Exception], make: Make, listener: Listener
) -> None:
    webhook, listener.status = make(Webhook.Style.SLACK), status
    with pytest.raises(error):
        send(webhook)
    webhook.refresh_from_db()
    assert webhook.failures == 1


def test_an_address_that_leads_to_a_private_network_by_now_gets_nothing(
    make: Make, listener: Listener, settings: Settings, names: Names
) -> None:
    webhook = make(Webhook.Style.JSON)
    Webhook.objects.update(address="https://hooks.example/x")
    names("hooks.example", ["10.0.0.1"])
    with pytest.raises(Undeliverable):
        send(webhook)
    webhook.refresh_from_db()
    assert (listener.heard, webhook.failures) == ([], 1)


def test_a_person_is_told_at_each_of_their_webhooks_and_at_nobody_elses(make: Make, ann: User) -> None:
    webhook = make(Webhook.Style.JSON)
    bob = Webhook.objects.create(user=person("bob"), style="json", address=webhook.address)
    (target,) = TRANSPORTS["webhook"].targets(ann)
    assert (target.fields["webhook"], target.key) == (webhook, f"webhook-{webhook.pk}")
    assert [it.fields["webhook"] for it in TRANSPORTS["webhook"].targets(bob.user)] == [bob]


def test_the_proof_notices_a_signature_of_something_else(
    make: Make, listener: Listener, monkeypatch: pytest.MonkeyPatch, clock: Traveller
) -> None:
    """The sabotaged variant: only the body is signed, so an old message could be replayed for ever."""

    def body_alone(key: bytes, text: bytes, _digest: str) -> Any:
        return hashlib.sha256(key + text.split(b".", 1)[1]).digest()

    monkeypatch.setattr("games.notifications.channels.webhooks.hmac.digest", body_alone)
    webhook = make(Webhook.Style.JSON)
    send(webhook)
    assert not is_signed(listener.heard[0], webhook.secret, int(MONDAY.timestamp()))
