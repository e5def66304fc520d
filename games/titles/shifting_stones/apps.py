from django.apps import AppConfig


class ShiftingStonesConfig(AppConfig):
    name = "games.titles.shifting_stones"
