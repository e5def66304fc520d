"""Tells open pages of an event that it has changed; what they then show is rendered for each reader (`pages`)."""

from __future__ import annotations

from games.events.models import Event
from games.play.live import pubsub


def event_topic(slug: str) -> str:
    return f"event.{slug}"


def event_changed(event: Event) -> None:
    """Tell the open pages of an event, once committed, that who is in it, what is drawn or what is over has changed."""
    pubsub.to_topic(event_topic(event.slug), "event.changed")
