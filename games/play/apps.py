from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "games.play"

    def ready(self) -> None:
        from games.play import timeouts  # noqa: F401, PLC0415  # registers its duties once the models are there
