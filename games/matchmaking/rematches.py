"""What the page of a finished match shows of its rematch, and how its players' pages learn of it.

`tables.rematch` opens the table and sits down at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.matchmaking.limits import is_expired
from games.play.live import pubsub
from games.play.models import Match

CHANGED = "rematch.changed"
"""The hint to pages (`games.play.live.sockets`): the players of a finished match look again."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The rematch of a finished match, as one of its players sees it.

    Args:
        table: where it is played, or will be.
        mine: whether the reader sits there already; otherwise they are asked.
    """

    table: Match
    mine: bool

    @property
    def by(self) -> str:
        return self.table.host.shown_name if self.table.host else "—"


def offer_of(former: Match, user: Any) -> Offer | None:
    """Return the rematch that waits for a player or that they play; None if nobody wants one, or they have declined."""
    table = Match.objects.filter(previous=former).select_related("host").first()
    if table is None or is_expired(table):
        return None
    if table.seats.filter(user=user).exists():
        return Offer(table, mine=True)
    asked = table.invitations.answerable().filter(user=user).exists()
    return Offer(table, mine=False) if asked else None


def tell_players(table: Match) -> None:
    """Let the pages of those who are invited to a rematch look again, once committed."""
    asked = table.invitations.filter(withheld=False).values_list("user", flat=True)
    pubsub.to_people(list(asked), CHANGED)
