"""The page of the reader's people, and what can be done about somebody: everything by forms, without a script too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import presence, relations
from accounts.models import User
from accounts.services import access_player, person_of, wanted_next
from games.matchmaking.company import company_of

DOINGS: Final[Mapping[str, Callable[[User, User], object]]] = {
    "ask": relations.request_friendship,
    "accept": relations.accept_request,
    "decline": relations.decline_request,
    "remove": relations.end_friendship,
    "follow": relations.follow,
    "unfollow": relations.unfollow,
    "block": relations.block,
    "unblock": relations.unblock,
}
"""What the reader can do about somebody, by the name of the button."""


@require_safe
@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Show friends, requests, whom the reader follows and whom they blocked."""
    reader = person_of(request)
    context = {"company": company_of(reader), "looking": presence.is_looking(reader)}
    return TemplateResponse(request, "matchmaking/people.html", context)


@require_POST
@login_required
def person_change(request: HttpRequest, username: str) -> HttpResponse:
    """Do one of `DOINGS` about somebody and go back to `next`, or to their profile."""
    other = access_player(username)
    try:
        _do(request.POST.get("do", ""), person_of(request), other)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return redirect(wanted_next(request, other.get_absolute_url()))


def _do(name: str, reader: User, other: User) -> None:
    if name not in DOINGS:
        raise ValidationError(_("The page sent an incomplete request. Please reload it."))
    DOINGS[name](reader, other)


@require_POST
@login_required
def people_presence(request: HttpRequest) -> HttpResponse:
    """Let others see whether the reader is online (`shows`: yes or no) or looks for a game (`looking`: likewise)."""
    reader = person_of(request)
    if "shows" in request.POST:
        presence.show(reader, request.POST["shows"] == "yes")
    if "looking" in request.POST:
        (presence.look_for_a_game if request.POST["looking"] == "yes" else presence.stop_looking)(reader)
    return redirect(wanted_next(request, reverse("people")))
