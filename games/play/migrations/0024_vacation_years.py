from __future__ import annotations

from typing import Any

from django.db import migrations, models

from accounts.zones import zone


def charge(apps: Any, _schema_editor: Any) -> None:
    """Charge each vacation to the year in which it began, by the clock of its person."""
    for vacation in apps.get_model("play", "Vacation").objects.select_related("user").iterator(chunk_size=500):
        vacation.year = vacation.begin.astimezone(zone(vacation.user.time_zone)).year
        vacation.save(update_fields=["year"])


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0023_no_show_help"),
    ]

    operations = [
        migrations.AddField(
            model_name="vacation",
            name="year",
            field=models.PositiveSmallIntegerField(default=0, help_text="whose budget it is charged to"),
            preserve_default=False,
        ),
        migrations.RunPython(charge, migrations.RunPython.noop),
    ]
