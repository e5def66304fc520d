"""Who may know of an event, and who organises it."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from accounts.questions import NOBODY
from games.clubs.membership import is_member, leads
from games.clubs.models import Member
from games.events.models import Event


def known_to(reader: Any) -> QuerySet[Event]:
    """Return the events that somebody may know of: all but those of private clubs to which they do not belong."""
    own = Member.objects.filter(club=OuterRef("club"), user=reader.pk or NOBODY)
    return Event.objects.filter(Q(club=None) | Q(club__private=False) | Exists(own))


def may_know(event: Event, reader: Any) -> bool:
    """Return whether somebody may know of an event; of the site's own without a query."""
    return event.club_id is None or known_to(reader).filter(pk=event.pk).exists()


def access_event(reader: Any, slug: str) -> Event:
    """Return an event for a reader.

    Raises:
        Http404: there is none, or it is of a private club that is not theirs (the answer does not say which).
    """
    event = known_to(reader).select_related("club").filter(slug=slug).first()
    if event is None:
        raise Http404
    return event


def is_for(event: Event, reader: Any) -> bool:
    """Return whether somebody is among those for whom an event is: of a club its members, else everybody."""
    return event.club is None or is_member(event.club, reader)


def organises(event: Event, reader: Any) -> bool:
    """Return whether somebody can change and cancel an event: the owners and helpers of its club can."""
    return leads(event.club, reader)
