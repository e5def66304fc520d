"""Push messages as a push service and a browser get them: encrypted, signed, and none once a session has ended."""

from __future__ import annotations

import re
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from time_machine import Traveller

from accounts.models import User
from games.notifications.channels import Gone, Undeliverable, push
from games.notifications.channels.http import Unanswered
from games.notifications.messages import Message
from games.notifications.models import Channel, Delivery, Device
from games.notifications.planning import TRANSPORTS
from tests.clocked import MONDAY
from tests.people import PASSWORD, person
from tests.site.accounts.conftest import link_in
from tests.site.notifications.devices import THIS, Subscription, claims, logged_in, origin, subscribed
from tests.site.notifications.listening import Listener

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "another long table"


def message(**fields: Any) -> Message:
    """Return a message about a turn."""
    told: dict[str, Any] = {
        "kind": "turn",
        "title": "Your turn in Small Islands",
        "text": "Bärbel has moved.",
        "url": "http://127.0.0.1:8000/match/abc/",
        "topic": "match abc",
        "match": "abc",
        "waiting": 2,
    }
    return Message(**(told | fields))


def send(device: Device, told: Message | None = None) -> None:
    """Send as the worker does: to a device that it has just read."""
    delivery = Delivery(user=device.user, channel=Channel.PUSH, device=Device.objects.get(pk=device.pk), key="x")
    TRANSPORTS["push"].send(delivery, told or message())


def targets(user: User) -> list[int]:
    return [target.fields["device"].pk for target in TRANSPORTS["push"].targets(User.objects.get(pk=user.pk))]


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def browser_of_ann(ann: User) -> Client:
    return logged_in(ann)


@pytest.fixture
def subscription(listener: Listener) -> Subscription:
    return Subscription(f"{listener.url}/push/1")


@pytest.fixture
def device(browser_of_ann: Client, subscription: Subscription) -> Device:
    return subscribed(browser_of_ann, subscription)


# --- a message --------------------------------------------------------------------------------------------------
def test_the_browser_reads_what_was_sent_and_nobody_on_the_way_does(
    device: Device, listener: Listener, subscription: Subscription
) -> None:
    send(device)
    (heard,) = listener.heard
    assert subscription.read(heard) == {
        "web_push": 8030,
        "notification": {
            "title": "Your turn in Small Islands",
            "body": "Bärbel has moved.",
            "navigate": "http://127.0.0.1:8000/match/abc/",
            "tag": "match abc",
            "app_badge": 2,
        },
        "app_badge": 2,
    }
    assert heard.headers["Content-Type"] == "application/notification+json"
    assert b"Islands" not in heard.body
    assert heard.headers["Content-Encoding"] == "aes128gcm"


def test_the_sender_signs_for_this_push_service_and_says_whom_to_write_to(
    device: Device, listener: Listener, settings: Settings
) -> None:
    settings.DEFAULT_FROM_EMAIL = "Tessera <board@tessera.example>"
    send(device)
    said = claims(listener.heard[0], push.public_key())
    assert (said["aud"], said["sub"]) == (origin(listener.url), "mailto:board@tessera.example")
    assert 0 < said["exp"] - timezone.now().timestamp() <= 24 * 60 * 60


def test_a_later_message_about_a_match_takes_the_place_of_the_earlier(device: Device, listener: Listener) -> None:
    for topic in ("match abc", "match abc", "match abd"):
        send(device, message(topic=topic))
    first, second, other = (heard.headers["Topic"] for heard in listener.heard)
    assert first == second != other
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", first)
    assert "abc" not in first


@pytest.mark.parametrize(("urgent", "urgency"), [(False, "normal"), (True, "high")])
def test_what_is_urgent_may_wake_a_phone(urgent: bool, urgency: str, device: Device, listener: Listener) -> None:
    send(device, message(urgent=urgent))
    assert listener.heard[0].headers["Urgency"] == urgency


@pytest.mark.parametrize(
    ("left", "seconds"),
    [(None, 86_400), (timedelta(hours=2), 7_200), (timedelta(days=60), 28 * 86_400), (-timedelta(hours=1), 0)],
)
def test_a_message_is_kept_for_a_device_that_is_off_until_its_deadline(
    left: timedelta | None, seconds: int, clock: Traveller, device: Device, listener: Listener
) -> None:
    send(device, message(deadline=left and MONDAY + left))
    assert listener.heard[0].headers["TTL"] == str(seconds)


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_which_the_push_service_does_not_know_any_more_is_gone(
    status: int, device: Device, listener: Listener
) -> None:
    listener.status = status
    with pytest.raises(Gone):
        send(device)
    assert not Device.objects.exists()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_push_service_that_cannot_just_now_is_tried_again(status: int, device: Device, listener: Listener) -> None:
    listener.status = status
    with pytest.raises(Unanswered):
        send(device)
    assert Device.objects.exists()


@pytest.mark.parametrize("status", [302, 400, 403, 413])
def test_a_message_that_is_refused_is_not_sent_again(status: int, device: Device, listener: Listener) -> None:
    listener.status = status
    with pytest.raises(Undeliverable):
        send(device)
    assert Device.objects.exists()


def test_a_device_whose_address_turned_private_is_gone(device: Device, settings: Settings, listener: Listener) -> None:
    settings.SEND_TO_LOOPBACK = False
    Device.objects.update(endpoint="https://127.0.0.1/push")
    with pytest.raises(Gone):
        send(device)
    assert (listener.heard, Device.objects.count()) == ([], 0)


# --- the key ----------------------------------------------------------------------------------------------------
def test_every_process_with_one_secret_has_one_key(settings: Settings) -> None:
    first = push.public_key()
    push._vapid_key.cache_clear()
    assert push.public_key() == first
    settings.SECRET_KEY = "another"
    assert push.public_key() != first


def test_a_key_that_is_given_is_used(settings: Settings) -> None:
    settings.VAPID_PRIVATE_KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"  # the number 1: the curve's own point
    assert push.public_key().startswith("BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKW")


# --- devices ----------------------------------------------------------------------------------------------------
def test_a_person_is_told_on_each_of_their_devices(ann: User, listener: Listener) -> None:
    both = [subscribed(logged_in(ann), Subscription(f"{listener.url}/{n}")) for n in range(2)]
    assert set(targets(ann)) == {device.pk for device in both}
    assert targets(person("bob")) == []


def test_a_device_has_a_name_people_know(device: Device) -> None:
    assert device.name == "Firefox, Linux"


def test_with_one_device_more_than_five_the_oldest_goes(ann: User, listener: Listener) -> None:
    found = [subscribed(logged_in(ann), Subscription(f"{listener.url}/{n}")).pk for n in range(push.MOST_DEVICES + 2)]
    assert set(targets(ann)) == set(found[2:])


def test_the_devices_of_others_do_not_count(ann: User, device: Device, listener: Listener) -> None:
    bob = person("bob")
    for n in range(push.MOST_DEVICES + 1):
        subscribed(logged_in(bob), Subscription(f"{listener.url}/bob/{n}"))
    assert targets(ann) == [device.pk]


def test_a_new_subscription_of_a_browser_takes_the_place_of_the_former(
    browser_of_ann: Client, device: Device, listener: Listener, ann: User
) -> None:
    again = subscribed(browser_of_ann, Subscription(f"{listener.url}/push/2"))
    assert targets(ann) == [again.pk]
    assert Device.objects.count() == 1


def marked(client: Client) -> str | None:
    """Return what a page says of the subscription that the site has."""
    found = re.search(r'data-push="([^"]*)"', client.get("/rules/shifting-stones/").content.decode())
    return found and found[1]


def test_a_page_says_which_subscription_the_site_has_where_it_has_one(
    browser_of_ann: Client, device: Device, ann: User, subscription: Subscription
) -> None:
    expected = sha256(subscription.endpoint.encode()).hexdigest()
    assert expected.startswith(marked(browser_of_ann) or "nothing")
    assert marked(logged_in(ann)) is None
    assert marked(Client()) is None


def test_a_subscription_that_the_push_service_has_forgotten_is_asked_for_again(
    browser_of_ann: Client, device: Device, listener: Listener
) -> None:
    listener.status = 410
    with pytest.raises(Gone):
        send(device)
    assert marked(browser_of_ann) == ""
    subscribed(browser_of_ann, Subscription(f"{listener.url}/push/2"))
    assert marked(browser_of_ann)


def test_a_device_that_somebody_removed_is_not_asked_for_again(
    browser_of_ann: Client, device: Device, ann: User, listener: Listener
) -> None:
    """Removed on another device, or because there are too many."""
    logged_in(ann).post(f"/settings/devices/{device.pk}/remove/")
    assert marked(browser_of_ann) is None
    subscribed(browser_of_ann, Subscription(f"{listener.url}/again"))
    for n in range(push.MOST_DEVICES):
        subscribed(logged_in(ann), Subscription(f"{listener.url}/{n}"))
    assert marked(browser_of_ann) is None


def test_a_browser_belongs_to_whoever_is_logged_in_there_now(
    ann: User, device: Device, subscription: Subscription
) -> None:
    bob = person("bob")
    assert subscribed(logged_in(bob), subscription).pk == device.pk
    assert (targets(ann), targets(bob)) == ([], [device.pk])


NO_SUBSCRIPTIONS = [
    {"endpoint": ""},
    {"endpoint": "http://push.example/1"},
    {"endpoint": "https://10.0.0.1/1"},
    {"endpoint": "https://push.example/" + "x" * 1000},
    {"p256dh": ""},
    {"p256dh": "nonsense"},
    {"p256dh": "ü"},
    {"p256dh": "B" + "A" * 86},
    {"auth": ""},
    {"auth": "AAAA"},
    {"auth": "*"},
]


def test_what_is_no_subscription_is_refused(browser_of_ann: Client, subtests: pytest.Subtests) -> None:
    fields = Subscription("https://push.example/1").fields
    for wrong in NO_SUBSCRIPTIONS:
        with subtests.test(str(wrong)):
            assert browser_of_ann.post(THIS, fields | wrong).status_code == 422
    assert browser_of_ann.post(THIS, fields).status_code == 204
    assert Device.objects.count() == 1


def test_nobody_registers_a_device_without_logging_in(client: Client) -> None:
    response = client.post(THIS, Subscription("https://push.example/1").fields)
    assert (response.status_code, response["Location"]) == (302, "/account/login/?next=/settings/devices/")
    assert not Device.objects.exists()


# --- the end of a session ---------------------------------------------------------------------------------------
def test_logging_out_ends_it(browser_of_ann: Client, device: Device) -> None:
    browser_of_ann.post("/account/logout/")
    assert not Device.objects.exists()


def test_logging_out_elsewhere_does_not(ann: User, device: Device) -> None:
    logged_in(ann).post("/account/logout/")
    assert targets(ann) == [device.pk]


def test_ending_its_session_ends_it(ann: User, device: Device) -> None:
    session = UserSession.objects.get(session_key=device.session)
    logged_in(ann).post(f"/account/sessions/{session.pk}/end/")
    assert not Device.objects.exists()


def test_logging_out_everywhere_else_ends_all_others(
    ann: User, browser_of_ann: Client, device: Device, listener: Listener
) -> None:
    subscribed(logged_in(ann), Subscription(f"{listener.url}/other"))
    browser_of_ann.post("/account/sessions/")
    assert targets(ann) == [device.pk]
    assert Device.objects.count() == 1


def test_a_new_password_ends_all_but_the_one_where_it_was_set(
    ann: User, browser_of_ann: Client, device: Device, listener: Listener
) -> None:
    subscribed(logged_in(ann), Subscription(f"{listener.url}/other"))
    former = browser_of_ann.session.session_key
    fields = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert browser_of_ann.post("/account/password/change/", fields).status_code == 302
    assert browser_of_ann.session.session_key != former
    assert targets(ann) == [device.pk]
    assert Device.objects.count() == 1
    browser_of_ann.post("/account/logout/")
    assert not Device.objects.exists()


def test_a_password_set_by_mail_ends_all(
    ann: User, device: Device, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    client.post("/account/password/reset/", {"email": ann.email})
    form = client.get(link_in(mailoutbox[0]))["Location"]
    assert client.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}).status_code == 302
    assert not Device.objects.exists()


def end_by_time(ann: User) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def end_by_tidying(ann: User) -> None:
    Session.objects.all().delete()


def end_by_another_password(ann: User) -> None:
    ann.set_password(NEW_PASSWORD)
    ann.save()


def end_by_deactivation(ann: User) -> None:
    User.objects.filter(pk=ann.pk).update(is_active=False)


@pytest.mark.parametrize("end", [end_by_time, end_by_tidying, end_by_another_password, end_by_deactivation])
def test_a_session_that_ended_without_a_word_is_told_nothing(
    end: Any, ann: User, device: Device, listener: Listener
) -> None:
    end(ann)
    assert targets(ann) == []
    with pytest.raises(Gone):
        send(device)
    assert (listener.heard, Device.objects.count()) == ([], 0)


def test_the_proof_notices_a_session_that_is_not_asked(
    ann: User, device: Device, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sabotaged variant: every device counts as logged in."""
    monkeypatch.setattr(push, "is_logged_in", lambda _device: True)
    end_by_another_password(ann)
    send(device)
    assert len(listener.heard) == 1


def test_a_message_fits_into_what_push_services_take() -> None:
    long = message(title="x" * 200, text="ü" * 1000)
    assert len(push.payload(long)) < 3_993
