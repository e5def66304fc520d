"""Middleware about people: network address, language and time zone, sessions of visitors, guests, sanctions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode
from django_htmx.http import HttpResponseClientRedirect

from accounts import limits, logins, sanctions
from accounts.joining import guests
from accounts.models import User
from accounts.moments import zone
from accounts.requests import SAFE_METHODS, Middleware, address_of


class NetworkMiddleware(Middleware):
    """Set the network address that limits count."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with limits.asked_from(address_of(request)):
            return self.get_response(request)


class PreferencesMiddleware(Middleware):
    """Activate the reader's language (or else the browser's) and time zone for the request."""

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


class VisitMiddleware(Middleware):
    """Limit how many sessions visitors get, and how long they last."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = request.session
        if not logins.is_visit(session):
            return response
        try:
            if session.session_key is None:
                limits.spend("visit", None)
        except limits.TooMany as error:
            session.flush()
            return too_many(request, error)
        logins.shorten_visit(session)
        return response


def too_many(request: HttpRequest, error: limits.TooMany) -> HttpResponse:
    """Return the page that says when somebody can do again what they have done too often."""
    response = render(request, "429.html", {"refusal": error.text}, status=429)
    response["Retry-After"] = str(int(error.wait.total_seconds()) + 1)
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
"""Pages for registering and logging in, which treat a guest as a visitor."""

FOR_MEMBERS: Final = frozenset(
    {
        "account_change_password",
        "account_email",
        "account_reauthenticate",
        "account_set_password",
        "application_revoke",
        "applications",
        "own_application",
        "own_application_delete",
        "own_application_secret",
        "own_applications",
        "settings_name",
        "settings_security",
        "settings_tokens",
    }
)
"""Pages of registered accounts only, besides all about second factors."""


class GuestMiddleware(Middleware):
    """Let guests register and log in; once a day, record that a guest was here and extend their session."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        now = timezone.now()
        if (guest := guests.of(request)) and (guest.last_login is None or guest.last_login < now - timedelta(days=1)):
            User.objects.filter(pk=guest.pk).update(last_login=now)
            request.session.set_expiry(settings.GUEST_AGE)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Redirect guests from pages about accounts to registration; treat them as visitors where they log in."""
        if (guest := guests.of(request)) is None or request.resolver_match is None:
            return None
        name = request.resolver_match.url_name or ""
        if name in ENTRANCES:
            request.guest, request.user = guest, AnonymousUser()  # type: ignore[attr-defined]  # for `guests.of`
        elif name in FOR_MEMBERS or name.startswith("mfa_"):
            return redirect("account_signup")
        return None


NEVER_HELD: Final = frozenset({"account_logout", "warning", "healthz", "manifest", "service_worker"})
"""Views that work even before a warning is confirmed."""

WHILE_SUSPENDED: Final = frozenset(
    {
        "application_revoke",
        "data_export",
        "delete_confirm",
        "delete_keep",
        "device_remove",
        "end_session",
        "invitation",
        "match_abort",
        "match_mute",
        "match_resign",
        "message_delete",
        "messages_open",
        "mute_by_token",
        "notices_seen",
        "own_application_delete",
        "pairing_stop",
        "person_mute",
        "room_mute",
        "series_leave",
        "table_close",
        "table_decline",
        "table_leave",
        "table_take_back",
        "unsubscribe",
        "usersessions_list",
        "warning",
        "webhook_remove",
    }
)
"""Views that suspended people can post to, besides those of their account."""

LEAVING: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "club": frozenset({"leave", "take-back"}),
        "event": frozenset({"leave", "pause"}),
        "person_change": frozenset({"block", "decline", "remove", "unblock", "unfollow"}),
    }
)
"""What suspended people can still do where several things can be done: leave, and keep away (`do` of these views)."""

_ACCOUNT: Final = ("account_", "mfa_", "settings_")


class SanctionsMiddleware(Middleware):
    """Show a warning before anything else, and let suspended people only read, leave and look after their account."""

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        user, match = request.user, request.resolver_match
        if not isinstance(user, User) or not user.held or match is None:
            return None
        name = match.url_name or ""
        if name in NEVER_HELD:
            return None
        if sanctions.warning_of(user) is not None:
            away = request.method not in SAFE_METHODS or request.headers.get("HX-Request")
            address = f"{reverse('warning')}?{urlencode({'next': '/' if away else request.get_full_path()})}"
            return HttpResponseClientRedirect(address) if request.headers.get("HX-Request") else redirect(address)
        if suspension := sanctions.suspension_of(user):
            request.suspension = suspension  # type: ignore[attr-defined]  # shown at the top of every page
            of_account = name.startswith(_ACCOUNT) and name != "settings_name"
            leaves = request.POST.get("do") in LEAVING.get(name, ())
            declines = name == "club_invitation" and "decline" in request.POST
            if request.method in SAFE_METHODS or name in WHILE_SUSPENDED or of_account or leaves or declines:
                return None
            return render(request, "suspended.html", {"refusal": sanctions.refusal_to_play(user)}, status=403)
        sanctions.release(user)
        return None
