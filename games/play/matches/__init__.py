"""A match in the database: who has access to it, and every write, the clocks of its seats included."""
