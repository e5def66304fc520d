from django.apps import AppConfig


class LearnConfig(AppConfig):
    name = "games.learn"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415  # models are loaded by now, not before

        from accounts.signals import guest_claimed  # noqa: PLC0415  # as above
        from games.learn import services  # noqa: PLC0415  # as above

        user_logged_in.connect(services.take_over_progress, dispatch_uid="learn")
        guest_claimed.connect(services.merge_progress, dispatch_uid="learn")
