"""Push messages (RFC 8030, 8291 and 8292), and the browsers that take them."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from contextlib import suppress
from email.utils import parseaddr
from functools import cache
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import http_ece
from allauth.account.signals import password_changed, password_reset, password_set
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.signals import user_logged_out
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from py_vapid import Vapid02

from accounts.logins import describe_device
from accounts.models import User
from games.notifications.channels import Gone, Target, Undeliverable, http
from games.notifications.messages import Message
from games.notifications.models import Delivery, Device

TOPIC_LENGTH = 32
"""Longest topic, in characters (RFC 8030, section 5.4)."""

DECLARED = 8030
"""What marks a declared push message (W3C Push API): the number of the RFC of web push."""

_DAY, _MOST = 24 * 60 * 60, 28 * 24 * 60 * 60
_GONE = {404, 410}
_LATER = {408, 425, 429}
"""Answers that ask to try again."""


class Push:
    """The channel to the devices where a person is still logged in."""

    def targets(self, user: Any) -> Sequence[Target]:
        """Return the devices of a person."""
        theirs = Device.objects.filter(user=user).select_related("user")
        logged_in = [it for it in theirs if is_logged_in(it)]
        return [Target(f"device-{it.pk}", {"device": it, "host": http.host_of(it.endpoint)}) for it in logged_in]

    def send(self, delivery: Delivery, message: Message) -> None:
        """Hand a message to the push service of a device (see `Transport`)."""
        device = delivery.device
        if device is None or not is_logged_in(device):
            _remove(device)
            raise Gone(_("the session there has ended"))
        try:
            answer = http.post(device.endpoint, _encrypted(device, message), _headers(device, message))
        except http.Refused as refused:
            _remove(device)
            raise Gone(str(refused.reason)) from refused
        _judge(device, answer)


def _remove(device: Device | None) -> None:
    if device is not None and device.pk is not None:
        device.delete()


def _judge(device: Device, answer: http.Answer) -> None:
    status = answer.status
    answered = _("the push service answered %(status)d") % {"status": status}
    if status in _GONE:
        _remove(device)
        raise Gone(answered)
    if status in _LATER or status >= 500:  # noqa: PLR2004  # HTTP's classes of answers
        raise http.Unanswered(answered, answer.retry_after, blames_host=status not in _LATER)
    if not 200 <= status < 300:  # noqa: PLR2004  # HTTP's classes of answers
        raise Undeliverable(answered)


def _encrypted(device: Device, message: Message) -> bytes:
    """Return the payload encrypted for this browser (RFC 8291), with a key pair used only once."""
    body: bytes = http_ece.encrypt(
        payload(message),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decoded(device.p256dh),
        auth_secret=_decoded(device.auth),
        version="aes128gcm",
    )
    return body


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def payload(message: Message) -> bytes:
    """Return a declared push message (W3C Push API), not yet encrypted.

    Safari since 18.4 shows it without help; elsewhere the service worker does. `app_badge` stands where the
    specification has it, and where the first browsers looked for it.
    """
    declared = {
        "web_push": DECLARED,
        "notification": {
            "title": message.title,
            "body": message.text,
            "navigate": message.url,
            "tag": message.topic,
            "app_badge": message.waiting,
        },
        "app_badge": message.waiting,
    }
    return json.dumps(declared, ensure_ascii=False, separators=(",", ":")).encode()


def _headers(device: Device, message: Message) -> dict[str, str]:
    seconds = _DAY
    if message.deadline is not None:  # worth delivering until then
        seconds = min(_MOST, max(0, int((message.deadline - timezone.now()).total_seconds())))
    return {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/notification+json",
        "TTL": str(seconds),
        "Urgency": "high" if message.urgent else "normal",
        "Topic": topic(message.topic),
        **vapid_headers(device.endpoint),
    }


def topic(name: str) -> str:
    """Return a topic that push services accept and that reveals nothing to them.

    >>> len(topic("match abc")), topic("match abc") == topic("match abc"), topic("match abc") == topic("match abd")
    (32, True, False)
    """
    return urlsafe_b64encode(sha256(name.encode()).digest()).decode()[:TOPIC_LENGTH]


_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256."""

_HALF_A_DAY = 12 * 60 * 60


def public_key() -> str:
    """Return the key that browsers ask for when they subscribe, base64url."""
    key = _vapid_key(settings.VAPID_PRIVATE_KEY, settings.SECRET_KEY).public_key
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def vapid_headers(endpoint: str) -> dict[str, str]:
    """Return the headers that identify this site to the push service of an endpoint."""
    service = urlsplit(endpoint)
    claims = {
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
        "aud": f"{service.scheme}://{service.netloc}",
        "exp": int(time.time()) + _HALF_A_DAY,
    }
    signed: dict[str, str] = _vapid_key(settings.VAPID_PRIVATE_KEY, settings.SECRET_KEY).sign(claims)
    return signed


@cache
def _vapid_key(given: str, secret: str) -> Vapid02:
    """Return the configured key (base64url of its 32 bytes, or DER), else one derived from the secret key.

    The derived one is the same in every process. A new SECRET_KEY ends all sessions, and with them all devices that
    expect the old key.
    """
    if given:
        return Vapid02.from_string(given)
    # 48 bytes, so that the remainder favours no key.
    made = HKDF(SHA256(), length=48, salt=None, info=b"tessera vapid").derive(secret.encode())
    number = int.from_bytes(made, "big") % (_ORDER - 1) + 1
    return Vapid02(ec.derive_private_key(number, ec.SECP256R1()))


# --- devices ----------------------------------------------------------------------------------------------------------

MOST_DEVICES = 5
"""Devices of one person at most; one more replaces the oldest."""

_DIGEST_LENGTH = 16

_OWN_DEVICE = "device"
"""The name under which a session stores its device, as a change of password gives the session another key."""


def register_device(request: HttpRequest, user: User, endpoint: str, p256dh: str, auth: str) -> Device:
    """Register the browser of a request, or renew the subscription of its session's device.

    Args:
        endpoint, p256dh, auth: of a PushSubscription, as `SubscriptionForm` has validated them.
    """
    session = request.session.session_key or ""
    fields = {
        "user": user,
        "session": session,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
        "name": describe_device(request.headers.get("User-Agent", "")),
        "language": request.LANGUAGE_CODE,
    }
    with transaction.atomic():
        theirs = Device.objects.filter(session=session)
        device = Device.objects.filter(endpoint=endpoint).first() or theirs.first() or Device()
        theirs.exclude(pk=device.pk).delete()
        for name, value in fields.items():
            setattr(device, name, value)
        device.save()
        newest = Device.objects.filter(user=user).values_list("pk", flat=True)[:MOST_DEVICES]
        for old in Device.objects.filter(user=user).exclude(pk__in=list(newest)):
            forget_device(request, old)
    request.session[_OWN_DEVICE] = device.pk
    return device


def forget_device(request: HttpRequest, device: Device) -> None:
    """Remove a device for good: its browser will not renew it (`endpoint_digest`)."""
    device.delete()
    if device.session == request.session.session_key:
        request.session.pop(_OWN_DEVICE, None)
        return
    theirs = SessionStore(device.session)
    if theirs.pop(_OWN_DEVICE, None) is not None:
        with suppress(UpdateError):  # it has ended meanwhile
            theirs.save()


def endpoint_digest(request: HttpRequest) -> str | None:
    """Return a digest of the endpoint with which the browser of a request has subscribed, for its page to compare.

    Empty if the site has deleted it, for instance because the push service no longer knows it; None if this browser is
    to have no subscription.
    """
    if not hasattr(request, "session") or (key := request.session.get(_OWN_DEVICE)) is None:
        return None
    mine = Device.objects.filter(pk=key, session=request.session.session_key)
    endpoint = mine.values_list("endpoint", flat=True).first()
    return sha256(endpoint.encode()).hexdigest()[:_DIGEST_LENGTH] if endpoint else ""


def is_logged_in(device: Device) -> bool:
    """Return whether the session of a device is valid: not ended, not older than the password, its user active."""
    session, user = SessionStore(device.session), device.user
    is_theirs = session.get(SESSION_KEY) == str(user.pk)
    stands = constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    return bool(user.is_active and is_theirs and stands)


@receiver(user_logged_out)
def _logged_out(request: HttpRequest, **_: Any) -> None:
    Device.objects.filter(session=request.session.session_key or "").delete()


@receiver(post_delete, sender=UserSession)
def _session_ended(instance: UserSession, **_: Any) -> None:
    Device.objects.filter(session=instance.session_key).delete()


@receiver([password_changed, password_set])
def _password_changed(request: HttpRequest, user: User, **_: Any) -> None:
    """Store the new key of this session with its device; all other sessions have ended."""
    theirs = Device.objects.filter(user=user)
    theirs.exclude(pk=request.session.get(_OWN_DEVICE, 0)).delete()
    theirs.update(session=request.session.session_key)


@receiver(password_reset)
def _password_reset(user: User, **_: Any) -> None:
    Device.objects.filter(user=user).delete()
