"""The account pages that allauth lacks, and stricter versions of some it has."""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import devices, services
from accounts.forms import NameForm, PreferencesForm
from accounts.models import User


class SignupView(allauth_views.SignupView):  # type: ignore[misc]  # allauth ships no types
    """Registration that copes with two people taking the same name at the same moment."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except ValidationError as error:
            form.add_error(None, error)
            response = self.form_invalid(form)
        return response


class _KeepsLoginOnGet:
    """Keep the session when a link from a mail is opened; only submitting the form there can end it."""

    request: HttpRequest

    def logout(self) -> None:
        if self.request.method == "POST":
            super().logout()  # type: ignore[misc]  # of allauth's mixin, which comes later in the order


class ConfirmEmailView(_KeepsLoginOnGet, allauth_views.ConfirmEmailView):  # type: ignore[misc]  # allauth ships no types
    """Confirm a mail address, by POST."""


class PasswordResetFromKeyView(_KeepsLoginOnGet, allauth_views.PasswordResetFromKeyView):  # type: ignore[misc]  # allauth ships no types
    """Choose a new password through the link from the mail."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Edit time zone, language, theme and hints."""
    form = PreferencesForm(request.POST or None, instance=_person(request))
    if request.method == "POST" and form.is_valid():
        user = form.save()
        with translation.override(user.language or translation.get_language_from_request(request)):
            messages.success(request, _("Saved."))
        return redirect("settings")
    return render(request, "accounts/settings.html", {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def name(request: HttpRequest) -> HttpResponse:
    """Change the reader's name, at most `services.CHANGES` times within `services.PERIOD`."""
    user = User.objects.get(pk=_person(request).pk)
    former = user.username
    form = NameForm(request.POST or None, initial={"name": former})
    if request.method == "POST" and form.is_valid() and _renamed(request, user, form):
        messages.success(request, _("Your name is now %(name)s.") % {"name": user.username})
        return redirect("settings_name")
    context = {
        "form": form,
        "left": services.changes_left(user),
        "most": services.CHANGES,
        "days": services.PERIOD.days,
    }
    return render(request, "accounts/name.html", {**context, "kept": services.KEPT.days})


def _renamed(request: HttpRequest, user: User, form: NameForm) -> bool:
    former = user.username
    try:
        another = services.rename(user, form.cleaned_data["name"])
    except ValidationError as error:
        form.add_error("name", error)
        return False
    if another:
        context = {"from_name": former, "to_name": user.username}
        get_adapter(request).send_notification_mail("accounts/email/name_changed", user, context)
    return True


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """List where the reader is logged in; by POST, log them out everywhere else."""
    mine = UserSession.objects.purge_and_list(_person(request))
    if request.method == "POST":
        for session in mine:
            if not session.is_current():
                session.end()
        messages.success(request, _("You have been logged out everywhere else."))
        return redirect("usersessions_list")
    rows = [{"session": session, "device": devices.describe(session.user_agent)} for session in mine]
    rows.sort(key=lambda row: (not row["session"].is_current(), -row["session"].created_at.timestamp()))
    return render(request, "usersessions/usersession_list.html", {"rows": rows, "others": len(rows) > 1})


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the reader's sessions. A visitor must log in first and is then shown the list."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("usersessions_list"))
    session = get_object_or_404(UserSession, pk=pk, user=_person(request))
    session.end()
    messages.success(request, _("That session has ended."))
    return redirect("usersessions_list")


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101  # every caller has @login_required
    return request.user
