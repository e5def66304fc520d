from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "games.notifications"

    def ready(self) -> None:
        from games.notifications import centre, seeing  # noqa: PLC0415  # models are there only now
        from games.play import news, signals  # noqa: PLC0415  # as above

        news.sign_in(centre.Centre())
        signals.people_seen.connect(seeing.on_people_seen)
