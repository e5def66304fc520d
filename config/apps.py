from django.apps import AppConfig
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from config.ops.logs import report_errors, tell_slow
from config.ops.outages import DATABASE


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415  # registers the system checks once the apps are loaded

        connection_created.connect(note_connection)
        report_errors(settings.SENTRY_DSN)


def note_connection(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Record that the database answers: whatever fails closes its connection, so an outage ends with a new one."""
    DATABASE.answers()
    if settings.SLOW_QUERY_SECONDS and tell_slow not in connection.execute_wrappers:
        connection.execute_wrappers.append(tell_slow)
