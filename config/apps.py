from django.apps import AppConfig
from django.db.backends.signals import connection_created


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415  # registers the system checks once the apps are loaded

        connection_created.connect(note_connection)


def note_connection(**_: object) -> None:
    """Note that the database answers. What has failed closes its connection, so an outage ends with a new one."""
    from config.outages import DATABASE  # noqa: PLC0415  # once the apps are loaded, as above

    DATABASE.answers()
