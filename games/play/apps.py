from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "games.play"

    def ready(self) -> None:
        from games.play.live import presence  # noqa: F401, PLC0415  # duties register
        from games.play.matches import claiming, outages, timeouts  # noqa: F401, PLC0415  # receivers, duties register
