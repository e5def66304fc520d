"""A match in the database: who may meet it, and every write, the clocks of its seats included."""
