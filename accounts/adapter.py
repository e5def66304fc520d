"""How allauth works here: finding people, their names, failed logins, guests, links, emails, and second factors."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend as AllauthBackend
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMultiAlternatives
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from accounts import limits
from accounts.joining import guests
from accounts.mail import as_html, headers_now, in_words_of, post
from accounts.models import User
from accounts.names import name_key, tidy_name, validate_name
from accounts.requests import address_of, network_of
from accounts.services import TAKEN, check_free

_NO_SUCH_LOGIN = _(
    "Wrong name, email address or password. If you have just registered, first open the link in the email we sent you."
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """How allauth checks names, logs people in and writes to them."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": TAKEN,
        "username_password_mismatch": _NO_SUCH_LOGIN,
        "email_password_mismatch": _NO_SUCH_LOGIN,
        "too_many_login_attempts": _("Too many failed attempts. Please wait a few minutes and try again."),
        "incorrect_code": _("Wrong code. Codes change every 30 seconds, and each recovery code works only once."),
        "incorrect_password": _("Wrong password."),
        "enter_current_password": _("This is not your current password."),
        "duplicate_email": _("This is already your email address."),
    }

    # --- names --------------------------------------------------------------------------------------------------
    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it would be stored; raise a ValidationError if it is not allowed or not free."""
        name = tidy_name(username)
        validate_name(name)
        if not shallow:
            check_free(name, by=guests.of(self.request))
        return name

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return who logs in, None if name or password is wrong.

        Raises:
            ValidationError: too many attempts with this name have failed from this network, or too many in all.
        """
        if found := User.objects.named(credentials.get("username") or ""):
            credentials["username"] = found.username
        who = self._guesser(request, credentials.get("username") or credentials.get("email") or "")
        try:
            limits.spend_guess(who)
        except limits.TooMany as error:
            raise self.validation_error("too_many_login_attempts") from error
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            limits.return_guess(who)
        return user

    def forget_failed_logins(self, request: HttpRequest, user: User) -> None:
        """Stop counting the failed logins of somebody who has just chosen a new password."""
        for email in EmailAddress.objects.filter(user=user).values_list("email", flat=True):
            limits.forget_guesses(self._guesser(request, email))

    def _guesser(self, request: HttpRequest, login: str) -> str:
        """Return under which key failed logins with this name or address from this network are counted."""
        written = f"{network_of(self.get_client_ip(request))}:{name_key(tidy_name(login))}"
        return sha256(written.encode()).hexdigest()

    def set_password(self, user: User, password: str) -> None:
        """Store a new password and no other field, which may have changed since the request began."""
        user.set_password(password)
        user.save(update_fields=["password"])

    # --- guests -------------------------------------------------------------------------------------------------
    def login(self, request: HttpRequest, user: User) -> None:
        """Hand over what a guest in this browser has played to the user, then log the user in.

        In this order, because logging in ends the session of the guest, who could not come back.
        """
        guest = guests.of(request)
        if guest is not None and guest != user:
            guests.take_over(guest, user)
        super().login(request, user)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address a request comes from, as the proxies in front report it.

        Raises:
            PermissionDenied: there is none, for instance behind a Unix socket if no proxy names its clients.
        """
        address = address_of(request)
        if not address:
            raise PermissionDenied("A request without a network address.")
        return address

    # --- links: from the settings, never from the request's Host header -----------------------------------------
    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return _absolute(reverse("account_confirm_email", args=[emailconfirmation.key]))

    def get_reset_password_from_key_url(self, key: str) -> str:
        uid, _dash, token = key.partition("-")
        return _absolute(reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token}))

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("settings_security")

    # --- emails --------------------------------------------------------------------------------------------------
    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Have the worker send an email in its reader's language."""
        known = {"request": self.request, "email": email, "current_site": get_current_site(self.request)}
        with in_words_of(context.get("user")):
            post(self.render_mail(template_prefix, email, known | context | {"site_url": settings.SITE_URL}))

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Email a user about a change to the security of their account. These emails cannot be switched off."""
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], headers: dict[str, str] | None = None
    ) -> EmailMultiAlternatives:
        """Return an email as text and as HTML, with our headers."""
        headers = {**headers_now(), **(headers or {})}
        message: EmailMultiAlternatives = super().render_mail(template_prefix, email, context, headers)
        message.attach_alternative(as_html(str(message.subject), str(message.body)), "text/html")
        return message


class AuthenticationBackend(AllauthBackend):  # type: ignore[misc]  # allauth ships no types
    """Finds people by name or email address, in the same time whether or not there is such an account.

    allauth tries an email address both as a name and as an address, and hashes the password each time. This hashes it
    once in any case, so that the time taken does not tell which addresses have an account.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the user with this name or email address and password, also if the account is closed."""
        login, password = credentials.get("username") or credentials.get("email") or "", credentials.get("password")
        if not password:
            return None
        with_address, named = User.objects.with_address(login), User.objects.named(login)
        user = with_address or named
        if user is None:
            User().set_password(password)
        return user if user is not None and user.check_password(password) else None


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    """How second factors and passkeys name the site and the user."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": AccountAdapter.error_messages["incorrect_code"],
    }

    def get_totp_label(self, user: User) -> str:
        return user.username

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": "Tessera"}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        return {**super().get_public_key_credential_user_entity(user), "name": user.username}

    def generate_authenticator_name(self, user: User, type: Any) -> str:  # noqa: A002  # allauth's name for it
        count = Authenticator.objects.filter(user=user, type=type).count()
        return gettext("Passkey {number}").format(number=count + 1)


def _absolute(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
