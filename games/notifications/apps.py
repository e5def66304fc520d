from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "games.notifications"

    def ready(self) -> None:
        from accounts import signals as accounts  # noqa: PLC0415  # models are loaded by now, not before
        from games.matchmaking import signals as tables  # noqa: PLC0415  # as above
        from games.notifications import consumers, jobs, services  # noqa: F401, PLC0415  # as above; the jobs register themselves
        from games.notifications.channels.mail import on_becomes_bot, on_letter_written  # noqa: PLC0415  # as above
        from games.play import signals  # noqa: PLC0415  # as above
        from games.play.live import news  # noqa: PLC0415  # as above

        news.register_notebook(consumers.Centre())
        signals.people_seen.connect(services.on_people_seen, dispatch_uid="notices")
        signals.turns_began.connect(services.on_turns_began, dispatch_uid="notices")
        signals.action_committed.connect(services.on_action_committed, dispatch_uid="notices")
        signals.abort_declined.connect(services.on_abort_declined, dispatch_uid="notices")
        signals.deadlines_moved.connect(services.on_deadlines_moved, dispatch_uid="notices")
        signals.match_started.connect(services.on_match_started, dispatch_uid="notices")
        signals.match_over.connect(services.on_match_over, dispatch_uid="notices")
        signals.match_aborted.connect(services.on_match_aborted, dispatch_uid="notices")
        signals.vacation_began.connect(services.on_vacation_began, dispatch_uid="notices")
        accounts.letter_written.connect(on_letter_written, dispatch_uid="notices")
        accounts.becomes_bot.connect(on_becomes_bot, dispatch_uid="notices")
        accounts.friend_asked.connect(services.on_friend_asked, dispatch_uid="notices")
        accounts.befriended.connect(services.on_befriended, dispatch_uid="notices")
        accounts.answered.connect(services.on_answered, dispatch_uid="notices")
        accounts.blocked.connect(services.on_blocked, dispatch_uid="notices")
        tables.offered.connect(services.on_offered, dispatch_uid="notices")
        tables.invited.connect(services.on_invited, dispatch_uid="notices")
        tables.promised.connect(services.on_promised, dispatch_uid="notices")
        tables.promise_ended.connect(services.on_promise_ended, dispatch_uid="notices")
        tables.series_left.connect(services.on_series_left, dispatch_uid="notices")
        tables.called_off.connect(services.on_called_off, dispatch_uid="notices")
