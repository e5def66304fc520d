"""Show each page in its reader's language and time zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone, translation

from accounts import guests
from accounts.models import User
from accounts.zones import zone


class PreferencesMiddleware:
    """Activate the reader's language (or else the browser's) and time zone for the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user = get_user(request)  # every page uses much of the user: the lazy object costs more
        language = user.language if user.is_authenticated else ""
        own_zone = user.time_zone if user.is_authenticated else "UTC"
        language = language or translation.get_language_from_request(request)
        with translation.override(language), timezone.override(zone(own_zone)):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


ENTRANCES: Final = frozenset(
    {
        "account_login",
        "account_signup",
        "account_email_verification_sent",
        "account_reset_password",
        "account_reset_password_from_key",
        "mfa_authenticate",
        "mfa_login_webauthn",
    }
)
"""Where people register or log in: pages made for visitors, which a guest meets as one."""

FOR_MEMBERS: Final = frozenset(
    {
        "account_change_password",
        "account_email",
        "account_reauthenticate",
        "account_set_password",
        "settings_name",
        "settings_security",
    }
)
"""What only a registered account has; so has everything about second factors."""

_SEEN_EVERY: Final = timedelta(days=1)


class GuestMiddleware:
    """Let guests register and log in, and remember when each was last here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if guest := guests.of(request):
            _seen(request, guest)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Send guests from pages about accounts to register; let them register and log in as if they were visitors."""
        if (guest := guests.of(request)) is None or request.resolver_match is None:
            return None
        name = request.resolver_match.url_name or ""
        if name in ENTRANCES:
            request.guest, request.user = guest, AnonymousUser()  # type: ignore[attr-defined]  # for `guests.of`
        elif name in FOR_MEMBERS or name.startswith("mfa_"):
            return redirect("account_signup")
        return None


def _seen(request: HttpRequest, guest: User) -> None:
    """Note that a guest is here, once a day, and keep the guest's session as long again."""
    now = timezone.now()
    if guest.last_login is None or guest.last_login < now - _SEEN_EVERY:
        User.objects.filter(pk=guest.pk).update(last_login=now)
        request.session.set_expiry(settings.GUEST_AGE)
