from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "games.notifications"

    def ready(self) -> None:
        from accounts import signals as accounts  # noqa: PLC0415  # models are loaded by now, not before
        from games.matchmaking import signals as tables  # noqa: PLC0415  # as above
        from games.notifications import checks  # noqa: F401, PLC0415  # registers itself, as some of the next ones do
        from games.notifications.channels import devices, mail, push, registry, webhooks  # noqa: F401, PLC0415  # as above
        from games.notifications.notices import noting, people, seeing  # noqa: PLC0415  # as above
        from games.notifications.outbox import (  # noqa: PLC0415  # as above
            daily,  # noqa: F401  # registers itself, as the next ones do
            delivering,  # noqa: F401
            letters,
            planning,  # noqa: F401
            pruning,  # noqa: F401
        )
        from games.notifications.pages import centre  # noqa: PLC0415  # as above
        from games.play import signals  # noqa: PLC0415  # as above
        from games.play.live import news  # noqa: PLC0415  # as above

        for way in (mail.Mail(), push.Push(), webhooks.Webhooks()):
            registry.register(way)
        news.sign_in(centre.Centre())
        signals.people_seen.connect(seeing.on_people_seen, dispatch_uid="notices")
        signals.turns_began.connect(noting.on_turns_began, dispatch_uid="notices")
        signals.action_committed.connect(noting.on_action_committed, dispatch_uid="notices")
        signals.deadlines_moved.connect(noting.on_deadlines_moved, dispatch_uid="notices")
        signals.match_started.connect(noting.on_match_started, dispatch_uid="notices")
        signals.match_over.connect(noting.on_match_over, dispatch_uid="notices")
        signals.match_aborted.connect(noting.on_match_aborted, dispatch_uid="notices")
        signals.vacation_began.connect(noting.on_vacation_began, dispatch_uid="notices")
        accounts.letter_written.connect(letters.on_letter_written, dispatch_uid="notices")
        accounts.friend_asked.connect(people.on_friend_asked, dispatch_uid="notices")
        accounts.befriended.connect(people.on_befriended, dispatch_uid="notices")
        accounts.answered.connect(people.on_answered, dispatch_uid="notices")
        accounts.blocked.connect(people.on_blocked, dispatch_uid="notices")
        tables.offered.connect(people.on_offered, dispatch_uid="notices")
        tables.invited.connect(noting.on_invited, dispatch_uid="notices")
        tables.promised.connect(noting.on_promised, dispatch_uid="notices")
        tables.promise_ended.connect(noting.on_promise_ended, dispatch_uid="notices")
        tables.series_left.connect(noting.on_series_left, dispatch_uid="notices")
        tables.called_off.connect(noting.on_called_off, dispatch_uid="notices")
