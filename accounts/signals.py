"""Signals of accounts; all are sent inside the transaction that makes the change."""

from django.dispatch import Signal

guest_is_claimed = Signal()
"""`guest`, `locking`: receivers return the keys of what the guest takes part in and that must be locked before people.

They lock it first if `locking` is true.
"""

guest_claimed = Signal()
"""`guest`, `user`: everything of the guest is about to be handed over to the user."""

friend_asked = Signal()
"""`asker`, `asked`: a request for friendship was made, which `asked` may see."""

befriended = Signal()
"""`asker`, `asked`: `asked` has accepted the request."""

answered = Signal()
"""`asker`, `asked`, `state`: a request was accepted, declined or taken back, or the friendship has ended."""

letter_written = Signal()
"""`email`: an email is to be sent, after the commit if a transaction is open."""

becomes_bot = Signal()
"""`user`: an account is about to become a bot; nothing is locked yet. Receivers end what only people do."""

blocked = Signal()
"""`by`, `other`: one has blocked the other."""

sanctioned = Signal()
"""`user`, `kind`: moderators have imposed a sanction (a value of `Sanction.Kind`), or that of a guest is now theirs."""
