from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "games.clubs"

    def ready(self) -> None:
        from accounts.signals import becomes_bot  # noqa: PLC0415  # models are loaded by now, not before
        from games.clubs import evenings, notices, services, webhooks  # noqa: F401, PLC0415  # as above; notices and jobs register themselves
        from games.clubs.membership import admits  # noqa: PLC0415  # as above
        from games.events.signals import event_made, round_drawn  # noqa: PLC0415  # as above
        from games.matchmaking.signals import offered  # noqa: PLC0415  # as above
        from games.play.access import register_admission  # noqa: PLC0415  # as above
        from games.play.signals import match_over  # noqa: PLC0415  # as above

        register_admission(admits)
        becomes_bot.connect(services.leave_all, dispatch_uid="clubs")
        offered.connect(webhooks.on_offered, dispatch_uid="clubs")
        offered.connect(notices.on_offered, dispatch_uid="notices of clubs")
        event_made.connect(notices.on_event_made, dispatch_uid="clubs")
        round_drawn.connect(webhooks.on_round_drawn, dispatch_uid="clubs")
        match_over.connect(webhooks.on_match_over, dispatch_uid="clubs")
