from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "games.api"

    def ready(self) -> None:
        from accounts.applications import access  # noqa: PLC0415  # models are loaded by now, not before
        from accounts.signals import sanctioned  # noqa: PLC0415  # as above
        from games.api import tokens  # noqa: PLC0415  # as above; the job registers itself
        from games.play.live import heartbeat  # noqa: PLC0415  # as above

        sanctioned.connect(tokens.on_sanctioned, dispatch_uid="api")
        heartbeat.register_credentials("personal", tokens.still_valid)
        heartbeat.register_credentials("application", access.still_valid)
