from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "games.notifications"

    def ready(self) -> None:
        from games.notifications import checks  # noqa: F401, PLC0415  # registers its check once the apps are there
