"""Signals to the levels above `events`, sent inside the transaction."""

from django.dispatch import Signal

round_drawn = Signal()
"""`event`, `number`, `groups`: who meets whom in a new round, each group in the order of seats (None where somebody is
gone); where several rounds are drawn at once, in the first of them."""
