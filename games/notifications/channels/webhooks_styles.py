"""What webhooks receive, in each style. What people wrote is escaped, so that it is only text to the receiver."""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from games.notifications.models import Webhook
from games.notifications.notices.messages import Message

SIGNATURE = "Tessera-Signature"
"""The header of style JSON: "t=<seconds since 1970>,v1=<HMAC-SHA256 of "<t>.<body>" with the secret, in hex>"."""

_AS_JSON = {"Content-Type": "application/json"}
_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]()#@:-])")
_DEFAULT, _HIGH = "3", "4"
"""Priorities of ntfy."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The body and the headers of a request."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def written(webhook: Webhook, message: Message, key: str) -> Sent:
    """Return a message in the style of this webhook.

    Args:
        key: identifies this message; the same when it is sent again.
    """
    styles: dict[str, Callable[[Webhook, Message, str], Sent]] = {
        Webhook.Style.DISCORD: _discord,
        Webhook.Style.SLACK: _slack,
        Webhook.Style.NTFY: _ntfy,
        Webhook.Style.JSON: _signed,
    }
    return styles[webhook.style](webhook, message, key)


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _discord(_webhook: Webhook, message: Message, _key: str) -> Sent:
    title, text = (_MARKDOWN.sub(r"\\\1", it) for it in (message.title, message.text))
    content = f"**{title}**\n{text}\n<{message.url}>"
    return Sent(_json({"content": content, "allowed_mentions": {"parse": []}}), _AS_JSON)


def _slack(_webhook: Webhook, message: Message, _key: str) -> Sent:
    text = f"{message.title}\n{message.text}\n{message.url}"
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Sent(_json({"text": escaped, "mrkdwn": False}), _AS_JSON)


def _ntfy(_webhook: Webhook, message: Message, _key: str) -> Sent:
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Title": _header(message.title),
        "Click": _header(message.url),
        "Priority": _HIGH if message.urgent else _DEFAULT,
    }
    return Sent(message.text.encode(), headers)


def _header(text: str) -> str:
    """Return a text as the value of a header: on one line, and encoded (RFC 2047) when ASCII does not do.

    >>> _header("Your turn"), _header("Zug\\r\\nX: y"), _header("Für dich")
    ('Your turn', 'Zug X: y', '=?UTF-8?B?RsO8ciBkaWNo?=')
    """
    line = " ".join(text.split())
    if line.isascii() and line.isprintable() and "=?" not in line:
        return line
    return f"=?UTF-8?B?{base64.b64encode(line.encode()).decode()}?="


def _signed(webhook: Webhook, message: Message, key: str) -> Sent:
    body = _json(
        {
            "id": key,
            "kind": message.kind,
            "title": message.title,
            "text": message.text,
            "url": message.url,
            "match": message.match,
            "deadline": message.deadline.isoformat() if message.deadline else None,
            "waiting": message.waiting,
            "urgent": message.urgent,
        }
    )
    now = int(timezone.now().timestamp())
    signature = hmac.digest(webhook.secret.encode(), f"{now}.".encode() + body, "sha256").hex()
    return Sent(body, {**_AS_JSON, SIGNATURE: f"t={now},v1={signature}"})
