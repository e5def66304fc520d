"""Measurements without assertions: `make bench` prints them as a table."""
