from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    name = "games.puzzles"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # models are loaded by now, not before

        from games.puzzles import notice, tries  # noqa: F401, PLC0415  # as above; `notice` registers itself

        user_logged_in.connect(tries.take_over, dispatch_uid="puzzles")
