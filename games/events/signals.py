"""Who is told that an event has changed: the levels above by a signal inside the transaction, open pages by a hint.

What a page then shows is rendered for its reader (`pages`).
"""

from __future__ import annotations

from django.dispatch import Signal

from games.events.models import Event
from games.play.live import pubsub

event_made = Signal()
"""`event`, `by`: an organiser has made an event of their club, of which nobody is told otherwise."""

round_drawn = Signal()
"""`event`, `number`, `groups`: who meets whom in a new round, each group in the order of seats (None where somebody is
gone); where several rounds are drawn at once, in the first of them."""


def event_topic(slug: str) -> str:
    return f"event.{slug}"


def event_changed(event: Event) -> None:
    """Tell the open pages of an event, once committed, that who is in it, what is drawn or what is over has changed."""
    pubsub.to_topic(event_topic(event.slug), "event.changed")
