from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    name = "games.matchmaking"

    def ready(self) -> None:
        from games.matchmaking import clearing  # noqa: F401, PLC0415  # registers its duties once the models are loaded
