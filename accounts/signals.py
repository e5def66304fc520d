"""Signals of accounts."""

from django.dispatch import Signal

guest_is_claimed = Signal()
"""`guest`, `locking`: receivers return the keys of what the guest takes part in that is locked before people are.

They lock it first when `locking` is true; sent inside the transaction that hands it over.
"""

guest_claimed = Signal()
"""`guest`, `user`: the guest's matches and everything else will be the user's. Sent before, inside the transaction."""

friend_asked = Signal()
"""`asker`, `asked`: a request for friendship has been made, which `asked` may see; sent inside the transaction."""

befriended = Signal()
"""`asker`, `asked`: `asked` has accepted; sent inside the transaction."""

answered = Signal()
"""`asker`, `asked`, `state`: a request for friendship does not wait any more: it has been accepted, declined or taken
back, or the friendship has ended; sent inside the transaction."""

letter_written = Signal()
"""`email`: an email is to be sent, with whatever the transaction does in which this is sent, or not at all."""

blocked = Signal()
"""`by`, `other`: one has blocked the other; sent inside the transaction."""
