"""The file from which anybody draws an event again (`games.events.formats.proof`), of an event that is over."""

from __future__ import annotations

from datetime import datetime

from django.utils import translation

from games.events.formats import proof
from games.events.models import Event
from games.events.rounds import heats_of, plan_of, players_of
from games.events.words import name_of


def proof_of(event: Event) -> proof.Proof:
    """Return what anybody can check of an event; it holds the seed only once the event is over."""
    entries = list(event.entries.select_related("user"))
    with translation.override("en"):  # one file for everybody
        name = name_of(event)
    return proof.proof_of(
        name,
        plan_of(event, entries),
        players=players_of(entries),
        heats=heats_of(event),
        draws=[
            proof.Drawn(drawn["round"], datetime.fromisoformat(drawn["at"]), drawn["in"], drawn["out"])
            for drawn in event.drawn
        ],
        names={entry.number: entry.name for entry in entries},
        nonces={entry.number: bytes(entry.nonce) for entry in entries},
        server_seed=bytes(event.server_seed),
        is_over=event.state == Event.State.OVER,
    )


def file_name(event: Event) -> str:
    """Return under which name the file is kept."""
    return f"tessera-event-{event.slug}.json"
