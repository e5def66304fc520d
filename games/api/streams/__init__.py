"""Streams: what happens, told to programs as lines of JSON for as long as they listen."""
