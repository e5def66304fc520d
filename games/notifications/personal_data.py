"""What notices, devices and webhooks keep about a person (`accounts.personal_data`)."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.personal_data import Part, Row
from games.notifications.channels import mail
from games.notifications.models import Delivery, Device, Notice, Preferences, Webhook
from games.notifications.services import notices_changed


def _deliveries(user: User) -> Iterable[Row]:
    rows = Delivery.objects.filter(user=user).select_related("notice").order_by("-pk")
    return [
        {
            "kind": row.notice.kind if row.notice else row.kind,
            "channel": row.channel,
            "state": row.state,
            "at": row.sent_at,
        }
        for row in rows
    ]


def _preferences(user: User) -> Iterable[Row]:
    """Return the preferences, without the key of the calendar, which is a secret."""
    found = Preferences.objects.filter(user=user).first()
    if found is None:
        return []
    values = {
        "not_wanted": found.off,
        "quiet_from": found.quiet_from,
        "quiet_until": found.quiet_until,
        "digest_at": found.digest_at,
        "puzzle_at": found.puzzle_at,
        "language": found.language,
    }
    return [{"setting": name, "value": value} for name, value in values.items()]


def _devices(user: User) -> Iterable[Row]:
    """Return the devices without address and keys, with which anybody could send messages to them."""
    rows = Device.objects.filter(user=user)
    return [
        {"device": row.name, "host": urlsplit(row.endpoint).hostname, "language": row.language, "at": row.created_at}
        for row in rows
    ]


def _webhooks(user: User) -> Iterable[Row]:
    """Return the webhooks without the whole address, with which anybody could write there."""
    rows = Webhook.objects.filter(user=user)
    return [
        {"kind": row.style, "host": urlsplit(row.address).hostname, "state": row.disabled, "at": row.created_at}
        for row in rows
    ]


PARTS = (
    Part.of_columns(
        "notices",
        _("Notices"),
        "notifications.Notice.user",
        "-pk",
        kind="kind",
        match="match__slug",
        **{"from": "by__username"},
        at="created_at",
        seen="seen_at",
    ),
    Part("deliveries", _("Notices sent to you"), _deliveries, ("notifications.Delivery.user",)),
    Part("notice_preferences", _("What you want to hear about"), _preferences, ("notifications.Preferences.user",)),
    Part("devices", _("Devices"), _devices, ("notifications.Device.user",)),
    Part("webhooks", _("Webhooks"), _webhooks, ("notifications.Webhook.user",)),
    Part.of_columns(
        "muted_matches", _("Matches you do not want to hear about"), "notifications.Mute.user", match="match__slug"
    ),
    Part.of_columns(
        "daily_hours", _("When the next daily notice comes"), "notifications.DailyHour.user", kind="kind", at="due_at"
    ),
)

NOT_EXPORTED = {"notifications.Notice.by": "what somebody is told is their own"}

KEPT = {"notifications.Notice.by": "none is left: `forget` removes them"}


def forget(user: User) -> None:
    """Delete the notices of others that name somebody, and letters that wait for the mail server."""
    mail.forget_letters({user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)})
    told = Notice.objects.filter(by=user)
    readers = list(told.values_list("user", flat=True))
    told.delete()
    notices_changed(readers)
