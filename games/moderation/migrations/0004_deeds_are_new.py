"""The lock on what moderators have done also keeps a deed from being written over."""

from typing import Any

from django.db import migrations

from games.moderation import lock


def close(apps: Any, schema_editor: Any) -> None:
    lock.close(schema_editor)


class Migration(migrations.Migration):
    dependencies = [
        ("moderation", "0003_findings"),
    ]

    operations = [
        migrations.RunPython(close, migrations.RunPython.noop),
    ]
