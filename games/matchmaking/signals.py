"""What levels above `matchmaking` hear of, inside the transaction."""

from django.dispatch import Signal

invited = Signal()
"""`match`, `people`, `by`: these people are asked to sit down at a table; some may have been asked before."""
