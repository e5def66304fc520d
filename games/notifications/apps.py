from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "games.notifications"

    def ready(self) -> None:
        from games.matchmaking.signals import invited  # noqa: PLC0415  # models are loaded by now, not before
        from games.notifications import (  # noqa: PLC0415  # duties and ways register
            centre,
            channels,
            checks,  # noqa: F401
            delivering,  # noqa: F401
            devices,  # noqa: F401
            digest,  # noqa: F401
            mail,
            outbox,
            planning,  # noqa: F401
            pruning,  # noqa: F401
            push,
            seeing,
            webhooks,
        )
        from games.play import signals  # noqa: PLC0415  # as above
        from games.play.live import news  # noqa: PLC0415  # as above

        for way in (mail.Mail(), push.Push(), webhooks.Webhooks()):
            channels.register(way)
        news.sign_in(centre.Centre())
        signals.people_seen.connect(seeing.on_people_seen, dispatch_uid="notices")
        signals.turns_began.connect(outbox.on_turns_began, dispatch_uid="notices")
        signals.action_committed.connect(outbox.on_action_committed, dispatch_uid="notices")
        signals.deadlines_moved.connect(outbox.on_deadlines_moved, dispatch_uid="notices")
        signals.match_started.connect(outbox.on_match_started, dispatch_uid="notices")
        signals.match_over.connect(outbox.on_match_over, dispatch_uid="notices")
        signals.match_aborted.connect(outbox.on_match_aborted, dispatch_uid="notices")
        signals.vacation_began.connect(outbox.on_vacation_began, dispatch_uid="notices")
        invited.connect(outbox.on_invited, dispatch_uid="notices")
