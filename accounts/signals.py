"""Signals of accounts."""

from django.dispatch import Signal

guest_claimed = Signal()
"""`guest`, `user`: the guest's matches and everything else will be the user's; sent first, inside the transaction."""

friend_asked = Signal()
"""`asker`, `asked`: a request for friendship has been made, which `asked` may see; sent inside the transaction."""

befriended = Signal()
"""`asker`, `asked`: `asked` has accepted; sent inside the transaction."""

blocked = Signal()
"""`by`, `other`: one has blocked the other; sent inside the transaction."""
