"""A site with some weeks of history: people who know each other, what they have played, and what they play now.

All of it is played through the services every page uses, by the policies of the titles, at times in the past.
"""
