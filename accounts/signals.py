"""Signals of accounts."""

from django.dispatch import Signal

guest_claimed = Signal()
"""`guest`, `user`: the guest's matches and everything else will be the user's; sent first, inside the transaction."""
