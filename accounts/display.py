"""Language and theme: kept in the account, and in the browser for visitors.

Where an account leaves one to the browser or the system, what was chosen in this browser counts.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User
from accounts.requests import keep_for_a_year

THEME_COOKIE: Final = "tessera_theme"
LANGUAGE_COOKIE: Final = settings.LANGUAGE_COOKIE_NAME
"""Django reads this one itself where an account says nothing."""
_COOKIES: Final = {"language": LANGUAGE_COOKIE, "theme": THEME_COOKIE}
_CHOICES: Final = {"language": frozenset(code for code, _ in settings.LANGUAGES), "theme": frozenset(User.Theme.values)}


def theme_of(request: HttpRequest) -> str:
    """Return the theme in which a page is shown, a value of `User.Theme`."""
    user = getattr(request, "user", None)
    own = user.theme if isinstance(user, User) else User.Theme.SYSTEM
    kept = request.COOKIES.get(THEME_COOKIE, "")
    return kept if own == User.Theme.SYSTEM and kept in _CHOICES["theme"] else own


def choose(request: HttpRequest, response: HttpResponse) -> None:
    """Keep the `language` or `theme` that a form asks for; anything unknown changes nothing."""
    asked = {name: str(request.POST.get(name, "")) for name in _CHOICES}
    chosen = {name: value for name, value in asked.items() if value in _CHOICES[name]}
    if chosen and isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(**chosen)
    for name, value in chosen.items():
        keep_for_a_year(request, response, _COOKIES[name], value)


def forget(response: HttpResponse) -> None:
    """Let the settings of the account count alone again in this browser."""
    for cookie in _COOKIES.values():
        response.delete_cookie(cookie, samesite="Lax")


def page_before(request: HttpRequest) -> str:
    """Return the address of the page of this site that a form was sent from, or of the start page."""
    before = request.headers.get("Referer", "")
    own = url_has_allowed_host_and_scheme(before, {request.get_host()}, require_https=request.is_secure())
    return before if before and own else reverse("home")
