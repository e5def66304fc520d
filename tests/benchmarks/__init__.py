"""Measurements, never assertions: `make bench` prints them as a table."""
