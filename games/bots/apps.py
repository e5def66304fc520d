from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "games.bots"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # models are loaded by now, not before

        from games.bots.services import note_guest  # noqa: PLC0415  # as above

        user_logged_in.connect(note_guest, dispatch_uid="bots")
