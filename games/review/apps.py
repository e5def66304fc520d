from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "games.review"

    def ready(self) -> None:
        from games.review import jobs  # noqa: F401, PLC0415  # registers itself; models are loaded by now, not before
