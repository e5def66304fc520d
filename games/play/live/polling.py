"""The news of a page by HTTP, for networks that let no socket through: what a socket would push, to whoever asks.

A page says what it was told last ("told") and gets what is new, as the messages of its socket; 204 if nothing is. Who
may look, and what they see, is decided as for the page and its socket. How often a page asks stands in its template
(`data-every`, in seconds).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from itertools import zip_longest
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import get_language

from accounts.limits import spend
from accounts.requests import KEY, whole_number
from games.play.access import ViewedMatch
from games.play.boards.fragments import TABLES, match_fragment
from games.play.clocks import milliseconds
from games.play.live import heartbeat, news, presence
from games.play.live.sockets import MOST_TOASTS


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what a page is told.

    Args:
        state: what tells whether it has changed; the page gets only its digest.
        tell: makes the messages, given the digest that the page has of it; called only if the state has changed.
    """

    state: Any
    tell: Callable[[str], Iterable[Mapping[str, Any]]]

    @property
    def digest(self) -> str:
        if isinstance(self.state, int):
            return str(self.state)
        return blake2b(json.dumps(self.state, default=str).encode(), digest_size=6).hexdigest()


def pollable(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit how often somebody asks, and answer 403 to a page that was made for somebody else."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if request.GET.get("reader", request.user.get_username()) != request.user.get_username():
            return HttpResponse(status=403)
        spend("poll", request.user)
        if request.user.pk is not None and request.headers.get("HX-Request"):
            heartbeat.note_poll(request.user.pk)
        return view(request, *args, **named)

    return wrapped


def answer(request: HttpRequest, *parts: Part) -> HttpResponse:
    """Return what has changed of these parts since the page was told, always in the same order."""
    digests = [part.digest for part in parts]
    known = request.GET.get("told", "").split(".")
    if known == digests:
        return HttpResponse(status=204)
    messages: list[Mapping[str, Any]] = []
    for part, now, before in zip_longest(parts, digests, known[: len(parts)], fillvalue=""):
        if isinstance(part, Part) and now != before:
            messages.extend(part.tell(before))
    return JsonResponse({"told": ".".join(digests), "messages": messages})


def of_person(user: Any, shown: int | None = None) -> list[Part]:
    """Return the parts that every page is told: numbers, and new notes in words.

    Args:
        user: the reader; a visitor is told nothing.
        shown: the match that the page shows, whose notes need no words.
    """
    if not user.is_authenticated:
        return []
    found = news.news_of([user.pk])[user.pk]

    def words(before: str) -> Iterable[Mapping[str, Any]]:
        since = whole_number(before, KEY)
        fresh = [it.key for it in found.notes if since is not None and it.key > since and it.match != shown]
        return [{"toast": told} for told in news.words(fresh[-MOST_TOASTS:], get_language() or "")] if fresh else []

    return [
        Part(found.numbers, lambda _: [{name: number} for name, number in found.numbers.items()]),
        Part(found.latest, words),
    ]


def of_match(request: HttpRequest, viewed: ViewedMatch) -> Part:
    """Return the board of a match, for a page that does not show its version; and note who looks at it."""
    match = viewed.match
    if "looking" in request.GET and request.headers.get("HX-Request") and request.user.pk and viewed.mine is not None:
        presence.report(request.user.pk, match.pk)

    def board(_before: str) -> Iterable[Mapping[str, Any]]:
        yield {"version": match.version, "now": milliseconds(timezone.now())}
        if match.status in TABLES or whole_number(request.GET.get("version", "")) != match.version:
            yield {"version": match.version, "content": match_fragment(viewed, request.user)}

    return Part(match.version, board)
