from django.apps import AppConfig


class PairingConfig(AppConfig):
    name = "games.pairing"

    def ready(self) -> None:
        from games.pairing import duty, heard  # noqa: F401, PLC0415  # both register themselves; models are loaded by now
