"""Account pages that allauth does not have, and stricter versions of some that it has."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.account.utils import perform_login
from allauth.mfa.base import views as mfa_views
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts import logins, services
from accounts.forms import AddressForm, DisplayForm, NameForm, RegisteredNameForm
from accounts.joining import guests, registration
from accounts.models import Registration, User
from accounts.services import person_of, stored_person_of, wanted_next


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Log a visitor in as a new guest and redirect to `next`."""
    if not request.user.is_authenticated:
        guests.begin(request)
    leads_to = wanted_next(request, reverse("lobby"))
    return HttpResponseClientRedirect(leads_to) if request.headers.get("HX-Request") else redirect(leads_to)


class _KeepsLoginOnGet:
    """Keep the session when somebody opens the link from an email; only submitting the form there may end it."""

    request: HttpRequest

    def logout(self) -> None:
        if self.request.method == "POST":
            super().logout()  # type: ignore[misc]  # of allauth's mixin, which comes later in the order


class ConfirmEmailView(_KeepsLoginOnGet, allauth_views.ConfirmEmailView):  # type: ignore[misc]  # allauth ships no types
    """Confirm an email address, by POST."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def check_email(request: HttpRequest) -> HttpResponse:
    """Say where the link to confirm an address has gone; a POST sends it again, perhaps to another address."""
    waiting = registration.begun_in(request)
    if request.method != "POST":
        form = AddressForm(initial={"email": waiting.email}) if waiting else None
    elif waiting is None:
        return redirect("account_signup")
    else:
        form = AddressForm(request.POST)
        if form.is_valid() and _written(request, waiting, form):
            return redirect("account_email_verification_sent")
    return render(request, "account/verification_sent.html", {"registration": waiting, "form": form})


def _written(request: HttpRequest, waiting: Registration, form: AddressForm) -> bool:
    """Send the link to the address in the form, or add to the form why not; return whether it was sent."""
    email = form.cleaned_data["email"]
    if not registration.write(request, waiting, email):
        form.add_error("email", _("We wrote to this address less than three minutes ago. Please wait a moment."))
        return False
    messages.success(request, _("We have sent a new link to %(email)s.") % {"email": email})
    return True


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_registration(request: HttpRequest, key: str) -> HttpResponse:
    """Show whose address it is; a POST creates the account, logs in and leads back to where somebody registered.

    Ask for another name if it was taken meanwhile.
    """
    waiting = registration.found(key)
    if waiting is None:
        return render(request, "account/email_confirm.html")
    form = RegisteredNameForm({"name": request.POST.get("name", waiting.name)})
    asks = "name" in request.POST
    if form.is_valid():
        try:
            if request.method != "POST":
                registration.check_name(waiting, form.cleaned_data["name"])
            elif user := registration.confirm(waiting, form.cleaned_data["name"]):
                return _arrive(request, user, waiting.leads_to or reverse("home"))
            else:
                return render(request, "account/email_confirm.html")
        except ValidationError as error:
            form.add_error("name", error)
            asks = True
    context = {"registration": waiting, "form": form, "asks": asks}
    return render(request, "account/registration_confirm.html", context)


def _arrive(request: HttpRequest, user: User, leads_to: str) -> HttpResponse:
    """Log somebody in whose account has just been created, and redirect to a path of the site."""
    get_adapter(request).add_message(
        request, messages.SUCCESS, "account/messages/email_confirmed.txt", {"email": user.email}
    )
    if request.user != user:
        answer: HttpResponse = perform_login(request, user, redirect_url=leads_to)
        return answer
    request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()  # a guest, who stays logged in
    return redirect(leads_to)


class PasswordResetFromKeyView(_KeepsLoginOnGet, allauth_views.PasswordResetFromKeyView):  # type: ignore[misc]  # allauth ships no types
    """Choose a new password through the link from the email."""

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        get_adapter(self.request).forget_failed_logins(self.request, self.reset_user)
        return answer


@require_safe
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """Show the list of settings pages."""
    return render(request, "accounts/settings.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show the reader's name and how they see the site; a POST sets time zone, language and theme."""
    form = DisplayForm(request.POST or None, instance=stored_person_of(request))
    if request.method == "POST" and form.is_valid():
        user = form.save()
        with translation.override(user.language or translation.get_language_from_request(request)):
            messages.success(request, _("Saved."))
        response = redirect("settings_profile")
        services.forget_display(response)
        return response
    return _profile(request, display=form)


@require_POST
def choose_display(request: HttpRequest) -> HttpResponse:
    """Keep the language or the theme somebody has chosen in menu or footer, and show them the same page in it."""
    response = redirect(services.page_before(request))
    services.choose_display(request, response)
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def name(request: HttpRequest) -> HttpResponse:
    """Change the reader's name, at most `services.CHANGES` times within `services.PERIOD`."""
    if request.method != "POST":
        return redirect("settings_profile", permanent=True)
    user = stored_person_of(request)
    form = NameForm(request.POST)
    if form.is_valid() and _renamed(request, user, form):
        messages.success(request, _("Your name is now %(name)s.") % {"name": user.shown_name})
        return redirect("settings_profile")
    return _profile(request, renaming=form)


def _profile(request: HttpRequest, display: Any = None, renaming: Any = None) -> HttpResponse:
    user = stored_person_of(request)
    context = {
        "display": display or DisplayForm(instance=user),
        "renaming": renaming or NameForm(initial={"name": user.shown_name}),
        "left": services.changes_left(user),
        "most": services.CHANGES,
        "days": services.PERIOD.days,
        "kept": services.KEPT.days,
    }
    return render(request, "accounts/settings_profile.html", context)


@method_decorator(login_required, name="dispatch")
class SecurityView(mfa_views.IndexView):  # type: ignore[misc]  # allauth ships no types
    """Email address, password, second factors and sessions."""

    http_method_names: ClassVar = ["get", "head", "options"]
    template_name = "accounts/settings_security.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        noted = len(UserSession.objects.purge_and_list(person_of(self.request)))
        return {**super().get_context_data(**kwargs), "sessions": max(noted, 1)}  # whoever reads this is logged in


@require_safe
def former_security(request: HttpRequest) -> HttpResponse:
    """Redirect from allauth's page of second factors to `SecurityView`."""
    return redirect("settings_security", permanent=True)


def _renamed(request: HttpRequest, user: User, form: NameForm) -> bool:
    former = user.shown_name
    try:
        another = services.rename(user, form.cleaned_data["name"])
    except ValidationError as error:
        form.add_error("name", error)
        return False
    if another:
        context = {"from_name": former, "to_name": user.shown_name}
        get_adapter(request).send_notification_mail("accounts/email/name_changed", user, context)
    return True


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """List where the reader is logged in; a POST logs them out everywhere else."""
    mine = UserSession.objects.purge_and_list(person_of(request))
    if request.method == "POST":
        for session in mine:
            if not session.is_current():
                session.end()
        messages.success(request, _("You have been logged out everywhere else."))
        return redirect("usersessions_list")
    rows = [{"session": session, "device": logins.describe_device(session.user_agent)} for session in mine]
    rows.sort(key=lambda row: (not row["session"].is_current(), -row["session"].created_at.timestamp()))
    return render(request, "usersessions/usersession_list.html", {"rows": rows, "others": len(rows) > 1})


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the reader's sessions. A visitor logs in first and is then shown the list."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("usersessions_list"))
    session = get_object_or_404(UserSession, pk=pk, user=person_of(request))
    session.end()
    messages.success(request, _("That session has ended."))
    return redirect("usersessions_list")
