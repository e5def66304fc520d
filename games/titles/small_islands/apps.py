from django.apps import AppConfig


class SmallIslandsConfig(AppConfig):
    name = "games.titles.small_islands"
