from django.apps import AppConfig
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415  # registers the system checks once the apps are loaded
        from config.ops import errors  # noqa: PLC0415  # as above

        connection_created.connect(note_connection)
        errors.report(settings.SENTRY_DSN)


def note_connection(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Record that the database answers: whatever fails closes its connection, so an outage ends with a new one."""
    from config.ops.logs import tell_slow  # noqa: PLC0415  # once the apps are loaded, as above
    from config.ops.outages import DATABASE  # noqa: PLC0415  # as above

    DATABASE.answers()
    if settings.SLOW_QUERY_SECONDS and tell_slow not in connection.execute_wrappers:
        connection.execute_wrappers.append(tell_slow)
