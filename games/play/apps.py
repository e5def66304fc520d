from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "games.play"

    def ready(self) -> None:
        from games.play import commands, timekeeping  # noqa: F401, PLC0415  # receivers, jobs register
        from games.play.live import presence  # noqa: F401, PLC0415  # its job registers
