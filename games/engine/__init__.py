"""The shared engine: what every game is, how a match of it is played, and how chance is kept honest.

Pure Python. Nothing here knows a particular game, Django, the clock or the operating system.
"""
