"""The reducer: what a request, or time alone, does to a match. Pure: rows in, changed copies of them out."""
