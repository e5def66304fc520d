from django.apps import AppConfig


class DealsConfig(AppConfig):
    name = "games.deals"

    def ready(self) -> None:
        from games.deals import jobs, services  # noqa: F401, PLC0415  # models are loaded by now; jobs register themselves
        from games.play.access import register_admission  # noqa: PLC0415  # as above
        from games.play.signals import match_over, match_ruled  # noqa: PLC0415  # as above

        register_admission(services.may_watch_try)
        match_over.connect(services.keep_result, dispatch_uid="deals")
        match_ruled.connect(services.keep_result, dispatch_uid="deals")
