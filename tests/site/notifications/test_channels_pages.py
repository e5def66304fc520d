"""The page of devices, webhooks and the calendar: additions appear, mistakes are explained, only its owner sees it."""

from __future__ import annotations

import re
import threading

import pytest
from django.test import Client

from accounts.models import User
from games.notifications import trials
from games.notifications.channels import push, webhooks
from games.notifications.models import Device, Preferences, Webhook
from tests.people import client_of, person
from tests.site.notifications.devices import THIS, Subscription, logged_in, subscribed
from tests.site.notifications.listening import Listener

pytestmark = pytest.mark.django_db

PAGE = "/settings/devices/"
ADD = "/settings/webhooks/"


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def client(ann: User) -> Client:
    return client_of(ann)


def text_of(client: Client) -> str:
    return client.get(PAGE).content.decode()


# --- devices ----------------------------------------------------------------------------------------------------
def test_the_page_has_the_key_for_browsers_and_no_device_at_first(client: Client) -> None:
    page = text_of(client)
    assert f'data-key="{push.public_key()}"' in page
    assert "Your devices" not in page


def test_a_browser_that_subscribes_again_by_itself_finds_all_it_needs() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person())
    found = client.get(THIS).json()
    assert found["key"] == push.public_key()
    fields = Subscription("https://push.example/1").fields
    assert client.post(THIS, fields).status_code == 403
    assert client.post(THIS, fields, headers={"X-CSRFToken": found["token"]}).status_code == 204


def test_the_page_knows_which_device_it_is_shown_on(ann: User, listener: Listener) -> None:
    here, there = logged_in(ann), logged_in(ann, "Mozilla/5.0 (Android 16) Chrome/140")
    for n, client in enumerate((here, there)):
        subscribed(client, Subscription(f"{listener.url}/{n}"))
    page = text_of(here)
    assert re.findall(r'<th scope="row">([^<]+?) ?(?:<span class="badge good">(this browser)</span>)?</th>', page) == [
        ("Chrome, Android", ""),
        ("Firefox, Linux", "this browser"),
    ]
    assert "Push notifications are on." in page


def test_a_device_is_removed(ann: User, listener: Listener) -> None:
    client = logged_in(ann)
    device = subscribed(client, Subscription(f"{listener.url}/1"))
    page = client.post(f"{PAGE}{device.pk}/remove/", follow=True).content
    assert b"This device no longer gets notifications." in page
    assert not Device.objects.exists()


def test_a_test_message_arrives_on_a_device(ann: User, listener: Listener) -> None:
    client = logged_in(ann)
    subscription = Subscription(f"{listener.url}/1")
    device = subscribed(client, subscription)
    page = client.post(f"{PAGE}{device.pk}/test/", follow=True).content
    assert b"The test message is on its way." in page
    assert subscription.read(listener.heard[0])["notification"]["title"] == "It works"


def test_a_test_message_to_a_device_that_is_gone_says_so(ann: User, listener: Listener) -> None:
    client = logged_in(ann)
    device = subscribed(client, Subscription(f"{listener.url}/1"))
    listener.status = 410
    page = client.post(f"{PAGE}{device.pk}/test/", follow=True).content
    assert b"did not arrive: the push service answered 410." in page
    assert not Device.objects.exists()


def test_devices_of_others_are_neither_shown_nor_touched(ann: User, listener: Listener) -> None:
    device = subscribed(logged_in(ann), Subscription(f"{listener.url}/1"))
    bob = client_of(person("bob"))
    assert "Firefox" not in text_of(bob)
    for what in ("remove", "test"):
        assert bob.post(f"{PAGE}{device.pk}/{what}/").status_code == 404
    assert (listener.heard, Device.objects.count()) == ([], 1)


# --- webhooks ---------------------------------------------------------------------------------------------------
def test_a_webhook_is_added_tried_and_removed(client: Client, ann: User, listener: Listener) -> None:
    page = client.post(ADD, {"style": "slack", "address": f"{listener.url}/hook"}, follow=True).content
    assert b"Send a test message to see whether it works." in page
    webhook = Webhook.objects.get(user=ann)
    page = client.post(f"{ADD}{webhook.pk}/test/", follow=True).content
    assert b"The test message is on its way." in page
    assert b"It works" in listener.heard[0].body
    client.post(f"{ADD}{webhook.pk}/remove/")
    assert not Webhook.objects.exists()


NO_WEBHOOKS = [
    ({"style": "slack", "address": ""}, "This field is required."),
    ({"style": "smoke", "address": "https://hooks.example/1"}, "Select a valid choice."),
    ({"style": "slack", "address": "hooks.example"}, "must begin with https://"),
    ({"style": "slack", "address": "http://hooks.example/1"}, "must begin with https://"),
    ({"style": "slack", "address": "https://ann@hooks.example/1"}, "must not contain a user name"),
    ({"style": "slack", "address": "https://hooks.example:8080/1"}, "Only port 443"),
    ({"style": "slack", "address": "https://192.168.0.1/1"}, "to a private network"),
    ({"style": "slack", "address": "https://[::1]/1"}, "to a private network"),
    ({"style": "slack", "address": "https://hooks.example/ü"}, "not a valid address"),
    ({"style": "slack", "address": "https://hooks.example/" + "x" * 500}, "at most 500 characters"),
]


def test_a_webhook_that_cannot_be_is_refused_with_a_reason(client: Client, subtests: pytest.Subtests) -> None:
    for fields, reason in NO_WEBHOOKS:
        with subtests.test(fields["address"]):
            response = client.post(ADD, fields)
            assert (response.status_code, reason in response.content.decode()) == (422, True)
            assert not Webhook.objects.exists()


def test_what_was_typed_is_still_there(client: Client) -> None:
    page = client.post(ADD, {"style": "ntfy", "address": "http://hooks.example/1"}).content.decode()
    assert 'value="http://hooks.example/1"' in page
    assert '<option value="ntfy" selected>' in page


def test_an_address_is_added_once(client: Client) -> None:
    fields = {"style": "slack", "address": "https://hooks.example/1"}
    assert client.post(ADD, fields).status_code == 302
    assert b"You have already added this address." in client.post(ADD, fields).content
    assert client_of(person()).post(ADD, fields).status_code == 302


def test_nobody_has_more_webhooks_than_anybody_needs(client: Client) -> None:
    for n in range(webhooks.MOST):
        assert client.post(ADD, {"style": "slack", "address": f"https://hooks.example/{n}"}).status_code == 302
    response = client.post(ADD, {"style": "slack", "address": "https://hooks.example/more"})
    assert b"You can have at most 10 webhooks." in response.content


def test_the_secret_of_json_is_shown_with_how_to_check(client: Client, ann: User) -> None:
    webhook = Webhook.objects.create(user=ann, style="json", address="https://hooks.example/1")
    page = text_of(client)
    assert webhook.secret in page
    assert "Tessera-Signature" in page
    Webhook.objects.update(style="slack")
    assert webhook.secret not in text_of(client)


def test_a_webhook_that_was_disabled_is_told_about_and_back_after_a_test_it_takes(
    client: Client, ann: User, listener: Listener
) -> None:
    webhook = Webhook.objects.create(user=ann, style="json", address=listener.url, disabled="failing", failures=11)
    assert "JSON, signed at 127.0.0.1 is off:</strong> It kept failing for more than a day." in text_of(client)
    listener.status = 500
    assert b"did not arrive: it answered 500." in client.post(f"{ADD}{webhook.pk}/test/", follow=True).content
    assert "is off:" in text_of(client)
    listener.status = 200
    client.post(f"{ADD}{webhook.pk}/test/")
    assert "is off:" not in text_of(client)


def test_webhooks_of_others_are_neither_shown_nor_touched(ann: User, listener: Listener) -> None:
    webhook = Webhook.objects.create(user=ann, style="json", address=f"{listener.url}/secret")
    bob = client_of(person("bob"))
    assert webhook.secret not in text_of(bob)
    for what in ("remove", "test"):
        assert bob.post(f"{ADD}{webhook.pk}/{what}/").status_code == 404
    assert (listener.heard, Webhook.objects.count()) == ([], 1)


def test_what_an_address_says_stays_text(client: Client, ann: User) -> None:
    Webhook.objects.create(user=ann, style="json", address='https://hooks.example/"><b hx-get=x>')
    assert "<b hx-get" not in text_of(client)


# --- test messages ----------------------------------------------------------------------------------------------
def test_nobody_sends_test_messages_without_end(client: Client, ann: User, listener: Listener) -> None:
    webhook = Webhook.objects.create(user=ann, style="json", address=listener.url)
    for _ in range(trials.TRIES + 2):
        page = client.post(f"{ADD}{webhook.pk}/test/", follow=True).content
    assert b"Too many test messages." in page
    assert len(listener.heard) == trials.TRIES


def test_who_answers_slowly_holds_up_one_request_and_not_all(client: Client, ann: User, listener: Listener) -> None:
    webhook = Webhook.objects.create(user=ann, style="json", address=listener.url)
    under_way, ended = threading.Event(), threading.Event()
    message = trials.message("Slow.", "/")

    def slowly(_message: object) -> None:
        under_way.set()
        ended.wait(60)

    thread = threading.Thread(target=trials.send_test_message, args=(person("bob"), message, slowly))
    thread.start()
    assert under_way.wait(60)
    page = client.post(f"{ADD}{webhook.pk}/test/", follow=True).content
    ended.set()
    thread.join(60)
    assert b"Too many test messages." in page
    assert listener.heard == []


# --- the calendar -----------------------------------------------------------------------------------------------
def test_a_person_makes_an_address_for_their_calendar(client: Client, ann: User) -> None:
    assert "/calendar/" not in text_of(client).replace("/settings/calendar/", "")
    page = client.post("/settings/calendar/", follow=True).content.decode()
    address = f"http://127.0.0.1:8000/calendar/{Preferences.objects.get(user=ann).feed_key}.ics"
    assert f'value="{address}"' in page


def test_the_settings_lead_to_it(client: Client) -> None:
    assert f'href="{PAGE}"' in client.get("/settings/notices/").content.decode()


# --- the service worker -----------------------------------------------------------------------------------------
def test_the_service_worker_is_a_script_from_the_root_that_is_never_kept() -> None:
    response = Client().get("/service-worker.js")
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-store" in response["Cache-Control"]
    script = response.content.decode()
    assert "/static/site/icon-192.png" in script
    assert re.search(r'const OFFLINE = "/static/site/offline[^"]*\.html"', script)
    assert "{%" not in script
