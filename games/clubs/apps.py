from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "games.clubs"

    def ready(self) -> None:
        from games.clubs.membership import admits  # noqa: PLC0415  # models are loaded by now, not before
        from games.play.access import register_admission  # noqa: PLC0415  # as above

        register_admission(admits)
