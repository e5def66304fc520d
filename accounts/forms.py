"""Account forms: allauth's, with our labels, hints and order, and those for display and names."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as webauthn_forms
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language_info, gettext_lazy as _

from accounts.joining import registration
from accounts.models import Registration, User
from accounts.moments import known_zone, zone_groups
from accounts.names import NAME_LENGTH, tidy_text
from accounts.sanctions import refusal_to_play
from accounts.services import wanted_next

if TYPE_CHECKING:
    UserForm = forms.ModelForm[User]
else:
    UserForm = forms.ModelForm

_KEY_NAME_LENGTH = 60
_PLAIN_TEXT = {"autocapitalize": "none", "spellcheck": "false", "dir": "auto"}


class Worded(forms.Form):
    """An allauth form with labels from `words`, hints from `hints` and no placeholders."""

    words: ClassVar[dict[str, Any]] = {}
    hints: ClassVar[dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.words.get(name, field.label)
            field.help_text = self.hints.get(name, field.help_text)
            if name in {"username", "login", "code"}:
                field.widget.attrs.update(_PLAIN_TEXT)


_PASSWORD_HINT = _("At least 10 characters. Several words work well.")


class LoginForm(Worded, account_forms.LoginForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"login": _("Name or email address"), "password": _("Password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignupForm(Worded, account_forms.SignupForm):  # type: ignore[misc]  # allauth ships no types
    """Registration. What follows does not tell whether an account has the address."""

    words: ClassVar = {
        "username": _("Name"),
        "email": _("Email address"),
        "password1": _("Password"),
    }
    hints: ClassVar = {
        "username": _("Everyone sees it. You can change it later."),
        "email": _("Nobody sees it. We send you a link to confirm it."),
        "password1": _PASSWORD_HINT,
    }

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput({"data-own-zone": ""}))

    def clean_time_zone(self) -> str:
        """Return the time zone the browser sent, or UTC if it is unknown."""
        return known_zone(self.cleaned_data["time_zone"])

    def validate_unique_email(self, value: str) -> str:
        """Accept every address: `registration.begin` finds its owner, and tells nobody else."""
        return value

    def try_save(self, request: HttpRequest) -> tuple[None, HttpResponse]:
        """Store the registration until its address is confirmed; return the answer, which is always the same."""
        leads_to = wanted_next(request, "")
        registration.begin(
            request,
            name=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            password=self.cleaned_data["password1"],
            time_zone=self.cleaned_data["time_zone"],
            leads_to=leads_to if len(leads_to) <= Registration.LONGEST_WAY else "",
        )
        return None, redirect("account_email_verification_sent")


class AddressForm(forms.Form):
    """Where to send the link that confirms a registration: the same address again, or the right one."""

    email = forms.EmailField(
        label=_("Email address"), widget=forms.EmailInput({"autocomplete": "email", **_PLAIN_TEXT})
    )

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        return email


def _name_field(hint: Any) -> forms.CharField:
    widget = forms.TextInput({"autocomplete": "username", **_PLAIN_TEXT})
    return forms.CharField(label=_("Name"), max_length=NAME_LENGTH, widget=widget, help_text=hint)


class RegisteredNameForm(forms.Form):
    """Another name, for somebody who confirms an address after somebody else has taken the name they chose."""

    name = _name_field(SignupForm.hints["username"])


class ReauthenticateForm(Worded, account_forms.ReauthenticateForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"password": _("Password")}


class ChangePasswordForm(Worded, account_forms.ChangePasswordForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password again"),
    }
    hints: ClassVar = {"password1": _PASSWORD_HINT}


class SetPasswordForm(Worded, account_forms.SetPasswordForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"password1": _("New password"), "password2": _("New password again")}
    hints: ClassVar = {"password1": _PASSWORD_HINT}


class ResetPasswordForm(Worded, account_forms.ResetPasswordForm):  # type: ignore[misc]  # allauth ships no types
    """Asking for a new password: the answer and the time taken do not tell whether an account has the address."""

    words: ClassVar = {"email": _("Email address")}

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        owner = User.objects.with_address(email)
        self.users = [owner] if owner is not None and owner.is_active else []
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        if not self.users:
            # The queries and hashes of an account that exists, so that it takes the same time.
            EmailAddress.objects.filter(user_id=0, email=self.cleaned_data["email"]).exists()
            default_token_generator.make_token(User(pk=0))
        email: str = super().save(request, **kwargs)
        return email


class ResetPasswordKeyForm(Worded, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]  # allauth ships no types
    words, hints = SetPasswordForm.words, SetPasswordForm.hints


class AddEmailForm(Worded, account_forms.AddEmailForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"email": _("New email address")}
    hints: ClassVar = {"email": _("We’ll send a link there. Your old address stays until you open it.")}


class AuthenticateForm(Worded, mfa_forms.AuthenticateForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"code": _("Code")}
    hints: ClassVar = {"code": _("Six digits from your authenticator app, or one of your recovery codes.")}


class ReauthenticateByCodeForm(Worded, mfa_forms.ReauthenticateForm):  # type: ignore[misc]  # allauth ships no types
    words, hints = AuthenticateForm.words, AuthenticateForm.hints


class ActivateTOTPForm(Worded, totp_forms.ActivateTOTPForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"code": _("Code from the app")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs["inputmode"] = "numeric"


_NOT_THIS_PASSKEY = _("This passkey could not be checked. Please try again.")
_MALFORMED = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, struct.error)


@contextmanager
def _passkey_in_words() -> Iterator[None]:
    """Turn every error that an answer of a passkey can cause, however malformed, into a message."""
    try:
        yield
    except ValidationError as error:
        raise ValidationError(_NOT_THIS_PASSKEY) if error.code == "incorrect_code" else error from error
    except _MALFORMED as error:
        raise ValidationError(_NOT_THIS_PASSKEY) from error


class _ChecksPasskey(webauthn_forms.AuthenticateWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    def clean_credential(self) -> Authenticator:
        with _passkey_in_words():
            checked: Authenticator = super().clean_credential()
        return checked


class LoginByPasskeyForm(_ChecksPasskey, webauthn_forms.LoginWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """Logging in with a passkey instead of name and password."""


class AuthenticateByPasskeyForm(_ChecksPasskey):
    """A passkey as the second step of logging in."""


class ReauthenticateByPasskeyForm(_ChecksPasskey, webauthn_forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    """A passkey to confirm a change to the account's security."""


class AddPasskeyForm(Worded, webauthn_forms.AddWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"name": _("Name of this passkey"), "passwordless": _("Log in with this passkey alone")}
    hints: ClassVar = {
        "name": _("Helps you tell your passkeys apart, for example “Phone”."),
        "passwordless": _("No password needed: your device asks for your fingerprint, face or PIN instead."),
    }

    name = forms.CharField(required=False, max_length=_KEY_NAME_LENGTH)

    def clean_name(self) -> str:
        return tidy_text(self.cleaned_data["name"])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"passwordless": True, **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        with _passkey_in_words():
            cleaned = super().clean()
        return cleaned or {}


class RenamePasskeyForm(Worded, webauthn_forms.EditWebAuthnForm):  # type: ignore[misc]  # allauth ships no types
    words: ClassVar = {"name": _("Name of this passkey")}

    name = forms.CharField(max_length=_KEY_NAME_LENGTH)

    def clean_name(self) -> str:
        """Return the name as it can be seen; refuse one of which nothing can be seen."""
        if not (name := tidy_text(self.cleaned_data["name"])):
            raise ValidationError(self.fields["name"].error_messages["required"], "required")
        return name


class _Languages(forms.Select):
    """A list of languages, each called by its own name and read in its own language."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        return {**option, "attrs": {**option["attrs"], **({"lang": option["value"]} if option["value"] else {})}}


class DisplayForm(UserForm):
    """Time zone, language and theme."""

    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=zone_groups, help_text=_("Dates and deadlines are shown in this time zone.")
    )
    language = forms.ChoiceField(label=_("Language"), required=False, widget=_Languages)
    theme = forms.ChoiceField(label=_("Colors"), choices=User.Theme, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = ("time_zone", "language", "theme")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        languages = self.fields["language"]
        assert isinstance(languages, forms.ChoiceField)  # noqa: S101  # tells mypy which field it is
        # Each language is called by its own name, so that nobody gets stuck in one they cannot read.
        own = [(code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES]
        languages.choices = [("", _("Same as the browser")), *own]

    def clean_time_zone(self) -> str:
        """Return the time zone; suspended people cannot change theirs while their clocks depend on it ("suspended")."""
        user, name = self.instance, str(self.cleaned_data["time_zone"])
        rests = user.sleep_from is not None or user.free_weekends
        if rests and name != self.initial["time_zone"] and (refusal := refusal_to_play(user)):
            raise ValidationError(refusal, "suspended")
        return name

    def save(self, commit: bool = True) -> User:
        """Store the fields of the form and no others, which may have changed meanwhile."""
        if commit:
            self.instance.save(update_fields=self.Meta.fields)
        return self.instance


class NameForm(forms.Form):
    """A new name; `services.rename` decides whether it is accepted."""

    name = _name_field(_("Letters and digits, with . - or _ between them."))
