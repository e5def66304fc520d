from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "games.ratings"

    def ready(self) -> None:
        from accounts.signals import guest_claimed  # noqa: PLC0415  # as below
        from games.play.signals import match_over, match_ruled  # noqa: PLC0415  # models are loaded by now, not before
        from games.ratings.services import merge_bests, on_match_over, on_match_ruled  # noqa: PLC0415

        match_over.connect(on_match_over, dispatch_uid="ratings")
        match_ruled.connect(on_match_ruled, dispatch_uid="ratings")
        guest_claimed.connect(merge_bests, dispatch_uid="ratings")
