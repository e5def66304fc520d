"""The browsers that take push messages: each belongs to a session and is removed with it, however the session ends."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.signals import user_logged_out
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from accounts.logins import describe_device
from accounts.models import User
from games.notifications.models import Device

MOST = 5
"""Most devices of one person: one more replaces the oldest."""

_DIGITS = 16

_OWN = "device"
"""The key under which a session remembers its device: password changes give the session another key."""


def register(request: HttpRequest, user: User, endpoint: str, p256dh: str, auth: str) -> Device:
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
        newest = Device.objects.filter(user=user).values_list("pk", flat=True)[:MOST]
        for old in Device.objects.filter(user=user).exclude(pk__in=list(newest)):
            forget(request, old)
    request.session[_OWN] = device.pk
    return device


def forget(request: HttpRequest, device: Device) -> None:
    """Remove a device for good: its browser will not renew it (`mark_of`)."""
    device.delete()
    if device.session == request.session.session_key:
        request.session.pop(_OWN, None)
        return
    theirs = SessionStore(device.session)
    if theirs.pop(_OWN, None) is not None:
        with suppress(UpdateError):  # it has ended meanwhile
            theirs.save()


def mark_of(request: HttpRequest) -> str | None:
    """Return a digest of the endpoint that the browser of a request subscribed with, to compare it.

    Empty if the site has lost it, for instance because the push service did not know it any more; None if this browser
    is to have no subscription.
    """
    if not hasattr(request, "session") or (key := request.session.get(_OWN)) is None:
        return None
    mine = Device.objects.filter(pk=key, session=request.session.session_key)
    endpoint = mine.values_list("endpoint", flat=True).first()
    return sha256(endpoint.encode()).hexdigest()[:_DIGITS] if endpoint else ""


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
    """Let the device of this session follow it to its new key; all other sessions have ended."""
    theirs = Device.objects.filter(user=user)
    theirs.exclude(pk=request.session.get(_OWN, 0)).delete()
    theirs.update(session=request.session.session_key)


@receiver(password_reset)
def _password_reset(user: User, **_: Any) -> None:
    Device.objects.filter(user=user).delete()
