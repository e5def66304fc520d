from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "games.notifications"

    def ready(self) -> None:
        from games.notifications import channels, checks, devices, push, webhooks  # noqa: F401, PLC0415  # once the models are there

        channels.register(push.Push())
        channels.register(webhooks.Webhooks())
