"""Push messages to browsers: RFC 8030 (delivery), 8291 (encryption) and 8292 (who sends)."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.utils import timezone
from django.utils.translation import gettext as _

from games.notifications.channels import devices, outside, vapid
from games.notifications.channels.registry import Gone, Target, Undeliverable
from games.notifications.models import Channel, Delivery, Device
from games.notifications.notices.messages import Message

TOPIC_LENGTH = 32
"""Longest topic, in characters (RFC 8030, section 5.4)."""

DECLARED = 8030
"""What marks a push message as a declared one: the number of the RFC of web push."""

_DAY, _MOST = 24 * 60 * 60, 28 * 24 * 60 * 60
_GONE = {404, 410}
_LATER = {408, 425, 429}
"""Answers that blame the moment and not the message."""


class Push:
    """The channel to the devices where a person is still logged in."""

    name = Channel.PUSH.value

    def targets(self, user: Any) -> Sequence[Target]:
        """Return the devices of a person."""
        theirs = Device.objects.filter(user=user).select_related("user")
        logged_in = [it for it in theirs if devices.is_logged_in(it)]
        return [Target(f"device-{it.pk}", {"device": it, "host": outside.host_of(it.endpoint)}) for it in logged_in]

    def send(self, delivery: Delivery, message: Message) -> None:
        """Hand a message to the push service of a device; see `registry.Way`."""
        device = delivery.device
        if device is None or not devices.is_logged_in(device):
            _remove(device)
            raise Gone(_("the session there has ended"))
        try:
            answer = outside.post(device.endpoint, _encrypted(device, message), _headers(device, message))
        except outside.Refused as refused:
            _remove(device)
            raise Gone(str(refused.reason)) from refused
        _judge(device, answer)


def _remove(device: Device | None) -> None:
    if device is not None and device.pk is not None:
        device.delete()


def _judge(device: Device, answer: outside.Answer) -> None:
    status = answer.status
    answered = _("the push service answered %(status)d") % {"status": status}
    if status in _GONE:
        _remove(device)
        raise Gone(answered)
    if status in _LATER or status >= 500:  # noqa: PLR2004  # HTTP's classes of answers
        raise outside.Unanswered(answered, answer.retry_after, blames_host=status not in _LATER)
    if not 200 <= status < 300:  # noqa: PLR2004  # HTTP's classes of answers
        raise Undeliverable(answered)


def _encrypted(device: Device, message: Message) -> bytes:
    """Return the payload as only this browser can read it (RFC 8291): with a key pair used for this one message."""
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
    """Return a declared push message (W3C Push API), before it is encrypted.

    Browsers that know it, as Safari since 18.4, show it themselves; for others the service worker does. The number for
    the app's icon stands where the specification has it, and where the first browsers looked for it.
    """
    told = {
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
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _headers(device: Device, message: Message) -> dict[str, str]:
    return {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/notification+json",
        "TTL": str(_seconds_of_use(message)),
        "Urgency": "high" if message.urgent else "normal",
        "Topic": topic(message.topic),
        **vapid.signature(device.endpoint),
    }


def _seconds_of_use(message: Message) -> int:
    """Return how long a message is worth delivering: until its deadline, else for a day."""
    if message.deadline is None:
        return _DAY
    return min(_MOST, max(0, int((message.deadline - timezone.now()).total_seconds())))


def topic(name: str) -> str:
    """Return a name that push services accept and that reveals nothing to them.

    >>> len(topic("match abc")), topic("match abc") == topic("match abc"), topic("match abc") == topic("match abd")
    (32, True, False)
    """
    return urlsafe_b64encode(sha256(name.encode()).digest()).decode()[:TOPIC_LENGTH]
