"""Push messages to browsers: RFC 8030 (delivery), 8291 (encryption) and 8292 (who sends)."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from email.utils import parseaddr
from functools import cache
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from py_vapid import Vapid02

from games.notifications.channels import Gone, Target, Undeliverable, devices, http
from games.notifications.messages import Message
from games.notifications.models import Channel, Delivery, Device

TOPIC_LENGTH = 32
"""Longest topic, in characters (RFC 8030, section 5.4)."""

DECLARED = 8030
"""Marks a declared push message (W3C Push API): the number of the RFC of web push."""

_DAY, _MOST = 24 * 60 * 60, 28 * 24 * 60 * 60
_GONE = {404, 410}
_LATER = {408, 425, 429}
"""Answers that ask to try again."""


class Push:
    """The channel to the devices where a person is still logged in."""

    name = Channel.PUSH.value

    def targets(self, user: Any) -> Sequence[Target]:
        """Return the devices of a person."""
        theirs = Device.objects.filter(user=user).select_related("user")
        logged_in = [it for it in theirs if devices.is_logged_in(it)]
        return [Target(f"device-{it.pk}", {"device": it, "host": http.host_of(it.endpoint)}) for it in logged_in]

    def send(self, delivery: Delivery, message: Message) -> None:
        """Hand a message to the push service of a device (see `Transport`)."""
        device = delivery.device
        if device is None or not devices.is_logged_in(device):
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

    The derived one is the same in every process. Changing SECRET_KEY ends all sessions and with them all devices, so
    that none is left which expects the old key.
    """
    if given:
        return Vapid02.from_string(given)
    # 48 bytes, so that the remainder favours no key.
    made = HKDF(SHA256(), length=48, salt=None, info=b"tessera vapid").derive(secret.encode())
    number = int.from_bytes(made, "big") % (_ORDER - 1) + 1
    return Vapid02(ec.derive_private_key(number, ec.SECP256R1()))
