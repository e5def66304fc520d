"""Signals to the levels above `matchmaking`, sent inside the transaction."""

from django.dispatch import Signal

invited = Signal()
"""`match`, `people`, `by`: these people are invited to a table; some may have been invited before."""
