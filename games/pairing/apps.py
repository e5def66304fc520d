from django.apps import AppConfig


class PairingConfig(AppConfig):
    name = "games.pairing"

    def ready(self) -> None:
        from games.pairing import jobs, services  # noqa: F401, PLC0415  # they register themselves
