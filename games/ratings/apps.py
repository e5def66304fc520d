from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "games.ratings"

    def ready(self) -> None:
        from games.play.signals import match_over  # noqa: PLC0415  # models are loaded by now, not before
        from games.ratings.apply import on_match_over  # noqa: PLC0415

        match_over.connect(on_match_over, dispatch_uid="ratings")
