"""The pages about programs: those that the reader has let in, and those they have registered."""

from __future__ import annotations

from allauth.idp.oidc.models import Client
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.applications import access, clients
from accounts.applications.forms import ApplicationForm, NewApplicationForm
from accounts.applications.scopes import SCOPES
from accounts.services import person_of


@require_safe
@login_required
def let_in(request: HttpRequest) -> HttpResponse:
    """List the programs that act for the reader, and what each may do."""
    accesses = access.accesses_of(person_of(request))
    rows = [{"access": it, "may": [SCOPES[name] for name in it.scopes if name in SCOPES]} for it in accesses]
    return render(request, "applications/let_in.html", {"rows": rows})


@require_POST
def revoke(request: HttpRequest, key: str) -> HttpResponse:
    """End what a program may do for the reader. A visitor logs in first and is then shown the list."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("applications"))
    if access.revoke(person_of(request), key):
        messages.success(request, _("This application can no longer do anything for you."))
    return redirect("applications")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def own(request: HttpRequest) -> HttpResponse:
    """List the reader's own applications; a POST registers another one and shows its secret."""
    user = person_of(request)
    form = NewApplicationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            asked = form.cleaned_data
            client, secret = clients.register(user, asked["name"], asked["kind"], asked["addresses"])
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return _with_secret(request, client, secret) if secret else redirect("own_application", client.pk)
    mine = Client.objects.filter(owner=user).order_by("created_at", "pk")
    status = 422 if form.errors else 200
    return render(request, "applications/own.html", {"applications": mine, "form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, key: str) -> HttpResponse:
    """Show an application of the reader's; a POST changes its name and addresses."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("own_applications"))
    client = _own(request, key)
    known = {"name": client.name, "addresses": "\n".join(client.get_redirect_uris())}
    form = ApplicationForm(request.POST if request.method == "POST" else None, initial=known)
    if request.method == "POST" and form.is_valid():
        client.name = form.cleaned_data["name"]
        client.set_redirect_uris(form.cleaned_data["addresses"])
        client.save(update_fields=["name", "redirect_uris"])
        messages.success(request, _("Saved."))
        return redirect("own_application", client.pk)
    return _shown(request, client, form, status=422 if form.errors else 200)


@require_POST
def new_secret(request: HttpRequest, key: str) -> HttpResponse:
    """Give a confidential application of the reader's another secret, and show it once."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("own_applications"))
    client = _own(request, key)
    if client.type != Client.Type.CONFIDENTIAL:
        return redirect("own_application", client.pk)
    return _with_secret(request, client, clients.renew_secret(client))


@require_POST
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete an application of the reader's, with everything that people have allowed it."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("own_applications"))
    _own(request, key).delete()
    messages.success(request, _("The application is deleted."))
    return redirect("own_applications")


def _own(request: HttpRequest, key: str) -> Client:
    return get_object_or_404(Client, pk=key, owner=person_of(request))


def _with_secret(request: HttpRequest, client: Client, secret: str) -> HttpResponse:
    known = {"name": client.name, "addresses": "\n".join(client.get_redirect_uris())}
    return _shown(request, client, ApplicationForm(initial=known), secret=secret)


def _shown(
    request: HttpRequest, client: Client, form: ApplicationForm, *, secret: str = "", status: int = 200
) -> HttpResponse:
    context = {"application": client, "form": form, "secret": secret}
    return render(request, "applications/one.html", context, status=status)
