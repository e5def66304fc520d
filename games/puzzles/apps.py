from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    name = "games.puzzles"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # models are loaded by now, not before

        from accounts.signals import guest_claimed  # noqa: PLC0415  # as above
        from games.puzzles import services  # noqa: PLC0415  # as above

        user_logged_in.connect(services.take_over, dispatch_uid="puzzles")
        guest_claimed.connect(services.merge, dispatch_uid="puzzles")
