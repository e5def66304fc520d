from datetime import date
from typing import Any

from django.db import migrations, models

_FIRST_DAY, _IN_A_ROUND = date(2026, 1, 1), 366


def name_puzzles(apps: Any, schema_editor: Any) -> None:
    """Give each attempt the id of its puzzle: they were asked in the order of their ids, one each day, in a circle."""
    attempts = apps.get_model("puzzles", "Attempt").objects
    for day in attempts.order_by("day").values_list("day", flat=True).distinct():
        attempts.filter(day=day).update(puzzle=(day - _FIRST_DAY).days % _IN_A_ROUND + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("puzzles", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="puzzle",
            field=models.PositiveIntegerField(default=0, help_text="the id of the puzzle; 0: not known"),
        ),
        migrations.AddField(
            model_name="attempt",
            name="kind",
            field=models.CharField(default="points", help_text="of the puzzle", max_length=40),
        ),
        migrations.RunPython(name_puzzles, migrations.RunPython.noop),
    ]
