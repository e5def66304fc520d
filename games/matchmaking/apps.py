from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    name = "games.matchmaking"

    def ready(self) -> None:
        from accounts.signals import becomes_bot, blocked  # noqa: PLC0415  # models are loaded by now, not before
        from games.matchmaking import invitations, jobs, planned, series  # noqa: F401, PLC0415  # as above; jobs register themselves
        from games.matchmaking.table_views import table_page  # noqa: PLC0415  # as above
        from games.play.access import register_admission  # noqa: PLC0415  # as above
        from games.play.boards.fragments import register_table  # noqa: PLC0415  # as above
        from games.play.live.sockets import register_hint  # noqa: PLC0415  # as above
        from games.play.signals import match_over, match_ruled, match_started  # noqa: PLC0415  # as above

        register_admission(invitations.is_invited)
        register_table(table_page)
        register_hint(series.REMATCH_CHANGED, "rematch")
        becomes_bot.connect(planned.on_becomes_bot, dispatch_uid="planned")
        blocked.connect(planned.on_blocked, dispatch_uid="planned")
        match_started.connect(series.on_match_started, dispatch_uid="series")
        match_over.connect(series.on_match_over, dispatch_uid="series")
        match_ruled.connect(series.on_match_ruled, dispatch_uid="series")
