"""A site with some weeks of history: people, what they have played, and what they are playing.

All of it is played through the services that pages use, by the policies of the titles, with the clock set back.
"""
