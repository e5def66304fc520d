from django.apps import AppConfig


class PairingConfig(AppConfig):
    name = "games.pairing"

    def ready(self) -> None:
        from games.pairing import jobs, services  # noqa: F401, PLC0415  # the jobs register themselves
        from games.play.live.sockets import register_hint  # noqa: PLC0415  # as above

        register_hint(services.CHANGED, "pairing")
