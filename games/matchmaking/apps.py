from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    name = "games.matchmaking"

    def ready(self) -> None:
        from accounts.signals import blocked  # noqa: PLC0415  # models are loaded by now, not before
        from games.matchmaking import clearing, opening, parting  # noqa: F401, PLC0415  # as above; two register duties

        blocked.connect(parting.on_blocked, dispatch_uid="parting")
