from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "games.bots"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # models are loaded by now, not before

        from games.bots.services import note_guest, on_changed  # noqa: PLC0415  # as above
        from games.play.signals import action_committed, turns_began  # noqa: PLC0415  # as above

        user_logged_in.connect(note_guest, dispatch_uid="bots")
        action_committed.connect(on_changed, dispatch_uid="bots")
        turns_began.connect(on_changed, dispatch_uid="bots")
