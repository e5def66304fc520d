"""Messages to people's own addresses. A webhook that fails for a day is disabled until its owner tests it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from games.notifications.channels import outside
from games.notifications.channels.registry import Gone, Target, Undeliverable
from games.notifications.channels.webhooks_styles import written
from games.notifications.models import Channel, Delivery, Webhook
from games.notifications.notices.messages import Message

MOST = 10
"""How many webhooks a person can have."""

MOST_FAILURES = 10
"""In a row, and over at least `LONGEST_FAILING`: a receiver that restarts can miss ten messages within a minute."""

LONGEST_FAILING = timedelta(days=1)

_GONE = {404, 410}
_BUSY = 429


class Webhooks:
    """The channel to a person's webhooks."""

    name = Channel.WEBHOOK.value

    def targets(self, user: Any) -> Sequence[Target]:
        """Return the webhooks of a person that are not disabled."""
        theirs = Webhook.objects.filter(user=user, disabled="")
        return [Target(f"webhook-{it.pk}", {"webhook": it, "host": outside.host_of(it.address)}) for it in theirs]

    def send(self, delivery: Delivery, message: Message) -> None:
        """Send a message to a webhook; see `registry.Way`."""
        webhook = delivery.webhook
        if webhook is None or webhook.disabled:
            raise Gone("disabled")
        tell(webhook, message, str(delivery.uid))


def tell(webhook: Webhook, message: Message, key: str) -> None:
    """Send a message to a webhook, even to a disabled one: if it is taken, it is enabled again.

    Raises:
        Gone, Undeliverable, outside.Unanswered: as `registry.Way.send`.
    """
    sent = written(webhook, message, key)
    try:
        answer = outside.post(webhook.address, sent.body, sent.headers)
    except outside.Refused as refused:
        _failed(webhook)
        raise Undeliverable(str(refused.reason)) from refused
    except outside.Unanswered:
        _failed(webhook)
        raise
    _judge(webhook, answer)


def _judge(webhook: Webhook, answer: outside.Answer) -> None:
    status, wait = answer.status, answer.retry_after
    answered = _("it answered %(status)d") % {"status": status}
    if 200 <= status < 300:  # noqa: PLR2004  # HTTP's classes of answers
        _worked(webhook)
    elif status in _GONE:
        _disable(webhook, Webhook.Disabled.GONE)
        raise Gone(answered)
    elif status == _BUSY:
        _leave_alone(webhook, wait)
        raise outside.Unanswered(answered, wait, blames_host=False)
    else:
        _failed(webhook)
        if status < 500:  # noqa: PLR2004  # HTTP's classes of answers
            raise Undeliverable(answered)
        raise outside.Unanswered(answered, wait)


def _leave_alone(webhook: Webhook, wait: timedelta | None) -> None:
    """Send nothing there for as long as it asked, a day at most."""
    if wait is not None:
        Webhook.objects.filter(pk=webhook.pk).update(not_before=timezone.now() + min(wait, LONGEST_FAILING))


def _worked(webhook: Webhook) -> None:
    if webhook.failures or webhook.disabled:
        Webhook.objects.filter(pk=webhook.pk).update(failures=0, failing_since=None, disabled="")


def _failed(webhook: Webhook) -> None:
    """Count a failure; disable the webhook after too many."""
    now = timezone.now()
    this = Webhook.objects.filter(pk=webhook.pk)
    this.update(failures=F("failures") + 1, failing_since=Coalesce("failing_since", now))
    hopeless = this.filter(disabled="", failures__gte=MOST_FAILURES, failing_since__lte=now - LONGEST_FAILING)
    hopeless.update(disabled=Webhook.Disabled.FAILING)


def _disable(webhook: Webhook, why: Webhook.Disabled) -> None:
    Webhook.objects.filter(pk=webhook.pk).update(disabled=why)
