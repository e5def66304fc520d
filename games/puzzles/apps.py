from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    name = "games.puzzles"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # models are loaded by now, not before

        from accounts.signals import guest_claimed  # noqa: PLC0415  # as above
        from games.puzzles import notice, tries  # noqa: F401, PLC0415  # as above; `notice` registers itself

        user_logged_in.connect(tries.take_over, dispatch_uid="puzzles")
        guest_claimed.connect(tries.merge, dispatch_uid="puzzles")
