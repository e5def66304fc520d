from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "games.chat"

    def ready(self) -> None:
        from games.chat import services  # noqa: F401, PLC0415  # it registers itself; models are loaded by now
