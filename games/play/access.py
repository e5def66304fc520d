"""Access to matches: the gates that every page, socket and export goes through."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from threading import Lock
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from accounts.relations import are_friends
from accounts.requests import HtmxRequest
from games.engine.protocol import Seat as SeatNumber, Viewer
from games.play.models import Action, Match, Seat, in_company
from games.play.reducer.positions import NEWEST, TAIL, Past


@dataclass(frozen=True)
class ViewedMatch:
    """A match with its seats, as one person sees it.

    `viewer` is the person's seat once the match has begun, None for a spectator (and before the start, when seats are
    not final and nothing is hidden yet). `newest` holds the newest actions, the latest first, where they are known, and
    `past` the positions before those that may be taken back, as far as this process has seen them.
    """

    match: Match
    seats: tuple[Seat, ...]
    viewer: Viewer
    newest: tuple[Action, ...] | None = None
    past: Past = ()

    @property
    def tail(self) -> tuple[Action, ...] | None:
        """Return the newest actions as far as boards look at them."""
        return None if self.newest is None else self.newest[:TAIL]

    @property
    def mine(self) -> Seat | None:
        """Return the reader's own seat, None for a spectator."""
        return None if self.viewer is None else self.seats[self.viewer]

    @property
    def has_nonces(self) -> bool:
        """Return whether a player's browser added a number to the seed."""
        return any(seat.nonce for seat in self.seats)

    @property
    def may_practise(self) -> bool:
        """Return whether the viewer plays against bots alone, and so may go back to any decision."""
        match, mine = self.match, self.mine
        playing = match.is_running and mine is not None and not mine.has_left
        return playing and match.has_bots and not in_company(self.seats)

    @property
    def may_have_hint(self) -> bool:
        """Return whether the viewer may be shown what to do: on their turn, against bots alone."""
        return self.may_practise and self.mine is not None and self.mine.to_move

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)


CACHED = 2_000
"""Most matches in the cache; the least recently used goes first."""

CACHED_FOR = 60.0
"""Most seconds before a cached match is loaded afresh; until then a changed name may be shown as it was.

Each match has its own time, from half of this on, so that those that began together are not loaded together.
"""

_cache: OrderedDict[str, tuple[float, ViewedMatch]] = OrderedDict()
"""By slug, with the moment until which it is good. No `lru_cache`: commits put matches in, the newest stays."""

_cache_lock = Lock()


def remember(viewed: ViewedMatch, loaded: bool = False) -> ViewedMatch:
    """Cache a match as it was committed just now, or `loaded`, unless a newer version is there.

    Returns the match, if `loaded` with the past that is known of this version.
    """
    slug, fresh = viewed.match.slug, time.monotonic() + CACHED_FOR * random.uniform(0.5, 1)  # noqa: S311  # no secret
    with _cache_lock:
        until, known = _cache.get(slug, (fresh, viewed))
        if loaded and known.match.version == viewed.match.version:
            viewed = replace(viewed, past=known.past)
        if known.match.version <= viewed.match.version:
            _cache[slug] = (fresh if loaded else until, viewed)
            _cache.move_to_end(slug)
            while len(_cache) > CACHED:
                _cache.popitem(last=False)
    return viewed


def recall(slug: str, version: int = 0) -> ViewedMatch | None:
    """Return a match from the cache; None if it is not there, has been there too long, or is older than `version`."""
    with _cache_lock:
        until, viewed = _cache.get(slug, (0.0, None))
        if viewed is None or viewed.match.version < version:
            return None
        return viewed if time.monotonic() <= until else None


def access_match(user: Any, slug: str) -> ViewedMatch:
    """Load a match for a person.

    Raises:
        Http404: there is no such match, or it is private and not theirs (the answer does not say which).
    """
    match = Match.objects.filter(slug=slug).first()
    viewed = None if match is None else viewed_by(user, match)
    if viewed is None:
        raise Http404
    if viewed.match.is_running:  # moves and pushes will follow
        viewed = replace(viewed, newest=newest_actions(viewed.match, NEWEST))
        if _is_current(viewed.match):  # nothing was committed meanwhile: match, seats and actions are of one version
            viewed = remember(viewed, loaded=True)
    return viewed


def newest_actions(match: Match, most: int = TAIL) -> tuple[Action, ...]:
    """Return the newest actions, the latest first."""
    return tuple(Action.objects.filter(match=match, withdrawn=False).order_by("-number")[:most])


def known_match(user: Any, slug: str, version: int = 0) -> ViewedMatch | None:
    """Return a match for a person from the cache alone; None if that does not tell whether they may see it.

    For callers that check the version themselves: writers under the lock, pushes by their hint.
    """
    known = recall(slug, version)
    if known is None:
        return None
    viewer = seat_of(user, known.seats)
    if viewer is None and known.match.is_secluded:
        return None
    return replace(known, viewer=viewer)


def current_match(user: Any, slug: str) -> ViewedMatch:
    """Return a match for a person from the cache if it is current (one small query), otherwise loaded.

    Raises:
        Http404: as `access_match`.
    """
    known = known_match(user, slug)
    return known if known is not None and _is_current(known.match) else access_match(user, slug)


def _is_current(match: Match) -> bool:
    """Return whether a match is still as it was read: every change raises its version."""
    return Match.objects.filter(pk=match.pk, version=match.version).exists()


def viewed_by(user: Any, match: Match) -> ViewedMatch | None:
    """Return the match as this person may see it, None if they may not."""
    seats = tuple(Seat.objects.filter(match=match).select_related("user").order_by("number"))
    viewer = seat_of(user, seats)
    if viewer is None and not may_watch(user, match):
        return None
    return ViewedMatch(match, seats, viewer)


def seat_of(user: Any, seats: tuple[Seat, ...]) -> Viewer:
    """Return the number of this person's seat among a match's seats."""
    if not user.is_authenticated:
        return None
    return next((SeatNumber(seat.number) for seat in seats if seat.user_id == user.pk), None)


_admitting: list[Callable[[Match, Any], bool]] = []


def register_admission(admits: Callable[[Match, Any], bool]) -> None:
    """Let a higher level say who may watch a secluded match without a seat, for instance because they are invited."""
    _admitting.append(admits)


def may_watch(user: Any, match: Match) -> bool:
    """Return whether somebody without a seat may watch.

    Everybody may watch public matches and those by link, friends of the host those for friends, and the host, who has
    no seat yet at a planned table, their own. Higher levels may admit others, such as those who are invited.
    """
    if not match.is_secluded:
        return True
    if match.visibility == Match.Visibility.FRIENDS and are_friends(match.host, user):
        return True
    if not user.is_authenticated:
        return False
    return match.host_id == user.pk or any(admits(match, user) for admits in _admitting)


def for_members(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Send visitors to log in, and from there to the match: the address of a POST shows nothing."""

    @wraps(view)
    def wrapped(request: HtmxRequest, slug: str, **more: str) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, slug, **more)
        response = redirect_to_login(reverse("match", args=[slug]))
        return HttpResponseClientRedirect(response.url) if request.htmx else response

    return wrapped
