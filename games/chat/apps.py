from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "games.chat"

    def ready(self) -> None:
        from games.chat import notice, unread  # noqa: F401, PLC0415  # they register themselves; models are loaded by now
