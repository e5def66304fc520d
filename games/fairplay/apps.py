from django.apps import AppConfig


class FairPlayConfig(AppConfig):
    name = "games.fairplay"

    def ready(self) -> None:
        from games.fairplay import findings, jobs, signals  # noqa: PLC0415  # as below
        from games.play.signals import action_committed, match_aborted  # noqa: PLC0415  # models are loaded by now

        jobs.register()
        findings.register()
        action_committed.connect(signals.on_action, dispatch_uid="fairplay")
        match_aborted.connect(signals.on_match_aborted, dispatch_uid="fairplay")
