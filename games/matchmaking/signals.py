"""Signals to the levels above `matchmaking`, sent inside the transaction."""

from django.dispatch import Signal

invited = Signal()
"""`match`, `people`, `by`: these people are invited to a table; some may have been invited before."""

offered = Signal()
"""`match`, `host`, `comes`: a table where others can sit down has been opened or planned. Unless its host comes, it is
one of those that are made every week."""

promised = Signal()
"""`match`, `user`: somebody said they would come to a planned table."""

promise_ended = Signal()
"""`match`, `people`: these people no longer come to a planned table, or it is no longer planned."""

series_left = Signal()
"""`match`, `people`, `by`: somebody left a series, which ends it for these people; `match` is its latest."""

called_off = Signal()
"""`match`, `people`, `by`: a planned table to which these people wanted to come does not open. `by` is None when too
few wanted to come."""
