"""The pages of clubs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.clubs.membership import access_club


@require_safe
def show_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club to those who may know of it."""
    return render(request, "clubs/club.html", {"club": access_club(request.user, slug)})
