"""The limits on tables and invitations: those of the table of all limits, and those per pair of people.

`counting` checks them where all ways of sitting down and inviting end (`seating.sit_down`, `invitations.invite`), so it
makes no difference whether somebody opens a table, plays alone, accepts an invitation or asks for a rematch.
"""

from __future__ import annotations

from datetime import timedelta

from accounts.limits import LIMITS, Limit
from games.matchmaking.models import Use
from games.play.models import Speed

_DAY = timedelta(days=1)


OPEN_TABLES = 10
"""Open tables that one person can host at the same time."""

PERSON = {what: LIMITS[what.value].person[0] for what in Use.What}
"""What one person can do. All tables count: tables for one, rematches, and those closed again."""

GUEST = {what: LIMITS[what.value].guest[0] for what in Use.What}
"""What a guest can do."""

ADDRESS = {what: LIMITS[what.value].address[0] for what in Use.What}
"""What all people at one network address can do together: enough for a club that meets in one room."""

PLANNED_TABLES = 5
"""Planned tables that one person can host at the same time."""

PROMISES = 15
"""Seats at planned tables that can be kept for one person at the same time."""

AHEAD = (timedelta(minutes=15), timedelta(days=60))
"""How long before its time a table can be planned, at least and at most."""

GRACE = timedelta(minutes=10)
"""How long after a planned table has opened the seats of those who said they come are kept."""

INVITED = 20
"""Invitations to one table."""

UNANSWERED = Limit(5, _DAY)
"""Invitations from one person to another that the other did not accept."""

ANSWER_WITHIN = {Speed.LIVE: timedelta(hours=12), Speed.DAYS: timedelta(days=7)}
"""How long an invitation can be accepted, if its table waits that long."""

RATED = Limit(5, _DAY)
"""Rated matches between the same two people."""

FORGOTTEN = timedelta(days=7)
"""No-shows older than this are forgotten."""

WAITS = (timedelta(0), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
"""How long a player has to wait after the first no-show, the second and so on before sitting down again."""

KEPT = _DAY
"""Uses, and invitations that cannot be accepted, do not matter to any limit when they are older than this."""
