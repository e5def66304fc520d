"""The pages of messages; everything on them is a form, and works without a script."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import KEY, HtmxRequest, whole_number
from games.chat import conversations
from games.chat.models import Message, Openness, Room
from games.chat.rooms import Place, access_other, may_read, openness, place_in, place_of_club, place_with, places
from games.chat.services import author_of, mark_as_read, mute_person, mute_room, open_to, say, take_back, words_in
from games.clubs.membership import access_club
from games.engine.protocol import RuleViolation
from games.play.access import access_match, current_match, for_members
from games.play.live import polling
from games.play.live.polling import Part, pollable


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def match_chat(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show what is written in a match; a POST writes."""
    viewed = access_match(request.user, slug)
    found = places(viewed, request.user)
    if not found:
        raise Http404(_("You can’t write or read messages here."))
    if request.method == "POST":
        place = place_in(viewed, request.user, request.POST.get("room", ""))
        return _written(request, found, place, request.path)
    return _page(request, found)


@require_safe
@pollable
def match_news(request: HtmxRequest, slug: str) -> HttpResponse:
    """Answer what is new on the page of a match, as its socket would (`MatchChatConsumer`)"""
    viewed = current_match(request.user, slug)
    rooms = places(viewed, request.user)
    talk = [_of_rooms(request, rooms)] if rooms else []
    return polling.answer(
        request, polling.of_match(request, viewed), *talk, *polling.of_person(request.user, viewed.match.pk)
    )


@require_safe
@login_required
@pollable
def conversation_news(request: HtmxRequest, username: str) -> HttpResponse:
    """Answer what is new on the page of two friends, as its socket would."""
    reader = author_of(request.user)
    room = place_with(reader, access_other(reader, username))
    return polling.answer(request, _of_rooms(request, [room]), *polling.of_person(reader))


def _of_rooms(request: HtmxRequest, rooms: list[Place]) -> Part:
    is_open = "chat" in request.GET and bool(request.htmx)
    pushed = conversations.news(request.user, rooms, is_open)
    return Part(pushed, lambda _: [pushed])


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def conversation(request: HtmxRequest, username: str) -> HttpResponse:
    """Show what the reader and a friend have written to each other; a POST writes."""
    reader = author_of(request.user)
    place = place_with(reader, access_other(reader, username))
    if request.method == "POST":
        return _written(request, [place], place, request.path)
    return _page(request, [place])


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_chat(request: HtmxRequest, club: str) -> HttpResponse:
    """Show what the members of a club have written to each other; a POST writes."""
    place = place_of_club(access_club(request.user, club), request.user)
    if request.method == "POST":
        return _written(request, [place], place, request.path)
    return _page(request, [place])


@require_safe
@login_required
@pollable
def club_news(request: HtmxRequest, club: str) -> HttpResponse:
    """Answer what is new on the page of a club's room, as its socket would."""
    room = place_of_club(access_club(request.user, club), request.user)
    return polling.answer(request, _of_rooms(request, [room]), *polling.of_person(author_of(request.user)))


def _written(request: HtmxRequest, found: list[Place], place: Place, leads_to: str) -> HttpResponse:
    try:
        say(author_of(request.user), place, **words_in(request.POST))
    except RuleViolation as violation:
        status = 429 if violation.code.startswith("too-fast") else 422
        refusal = conversations.Refusal(violation.text, place.name, request.POST.get("text", ""))
        return _page(request, found, refusal, status)
    return redirect(leads_to)


def _page(
    request: HtmxRequest, found: list[Place], refusal: conversations.Refusal | None = None, status: int = 200
) -> HttpResponse:
    for place in found:
        mark_as_read(request.user, place.room)
    context: dict[str, Any] = conversations.panel_context(
        request.user, found, refusal, whole_number(request.GET.get("before", ""), KEY)
    )
    of = {"match": found[0].match, "club": found[0].club, "other": found[0].other}
    context |= {**of, "client_id": secrets.token_hex(16)}
    context["others"] = conversations.others_in(author_of(request.user), found)
    template = "chat/panel.html" if request.htmx else "chat/room.html"
    return TemplateResponse(request, template, context, status=status)


@require_safe
@login_required
def conversations_page(request: HtmxRequest) -> HttpResponse:
    """Show with whom the reader writes, and who may write to them."""
    reader = author_of(request.user)
    context = {
        "matches": conversations.matches_with_news(reader),
        "conversations": conversations.conversations_of(reader),
        "friends": conversations.friends_without(reader),
        "openness": Openness.To.choices,
        "chosen": openness(reader),
        "muted": conversations.muted_by(reader),
    }
    return TemplateResponse(request, "chat/conversations.html", context)


@require_POST
@login_required
def messages_open(request: HtmxRequest) -> HttpResponse:
    """Choose who may write to the reader."""
    to = request.POST.get("to", "")
    if to in Openness.To.values:
        open_to(author_of(request.user), Openness.To(to))
        messages.success(request, _("Saved."))
    else:
        messages.error(request, _("Choose who may write to you."))
    return redirect("messages")


_OF_ROOM = ("room__match", "room__club", "room__one", "room__other")


@require_POST
@login_required
def message_delete(request: HtmxRequest, pk: int) -> HttpResponse:
    """Take one's own message back."""
    message = get_object_or_404(Message.objects.select_related(*_OF_ROOM), pk=pk)
    if message.author_id != request.user.pk:
        raise Http404
    try:
        take_back(author_of(request.user), message)
    except RuleViolation as violation:
        if request.htmx:
            return _page(request, _places_at(message.room, request.user), conversations.Refusal(violation.text), 422)
        messages.error(request, violation.text)
    return redirect(conversations.address_of_room(message.room, request.user))


@require_POST
@login_required
def person_mute(request: HtmxRequest, username: str) -> HttpResponse:
    """Mute somebody (`muted`: yes), or unmute them (no); lead back to the page of `match`, `club` or all messages."""
    reader, rooms = author_of(request.user), _rooms_asked(request)
    # These pages also offer to mute people whose account is closed, whom `access_other` does not find.
    others = conversations.others_in(reader, rooms) if rooms else []
    person = next((person for person, _muted in others if person.username == username), None)
    try:
        mute_person(reader, person or access_other(reader, username), muted=request.POST.get("muted") != "no")
    except RuleViolation as violation:
        messages.error(request, violation.text)
    return redirect(conversations.address_of(rooms[0]) if rooms else "messages")


def _rooms_asked(request: HtmxRequest) -> list[Place]:
    """Return the rooms of the page from which a form comes, none if it is that of all messages.

    Raises:
        Http404: the reader may not see that page.
    """
    if slug := request.POST.get("match", ""):
        return _places_of(slug, request.user)
    if slug := request.POST.get("club", ""):
        return [place_of_club(access_club(request.user, slug), request.user)]
    return []


@require_POST
@login_required
def room_mute(request: HtmxRequest, pk: int) -> HttpResponse:
    """Mute a room (`muted`: yes), or unmute it (no)."""
    room = get_object_or_404(Room.objects.select_related("match", "club", "one", "other"), pk=pk)
    reader = author_of(request.user)
    if not may_read(reader, room):
        raise Http404
    mute_room(reader, room, muted=request.POST.get("muted") != "no")
    return redirect(conversations.address_of_room(room, reader))


def _places_at(room: Room, reader: Any) -> list[Place]:
    """Return the rooms that are shown together with a room.

    Raises:
        Http404: the reader may no longer see them.
    """
    if room.club is not None:
        return [place_of_club(room.club, reader)]
    if room.match is None:
        return [place_with(author_of(reader), room.other_than(reader))]
    return _places_of(room.match.slug, reader)


def _places_of(slug: str, reader: Any) -> list[Place]:
    found = places(access_match(reader, slug), reader)
    if not found:
        raise Http404
    return found
