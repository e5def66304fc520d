"""What a clock is: its arithmetic, and its terms in words. Pure: without a database and without asking for the time."""
