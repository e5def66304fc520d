from datetime import time
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("turn", "Your turn"),
    ("deadline", "Your time is running out"),
    ("invitation", "You are invited"),
    ("started", "A match has started"),
    ("over", "A match has ended"),
    ("away", "An opponent goes on vacation"),
    ("puzzle", "Daily puzzle"),
    ("digest", "Daily digest"),
    ("security", "Account security"),
]
PUZZLE = {"puzzle.mail", "puzzle.push", "puzzle.webhook"}


def do_not_want_puzzles(apps: Any, schema_editor: Any) -> None:
    """Nobody has asked for puzzles: whoever has chosen what to hear about does not want them at first."""
    preferences = apps.get_model("notifications", "Preferences")
    for each in preferences.objects.iterator():
        each.off = sorted({*each.off, *PUZZLE})
        each.save(update_fields=["off"])


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0004_away"),
    ]

    operations = [
        migrations.AlterField(model_name="notice", name="kind", field=models.CharField(choices=KINDS, max_length=12)),
        migrations.AddField(
            model_name="delivery",
            name="kind",
            field=models.CharField(choices=KINDS, default="digest", help_text="of what comes daily", max_length=12),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="notice",
            field=models.ForeignKey(
                help_text="null: daily",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deliveries",
                to="notifications.notice",
            ),
        ),
        migrations.AddField(
            model_name="preferences",
            name="puzzle_at",
            field=models.TimeField(default=time(8), help_text="on the wall clock of their zone", verbose_name="at"),
        ),
        migrations.RunPython(do_not_want_puzzles, migrations.RunPython.noop),
        migrations.RenameModel("DigestDay", "DailyHour"),
        migrations.AlterField(
            model_name="dailyhour",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="daily_hours",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dailyhour",
            name="kind",
            field=models.CharField(choices=KINDS, default="digest", max_length=12),
        ),
        migrations.AddConstraint(
            model_name="dailyhour",
            constraint=models.UniqueConstraint(fields=("user", "kind"), name="daily_once"),
        ),
    ]
