from django.apps import AppConfig
from django.db.models.signals import post_delete


class EventsConfig(AppConfig):
    name = "games.events"

    def ready(self) -> None:
        from accounts.signals import becomes_bot  # noqa: PLC0415  # models are loaded by now, not before
        from games.clubs.models import Member  # noqa: PLC0415  # as above
        from games.events import calendars, jobs, rounds, services  # noqa: F401, PLC0415  # models are loaded by now; jobs and notices register themselves
        from games.notifications.calendars import register  # noqa: PLC0415  # as above
        from games.play.signals import match_aborted, match_over, match_ruled  # noqa: PLC0415  # as above

        register(calendars.entries_of)
        post_delete.connect(services.leave_those_of_club, sender=Member, dispatch_uid="events")
        becomes_bot.connect(services.leave_all, dispatch_uid="events")
        for ended in (match_over, match_aborted, match_ruled):
            ended.connect(rounds.keep_result, dispatch_uid="events")
