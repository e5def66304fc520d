"""The shared engine: what every game is, how a match of it is played, and chance that anybody can verify.

Pure Python. Nothing here knows a particular game, Django, the clock or the operating system.
"""
