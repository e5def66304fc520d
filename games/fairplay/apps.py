from django.apps import AppConfig


class FairPlayConfig(AppConfig):
    name = "games.fairplay"

    def ready(self) -> None:
        from games.fairplay import aborts, casual, findings, nightly, together  # noqa: PLC0415  # as below
        from games.play.signals import action_committed, match_aborted  # noqa: PLC0415  # models are loaded by now

        nightly.join()
        findings.join()
        casual.join()
        action_committed.connect(together.on_action, dispatch_uid="fairplay")
        match_aborted.connect(aborts.on_match_aborted, dispatch_uid="fairplay")
