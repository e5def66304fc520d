"""The course of a match: what a request, or time itself, does to it. Pure: rows in, changed copies of them out."""
