"""Access to matches: the gates that every page, socket and export goes through."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404

from accounts.relations import are_friends
from games.engine.protocol import Seat as SeatNumber
from games.engine.protocol import Viewer
from games.play.matches import actions, recent
from games.play.matches.viewed import ViewedMatch
from games.play.models import Match, Seat


def access_match(user: Any, slug: str) -> ViewedMatch:
    """Load a match for a person.

    Raises:
        Http404: there is no such match, or it is private and not theirs (the answer does not say which).
    """
    match = Match.objects.filter(slug=slug).first()
    viewed = None if match is None else viewed_by(user, match)
    if viewed is None:
        raise Http404
    return _kept(viewed) if viewed.match.is_running else viewed


def _kept(viewed: ViewedMatch) -> ViewedMatch:
    """Return a running match with its newest actions, and keep it for the moves and pushes that will follow.

    It is kept when nothing was committed while it was read: then match, seats and actions are of one version.
    """
    whole = replace(viewed, tail=actions.tail(viewed.match))
    if _stands(viewed.match):
        recent.remember_loaded(whole)
    return whole


def known_match(user: Any, slug: str, version: int = 0) -> ViewedMatch | None:
    """Return a match for a person without asking the database, None if that is not possible.

    For callers that check the version themselves: writers under the lock, pushes by their hint.
    """
    known = recent.recall(slug, version)
    if known is None:
        return None
    viewer = seat_of(user, known.seats)
    if viewer is None and known.match.is_secluded:
        return None
    return replace(known, viewer=viewer)


def current_match(user: Any, slug: str) -> ViewedMatch:
    """Return a match for a person as it is known if that version is current (one small query), otherwise loaded.

    Raises:
        Http404: as `access_match`.
    """
    known = known_match(user, slug)
    return known if known is not None and _stands(known.match) else access_match(user, slug)


def _stands(match: Match) -> bool:
    """Say whether a match is still as it was read: every change raises its version."""
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


def may_watch(user: Any, match: Match) -> bool:
    """Say whether somebody without a seat may watch: public matches, those by link, and others if invited.

    Matches for friends are open to friends of the host. The host of a planned table has no seat yet either.
    """
    if not match.is_secluded:
        return True
    if match.visibility == Match.Visibility.FRIENDS and are_friends(match.host, user):
        return True
    if not user.is_authenticated:
        return False
    return match.host_id == user.pk or match.invitations.filter(user=user, withheld=False).exists()
