"""Webhooks: messages to the addresses of people, and of clubs, in several styles.

A webhook that fails for a day is disabled until its owner tests it. What people wrote is escaped, so that receivers
show it as plain text.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from games.notifications.channels import Gone, Target, Undeliverable, http
from games.notifications.messages import Message
from games.notifications.models import Channel, Delivery, Webhook
from games.play import jobs

MOST = 10
"""How many webhooks a person can have."""

MOST_FAILURES = 10
"""Failures in a row, over at least `LONGEST_FAILING`: a receiver that restarts can miss ten messages in a minute."""

LONGEST_FAILING = timedelta(days=1)

_HOSTS = {
    "discord.com": Webhook.Style.DISCORD,
    "discordapp.com": Webhook.Style.DISCORD,
    "hooks.slack.com": Webhook.Style.SLACK,
    "ntfy.sh": Webhook.Style.NTFY,
}

_GONE = {404, 410}
_BUSY = 429


class Webhooks:
    """The channel to a person's webhooks."""

    def targets(self, user: Any) -> Sequence[Target]:
        """Return the webhooks of a person that are not disabled."""
        theirs = Webhook.objects.filter(user=user, disabled="")
        return [Target(f"webhook-{it.pk}", {"webhook": it, "host": http.host_of(it.address)}) for it in theirs]

    def send(self, delivery: Delivery, message: Message) -> None:
        """Send a message to a webhook (see `Transport`)."""
        webhook = delivery.webhook
        if webhook is None or webhook.disabled:
            raise Gone("disabled")
        tell(webhook, message, str(delivery.uid))


def tell_club(webhook: Webhook, message: Message) -> None:
    """Let the worker send a message to a club's webhook once the transaction is committed; not to a disabled one."""
    if webhook.disabled:
        return
    now, uid = timezone.now(), uuid.uuid4()
    said = {name: getattr(message, name) for name in ("kind", "title", "text", "url", "topic")}
    where = {"channel": Channel.WEBHOOK, "webhook": webhook, "host": http.host_of(webhook.address)}
    Delivery.objects.create(**where, kind="", key=f"club.{uid}", uid=uid, due_at=now, content=said)
    jobs.wake_for(now)


def style_of(address: str) -> Webhook.Style | None:
    """Return the style in which an address wants its messages, None if it does not tell.

    >>> style_of("https://discord.com/api/webhooks/1/x"), style_of("https://ntfy.example.org/club"), style_of("https://a.org")
    (Webhook.Style.DISCORD, Webhook.Style.NTFY, None)
    """
    host = http.host_of(address)
    for ends, style in _HOSTS.items():
        if host == ends or host.endswith(f".{ends}"):
            return style
    return Webhook.Style.NTFY if host.startswith("ntfy.") else None


def tell(webhook: Webhook, message: Message, key: str) -> None:
    """Send a message to a webhook, even to a disabled one, which is enabled again if it accepts the message.

    Raises:
        Gone, Undeliverable, http.Unanswered: as `Transport.send`.
    """
    sent = compose(webhook, message, key)
    try:
        answer = http.post(webhook.address, sent.body, sent.headers)
    except http.Refused as refused:
        _failed(webhook)
        raise Undeliverable(str(refused.reason)) from refused
    except http.Unanswered:
        _failed(webhook)
        raise
    status, wait, this = answer.status, answer.retry_after, Webhook.objects.filter(pk=webhook.pk)
    answered = _("it answered %(status)d") % {"status": status}
    if status in _GONE:
        this.update(disabled=Webhook.Disabled.GONE)
        raise Gone(answered)
    if status == _BUSY:
        if wait is not None:
            this.update(not_before=timezone.now() + min(wait, LONGEST_FAILING))
        raise http.Unanswered(answered, wait, blames_host=False)
    if not 200 <= status < 300:  # noqa: PLR2004  # HTTP's classes of answers
        _failed(webhook)
        raise Undeliverable(answered) if status < 500 else http.Unanswered(answered, wait)  # noqa: PLR2004  # as above
    if webhook.failures or webhook.disabled:
        this.update(failures=0, failing_since=None, disabled="")


def _failed(webhook: Webhook) -> None:
    """Count a failure; disable the webhook after too many."""
    now = timezone.now()
    this = Webhook.objects.filter(pk=webhook.pk)
    this.update(failures=F("failures") + 1, failing_since=Coalesce("failing_since", now))
    hopeless = this.filter(disabled="", failures__gte=MOST_FAILURES, failing_since__lte=now - LONGEST_FAILING)
    hopeless.update(disabled=Webhook.Disabled.FAILING)


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


def compose(webhook: Webhook, message: Message, key: str) -> Sent:
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
