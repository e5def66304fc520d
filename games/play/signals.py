"""What levels above `play` hear of, inside the transaction: what they write stands with the action or not at all."""

from django.dispatch import Signal

match_started = Signal()
"""`match`, `seats`: a table is full and the match has begun."""

action_committed = Signal()
"""`match`, `seats`, `action`: an action stands."""

match_over = Signal()
"""`match`, `seats`: places and scores are set; not sent for aborted matches."""
