"""Signals for higher levels, sent inside the transaction: what they write is stored with the action or not at all."""

from django.dispatch import Signal

match_started = Signal()
"""`match`, `seats`: a table is full and the match has begun."""

action_committed = Signal()
"""`match`, `seats`, `action`: an action was stored."""

match_over = Signal()
"""`match`, `seats`: places and scores are set; not sent for aborted matches."""

match_aborted = Signal()
"""`match`, `seats`: the match has ended without a result."""

match_ruled = Signal()
"""`match`, `seats`: moderators have changed how a match that was over ended, or taken such a decision back."""

turns_began = Signal()
"""`match`, `seats`: these seats are to move now and were not before, or a secret turn of theirs follows another one.
What is taken back and done again begins the same turn again: `Seat.turn` names it."""

abort_declined = Signal()
"""`match`, `by`, `offering`: the seat `by` has declined to abort the match, which these seats had offered."""

deadlines_moved = Signal()
"""`match`, `seats`: running clocks of these seats got another deadline without a turn: by a vacation or an outage."""

vacation_began = Signal()
"""`match`, `seats`, `away`: the player of the seat `away`, who is to move, is on vacation from now on."""

people_seen = Signal()
"""`heard`: by (person's id, match's id), when that person looked at that match."""

pages_open = Signal()
"""`people`: ids of everybody who has a page open, visible or not, as this process hears at each heartbeat."""
