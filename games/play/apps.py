from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "games.play"

    def ready(self) -> None:
        from games.play import placeholder, presence, timeouts  # noqa: F401, PLC0415  # duties register
