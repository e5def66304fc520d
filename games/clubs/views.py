"""The pages of clubs: all of them, each with its tables and members, and the forms that found, change and close one.

GET changes nothing. A private club is not found by anybody but its members, on whichever page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.requests import posted
from accounts.services import person_of
from games.clubs import pages, services
from games.clubs.forms import FIELD_OF, ClubForm
from games.clubs.membership import Role, access_club, led_club
from games.clubs.models import Club
from games.clubs.pages import ClubPage
from games.engine.protocol import RuleViolation

_LONGEST_SEARCH: Final = 64


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the reader's clubs, and all public ones or those with a name that is looked for."""
    name = request.GET.get("name", "").strip()[:_LONGEST_SEARCH]
    page = Paginator(pages.public(name), pages.PER_PAGE).get_page(request.GET.get("page"))
    context = {"own": pages.own(request.user), "page": page, "name": name, "roles": Role}
    return TemplateResponse(request, "clubs/clubs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_new(request: HttpRequest) -> HttpResponse:
    """Found a club."""
    by, form = person_of(request), ClubForm(posted(request))
    if form.is_valid() and (made := _tried(form, lambda: services.found(by, **form.cleaned_data))):
        return redirect(made)
    return TemplateResponse(request, "clubs/new.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_change(request: HttpRequest, club: str) -> HttpResponse:
    """Change a club; for its owners."""
    found, by = led_club(request.user, club, Role.OWNER), person_of(request)
    now = {"name": found.name, "text": found.text, "joining": found.joining, "private": found.private}
    form = ClubForm(posted(request), initial=now, club=found)
    if form.is_valid() and (changed := _tried(form, lambda: services.change(by, club, **form.cleaned_data))):
        messages.success(request, _("Saved."))
        return redirect(changed)
    context = {"form": form, "club": found}
    return TemplateResponse(request, "clubs/change.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_close(request: HttpRequest, club: str) -> HttpResponse:
    """Ask an owner whether to close a club for ever; a POST closes it."""
    found = led_club(request.user, club, Role.OWNER)
    if request.method == "POST":
        try:
            services.close(person_of(request), club)
        except RuleViolation as refusal:  # they have stopped being an owner meanwhile
            raise Http404 from refusal
        messages.success(request, _("The club has been closed."))
        return redirect("clubs")
    return TemplateResponse(request, "clubs/close.html", {"page": ClubPage(found, request.user), "club": found})


def _tried(form: ClubForm, do: Callable[[], Club]) -> Club | None:
    """Return the club that was founded or changed; None if it was refused, which the form then says."""
    try:
        return do()
    except RuleViolation as refusal:
        form.add_error(FIELD_OF.get(refusal.code), refusal.text)
        return None


# --- one club ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def club(request: HttpRequest, club: str) -> HttpResponse:
    """Show a club; a POST does there what `do` says: join, ask, take the request back, leave, renew the link."""
    found = access_club(request.user, club)
    if request.method != "POST":
        return _club_page(request, found)
    return _done(request, found, _DOINGS, _club_page)


@require_http_methods(["GET", "HEAD", "POST"])
def club_members(request: HttpRequest, club: str) -> HttpResponse:
    """Show who belongs to a club; a POST does to the one named `name` what `do` says, if the reader may."""
    found = access_club(request.user, club)
    if request.method != "POST":
        return _members_page(request, found)
    return _done(request, found, _DOINGS_TO, _members_page)


_DOINGS: Final[Mapping[str, Callable[[Any, str, Any], object]]] = MappingProxyType(
    {
        "join": lambda user, slug, _fields: services.join(user, slug),
        "ask": lambda user, slug, _fields: services.ask(user, slug),
        "take-back": lambda user, slug, _fields: services.take_request_back(user, slug),
        "leave": lambda user, slug, _fields: services.leave(user, slug),
        "renew-link": lambda user, slug, _fields: services.renew_link(user, slug),
    }
)
_DOINGS_TO: Final[Mapping[str, Callable[[Any, str, Any], object]]] = MappingProxyType(
    {
        "accept": lambda by, slug, fields: services.accept(by, slug, fields.get("name", "")),
        "decline": lambda by, slug, fields: services.decline(by, slug, fields.get("name", "")),
        "remove": lambda by, slug, fields: services.remove_member(by, slug, fields.get("name", "")),
        "let-back": lambda by, slug, fields: services.let_back(by, slug, fields.get("name", "")),
        "role": lambda by, slug, fields: services.give_role(by, slug, fields.get("name", ""), fields.get("role", "")),
    }
)


def _done(
    request: HttpRequest,
    found: Club,
    doings: Mapping[str, Callable[[Any, str, Any], object]],
    show: Callable[..., HttpResponse],
) -> HttpResponse:
    """Do what a form asks for and lead back to its page, or show that with the reason why it is refused."""
    if not request.user.is_authenticated:
        return redirect_to_login(found.get_absolute_url())
    do = doings.get(request.POST.get("do", ""))
    if do is None:
        raise Http404
    try:
        do(person_of(request), found.slug, request.POST)
    except RuleViolation as refusal:
        return show(request, found, refusal.text, 429 if refusal.code == "too-often" else 422)
    still_there = Club.objects.filter(pk=found.pk, private=True).exclude(members__user=request.user)
    return redirect("clubs") if still_there.exists() else redirect(request.path)


def _club_page(request: HttpRequest, found: Club, refusal: str = "", status: int = 200) -> HttpResponse:
    context = {"page": ClubPage(found, request.user), "club": found, "refusal": refusal}
    return TemplateResponse(request, "clubs/club.html", context, status=status)


def _members_page(request: HttpRequest, found: Club, refusal: str = "", status: int = 200) -> HttpResponse:
    context = {"page": ClubPage(found, request.user), "club": found, "refusal": refusal, "roles": Role.choices}
    return TemplateResponse(request, "clubs/members.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def club_link(request: HttpRequest, link: str) -> HttpResponse:
    """Show the club to which an invitation link leads; a POST joins it."""
    found = Club.objects.filter(link=link).first()
    if found is None:
        raise Http404(_("This link is no longer valid. Ask for a new one."))
    refusal = ""
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        try:
            services.join_by_link(person_of(request), link)
        except RuleViolation as violation:
            refusal = violation.text
        except Club.DoesNotExist as error:  # it was renewed meanwhile
            raise Http404 from error
        else:
            return redirect(found)
    page = ClubPage(found, request.user)
    if page.mine is not None:
        return redirect(found)
    context = {"page": page, "club": found, "refusal": refusal}
    return TemplateResponse(request, "clubs/link.html", context, status=422 if refusal else 200)
