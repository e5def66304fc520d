"""The groups of moderators and administrators, and the lock on what they have done."""

from typing import Any

from django.db import migrations

from games.moderation import lock


def add_roles(apps: Any, schema_editor: Any) -> None:
    groups = apps.get_model("auth", "Group")
    for name in ("moderators", "administrators"):
        groups.objects.get_or_create(name=name)


def close(apps: Any, schema_editor: Any) -> None:
    lock.close(schema_editor)


def open_again(apps: Any, schema_editor: Any) -> None:
    lock.open_again(schema_editor)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("moderation", "0001_reports"),
    ]

    operations = [
        migrations.RunPython(add_roles, migrations.RunPython.noop, elidable=False),
        migrations.RunPython(close, open_again),
    ]
