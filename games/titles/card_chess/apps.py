from django.apps import AppConfig


class CardChessConfig(AppConfig):
    name = "games.titles.card_chess"
